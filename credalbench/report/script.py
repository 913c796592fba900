"""Write the Python script that repeats the computation of a report."""

import inspect
from collections.abc import Hashable, Sequence

from sklearn.base import BaseEstimator

from credalbench.report.choice import SAMPLE_SIZE, metric_of
from credalbench.report.methods import input_of
from credalbench.select.methods import Method
from credalbench.tables import UserTable


def function_call(function: str, *arguments: object, **options: object) -> str:
    """Return the Python code of a function call."""
    words = [*map(repr, arguments), *(f"{name}={value!r}" for name, value in options.items())]
    return f"{function}({', '.join(words)})"


def estimator_code(estimator: BaseEstimator) -> str:
    """Return the Python code of an estimator, without parameters at their defaults."""
    values = estimator.get_params(deep=False)
    defaults = {name: one.default for name, one in inspect.signature(type(estimator)).parameters.items()}
    first = {"n_clusters": values.pop("n_clusters")} if "n_clusters" in values else {}
    others = {
        name: value
        for name, value in values.items()
        if value is not defaults[name]
        and (type(value) is not type(defaults[name]) or value != defaults[name])
    }
    return function_call(type(estimator).__name__, **first, **others)


def report_script(
    table: UserTable,
    reading_code: str,
    methods: Sequence[Method],
    objects: Sequence[Hashable],
    target: str,
    random_state: int,
    numbers: range | None = None,
    sampled: tuple[int, int] | None = None,
) -> str:
    """Return the script of a report.

    Parameters
    ----------
    table : UserTable
    reading_code : str
        Python code that reads the table.
    methods : sequence of Method
        Fitted methods; the script writes the partition of the first.
    objects : sequence of hashable
        Names of objects that the script explains.
    target : str
        File to which the script writes the partition.
    random_state : int
        Seed of the choice of the number of clusters.
    numbers : range, optional
        Numbers of clusters to choose from; None if the number was given.
    sampled : tuple of int, optional
        Size and seed of the sample, if the table is a sample; `reading_code` then assigns `everything`.
    """
    estimators = [method.estimator for method in methods]
    parts = [f"table = {reading_code}"]
    if sampled:
        parts = [f"{reading_code}\ntable = everything.sample({sampled[0]}, random_state={sampled[1]})"]
    if numbers is not None:
        parts.append(_choice(table, numbers, random_state))
    fits = [f"    {m.name!r}: {estimator_code(m.estimator)}.fit(table.{m.input})," for m in methods]
    parts.append("\n".join(["fits = {", *fits, "}"]))
    parts.append(_results(table, methods[0], objects, target, bool(sampled)))
    imports = _imports(estimators, numbers is not None, bool(sampled))
    return "\n\n".join(["\n".join(imports), *parts]) + "\n"


def _imports(estimators: Sequence[BaseEstimator], choice: bool, sampled: bool) -> list[str]:
    names = {}
    for estimator in estimators:
        package = ".".join(type(estimator).__module__.split(".")[:2])
        names.setdefault(package, set()).add(type(estimator).__name__)
    if choice:
        names["credalbench.select"] = {"select_by_silhouette"}
    if sampled:
        names["credalbench.report"] = {"write_partition"}
    names["credalbench.tables"] = {"read_user_table"}
    order = sorted(names, key=lambda package: (package.startswith("credalbench"), package))
    return [f"from {package} import {', '.join(sorted(names[package]))}" for package in order]


def _choice(table: UserTable, numbers: range, random_state: int) -> str:
    """Return the lines that choose the number of clusters."""
    pairs = metric_of(table) == "precomputed"
    lines, data = [], "table.D" if pairs else "table.frame"
    if table.n_objects > SAMPLE_SIZE:
        lines.append(f"sample = {data}.sample({SAMPLE_SIZE}, random_state={random_state})")
        data = "sample[sample.index]" if pairs else "sample"
    options = f"metric={metric_of(table)!r}, random_state={random_state}"
    lines.append(f"choice = select_by_silhouette(\n    {data}, {numbers!r}, {options}\n)")
    return "\n".join([*lines, "print(choice.words)"])


def _results(table: UserTable, main: Method, objects: Sequence[Hashable], target: str, sampled: bool) -> str:
    described = "" if table.original is None else "table.original, supplementary=table.supplementary()"
    writing = f"partition.to_frame().to_csv({target!r})"
    if sampled:
        writing = f"write_partition(fits[{main.name!r}], everything, table, {target!r}, {main.input!r})"
    lines = [f"partition = fits[{main.name!r}].partition_", writing, "print(partition.summary())"]
    lines.append(f"print(partition.profiles({described}))")
    data = "table.X" if input_of(table) == "X" else "D=table.D"
    lines += [f"print(partition.explain({name!r}, {data}))" for name in objects]
    return "\n".join(lines)

"""The script that computes again what a report shows: printed on its page, and run as it stands."""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Sequence

from sklearn.base import BaseEstimator

from credalbench.report.choice import N_RESAMPLES, SAMPLED, chooser_of, numbers_for
from credalbench.report.methods import Method, takes_of
from credalbench.tables import UserTable


def call(function: str, *arguments: object, **options: object) -> str:
    """Return a call as it is written in Python."""
    words = [*map(repr, arguments), *(f"{name}={value!r}" for name, value in options.items())]
    return f"{function}({', '.join(words)})"


def call_of(estimator: BaseEstimator) -> str:
    """Return the call that makes an estimator: its number of clusters, and what is not as by default."""
    values = estimator.get_params(deep=False)
    usual = {name: one.default for name, one in inspect.signature(type(estimator)).parameters.items()}
    first = {"n_clusters": values.pop("n_clusters")} if "n_clusters" in values else {}
    others = {name: value for name, value in values.items() if value is not usual[name]}
    others = {name: value for name, value in others.items() if not _same(value, usual[name])}
    return call(type(estimator).__name__, **first, **others)


def _same(value: object, usual: object) -> bool:
    return type(value) is type(usual) and value == usual


def script(
    table: UserTable,
    reading: str,
    methods: Sequence[Method],
    objects: Sequence[Hashable],
    target: str,
    random_state: int | None,
) -> str:
    """Return the script of a report.

    Parameters
    ----------
    table : UserTable
    reading : str
        The call that read it.
    methods : sequence of Method
        Those with a fit; the first one's partition is written.
    objects : sequence of hashable
        Names of objects that are explained.
    target : str
        File that it is written to.
    random_state : int or None
        Seed of the choice of the number of clusters; None: it was given.
    """
    estimators = [method.estimator for method in methods]
    parts = [f"table = {reading}"]
    if random_state is not None:
        parts.append(_choice(table, random_state))
        estimators.append(chooser_of(table, random_state))
    parts += [_fits(methods), _answers(table, methods[0], objects, target)]
    return "\n\n".join(["\n".join(_imports(estimators, random_state is not None)), *parts]) + "\n"


def _imports(estimators: Sequence[BaseEstimator], choice: bool) -> list[str]:
    names = {}
    for estimator in estimators:
        package = ".".join(type(estimator).__module__.split(".")[:2])
        names.setdefault(package, set()).add(type(estimator).__name__)
    if choice:
        names["credalbench.select"] = {"select_n_clusters"}
    names["credalbench.tables"] = {"read_user_table"}
    order = sorted(names, key=lambda package: (package.startswith("credalbench"), package))
    return [f"from {package} import {', '.join(sorted(names[package]))}" for package in order]


def _choice(table: UserTable, random_state: int) -> str:
    """The lines that choose the number of clusters."""
    pairs = takes_of(table) != "X"
    lines, objects = [], "table.D" if pairs else "table.X"
    if table.n_objects > SAMPLED:
        lines.append(f"some = {objects}.sample({SAMPLED}, random_state={random_state})")
        objects = "some[some.index]" if pairs else "some"
    numbers = f"range({numbers_for(table).start}, {numbers_for(table).stop})"
    chooser = call_of(chooser_of(table, random_state)).replace("n_clusters=2, ", "")
    lines.append(
        f"curves = select_n_clusters(\n    {chooser}, {objects}, {numbers}, n_resamples={N_RESAMPLES}\n)"
    )
    return "\n".join([*lines, "print(curves.recommendation)"])


def _fits(methods: Sequence[Method]) -> str:
    lines = [f"    {m.name!r}: {call_of(m.estimator)}.fit(table.{m.takes})," for m in methods]
    return "\n".join(["fits = {", *lines, "}"])


def _answers(table: UserTable, main: Method, objects: Sequence[Hashable], target: str) -> str:
    lines = [
        f"partition = fits[{main.name!r}].partition_",
        f"partition.to_frame().to_csv({target!r})",
        "print(partition.summary())",
    ]
    beside = "table.X" if takes_of(table) == "X" else "D=table.D"
    lines += [f"print(partition.explain({name!r}, {beside}))" for name in objects]
    return "\n".join(lines)

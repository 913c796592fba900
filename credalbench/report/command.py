"""Implement ``credalbench cluster``: read a table, ask about it, cluster it, and write the results."""

import ast
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

from credalbench.core.arguments import expect
from credalbench.core.progress import show_progress
from credalbench.core.resources import NotEnoughMemory
from credalbench.report.methods import suitable_methods
from credalbench.report.report import cluster_report, table_paths
from credalbench.report.script import function_call
from credalbench.tables import Question, UserTable, read_user_table
from credalbench.tables.reading import read_with_likely_answers
from credalbench.tables.roles import expect_role

COMMAND = "credalbench cluster"
NOT_READING = (
    "max_clusters",
    "max_objects",
    "random_state",
    "also",
)  # options that are not arguments of the reader
ANSWERS = (
    "columns",
    "missing",
    "na_values",
    "standardize",
    "kind",
    "header",
    "decimal",
    "beyond",
)  # arguments set by likely answers
MAX_OBJECTS = 2500  # larger tables are sampled for the fits, which compare all pairs


class OpenQuestions(ValueError):
    """Raised for a table with open questions; the message lists the options that answer them."""


def parse_roles(assignments: Iterable[str]) -> dict[str, str] | None:
    """Parse ``NAME=ROLE`` texts as the argument `columns` of `read_user_table`.

    Names may contain ``=`` and may be patterns such as ``Q*``.

    Raises
    ------
    ValueError
        If there is no ``=`` or the role is unknown.
    """
    roles = {}
    for assignment in assignments:
        name, equals, role = assignment.rpartition("=")
        expect(bool(equals), "NAME=ROLE in --columns", assignment)
        expect_role(f"the role of {name} in --columns", role)
        roles[name] = role
    return roles or None


def cluster_table(
    source: str,
    output: str | None,
    n_clusters: int | None,
    options: Mapping[str, object],
    echo: Callable[[str], object],
    strict: bool = False,
) -> Path:
    """Read a table, cluster it by all suitable methods, and write the page and the partition.

    Parameters
    ----------
    source : str
        File of the table.
    output : str or None
        File of the page; by default it is named after the table, in the working folder.
    n_clusters : int or None
        Number of clusters; None: chosen from the data.
    options : mapping
        Arguments of `read_user_table` and `cluster_report`; None for those that were not given. By default
        the methods are fitted to a sample of at most 2500 objects, and all objects are assigned to the
        clusters. If the file does not fit into memory, only the sample is read.
    echo : callable
        Function that prints a text.
    strict : bool, default=False
        Whether every open question stops the command. By default the likely answer is used, if there is one,
        and noted with the option that changes it.

    Returns
    -------
    Path
        File of the page.

    Raises
    ------
    ValueError
        If the file is not a table, or if it cannot be clustered.
    OpenQuestions
        If an open question about the table has no likely answer; with `strict`, if any question is open.
    OSError
        If a file cannot be read or written.
    """
    given = {name: value for name, value in options.items() if value is not None}
    page = _page(source, output)
    arguments = {name: value for name, value in given.items() if name not in NOT_READING}
    most, seed = given.get("max_objects", MAX_OBJECTS), given.get("random_state", 0)
    read = read_user_table if strict else _read_likely
    with show_progress() if sys.stderr.isatty() else nullcontext():
        try:
            table = read(source, **arguments)
        except NotEnoughMemory as error:
            echo(f"{error}. Only a sample is read; the other rows are not assigned to the clusters.")
            arguments |= {"max_objects": most, "random_state": seed}
            table = read(source, **arguments)
    echo(repr(replace(table, questions=())))
    if table.questions:
        more = {"n_clusters": n_clusters, "output": output}
        given |= {name: value for name, value in more.items() if value is not None}
        raise OpenQuestions(format_questions(table, source, given))
    arguments |= {name: value for name in ANSWERS if (value := table.arguments[name]) not in (None, ())}
    code = function_call("read_user_table", source, **arguments)
    sample = table.sample(most, seed)
    also = given.get("also", ())
    steps = 1 + (n_clusters is None) + len(suitable_methods(sample, n_clusters or 2, also=also))
    with tqdm(total=steps, unit="step", disable=None, dynamic_ncols=True, leave=False) as bar:
        options = {"reading_code": code, "random_state": seed, "also": also, "on_step": _Steps(bar)}
        most_clusters = given.get("max_clusters")
        report = cluster_report(table, n_clusters, max_clusters=most_clusters, max_objects=most, **options)
    n_rows = table.n_objects if sample is not table else None
    with tqdm(total=n_rows, unit="row", desc="page", disable=None, dynamic_ncols=True, leave=False) as bar:
        page, partition, profiles = report.write(page, bar.update)
    if n_rows:
        drawn = f"a sample of {most} of {n_rows} objects (seed {seed})"
        echo(f"Clustered {drawn}; all objects are assigned to the clusters.")
    echo(report.explanation)
    echo(report.sizes.to_string())
    echo(repr(report.profiles))
    echo(f"Page: {page.resolve()}\nPartition: {partition.resolve()}\nProfiles: {profiles.resolve()}")
    return page


def _read_likely(source: str, **arguments: object) -> UserTable:
    """Read a table with the likely answers to its questions, and note them."""
    table, answered = read_with_likely_answers(source, **arguments)
    return replace(table, notes=(*table.notes, *map(describe_answer, answered)))


def _page(source: str, output: str | None) -> Path:
    """Return the file of the page; check that its folder exists and that it does not replace the table."""
    page = Path(output or f"{Path(source).stem}-clusters.html")
    expect(page.parent.is_dir(), "a page in an existing folder", str(page))
    replaced = [path for path in (page, *table_paths(page)) if path.exists() and path.samefile(source)]
    expect(not replaced, "an output that does not replace the table", source)
    return page


class _Steps:
    """Progress bar for the steps of a report; it is called when a step begins."""

    def __init__(self, bar: tqdm) -> None:
        self._bar, self._started = bar, False

    def __call__(self, step: str) -> None:
        self._bar.update(int(self._started))
        self._started = True
        self._bar.set_description(step)


# ---------------------------------------------------------------- questions


def describe_answer(question: Question) -> str:
    """Return a note on a question whose likely answer is used, with the options that change it."""
    likely, as_read = question.likely, question.likely == question.options[0] and not question.blocking
    used = "" if as_read else f"; {_short_options(likely)} is used"
    others = [_short_options(other, likely) for other in question.options if other != likely]
    return f"{question.text}{used} (change it with {' or '.join(others)})"


def _short_options(answer: Mapping[str, object], other: Mapping[str, object] | None = None) -> str:
    """Return the options of an answer; of several columns only the first whose role differs in `other`."""
    short = dict(answer)
    if "columns" in short:
        before = (other or {}).get("columns", {})
        roles = {label: role for label, role in short["columns"].items() if role != before.get(label)}
        short["columns"] = dict(list(roles.items())[:1])
    return " ".join(command_options(f"{name}={value!r}") for name, value in short.items())


def format_questions(table: UserTable, source: str, given: Mapping[str, object]) -> str:
    """Return the open questions of a table, the options that answer them, and a complete command."""
    number = "1 question is" if len(table.questions) == 1 else f"{len(table.questions)} questions are"
    lines = [f"{table.name}: {number} open"]
    for question in table.questions:
        lines.append(f"  ? {question.text}")
        lines += [f"      {command_options(answer)}" for answer in question.answers]
    options = [command_options(f"{name}={value!r}") for name, value in given.items()]
    options += [command_options(question.answers[0]) for question in table.questions]
    command = " ".join([COMMAND, shlex.quote(source), *options])
    return "\n".join([*lines, "With the first answer to each:", f"  {command}"])


def command_options(answer: str) -> str:
    """Return the command line options for an argument of `read_user_table`.

    Examples
    --------
    >>> command_options("columns={'sort': 'classes'}"), command_options("header=False")
    ('--columns sort=classes', '--no-header')
    >>> command_options("na_values=(-999, '?')")
    "--na-values -999 --na-values '?'"
    """
    [keyword] = ast.parse(f"f({answer})", mode="eval").body.keywords
    name, value = f"--{keyword.arg.replace('_', '-')}", ast.literal_eval(keyword.value)
    if isinstance(value, bool):
        return name if value else f"--no-{name[2:]}"
    if isinstance(value, dict):
        return " ".join(f"{name} {shlex.quote(f'{label}={role}')}" for label, role in value.items())
    values = value if isinstance(value, list | tuple) else [value]
    return " ".join(f"{name} {shlex.quote(str(one))}" for one in values)

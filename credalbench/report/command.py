"""What ``credalbench cluster`` does: read, ask, cluster, write; and answers as they are typed there."""

from __future__ import annotations

import ast
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

from credalbench.arguments import Choice, expect
from credalbench.report.methods import methods_for
from credalbench.report.report import beside_page, report_on
from credalbench.report.script import call
from credalbench.tables import Question, UserTable, read_user_table
from credalbench.tables.roles import ROLES

COMMAND = "credalbench cluster"
MAX_OBJECTS = 2500  # all pairs of more are slow to compare


class OpenQuestions(ValueError):
    """A table was read, but not without questions. The message says which options answer them."""


def roles_of(assignments: Iterable[str]) -> dict[str, str] | None:
    """``NAME=ROLE`` texts as the argument `columns` of `read_user_table`; names may hold signs of equality.

    Raises
    ------
    ValueError
    """
    roles = {}
    for assignment in assignments:
        name, equals, role = assignment.rpartition("=")
        expect(bool(equals), "NAME=ROLE in --columns", assignment)
        Choice(*ROLES).read(f"the role of {name} in --columns", role)
        roles[name] = role
    return roles or None


def cluster_table(
    source: str,
    output: str | None,
    n_clusters: int | None,
    answers: Mapping[str, object],
    say: Callable[[str], object],
) -> Path:
    """Read a table, cluster it by the methods that fit it, and write page and partition.

    Parameters
    ----------
    source : str
        The file.
    output : str or None
        The page; None: named after the file, in the working folder.
    n_clusters : int or None
        None: it is chosen.
    answers : mapping
        Arguments of `read_user_table`; those that are None were not given. Of more than 2500 objects so many
        are drawn, unless `max_objects` says otherwise.
    say : callable
        Takes what was found, and where it lies, line by line.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    ValueError
        The file holds no table, or one that cannot be clustered.
    OpenQuestions
        Only its owner knows how the table is to be read.
    OSError
        It cannot be read, or the page not be written.
    """
    said = {name: value for name, value in answers.items() if value is not None}
    page = _page(source, output)
    drawn = {"max_objects": MAX_OBJECTS, "random_state": 0} | said
    table = read_user_table(source, **drawn)
    say(repr(replace(table, questions=())))
    if table.questions:
        more = {"n_clusters": n_clusters, "output": output}
        typed = said | {name: value for name, value in more.items() if value is not None}
        raise OpenQuestions(asked(table, source, typed))
    reading = call("read_user_table", source, **(drawn if table.n_rows > drawn["max_objects"] else said))
    steps = 2 + (n_clusters is None) + len(methods_for(table, n_clusters or 2))
    with tqdm(total=steps, unit="step", disable=None, dynamic_ncols=True, leave=False) as bar:
        told = _Steps(bar)
        seed = drawn["random_state"]
        report = report_on(table, n_clusters, reading=reading, random_state=seed, on_step=told)
        told("page")
        written = report.write(page)
    say(report.choice.words)
    say(report.sizes.to_string())
    say(f"Page: {written[0].resolve()}\nPartition: {written[1].resolve()}")
    return written[0]


def _page(source: str, output: str | None) -> Path:
    """The file of the page, in a folder that is there; neither it nor the partition replaces the table."""
    page = Path(output or f"{Path(source).stem}-clusters.html")
    expect(page.parent.is_dir(), "a page in a folder that is there", str(page))
    taken = [path for path in (page, beside_page(page)) if path.exists() and path.samefile(source)]
    expect(not taken, "files beside the table for page and partition", f"{source}, which they would replace")
    return page


class _Steps:
    """Moves a progress bar: what is told begins, and so what was told before is done."""

    def __init__(self, bar: tqdm) -> None:
        self._bar, self._begun = bar, False

    def __call__(self, what: str) -> None:
        self._bar.update(int(self._begun))
        self._begun = True
        self._bar.set_description(what)


# ---------------------------------------------------------------- questions


def asked(table: UserTable, source: str, typed: Mapping[str, object]) -> str:
    """Return the open questions of a table, each with the options that answer it, and a whole command."""
    number = "1 question is" if len(table.questions) == 1 else f"{len(table.questions)} questions are"
    lines = [f"{table.name}: {number} open"]
    for question in table.questions:
        lines.append(f"  ? {question.text}")
        lines += [f"      {options_of(answer)}" for answer in question.answers]
    return "\n".join(
        [*lines, "With the first answer to each:", f"  {_whole(table.questions, source, typed)}"]
    )


def _whole(questions: Iterable[Question], source: str, typed: Mapping[str, object]) -> str:
    """The command with what was said already, and the first answer to each question."""
    said = [options_of(f"{name}={value!r}") for name, value in typed.items()]
    said += [options_of(question.answers[0]) for question in questions]
    return " ".join([COMMAND, shlex.quote(source), *said])


def options_of(answer: str) -> str:
    """An argument of `read_user_table`, as it is typed on the command line.

    Examples
    --------
    >>> options_of("columns={'sort': 'classes'}"), options_of("header=False")
    ('--columns sort=classes', '--no-header')
    >>> options_of("na_values=(-999, '?')")
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

"""Read a lesson and run its cells: Markdown with code, below a header with information for teachers.

The header is TOML between lines of three plus signs: ``minutes``, ``needs``, ``goals``, the ``plan`` (minutes
of each section) and ``misconceptions`` (what ``students`` think and what the ``teacher`` can answer). A block
of ``python`` becomes a code cell; all other text becomes Markdown cells. If a code cell shows
``exercises.<name>``, the question of this exercise precedes it. A block of ``explanation`` stays closed until
the exercise above it is answered. Text in a block of ``notebook`` or ``handout`` is only for the one or the
other, whose controls differ. Two kinds of blocks are in neither: the tests run a ``python claim`` after the
cells above it, to verify statements of the text, and ``toml frames`` declares the slider of a handout for the
task or board above it.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from .lessons import COURSE, FOLDER, Exercises, lesson
from .terms import TermLinks

HEADER = re.compile(r"\A\+\+\+\n(.*?)\n\+\+\+\n", re.DOTALL)
BLOCK = re.compile(
    r"^```(?P<kind>python claim|python|toml frames|explanation|notebook|handout)\n(?P<source>.*?)\n```$",
    re.DOTALL | re.MULTILINE,
)
#: Kinds of cells whose blocks have other names.
KINDS = {"python": "code", "python claim": "claim", "toml frames": "frames"}
SHOWN = re.compile(r"\bexercises\.(\w+)")
#: The last line of a cell that shows a board, or an explorer with the controls of a task.
SHOWS = re.compile(r"(?:^|\n)(\w+)(?:\.task\([^\n]*\))?$")
#: The assignment of an explorer or a board to a name.
NAMED = re.compile(r"^(\w+) = (?:explore_\w+|MassBoard)\(", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    """A cell of a lesson."""

    kind: Literal["text", "code", "claim", "frames", "explanation", "notebook", "handout"]
    source: str

    @property
    def exercise(self) -> str:
        """Name of the exercise that a code cell shows; empty if there is none."""
        match = SHOWN.search(self.source) if self.kind == "code" else None
        return match[1] if match else ""


@dataclass(frozen=True)
class Misconception:
    """A typical misconception of students, and how the teacher can answer."""

    students: str
    teacher: str


@dataclass(frozen=True)
class Lesson:
    """The text of a lesson."""

    name: str
    needs: str  # prerequisites
    minutes: int
    goals: Sequence[str]  # what students can do afterwards
    plan: dict[str, int]  # minutes of each section, by its heading
    misconceptions: Sequence[Misconception]
    cells: Sequence[Cell]

    @property
    def number(self) -> int:
        """Number of the lesson in the course, from 1."""
        return COURSE.index(self.name) + 1

    @property
    def title(self) -> str:
        """Heading of the lesson."""
        return self.cells[0].source.splitlines()[0].removeprefix("# ")

    @property
    def file_name(self) -> str:
        """File name of the notebook."""
        return f"{self.number:02d}_{self.name}.ipynb"

    @cached_property
    def exercises(self) -> Exercises:
        """Exercises of the lesson."""
        return lesson(self.name)

    @property
    def experiments(self) -> list[Cell]:
        """Code cells that show an explorer or a board."""
        named = {match[1] for cell in self.cells for match in NAMED.finditer(cell.source)}
        code = [cell for cell in self.cells if cell.kind == "code"]
        return [cell for cell in code if (shown := SHOWS.search(cell.source)) and shown[1] in named]

    @property
    def next(self) -> Lesson | None:
        """The next lesson of the course; None after the last."""
        return read_lesson(COURSE[self.number]) if self.number < len(COURSE) else None

    @property
    def shown(self) -> list[str]:
        """Names of the exercises in the order of the text."""
        return [cell.exercise for cell in self.cells if cell.exercise]

    def explained(
        self, links: TermLinks, medium: Literal["notebook", "handout"]
    ) -> Iterator[tuple[Cell, str]]:
        """Yield each cell with its prose, or the question of its exercise, as Markdown with linked terms.

        Text that is only for the other medium is empty.
        """
        for cell in self.cells:
            text = cell.source if cell.kind in ("text", "explanation", medium) else ""
            if name := cell.exercise:
                number = self.shown.index(name) + 1
                text = f"**Exercise {number}.** {getattr(self.exercises, name).question}"
            yield cell, links.add(text)


def read_lesson(name: str) -> Lesson:
    """Read the text of a lesson of the course.

    Raises
    ------
    ValueError
        If the file has no header.
    TypeError
        If a key of the header is missing or unknown.
    """
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    header = HEADER.match(text)
    if header is None:
        raise ValueError(f"expected a header between lines of +++ in {name}.md; got none")
    entries = tomllib.loads(header[1])
    misconceptions = [Misconception(**entry) for entry in entries.pop("misconceptions")]
    return Lesson(name, misconceptions=misconceptions, cells=_cells(text[header.end() :]), **entries)


def _cells(text: str) -> list[Cell]:
    cells, end = [], 0
    for block in BLOCK.finditer(text):
        cells += _prose(text[end : block.start()])
        cells.append(Cell(KINDS.get(block["kind"], block["kind"]), block["source"]))
        end = block.end()
    return cells + _prose(text[end:])


def _prose(text: str) -> list[Cell]:
    return [Cell("text", text.strip())] if text.strip() else []


def run_cell(source: str, namespace: dict[str, object]) -> object:
    """Execute a cell in a namespace; return the value of its last line, or None if it has no value."""
    *lines, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        lines, last = [*lines, last], None
    exec(compile(ast.Module(lines, []), "<cell>", "exec"), namespace)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)


def run_lesson(lesson: Lesson, kinds: Container[str] = ("code",)) -> tuple[dict[str, object], list[object]]:
    """Run the cells of some kinds, from the first to the last.

    Return the names that the cells define, and the output of each cell of the lesson; it is None for cells of
    other kinds or without output.
    """
    namespace: dict[str, object] = {}
    outputs = [run_cell(cell.source, namespace) if cell.kind in kinds else None for cell in lesson.cells]
    return namespace, outputs

"""The text of a lesson: Markdown with the cells of its notebook, under a head of facts for the teacher.

The head is TOML between lines of three plus signs: ``minutes``, ``needs``, ``goals``, the ``plan`` (minutes
of each section) and ``misconceptions`` (what ``students`` think, what the ``teacher`` can say). Below it, a
block of ``python`` becomes a code cell, everything else text. A cell that shows ``exercises.<name>`` gets the
question of that exercise above it. Two more kinds of blocks are in no notebook. The tests run a
``python claim`` after the cells above it, so that what the text says of numbers is computed. ``toml frames``
says which slider of the explorer or board above it a handout has, and through which values it moves.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from .course import COURSE, FOLDER, Exercises, lesson

HEAD = re.compile(r"\A\+\+\+\n(.*?)\n\+\+\+\n", re.DOTALL)
BLOCK = re.compile(
    r"^```(?P<kind>python claim|python|toml frames)\n(?P<source>.*?)\n```$", re.DOTALL | re.MULTILINE
)
KINDS = {"python": "code", "python claim": "claim", "toml frames": "frames"}
SHOWN = re.compile(r"\bexercises\.(\w+)")


@dataclass(frozen=True)
class Cell:
    """A piece of a lesson."""

    kind: Literal["text", "code", "claim", "frames"]
    source: str

    @property
    def exercise(self) -> str:
        """Name of the exercise that a code cell shows, or nothing."""
        found = SHOWN.search(self.source) if self.kind == "code" else None
        return found[1] if found else ""


@dataclass(frozen=True)
class Misconception:
    """What students often think, and what helps."""

    students: str
    teacher: str


@dataclass(frozen=True)
class Lesson:
    """A lesson as written.

    Attributes
    ----------
    name : str
    needs : str
        What students should have done before.
    minutes : int
    goals : sequence of str
        What students can do afterwards.
    plan : dict of str -> int
        Minutes of each section, by its heading.
    misconceptions : sequence of Misconception
    cells : sequence of Cell
    """

    name: str
    needs: str
    minutes: int
    goals: Sequence[str]
    plan: dict[str, int]
    misconceptions: Sequence[Misconception]
    cells: Sequence[Cell]

    @property
    def number(self) -> int:
        """Its place in the course, from 1."""
        return COURSE.index(self.name) + 1

    @property
    def title(self) -> str:
        """Its heading."""
        return self.cells[0].source.splitlines()[0].removeprefix("# ")

    @property
    def file_name(self) -> str:
        """Of its notebook."""
        return f"{self.number:02d}_{self.name}.ipynb"

    @cached_property
    def exercises(self) -> Exercises:
        """Those of its module."""
        return lesson(self.name)

    @property
    def shown(self) -> list[str]:
        """Names of the exercises in the order in which the text shows them."""
        return [cell.exercise for cell in self.cells if cell.exercise]


def read_lesson(name: str) -> Lesson:
    """Read the text of a lesson of the course.

    Raises
    ------
    ValueError
        The file has no head.
    TypeError
        The head lacks a fact, or has one that nobody asked for.
    """
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    head = HEAD.match(text)
    if head is None:
        raise ValueError(f"expected a head between lines of +++ in {name}.md; got none")
    facts = tomllib.loads(head[1])
    misconceptions = [Misconception(**entry) for entry in facts.pop("misconceptions")]
    return Lesson(name, misconceptions=misconceptions, cells=_cells(text[head.end() :]), **facts)


def _cells(text: str) -> list[Cell]:
    cells, end = [], 0
    for block in BLOCK.finditer(text):
        cells += _prose(text[end : block.start()])
        cells.append(Cell(KINDS[block["kind"]], block["source"]))
        end = block.end()
    return cells + _prose(text[end:])


def _prose(text: str) -> list[Cell]:
    return [Cell("text", text.strip())] if text.strip() else []

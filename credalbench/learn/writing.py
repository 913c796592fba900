"""What is written from the lessons: the notebook of each for students, and one page for teachers."""

from __future__ import annotations

import re
from textwrap import fill

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from .exercise import Exercise
from .kinds import Code, Exploration
from .source import Lesson
from .words import Words

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
WIDTH = 110  # columns of the page
ABOUT = """# The course, for teachers

Lessons of 10 to 20 minutes in `notebooks/learn`, each from a question by a prediction and an experiment to an
explanation. Let students work in pairs on one machine: predict first, say it aloud, then move the sliders.
Exercises check themselves and give hints; nothing is stored, and nothing is sent anywhere. Their solutions
are on this page only.

`credalbench handout LESSON` writes a lesson as one offline page for those without an installation: sliders
move over results computed beforehand, objects can be clicked, and questions answer. Whoever looks into its
source finds the solutions.

This page is written by `python tools/lessons.py` from the same source as the notebooks.
"""


def student_notebook(lesson: Lesson) -> NotebookNode:
    """The notebook of a lesson: text, cells, and above each exercise its question; no solution, no output.

    Its last cell lists the words that the texts explain.
    """
    cells, shown, words = [], lesson.shown, Words()
    for cell in lesson.cells:
        place = len(cells) + 1
        if cell.kind == "text":
            cells.append(new_markdown_cell(words.explained(cell.source), id=f"text-{place}"))
        elif cell.kind == "code":
            name = cell.exercise
            if name:
                question = f"**Exercise {shown.index(name) + 1}.** {getattr(lesson.exercises, name).question}"
                cells.append(new_markdown_cell(words.explained(question), id=f"question-{name}"))
            cells.append(new_code_cell(cell.source, id=f"exercise-{name}" if name else f"code-{place}"))
    cells.append(new_markdown_cell(words.listed(), id="words"))
    notebook = new_notebook(cells=cells, metadata=METADATA)
    nbformat.validate(notebook)
    return notebook


def notebook_text(lesson: Lesson) -> str:
    """The file of `student_notebook`; the same text each time."""
    return nbformat.writes(student_notebook(lesson)) + "\n"


def teachers_page(lessons: list[Lesson]) -> str:
    """Timing, goals, misconceptions and solutions of all lessons, in Markdown."""
    rows = [f"| {lesson.title} | {lesson.minutes} | {lesson.needs} |" for lesson in lessons]
    table = ["| lesson | minutes | needs |", "|---|---|---|", *rows]
    total = f"Together {sum(lesson.minutes for lesson in lessons)} minutes, without breaks."
    page = "\n".join([ABOUT, *table, "", total, "", *map(_about, lessons)]).rstrip()
    return "\n".join(map(_wrapped, page.splitlines())) + "\n"


def _wrapped(line: str) -> str:
    """A line broken where it is too wide, under the beginning of its text; rows of tables stay."""
    if line.startswith("|"):
        return line
    indent = " " * len(re.match(r"\s*(- |\d+\. )?", line)[0])
    return fill(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _about(lesson: Lesson) -> str:
    lines = [f"## {lesson.title}", ""]
    lines += [f"Notebook: `notebooks/learn/{lesson.file_name}`. Needs: {lesson.needs}.", ""]
    lines += ["**Afterwards students can**", "", *(f"- {goal}" for goal in lesson.goals), ""]
    lines += ["**Timing**", "", "| section | minutes |", "|---|---|"]
    lines += [f"| {section} | {minutes} |" for section, minutes in lesson.plan.items()]
    lines += [f"| together | {lesson.minutes} |", "", "**What students often think**", ""]
    lines += [f"- *{m.students}* {m.teacher}" for m in lesson.misconceptions]
    lines += ["", "**Solutions**", ""]
    for number, name in enumerate(lesson.shown, start=1):
        lines += _solution(number, getattr(lesson.exercises, name))
    return "\n".join(lines)


def _solution(number: int, exercise: Exercise) -> list[str]:
    """A question, its answer, and what is said to the usual mistakes."""
    lines = [f"{number}. {exercise.question}", ""]
    lines += [f"   **{exercise.said(exercise.reference)}** {exercise.explanation}".rstrip(), ""]
    return [*lines, *_mistakes(exercise), ""]


def _mistakes(exercise: Exercise) -> list[str]:
    """The usual mistakes, and the answers to them where nothing has to run for it."""
    alive = isinstance(exercise, Exploration | Code)
    lines = []
    for mistake in exercise.mistakes:
        answer = "" if alive else f" {exercise.check(mistake).text}"
        lines.append(f"   - Mistake: *{exercise.said(mistake)}*.{answer}")
    return lines

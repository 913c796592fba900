"""Write the notebooks for students and the page for teachers from the lessons."""

import re
from textwrap import fill

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from .exercise import Exercise
from .kinds import Code, Exploration
from .source import Lesson
from .terms import TermLinks

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
WIDTH = 110  # columns of the page
ABOUT = """# The course, for teachers

The lessons in `notebooks/learn` take 10 to 20 minutes each. They start with a question, continue with a
prediction and an experiment, and end with an explanation. Students should work in pairs on one machine, and
discuss their prediction before they move the sliders. The exercises check answers and give hints; answers are
neither stored nor sent. This page alone has the solutions.

`credalbench handout LESSON` writes a lesson as one offline page for students without an installation: sliders
show precomputed results, objects can be clicked, and exercises check answers. The source of the page contains
the solutions.

This page is written by `python tools/lessons.py` from the same files as the notebooks.
"""


def student_notebook(lesson: Lesson) -> NotebookNode:
    """Return the notebook of a lesson: text, code, and the question above each exercise, without solutions.

    The last cell lists the terms that are explained.
    """
    cells, shown, links = [], lesson.shown, TermLinks()
    for cell in lesson.cells:
        place = len(cells) + 1
        if cell.kind == "text":
            cells.append(new_markdown_cell(links.add(cell.source), id=f"text-{place}"))
        elif cell.kind == "code":
            name = cell.exercise
            if name:
                question = f"**Exercise {shown.index(name) + 1}.** {getattr(lesson.exercises, name).question}"
                cells.append(new_markdown_cell(links.add(question), id=f"question-{name}"))
            cells.append(new_code_cell(cell.source, id=f"exercise-{name}" if name else f"code-{place}"))
    cells.append(new_markdown_cell(links.glossary(), id="words"))
    notebook = new_notebook(cells=cells, metadata=METADATA)
    nbformat.validate(notebook)
    return notebook


def notebook_text(lesson: Lesson) -> str:
    """Return the text of the file of `student_notebook`, which is reproducible."""
    return nbformat.writes(student_notebook(lesson)) + "\n"


def teachers_page(lessons: list[Lesson]) -> str:
    """Return timing, goals, misconceptions and solutions of all lessons as Markdown."""
    rows = [f"| {lesson.title} | {lesson.minutes} | {lesson.needs} |" for lesson in lessons]
    table = ["| lesson | minutes | needs |", "|---|---|---|", *rows]
    total = f"Total: {sum(lesson.minutes for lesson in lessons)} minutes, without breaks."
    page = "\n".join([ABOUT, *table, "", total, "", *map(_about, lessons)]).rstrip()
    return "\n".join(map(_wrapped, page.splitlines())) + "\n"


def _wrapped(line: str) -> str:
    """Wrap a line with a hanging indent; rows of tables are kept."""
    if line.startswith("|"):
        return line
    indent = " " * len(re.match(r"\s*(- |\d+\. )?", line)[0])
    return fill(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _about(lesson: Lesson) -> str:
    lines = [f"## {lesson.title}", ""]
    lines += [f"Notebook: `notebooks/learn/{lesson.file_name}`. Needs: {lesson.needs}.", ""]
    lines += ["**Goals: students can**", "", *(f"- {goal}" for goal in lesson.goals), ""]
    lines += ["**Timing**", "", "| section | minutes |", "|---|---|"]
    lines += [f"| {section} | {minutes} |" for section, minutes in lesson.plan.items()]
    lines += [f"| total | {lesson.minutes} |", "", "**Misconceptions**", ""]
    lines += [f"- *{m.students}* {m.teacher}" for m in lesson.misconceptions]
    lines += ["", "**Solutions**", ""]
    for number, name in enumerate(lesson.shown, start=1):
        lines += _solution(number, getattr(lesson.exercises, name))
    return "\n".join(lines)


def _solution(number: int, exercise: Exercise) -> list[str]:
    """Return a question, its answer, and the feedback on typical mistakes."""
    lines = [f"{number}. {exercise.question}", ""]
    lines += [f"   **{exercise.describe(exercise.reference)}** {exercise.explanation}".rstrip(), ""]
    return [*lines, *_mistakes(exercise), ""]


def _mistakes(exercise: Exercise) -> list[str]:
    """Return the typical mistakes, with feedback unless that requires a fit."""
    computed = isinstance(exercise, Exploration | Code)
    lines = []
    for mistake in exercise.mistakes:
        feedback = "" if computed else f" {exercise.check(mistake).text}"
        lines.append(f"   - Mistake: *{exercise.describe(mistake)}*.{feedback}")
    return lines

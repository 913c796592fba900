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
#: Markdown in an HTML element that stays closed until the exercise above it is answered.
CLOSED = """<details class="explanation"><summary>Show me the explanation</summary>

{}

</details>"""
ABOUT = """# The course, for teachers

The lessons in `notebooks/learn` take 10 to 20 minutes each. They start with a question, continue with a
prediction and an experiment, and end with an explanation. Let students work in pairs on one machine, and
discuss their prediction before they move the sliders. With `credalbench explore --class`, the whole class can
predict in an anonymous poll in the lesson itself ([Explorers for a class](classroom.md)). The exercises
check answers, give hints, and show the answer on request. An explanation opens after an answer. The browser
remembers which exercises were answered correctly, but not the answers, and sends nothing. The start page
shows this progress, and *Forget it* removes it.

A task shows the one or two controls in question and a picture beside it, or above it in a narrow window.
*Show everything* shows the whole explorer in its place.

`credalbench handout LESSON` writes a lesson as one offline page for students without an installation: sliders
show precomputed results, students can click objects, and exercises check answers. The source of the page
contains the solutions.

`python tools/lessons.py` writes this page from the same files as the notebooks.
"""


def student_notebook(lesson: Lesson) -> NotebookNode:
    """Return the notebook of a lesson: text, code, and the question above each exercise, without solutions.

    The last cells name the next lesson and list the explained terms. The metadata contain what the start page
    shows about the lesson.
    """
    cells, shown, links, experiments = [], lesson.shown, TermLinks(), lesson.experiments
    for cell in lesson.cells:
        place = len(cells) + 1
        if cell.kind == "text":
            cells.append(new_markdown_cell(links.add(cell.source), id=f"text-{place}"))
        elif cell.kind == "explanation":
            text = CLOSED.format(links.add(cell.source))
            cells.append(new_markdown_cell(text, id=f"explanation-{place}"))
        elif cell.kind == "code":
            name = cell.exercise
            if name:
                question = f"**Exercise {shown.index(name) + 1}.** {getattr(lesson.exercises, name).question}"
                cells.append(new_markdown_cell(links.add(question), id=f"question-{name}"))
            cells.append(new_code_cell(cell.source, id=f"exercise-{name}" if name else f"code-{place}"))
            if cell in experiments:
                cells[-1].metadata["tags"] = ["experiment"]
    if lesson.next is not None:
        words = f"Next: [{lesson.next.title}]({lesson.next.file_name}), {lesson.next.minutes} minutes."
        cells.append(new_markdown_cell(words, id="next"))
    cells.append(new_markdown_cell(links.glossary(), id="words"))
    about = {"minutes": lesson.minutes, "needs": lesson.needs}
    notebook = new_notebook(cells=cells, metadata=METADATA | {"credalbench": about})
    nbformat.validate(notebook)
    return notebook


def notebook_text(lesson: Lesson) -> str:
    """Return the notebook of a lesson as the text of a file; it is the same on every call."""
    return nbformat.writes(student_notebook(lesson)) + "\n"


def teachers_page(lessons: list[Lesson]) -> str:
    """Return timing, goals, misconceptions and solutions of all lessons, as Markdown."""
    rows = [f"| {lesson.title} | {lesson.minutes} | {lesson.needs} |" for lesson in lessons]
    table = ["| lesson | minutes | needs |", "|---|---|---|", *rows]
    total = f"Total: {sum(lesson.minutes for lesson in lessons)} minutes, without breaks."
    page = "\n".join([ABOUT, *table, "", total, "", *map(_about, lessons)]).rstrip()
    return "\n".join(map(_wrapped, page.splitlines())) + "\n"


def _wrapped(line: str) -> str:
    """Wrap a line with a hanging indent; keep rows of tables as they are."""
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
    """Return the typical mistakes, with feedback unless it requires a fit."""
    computed = isinstance(exercise, Exploration | Code)
    lines = []
    for mistake in exercise.mistakes:
        feedback = "" if computed else f" {exercise.check(mistake).text}"
        lines.append(f"   - Mistake: *{exercise.describe(mistake)}*.{feedback}")
    return lines

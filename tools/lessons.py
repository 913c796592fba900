"""Write the notebooks of the course and the page for teachers (``teaching.md.j2``) from the lessons.

Usage::

    python tools/lessons.py            # rewrite the files that differ
    python tools/lessons.py --check    # only list the files that differ, with exit code 1
"""

import argparse
import re
import sys
from pathlib import Path
from textwrap import fill

import nbformat
from jinja2 import StrictUndefined, Template
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from credalbench.learn import COURSE, Code, Exploration  # noqa: E402
from credalbench.learn.source import Lesson, read_lesson  # noqa: E402
from credalbench.learn.terms import TermLinks  # noqa: E402

NOTEBOOKS, TEACHERS = ROOT / "notebooks" / "learn", ROOT / "docs" / "teaching.md"
TEMPLATE = Path(__file__).with_name("teaching.md.j2")
WIDTH = 110  # columns of the page for teachers
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
#: Markdown in an HTML element that stays closed until the exercise above it is answered.
CLOSED = """<details class="explanation"><summary>Show me the explanation</summary>

{}

</details>"""


def expected_files() -> dict[Path, str]:
    """Return the expected contents of each file."""
    lessons = [read_lesson(name) for name in COURSE]
    notebooks = {NOTEBOOKS / lesson.file_name: notebook_text(lesson) for lesson in lessons}
    return notebooks | {TEACHERS: teachers_page(lessons)}


def outdated_files() -> list[Path]:
    """Return the files that differ from their expected contents, and notebooks without a lesson."""
    files = expected_files()
    differ = [path for path, text in files.items() if not path.is_file() or path.read_text("utf-8") != text]
    return differ + sorted(set(NOTEBOOKS.glob("*.ipynb")) - set(files))


def student_notebook(lesson: Lesson) -> NotebookNode:
    """Return the notebook of a lesson: text, code, and the question above each exercise, without solutions.

    The last cells name the next lesson and list the explained terms. The metadata contain what the start page
    shows about the lesson.
    """
    cells, links, experiments = [], TermLinks(), lesson.experiments
    for cell, text in lesson.explained(links, "notebook"):
        place = len(cells) + 1
        if cell.kind in ("text", "notebook"):
            cells.append(new_markdown_cell(text, id=f"text-{place}"))
        elif cell.kind == "explanation":
            cells.append(new_markdown_cell(CLOSED.format(text), id=f"explanation-{place}"))
        elif cell.kind == "code":
            name = cell.exercise
            if name:
                cells.append(new_markdown_cell(text, id=f"question-{name}"))
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
    """Return timing, goals, misconceptions and solutions of all lessons, as Markdown.

    Typical mistakes have feedback unless it requires a fit.
    """
    template = Template(TEMPLATE.read_text("utf-8"), undefined=StrictUndefined, trim_blocks=True)
    page = template.render(lessons=lessons, needs_fit=lambda one: isinstance(one, Exploration | Code))
    return "\n".join(map(_wrapped, page.splitlines())) + "\n"


def _wrapped(line: str) -> str:
    """Wrap a line with a hanging indent; keep rows of tables as they are."""
    if line.startswith("|"):
        return line
    indent = " " * len(re.match(r"\s*(- |\d+\. )?", line)[0])
    return fill(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail if a file differs")
    check, differ, files = parser.parse_args().check, outdated_files(), expected_files()
    for path in [] if check else differ:
        if path in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[path], encoding="utf-8")
        else:
            path.unlink()
    print(f"{'differ' if check else 'rewritten'}: {', '.join(path.name for path in differ) or 'none'}")
    return 1 if check and differ else 0


if __name__ == "__main__":
    sys.exit(main())

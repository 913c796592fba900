"""A lesson as one HTML file: sliders over precomputed frames and selectable objects, without a kernel.

`write_handout` runs the cells of the lesson and keeps their outputs; a block of ``toml frames`` declares the
values of the slider of a task. The file loads nothing from the network, and contains each array once.
"""

from collections.abc import Sequence
from pathlib import Path
from zlib import compress

import mistune
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from credalbench.explore import reading
from credalbench.explore.canvas import script
from credalbench.explore.canvas.evidence_canvas import SCRIPTS
from credalbench.explore.scene.scene import as_json, as_text
from credalbench.explore.view.hints import HINT_STYLE
from credalbench.learn.lessons import COURSE
from credalbench.learn.source import Lesson, read_lesson, run_lesson
from credalbench.learn.terms import ABOUT, HEADING
from credalbench.learn.terms import STYLE as TERM_STYLE

from .parts import Part, parts_of

__all__ = ["list_lessons", "write_handout"]

HERE = Path(__file__).parent
TEMPLATE, SCRIPT = "page.html.j2", "handout.js"
markdown = mistune.create_markdown(escape=True, plugins=["table"])


def list_lessons() -> list[tuple[str, str]]:
    """Return the name and the title of each lesson, in the order of the course.

    Returns
    -------
    list of (str, str)
        Names and titles.
    """
    return [(name, read_lesson(name).title) for name in COURSE]


def write_handout(name: str, path: str | Path | None = None) -> Path:
    """Write the handout of a lesson.

    Parameters
    ----------
    name : str
        Name of the lesson, one of `credalbench.learn.COURSE`.
    path : str or Path, optional
        File of the page; by default in the working directory, named after the notebook of the lesson.

    Returns
    -------
    Path
        File of the page.

    Raises
    ------
    ValueError
        If `name` is not the name of a lesson.
    OSError
        If the file cannot be written.
    """
    if name not in COURSE:
        raise ValueError(f"expected one of the lessons {', '.join(COURSE)}; got {name!r}")
    lesson = read_lesson(name)
    path = Path(lesson.file_name).with_suffix(".html") if path is None else Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"expected a path in an existing folder; got {path}")
    _, outputs = run_lesson(lesson)
    path.write_text(page_html(lesson, parts_of(lesson, outputs)), encoding="utf-8")
    return path


def page_html(lesson: Lesson, parts: Sequence[Part]) -> str:
    """Return the page of a lesson with its parts."""
    kinds = {"sliders": "slider", "questions": "question"}
    data = {name: [part.content for part in parts if part.kind == kind] for name, kind in kinds.items()}
    places: dict[bytes, int] = {}  # of arrays; frames share most of them
    text = as_json(data, lambda array: places.setdefault(array, len(places)))
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters["markdown"] = lambda text: Markup(markdown(text))
    return environment.get_template(TEMPLATE).render(
        lesson=lesson,
        parts=parts,
        data=Markup(text),
        arrays=Markup(as_json([as_text(compress(array, 9)) for array in places])),
        heading=HEADING,
        about_terms=ABOUT,
        look=Markup(reading.style()),
        styles=Markup(HINT_STYLE + TERM_STYLE),
        script=Markup("\n".join([reading.script(), script(*SCRIPTS), (HERE / SCRIPT).read_text("utf-8")])),
    )

"""The page of a handout: one file of HTML with its scripts, its frames and the bytes of all arrays once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from zlib import compress

import mistune
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from credalbench.explore.shared import hints
from credalbench.explore.shared.scene.packed import as_json, as_text
from credalbench.explore.shared.widgets import script
from credalbench.explore.shared.widgets.evidence_canvas import SCRIPTS
from credalbench.learn import words
from credalbench.learn.course import COURSE
from credalbench.learn.handout.living import Part, parts_of
from credalbench.learn.running import run_lesson
from credalbench.learn.source import Lesson, read_lesson

HERE = Path(__file__).parent
TEMPLATE, SCRIPT = "page.html.j2", "handout.js"
markdown = mistune.create_markdown(escape=True, plugins=["table"])


def listed() -> list[tuple[str, str]]:
    """Return the name and the title of each lesson, in the order of the course."""
    return [(name, read_lesson(name).title) for name in COURSE]


def write_handout(name: str, path: str | Path | None = None) -> Path:
    """Write the handout of a lesson.

    Parameters
    ----------
    name : str
        One of `credalbench.learn.COURSE`.
    path : str or Path, optional
        By default the name of the lesson's notebook, with the end ``.html``, in the working folder.

    Returns
    -------
    Path
        The file that was written.

    Raises
    ------
    ValueError
        There is no such lesson.
    OSError
        The file cannot be written.
    """
    if name not in COURSE:
        raise ValueError(f"expected a lesson out of {', '.join(COURSE)}; got {name!r}")
    lesson = read_lesson(name)
    path = Path(lesson.file_name).with_suffix(".html") if path is None else Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"expected a file in a folder that exists, got {path}")
    _, shown = run_lesson(lesson)
    path.write_text(page_html(lesson, parts_of(lesson, shown)), encoding="utf-8")
    return path


def page_html(lesson: Lesson, parts: Sequence[Part]) -> str:
    """Return the page of a lesson with its parts, which `parts_of` makes."""
    arrays = _Arrays()
    kinds = {"moving": "moving", "questions": "question"}
    held = {name: [part.content for part in parts if part.kind == kind] for name, kind in kinds.items()}
    text = as_json(held, arrays.place)  # which fills the arrays
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters["markdown"] = lambda text: Markup(markdown(text))
    return environment.get_template(TEMPLATE).render(
        lesson=lesson,
        parts=[_ready(part) for part in parts],
        held=Markup(text),
        arrays=Markup(as_json(arrays.texts)),
        heading=words.HEADING,
        about_words=words.ABOUT,
        styles=Markup(hints.STYLE + words.STYLE),
        script=Markup("\n".join([script(*SCRIPTS), (HERE / SCRIPT).read_text("utf-8")])),
    )


def _ready(part: Part) -> Part:
    """A part for the template: HTML that is ours is not escaped."""
    return Part(part.kind, Markup(part.content), part.asked) if part.kind == "shown" else part


class _Arrays:
    """The bytes of all arrays of a page: frames have most of them in common, and each is written once."""

    def __init__(self) -> None:
        self._places: dict[bytes, int] = {}

    def place(self, data: bytes) -> int:
        """Return the place of some bytes among those of the page."""
        return self._places.setdefault(data, len(self._places))

    @property
    def texts(self) -> list[str]:
        """All of them by their places, compressed, in base 64."""
        return [as_text(compress(data, 9)) for data in self._places]

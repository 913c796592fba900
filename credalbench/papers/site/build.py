"""Build the site: write the pages, run Sphinx, and replace the old site in one step."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path

from credalbench.explore.live import PAGES, write_live_page
from credalbench.papers.places import results_root
from credalbench.papers.reproduction import Paper
from credalbench.papers.store import storing, sweep, temporary

from .pages import LessonPage, write_pages

#: What the front page shows of the live page of ECM: one slider, the picture, and the sentence below it.
FRONT = """<style>
h1, body > p, details, button, .steps, .credalbench-details, .columns > div:not(.controls, .picture),
.controls > div:not(#controls), .controls label:not(:has(#alpha)) { display: none !important; }
body { margin: 0; padding: 0; max-width: none; overflow: hidden; }
.columns { flex-flow: column nowrap; align-items: stretch; }
.controls, #controls { display: contents; }
.controls label { order: -2; max-width: 32rem; }
.picture { order: -1; flex: none; }
</style>"""


class SiteError(RuntimeError):
    """Raised if the site cannot be built, or if Sphinx warns about its pages."""


def write_site(
    papers: list[Paper], profile: str, lessons: Sequence[LessonPage] = (), folder: Path | None = None
) -> Path:
    """Build the site from stored results, live pages and lessons: a folder for any web host, or a disk.

    Parameters
    ----------
    papers : list of Paper
        Papers with their results, from :func:`credalbench.papers.reproduction.collect`.
    profile : {"paper", "smoke"}
        Profile of the results, which the pages name.
    lessons : sequence of LessonPage, default=()
        Lessons in the order of the course; each is written once.
    folder : Path, optional
        Target folder, by default ``results/site``.

    Returns
    -------
    Path
        Path of the first page, ``index.html``.

    Raises
    ------
    SiteError
        If Sphinx fails or warns; if it only warns, the site is still written.
    StoreError
        If the folder cannot be written.
    """
    folder = folder or results_root() / "site"
    sweep(folder.parent)
    part = temporary(folder)
    try:
        with storing(folder):
            write_pages(papers, profile, part / "pages", lessons)
            warnings = _sphinx(part / "pages", part / "html", part / "doctrees")
            _tidy(part / "html")
            _write_live_pages(part / "html")
            _write_lessons(lessons, part / "html" / "lessons")
            (part / "html" / ".nojekyll").touch()  # GitHub Pages would leave out folders such as _static
            _replace_folder(part / "html", folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    if warnings:
        raise SiteError(f"the site is in {folder}, but Sphinx warned about its pages:\n{warnings}")
    return folder / "index.html"


def _tidy(folder: Path) -> None:
    """Keep each picture once, and no maps of the theme's scripts; name the toggles of the theme's menus."""
    for path in (folder / "_static").rglob("*.map"):
        path.unlink()
    names: dict[bytes, str] = {}
    twins = {}
    for path in sorted((folder / "_images").glob("*"), key=lambda path: (len(path.name), path.name)):
        if (name := names.setdefault(path.read_bytes(), path.name)) != path.name:
            twins[path.name] = name
            path.unlink()
    for page in folder.rglob("*.html"):
        text = page.read_text("utf-8")
        shown = re.sub(r"(?<=_images/)[\w.-]+", lambda found: twins.get(found[0], found[0]), text)
        shown = shown.replace(
            '<summary><span class="toctree', '<summary aria-label="pages below"><span class="toctree'
        )
        if shown != text:
            page.write_text(shown, "utf-8")


def _write_live_pages(folder: Path) -> None:
    for name in PAGES:
        path = write_live_page(name, folder / f"{name}.html")
        page = path.read_text("utf-8")
        if name == "ecm":
            (folder / "front.html").write_text(page.replace("</head>", f"{FRONT}</head>", 1), "utf-8")
        above = [("up", "index.html", "credalbench"), ("up", "learn.html", "Learn")]
        path.write_text(_between(page, above), "utf-8")


def _write_lessons(lessons: Sequence[LessonPage], folder: Path) -> None:
    """Write the lessons, each with links to those before and after it."""
    folder.mkdir()
    for k, lesson in enumerate(lessons):
        path = folder / f"{lesson.name}.html"
        lesson.write(path)
        above = [("up", "../index.html", "credalbench"), ("up", "../learn.html", "All lessons")]
        around = [("prev", f"{one.name}.html", f"Back: {one.title}") for one in lessons[max(k - 1, 0) : k]]
        around += [("next", f"{one.name}.html", f"Next: {one.title}") for one in lessons[k + 1 : k + 2]]
        path.write_text(_between(path.read_text("utf-8"), above, around), "utf-8")


def _between(
    page: str, above: Sequence[tuple[str, str, str]], below: Sequence[tuple[str, str, str]] = ()
) -> str:
    """Return a page with links above and below its content, each given as relation, address and text."""

    def nav(name: str, links: Sequence[tuple[str, str, str]]) -> str:
        found = [f'<a rel="{rel}" href="{url}">{escape(text)}</a>' for rel, url, text in links]
        return f'<nav class="site" aria-label="{name}">{" ".join(found)}</nav>' if found else ""

    style = "<style>.site a { display: inline-block; margin: .3rem 1rem .3rem 0; color: inherit; }</style>"
    page = page.replace("</head>", f"{style}</head>", 1)
    page = re.sub(r"<body[^>]*>", lambda body: body[0] + nav("site", above), page, count=1)
    content, data, scripts = page.rpartition('<script type="application/json" id="data">')
    return f"{content}{nav('lessons', below)}{data}{scripts}"


def _sphinx(pages: Path, html: Path, doctrees: Path) -> str:
    """Run Sphinx in a process of its own, since it changes global state; return warnings, or raise."""
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going"]
    command += ["-d", str(doctrees), str(pages), str(html)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode and not (html / "index.html").is_file():
        raise SiteError(f"Sphinx failed with code {run.returncode}:\n{run.stderr.strip()}")
    return run.stderr.replace(f"{pages}{os.sep}", "").strip()


def _replace_folder(part: Path, folder: Path) -> None:
    old = temporary(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    if folder.exists():
        os.rename(folder, old)
    os.rename(part, folder)
    shutil.rmtree(old, ignore_errors=True)

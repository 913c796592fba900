"""The report: one HTML page with every artefact, and a page for every executed notebook.

Everything is inside the files (pictures, style), and a content policy forbids any request to anywhere, so
the folder can be opened from a disk, an archive or a memory stick without a network.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from .result import RunResult
from .store import git_state, results_root
from .summary import Artefact, Paper, results_of
from .verdicts import CHIPS, VERDICTS

if TYPE_CHECKING:
    from jinja2 import Template

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def write_report(papers: list[Paper], profile: str, folder: Path | None = None) -> Path:
    """Write the report into ``results/report`` (replaced in one step) and return its ``index.html``."""
    folder = folder or results_root() / "report"
    part = folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:8]}.part")
    (part / "notebooks").mkdir(parents=True)
    try:
        results = results_of(papers)
        pages = {result.experiment.name: _notebook_page(result, part) for result in results}
        page = _template("report.html.j2").render(
            papers=papers,
            profile=profile,
            pages=pages,
            problems=[(r.experiment.name, error) for r in results for error in r.errors],
            left_out=[(r.experiment.name, r.left_out) for r in results if r.left_out],
            picture=_picture,
            width=_width,
            verdict_names=VERDICTS,
            signs={verdict: sign for verdict, (sign, *_) in CHIPS.items()},
            commit=_commit(git_state()),
            written=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
            computed=_span([r.provenance["date"][:10] for r in results]),
        )
        (part / "index.html").write_text(page, "utf-8")
        _replace_folder(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder / "index.html"


def _template(name: str) -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader = FileSystemLoader(Path(__file__).parent / "templates")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.globals["policy"] = POLICY
    return environment.get_template(name)


def _picture(artefact: Artefact) -> str:
    """The artefact's figure as a data address."""
    return "data:image/png;base64," + base64.b64encode(artefact.result.figure(artefact.id).png).decode()


def _width(artefact: Artefact) -> int:
    """Width on the page in CSS pixels: a little above print size, so that the picture stays sharp."""
    return round(artefact.result.figures[artefact.id].get_figwidth() * 110)


def _notebook_page(result: RunResult, part: Path) -> str | None:
    """Render the executed notebook into its own page; returns its address relative to the index, or None."""
    source = result.path / "notebook.ipynb"
    if not source.is_file():
        return None
    from nbconvert import HTMLExporter

    body, _ = HTMLExporter(template_name="basic").from_filename(str(source))
    experiment = result.experiment
    name = f"notebooks/{experiment.paper}--{experiment.study}.html"
    page = _template("notebook.html.j2").render(experiment=experiment, result=result, body=offline(body))
    (part / name).write_text(page, "utf-8")
    return name


def offline(body: str) -> str:
    """HTML without scripts, and without anything that a browser would fetch or follow to a network."""
    body = re.sub(r"<script\b.*?</script>", "", body, flags=re.S | re.I)
    body = re.sub(r"<link\b[^>]*>|@import[^;]*;", "", body, flags=re.I)
    link = r"""<a\b[^>]*?href=["'](?:https?:)?//([^"']*)["'][^>]*>(.*?)</a>"""
    body = re.sub(link, lambda m: m[2] if m[1] in m[2] else f"{m[2]} ({m[1]})", body, flags=re.S | re.I)
    return re.sub(
        r"""\s(src|href|srcset|poster|data)=(["'])(?:https?:)?//.*?\2""", "", body, flags=re.S | re.I
    )


def _replace_folder(part: Path, folder: Path) -> None:
    old = folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:8]}.old")
    if folder.exists():
        os.rename(folder, old)
    os.rename(part, folder)
    shutil.rmtree(old, ignore_errors=True)


def _commit(state: dict) -> str:
    if not state["commit"]:
        return "no git commit"
    return state["commit"][:10] + (" with local changes" if state["dirty"] else "")


def _span(dates: list[str]) -> str:
    if not dates:
        return "nothing yet"
    return min(dates) if min(dates) == max(dates) else f"{min(dates)} to {max(dates)}"

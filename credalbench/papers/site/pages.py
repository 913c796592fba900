"""Write the pages that Sphinx reads: templates filled with lessons, results, figures and notebooks.

Verdicts come from :mod:`credalbench.papers.reproduction`, and guides from the repository; an installed copy
has no guides.
"""

import html
import importlib
import json
import pkgutil
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import nbformat
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

import credalbench
from credalbench.core.glossary import sorted_terms
from credalbench.explore.live import PAGES
from credalbench.papers.paper_pages import FOLDER, headlines, summary, write_reproduction
from credalbench.papers.places import in_checkout, repository_root
from credalbench.papers.reproduction import (
    OUTCOMES,
    RESULTS,
    SENTENCES,
    Artefact,
    JudgedItem,
    Paper,
    judged_items,
    results_of,
)
from credalbench.papers.result import FORMATS, RunResult, git_state
from credalbench.papers.store import NOTEBOOK
from credalbench.papers.verdicts import VerdictTable, chip, counts

from .study_pages import commands, commit_of, shown_study

SOURCE = Path(__file__).parent / "source"
#: Pages of the user guide in the order of its menu; a folder means all of its pages.
USER_GUIDE = (
    "start",
    "guide/which_method",
    "guide/partitions",
    "guide/large_data",
    "guide",
    "arena",
    "own_data",
    "migration",
    "cluster",
    "teaching",
    "classroom",
    "publish",
)
#: Pages about the project. REPRODUCTION and the page of each paper are written from the results on the site.
PROJECT = (
    "../README",
    "reproducing",
    "REPRODUCTION",
    "errata",
    "JUDGING",
    "EQUATIONS",
    "NOTATION",
    "ARCHITECTURE",
    "SECURITY",
    "decisions/index",
    "decisions",
    "../CONTRIBUTING",
    "../CHANGELOG",
)
#: Pages that are written once, each by the template of its name.
PAGES_OF_ALL = (
    "index.md",
    "learn.md",
    "results/index.md",
    "results/claims.md",
    "gallery.md",
    "glossary.md",
    "notebooks/index.md",
    "api/index.rst",
)


@dataclass(frozen=True)
class LessonPage:
    """A lesson that the site shows.

    Parameters
    ----------
    name : str
        Name of its file, without the ending.
    title, about : str
        Its heading, which begins with its number, and one sentence about it.
    minutes : int
        How long it takes.
    picture : str
        Picture of its tile, as a data URL.
    write : callable
        Writes the page of the lesson to a path.
    """

    name: str
    title: str
    about: str
    minutes: int
    picture: str
    write: Callable[[Path], object]


def write_pages(papers: list[Paper], profile: str, folder: Path, lessons: Sequence[LessonPage] = ()) -> None:
    """Write what Sphinx reads to a new folder: configuration, pages, figures, notebooks and guides."""
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("*.j2", "__pycache__"))
    results = results_of(papers)
    for result in results:
        _write_figures(result, folder)
    context = {
        "commit": commit_of(git_state()),
        "written": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "lessons": lessons,
        "live": PAGES,
        "papers": papers,
        "profile": profile,
        "results": results,
        "lines": judged_items(papers),
        "shown_studies": {result.experiment.name: shown_study(result, folder) for result in results},
        "studies": {paper.key: sorted({a.experiment.study for a in paper.artefacts}) for paper in papers},
        "notebooks": {r.experiment.name: _write_notebook(r, folder) for r in results},
        "user_guide": guides(USER_GUIDE) if in_checkout() else [],
        "project": [*guides(PROJECT), *_paper_pages(papers)] if in_checkout() else [],
        "packages": public_names(),
        "glossary": sorted_terms(),
    }
    templates = _templates()

    def fill(template: str, page: str, **more: Any) -> None:
        _write(folder / page, templates.get_template(f"{template}.j2").render(context, **more))

    for page in PAGES_OF_ALL:
        fill(page, page)
    if in_checkout():
        _write_guides(folder)
        write_reproduction(papers, profile, folder / "docs")
        for page in ("guide.md", "project.md"):
            fill(page, page)
    for paper in papers:
        fill("results/paper.md", f"results/{paper.key}.md", paper=paper)
        for study in context["studies"][paper.key]:
            found = [a for a in paper.artefacts if a.experiment.study == study]
            fill("results/study.md", f"results/{paper.key}/{study}.md", paper=paper, artefacts=found)
    for name, names in context["packages"].items():
        fill("api/package.rst", f"api/{name}.rst", name=name, names=names)


def public_names() -> dict[str, list[str]]:
    """Return the names in ``__all__`` of each package that has it."""
    modules = [
        importlib.import_module(f"credalbench.{info.name}")
        for info in pkgutil.iter_modules(credalbench.__path__)
        if info.ispkg
    ]
    return {m.__name__: sorted(m.__all__, key=str.lower) for m in modules if hasattr(m, "__all__")}


def target(artefact: Artefact) -> str:
    """Return the label of an artefact's section, which is unique to its study."""
    return f"{artefact.id}--{artefact.experiment.study}"


def address(artefact: Artefact) -> str:
    """Return the address of an artefact's section, relative to the results."""
    anchor = re.sub(r"[^a-z0-9]+", "-", target(artefact).lower()).strip("-")  # as Sphinx derives it
    return f"{artefact.experiment.name}.html#{anchor}"


def figure_path(artefact: Artefact, ending: str = ".png") -> str:
    """Return the path of an artefact's figure, relative to the root of the pages."""
    return f"figures/{artefact.experiment.name}/{artefact.id}{ending}"


# ------------------------------------------------------------------------------ text


def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(SOURCE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(md=_markdown, quoted=_quoted, flat=_flat)
    environment.globals.update(
        target=target,
        address=address,
        heading=_heading,
        number=_number,
        word=_word,
        main_claims=_main_claims,
        summary=summary,
        commands=commands,
        figure_path=figure_path,
        width=_width,
        rows=lambda judgements: [judgement.row() for judgement in judgements],
        chip=_chip,
        chips=_chips,
        OUTCOMES=OUTCOMES,
        KINDS=(RESULTS, SENTENCES),
        paper_page=lambda paper: _paper_pages([paper])[0] if in_checkout() else "",
    )
    return environment


def _markdown(text: str) -> Markup:
    """Escape text for use in a line of Markdown."""
    plain = html.escape(" ".join(str(text).split()), quote=False)
    return Markup(re.sub(r"([\\`*_{}\[\]|$~^])", r"\\\1", plain))


def _quoted(text: str) -> Markup:
    """Quote text as the value of an option of a directive."""
    return Markup(json.dumps(" ".join(str(text).split()), ensure_ascii=False))


def _flat(text: str) -> str:
    """Join text into one line, since a blank line would end HTML within Markdown."""
    return " ".join(str(text).split())


def _heading(paper: Paper, artefact: Artefact) -> str:
    """Return the heading of an artefact, with the study if several studies show the artefact."""
    same = [other for other in paper.artefacts if other.label == artefact.label]
    study = artefact.experiment.study.replace("_", " ")
    return f"{artefact.label} ({study})" if len(same) > 1 else artefact.label


def _number(paper: Paper, kind: str, word: str, count: int) -> Markup:
    """Link a number of the overview to the lines that it counts."""
    if not count:
        return Markup("0")
    query = urlencode({"paper": paper.key, "kind": kind, "outcome": word})
    return Markup('<a href="claims.html?{}">{}</a>').format(query, count)


def _main_claims(paper: Paper, lines: list[JudgedItem]) -> list[JudgedItem]:
    """Return the lines of a paper's main claims, in the order of the paper."""
    starts = tuple(f"{name}: " for name in headlines(paper))
    found = [line for line in lines if line.paper is paper and line.kind == SENTENCES]
    return sorted((line for line in found if line.statement.startswith(starts)), key=lambda f: f.statement)


def _word(outcome: str) -> Markup:
    """Return a verdict as a chip, and any other text as plain text."""
    return _chip(outcome) if outcome in OUTCOMES else Markup('<span class="soft">{}</span>').format(outcome)


def _chip(verdict: str) -> Markup:
    return Markup(chip(verdict))


def _chips(artefact: Artefact) -> Markup:
    """Return the verdicts on an artefact as chips, with their numbers of claims."""
    found = counts(VerdictTable.of(artefact.judgements))
    return Markup(" ").join(_chip(v) + (f" × {n}" if n > 1 else "") for v, n in found.items() if n)


def _width(artefact: Artefact) -> int:
    """Return the width of a figure in CSS pixels, slightly above print size."""
    return round(artefact.result.figure(artefact.id).size[0] * 110)


# ----------------------------------------------------------------------------- files


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _write_figures(result: RunResult, folder: Path) -> None:
    for artefact in {} if result.drawing_error else result.figures:
        picture = result.figure(artefact)
        for ending in FORMATS:
            picture.save(folder / "figures" / result.experiment.name / f"{artefact}{ending}")


def _write_notebook(result: RunResult, folder: Path) -> str | None:
    """Copy the executed notebook; return its path relative to the root of the pages, or None."""
    if not (result.folder.shown or {}).get("notebook"):
        return None
    notebook = nbformat.read(result.path / NOTEBOOK, as_version=4)
    for cell in notebook.cells:
        _describe_pictures(cell)
    address = f"notebooks/{result.experiment.name}"
    _write(folder / f"{address}.ipynb", nbformat.writes(notebook))
    return address


def _describe_pictures(cell: nbformat.NotebookNode) -> None:
    """Set texts and widths of pictures in the metadata of their cell, where MyST-NB reads them."""
    pngs = (output.get("metadata", {}).get("image/png", {}) for output in cell.get("outputs", ()))
    shown = [png for png in pngs if png.keys() >= {"alt", "width"}]
    if shown:
        image = {"alt": "; ".join(p["alt"] for p in shown), "width": f"{max(p['width'] for p in shown)}px"}
        cell.metadata["mystnb"] = {"image": image}


def guides(names: tuple[str, ...]) -> list[str]:
    """Return the paths of guides in the checkout, each once; a folder means all of its pages."""
    root = repository_root()
    found: dict[str, None] = {}
    for path in (root / "docs" / name for name in names):
        pages = sorted(path.glob("*.md")) if path.is_dir() else [path.with_suffix(".md")]
        found |= {page.resolve().relative_to(root).with_suffix("").as_posix(): None for page in pages}
    return list(found)


def _paper_pages(papers: list[Paper]) -> list[str]:
    """Return the paths of the papers' pages among the guides."""
    return [f"docs/{FOLDER}/{paper.key}" for paper in papers]


def _write_guides(folder: Path) -> None:
    """Copy the guides of the checkout, and the files that they link to."""
    root = repository_root()
    for name in guides(USER_GUIDE + PROJECT):
        page = root / f"{name}.md"
        text = page.read_text("utf-8")
        _write(folder / f"{name}.md", text)
        for link in re.findall(r"\]\(([^)\s:#]+)\)", text):
            linked = (page.parent / link).resolve()
            if linked.is_file() and linked.suffix != ".md":
                copy = folder / linked.relative_to(root)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(linked, copy)

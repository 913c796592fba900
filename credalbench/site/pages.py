"""The pages of the site as text for Sphinx: hand-written templates filled with results, figures, notebooks.

Verdicts come from :mod:`credalbench.runner.reproduction`, their look from
:func:`credalbench.runner.verdicts.chip`, the guides from the repository; where there is no checkout, the site
has no guides.
"""

from __future__ import annotations

import html
import importlib
import json
import pkgutil
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import nbformat
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

import credalbench
from credalbench.glossary import sorted_terms
from credalbench.runner.places import in_checkout
from credalbench.runner.reproduction import (
    DIFFERENCES_FIRST,
    OUTCOMES,
    OWN,
    RESULTS,
    SENTENCES,
    Artefact,
    Paper,
    judged_items,
    outcome,
    reproduction_text,
    results_of,
)
from credalbench.runner.result import FORMATS, RunResult
from credalbench.runner.sources import repository_root
from credalbench.runner.store import NOTEBOOK, git_state
from credalbench.runner.verdicts import VerdictTable, chip, counts

from .studies import commands, commit_of, shown_study

SOURCE = Path(__file__).parent / "source"
#: Guides in the order of the menu; REPRODUCTION is written anew from the results that the site shows.
GUIDES = (
    "README",
    "docs/own_data",
    "docs/teaching",
    "docs/classroom",
    "docs/ARCHITECTURE",
    "docs/NOTATION",
    "docs/EQUATIONS",
    "docs/JUDGING",
    "docs/REPRODUCTION",
    "CONTRIBUTING",
    "CHANGELOG",
)


def write_pages(papers: list[Paper], profile: str, folder: Path) -> None:
    """Write everything that Sphinx reads: its configuration, pages, figures, notebooks and guides.

    Parameters
    ----------
    papers : list of Paper
    profile : {"paper", "smoke"}
    folder : Path
        A folder that does not exist yet.
    """
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("*.j2", "__pycache__"))
    results = results_of(papers)
    for result in results:
        _write_figures(result, folder)
    context = _dates(results) | {
        "papers": papers,
        "profile": profile,
        "results": results,
        "lines": judged_items(papers),
        "shown_studies": {result.experiment.name: shown_study(result, folder) for result in results},
        "studies": {paper.key: sorted({a.experiment.study for a in paper.artefacts}) for paper in papers},
        "notebooks": {r.experiment.name: _write_notebook(r, folder) for r in results},
        "guides": _write_guides(reproduction_text(papers, profile), folder),
        "packages": public_names(),
        "glossary": sorted_terms(),
    }
    templates = _templates()

    def fill(template: str, page: str, **more: Any) -> None:
        _write(folder / page, templates.get_template(f"{template}.j2").render(context, **more))

    fill("index.md", "index.md", shown=papers, here="results/")
    fill("results/index.md", "results/index.md", shown=papers, here="")
    for page in ("gallery.md", "glossary.md", "notebooks/index.md", "api/index.rst"):
        fill(page, page)
    if context["guides"]:
        fill("guides.md", "guides.md")
    for paper in papers:
        fill("results/paper.md", f"results/{paper.key}.md", paper=paper, shown=[paper], here="")
    for name, names in context["packages"].items():
        fill("api/package.rst", f"api/{name}.rst", name=name, names=names)


def public_names() -> dict[str, list[str]]:
    """Public package of credalbench -> the names of its ``__all__``, in alphabetical order.

    The command line is none: its ``--help`` tells of it.
    """
    modules = (
        importlib.import_module(f"credalbench.{info.name}")
        for info in pkgutil.iter_modules(credalbench.__path__)
        if info.ispkg and not info.name.startswith("_") and info.name != "cli"
    )
    return {module.__name__: sorted(module.__all__, key=str.lower) for module in modules}


def target(artefact: Artefact) -> str:
    """Name of the place where an artefact is shown; two studies may show the same one."""
    return f"{artefact.id}--{artefact.experiment.study}"


def anchor(name: str) -> str:
    """The id that Sphinx gives to a place of this name."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def figure_path(artefact: Artefact, ending: str = ".png") -> str:
    """Where the artefact's figure lies, from the root of the pages."""
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
        anchor=anchor,
        heading=_heading,
        number=_number,
        word=_word,
        by_outcome=_by_outcome,
        commands=commands,
        figure_path=figure_path,
        width=_width,
        rows=lambda judgements: [judgement.row() for judgement in judgements],
        chip=_chip,
        chips=_chips,
        OUTCOMES=OUTCOMES,
        KINDS=(RESULTS, SENTENCES, OWN),
        outcome=outcome,
    )
    return environment


def _markdown(text: str) -> Markup:
    """Text that stands in a line of Markdown and means only itself."""
    plain = html.escape(" ".join(str(text).split()), quote=False)
    return Markup(re.sub(r"([\\`*_{}\[\]|$~^])", r"\\\1", plain))


def _quoted(text: str) -> Markup:
    """Text as the value of an option of a directive."""
    return Markup(json.dumps(" ".join(str(text).split()), ensure_ascii=False))


def _flat(text: str) -> str:
    """Text on one line: a blank one would end the HTML within Markdown."""
    return " ".join(str(text).split())


def _heading(paper: Paper, artefact: Artefact) -> str:
    """What an artefact is called on its page: with the study, where several show the same one."""
    same = [other for other in paper.artefacts if other.label == artefact.label]
    study = artefact.experiment.study.replace("_", " ")
    return f"{artefact.label} ({study})" if len(same) > 1 else artefact.label


def _number(here: str, paper: Paper, kind: str, word: str, count: int) -> Markup:
    """A number of the overview, with a link to what it counts; `here` leads to the folder of the results."""
    if not count:
        return Markup("0")
    query = urlencode({"paper": paper.key, "kind": kind, "outcome": word})
    return Markup('<a href="{}index.html?{}">{}</a>').format(here, query, count)


def _by_outcome(paper: Paper) -> list[tuple[str, str]]:
    """The sentences of a paper, those that differ first and those that are not judged last."""

    def place(sentence: tuple[str, str]) -> int:
        judged = paper.on_sentence(sentence[0])
        return DIFFERENCES_FIRST.index(outcome(judged)) if judged else len(DIFFERENCES_FIRST)

    return sorted(paper.sentences.items(), key=place)


def _word(outcome: str) -> Markup:
    """A verdict as a chip; what no claim judges in plain words."""
    return _chip(outcome) if outcome in OUTCOMES else Markup('<span class="soft">{}</span>').format(outcome)


def _chip(verdict: str) -> Markup:
    return Markup(chip(verdict))


def _chips(artefact: Artefact) -> Markup:
    """The verdicts on one artefact, each once with the number of its claims."""
    found = counts(VerdictTable.of(artefact.judgements))
    return Markup(" ").join(_chip(v) + (f" × {n}" if n > 1 else "") for v, n in found.items() if n)


def _width(artefact: Artefact) -> int:
    """Width on the page in CSS pixels: a little above print size, so that the picture stays sharp."""
    return round(artefact.result.figures[artefact.id].get_figwidth() * 110)


def _dates(results: list[RunResult]) -> dict[str, str]:
    """When the results were computed and the pages written, and with which code."""
    return {
        "commit": commit_of(git_state()),
        "written": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "computed": _span([result.provenance["date"][:10] for result in results]),
    }


def _span(dates: list[str]) -> str:
    if not dates:
        return "nothing yet"
    return min(dates) if min(dates) == max(dates) else f"{min(dates)} to {max(dates)}"


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
    """Copy the executed notebook; returns its address from the root of the pages, or None."""
    if not result.folder.has_notebook:
        return None
    notebook = nbformat.read(result.path / NOTEBOOK, as_version=4)
    for cell in notebook.cells:
        _describe_pictures(cell)
    address = f"notebooks/{result.experiment.name}"
    _write(folder / f"{address}.ipynb", nbformat.writes(notebook))
    return address


def _describe_pictures(cell: nbformat.NotebookNode) -> None:
    """Hand the pictures' own texts and widths on to the page: MyST-NB takes them from the cell."""
    shown = [output.metadata["image/png"] for output in cell.get("outputs", ()) if _is_described(output)]
    if shown:
        image = {"alt": "; ".join(p["alt"] for p in shown), "width": f"{max(p['width'] for p in shown)}px"}
        cell.metadata["mystnb"] = {"image": image}


def _is_described(output: nbformat.NotebookNode) -> bool:
    return {"alt", "width"} <= set(output.get("metadata", {}).get("image/png", ()))


def _write_guides(reproduction: str, folder: Path) -> list[str]:
    """Copy the guides of the checkout and the files that they link to; returns the names."""
    root = repository_root()
    names = GUIDES if in_checkout() else ()
    for name in names:
        page = root / f"{name}.md"
        text = reproduction if page.stem == "REPRODUCTION" else page.read_text("utf-8")
        _write(folder / f"{name}.md", text)
        for link in re.findall(r"\]\(([^)\s:#]+)\)", text):
            linked = (page.parent / link).resolve()
            if linked.is_file() and linked.suffix != ".md":
                copy = folder / linked.relative_to(root)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(linked, copy)
    return list(names)

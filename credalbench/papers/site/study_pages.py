"""Collect the parts of a study's page: tables, commands that run it again, provenance."""

import inspect
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from credalbench.papers.execute import notebook_path
from credalbench.papers.experiment import Experiment
from credalbench.papers.parameters import as_dict
from credalbench.papers.places import in_checkout, repository_root
from credalbench.papers.result import RunResult
from credalbench.papers.tables import LeftOut

LARGEST = 300_000  # bytes; larger tables are not copied into the site
ROWS = 60  # shown of each table


@dataclass(frozen=True)
class Summary:
    """Summary table as HTML, or the reason why it could not be computed."""

    about: str
    html: Markup


@dataclass(frozen=True)
class StoredTable:
    """Stored table: name, number of rows, and path among the pages (empty if the table is too large)."""

    name: str
    n_rows: int
    address: str


@dataclass(frozen=True)
class ShownStudy:
    """Everything that the pages show about one study."""

    result: RunResult
    facts: dict[str, str]
    summaries: list[Summary]
    stored: list[StoredTable]


def shown_study(result: RunResult, folder: Path) -> ShownStudy:
    """Collect what the pages show of a stored result, and copy its small tables into ``folder``."""
    return ShownStudy(
        result,
        facts(result),
        [_summary(result, function) for function in result.experiment.summaries],
        [_stored(result, name, folder) for name in result.tables if len(result.tables[name])],
    )


def commands(experiment: Experiment, profile: str) -> list[str]:
    """Return commands that run a study again: `credalbench run`, and in a checkout papermill."""
    of_profile = "" if profile == "paper" else f" --profile {profile}"
    found, notebook = [f"credalbench run {experiment.name}{of_profile}"], notebook_path(experiment)
    if notebook is not None and in_checkout():
        source = notebook.relative_to(repository_root()).as_posix()
        found.append(f"papermill {source} {notebook.name} -p profile {profile}")
    return found


def facts(result: RunResult) -> dict[str, str]:
    """Return the provenance of a result: date, commit, parameters, versions, machine."""
    known = result.provenance
    return {
        "Computed": f"{known['date'][:10]}, {result.folder.status['cases']} cases",
        "Commit": commit_of(known),
        "Parameters": ", ".join(f"{name} = {value}" for name, value in as_dict(result.params).items()),
        "Versions": ", ".join(f"{name} {version}" for name, version in known["versions"].items()),
        "Machine": f"Python {known['python']}, {known['platform']}, {known['cores']} cores",
        "Stored in": f"results/{result.experiment.name}/{result.path.name}",
    }


def commit_of(state: Mapping[str, Any]) -> str:
    """Return the commit of a provenance, and whether the code differed from it."""
    if not state["commit"]:
        return "no git commit"
    return state["commit"][:10] + (" with local changes" if state["dirty"] else "")


def _summary(result: RunResult, function: Callable) -> Summary:
    """Compute a summary of the study; return the reason if its data are left out."""
    _, _, about = (inspect.getdoc(function) or f"Return {function.__name__}").splitlines()[0].partition(" ")
    about = about[:1].upper() + about[1:]  # "Return the median times" without its verb
    try:
        table = result.summary(function.__name__)
        return Summary(about, Markup(table._repr_html_()) if isinstance(table, LeftOut) else _html(table))
    except Exception as error:
        return Summary(about, Markup("<p>Not computed: {}: {}</p>").format(type(error).__name__, error))


def _html(table: pd.DataFrame) -> Markup:
    """Return the first rows of a table as HTML without blank lines, which would end HTML within Markdown."""
    with pd.option_context("display.max_colwidth", None):
        text = table.head(ROWS).to_html(
            border=0,
            index=not isinstance(table.index, pd.RangeIndex),
            na_rep="",
            justify="left",
            float_format="{:.4g}".format,
        )
    more = f"<p>and {len(table) - ROWS} more rows</p>" if len(table) > ROWS else ""
    return Markup(" ".join(text.split()) + more)


def _stored(result: RunResult, name: str, folder: Path) -> StoredTable:
    source, address = result.path / "tables" / f"{name}.csv", ""
    if source.stat().st_size <= LARGEST:
        address = f"tables/{result.experiment.name}/{name}.csv"
        (folder / address).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / address)
    return StoredTable(name, len(result.tables[name]), address)

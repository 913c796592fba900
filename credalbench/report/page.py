"""The page of a report: one file of HTML with all its pictures, which asks nothing from anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from credalbench.belief.display import mass_function_html
from credalbench.report.ambiguous import doubtful, outlying
from credalbench.report.comparison import TRUE_CLASSES
from credalbench.report.pictures import criteria, maps
from credalbench.report.script import call_of

if TYPE_CHECKING:
    from credalbench.belief import MassFunction
    from credalbench.report.report import Report

TEMPLATE = "page.html.j2"


def page(report: Report, partition: Path) -> str:
    """Return the page of a report as HTML.

    Parameters
    ----------
    report : Report
    partition : Path
        The file of the partition, which lies beside the page.
    """
    labels, masses = report.agreements
    curves = report.choice.curves
    return (
        _templates()
        .get_template(TEMPLATE)
        .render(
            report=report,
            table=report.table,
            main=report.found[0].method.name,
            counts={"outliers": len(outlying(report.partition)), "doubtful": len(doubtful(report.partition))},
            read=Markup(report.table._repr_html_()),
            criteria=None if curves is None else criteria(report.choice),
            values=None if curves is None else Markup(curves._repr_html_()),
            maps=maps(report.table, report.fitted),
            agreements={"labels": labels, "masses": masses},
            extremes=_extremes(labels),
            script=report.script(partition.name),
            partition=partition.name,
            address=quote(partition.name),
        )
    )


def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(bar=_bar, call_of=call_of)
    return environment


def _bar(masses: MassFunction) -> Markup:
    return Markup(mass_function_html(masses))


def _extremes(labels: pd.DataFrame) -> list[tuple[float, str, str]]:
    """The two methods that agree least, and those that agree most, with their adjusted Rand indices."""
    names = [name for name in labels if name != TRUE_CLASSES]
    pairs = [(labels.loc[a, b], a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return [min(pairs), max(pairs)] if pairs else []

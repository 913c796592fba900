"""Render a report as one HTML file with all its pictures, which loads nothing from the network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from credalbench.belief.display import mass_function_html
from credalbench.names import name_of
from credalbench.plots import style
from credalbench.report.ambiguous import ambiguous_rows, outlier_rows
from credalbench.report.comparison import TRUE_CLASSES
from credalbench.report.description import SIGNS, profile_table
from credalbench.report.pictures import draw_maps, draw_profiles, draw_silhouettes
from credalbench.report.script import estimator_code

if TYPE_CHECKING:
    from credalbench.belief import MassFunction
    from credalbench.report.report import Report

TEMPLATE = "page.html.j2"


def render_page(report: Report, partition: str, profiles: str, sizes: pd.DataFrame) -> str:
    """Return the page of a report as HTML.

    Parameters
    ----------
    report : Report
    partition : str
        Name of the file of the partition, in the folder of the page.
    profiles : str
        Name of the file of the profiles.
    sizes : DataFrame
        Number of objects in each cluster, with a row for each method.
    """
    labels, masses = report.agreements
    outliers, ambiguous = outlier_rows(report.partition), ambiguous_rows(report.partition)
    chosen = report.choice.silhouettes
    template = _templates().get_template(TEMPLATE)
    return template.render(
        report=report,
        table=report.table,
        main=report.results[0].method.name,
        sizes=sizes,
        counts={"outliers": len(outliers), "ambiguous": len(ambiguous)},
        read=Markup(report.table._repr_html_()),
        silhouettes=None if chosen is None else draw_silhouettes(chosen),
        values={} if chosen is None else chosen.silhouettes.to_dict(),
        outliers=[name_of(row, report.partition.index) for row in outliers],
        rows=profile_table(report.profiles),
        profiles=draw_profiles(report.profiles),
        maps=draw_maps(report.table, report.fitted),
        agreements={"labels": labels, "masses": masses},
        extremes=_extremes(labels),
        script=report.script(partition),
        partition=partition,
        address=quote(partition),
        profile_file=profiles,
        profile_address=quote(profiles),
    )


def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(bar=_bar, sign=_sign, estimator_code=estimator_code)
    return environment


def _bar(masses: MassFunction) -> Markup:
    return Markup(mass_function_html(masses))


def _sign(k: int) -> Markup:
    """Return the coloured marker of cluster k, from 0."""
    sign = SIGNS[style.MARKERS.index(style.marker(k))]
    return Markup('<span aria-hidden="true" style="color:{}">{}</span>').format(style.colour(k), sign)


def _extremes(labels: pd.DataFrame) -> list[tuple[float, str, str]]:
    """Return the two methods that agree least and the two that agree most, with adjusted Rand indices."""
    names = [name for name in labels if name != TRUE_CLASSES]
    pairs = [(labels.loc[a, b], a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return [min(pairs), max(pairs)] if pairs else []

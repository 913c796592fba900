"""Render a report as one HTML file, which includes all pictures and loads nothing from the network."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from credalbench.belief.display import mass_function_html
from credalbench.belief.frames import ambiguous_rows, outlier_rows
from credalbench.core.names import name_of
from credalbench.plots import style
from credalbench.report.comparison import TRUE_CLASSES, count_sets
from credalbench.report.description import SIGNS, profile_table
from credalbench.report.pictures import draw_maps, draw_profiles, draw_silhouettes
from credalbench.report.script import estimator_code

if TYPE_CHECKING:
    from credalbench.belief import CredalPartition
    from credalbench.report.report import Report

TEMPLATE = "page.html.j2"
N_SILENT = 5  # columns that are named
CRITERIA = {
    "silhouette": "mean silhouette",
    "weakest": "of the weakest cluster",
    "drop": "drop of the merges",
}


def render_page(report: Report, partition: str, profiles: str, sizes: pd.DataFrame) -> str:
    """Return the page of a report as HTML.

    Parameters
    ----------
    report : Report
    partition : str
        File name of the partition, in the folder of the page.
    profiles : str
        File name of the profiles.
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
        main=report.main,
        silent=None if report.silent is None else describe_silent(report),
        sizes=sizes,
        counts={"outliers": len(outliers), "ambiguous": len(ambiguous)},
        read=Markup(report.table._repr_html_()),
        silhouettes=None if chosen is None else draw_silhouettes(chosen),
        criteria=None if chosen is None else chosen.criteria.rename(columns=CRITERIA),
        readings=_readings(report),
        outliers=[name_of(row, report.partition.index) for row in outliers],
        rows=profile_table(report.profiles),
        profiles=draw_profiles(report.profiles),
        maps=draw_maps(report.table, {one.method.name: one.partition for one in report.fitted}),
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
    environment.globals.update(
        bar=lambda masses: Markup(mass_function_html(masses)), sign=_sign, estimator_code=estimator_code
    )
    return environment


def _sign(k: int) -> Markup:
    """Return the coloured marker of cluster k, from 0."""
    sign = SIGNS[style.MARKERS.index(style.marker(k))]
    return Markup('<span aria-hidden="true" style="color:{}">{}</span>').format(style.colour(k), sign)


def describe_silent(report: Report) -> str:
    """Return the sentence on columns that do not distinguish the clusters."""
    columns, c, agreement = report.silent
    several, others = len(columns) > 1, max(0, len(columns) - N_SILENT)
    names = ", ".join(map(repr, map(str, columns[:N_SILENT]))) + f" and {others} more" * (others > 0)
    options = " ".join(f"--columns {shlex.quote(f'{name}=left out')}" for name in columns[:N_SILENT])
    changes = (
        "the same number of clusters is" if c == report.partition.n_clusters else f"{count_words(c)} would be"
    )
    return (
        f"Column{'s' * several} {names} {'do' if several else 'does'} not distinguish the clusters. Without "
        f"{'them' if several else 'it'} ({options}), {changes} chosen, and the adjusted Rand index with "
        f"these clusters is {agreement:.2f}."
    )


def _readings(report: Report) -> dict[str, object] | None:
    """Return what the page shows of the two best numbers of clusters; None if the choice is clear."""
    other = report.other_reading
    if other is None:
        return None
    partitions = {count_words(one.n_clusters): one for one in (report.partition, other)}
    sizes = pd.DataFrame({title: count_sets(one) for title, one in partitions.items()}).T
    singletons = sorted((name for name in sizes if name.startswith("{")), key=lambda name: int(name[1:-1]))
    sizes = sizes.reindex(columns=[*singletons, "several", "outlier"])
    fewer, more = sorted(partitions.values(), key=lambda one: one.n_clusters)
    merged = merged_clusters(fewer, more) if fewer.n_clusters > 1 else []
    return {"maps": draw_maps(report.table, partitions), "sizes": sizes, "merged": merged}


def merged_clusters(fewer: CredalPartition, more: CredalPartition) -> list[str]:
    """Return which clusters of `more` lie mostly in the same cluster of `fewer`, as ``1 and 3``."""
    inside = ~(more.outliers() | fewer.outliers())
    counts = pd.crosstab(more.labels()[inside], fewer.labels()[inside])
    groups = (counts.index + 1).astype(str).to_series().groupby(counts.idxmax(axis=1).to_numpy()).agg(list)
    return [f"{', '.join(names[:-1])} and {names[-1]}" for names in groups if len(names) > 1]


def count_words(c: int) -> str:
    """Return ``1 cluster``, ``2 clusters``, ..."""
    return f"{c} cluster{'s' * (c > 1)}"


def _extremes(labels: pd.DataFrame) -> list[tuple[float, str, str]]:
    """Return the pairs of methods that agree least and most, with adjusted Rand indices."""
    names = [name for name in labels if name != TRUE_CLASSES]
    pairs = [(labels.loc[a, b], a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return [min(pairs), max(pairs)] if pairs else []

"""HTML of a credal partition in a notebook: a table with one bar of masses per object.

The HTML is self-contained, with inline SVG: no script, no style sheet, no download. Colours are the Okabe-Ito
set, which colour-blind readers can distinguish. You can also read the table without colours: every bar has
its masses as text (for screen readers and as tooltip), and wide segments have labels. ∅, Omega and all text
use the text colour of the page, which is readable on light and on dark pages.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from .focal import set_label

if TYPE_CHECKING:
    from .mass_function import MassFunction
    from .partition import CredalPartition

ROWS = 12  # objects shown
LEGEND_SETS = 16  # focal sets named in the legend
#: Okabe-Ito colours in the order of the clusters, in tables and in plots; the faint yellow comes last.
CLUSTER_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31", "#F0E442")
WIDTH, HEIGHT = 260, 18  # of a bar, in pixels
SEGMENTS = 40  # at most this many sets in a bar, those of largest mass
GAP = 0.8  # between two segments
LABEL_WIDTH = 34  # segments at least this wide have a label
SMALLEST = 0.005  # masses that would print as 0.00 are not in the text

TABLE_STYLE = "border-collapse:collapse;color:inherit;background:transparent;font-size:90%"
CELL_STYLE = "padding:2px 10px 2px 0;text-align:left;white-space:nowrap;background:transparent"
# A light outline around dark letters is legible on every segment colour.
INK = 'style="font:11px sans-serif;paint-order:stroke;stroke:#fff;stroke-width:3px;fill:#000"'


def partition_html(partition: CredalPartition) -> str:
    """Return the HTML of a `CredalPartition`: a summary line, a legend and at most 12 rows."""
    shown = min(partition.n_objects, ROWS)
    first = partition.take(slice(0, shown))
    undominated, outlying = first.interval_dominance(), first.outliers()
    rows = "".join(_row(one, undominated[i], outlying[i]) for i, one in enumerate(first))
    heads = ("object", "masses", "largest mass", "undominated", "")
    head = "".join(f'<th scope="col" style="{CELL_STYLE};font-weight:bold">{text}</th>' for text in heads)
    rest = partition.n_objects - shown
    more = f'<div style="margin-top:4px">… and {rest} more object{"s" * (rest > 1)}</div>' if rest else ""
    return (
        '<div style="color:inherit;background:transparent">'
        f'<div style="margin-bottom:4px">{_summary(partition)}</div>{_legend(first)}'
        f'<table style="{TABLE_STYLE}" aria-label="Masses of the first {shown} objects">'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}</div>"
    )


def _summary(partition: CredalPartition) -> str:
    outlying = int(partition.outliers().sum())
    return (
        f"<b>Credal partition</b>: n = {partition.n_objects} object{'s' * (partition.n_objects > 1)}, "
        f"c = {partition.n_clusters} clusters, f = {len(partition.focal_sets)} focal sets, "
        f"nonspecificity {partition.nonspecificity():.3f}, {outlying} outlier{'s' * (outlying != 1)}"
    )


def mass_function_html(one: MassFunction) -> str:
    """Return the HTML of a `MassFunction`: its bar, and its masses as text."""
    return f'<div style="color:inherit">{escape(str(one.name))}: {_bar(one)} {escape(str(one))}</div>'


def _row(one: MassFunction, undominated: np.ndarray, outlying: bool) -> str:
    masses, c, table = one.masses, one.focal_sets.n_clusters, one.focal_sets.membership
    top = int(masses.argmax())
    largest = f"{set_label(np.flatnonzero(table[top]), c)} {masses[top]:.2f}"
    chosen = set_label(np.flatnonzero(undominated), c)
    cells = (_bar(one), escape(largest), escape(chosen), "outlier" if outlying else "")
    body = "".join(f'<td style="{CELL_STYLE}">{cell}</td>' for cell in cells)
    name = escape(str(one.name))
    return f'<tr style="background:transparent"><th scope="row" style="{CELL_STYLE}">{name}</th>{body}</tr>'


def _bar(one: MassFunction) -> str:
    """Draw the masses of one object as a horizontal stacked bar."""
    masses, c, table = one.masses, one.focal_sets.n_clusters, one.focal_sets.membership
    shown = np.flatnonzero(masses > 0)
    if len(shown) > SEGMENTS:
        shown = np.sort(np.argsort(-masses, kind="stable")[:SEGMENTS])
    names = {j: set_label(np.flatnonzero(table[j]), c) for j in shown}
    words = [f"{names[j]} {masses[j]:.2f}" for j in shown if masses[j] >= SMALLEST]
    left = 1 - masses[shown].sum()  # blank at the end of the bar
    text = ", ".join(words if left < SMALLEST else [*words, f"other sets {left:.2f}"])
    parts, x = [], 0.0
    for j in shown:
        width = masses[j] * WIDTH
        parts.append(_segment(x, max(width - GAP, GAP / 2), np.flatnonzero(table[j]), c))
        if width >= LABEL_WIDTH:
            ink = 'style="font:11px sans-serif;fill:currentColor"' if names[j] == "Ω" else INK
            parts.append(
                f'<text x="{x + width / 2:.1f}" y="{HEIGHT - 5}" text-anchor="middle" {ink}>'
                f"{escape(names[j])}</text>"
            )
        x += width
    label = escape(f"object {one.name}: {text}", quote=True)
    return (
        f'<svg role="img" aria-label="{label}" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" style="vertical-align:middle"><title>{label}</title>'
        f"{''.join(parts)}</svg>"
    )


def _segment(x: float, width: float, members: np.ndarray, c: int) -> str:
    """Draw a piece of a bar: ∅ solid, Omega faint, other sets one band per cluster in its colour."""
    if len(members) == 0 or (len(members) == c and c > 1):
        opacity = 0.85 if len(members) == 0 else 0.22
        return (
            f'<rect x="{x:.2f}" y="0" width="{width:.2f}" height="{HEIGHT}" '
            f'fill="currentColor" fill-opacity="{opacity}"/>'
        )
    band = HEIGHT / len(members)
    return "".join(
        f'<rect x="{x:.2f}" y="{r * band:.2f}" width="{width:.2f}" height="{band:.2f}" '
        f'fill="{CLUSTER_COLOURS[k % len(CLUSTER_COLOURS)]}"/>'
        for r, k in enumerate(members)
    )


def _legend(partition: CredalPartition) -> str:
    """Draw swatches of the sets with mass in the shown rows: the sixteen of largest mass, in set order."""
    focal_sets = partition.focal_sets
    weight = partition.masses.sum(axis=0)
    heaviest = np.argsort(-weight, kind="stable")[:LEGEND_SETS]
    named = [j for j in np.sort(heaviest) if weight[j] > 0]
    entries = "".join(_swatch(np.flatnonzero(focal_sets.membership[j]), focal_sets.n_clusters) for j in named)
    left = int((weight > 0).sum()) - len(named)
    more = f"<span>and {left} more sets</span>" if left else ""
    return f'<div style="margin-bottom:4px;font-size:90%">{entries}{more}</div>'


def _swatch(members: np.ndarray, c: int) -> str:
    return (
        '<span style="margin-right:12px;white-space:nowrap">'
        f'<svg aria-hidden="true" width="{HEIGHT}" height="{HEIGHT}" style="vertical-align:middle">'
        f"{_segment(0, HEIGHT, members, c)}</svg> {escape(set_label(members, c))}</span>"
    )

"""Panels of curves: the objective over the iterations, and histograms behind curves."""

from dataclasses import replace

import numpy as np

from credalbench.explore.scene.marks import Bars, Line, Look, Mark, Points, Stroke
from credalbench.explore.scene.scene import Axis, Panel, Place
from credalbench.plots.style import FAINT, PALETTE

END = Look("circle", 9.0, PALETTE[0])
#: Ticks of an axis from 0 to 1.
UNIT = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))
#: Factor by which a logarithmic axis exceeds its values.
ROOM = 1.5
#: Number of bars of a histogram.
BINS = 50


def trace_panel(
    place: Place,
    values: np.ndarray,
    title: str,
    iteration: int | None = None,
    label: str = "",
    *,
    logarithmic: bool = False,
) -> Panel:
    """Return the panel of an objective (n_iter + 1,), from the start of a run.

    A dot marks the `iteration`, or the end if it is None; the curve after it is faint. A `logarithmic` axis
    is used only if all values are positive.
    """
    last = len(values) - 1
    shown = last if iteration is None else iteration
    path = np.column_stack([np.arange(last + 1), values]).astype(float)
    marks: list[Mark] = [
        Line(path, Stroke(PALETTE[0], 2.0, opacity=0.3)),
        Line(path[: shown + 1], Stroke(PALETTE[0], 2.0)),
        Points(path[shown : shown + 1], [END], np.zeros(1, np.int32)),
    ]
    x = Axis(0.0, 1.03 * max(last, 1), label, whole=True)
    y = value_axis(values)
    if logarithmic and values.min() > 0:
        y = Axis(float(values.min()) / ROOM, float(values.max()) * ROOM, scale="log")
    return Panel("trace", place, x, y, marks, title, grid=True)


def without_numbers(panel: Panel) -> Panel:
    """Return a panel without numbers at its vertical axis."""
    return replace(panel, y=replace(panel.y, ticks=[(panel.y.low, "")]))


def value_axis(values: np.ndarray, label: str = "") -> Axis:
    """Return an axis for values (m,), which is below 0 only if a value is negative."""
    low, high = float(values.min()), float(values.max())
    margin = max(0.12 * (high - low), 0.02 * abs(high), 1e-12)
    return Axis(low - margin if low < 0 else max(low - margin, 0.0), high + margin, label)


def histogram(values: np.ndarray) -> Bars:
    """Return a histogram of values (m,), half as high as an axis from 0 to 1."""
    heights, edges = np.histogram(values, bins=BINS)
    boxes = np.column_stack([edges[:-1], np.zeros(BINS), edges[1:], 0.5 * heights / max(heights.max(), 1)])
    return Bars(boxes, [FAINT], np.zeros(BINS, np.int32))

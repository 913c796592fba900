"""A scene: panels with their marks, a legend, what can be dragged, and the evidence about the objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from credalbench.explore.shared.scene.marks import Look, Mark, Stroke
from credalbench.explore.shared.scene.objects import Evidence, Objects

#: Left, top, width, height as shares of the picture without its legend.
Place = tuple[float, float, float, float]


@dataclass(frozen=True)
class Axis:
    """One axis of a panel.

    `scale` is "linear", "log" or "none"; the last shows no line, no ticks and no numbers. `whole` axes have
    ticks at whole numbers only. `ticks` are chosen places with their words, and none chosen are tidy ones.
    """

    low: float
    high: float
    label: str = ""
    scale: str = "linear"
    whole: bool = False
    ticks: Sequence[tuple[float, str]] = ()


@dataclass(frozen=True, eq=False)
class Panel:
    """A titled frame with marks, drawn in their order. With `equal` a unit is as long on both axes.

    `name` is what clicks are reported with; a panel without a title has no room for one.
    """

    name: str
    place: Place
    x: Axis
    y: Axis
    marks: Sequence[Mark]
    title: str = ""
    equal: bool = False
    grid: bool = False


@dataclass(frozen=True)
class Entry:
    """A line of the legend: a sign, and what it means."""

    label: str
    sign: Look | Stroke


@dataclass(frozen=True, eq=False)
class Handles:
    """What can be dragged on a panel: `positions` (m, 2); handle k is called by `name` and k + 1."""

    name: str
    panel: str
    positions: np.ndarray


@dataclass(frozen=True, eq=False)
class Scene:
    """What is shown of a fit. The first panel that shows objects is where the keyboard moves.

    `beside` is the evidence of a second partition of the same objects, which is told below the first.
    """

    panels: Sequence[Panel]
    objects: Objects
    evidence: Evidence
    legend: Sequence[Entry] = ()
    handles: Handles | None = None
    beside: Evidence | None = None

"""The kinds of marks in panels."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from credalbench.plots.style import INK

#: Lengths of dashes and gaps, in pixels; empty for a solid line.
Dash = tuple[float, ...]
DASHED: Dash = (6.0, 4.0)
DOTTED: Dash = (2.0, 3.0)


@dataclass(frozen=True)
class Look:
    """Look of a point: a shape of ``pen.js``, its diameter, colours or "none".

    A circle may have sectors in several colours, from the top and clockwise, instead of its fill.
    """

    shape: str
    size: float
    fill: str
    edge: str = "#ffffff"
    edge_width: float = 0.7
    sectors: Sequence[str] = ()


@dataclass(frozen=True)
class Stroke:
    """Look of a line; a halo is a white rim that separates it from what is below."""

    colour: str = INK
    width: float = 1.5
    dash: Dash = ()
    opacity: float = 1.0
    halo: bool = False


@dataclass(frozen=True, eq=False)
class Points:
    """Points at `positions` (m, 2); point i has the look ``looks[look_of[i]]``.

    `objects` (m,) are the rows of the objects that they represent, which can be selected; None if they
    represent none.
    """

    positions: np.ndarray
    looks: Sequence[Look]
    look_of: np.ndarray
    objects: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Pies:
    """Discs at `positions` (m, 2) with sectors in the colours `fills`, from the top and clockwise.

    `shares` (m, k) are the parts of the sectors, with sum 1 for each disc; `size` is the diameter in pixels.
    `objects` (m,) are the rows of the objects that they represent, which can be selected.
    """

    positions: np.ndarray
    shares: np.ndarray
    fills: Sequence[str]
    size: float
    objects: np.ndarray


@dataclass(frozen=True, eq=False)
class Line:
    """A line through `path` (m, 2), with gaps at NaN."""

    path: np.ndarray
    stroke: Stroke = field(default_factory=Stroke)


@dataclass(frozen=True, eq=False)
class Polygon:
    """The inside of `path` (m, 2), without an edge."""

    path: np.ndarray
    fill: str
    opacity: float = 1.0


@dataclass(frozen=True, eq=False)
class Bars:
    """Rectangles: `boxes` (m, 4) are left, bottom, right, top; box i has the colour ``fills[fill_of[i]]``."""

    boxes: np.ndarray
    fills: Sequence[str]
    fill_of: np.ndarray
    edge: str = "none"


@dataclass(frozen=True, eq=False)
class Raster:
    """A heat map: `pixels` (rows, columns, 4) uint8, red to opacity, the first row on top.

    `box` is left, bottom, right, top in the units of the axes. A `smooth` raster is interpolated.
    """

    pixels: np.ndarray
    box: tuple[float, float, float, float]
    smooth: bool = False


@dataclass(frozen=True, eq=False)
class Image:
    """The image whose pixels represent the objects of the scene and can be selected: see `Objects`.

    `colours` (n, 4) uint8, red to opacity, are those of the objects; `box` is as in `Raster`.
    """

    colours: np.ndarray
    box: tuple[float, float, float, float]


@dataclass(frozen=True)
class Text:
    """Text at `place`; with `on_axes` in shares of the panel, (0, 0) lower left, (1, 1) upper right.

    `align` is "left", "centre" or "right"; `size` is relative to the numbers at the axes.
    """

    words: str
    place: tuple[float, float]
    colour: str = INK
    align: str = "left"
    size: float = 1.0
    bold: bool = False
    on_axes: bool = False


Mark = Points | Pies | Line | Polygon | Bars | Raster | Image | Text

"""Scenes: panels with marks or curves, a legend, handles, and the evidence about the objects.

`packed` converts a scene to plain values, arrays to bytes, for the widget and for pages without a kernel.
"""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from json import dumps

import numpy as np
from matplotlib.colors import to_hex

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.explanation import reasons_of
from credalbench.explore.scene.marks import Bars, Line, Look, Mark, Points, Stroke
from credalbench.explore.stepping import Stepped
from credalbench.plots.style import FAINT, PALETTE, focal_colour

#: Left, top, width, height as shares of the picture without its legend.
Place = tuple[float, float, float, float]
#: Array types of browsers by kind of numpy dtype; other arrays are sent unchanged.
SENT_AS = {"b": np.uint8, "i": np.int32}
#: Ticks of an axis from 0 to 1.
UNIT = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))
#: The dot at the iteration of a curve.
END = Look("circle", 9.0, PALETTE[0])
#: Factor by which a logarithmic axis exceeds its values.
ROOM = 1.5
#: Number of bars of a histogram.
BINS = 50


@dataclass(frozen=True, eq=False)
class Objects:
    """Names and nearest objects, the same for all fits of a subject.

    `names` are n texts; if empty, objects are called by their numbers, from 1. `nearest` is (n, k). For an
    image, `pixels` (rows, columns) are the rows of the objects that its pixels show, the first row on top.
    """

    names: Sequence[str]
    nearest: np.ndarray
    pixels: np.ndarray | None = None


NO_OBJECTS = Objects((), np.empty((0, 0), np.int32))


@dataclass(frozen=True, eq=False)
class Evidence:
    """The masses of n objects and the reasons for their assignment, readable without Python.

    `masses` (n, f) in single precision; `sets` are the printed focal sets, with their `colours`; `membership`
    (f, c) is 0 or 1; `templates`, `which` (n,) and `numbers` (n, r) are the sentences, as in
    `credalbench.belief.explanation.Reasons`. `title` is the name of the partition, if there are two.
    """

    masses: np.ndarray
    sets: Sequence[str]
    colours: Sequence[str]
    membership: np.ndarray
    templates: Sequence[str]
    which: np.ndarray
    numbers: np.ndarray
    title: str = ""


@dataclass(frozen=True)
class Axis:
    """One axis of a panel.

    `scale` is "linear", "log" or "none" (no line, ticks or numbers). `whole` axes only have ticks at
    integers. `ticks` are positions with labels; by default they are chosen automatically.
    """

    low: float
    high: float
    label: str = ""
    scale: str = "linear"
    whole: bool = False
    ticks: Sequence[tuple[float, str]] = ()


@dataclass(frozen=True, eq=False)
class Panel:
    """A titled frame with marks, drawn in order. With `equal`, both axes have the same scale.

    Clicks are reported with `name`; a panel without a title reserves no space for it.
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
    """An entry of the legend: a sign and its meaning."""

    label: str
    sign: Look | Stroke


@dataclass(frozen=True, eq=False)
class Handles:
    """Handles on a panel that can be dragged: `positions` (m, 2); handle k is called `name` and k + 1."""

    name: str
    panel: str
    positions: np.ndarray


@dataclass(frozen=True, eq=False)
class Scene:
    """The display of a fit. The keyboard moves in the first panel that shows objects.

    A picture without objects has no `evidence`. `second` is the evidence of a second partition of the same
    objects, shown below the first.
    """

    panels: Sequence[Panel]
    objects: Objects = NO_OBJECTS
    evidence: Evidence | None = None
    legend: Sequence[Entry] = ()
    handles: Handles | None = None
    second: Evidence | None = None


# -- evidence --------------------------------------------------------------------------------------------


def evidence_of(
    partition: CredalPartition, title: str = "", remarks: Mapping[int, str] | None = None
) -> Evidence:
    """Return the evidence of a credal partition about its objects. O(n f).

    `remarks` are added to the sentences of some objects, by row.
    """
    focal_sets = partition.focal_sets
    reasons = reasons_of(partition.masses, focal_sets, remarks)
    return Evidence(
        masses=partition.masses.astype(np.float32),
        sets=focal_sets.labels,
        colours=set_colours(focal_sets),
        membership=focal_sets.membership.astype(np.uint8),
        templates=reasons.templates,
        which=reasons.which.astype(np.int32),
        numbers=reasons.numbers,
        title=title,
    )


def scene_of(
    fitted: Stepped,
    panels: Sequence[Panel],
    entries: Sequence[Entry],
    remarks: Mapping[int, str] | None = None,
    handles: Handles | None = None,
) -> Scene:
    """Return the scene of a fit, with the evidence about its objects."""
    objects = Objects(fitted.subject.object_names, fitted.subject.nearest)
    return Scene(panels, objects, evidence_of(fitted.partition, remarks=remarks), entries, handles)


@lru_cache(maxsize=64)
def set_colours(focal_sets: FocalSets) -> list[str]:
    """Return the colours of the focal sets, "#rrggbb"."""
    return [to_hex(focal_colour(members, focal_sets.n_clusters)) for members in focal_sets.sets]


# -- packing ---------------------------------------------------------------------------------------------


def packed(value: object) -> object:
    """Return dictionaries and lists of plain values; an array becomes its type, shape and bytes.

    A dataclass becomes its fields and `kind`, its name in lower case.
    """
    if is_dataclass(value):
        values = {field.name: packed(getattr(value, field.name)) for field in fields(value)}
        return {"kind": type(value).__name__.lower()} | values
    if isinstance(value, np.ndarray):
        value = np.ascontiguousarray(value, SENT_AS.get(value.dtype.kind))
        return {"type": value.dtype.name, "shape": list(value.shape), "data": value.tobytes()}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: packed(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [packed(part) for part in value]
    return value


def as_text(data: bytes) -> str:
    """Return bytes in base 64."""
    return b64encode(data).decode()


def as_json(value: object, written: Callable[[bytes], object] = as_text) -> str:
    """Return packed values as JSON for a page, bytes as `written`, safe inside a script element."""
    text = dumps(packed(value), default=written, ensure_ascii=False)
    return text.replace("</", "<\\/")


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
    low, high = float(values.min()), float(values.max())
    if logarithmic and low > 0:
        y = Axis(low / ROOM, high * ROOM, scale="log")
    else:  # below 0 only if a value is negative
        margin = max(0.12 * (high - low), 0.02 * abs(high), 1e-12)
        y = Axis(low - margin if low < 0 else max(low - margin, 0.0), high + margin)
    return Panel("trace", place, x, y, marks, title, grid=True)


def unnumbered(panel: Panel) -> Panel:
    """Return a panel without numbers at its vertical axis."""
    return replace(panel, y=replace(panel.y, ticks=[(panel.y.low, "")]))


def histogram(values: np.ndarray) -> Bars:
    """Return a histogram of values (m,) that is half as high as an axis from 0 to 1."""
    heights, edges = np.histogram(values, bins=BINS)
    boxes = np.column_stack([edges[:-1], np.zeros(BINS), edges[1:], 0.5 * heights / max(heights.max(), 1)])
    return Bars(boxes, [FAINT], np.zeros(BINS, np.int32))

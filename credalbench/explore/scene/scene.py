"""Scenes: panels with their marks, a legend, what can be dragged, and the evidence about the objects.

`packed` makes plain values of a scene, arrays as bytes, for the widget and for pages without a kernel.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from json import dumps

import numpy as np
from matplotlib.colors import to_hex

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.explanation import reasons_of
from credalbench.explore.scene.marks import Look, Mark, Stroke
from credalbench.plots.style import focal_colour

#: Left, top, width, height as shares of the picture without its legend.
Place = tuple[float, float, float, float]
#: Types of arrays that browsers have, by the kind of numpy's; others are sent as they are.
SENT_AS = {"b": np.uint8, "i": np.int32}


@dataclass(frozen=True, eq=False)
class Objects:
    """Names and nearest objects, the same for all fits of a subject.

    `names` are n texts; none: objects are called by their rows, from 0. `nearest` is (n, k). Of an image,
    `pixels` (rows, columns) are the rows of the objects that its pixels stand for, the first row on top.
    """

    names: Sequence[str]
    nearest: np.ndarray
    pixels: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Evidence:
    """The masses of n objects, and why each is where it is, ready to be read without Python.

    `masses` (n, f) in single precision; `sets` are the printed focal sets, `colours` theirs, `membership`
    (f, c) 0 or 1; `templates`, `which` (n,) and `numbers` (n, 2) are the sentences, as in
    `credalbench.belief.explanation.Reasons`. `title` says whose evidence it is, where there are two.
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

    `second` is the evidence of a second partition of the same objects, shown below the first.
    """

    panels: Sequence[Panel]
    objects: Objects
    evidence: Evidence
    legend: Sequence[Entry] = ()
    handles: Handles | None = None
    second: Evidence | None = None


# -- evidence --------------------------------------------------------------------------------------------


def evidence_of(partition: CredalPartition, title: str = "") -> Evidence:
    """Return what a credal partition says about its objects. O(n f)."""
    focal_sets = partition.focal_sets
    reasons = reasons_of(partition.masses, focal_sets)
    return Evidence(
        masses=partition.masses.astype(np.float32),
        sets=focal_sets.labels,
        colours=_colours(focal_sets),
        membership=focal_sets.membership.astype(np.uint8),
        templates=reasons.templates,
        which=reasons.which.astype(np.int32),
        numbers=reasons.numbers,
        title=title,
    )


@lru_cache(maxsize=64)
def _colours(focal_sets: FocalSets) -> list[str]:
    return [to_hex(focal_colour(members, focal_sets.n_clusters)) for members in focal_sets.sets]


# -- packing ---------------------------------------------------------------------------------------------


def packed(value: object) -> object:
    """Return dictionaries and lists of plain values; an array is its type, its shape and its bytes.

    A dataclass becomes its fields, and `kind`: its name in small letters.
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
    """Return packed values as text for a page, bytes as `written`; no text in it ends a script element."""
    text = dumps(packed(value), default=written, ensure_ascii=False)
    return text.replace("</", "<\\/")

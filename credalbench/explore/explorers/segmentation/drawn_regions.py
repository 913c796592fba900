"""Regions painted on an image: strokes and the pixels that they mark.

A stroke is a dictionary of plain values, which can be saved, sent from a browser and undone::

    {"tool": 1, "radius": 3.0, "path": [[20, 31], [22, 35]]}  # rows and columns
    {"tool": 2, "rectangle": [80, 85, 140, 125]}  # top, left, bottom, right, the last two excluded

Tools 1 and 2 mark regions 1 and 2, and tool 0 erases. A later stroke covers an earlier one, so no pixel is
in both regions.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import isfinite

import numpy as np
from scipy.ndimage import distance_transform_edt

#: A stroke, as above.
Stroke = dict[str, object]
TOOLS = {0: "eraser", 1: "region 1", 2: "region 2"}
LARGEST_RADIUS = 60.0
MOST_POINTS = 5000  # of one stroke
SPACING = 0.5  # of the points along a stroke, in pixels


def brush_stroke(tool: int, radius: float, path: Sequence[Sequence[float]]) -> Stroke:
    """Return a valid stroke of a round brush: all pixels within `radius` of the path.

    Parameters
    ----------
    tool : {0, 1, 2}
    radius : float
        In pixels; 0 marks the pixels of the path alone.
    path : sequence of (row, column)
        At least one point; points off the image are allowed.

    Raises
    ------
    ValueError
    """
    _check_tool(tool)
    if not (isinstance(radius, int | float) and 0 <= radius <= LARGEST_RADIUS):
        raise ValueError(f"expected a radius of 0 to {LARGEST_RADIUS:g} pixels; got {radius!r}")
    if not isinstance(path, list | tuple) or not 1 <= len(path) <= MOST_POINTS:
        got = f"{len(path)} points" if hasattr(path, "__len__") else repr(path)
        raise ValueError(f"expected a path of 1 to {MOST_POINTS} points; got {got}")
    for point in path:
        if not (isinstance(point, list | tuple) and len(point) == 2 and all(_is_place(v) for v in point)):
            raise ValueError(f"expected points as (row, column); got {point!r}")
    points = [[float(row), float(column)] for row, column in path]
    return {"tool": int(tool), "radius": float(radius), "path": points}


def rectangle_stroke(tool: int, top: int, left: int, bottom: int, right: int) -> Stroke:
    """Return a valid rectangle of rows top..bottom - 1 and columns left..right - 1.

    Raises
    ------
    ValueError
    """
    _check_tool(tool)
    sides = (top, left, bottom, right)
    if not all(isinstance(side, int) for side in sides) or not (0 <= top < bottom and 0 <= left < right):
        raise ValueError(f"expected integers 0 <= top < bottom and 0 <= left < right; got {sides}")
    return {"tool": int(tool), "rectangle": list(sides)}


def checked_strokes(strokes: Iterable[object]) -> list[Stroke]:
    """Return strokes of an untrusted source after checking them; raise ValueError if one is invalid."""
    checked = []
    for stroke in strokes:
        if not isinstance(stroke, dict) or "tool" not in stroke:
            raise ValueError(f"expected strokes as dictionaries with a tool; got {stroke!r}")
        if "rectangle" in stroke:
            checked.append(rectangle_stroke(stroke["tool"], *stroke["rectangle"]))
        else:
            checked.append(brush_stroke(stroke["tool"], stroke.get("radius"), stroke.get("path")))
    return checked


def paint(regions: np.ndarray, stroke: Stroke) -> np.ndarray:
    """Return the regions (rows, columns) of 0, 1 and 2 after one more stroke; the array is not modified."""
    painted = regions.copy()
    if "rectangle" in stroke:
        top, left, bottom, right = stroke["rectangle"]
        painted[top:bottom, left:right] = stroke["tool"]
        return painted
    rows, columns = _points_along(np.array(stroke["path"])).T
    radius = stroke["radius"]
    reach = int(np.ceil(radius)) + 1
    top, left = (max(int(values.min()) - reach, 0) for values in (rows, columns))
    bottom, right = (
        min(int(values.max()) + reach + 1, size) for values, size in zip((rows, columns), regions.shape)
    )
    if top >= bottom or left >= right:
        return painted  # outside the image
    painted[top:bottom, left:right][_within(rows, columns, radius, top, left, bottom, right)] = stroke["tool"]
    return painted


def _within(
    rows: np.ndarray, columns: np.ndarray, radius: float, top: int, left: int, bottom: int, right: int
) -> np.ndarray:
    """Return which pixels of a window are within the radius of a point: (bottom - top, right - left)."""
    reach = int(np.ceil(radius)) + 1
    free = np.ones((bottom - top + 2 * reach, right - left + 2 * reach), dtype=bool)  # brushes reach in
    y, x = rows - top + reach, columns - left + reach
    inside = (y >= 0) & (y < free.shape[0]) & (x >= 0) & (x < free.shape[1])
    if not inside.any():
        return np.zeros((bottom - top, right - left), dtype=bool)
    free[y[inside], x[inside]] = False
    return distance_transform_edt(free)[reach:-reach, reach:-reach] <= radius


def _points_along(path: np.ndarray) -> np.ndarray:
    """Return the pixels on the lines between the points of a path (m, 2): (k, 2) int, rounded."""
    pieces = [path[:1]]
    for start, end in pairwise(path):
        n_steps = max(1, int(np.ceil(np.linalg.norm(end - start) / SPACING)))
        pieces.append(start + (end - start) * np.arange(1, n_steps + 1)[:, None] / n_steps)
    return np.round(np.vstack(pieces)).astype(int)


def _check_tool(tool: object) -> None:
    if isinstance(tool, bool) or tool not in TOOLS:
        raise ValueError(f"expected a tool among {list(TOOLS)}; got {tool!r}")


def _is_place(value: object) -> bool:
    return isinstance(value, int | float) and isfinite(value) and abs(value) < 1e5

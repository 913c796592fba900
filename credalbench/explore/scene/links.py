"""Drawn constraints on a map, in sentences and in the legend."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from credalbench.explore.linking import KINDS, Links, pairs_of
from credalbench.explore.scene.credal_map import lines_between
from credalbench.explore.scene.marks import DASHED, Dash, Line, Look, Mark, Points, Stroke
from credalbench.explore.scene.scene import Entry
from credalbench.plots.constraints import VIOLATED
from credalbench.plots.style import INK

DASHES: dict[str, Dash] = dict(zip(KINDS, ((), DASHED)))
#: Mark in the middle of a violated constraint.
CROSS = Look("thin cross", 11.0, "none", VIOLATED, 2.2)


def link_marks(positions: np.ndarray, links: Links, violated: np.ndarray) -> list[Mark]:
    """Return a line for each link (q,) between objects (n, 2); violated ones are red with a cross."""
    ends, kinds = positions[pairs_of(links)], np.array([kind for *_, kind in links], dtype=str)
    marks: list[Mark] = []
    for kind, dash in DASHES.items():
        for broken, colour in ((False, INK), (True, VIOLATED)):
            first, second = ends[(kinds == kind) & (violated == broken)].swapaxes(0, 1)
            marks.append(Line(lines_between(first, second), Stroke(colour, 2.0, dash, halo=True)))
    return [*marks, *rimmed(ends[violated].mean(axis=1), CROSS)]


def link_remarks(names: Sequence[str], links: Links, violated: np.ndarray) -> dict[int, str]:
    """Return the links of each object that has some, in words."""
    words: dict[int, list[str]] = {}
    for (i, j, kind), broken in zip(links, violated.tolist()):
        for one, other in ((i, j), (j, i)):
            called = names[other] if names else f"object {other}"
            words.setdefault(one, []).append(f"{kind} with {called}{' (violated)' * broken}")
    return {i: ", ".join(parts) for i, parts in words.items()}


def link_entries() -> list[Entry]:
    """Return the legend of links."""
    lines = [Entry(kind, Stroke(INK, 2.0, dash)) for kind, dash in DASHES.items()]
    return [*lines, Entry("violated constraint", CROSS)]


def rimmed(positions: np.ndarray, look: Look) -> list[Mark]:
    """Return thin signs with a white rim that separates them from the objects."""
    rim = replace(look, size=look.size + 3, edge="#ffffff", edge_width=look.edge_width + 3)
    return [alike(positions, rim), alike(positions, look)]


def alike(positions: np.ndarray, look: Look) -> Points:
    """Return points (m, 2) of one look."""
    return Points(positions, [look], np.zeros(len(positions), np.int32))

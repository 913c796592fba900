"""The objects of a scene, and what a credal partition says about each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.colors import to_hex

from credalbench.belief import CredalPartition
from credalbench.belief.explanation import reasons_of
from credalbench.plots.style import focal_colour


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


def evidence_of(partition: CredalPartition, title: str = "") -> Evidence:
    """Return what a credal partition says about its objects. O(n f)."""
    family, c = partition.focal_sets, partition.n_clusters
    reasons = reasons_of(partition.masses, family)
    return Evidence(
        masses=partition.masses.astype(np.float32),
        sets=family.labels,
        colours=[to_hex(focal_colour(members, c)) for members in family.sets],
        membership=family.membership.astype(np.uint8),
        templates=reasons.templates,
        which=reasons.which.astype(np.int32),
        numbers=reasons.numbers,
        title=title,
    )

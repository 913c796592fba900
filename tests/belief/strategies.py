"""Random focal sets, masses and labels for the law tests."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from credalbench.belief import FocalSets


@st.composite
def random_focal_sets(draw, max_clusters=4, n_clusters=None):
    """Focal sets in random order (the empty set first where present)."""
    c = draw(st.integers(2, max_clusters)) if n_clusters is None else n_clusters
    masks = draw(st.lists(st.integers(0, 2**c - 1), min_size=2, max_size=2**c, unique=True))
    return FocalSets(c, tuple(sorted(masks, key=lambda mask: mask != 0)))


@st.composite
def mass_arrays(draw, focal_sets, n=None, normalised=False):
    """Masses (n, f) with many zeros, rows on the simplex; `normalised` leaves the empty set without mass."""
    n = draw(st.integers(1, 4)) if n is None else n
    weights = draw(arrays(np.int64, (n, len(focal_sets)), elements=st.integers(0, 8)))
    if normalised and focal_sets.has_empty:
        weights[:, 0] = 0
    weights[weights.sum(axis=1) == 0, -1] = 1
    return weights / weights.sum(axis=1, keepdims=True)


@st.composite
def partitions_of_masses(draw, normalised=False, max_clusters=4):
    """A pair (masses, focal sets)."""
    focal_sets = draw(random_focal_sets(max_clusters))
    return draw(mass_arrays(focal_sets, normalised=normalised)), focal_sets


@st.composite
def labelings(draw, n=None):
    n = draw(st.integers(2, 9)) if n is None else n
    return draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))


@st.composite
def two_labelings(draw):
    first = draw(labelings())
    return first, draw(labelings(n=len(first)))

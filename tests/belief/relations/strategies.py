"""Random relations for the law tests."""

import numpy as np
from hypothesis import strategies as st

from credalbench.belief import RelationalMasses

#: Degrees of many kinds: weak links, strong ones, few different ones, few links at all, next to none, all.
KINDS = (
    lambda rng, shape: rng.random(shape) ** 4,
    lambda rng, shape: rng.random(shape) ** 0.1,
    lambda rng, shape: rng.integers(0, 5, shape) / 4,
    lambda rng, shape: rng.random(shape) * (rng.random(shape) < 0.1),
    lambda rng, shape: rng.choice([0.0, 5e-324, 1e-300, 1e-16, 0.5, 1 - 1e-16, 1.0], shape),
)


@st.composite
def relations(draw, max_objects=40):
    """A fuzzy relation (n, n), reflexive and symmetric."""
    n = draw(st.integers(1, max_objects))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    R = np.triu(draw(st.sampled_from(KINDS))(rng, (n, n)), k=1)
    return R + R.T + np.eye(n)


@st.composite
def relational_masses(draw, max_objects=12):
    """Normalised masses of all pairs, symmetric, "same" on the diagonal."""
    possible, share = draw(relations(max_objects)), draw(relations(max_objects))
    n = min(len(possible), len(share))
    possible, share = possible[:n, :n], share[:n, :n]
    same = possible * share
    return RelationalMasses(np.broadcast_to(0.0, (n, n)), same, 1.0 - possible, possible - same)

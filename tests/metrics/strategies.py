"""Random labels for the law tests."""

from hypothesis import strategies as st


@st.composite
def labelings(draw, n=None):
    n = draw(st.integers(2, 9)) if n is None else n
    return draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))


@st.composite
def two_labelings(draw):
    first = draw(labelings())
    return first, draw(labelings(n=len(first)))

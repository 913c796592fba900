"""Gower's dissimilarities: definition, properties and errors."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from credalbench.tables import gower_dissimilarities

NUMBERS = st.one_of(st.none(), st.integers(-5, 5), st.floats(-1e6, 1e6, width=32))
ROWS = st.lists(
    st.tuples(st.integers(0, 3), NUMBERS, st.sampled_from(["a", "b", None])), min_size=2, max_size=9
)


def definition(frame):
    """Return the mean over the common attributes of each pair."""
    numbers = {l: frame[l].dropna() for l in frame if frame[l].dtype.kind == "f"}
    ranges = {l: known.max() - known.min() or 1.0 for l, known in numbers.items()}

    def one(i, j):
        pairs = [(l, frame[l].iloc[i], frame[l].iloc[j]) for l in frame]
        apart = [
            abs(a - b) / ranges[l] if l in ranges else float(a != b)
            for l, a, b in pairs
            if not pd.isna(a) and not pd.isna(b)
        ]
        return np.mean(apart)

    return np.array([[one(i, j) for j in range(len(frame))] for i in range(len(frame))])


@settings(max_examples=15, deadline=None)
@given(ROWS)
def test_the_definition(rows):
    frame = pd.DataFrame(rows, columns=["x", "y", "z"]).astype({"x": float, "y": float, "z": object})
    D = gower_dissimilarities(frame, ranges="full")
    np.testing.assert_allclose(D, definition(frame), rtol=1e-9, atol=1e-9)  # halves against whole differences
    assert np.array_equal(D, D.T) and not D.diagonal().any() and D.min() >= 0 and D.max() <= 1 + 1e-15


def test_numbers_have_scaled_city_block_distances():
    X = np.random.default_rng(0).normal(size=(600, 3)) * [1, 1e3, 1e-3] + 5
    expected = squareform(pdist((X - X.min(0)) / np.ptp(X, axis=0), "cityblock")) / 3
    np.testing.assert_allclose(
        gower_dissimilarities(X, ranges="full"), expected, atol=1e-12
    )  # data far from zero


@pytest.mark.parametrize("dtype", ["category", "string", bool])
def test_categories_are_compared_by_equality(dtype):
    values = [True, False, True] if dtype is bool else ["1", "2", "1"]
    frame = pd.DataFrame({"k": pd.Series(values, dtype=dtype)})
    assert gower_dissimilarities(frame).tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]


def test_errors_name_the_objects():
    frame = pd.DataFrame({"u": [1.0, np.nan, 2.0], "v": [np.nan, 1.0, 2.0]}, index=["ash", "elm", "oak"])
    with pytest.raises(ValueError, match="a common attribute; 'ash' and 'elm' have none"):
        gower_dissimilarities(frame)
    with pytest.raises(ValueError, match="finite numbers in 'u'"):
        gower_dissimilarities(frame.fillna(np.inf))
    with pytest.raises(ValueError, match="at least one object"):
        gower_dissimilarities(frame[:0])


def mixed_groups(n=80):
    """Two groups that the numbers separate, and a category of noise."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 2
    return pd.DataFrame({"x": 6 * y + rng.normal(size=n), "word": rng.choice(list("ab"), n)}), y


def test_three_outliers_do_not_squeeze_the_range():
    frame, y = mixed_groups()
    more = pd.concat([frame, pd.DataFrame({"x": [900.0, 1000.0, -500.0], "word": "a"})], ignore_index=True)
    between = np.not_equal.outer(y, y)

    def contrast(table, **options):
        D = gower_dissimilarities(table, **options)[:80, :80]
        return D[between].mean() - D[~between].mean()

    assert contrast(more, ranges="full") < 0.1 * contrast(frame)  # the finding: the groups are gone
    assert contrast(more) == pytest.approx(contrast(frame), abs=0.03)
    assert contrast(frame) > 0.2
    assert gower_dissimilarities(more[["x"]])[82, 80:].tolist() == [1, 1, 0]  # at the ends of the range


def test_a_number_that_is_nearly_always_the_same_keeps_its_range():
    x = np.zeros(60)
    x[7] = 5.0
    assert gower_dissimilarities(x[:, None])[7].tolist() == [float(i != 7) for i in range(60)]


def test_weights_of_attributes():
    frame, _ = mixed_groups(20)
    parts = [gower_dissimilarities(frame[[name]]) for name in frame]
    D = gower_dissimilarities(frame, weights=[3.0, 1.0])
    np.testing.assert_allclose(D, (3 * parts[0] + parts[1]) / 4, atol=1e-15)
    np.testing.assert_array_equal(gower_dissimilarities(frame, weights=[0, 2]), parts[1])
    for weights in ([1.0], [0, 0], [1, -1], [1, np.nan]):
        with pytest.raises(ValueError, match="weight"):
            gower_dissimilarities(frame, weights=weights)
    with pytest.raises(ValueError, match="ranges to be one of"):
        gower_dissimilarities(frame, ranges="trimmed")

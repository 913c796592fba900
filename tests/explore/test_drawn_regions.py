"""Strokes and the pixels that they mark."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credalbench.explore.explorers.segmentation import brush_stroke, checked_strokes, paint, rectangle_stroke

EMPTY = np.zeros((20, 30), dtype=np.uint8)
points = st.tuples(st.integers(-10, 30), st.integers(-10, 40))


@settings(max_examples=60, deadline=None)
@given(points, st.sampled_from([0, 1, 2.5, 6]))
def test_a_dab_is_a_disc(point, radius):
    y, x = np.indices(EMPTY.shape)
    expected = np.hypot(y - point[0], x - point[1]) <= radius
    np.testing.assert_array_equal(paint(EMPTY, brush_stroke(1, radius, [list(point)])) == 1, expected)


@settings(max_examples=40, deadline=None)
@given(st.lists(points, min_size=2, max_size=4), st.sampled_from([0, 1.5, 4]))
def test_a_line_covers_its_points_and_stays_near_it(path, radius):
    path = np.array(path, dtype=float)
    marked = paint(EMPTY, brush_stroke(2, radius, path.tolist())) == 2
    for row, column in path.astype(int):
        if 0 <= row < 20 and 0 <= column < 30:
            assert marked[row, column]
    gaps = np.full(len(np.argwhere(marked)), np.inf)
    for start, end in pairwise(path):
        along = np.argwhere(marked) - start
        length = max(float((end - start) @ (end - start)), 1e-12)
        share = np.clip(along @ (end - start) / length, 0, 1)
        gaps = np.minimum(gaps, np.linalg.norm(along - share[:, None] * (end - start), axis=1))
    # points along the line are rounded to pixels, by at most half a diagonal
    assert (gaps <= radius + np.sqrt(0.5) + 1e-9).all()


def test_a_later_stroke_covers_and_the_eraser_removes():
    regions = paint(EMPTY, rectangle_stroke(1, 2, 3, 10, 12))
    assert (regions == 1).sum() == 8 * 9 and not EMPTY.any()
    regions = paint(regions, rectangle_stroke(2, 2, 3, 6, 12))
    assert (regions == 1).sum() == (regions == 2).sum() == 4 * 9
    assert not paint(regions, rectangle_stroke(0, 0, 0, 20, 30)).any()


def test_strokes_off_the_image_mark_nothing():
    assert not paint(EMPTY, brush_stroke(1, 3, [[200.0, 200.0], [210.0, 200.0]])).any()
    assert not paint(EMPTY, rectangle_stroke(1, 50, 50, 60, 60)).any()


def test_checked_strokes_are_the_same_again():
    strokes = [brush_stroke(1, 2, [(1, 2), (3, 4)]), rectangle_stroke(2, 0, 0, 2, 2)]
    assert checked_strokes(strokes) == strokes


@pytest.mark.parametrize(
    "stroke",
    [
        None,
        {},
        {"tool": 3, "rectangle": [0, 0, 1, 1]},
        {"tool": True, "rectangle": [0, 0, 1, 1]},
        {"tool": 1, "rectangle": [2, 0, 2, 1]},
        {"tool": 1, "rectangle": [0.0, 0, 2, 1]},
        {"tool": 1, "radius": -1, "path": [[0, 0]]},
        {"tool": 1, "radius": float("nan"), "path": [[0, 0]]},
        {"tool": 1, "radius": 1, "path": []},
        {"tool": 1, "radius": 1, "path": [[0]]},
        {"tool": 1, "radius": 1, "path": [[0, float("inf")]]},
        {"tool": 1, "radius": 1, "path": "here"},
        {"tool": 1, "radius": 1, "path": [[0, 0]] * 5001},
    ],
)
def test_what_is_no_stroke_is_refused(stroke):
    with pytest.raises(ValueError, match="expected"):
        checked_strokes([stroke])

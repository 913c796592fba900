"""The common style; no figure depends on global state."""

import subprocess
import sys

import numpy as np
import pytest
from matplotlib.axis import Axis
from matplotlib.markers import MarkerStyle

from credalbench.plots import style


def test_drawing_leaves_pyplot_unloaded():
    code = """
import sys
import credalbench.plots as plots
plots.to_png(plots.new_figure(1, 1))
print("matplotlib.pyplot" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def test_sixty_four_clusters_have_distinct_colour_and_marker():
    assert len({(style.colour(k), style.marker(k)) for k in range(64)}) == 64


def test_markers_of_all_shapes_cover_as_much_as_a_disc():
    for k in range(len(style.MARKERS)):
        shape = MarkerStyle(style.marker(k))
        [outline] = shape.get_path().transformed(shape.get_transform()).to_polygons()
        x, y = style.even_size(k, 1.0) * outline.T
        area = abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2
        assert area == pytest.approx(np.pi / 4, rel=2e-3)  # a disc is drawn as a polygon


def test_focal_sets_of_a_frame_have_distinct_colours():
    sets = [frozenset(), {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}]
    assert len({tuple(style.focal_colour(members, 3)) for members in sets}) == len(sets)


def test_clusters_that_share_a_colour_lie_far_apart():
    corners = np.array([[0, 0], [0, 9], [9, 0], [9, 9]])
    places = np.vstack([corners, corners + [1, 1], corners + [1, 0]])  # twelve clusters, eight colours
    numbers = style.distinct_colours(places)
    np.testing.assert_array_equal(numbers[:8], np.arange(8))
    for k in range(8, 12):
        twins = np.flatnonzero(numbers[:k] == numbers[k])
        assert np.linalg.norm(places[twins] - places[k], axis=1).min() > 9
    assert len(style.distinct_colours(np.empty((0, 2)))) == 0


def test_clusters_take_the_colour_of_the_class_they_match():
    labels = np.array([0, 0, 0, 1, 1, 2])
    y = np.array([1, 1, 0, 0, 0, 0])
    np.testing.assert_array_equal(style.match_colours(labels, y, 3), [1, 0, 2])


def test_units_leave_the_column_name_for_the_label():
    assert style.axis_label("time_s") == "time (s)"
    assert style.axis_label("n_pairs") == "n pairs"


def test_log_axis_writes_plain_numbers():
    ax = style.new_figure(3, 2).subplots()
    ax.plot([1, 2], [0.1, 20])
    style.log_axis(ax.yaxis)
    ax.figure.canvas.draw()
    assert {"0.1", "1", "10"} <= {label.get_text() for label in ax.get_yticklabels()}


def test_axes_are_styled_once_and_again_after_a_change(monkeypatch):
    ax = style.new_figure(3, 2).subplots()
    style.style_axes(ax, grid="both")
    axes, call = [], Axis.set_tick_params
    monkeypatch.setattr(Axis, "set_tick_params", lambda axis, **look: axes.append(axis) or call(axis, **look))
    style.style_axes(ax, grid="both")
    assert axes == []
    ax.clear()
    axes.clear()
    style.style_axes(ax, grid="both")
    assert axes == [ax.xaxis, ax.yaxis]
    for axis in (ax.xaxis, ax.yaxis):
        assert axis.get_tick_params()["labelsize"] == style.TICK_SIZE
        assert all(line.get_visible() and line.get_color() == style.FAINT for line in axis.get_gridlines())

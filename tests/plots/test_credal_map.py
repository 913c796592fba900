"""Maps of credal partitions."""

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.plots import PALETTE, credal_scatter, hard_credal_scatter, to_png
from credalbench.plots.hulls import approximation_rings


def test_scatter_marks_hulls_and_the_outlier(ax, butterfly):
    X, partition = butterfly
    assert credal_scatter(ax, X, partition) is ax
    rings = [line for line in ax.lines if line.get_markerfacecolor() == "none"]
    assert len(rings) == 1
    np.testing.assert_array_equal(rings[0].get_xydata(), X[[11]])
    styles = {line.get_linestyle() for line in ax.lines}
    assert {"-", "--"} <= styles


def test_solid_hulls_hold_the_lower_and_dashed_hulls_the_upper_approximation(ax, butterfly):
    X, partition = butterfly
    credal_scatter(ax, X, partition)
    solid = [line.get_xydata() for line in ax.lines if line.get_linestyle() == "-"]
    dashed = [line.get_xydata() for line in ax.lines if line.get_linestyle() == "--"]
    assert len(solid) == len(dashed) == 2
    assert not any((corners == X[5]).all(axis=1).any() for corners in solid)
    assert all((corners == X[5]).all(axis=1).any() for corners in dashed)


@pytest.mark.parametrize(("reaches_out", "text"), [(False, "in no hull"), (True, "in dashed hulls")])
def test_upper_hulls_reach_outliers_only_on_request(ax, butterfly, reaches_out, text):
    X, partition = butterfly
    credal_scatter(ax, X, partition, outliers_in_hulls=reaches_out)
    dashed = [line.get_xydata() for line in ax.lines if line.get_linestyle() == "--"]
    assert any((corners == X[11]).all(axis=1).any() for corners in dashed) is reaches_out
    assert ax.get_legend().get_texts()[-1].get_text() == f"outlier, {text}"


def test_clusters_take_the_colours_they_are_given(ax, butterfly):
    credal_scatter(ax, *butterfly, numbers=[4, 1])
    assert {line.get_color() for line in ax.lines if line.get_linestyle() == "-"} == {PALETTE[4], PALETTE[1]}


def test_colour_is_the_class_and_marker_the_cluster(ax, four_groups):
    X, _, partition = four_groups
    labels = partition.labels()
    swapped = (labels + 1) % 4  # classes numbered otherwise than clusters
    credal_scatter(ax, X, partition, swapped)
    clouds = [
        line for line in ax.lines if line.get_linestyle() == "None" and line.get_markerfacecolor() != "none"
    ]
    assert len(clouds) == 4
    markers, fills = {line.get_marker() for line in clouds}, {line.get_markerfacecolor() for line in clouds}
    assert len(markers) == len(fills) == 4
    assert {line.get_color() for line in ax.lines if line.get_linestyle() == "-"} <= fills


def test_options_of_the_scatter_draw(ax, four_groups):
    X, y, partition = four_groups
    names = ("a", "b", "c", "d")
    credal_scatter(
        ax, X, partition, y, rule="maximum_mass", object_labels=True, class_names=names, number_clusters=True
    )
    assert [text.get_text() for text in ax.get_legend().get_texts()][:4] == list(names)
    assert to_png(ax.figure)[:8] == b"\x89PNG\r\n\x1a\n"


def test_scatter_draws_empty_and_collinear_approximations(ax):
    X = np.column_stack([np.arange(6.0), np.arange(6.0)])
    M = np.zeros((6, 5))
    M[:4, 1] = M[4, 4] = M[5, 4] = 1  # all on a line; clusters 2 and 3 have no sure objects
    credal_scatter(ax, X, CredalPartition(M, FocalSets.simple(3)))
    to_png(ax.figure)


def test_scatter_refuses_wrong_shapes(ax, butterfly):
    X, partition = butterfly
    with pytest.raises(ValueError, match=r"shape \(12, 2\); got shape \(11, 2\)"):
        credal_scatter(ax, X[:-1], partition)
    with pytest.raises(ValueError, match="finite"):
        credal_scatter(ax, np.full((12, 2), np.nan), partition)
    for y in (np.zeros(11, int), np.zeros(12)):
        with pytest.raises(ValueError, match="12 class numbers"):
            credal_scatter(ax, X, partition, y)
    with pytest.raises(ValueError, match="12 texts; got 2"):
        credal_scatter(ax, X, partition, object_labels=["a", "b"])


@pytest.mark.parametrize("draw", [credal_scatter, hard_credal_scatter])
@pytest.mark.parametrize(
    ("factors", "equal"),
    [((1, 1), True), ((1, 2), True), ((1, 50), False), ((1000, 1), False), ((1, 0), True)],
)
def test_axes_have_one_scale_unless_their_ranges_differ(ax, four_groups, draw, factors, equal):
    X, _, partition = four_groups
    draw(ax, X * factors, partition)
    assert ax.get_aspect() == (1 if equal else "auto")


def test_outlines_do_not_depend_on_the_units_of_axes_without_a_common_scale(four_groups):
    X, _, partition = four_groups
    X = X / np.ptp(X, axis=0)
    lines = [
        np.vstack(
            [
                line / factors
                for ring in approximation_rings(X * factors, partition, convex=False)
                for line in ring
            ]
        )
        for factors in ((1, 50), (1, 100), (50, 1))
    ]
    for line in lines[1:]:
        np.testing.assert_allclose(line, lines[0], rtol=1e-9)  # rounding of the products

"""The delta-Bel graph: objects, chosen peaks with their names, the corner, refusals."""

import numpy as np
import pytest

from credalbench.cluster import BPEC
from credalbench.plots import delta_bel, style, to_png

X = np.random.default_rng(0).normal(size=(60, 2)) + 12 * np.repeat([0, 1, 2], 20)[:, None]
FIT = BPEC().fit(X)


def test_objects_and_peaks_stand_at_distance_and_belief(ax):
    assert delta_bel(ax, *FIT.graph_[:2], FIT.peaks_) is ax
    everyone, *chosen = ax.lines
    np.testing.assert_array_equal(everyone.get_xydata(), np.column_stack(FIT.graph_[1::-1]))
    for k, (line, peak) in enumerate(zip(chosen, FIT.peaks_, strict=True)):
        assert line.get_xydata().tolist() == [[FIT.graph_.delta[peak], FIT.graph_.belief[peak]]]
        assert (line.get_color(), line.get_marker()) == (style.colour(k), style.marker(k))
    assert [text.get_text() for text in ax.texts] == [str(peak) for peak in FIT.peaks_]
    to_png(ax.figure)


def test_names_of_the_first_two_peaks_do_not_cover_each_other(ax):
    """They have the same distance, and beliefs that differ little."""
    delta_bel(ax, *FIT.graph_[:2], FIT.peaks_, names=[f"object {i}" for i in range(60)])
    to_png(ax.figure)
    first, second = (text.get_window_extent() for text in ax.texts[:2])
    assert not first.overlaps(second)
    assert ax.texts[0].get_text() == f"object {FIT.peaks_[0]}"


def test_corner_is_two_lines(ax):
    delta_bel(ax, *FIT.graph_[:2], corner=(3.0, 0.2))
    across, up = ax.lines[1:]
    assert set(across.get_xdata()) == {3.0}
    assert set(up.get_ydata()) == {0.2}
    assert len(ax.texts) == 0


def test_many_peaks_have_no_names(ax):
    delta_bel(ax, *FIT.graph_[:2], np.arange(40))
    assert len(ax.lines) == 41
    assert len(ax.texts) == 0


def test_arguments_that_do_not_match_are_refused(ax):
    with pytest.raises(
        ValueError, match=r"belief and delta of the same objects, got shapes \(2,\) and \(3,\)"
    ):
        delta_bel(ax, [0.1, 0.2], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"peaks in 0\.\.1"):
        delta_bel(ax, [0.1, 0.2], [1.0, 2.0], [2])
    with pytest.raises(ValueError, match="expected 2 names, got 1"):
        delta_bel(ax, [0.1, 0.2], [1.0, 2.0], names=["a"])

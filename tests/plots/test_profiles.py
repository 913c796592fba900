"""Figures of profiles: places, signs beside colour, names of rows."""

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import CredalPartition
from credalbench.plots import profile_lines, share_bars
from credalbench.plots.style import MARKERS, PALETTE


@pytest.fixture(scope="module")
def profiles():
    table = pd.DataFrame(
        {
            "u": [0.0, 1, 8, 9],
            "$v$": [1.0, 1, 1, 1],
            "leaf": ["flat", "flat", "flat", "round"],
            "s": [0.0, 1, 2, 3],
        }
    )
    return CredalPartition.from_labels([0, 0, 1, 1]).profiles(table, supplementary=["s"])


def test_numbers_are_means_and_quartiles_in_standard_deviations_of_all(ax, profiles):
    profile_lines(ax, profiles, ["u", "$v$", "s"])
    scale = np.std([0, 1, 8, 9])
    marks = [line for line in ax.lines if line.get_marker() != "None"]
    np.testing.assert_allclose([line.get_xdata()[0] for line in marks], [-4 / scale, 4 / scale])
    assert [line.get_xdata()[1] for line in marks] == [0, 0]  # constant
    (first, *_), (other, *_) = (lines.get_segments() for lines in ax.collections)
    np.testing.assert_allclose(
        [first[:, 0], other[:, 0]], [[-4.5 / scale, -3.5 / scale], [3.5 / scale, 4.5 / scale]]
    )
    assert [line.get_marker() for line in marks] == list(MARKERS[:2])
    assert [line.get_color() for line in marks] == list(PALETTE[:2])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["u", r"\$v\$", "(s)"]


def test_categories_are_shares_of_the_cluster_with_a_tick_for_the_rest(ax, profiles):
    share_bars(ax, profiles, [("leaf", "flat"), ("leaf", "round")])
    bars = [patch for patch in ax.patches if patch.get_facecolor()[:3] != ax.patches[0].get_facecolor()[:3]]
    np.testing.assert_allclose([bar.get_width() for bar in bars], np.array([1, 0.5, 0, 0.5]) * 0.86)
    assert [bar.get_x() for bar in bars] == [0, 1, 0, 1]
    ticks = [line.get_xdata()[0] for line in ax.lines if line.get_marker() == "None"]
    np.testing.assert_allclose(ticks, [0.43, 1.86, 0.43, 1.0])
    assert [text.get_text() for text in ax.texts] == ["1", "2"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["leaf = flat", "leaf = round"]


def test_unknown_attributes_and_values_are_refused(ax, profiles):
    with pytest.raises(ValueError, match="names of numeric attributes, got \\['leaf'\\]"):
        profile_lines(ax, profiles, ["leaf"])
    with pytest.raises(ValueError, match="one of its values, got \\[\\('leaf', 'long'\\)\\]"):
        share_bars(ax, profiles, [("leaf", "long")])

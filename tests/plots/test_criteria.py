"""Criteria against the number of clusters: one curve, and all of them side by side."""

import numpy as np
import pandas as pd
import pytest

from credalbench.plots import criterion_curve, criterion_panels, new_figure, to_png


def criteria(n_repeats=1):
    """EBIC at two to five clusters, highest at three."""
    rows = [("ebic", c, r, -abs(c - 3.0) + 0.1 * r, "") for c in range(2, 6) for r in range(n_repeats)]
    rows += [("ebic", 6, 0, np.nan, "too many"), ("objective", 2, 0, 1.0, "")]
    return pd.DataFrame(rows, columns=["criterion", "c", "repetition", "value", "reason"])


@pytest.mark.parametrize("n_repeats", [1, 4])
def test_a_criterion_has_a_star_at_its_best_number_of_clusters(ax, n_repeats):
    assert criterion_curve(ax, criteria(n_repeats), "ebic", 3) is ax
    (star,) = (line for line in ax.lines if line.get_marker() == "*")
    assert (star.get_xdata()[0], star.get_ydata()[0]) == (3, pytest.approx(0.05 * (n_repeats - 1)))
    assert star.get_color() != ax.lines[0].get_color()
    assert ax.get_xticks().tolist() == [2, 3, 4, 5]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["c = 3"]
    to_png(ax.figure)


def test_a_criterion_to_be_looked_at_has_none(ax):
    criterion_curve(ax, criteria(), "objective", title="Elbow")
    assert not any(line.get_marker() == "*" for line in ax.lines)
    assert ax.get_legend() is None
    assert ax.get_ylabel() == "objective"


def test_a_criterion_without_values_is_refused(ax):
    with pytest.raises(ValueError, match="values of the criterion 'bic', got none"):
        criterion_curve(ax, criteria(), "bic")
    with pytest.raises(ValueError, match=r"out of \[2, 3, 4, 5\], got 6"):
        criterion_curve(ax, criteria(), "ebic", 6)


# ---------------------------------------------------------------- panels


def estimates():
    """EBIC with intervals, an elbow that has a value at 3 and 4 only, and an objective without intervals."""
    rows = [("ebic", c, -abs(c - 3.0), -abs(c - 3.0) - 0.5, -abs(c - 3.0) + 0.5) for c in range(2, 6)]
    rows += [("elbow", c, 0.1 * c, 0.1 * c - 0.2, 0.1 * c + 0.2) for c in (3, 4)]
    rows += [("objective", c, 1.0 / c, -np.inf, np.inf) for c in range(2, 6)]
    return pd.DataFrame(rows, columns=["criterion", "c", "value", "low", "high"])


def stars(ax):
    return [line.get_xdata()[0] for line in ax.lines if line.get_marker() == "*"]


def segments(ax):
    """Lower and upper end of each interval."""
    (bars,) = ax.collections
    return np.array([segment[:, 1] for segment in bars.get_segments()])


def test_each_criterion_has_a_panel_with_its_intervals_and_its_star():
    figure = new_figure(9, 3)
    assert criterion_panels(figure, estimates(), {"ebic": 3, "elbow": 4}, 3) is figure
    assert [ax.get_ylabel() for ax in figure.axes] == ["EBIC", "elbow", "objective"]
    assert [stars(ax) for ax in figure.axes] == [[3], [4], []]
    part = estimates().groupby("criterion").get_group("ebic")
    np.testing.assert_allclose(segments(figure.axes[0]), part[["low", "high"]])
    to_png(figure)


def test_an_interval_without_ends_is_not_drawn():
    figure = criterion_panels(new_figure(9, 3), estimates(), {})
    low, high = segments(figure.axes[2]).T
    np.testing.assert_array_equal(low, high)
    assert np.isfinite(figure.axes[2].get_ylim()).all()


@pytest.mark.parametrize("chosen", [None, 4])
def test_the_number_that_is_recommended_is_a_dotted_line_in_every_panel(chosen):
    figure = criterion_panels(new_figure(9, 3), estimates(), {}, chosen)
    for ax in figure.axes:
        dotted = [line.get_xdata()[0] for line in ax.lines if line.get_linestyle() == ":"]
        assert dotted == ([] if chosen is None else [chosen])


def test_the_words_stand_above_in_lines_that_fit():
    words = "3 clusters (full agreement): EBIC and stability agree; nonspecificity prefers 2. " * 3
    figure = criterion_panels(new_figure(6, 3), estimates(), {}, title=words)
    to_png(figure)
    box = figure.texts[0].get_window_extent()
    assert figure.get_suptitle().count("\n") >= 2
    assert box.x0 >= 0 and box.x1 <= figure.bbox.width
    assert figure.get_suptitle().replace("\n", " ") == words.strip()


def test_tables_of_estimates_are_checked():
    with pytest.raises(ValueError, match=r"needs the columns \['low'\]"):
        criterion_panels(new_figure(), estimates().drop(columns="low"), {})
    with pytest.raises(ValueError, match="at least one row"):
        criterion_panels(new_figure(), estimates().iloc[:0], {})
    with pytest.raises(ValueError, match=r"out of \[3, 4\], got 5"):
        criterion_panels(new_figure(), estimates(), {"elbow": 5})

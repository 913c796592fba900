"""Traces, box plots, curves with error bars, and panels of criteria."""

import numpy as np
import pandas as pd
import pytest

from credalbench.plots import box_plot, criterion_panels, curve_with_errors, new_figure, stress_traces, to_png
from credalbench.plots.curves import jitter, summarise


@pytest.fixture
def runs():
    """Three runs of two solvers, four sweeps each."""
    rows = [
        {"solver": solver, "run": run, "time_s": 0.1 * step * factor, "stress": 1 / (1 + step + run)}
        for solver, factor in (("gradient", 10), ("irqp", 1))
        for run in range(3)
        for step in range(4)
    ]
    return pd.DataFrame(rows)


def test_stress_traces_have_a_line_per_run_and_a_dot_at_its_end(ax, runs):
    assert stress_traces(ax, runs.rename(columns={"time_s": "iteration"}), by="solver", x="iteration") is ax
    lines = [line for line in ax.lines if line.get_linestyle() != "None"]
    dots = [line for line in ax.lines if line.get_linestyle() == "None"]
    assert len(lines) == 6
    assert [len(dot.get_xdata()) for dot in dots] == [3, 3]
    assert ax.get_xlabel() == "iteration"


def test_logarithmic_traces_leave_out_time_zero(ax, runs):
    stress_traces(ax, runs, log_time=True)
    assert min(line.get_xdata().min() for line in ax.lines if len(line.get_xdata()) > 1) > 0
    to_png(ax.figure)


def test_box_plots_show_every_observation(ax, runs):
    assert box_plot(ax, runs, "stress", "solver", order=["irqp", "gradient"]) is ax
    points = [line for line in ax.lines if line.get_linestyle() == "None" and len(line.get_ydata())]
    assert sum(len(line.get_ydata()) for line in points) == len(runs)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["irqp", "gradient"]


def test_box_plots_count_failed_cases(ax, runs):
    runs.loc[0, "stress"] = np.nan
    box_plot(ax, runs, "stress", "solver", log=True)
    assert ax.get_xticklabels()[0].get_text() == "gradient\n(1 missing)"
    to_png(ax.figure)


def test_jitter_is_bounded_and_the_same_every_time():
    offsets = jitter(50, 0.2)
    assert np.abs(offsets).max() <= 0.1
    np.testing.assert_array_equal(offsets, jitter(50, 0.2))


def test_quartiles_and_confidence_interval():
    table = pd.DataFrame({"n": [2, 2, 2, 2, 2, 1], "time_s": [1.0, 2, 3, 4, 5, 7]})
    np.testing.assert_allclose(
        np.column_stack(summarise(table, "n", "time_s", "quartiles")), [[1, 7, 7, 7], [2, 3, 2, 4]]
    )
    _, centres, lows, highs = summarise(table, "n", "time_s", "mean-ci")
    np.testing.assert_allclose(centres, [7, 3])
    half = 2.7764451 * np.sqrt(2.5 / 5)  # Student's 0.975 quantile with 4 degrees of freedom
    np.testing.assert_allclose(highs - lows, [0, 2 * half], rtol=1e-7)  # digits of that constant


@pytest.mark.parametrize("kind", ["quartiles", "mean-ci"])
def test_curves_with_errors_draw_one_curve_per_group(ax, kind):
    n, solver, repetition = np.meshgrid([100, 200, 300], [0, 1], np.arange(5), indexing="ij")
    table = pd.DataFrame(
        {"n": n.ravel(), "solver": solver.ravel(), "time_s": (n * (1 + solver + repetition)).ravel()}
    )
    assert curve_with_errors(ax, table, "n", "time_s", "solver", kind, log=True) is ax
    assert len(ax.containers) == 2
    assert len({container.lines[0].get_marker() for container in ax.containers}) == 2
    text = {"quartiles": "median, quartiles", "mean-ci": "mean, 95 % interval"}
    assert ax.get_legend().get_title().get_text() == text[kind] and ax.get_ylabel() == "time (s, logarithmic)"
    to_png(ax.figure)


def test_tables_without_a_column_or_row_are_refused(ax, runs):
    with pytest.raises(ValueError, match=r"needs the columns \['stress'\]"):
        stress_traces(ax, runs.drop(columns="stress"))
    with pytest.raises(ValueError, match="at least one row"):
        stress_traces(ax, runs.iloc[:0])
    with pytest.raises(ValueError, match="needs the columns"):
        box_plot(ax, runs, "ari", "solver")
    with pytest.raises(ValueError, match="lacks: \\['recm'\\]"):
        box_plot(ax, runs, "stress", "solver", order=["recm"])
    with pytest.raises(ValueError, match="quartiles"):
        curve_with_errors(ax, runs, "run", "stress", kind="range")


# ---------------------------------------------------------------- criteria


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
    first, _, last = figure.axes
    (star,) = (line for line in first.lines if line.get_marker() == "*")
    curve = next(line for line in first.lines if len(line.get_xdata()) == 4)
    assert star.get_ydata()[0] == 0 and star.get_color() != curve.get_color()
    assert first.get_xticks().tolist() == [2, 3, 4, 5]
    assert [text.get_text() for text in first.get_legend().get_texts()] == ["c = 3"]
    assert last.get_legend() is None
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
    with pytest.raises(ValueError, match="values of the criterion 'bic', got none"):
        criterion_panels(new_figure(), estimates().assign(criterion="bic", value=np.nan), {})
    with pytest.raises(ValueError, match=r"among \[3, 4\], got 5"):
        criterion_panels(new_figure(), estimates(), {"elbow": 5})

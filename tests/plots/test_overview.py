"""The figure of a partition of few and of many objects, with and without their positions."""

import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell
from matplotlib import pyplot

from credalbench.plots.overview import ROWS, overview


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_few_objects_have_a_row_each_with_their_names(butterfly):
    _, partition = butterfly
    names = [f"moth {i}" for i in range(11)] + ["a$b$c^{"]  # no formula
    [ax] = partition.named(names).plot().axes
    assert [label.get_text() for label in ax.get_yticklabels()] == [*names[:-1], r"a\$b\$c^{"]
    [ax] = partition.plot().axes
    assert [label.get_text() for label in ax.get_yticklabels()][:3] == ["0", "1", "2"]  # as partition[0]


def test_many_objects_are_sorted_by_cluster_with_outliers_last(four_groups):
    _, _, partition = four_groups
    assert partition.n_objects > ROWS
    [ax] = overview(partition).axes
    assert ax.get_xlabel() == "objects, sorted"


def test_a_map_shows_the_objects_where_they_are_and_names_the_axes(butterfly):
    X, partition = butterfly
    frame = pd.DataFrame(X, columns=["length", "width"], index=list("abcdefghijkl"))
    [ax] = partition.named(frame.index).plot(frame).axes
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("length", "width")
    assert texts(ax) == list("abcdefghijkl")
    shown = np.concatenate([line.get_xydata() for line in ax.lines if line.get_marker() not in ("None", "")])
    assert {tuple(place) for place in X} <= {tuple(place) for place in shown}


def test_of_many_attributes_the_principal_axes_are_shown(four_groups):
    X, _, partition = four_groups
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(5, 5)))[0]
    lifted = np.column_stack([X, np.zeros((200, 3))]) @ turn  # in a plane of five dimensions
    [ax] = overview(partition, lifted).axes
    shares = [int(label.split("(")[1].split("%")[0]) for label in (ax.get_xlabel(), ax.get_ylabel())]
    assert sum(shares) in (99, 100, 101) and shares[0] >= shares[1]  # each is rounded
    assert texts(ax) == []
    shown = np.concatenate([line.get_xydata() for line in ax.lines if line.get_marker() not in ("None", "")])
    spread = np.linalg.norm(X - X.mean(axis=0), axis=1).max()
    assert np.linalg.norm(shown, axis=1).max() == pytest.approx(spread)


def test_one_attribute_is_a_line_and_the_figure_shows_itself(butterfly):
    X, partition = butterfly
    figure = partition.plot(X[:, :1])
    assert figure._repr_html_().endswith('alt="Map of 12 objects in 2 clusters; outliers: 1">')
    shown = [line for line in figure.axes[0].lines if line.get_marker() not in ("None", "")]
    assert shown and all((line.get_ydata() == 0).all() for line in shown)


def test_a_script_shows_the_figure_in_a_window_and_closes_it(butterfly, monkeypatch):
    X, partition = butterfly
    figure, seen = partition.plot(X), []
    monkeypatch.setattr(pyplot, "show", lambda block: seen.append(pyplot.gcf().canvas.figure))
    before = pyplot.get_fignums()
    figure.show()
    assert seen == [figure] and pyplot.get_fignums() == before
    assert figure._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize("end", ["", ";"])
def test_a_cell_shows_the_figure_once_with_a_semicolon_or_without(butterfly, monkeypatch, end):
    X, partition = butterfly
    shell, shown = InteractiveShell(), []
    shell.kernel = None  # as in a notebook
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr("IPython.display.display", shown.append)
    shell.push({"partition": partition, "X": X})
    result = shell.run_cell(f"partition.plot(X).show(){end}")
    assert result.success and result.result is None
    [figure] = shown
    assert figure._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros((3, 2)), r"finite attributes X of shape \(12, p\), got \(3, 2\)"),
        (np.full((12, 2), np.nan), "finite attributes X"),
        ([["a", "b"]] * 12, "X to be an array of numbers"),
        (1.0 - np.eye(12), "attributes or positions X, got 'dissimilarities"),
    ],
)
def test_wrong_attributes_are_refused(butterfly, X, message):
    with pytest.raises(ValueError, match=message):
        butterfly[1].plot(X)

"""The picture of mean ranks: all methods are named, and joined where they do not differ."""

from credalbench.plots import critical_difference, new_figure
from credalbench.plots.critical_difference import groups_within


def test_picture_of_ranks_names_all_methods_and_joins_what_does_not_differ():
    ax = new_figure().subplots()
    ranks = {"a": 1.2, "b": 1.9, "c": 3.0, "d": 3.9}
    critical_difference(ax, ranks, 1.0)
    texts = " ".join(text.get_text() for text in ax.texts)
    assert all(f"{name}" in texts and f"{rank:.1f}" in texts for name, rank in ranks.items())
    bars = [line.get_xdata() for line in ax.lines if line.get_linewidth() == 3][:-1]  # the last is the key
    assert len(bars) == len(groups_within(ranks, 1.0)) == 2
    for (low, high), (first, second) in zip(bars, (("a", "b"), ("c", "d"))):
        assert low <= ranks[first] < ranks[second] <= high


def test_groups_are_the_largest_within_the_critical_difference():
    assert groups_within({"a": 1, "b": 2, "c": 3}, 0.5) == []
    assert groups_within({"a": 1, "b": 2, "c": 3}, 2) == [("a", "b", "c")]

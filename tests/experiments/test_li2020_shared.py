"""What the studies of [li2020_ensemble] share: sentences, data sets, sizes of bases, pictures."""

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.papers.studies import sentences
from credalbench.plots import new_figure
from experiments.li2020_ensemble.shared import ensembles, pictures
from experiments.li2020_ensemble.shared.problems import BASE_CASES, base_sizes, problem

X = np.random.default_rng(0).standard_normal((60, 2)) + 6 * (np.arange(60) % 2)[:, None]


def test_sentences_are_numbered_without_gaps():
    names = list(sentences()["li2020_ensemble"])
    assert names == [f"S{number:02d}" for number in range(1, len(names) + 1)]


@pytest.mark.parametrize(("n", "c"), [(240, 2), (600, 15), (30, 8), (788, 7)])
def test_cases_of_bases_go_from_small_to_large(n, c):
    small, interval, large = (base_sizes(case, n, c) for case in BASE_CASES)
    assert small == (c + 1, c + 1) and large[0] == large[1] == interval[1]
    assert interval[0] == c and small[0] < large[0] < n


def test_problems_have_as_many_classes_as_clusters_and_may_be_standardised():
    raw, standardised = problem("seeds"), problem("seeds", True)
    assert raw.n_clusters == 3 and len(np.unique(raw.y)) == 3
    np.testing.assert_allclose(standardised.X.std(axis=0), 1, rtol=1e-12)  # rounding
    assert raw.X.std(axis=0).max() > 1.5


@pytest.mark.parametrize(
    ("K", "c", "expected"), [(2, 15, 2), (2, 3, 2), (5, 3, 2), (2, 2, None), (None, 9, None)]
)
def test_two_clusters_have_no_pair_but_the_frame(K, c, expected):
    assert ensembles.possible(K, c) == expected


def test_bases_depend_on_their_seed_only_and_have_sizes_of_the_interval():
    bases = ensembles.ecm_bases(X, (2, 6), 5, 0.2, seed=3)
    again = ensembles.ecm_bases(X, (2, 6), 5, 0.2, seed=3)
    assert bases == again
    sizes = [base.n_clusters for base in bases]
    assert len(set(sizes)) > 1 and min(sizes) >= 2 and max(sizes) <= 6


def test_a_rough_partition_gives_back_what_was_possible():
    possible = np.array([1, 2, 3, 0, 4, 6])  # the fourth object is an outlier
    partition = pictures.rough_partition(possible, 3)
    lower, upper = (
        side("maximum_mass") for side in (partition.lower_approximation, partition.upper_approximation)
    )
    np.testing.assert_array_equal(lower @ [1, 2, 4], [1, 2, 0, 0, 4, 0])
    inside = np.arange(6) != 3
    np.testing.assert_array_equal(upper @ [1, 2, 4], possible)
    np.testing.assert_array_equal(partition.outliers(), ~inside)


def test_objects_are_kept_with_their_possible_clusters():
    focal_sets = FocalSets.full(2)
    partition = CredalPartition([[0, 1, 0, 0], [0, 0, 0.9, 0.1], [0, 0, 0, 1], [0.9, 0.1, 0, 0]], focal_sets)
    rows = pictures.object_rows(partition)
    assert rows["possible"].tolist() == [1, 2, 3, 0]
    assert rows["cluster"].tolist() == [1, 2, 1, 1] and rows["object"].tolist() == [1, 2, 3, 4]


def test_a_panel_has_a_colour_for_each_cluster_and_a_marker_for_each_class():
    y, labels = np.arange(60) % 2, np.arange(60) % 3
    rows = pictures.object_rows(CredalPartition.from_labels(labels))
    ax = new_figure().subplots()
    pictures.partition_panel(ax, X, y, rows, 3, "panel", hulls=False)
    drawn = {(line.get_marker(), line.get_markerfacecolor()) for line in ax.lines if len(line.get_xdata())}
    assert len(drawn) == 6

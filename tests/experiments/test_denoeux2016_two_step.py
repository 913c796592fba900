"""The two-step study on S2: it runs, its checks can fail, the paper's cluster numbers are found."""

import numpy as np
import pandas as pd
import pytest

from credalbench.papers import NotCheckable
from experiments.denoeux2016_evclus.two_step_s2 import Parameters, adjacency, claims, misassigned
from experiments.denoeux2016_evclus.two_step_s2 import pairs as reading
from experiments.denoeux2016_evclus.two_step_s2.figures import along_the_pairs, decisions
from tests.data_files import needs_files


@pytest.fixture
def result(smoke_result):
    return smoke_result("denoeux2016_evclus/two_step_s2")


def printed_table():
    """A table of pairs as the paper's run would give it: printed network, printed rows, other entries 1."""
    S = np.ones((15, 15))
    S[[0, 3]] = reading.printed_rows()
    S[:, [0, 3]] = reading.printed_rows().T
    network = reading.pair_network(reading.PRINTED_PAIRS, 15)
    j, l = np.triu_indices(15)
    table = {"cluster": j + 1, "other": l + 1, "similarity": S[j, l], "mutual_from_K": network[j, l]}
    return pd.DataFrame(table)


def renumbered(table, order):
    """The same clusters with other numbers: cluster k becomes ``order[k - 1]``."""
    ends = np.sort(np.asarray(order)[table[["cluster", "other"]].to_numpy() - 1], axis=1)
    return table.assign(cluster=ends[:, 0], other=ends[:, 1])


# ---------------------------------------------------------------- the study


@needs_files
def test_second_step_works_on_the_pairs_of_objects_of_the_first(result):
    """It starts at the stress at which the first one ended."""
    runs = result.tables["runs"].query("start == 0").set_index(["updates", "K"]).sort_index()
    for way in reading.UPDATES:
        start = runs.loc[way].loc[[1, 2], "start_stress"]
        assert start.tolist() == pytest.approx([runs.loc[(way, 0), "stress"]] * 2, rel=1e-9)  # long sums


@needs_files
def test_drawn_decisions_are_those_of_the_partition(result):
    """Figures rebuild the decisions from bit masks, with other cluster numbers."""
    objects = reading.shown(result.params, result.tables, "objects")
    numbers = np.roll(np.arange(1, 16), 4)
    partition = decisions(objects, 1, numbers)
    assert np.array_equal(partition.outliers(), objects["outlier_1"])
    surely = np.bitwise_count(objects["undominated_1"]) == 1
    own = np.log2(objects["undominated_1"][surely & ~objects["outlier_1"]]).astype(int)
    expected = numbers[own]
    assert np.array_equal(partition.labels()[surely & ~objects["outlier_1"]] + 1, expected)


# ---------------------------------------------------------------- checks that can fail


@needs_files
def test_a_second_step_as_fast_as_the_first_holds(result):
    first = result.tables["runs"].query("start == 0")
    runs = pd.concat([first.assign(start=start, time_s=1.0) for start in range(6)])
    assert claims.second_step_is_as_fast(result.params, {"runs": runs}).holds


def test_pairs_are_printed_as_the_example_has_them():
    assert reading.PRINTED_PAIRS[1] == ((1, 4), (7, 11), (9, 12), (10, 14))
    assert [len(reading.PRINTED_PAIRS[K]) for K in (1, 2)] == [4, 12 - 4]


@pytest.fixture
def as_printed():
    """Tables of three starts alike that have the printed network and similarities, clusters renumbered."""
    order = np.random.default_rng(1).permutation(15) + 1
    pairs = renumbered(printed_table(), order)
    pairs["adjacent"] = pairs["mutual_from_K"] > 0
    runs = pd.DataFrame({"K": 0, "stress": 0.1, "start": range(3), "updates": "one-sided"})
    one_and = {n: sorted((int(order[0]), int(order[n - 1]))) for n in (4, 7)}
    offered = [
        {"cluster": j, "other": l, "mass": 80.0 * (n == 4), "largest_mass": 0.5 * (n == 4)}
        for n, (j, l) in one_and.items()
    ]
    return {
        "runs": runs,
        "pairs": pd.concat([pairs.assign(updates="one-sided", start=start) for start in range(3)]),
        "all_pairs": pd.DataFrame(offered).assign(updates="one-sided", start=2, n_ruled=0),
    }


def test_the_printed_network_is_recognised_with_its_similarities(as_printed):
    params = Parameters()
    group = (claims.number_of_pairs, claims.same_network, claims.similarities_as_printed)
    assert all(claim(params, as_printed).holds for claim in group)
    assert len(claims.similarities_as_printed(params, as_printed).compared) == 30
    other = as_printed | {"pairs": as_printed["pairs"].assign(similarity=lambda t: t["similarity"] + 0.2)}
    assert claims.similarities_as_printed(params, other).holds is False


def test_masses_on_pairs_are_read_with_the_papers_numbers(as_printed):
    params = Parameters()
    both = (claims.nothing_on_distant_clusters, claims.mass_on_neighbours)
    assert all(claim(params, as_printed).holds for claim in both)
    swapped = as_printed | {
        "all_pairs": as_printed["all_pairs"].assign(mass=[0.0, 80.0], largest_mass=[0, 0.5])
    }
    assert [claim(params, swapped).holds for claim in both] == [False, False]
    without = as_printed | {"pairs": as_printed["pairs"].assign(mutual_from_K=0)}
    with pytest.raises(NotCheckable, match="no numbers of the paper"):
        claims.mass_on_neighbours(params, without)


def test_objects_of_another_class_are_counted_in_the_best_matching():
    y, labels = np.array([0, 0, 1, 1, 2, 2]), np.array([2, 2, 0, 1, 1, 1])
    assert misassigned(y, labels).tolist() == [False, False, False, True, False, False]


# ---------------------------------------------------------------- the paper's numbering


def test_printed_numbering_is_found_from_any_other():
    """Up to 13 and 15, which only the printed similarities tell apart."""
    table = printed_table()
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(15) + 1
        numbers, found = reading.numbered_as_printed(renumbered(table, order), 15)
        assert found
        assert np.array_equal(numbers[order - 1], np.arange(1, 16))


def test_another_network_keeps_its_own_numbers():
    table = printed_table()
    table.loc[(table["cluster"] == 13) & (table["other"] == 15), "mutual_from_K"] = 3
    numbers, found = reading.numbered_as_printed(table, 15)
    assert not found and np.array_equal(numbers, np.arange(1, 16))


def test_clusters_without_pairs_keep_their_own_numbers():
    """Nothing tells them apart, and backtracking must not try all their orders."""
    assert not reading.numbered_as_printed(printed_table().assign(mutual_from_K=0), 15)[1]


def test_chains_of_pairs_stand_side_by_side():
    network = reading.pair_network(reading.PRINTED_PAIRS, 15)
    order = along_the_pairs(network, np.arange(1, 16)) + 1
    assert order.tolist() == [2, 10, 14, 3, 8, 4, 1, 6, 5, 12, 9, 11, 7, 13, 15]


def test_printed_similarities_name_the_printed_neighbours():
    """Each printed row has its two largest entries, itself aside, where the text has its pairs."""
    rows = reading.printed_rows()
    rows[[0, 1], [0, 3]] = 0
    assert (np.argsort(-rows, axis=1)[:, :2] + 1).tolist() == [[4, 6], [1, 8]]


# ---------------------------------------------------------------- neighbouring clusters


def test_middle_of_a_square_is_adjacent_to_all_corners_and_opposite_corners_are_not():
    X = np.array([[0, 0], [0, 2], [2, 0], [2, 2], [1, 1]], dtype=float)
    table = adjacency(X, np.arange(5), 6)
    assert table[4, :5].all() and not table[0, 3] and not table[1, 2]
    assert not table[5].any(), "a cluster without objects has no neighbour"


def test_middles_on_a_line_count_as_adjacent():
    X = np.column_stack([np.arange(4.0), np.zeros(4)])
    assert adjacency(X, np.arange(4), 4).all()


def test_defaults_are_the_printed_setting():
    params = Parameters()
    assert (params.n_clusters, params.n_pairs, params.d0_quantile, params.alpha) == (15, 100, 0.2, 0.05)
    assert params.n_neighbors == (1, 2)

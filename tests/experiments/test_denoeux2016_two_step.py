"""The two-step study on S2: it runs, its checks can fail, the paper's cluster numbers are found."""

import os

import numpy as np
import pandas as pd
import pytest
from experiments.denoeux2016_evclus.two_step_figures import along_the_pairs, decisions

from credalbench.datasets.download import FOLDER_VARIABLE
from credalbench.runner import run_study
from experiments.denoeux2016_evclus import two_step_claims as claims
from experiments.denoeux2016_evclus import two_step_pairs as reading
from experiments.denoeux2016_evclus.two_step_s2 import Parameters, adjacency, experiment

HAS_FILES = os.path.isdir(os.environ.get(FOLDER_VARIABLE, ""))
needs_files = pytest.mark.skipif(not HAS_FILES, reason=f"{FOLDER_VARIABLE} names no folder of data files")
SMALL = {"profile": "smoke", "n_starts": 1, "n_pairs": 40, "max_iter": 8}


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """The study with one start of each kind, few pairs and few sweeps, stored in a folder of its own."""
    patch = pytest.MonkeyPatch()
    patch.setenv("CREDALBENCH_RESULTS", str(tmp_path_factory.mktemp("results")))
    yield run_study(experiment, **SMALL)
    patch.undo()


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
def test_study_runs_without_errors_and_gives_every_claim_a_verdict(result):
    assert result.errors == []
    verdicts = result.verdicts
    assert len(verdicts) == len(experiment.claims)
    assert set(verdicts["artefact"]) == set(experiment.artefacts)
    assert not (verdicts["verdict"] == "cannot be checked").any()


@needs_files
def test_mathematical_properties_hold(result):
    properties = result.verdicts.query("basis == 'mathematical property'")
    assert (properties["verdict"] == "holds").all()


@needs_files
def test_every_figure_is_drawn(result):
    assert set(result.figures) == set(experiment.artefacts) - {"evclus-ex-05"}
    assert all(result.figure(artefact).png.startswith(b"\x89PNG") for artefact in result.figures)


@needs_files
def test_same_seed_gives_same_tables(result, tmp_path, monkeypatch):
    monkeypatch.setenv("CREDALBENCH_RESULTS", str(tmp_path))
    before = np.random.get_state()[1].copy()  # noqa: NPY002, the generator that nobody may touch
    again = run_study(experiment, **SMALL)
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    for name, table in result.tables.items():
        timeless = [column for column in table if column != "time_s"]
        pd.testing.assert_frame_equal(again.tables[name][timeless], table[timeless], check_exact=True)


@needs_files
def test_second_step_works_on_the_pairs_of_objects_of_the_first(result):
    """It starts at the stress at which the first one ended."""
    runs = result.tables["runs"].set_index(["updates", "K"]).sort_index()
    for way in claims.UPDATES:
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
def test_a_rise_of_the_stress_is_noticed(result):
    runs = result.tables["runs"].copy()
    runs.loc[runs["K"] > 0, "stress"] = 1.0
    assert not claims.check_law(result.params, {"runs": runs}).holds


@needs_files
def test_other_pairs_of_objects_are_noticed(result):
    runs = result.tables["runs"].copy()
    runs.loc[runs["K"] > 0, "start_stress"] *= 1.01
    assert not claims.check_law(result.params, {"runs": runs}).holds


@needs_files
def test_ambiguity_between_far_clusters_is_noticed(result):
    tables = dict(result.tables)
    tables["pairs"] = tables["pairs"].assign(adjacent=False, n_between_0=1)
    assert not claims.check_no_far_ambiguity(result.params, tables).holds


@needs_files
def test_cluster_in_too_many_pairs_is_noticed(result):
    tables = {"pairs": result.tables["pairs"].assign(mutual_from_K=1)}
    assert not claims.check_at_most_K(result.params, tables).holds


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

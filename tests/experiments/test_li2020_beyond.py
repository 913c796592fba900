"""The studies beyond [li2020_ensemble]: are their pieces right, and do they read their tables right?"""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_rand_score

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.relations.combination import combine_partitions
from credalbench.cluster import EvidentialEnsemble
from credalbench.papers import NotCheckable
from experiments.li2020_ensemble import closure_harm, number_of_clusters, other_bases
from experiments.li2020_ensemble.closure_harm.draws import DRAWS, FAR, NO_CLASS
from experiments.li2020_ensemble.number_of_clusters.claims import at_classes, chosen
from experiments.li2020_ensemble.shared import base_kinds, consensus_steps
from experiments.li2020_ensemble.shared.classified import NAMES, classified

BLOBS = np.random.default_rng(0).standard_normal((30, 2)) + 7 * (np.arange(30) % 2)[:, None]


@pytest.fixture(scope="module")
def bases():
    return base_kinds.base_partitions(BLOBS, 5, 3, 0.2, 0)


# ---------------------------------------------------------------- bases and steps


@pytest.mark.parametrize("kind", base_kinds.KINDS)
def test_bases_of_every_kind_follow_from_their_seed_and_differ(kind):
    first, again = (base_kinds.base_partitions(BLOBS, 4, 3, 0.2, 5, kind) for _ in range(2))
    assert first == again
    assert [base.n_objects for base in first] == [30] * 3 and {base.n_clusters for base in first} == {4}
    assert first[0] != first[1]


@pytest.mark.parametrize("closure", consensus_steps.CLOSURES)
def test_steps_are_those_of_the_estimator(bases, closure):
    relation = consensus_steps.closed(combine_partitions(bases), closure)
    found = consensus_steps.recover(relation, 2, 2, seed=3)
    model = EvidentialEnsemble(2, t_norm=consensus_steps.CLOSURES[closure], n_init=2, random_state=3)
    model.fit_from_partitions(bases)
    assert found.objective_trace[-1] == pytest.approx(model.objective_, rel=1e-9)  # order of sums
    # Runs that end equally well but for rounding may number the clusters otherwise.
    assert adjusted_rand_score(found.partition.labels(), model.labels_) == 1


def test_stress_of_one_cluster_counts_each_pair_once():
    """Two objects surely apart and two surely together: of six pairs four have 1 + 1."""
    relation = CredalPartition.from_labels([0, 0, 1, 1]).relational()
    assert consensus_steps.stress_of_one_cluster(relation) == 8
    assert consensus_steps.stress_of_one_cluster(CredalPartition.from_labels([0, 0, 0]).relational()) == 0


def test_drawn_data_differ_by_repetition_and_files_do_not():
    for name in ("fourclass", "half_rings"):
        first, second, again = (classified(name, 40, 0, repetition) for repetition in (0, 1, 0))
        assert not np.array_equal(first.X, second.X) and np.array_equal(first.X, again.X)
    assert classified("fourclass", 40, 0, 0).n_classes == 4
    assert set(NAMES) >= {"wine", "r15", "half_rings"}


# ---------------------------------------------------------------- number of clusters


def test_lifetimes_are_gaps_between_heights_of_single_linkage():
    """Three pairs on a line, 0.1 within; gaps of 0.5 and 0.3 between: heights 0.1, 0.1, 0.1, 0.3, 0.5."""
    places = np.array([0, 0.1, 0.6, 0.7, 1.0, 1.1])
    same = 1 - np.abs(places[:, None] - places)
    found = number_of_clusters.lifetimes_of(same, range(2, 5))
    assert found == pytest.approx({2: 0.2, 3: 0.2, 4: 0.0})


def test_a_power_of_c_has_no_bend_and_one_that_stops_falling_bends_there():
    np.testing.assert_allclose(number_of_clusters.bends([6.0, 3.0, 2.0]), [0, np.nan], atol=1e-12)  # rounding
    np.testing.assert_allclose(number_of_clusters.bends([6.0, 3.0, 3.0]), [1, np.nan], atol=1e-12)
    assert np.isfinite(number_of_clusters.bends([1.0, 0.0, 0.0])[:-1]).all()


def test_stability_is_one_for_equal_partitions_and_corrected_near_zero_by_chance():
    labels = np.arange(200) % 3
    one = CredalPartition.from_labels(labels)
    equal = number_of_clusters.stabilities(one, one, 2, np.random.default_rng(0))
    assert equal == pytest.approx({"stability": 1, "corrected": 1})
    other = CredalPartition.from_labels(np.random.default_rng(1).permutation(labels))
    found = number_of_clusters.stabilities(one, other, 5, np.random.default_rng(0))
    assert abs(found["corrected"]) < 0.05 < found["stability"]  # deviation of a permuted Rand index: 0.005
    vacuous = CredalPartition(np.ones((4, 1)), FocalSets.from_sets(2, [[0, 1]]))
    found = number_of_clusters.stabilities(vacuous, vacuous, 1, np.random.default_rng(0))
    assert np.isnan(found["corrected"])


FITS = pd.DataFrame(
    {
        "dataset": "flame",
        "repetition": 0,
        "closure": "none",
        "c": [2, 3, 4],
        "n_classes": 3,
        "stress": [3.0, 2.0, 1.0],
        "stability": [0.9, 0.9, np.nan],
        "ari": [0.1, 0.2, 0.3],
    }
)


def test_a_criterion_prefers_its_best_value_and_of_equal_ones_the_fewest_clusters():
    assert chosen(FITS, "stress")["c"].item() == 4
    assert chosen(FITS, "stability")["c"].item() == 2 and not chosen(FITS, "stability")["right"].item()
    assert chosen(FITS.iloc[::-1], "stability")["c"].item() == 2
    assert at_classes(FITS)["ari"].item() == 0.2
    with pytest.raises(NotCheckable, match="stability"):
        chosen(FITS.iloc[2:], "stability")


# ---------------------------------------------------------------- harm of a closure


@pytest.mark.parametrize("part", DRAWS)
def test_levels_share_their_random_numbers_and_keep_the_objects_with_a_class(part):
    mild, severe = (DRAWS[part](20, level, np.random.default_rng(0)) for level in (2.0, 3.0))
    if part == "outliers":
        mild, severe = (DRAWS[part](20, level, np.random.default_rng(0)) for level in (0.0, 0.1))
        np.testing.assert_array_equal(mild.X, severe.X[:20])
        assert (severe.y[20:] == NO_CLASS).all() and len(severe.X) == 22
    if part == "bridge":
        np.testing.assert_array_equal(mild.X[:20], severe.X[:20])
        np.testing.assert_allclose(severe.X[20:, 0], FAR * np.array([1, 2, 3]) / 4)
    assert (mild.y[:20] >= 0).all() and set(mild.y) - {NO_CLASS} == set(range(mild.n_classes))


def test_measures_leave_out_objects_without_a_class():
    y = np.array([0, 0, 1, NO_CLASS])
    same = np.full((4, 4), 0.9)
    same[2, :2] = same[:2, 2] = 0.25
    same[0, 1] = same[1, 0] = 0.5
    partition = CredalPartition.from_labels([0, 0, 1, 0])
    found = closure_harm.measures(y, same, partition)
    assert found == {"ari": 1.0, "nonspecificity": 0.0, "same_within": 0.5, "same_between": 0.25}


# ---------------------------------------------------------------- ensemble size, other bases


def test_error_auc_is_the_share_of_pairs_in_which_the_wrong_object_is_less_certain():
    masses = [[1, 0, 0], [0.9, 0, 0.1], [0.5, 0, 0.5], [0, 1, 0]]
    partition = CredalPartition(masses, FocalSets.simple(2, empty=False))
    y = np.array([0, 0, 1, 1])  # the third object is wrong, and the most doubtful
    assert other_bases.outside_majority(partition.labels(), y).tolist() == [False, False, True, False]
    assert other_bases.error_auc(partition, y) == 1.0
    assert np.isnan(other_bases.error_auc(partition, np.array([0, 0, 0, 1])))

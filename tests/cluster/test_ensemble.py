"""EvidentialEnsemble: reductions, what each part gets, sampled pairs, given partitions, bad input."""

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, KMeans

from credalbench.baselines import EvidenceAccumulation
from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.relational import rand_against, relational
from credalbench.belief.relations import close_masses
from credalbench.belief.relations.combination import combine_partitions, mean_empty_mass
from credalbench.cluster import ECM, EvidentialEnsemble
from credalbench.cluster.ensembles.consensus import consensus_stress
from credalbench.cluster.testing.problem import results
from credalbench.datasets import make_half_rings
from credalbench.metrics import adjusted_rand

RNG = np.random.default_rng(0)
GROUPS = np.arange(60) % 3
X = RNG.normal(size=(60, 2)) + 7 * np.column_stack([GROUPS == 1, GROUPS == 2])


def ensemble(c=3, **options):
    return EvidentialEnsemble(c, n_estimators=6, random_state=0).set_params(**options)


@pytest.fixture(scope="module")
def fit():
    return ensemble().fit(X)


# ---------------------------------------------------------------- the parts of an algorithm


def test_the_consensus_finds_what_the_bases_agree_on(fit):
    assert adjusted_rand(GROUPS, fit.labels_) == 1
    assert fit.base_n_clusters_.tolist() == [7] * 6  # the root of 60
    assert fit.converged_
    assert np.diff(fit.objective_trace_).max(initial=0) <= 1e-12 * fit.objective_trace_[0]  # rounding
    assert fit.objective_ == fit.objective_trace_[-1]
    assert len(fit.objective_trace_) == fit.n_iter_ + 1
    assert fit.partners_ is None


def test_attributes_belong_to_each_other(fit):
    """[li2020_ensemble (15)] [li2020_ensemble (30)]"""
    np.testing.assert_array_equal(fit.relation_, combine_partitions(fit.partitions_))
    assert fit.closed_relation_ is fit.relation_
    empty = mean_empty_mass(fit.partitions_)
    np.testing.assert_array_equal(fit.partition_.masses[:, 0], empty)
    assert fit.partition_.focal_sets == FocalSets.simple(3)
    star = fit.partition_.normalized()
    table = relational(star.masses, star.focal_sets)
    apart = ~np.eye(60, dtype=bool)
    square = (table.same - fit.relation_.same) ** 2 + (table.different - fit.relation_.different) ** 2
    assert fit.objective_ == pytest.approx(square[apart].sum() / 2, rel=1e-5)  # targets in single precision
    index = rand_against(star.masses, star.focal_sets, fit.relation_)
    assert fit.credal_rand_ == pytest.approx(index, abs=1e-9)  # normalised again


@pytest.mark.parametrize("t_norm", ["minimum", "yager", np.minimum])
def test_the_closure_comes_between(t_norm):
    parameter = 2.0 if t_norm == "yager" else None
    fit = ensemble(t_norm=t_norm, t_norm_parameter=parameter).fit(X)
    np.testing.assert_array_equal(fit.closed_relation_, close_masses(fit.relation_, t_norm, parameter))
    assert (fit.closed_relation_.same >= fit.relation_.same).all()
    assert adjusted_rand(GROUPS, fit.labels_) == 1


def test_hard_bases_averaged_are_evidence_accumulation():
    """[li2020_ensemble (14)]"""
    fit = ensemble(base=KMeans(n_init=1), base_n_clusters=(4, 12)).fit(X)
    theirs = EvidenceAccumulation(3).fit_from_partitions(np.array(fit.partitions_))
    np.testing.assert_allclose(fit.relation_.same, theirs.co_association_, atol=1e-12)  # as the issue has it
    assert set(fit.base_n_clusters_) <= set(range(4, 13)) and len(set(fit.base_n_clusters_)) > 1
    assert adjusted_rand(theirs.labels_, fit.labels_) == 1


def test_bases_take_turns_and_noise_counts_as_outliers():
    far = np.vstack([X, [[40.0, 40.0]]])
    fit = ensemble(base=[ECM(3), DBSCAN(eps=2.0), KMeans(3, n_init=1)]).fit(far)
    kinds = [isinstance(partition, CredalPartition) for partition in fit.partitions_]
    assert kinds == [True, False, False] * 2
    assert fit.partition_.masses[60, 0] == pytest.approx(1 / 3, abs=0.34)  # DBSCAN's, and more or less ECM's
    assert fit.partition_.masses[60, 0] > fit.partition_.masses[:60, 0].max()


def test_an_object_that_all_bases_find_in_no_cluster_is_an_outlier_with_a_label():
    labels = np.append(GROUPS, -1)
    fit = ensemble().fit_from_partitions([labels] * 2)
    assert fit.partition_.masses[60].tolist() == [1, 0, 0, 0, 0]
    assert adjusted_rand(GROUPS, fit.labels_[:60]) == 1
    assert fit.labels_[60] == 0


def test_informative_pairs_lower_the_stress():
    blurred = RNG.normal(size=(60, 2)) + 2.5 * np.column_stack([GROUPS == 1, GROUPS == 2])
    first, second = (ensemble(pair_neighbors=K).fit(blurred) for K in (None, 2))
    assert second.objective_ < first.objective_
    assert len(second.partition_.focal_sets) > len(first.partition_.focal_sets)
    np.testing.assert_array_equal(second.first_partition_.masses, first.partition_.masses)


REPEATED = np.repeat(np.random.default_rng(0).normal(size=(20, 2)), 3, axis=0)


@pytest.mark.parametrize("data", [np.ones((20, 2)), REPEATED[::20].repeat(9, axis=0), REPEATED], ids=len)
@pytest.mark.parametrize("c", [2, 3])
@pytest.mark.parametrize(
    "options",
    [{}, {"t_norm": "minimum"}, {"init": "random"}, {"n_pairs": 9}, {"base": KMeans(3, n_init=1)}],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::UserWarning")  # a cluster without objects
def test_equal_objects_get_equal_labels(data, c, options):
    fit = ensemble(c, **options).fit(data)
    numbers = np.unique(data, axis=0, return_inverse=True)[1]
    assert len(np.unique(np.column_stack([numbers, fit.labels_]), axis=0)) == numbers.max() + 1
    sets = FocalSets.simple(c, empty=False)
    masses = fit.partition_.normalized().masses[:, 1:]
    stress = consensus_stress(fit.closed_relation_, sets, fit.partners_)
    assert stress.value(masses, sets.conflict.copy()) == pytest.approx(fit.objective_, rel=1e-9)  # rounding


def test_the_minimum_follows_half_rings_and_no_closure_does_not():
    """Figure 2 of the paper, once; the study of that figure has ten repetitions."""
    data = make_half_rings(random_state=0)
    bases = ensemble(2, n_estimators=10).fit(data.X).partitions_
    score = {
        t_norm: adjusted_rand(data.y, ensemble(2, t_norm=t_norm).fit_from_partitions(bases).labels_)
        for t_norm in (None, "minimum")
    }
    assert score["minimum"] > score[None] + 0.3


# ---------------------------------------------------------------- sampled pairs


def test_sampled_pairs_find_the_same_groups_and_all_others_are_all_pairs(fit):
    sampled = ensemble(n_pairs=15).fit(X)
    assert sampled.partners_.shape == sampled.relation_.same.shape == (60, 15)
    assert adjusted_rand(GROUPS, sampled.labels_) == 1
    rows = np.arange(60)[:, None]
    expected = fit.relation_.same[rows, sampled.partners_]
    np.testing.assert_allclose(sampled.relation_.same, expected, atol=1e-12)  # order of sums
    whole = ensemble(n_pairs=59).fit(X)
    assert results(whole) == results(fit)


# ---------------------------------------------------------------- randomness


def test_the_default_numbers_of_clusters():
    for n, c, expected in ((60, 3, 7), (60, 9, 9), (400, 2, 15)):
        numbers = ensemble(c)._numbers(n, np.random.RandomState(0))
        assert numbers == [expected] * 6
    assert ensemble(base=KMeans())._numbers(60, np.random.RandomState(0)) == [None] * 6


# ---------------------------------------------------------------- degenerate and bad input


@pytest.mark.parametrize("n", [2, 3])
def test_few_objects_and_one_cluster(n):
    for c in (1, n):
        fit = EvidentialEnsemble(c, n_estimators=2, random_state=0).fit(X[:n])
        assert sorted(set(fit.labels_)) == list(range(len(set(fit.labels_))))
        np.testing.assert_allclose(fit.partition_.masses.sum(axis=1), 1, atol=1e-12)  # rounding
        assert ensemble(c, n_pairs=1).fit(X[:n]).relation_.same.shape == (n, 1 if n > 2 else n)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_pairs": 5, "t_norm": "minimum"}, "n_pairs=None for a closure"),
        ({"t_norm_parameter": 2.0}, "a t_norm if t_norm_parameter is given, got None"),
        ({"t_norm": "yager"}, "a parameter of the t-norm 'yager'"),
        ({"focal_sets": FocalSets.simple(3)}, "focal sets without the empty set"),
        ({"base": 3}, "base to be a clusterer, a list of clusterers"),
        ({"base": []}, "at least one clusterer as base"),
        ({"base_n_clusters": (5, 2)}, "smaller number first"),
        ({"init": np.ones((3, 3))}, r"init of shape \(60, 4\)"),
        ({"base": DBSCAN(), "base_n_clusters": 3}, "a base with the parameter n_clusters"),
        ({"base": KMeans(2, n_init=1), "rule": "dempster"}, "total conflict about objects"),
    ],
)
def test_bad_arguments_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=f"^expected .*{message}"):
        ensemble(**options).fit(X)


@pytest.mark.parametrize(
    ("partitions", "message"),
    [
        ([], "at least one partition"),
        ([[0, 1, 0], [0, 1]], "of the same objects, got 3 objects and, in partition 1, 2"),
        ([[0]], "partitions of at least 2 objects, got 1"),
        ([[0, 1]], "n_clusters <= n_samples = 2"),
    ],
)
def test_bad_partitions_are_refused(partitions, message):
    with pytest.raises(ValueError, match=f"^expected .*{message}"):
        ensemble().fit_from_partitions(partitions)


def test_all_numbers_of_clusters_of_a_range_are_drawn():
    ensemble = EvidentialEnsemble(2, base_n_clusters=(2, 4), n_estimators=60)
    assert {*ensemble._numbers(30, np.random.RandomState(0))} == {2, 3, 4}


def test_too_many_focal_sets_are_refused_before_the_bases_are_computed(monkeypatch):
    monkeypatch.setattr("credalbench.cluster.ensemble.base_partitions", None)
    with pytest.raises(ValueError, match="at most 8192 focal sets for a matrix of pairs, got 16383"):
        EvidentialEnsemble(14, focal_sets="full").fit(np.random.default_rng(0).normal(size=(30, 2)))

"""The studies of [jiao2022_egmm] with repeated runs: starts, ends, and what is drawn."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal
from sklearn.cluster import KMeans

from credalbench.baselines import FuzzyCMeans
from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster.mixture.em import maximised, memberships, moments
from credalbench.cluster.prototypes.prototype_step import barycentres
from experiments.jiao2022_egmm import algorithm, diamond
from experiments.jiao2022_egmm.diamond import claims
from experiments.jiao2022_egmm.shared import starts
from experiments.jiao2022_egmm.shared.plane import as_classes, clusters_of_classes

TWO_GROUPS = np.random.default_rng(1).standard_normal((40, 2)) + 6 * (np.arange(40) % 2)[:, None]


# ---------------------------------------------------------------- starts


def test_the_usual_value_is_the_most_frequent_one():
    values = pd.Series([1.02, 0.98, 1.01, 5.0, 5.0, np.nan])
    assert starts.usual(values) == 1.01
    assert starts.usual(pd.Series([1.0, 1.0, 3.0, 3.0])) == 3.0  # of equals the largest
    assert np.isnan(starts.usual(pd.Series([np.nan])))


def squared_error(X, labels):
    return sum(((X[labels == k] - X[labels == k].mean(axis=0)) ** 2).sum() for k in np.unique(labels))


@pytest.mark.parametrize("seed", range(5))
def test_after_the_online_phase_no_move_of_a_single_object_lowers_the_squared_error(seed):
    X = np.random.default_rng(seed).normal(size=(60, 2))
    batch = starts.k_means(X, 4, seed).labels_
    labels = starts.online_phase(X, batch)
    least = squared_error(X, labels)
    assert least <= squared_error(X, batch) * (1 + 1e-12)
    assert set(labels) == set(batch)
    for i in range(len(X)):
        for k in range(4):
            moved = labels.copy()
            moved[i] = k
            assert len(set(moved)) < 4 or squared_error(X, moved) >= least - 1e-8


def test_the_online_phase_leaves_clusters_of_one_object():
    X = np.array([[0.0], [0.1], [5.0]])
    np.testing.assert_array_equal(starts.online_phase(X, np.array([0, 0, 1])), [0, 0, 1])


def test_fuzzy_c_means_is_that_of_the_package_but_for_its_end():
    X = np.random.default_rng(0).normal(size=(80, 2)) * 100 + 500 * (np.arange(80) % 3)[:, None]
    prototypes, memberships = starts.fuzzy_c_means(X, 3, 1)
    model = FuzzyCMeans(3, init=prototypes, tol=1e-12).fit(X)
    np.testing.assert_allclose(prototypes, model.cluster_centers_, atol=1e-6 * np.ptp(X))
    np.testing.assert_allclose(memberships, model.membership_, atol=1e-6)
    np.testing.assert_allclose(memberships.sum(axis=1), 1)


def test_k_means_ends_in_a_fixed_point_and_depends_on_its_seed_only():
    model = starts.k_means(TWO_GROUPS, 2, 3)
    again = KMeans(2, init=model.cluster_centers_, n_init=1).fit(TWO_GROUPS)
    np.testing.assert_allclose(again.cluster_centers_, model.cluster_centers_, rtol=1e-12)  # rounding
    np.testing.assert_array_equal(model.labels_, starts.k_means(TWO_GROUPS, 2, 3).labels_)


def test_a_gaussian_mixture_without_ridge_stops_at_a_singular_covariance():
    X = np.column_stack([np.arange(12.0), np.repeat([0.0, 5.0], 6)])
    with pytest.raises(ValueError, match="covariance"):
        for seed in range(20):
            starts.gaussian_mixture(X, 2, seed)
    assert starts.gaussian_mixture(X, 2, 0, reg_covar=0.01).means_.shape == (2, 2)


# ---------------------------------------------------------------- Algorithm 1


def test_q_is_the_expected_log_likelihood_of_the_complete_data():
    """[jiao2022_egmm (22)], term by term; and it grows from the start to the maximisation."""
    X = TWO_GROUPS
    model = algorithm.model_of(X, 2, 0.0)
    start = algorithm.starts(X, 2, 0)["k-means"]
    masses = memberships(X, start, model)[0]
    means = barycentres(start.centers, model.focal_sets)
    logs = [
        np.log(w) + multivariate_normal(m, start.covariances).logpdf(X) for w, m in zip(start.weights, means)
    ]
    expected = float(np.sum(masses * np.transpose(logs)))
    assert algorithm.q_function(X, masses, start, model) == pytest.approx(expected, rel=1e-10)  # rounding
    best = maximised(moments(X, start, model), start, model)
    assert algorithm.q_function(X, masses, best, model) > expected


def test_a_move_raises_q_where_the_parameters_are_not_the_best():
    """The search for a better point finds one from the start, whose parameters do not maximise Q."""
    X = TWO_GROUPS
    model, start = algorithm.model_of(X, 2, 0.0), algorithm.starts(X, 2, 0)["random objects"]
    masses = memberships(X, start, model)[0]
    best = maximised(moments(X, start, model), start, model)
    gap = algorithm.q_function(X, masses, best, model) - algorithm.q_function(X, masses, start, model)
    assert gap > 0 >= algorithm.gains_of_moves(X, start, model, 50, 0).max()


# ---------------------------------------------------------------- Diamond


@pytest.fixture
def starts_of_diamond(smoke_result):
    return smoke_result("jiao2022_egmm/diamond")


def test_diamond_is_the_printed_one_and_its_middle_is_ambiguous(starts_of_diamond):
    verdicts = starts_of_diamond.verdicts
    printed = verdicts[verdicts["claim"].str.startswith("with two and with three clusters")]
    assert printed["verdict"].tolist() == ["reproduced"]
    objects = starts_of_diamond.tables["objects"].query("method == 'egmm'").set_index("object")
    assert objects.loc[6, "Ω"] > 0.9 and objects.loc[3, "{1}"] > 0.9 and objects.loc[9, "{2}"] > 0.9


def test_another_unit_of_the_coordinates_would_differ(starts_of_diamond):
    """A unit larger by a tenth moves every EBIC by 22 ln 1.1."""
    runs = starts_of_diamond.tables["runs"]
    tables = starts_of_diamond.tables | {"runs": runs.assign(ebic=runs["ebic"] - 22 * np.log(1.1))}
    assert claims.usual_ebic_as_printed(starts_of_diamond.params, tables).holds is False
    assert claims.two_clusters_are_chosen(starts_of_diamond.params, tables).holds is True


def test_a_start_without_result_is_a_row_with_a_reason():
    row = diamond.run_row(TWO_GROUPS, 3, None, "singular")
    assert row["status"] == "failed" and row["reason"] == "singular" and np.isnan(row["ebic"])


# ---------------------------------------------------------------- data in the plane


def test_clusters_take_the_numbers_of_the_classes_they_meet():
    y = np.array([0, 0, 1, 1, 2, 2])
    focal_sets = FocalSets.up_to(3, 2, empty=False)
    labels = np.array([2, 2, 0, 0, 1, 1])
    partition = CredalPartition.from_labels(labels, focal_sets)
    np.testing.assert_array_equal(clusters_of_classes(y, labels, 3), [2, 0, 1])
    renamed, order = as_classes(partition, y)
    np.testing.assert_array_equal(order, [2, 0, 1])
    np.testing.assert_array_equal(renamed.on(focal_sets).labels("pignistic"), y)


@pytest.mark.parametrize("study", ["two_class", "four_class"])
def test_whatever_comes_out_of_stand_in_data_is_no_agreement(smoke_result, study):
    judged = smoke_result(f"jiao2022_egmm/{study}").judgements
    of_paper = [j for j in judged if j.claim.basis == "paper"]
    assert {j.verdict for j in of_paper} <= {"on stand-in data only", "not checkable"}

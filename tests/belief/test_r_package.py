"""Every entry of the R package's measures_small against ours."""

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets, decision, transforms
from credalbench.metrics import credal_rand, pairwise_nonspecificity

CLOSE = {"rtol": 0, "atol": 1e-12}  # the package's numbers have 15 digits


@pytest.fixture
def measures(oracle):
    return oracle("measures_small")


def partition_of(measures, which) -> CredalPartition:
    return CredalPartition(measures[f"M{which}"], FocalSets.from_membership(measures[f"F{which}"]))


def objects(lists):
    """The package's list of 1-based object numbers per cluster; a single one comes as a number."""
    return [set(np.atleast_1d(one).tolist()) for one in lists]


def columns(table):
    return [set((np.flatnonzero(column) + 1).tolist()) for column in table.T]


@pytest.mark.parametrize("which", ["1", "2"])
def test_belief_measures(measures, which):
    """[denoeux2016_evclus (24)]"""
    partition, out = partition_of(measures, which), measures["out" + which]
    M, focal_sets = partition.masses, partition.focal_sets
    normal = partition.normalized()
    ours = {
        "conf": M[:, 0],
        "mass.n": normal.masses[:, 1:],
        "pl": partition.contour,
        "pl.n": normal.contour,
        "bel": transforms.singleton_belief(M, focal_sets),
        "bel.n": transforms.singleton_belief(normal.masses, normal.focal_sets),
        "p": partition.to_fuzzy(),
        "betp": transforms.pignistic(M, focal_sets, normalize=False),
        "betp.n": partition.pignistic,
        "N": partition.nonspecificity(),
    }
    for name, value in ours.items():
        np.testing.assert_allclose(value, out[name], **CLOSE, err_msg=name)


@pytest.mark.parametrize("which", ["1", "2"])
def test_decisions_and_approximations(measures, which):
    partition, out = partition_of(measures, which), measures["out" + which]
    largest = decision.selected_clusters(partition.masses, partition.focal_sets, "maximum_mass")
    assert (largest == np.array(out["Y"], dtype=bool)).all()
    assert (partition.interval_dominance() == np.array(out["Ynd"], dtype=bool)).all()
    assert (partition.labels("plausibility") + 1).tolist() == out["y.pl"]
    assert (partition.labels("belief") + 1).tolist() == out["y.bel"]
    assert (np.flatnonzero(partition.outliers()) + 1).tolist() == [out["outlier"]]
    for rule, end in (("maximum_mass", ""), ("interval_dominance", ".nd")):
        assert columns(partition.lower_approximation(rule)) == objects(out["lower.approx" + end])
        assert columns(partition.upper_approximation(rule)) == objects(out["upper.approx" + end])


@pytest.mark.parametrize("which", ["1", "2"])
def test_relational_masses(measures, which):
    partition, theirs = partition_of(measures, which), measures["P" + which]
    table = partition.relational()
    pairs = ~np.eye(len(table.same), dtype=bool)  # the package has 0 on the diagonal, where (9) says nothing
    for part, name in ((table.empty, "Me"), (table.same, "M1"), (table.different, "M0")):
        np.testing.assert_allclose(part[pairs], np.array(theirs[name])[pairs], **CLOSE)
    expected = measures[f"nonspec_relational_{which}"]
    for found in (table.nonspecificity(), pairwise_nonspecificity(partition)):
        assert found == pytest.approx(expected, abs=1e-12)  # 15 digits printed


def test_relational_nonspecificity_of_a_hard_partition(measures):
    hard = CredalPartition.from_labels(np.array(measures["y_hard"]) - 1)
    assert hard.relational().nonspecificity() == measures["nonspec_relational_hard"]


@pytest.mark.parametrize(("kind", "letter"), [("jousselme", "j"), ("belief", "b"), ("conflict", "c")])
def test_credal_rand_indices(measures, kind, letter):
    """[li2020_ensemble (10)] [li2020_ensemble (18)]"""
    P, Q = partition_of(measures, "1"), partition_of(measures, "2")
    hard, other = measures["y_hard"], measures["y_hard2"]
    cases = {"12": (P, Q), "11": (P, P), "1hard": (P, hard), "hardhard": (hard, other)}
    for name, (first, second) in cases.items():
        expected = measures["credal_RI_" + name][letter]
        assert credal_rand(first, second, kind) == pytest.approx(expected, abs=1e-12)  # 15 digits printed


@pytest.mark.parametrize("rule", ["dempster", "yager"])
def test_normalised_partitions(measures, rule):
    """[li2020_ensemble (2)]"""
    theirs = measures[f"normalized_{rule}"]
    ours = partition_of(measures, "1").normalized(rule)
    assert ours.focal_sets == FocalSets.from_membership(theirs["F"])
    np.testing.assert_allclose(ours.masses, theirs["mass"], **CLOSE)
    assert ours.nonspecificity() == pytest.approx(theirs["N"], abs=1e-12)  # 15 digits printed

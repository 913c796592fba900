"""The consensus: the paper's forms written out, laws of the descent, certificates, degenerate relations."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credalbench.belief import CredalPartition, FocalSets, RelationalMasses
from credalbench.belief.relational import relational_of_partners
from credalbench.cluster.conflict.pair_sampling import sample_partners
from credalbench.cluster.conflict.solvers import Trajectory
from credalbench.cluster.ensembles import consensus as module
from credalbench.cluster.ensembles.consensus import after_sweeps, consensus_stress, recovered
from credalbench.cluster.simplex.simplex_qp import kkt_residual
from credalbench.metrics import adjusted_rand, credal_rand
from tests.oracles import ensemble as literal

SEEDS = st.integers(0, 2**32 - 1)
SUBSETS = {
    "simple": lambda c: FocalSets.simple(c, empty=False),
    "pairs": lambda c: FocalSets.pairs(c, empty=False),
    "full": lambda c: FocalSets.full(c, empty=False),
}
every_subsets = st.sampled_from(sorted(SUBSETS))
RULE = {"tol": 1e-6, "max_iter": 200}


def relation_of(seed, n=8):
    """Normalised masses of all pairs that belong to no partition: (n, n) each, and together (n, n, 3)."""
    expected = np.random.default_rng(seed).dirichlet([1, 1, 0.7], (n, n))
    expected = np.triu(expected.transpose(2, 0, 1), 1)
    expected = (expected + expected.transpose(0, 2, 1)).transpose(1, 2, 0)
    expected[np.arange(n), np.arange(n)] = [1, 0, 0]
    return RelationalMasses(np.broadcast_to(0.0, (n, n)), *np.moveaxis(expected, 2, 0).copy()), expected


def sampled(relation, k, seed=0):
    """The same masses for k partners of each object, and the partners."""
    partners = sample_partners(len(relation.same), k, np.random.default_rng(seed))
    return RelationalMasses(*(np.take_along_axis(p, partners, axis=1) for p in relation)), partners


def masses_on(focal_sets, n, seed=0):
    return np.random.default_rng(seed).dirichlet(np.ones(len(focal_sets)), n)


def consensus(relation, c, focal_sets="simple", seed=0, **options):
    rng = np.random.RandomState(seed)
    return recovered(relation, c, focal_sets, rng=rng, **(RULE | options))


def ensemble_of(y, uncertain=0.3, seed=0):
    """The relation of a partition with some doubt about every object."""
    subsets = FocalSets.simple(int(y.max()) + 1, empty=False)
    share = uncertain * np.random.default_rng(seed).random((len(y), 1))
    hard = CredalPartition.from_labels(y, subsets).masses
    return CredalPartition((1 - share) * hard + share * np.eye(len(subsets))[-1], subsets)


# ---------------------------------------------------------------- the paper's forms


@given(SEEDS, every_subsets, st.integers(1, 4))
def test_reduced_stress_is_the_printed_one(seed, subsets, c):
    """[li2020_ensemble (11)] [li2020_ensemble (19)] [li2020_ensemble (22)]"""
    relation, expected = relation_of(seed)
    focal_sets = SUBSETS[subsets](c)
    M = masses_on(focal_sets, len(expected), seed)
    expected = literal.stress(M, expected, focal_sets.sets)
    assert consensus_stress(relation, focal_sets).value(M, None) == pytest.approx(expected, rel=1e-12)
    every = np.array([np.delete(np.arange(len(M)), i) for i in range(len(M))], np.int32)
    pairs = RelationalMasses(*(np.take_along_axis(part, every, axis=1) for part in relation))
    assert consensus_stress(pairs, focal_sets, every).value(M, None) == pytest.approx(expected, rel=1e-12)


@given(SEEDS, every_subsets, st.integers(1, 4))
def test_cost_of_a_row_is_the_printed_one(seed, subsets, c):
    """[li2020_ensemble (20)] [li2020_ensemble (21)] [li2020_ensemble (23)] [li2020_ensemble (24)]
    [li2020_ensemble (25)] [li2020_ensemble (26)] [li2020_ensemble (27)] [li2020_ensemble (28)]
    """
    relation, expected = relation_of(seed)
    focal_sets = SUBSETS[subsets](c)
    M = masses_on(focal_sets, len(expected), seed)
    m, i = masses_on(focal_sets, 1, seed + 1)[0], seed % len(M)
    direct = literal.cost_of_row(m, i, M, expected, focal_sets.sets)
    assert literal.row_in_matrices(m, i, M, expected, focal_sets.sets) == pytest.approx(direct, abs=1e-12)
    Q, u, c_0 = consensus_stress(relation, focal_sets).row_programme(i, M)
    assert m @ Q @ m + u @ m + c_0 == pytest.approx(direct, abs=1e-10)  # the bound that is promised
    Sigma, linear, constant = literal.quadratic_form(i, M, expected, focal_sets.sets)
    other = masses_on(focal_sets, 1, seed + 2)[0]
    on_simplex = (m @ Sigma @ m + linear @ m) - (other @ Sigma @ other + linear @ other)
    assert (m @ Q @ m + u @ m) - (other @ Q @ other + u @ other) == pytest.approx(on_simplex, abs=1e-10)
    assert m @ Sigma @ m + linear @ m + constant == pytest.approx(direct, abs=1e-10)


def test_the_matrix_of_a_row_is_semi_definite_only():
    """All others know nothing: whatever the row says, no pair is told. [li2020_ensemble (28a)]"""
    relation, _ = relation_of(0)
    focal_sets = FocalSets.simple(3, empty=False)
    vacuous = np.tile(np.eye(4)[3], (8, 1))
    assert (consensus_stress(relation, focal_sets).row_programme(0, vacuous).matrix == 0).all()
    hard = CredalPartition.from_labels(np.arange(8) % 3, focal_sets).masses
    values = np.linalg.eigvalsh(consensus_stress(relation, focal_sets).row_programme(0, hard).matrix)
    assert values.min() == pytest.approx(0, abs=1e-12)  # rounding; Omega is in no conflict with anything


# ---------------------------------------------------------------- laws, certificates


@given(SEEDS, every_subsets, st.integers(1, 4), st.sampled_from([None, 3]))
@settings(max_examples=60)
def test_the_stress_never_rises_and_is_that_of_the_result(seed, subsets, c, k):
    relation, _ = relation_of(seed)
    relation, partners = (relation, None) if k is None else sampled(relation, k)
    found = consensus(relation, c, SUBSETS[subsets](c), partners=partners, init="random", seed=seed % 1000)
    trace, M = found.objective_trace, found.partition.masses
    assert np.diff(trace).max(initial=0) <= 1e-12 * trace[0]  # rounding
    stress = consensus_stress(relation, found.partition.focal_sets, partners)
    assert trace[-1] == pytest.approx(stress.value(M, None), rel=1e-12)
    assert found.partition.focal_sets == SUBSETS[subsets](c)
    assert found.first_partition is None


@given(SEEDS, every_subsets)
@settings(max_examples=15)
def test_no_row_can_be_changed_alone_to_advantage(seed, subsets):
    """The conditions of each row's programme, once the descent has come to rest."""
    relation, _ = relation_of(seed, n=6)
    focal_sets = SUBSETS[subsets](3)
    found = consensus(relation, 3, focal_sets, init="random", tol=1e-14, max_iter=1000)
    stress, M = consensus_stress(relation, focal_sets), found.partition.masses
    if found.converged:
        for i in range(len(M)):
            Q, u, _ = stress.row_programme(i, M)
            assert kkt_residual(2 * Q, -u, M[i]) < 1e-4  # relative changes of 1e-14 tell of no more


def test_the_descent_stops_by_the_running_mean_of_relative_changes():
    """[li2020_ensemble (29)], of the stress itself."""
    relation, _ = relation_of(1)
    trace = consensus(relation, 3, init="random", tol=1e-3).objective_trace
    error, errors = 1.0, []
    for before, after in pairwise(trace):
        error = 0.5 * error + 0.5 * abs(after - before) / before
        errors.append(error)
    assert errors[-1] < 1e-3 <= min(errors[:-1])


def test_more_starts_end_no_higher():
    relation, _ = relation_of(2, n=12)
    ends = [consensus(relation, 4, init="random", n_init=m).objective_trace[-1] for m in (1, 4, 16)]
    assert ends == sorted(ends, reverse=True)


@pytest.mark.parametrize("k", [None, 6])
def test_a_partition_is_recovered_from_its_masses_of_pairs(k):
    """Masses with doubt, too, up to the names of clusters: nothing of the relation is left over."""
    y = np.arange(24) % 3
    truth = ensemble_of(y)
    relation, partners = truth.relational(), None
    if k is not None:
        relation, partners = sampled(relation, k)
    found = consensus(relation, 3, partners=partners, n_init=5, init="random", tol=1e-9, max_iter=1000)
    assert adjusted_rand(y, found.partition.labels()) == 1
    assert found.objective_trace[-1] < 1e-8  # descent is linear
    assert found.credal_rand == pytest.approx(1, abs=1e-4)
    np.testing.assert_allclose(found.partition.masses[:, -1], truth.masses[:, -1], atol=1e-3)


@given(SEEDS)
def test_given_masses_are_the_only_start(seed):
    relation, _ = relation_of(seed)
    start = masses_on(FocalSets.simple(3, empty=False), 8, seed)
    one, two = (consensus(relation, 3, init=start, orient=False, n_init=m, seed=m) for m in (1, 3))
    assert one.partition == two.partition
    stress = consensus_stress(relation, one.partition.focal_sets)
    assert one.objective_trace[0] == pytest.approx(stress.value(start, None), rel=1e-12)


@pytest.mark.parametrize("pair_neighbors", [None, 1])
@pytest.mark.parametrize("subsets", ["simple", "full"])
def test_a_search_can_be_looked_at_after_each_of_its_sweeps(subsets, pair_neighbors):
    """From linkage, from turned masses, and from those of the first run."""
    relation, _ = relation_of(3, n=12)
    found = consensus(relation, 3, SUBSETS[subsets](3), pair_neighbors=pair_neighbors, tol=1e-5)
    assert len(found.searches) == 1 + (subsets == "simple") + bool(pair_neighbors)
    for start, stress in found.searches:
        on_the_way = [after_sweeps(start, relation, count) for count in range(len(stress))]
        assert [stopped.objective_trace[-1] for stopped in on_the_way] == pytest.approx(stress, rel=1e-12)
        np.testing.assert_allclose(on_the_way[0].partition.masses, start.masses, atol=1e-9)  # sums to 1
    np.testing.assert_allclose(on_the_way[-1].partition.masses, found.partition.masses, atol=1e-9)
    assert on_the_way[-1].credal_rand == pytest.approx(found.credal_rand, abs=1e-9)  # rounding, carried on


@pytest.mark.parametrize("k", [None, 10])
def test_pairs_of_neighbours_are_added_in_a_second_run(k):
    rng = np.random.default_rng(3)
    x = np.sort(rng.random(30)) * 3
    share = np.exp(-((x[:, None] - [0.5, 1.5, 2.5]) ** 2) * 4)
    truth = CredalPartition(
        share / share.sum(axis=1, keepdims=True), FocalSets.up_to(3, 1, empty=False, omega=False)
    )
    relation, partners = truth.relational(), None
    if k is not None:
        relation, partners = sampled(relation, k)
    found = consensus(relation, 3, pair_neighbors=1, partners=partners)
    first = found.first_partition
    assert first.focal_sets == FocalSets.simple(3, empty=False)
    assert len(found.partition.focal_sets) > len(first.focal_sets)
    before = consensus_stress(relation, first.focal_sets, partners).value(first.masses, None)
    assert found.objective_trace[0] == pytest.approx(before, rel=1e-12)  # it goes on from there
    assert found.objective_trace[-1] <= before


@given(SEEDS, every_subsets)
def test_credal_rand_index_is_that_of_two_partitions(seed, subsets):
    """[li2020_ensemble (10)], where the relation is that of a partition."""
    focal_sets = SUBSETS[subsets](3)
    other = CredalPartition(masses_on(focal_sets, 9, seed), focal_sets)
    relation = other.relational()
    found = consensus(relation, 2, max_iter=2)
    assert found.credal_rand == pytest.approx(
        credal_rand(found.partition, other), abs=1e-7
    )  # root of rounding
    every = np.array([np.delete(np.arange(9), i) for i in range(9)], np.int32)
    pairs = relational_of_partners(other.masses, focal_sets, every)
    by_pairs = consensus(pairs, 2, partners=every, init=found.partition.masses, max_iter=1)
    expected = credal_rand(by_pairs.partition, other)
    assert by_pairs.credal_rand == pytest.approx(expected, abs=1e-7)  # root of rounding


# ---------------------------------------------------------------- degenerate relations, bad input


def vacuous(n):
    return RelationalMasses(*(np.full((n, n), value) for value in (0.0, 0.0, 0.0, 1.0)))


def test_from_ignorance_comes_ignorance():
    found = consensus(vacuous(7), 3, init="random")
    ignorant = found.partition.masses[:, -1] > 1 - 1e-5  # on Omega; squares are compared
    assert ignorant.sum() >= 6  # all pairs then are: whatever the seventh object knows, the others do not
    assert found.objective_trace[-1] < 1e-12
    assert found.converged


def test_one_cluster_is_all_that_there_is():
    found = consensus(ensemble_of(np.arange(6) % 2).relational(), 1)
    assert (found.partition.masses == 1).all()
    assert (found.partition.labels() == 0).all()


@pytest.mark.parametrize("same", [0.0, 0.3, 1.0])
def test_two_objects_are_one_pair(same):
    relation = RelationalMasses(*(np.full((2, 2), value) for value in (0.0, same, 1 - same, 0.0)))
    found = consensus(relation, 2)
    masses = found.partition.relational()
    assert masses.same[0, 1] == pytest.approx(same, abs=1e-6)
    assert masses.different[0, 1] == pytest.approx(1 - same, abs=1e-6)


def test_as_many_clusters_as_objects():
    relation = CredalPartition.from_labels(np.arange(5)).relational()
    found = consensus(relation, 5)
    assert found.objective_trace[-1] == 0
    assert sorted(found.partition.labels()) == list(range(5))


def test_what_does_not_fit_is_refused_by_name():
    relation, _ = relation_of(0)
    broken = relation._replace(same=relation.same[:, :3])
    with pytest.raises(ValueError, match=r"expected 'same' of shape \(8, 8\), got \(8, 3\)"):
        consensus(broken, 2)
    with pytest.raises(ValueError, match="expected masses 'different' in"):
        consensus(relation._replace(different=np.full((8, 8), np.nan)), 2)
    with pytest.raises(ValueError, match="1 <= n_clusters <= n_samples = 8"):
        consensus(relation, 9)
    with pytest.raises(ValueError, match="1 <= pair_neighbors <= n_clusters - 1 = 1"):
        consensus(relation, 2, pair_neighbors=2)
    with pytest.raises(ValueError, match="focal sets without the empty set"):
        consensus(relation, 2, FocalSets.simple(2))
    with pytest.raises(ValueError, match=r"init of shape \(8, 3\)"):
        consensus(relation, 2, init=np.ones((8, 2)) / 2)
    with pytest.raises(ValueError, match="masses of pairs of at least 2 objects"):
        consensus(vacuous(1), 1)


def _run(*stress):
    return Trajectory(np.full((2, 4), 0.25), stress=list(stress))


@pytest.mark.parametrize(("end", "is_kept"), [(0.9, True), (1.0005, True), (1.01, False), (1.9, False)])
def test_a_turned_run_is_kept_unless_its_stress_is_higher(monkeypatch, end, is_kept):
    monkeypatch.setattr(module, "rotate", lambda masses, _: masses)
    monkeypatch.setattr(module, "_lowest", lambda *_, **__: _run(3.0, end))
    kept = module._rotated(None, _run(2.0, 1.0), FocalSets.simple(2), tol=1e-3, max_iter=5)
    assert len(kept) == is_kept

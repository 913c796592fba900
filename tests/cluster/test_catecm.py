"""CatECM: laws, certificates, reductions, oracle, published values."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credalbench.baselines import FuzzyKModes, KModes
from credalbench.belief import FocalSets
from credalbench.cluster import CatECM
from credalbench.cluster.prototypes import category_pass, mass_update
from credalbench.cluster.prototypes.category_pass import (
    CodedTable,
    cluster_shares,
    frequencies_at,
    masses_at,
    set_distances,
)
from credalbench.cluster.prototypes.mass_update import Setting, focal_costs, masses_from_costs, objective
from credalbench.cluster.prototypes.value_weights import optimal_weights, random_weights
from credalbench.core import threads
from credalbench.core.categories import frequencies, read_table
from credalbench.datasets import load
from tests.oracles import catecm as literal
from tests.oracles import recm as literal_ecm

pytestmark = pytest.mark.filterwarnings("ignore:prototypes coincide")  # of a dozen objects
SEEDS = st.integers(0, 2**32 - 1)
ALPHAS = [-1.0, -0.05, 0.0, 1.0]
BETAS = [1.1, 2.0]
SINGLETONS = FocalSets.up_to(3, 1, empty=False, omega=False)
DIAMOND = load("cat_diamond").X


def random_table(seed, n=12, sizes=(3, 2, 4)):
    """Random objects: (n, p) integers."""
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.integers(size, size=n) for size in sizes])


def coded(X, normalize=True, missing="error"):
    codes, domain = read_table(np.asarray(X), missing)
    return CodedTable(codes, domain.scales(codes, normalize), domain)


def nested(blocks):
    """Weights as the oracle takes them: p arrays (c, n_l) -> w[k][l][t]."""
    return [[block[k].tolist() for block in blocks] for k in range(len(blocks[0]))]


def blocks_of(w):
    """The reverse of `nested`."""
    return [np.array([cluster[l] for cluster in w]) for l in range(len(w[0]))]


def random_blocks(seed, data, c=2):
    return data.domain.unstack(random_weights(data, c, np.random.RandomState(seed)))


# ---------------------------------------------------------------- certificates


@settings(max_examples=500)
@given(
    SEEDS,
    st.sampled_from(ALPHAS),
    st.sampled_from(BETAS),
    st.booleans(),
    st.sampled_from(["full", "simple", "pairs"]),
    st.sampled_from([0.3, 1.05, 10.0]),
)
def test_objective_never_rises(seed, alpha, beta, normalize, focal_sets, delta):
    options = {"alpha": alpha, "beta": beta, "delta": delta, "normalize": normalize, "focal_sets": focal_sets}
    fit = CatECM(3, n_init=1, random_state=seed, **options).fit(random_table(seed))
    assert np.diff(fit.objective_trace_).max() <= 1e-13 * fit.objective_trace_[0]  # rounding
    assert fit.converged_
    assert len(fit.objective_trace_) == fit.n_iter_ + 1
    assert fit.objective_ == fit.objective_trace_[-1]


@given(SEEDS, st.sampled_from(ALPHAS), st.sampled_from(BETAS))
def test_no_other_weights_are_better_for_the_same_masses(seed, alpha, beta):
    """[djiberou2019_catecm (14)] against all hard prototypes, and against random weights."""
    rng = np.random.default_rng(seed)
    data, sets = coded(random_table(seed)), FocalSets.full(2)
    masses = rng.dirichlet(np.ones(len(sets)), len(data.codes))

    def cost(weights):
        costs = focal_costs(set_distances(data, weights, sets), sets, alpha, 1.05)
        return objective(masses, costs, beta)

    shares = cluster_shares(masses**beta, data.scales, Setting(sets, alpha, beta, 1.05))
    best = cost(optimal_weights(frequencies(data.codes, shares, data.domain), data.domain))
    others = [blocks_of(w * 2) for w in literal.all_hard_weights(1, data.domain.categories)]
    others += [random_blocks(seed + i, data) for i in range(20)] if seed < 2**31 else []
    assert best <= min(cost(data.domain.stack(blocks)) for blocks in others) * (1 + 1e-12)  # rounding


def test_values_that_tie_share_the_weight():
    """[djiberou2019_catecm (14)], also where sums in another order differ in their last digits."""
    domain = coded([["a", "x"], ["b", "x"], ["c", "y"]]).domain
    counts = np.zeros((domain.n_rows, 2))
    counts[:3] = [[0.1 + 0.2, 0], [0.3, 0], [0.2, 1e-300]]
    blocks = domain.unstack(optimal_weights(counts, domain))
    np.testing.assert_array_equal(blocks[0], [[0.5, 0.5, 0], [0, 0, 1]])
    np.testing.assert_array_equal(blocks[1], [[0.5, 0.5], [0.5, 0.5]])  # nothing counts: all tie


@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("seed", range(3))
def test_best_of_many_starts_is_the_global_minimum(seed, alpha, normalize):
    """At fixed masses the objective is linear in the weights, so some minimum is hard: all are tried."""
    X = random_table(seed, n=8, sizes=(3, 2, 2))
    options = {"alpha": alpha, "normalize": normalize, "n_init": 1}
    lowest, _ = hard_minimum(X, alpha, 10.0, normalize)
    found = [CatECM(2, random_state=start, **options).fit(X).objective_ for start in range(40)]
    assert min(found) == pytest.approx(lowest, rel=1e-12)  # rounding


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("seed", range(3))
def test_no_fit_leaves_the_global_minimum_or_is_below_it(seed, alpha):
    """Also where the empty set takes most starts."""
    X = random_table(seed, n=8, sizes=(3, 2, 2))
    lowest, best = hard_minimum(X, alpha, 0.8, normalize=False)
    options = {"alpha": alpha, "delta": 0.8, "normalize": False}
    assert CatECM(2, init=best, **options).fit(X).objective_ == pytest.approx(lowest, rel=1e-12)  # rounding
    assert CatECM(2, random_state=0, **options).fit(X).objective_ >= lowest * (1 - 1e-12)


def hard_minimum(X, alpha, delta, normalize):
    """The lowest objective of all hard prototypes of two clusters, at beta = 1.1, and these prototypes."""
    data, sets = coded(X, normalize), FocalSets.full(2)
    values, tried = [], [blocks_of(w) for w in literal.all_hard_weights(2, data.domain.categories)]
    for blocks in tried:
        costs = focal_costs(set_distances(data, data.domain.stack(blocks), sets), sets, alpha, delta)
        values.append(objective(masses_from_costs(costs, 1.1), costs, 1.1))
    return min(values), tried[int(np.argmin(values))]


# ---------------------------------------------------------------- oracle


@pytest.mark.parametrize("normalize", [True, False])
@given(SEEDS)
def test_dissimilarities_are_the_printed_ones(normalize, seed):
    """[djiberou2019_catecm (10)] with [djiberou2019_catecm (11)] and [djiberou2019_catecm (8)]."""
    X = random_table(seed, n=6)
    data, sets = coded(X, normalize), FocalSets.full(3)
    blocks = random_blocks(seed, data, 3)
    expected = literal.dissimilarities(X, nested(blocks), sets.sets, data.domain.categories, normalize)
    found = set_distances(data, data.domain.stack(blocks), sets)
    np.testing.assert_allclose(found, expected[:, 1:], atol=1e-14)  # rounding
    assert found.max() <= (1 if normalize else 3) + 1e-14


@given(SEEDS)
def test_weights_of_sets_sum_to_one(seed):
    """[djiberou2019_catecm (9)], from [djiberou2019_catecm (3)]."""
    w = nested(random_blocks(seed, coded(random_table(seed)), 3))
    for A in FocalSets.full(3).sets[1:]:
        for l, size in enumerate(map(len, w[0])):
            assert sum(literal.set_weight(w, A, l, t) for t in range(size)) == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("beta", BETAS)
def test_iterations_agree_with_the_equations(alpha, beta, normalize):
    """[djiberou2019_catecm (12)] to [djiberou2019_catecm (15)], twice from random weights."""
    X, sets = random_table(1), FocalSets.full(2).sets
    blocks = random_blocks(0, coded(X))
    options = {"alpha": alpha, "beta": beta, "delta": 1.05, "normalize": normalize}
    fit = CatECM(2, init=blocks, max_iter=2, **options).fit(X)
    w, domains = nested(blocks), fit.categories_
    for _ in range(2):
        d2 = literal.dissimilarities(X, w, sets, domains, normalize)
        M = literal.masses(d2, sets, alpha, beta, 1.05)
        w = literal.weights(X, M, sets, 2, domains, alpha, beta, normalize)
    assert nested(fit.weights_) == w
    d2 = literal.dissimilarities(X, w, sets, domains, normalize)
    M = literal.masses(d2, sets, alpha, beta, 1.05)
    np.testing.assert_allclose(fit.partition_.masses, M, atol=1e-12)  # rounding
    assert fit.objective_ == pytest.approx(literal_ecm.objective(M, d2, sets, alpha, beta, 1.05), rel=1e-12)


@given(SEEDS, st.sampled_from(ALPHAS))
def test_frequencies_are_the_printed_ones(seed, alpha):
    """[djiberou2019_catecm (15)]."""
    X = random_table(seed, n=6)
    data, sets = coded(X), FocalSets.full(2)
    setting = Setting(sets, alpha, 1.1, 1.05)
    weights = random_weights(data, 2, np.random.RandomState(seed))
    M = masses_at(data, weights, setting)
    found = data.domain.unstack(frequencies_at(data, weights, setting).values)
    for l, values in enumerate(data.domain.categories):
        expected = [
            [literal.frequency(X, M, sets.sets, k, l, t, alpha, 1.1) for t in values] for k in range(2)
        ]
        np.testing.assert_allclose(found[l], expected, rtol=1e-12)  # rounding


# ---------------------------------------------------------------- laws


@settings(max_examples=30)
@given(SEEDS)
def test_names_of_values_do_not_matter(seed):
    """Nor does the order of attributes: the same from the same objects as prototypes."""
    X = random_table(seed)
    names = np.array([["d", "b", "c", "a"], ["y", "x", "", ""], ["8", "10", "9", "x"]])
    renamed = pd.DataFrame({name: names[l][X[:, l]] for l, name in enumerate("pqr")})[["r", "p", "q"]]
    first = CatECM(2, delta=1.05, init=X[:2]).fit(X)
    again = CatECM(2, delta=1.05, init=renamed[:2]).fit(renamed)
    np.testing.assert_allclose(again.partition_.masses, first.partition_.masses, atol=1e-12)  # rounding
    assert again.objective_ == pytest.approx(first.objective_, rel=1e-12)


@settings(max_examples=30)
@given(SEEDS)
def test_a_constant_attribute_adds_nothing_to_the_sum_and_counts_in_the_mean(seed):
    X = random_table(seed)
    more = np.column_stack([X, np.full(len(X), 7)])
    sums = [CatECM(2, init=data[:2], normalize=False).fit(data) for data in (X, more)]
    np.testing.assert_array_equal(sums[1].partition_.masses, sums[0].partition_.masses)
    means = [
        CatECM(2, init=X[:2], delta=1.2).fit(X),
        CatECM(2, init=more[:2], delta=1.2 * 0.75**0.5).fit(more),
    ]
    np.testing.assert_allclose(means[1].partition_.masses, means[0].partition_.masses, atol=1e-12)
    assert means[1].objective_ == pytest.approx(0.75 * means[0].objective_, rel=1e-12)  # p of p + 1


def test_objects_on_several_prototypes_share_their_mass_equally():
    fit = CatECM(2, init=[["a", "x"], ["a", "x"]], max_iter=1).fit([["a", "x"], ["a", "x"], ["b", "y"]])
    np.testing.assert_allclose(fit.partition_.masses[0], [0, 1 / 3, 1 / 3, 1 / 3])
    assert np.isfinite(fit.partition_.masses).all()


def test_blocks_of_objects_and_threads_change_nothing(monkeypatch):
    """Sums of blocks are those of all objects at once; whoever computes them, no bit differs."""
    data = coded(random_table(0, n=3000))
    setting = Setting(FocalSets.full(3), -0.05, 1.1, 1.05)
    weights = random_weights(data, 3, np.random.RandomState(0))
    whole, masses = frequencies_at(data, weights, setting), masses_at(data, weights, setting)
    monkeypatch.setattr(mass_update, "SLICE_ELEMENTS", 1)  # so the least size, 256 rows: a dozen blocks
    results = []
    for n_threads in (1, 2, 5):
        monkeypatch.setattr(threads, "get_num_threads", lambda n_threads=n_threads: n_threads)
        parts = frequencies_at(data, weights, setting)
        results.append((parts.objective, parts.values.tobytes(), masses_at(data, weights, setting).tobytes()))
    assert results[0] == results[1] == results[2]
    assert parts.objective == pytest.approx(whole.objective, rel=1e-12)  # sums in another order
    np.testing.assert_allclose(parts.values, whole.values, rtol=1e-12)
    np.testing.assert_allclose(masses_at(data, weights, setting), masses, rtol=1e-12)


def test_blocks_hold_many_objects_where_attributes_have_many_values():
    """Else adding up a table of frequencies per block would cost more than the objects do."""
    data = coded(np.column_stack([np.arange(3000)] * 2))
    assert 3000 <= category_pass.table_slice_size(data, Setting(FocalSets.full(8), 1, 2, 1)) <= 3002


# ---------------------------------------------------------------- reductions


@given(SEEDS, st.sampled_from([1.1, 1.5]))
def test_with_single_clusters_it_is_fuzzy_k_modes(seed, beta):
    """Unnormalised, without the empty set; as long as no values tie: it takes the first of them."""
    X = random_table(seed, n=41)
    ours = CatECM(3, beta=beta, normalize=False, focal_sets=SINGLETONS, init=X[:3], max_iter=1).fit(X)
    if all(isinstance(cell, int) for cell in ours.prototypes_.to_numpy().ravel()):
        theirs = FuzzyKModes(3, m=beta, init=X[:3], max_iter=1).fit(X)
        np.testing.assert_allclose(ours.partition_.masses, theirs.membership_, atol=1e-12)  # rounding
        np.testing.assert_allclose(ours.objective_trace_, theirs.objective_trace_, rtol=1e-12)
        pd.testing.assert_frame_equal(ours.prototypes_, theirs.prototypes_)


def test_with_hard_masses_it_is_k_modes():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = np.where(rng.random((90, 6)) < 0.7, rng.integers(5, size=(3, 6))[y], rng.integers(5, size=(90, 6)))
    ours = CatECM(3, beta=1.001, normalize=False, focal_sets=SINGLETONS, init=X[:3]).fit(X)
    theirs = KModes(3, init=X[:3]).fit(X)
    assert ours.objective_ == pytest.approx(theirs.objective_, rel=1e-2)  # beta is not 1
    pd.testing.assert_frame_equal(ours.prototypes_, theirs.prototypes_)


# ---------------------------------------------------------------- published


def diamond(normalize, n_init):
    options = {"alpha": -0.05, "beta": 1.1, "delta": 1.05, "normalize": normalize}
    return CatECM(2, n_init=n_init, random_state=0, **options).fit(DIAMOND)


def chosen(fit):
    """The sets of highest mass of objects 1 to 13, as the paper counts them: {object: set}."""
    return dict(enumerate(np.array(fit.partition_.focal_sets.labels)[fit.partition_.hard_credal()], start=1))


def test_cat_diamond_without_normalisation_agrees_with_the_paper_on_figure_2():
    """Few random starts get there: most leave the objects on the empty set."""
    fit = diamond(normalize=False, n_init=400)
    first, second = chosen(fit)[2], chosen(fit)[8]
    assert {first, second} == {"{1}", "{2}"}
    assert {chosen(fit)[i] for i in (2, 3, 4)} == {first}
    assert {chosen(fit)[i] for i in (8, 9, 10)} == {second}
    assert {chosen(fit)[i] for i in (1, 5, 6, 7, 11)} == {"Ω"}
    assert {chosen(fit)[i] for i in (12, 13)} == {"∅"}
    assert fit.partition_.masses[[1, 7]].max(axis=1).tolist() == [1, 1]  # "with full certainty"
    assert sorted(fit.prototypes_.to_numpy().tolist()) == sorted(DIAMOND[[1, 7]].tolist())
    assert fit.objective_ == pytest.approx(10.446, abs=0.0005)
    np.testing.assert_allclose(fit.partition_.masses[11, 0], 0.991, atol=0.0005)


def test_cat_diamond_as_printed_contradicts_the_paper_on_objects_12_and_13():
    """[djiberou2019_catecm (10)]: no distance exceeds 1, less than delta = 1.05."""
    fit = diamond(normalize=True, n_init=20)
    assert {chosen(fit)[i] for i in (1, 5, 6, 7, 11, 12, 13)} == {"Ω"}
    assert fit.objective_ == pytest.approx(5.956, abs=0.0005)
    np.testing.assert_allclose(fit.partition_.masses[11], [0.099, 0.264, 0.264, 0.373], atol=0.0005)
    assert sorted(fit.prototypes_.to_numpy().tolist()) == sorted(DIAMOND[[1, 7]].tolist())


def test_the_score_is_a_mean_over_the_new_objects():
    X = np.random.default_rng(0).integers(0, 3, (30, 4))
    fit = CatECM(2, random_state=0).fit(X)
    assert fit.score(np.vstack([X[:7], X[:7]])) == pytest.approx(fit.score(X[:7]))

"""d0 and the start of EVCLUS, chosen from the data."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics import adjusted_rand_score

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.decision import EmptyClusters
from credalbench.cluster import EVCLUS
from credalbench.cluster.conflict.preliminary import (
    OBJECTS,
    QUANTILES,
    SWEEPS,
    ShortFit,
    chosen,
    sample_objects,
    short_fits,
    starting_masses,
    ward_masses,
)
from credalbench.cluster.conflict.transformation import d0_from_quantile, transformed

CORNERS = np.array([(0.0, 0.0), (6.0, 0.0), (0.0, 6.0), (6.0, 6.0), (20.0, 20.0)])


def groups(n, centers, seed, shares=None):
    rng = np.random.default_rng(seed)
    y = rng.choice(len(centers), n, p=shares)
    return centers[y] + rng.normal(size=(n, centers.shape[1])), y


def grid(c, gap=6.0):
    side = int(np.ceil(np.sqrt(c)))
    return gap * np.array([(k % side, k // side) for k in range(c)], float)


@pytest.mark.parametrize(
    "parameters",
    [{}, {"focal_sets": "pairs"}, {"n_pairs": 50}, {"solver": "lbfgs"}, {"metric": "cityblock"}],
    ids=str,
)
def test_five_groups_that_the_largest_quantiles_miss(parameters):
    X, y = groups(600, CORNERS, 0)
    fit = EVCLUS(5, random_state=0, **parameters).fit(X)
    assert adjusted_rand_score(y, fit.labels_) > 0.98
    assert fit.d0_quantile_ < 0.9


@pytest.mark.parametrize("c", [2, 3, 7, 12])
@pytest.mark.parametrize("balanced", [True, False])
def test_separated_groups_are_found(c, balanced):
    indices = []
    for seed in range(3):
        shares = None if balanced else np.random.default_rng(seed).dirichlet(np.full(c, 2.0))
        X, y = groups(500, grid(c), seed, shares)
        indices.append(adjusted_rand_score(y, EVCLUS(c, random_state=seed).fit(X).labels_))
    assert np.mean(indices) > 0.95  # of 6 standard deviations, with one cluster of a few objects now and then


@pytest.mark.parametrize("n", [200, 800])
def test_far_outliers_are_found_and_are_no_clusters(n):
    X, y = groups(n, grid(3), 1)
    rng = np.random.default_rng(0)
    angles, radii = rng.uniform(0, 2 * np.pi, n // 50), rng.uniform(40, 90, n // 50)
    far = np.column_stack([np.cos(angles), np.sin(angles)]) * radii[:, None]
    fit = EVCLUS(3, random_state=0).fit(np.concatenate([X, far]))
    outliers = fit.partition_.outliers()
    assert outliers[n:].mean() >= 0.9
    assert outliers[:n].mean() <= 0.02
    assert adjusted_rand_score(y, fit.labels_[:n]) > 0.97


def test_the_quantile_that_is_chosen_gives_the_fit_again():
    X, _ = groups(150, CORNERS, 2)
    fit = EVCLUS(5, random_state=0).fit(X)
    again = EVCLUS(5, d0_quantile=fit.d0_quantile_, init=fit.start_, random_state=0).fit(X)
    assert again.d0_ == fit.d0_ == d0_from_quantile(pdist(X), fit.d0_quantile_, condensed=True)
    np.testing.assert_array_equal(again.partition_.masses, fit.partition_.masses)


def test_dissimilarities_give_the_fit_of_their_attributes():
    X, _ = groups(400, CORNERS, 3)  # more objects than the sample has
    of_attributes = EVCLUS(5, random_state=0).fit(X)
    of_matrix = EVCLUS(5, metric="precomputed", random_state=0).fit(squareform(pdist(X)))
    assert of_matrix.d0_quantile_ == of_attributes.d0_quantile_
    np.testing.assert_allclose(of_matrix.partition_.masses, of_attributes.partition_.masses, atol=1e-9)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_short_fits_are_first_sweeps_of_fits_from_the_linkage_of_least_stress():
    X, _ = groups(120, CORNERS, 4)
    d = pdist(X)
    fits = short_fits(squareform(d), 5, 0.05)
    assert [fit.quantile for fit in fits] == list(QUANTILES)
    quantiles = (0.1, 0.45, 0.9)
    starts = [
        ward_masses(transformed(d, d0_from_quantile(d, q, condensed=True), 0.05), FocalSets.simple(5))
        for q in quantiles
    ]
    for fit in fits:
        models = [
            EVCLUS(5, init=start, tol=0.0, max_iter=SWEEPS, d0_quantile=fit.quantile).fit(X)
            for start in starts
        ]
        best = min(models, key=lambda model: model.running_sums_[0])
        assert fit.d0 == best.d0_
        np.testing.assert_allclose(fit.partition.masses, best.partition_.masses, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_groups_of_groups_are_found_among_far_objects(seed):
    """From the linkage at the middle quantile alone, far objects take clusters: adjusted Rand index .39."""
    rng = np.random.default_rng([7, seed])
    outer, inner = np.array([(0, 0), (40, 0), (20, 35)]), np.array([(0, 0), (8, 0), (4, 7)])
    X, y = groups(225, (outer[:, None] + inner).reshape(-1, 2).astype(float), [7, seed])
    angles, radii = rng.uniform(0, 2 * np.pi, 5), rng.uniform(80, 160, 5)
    far = (20, 15) + np.column_stack([np.cos(angles), np.sin(angles)]) * radii[:, None]
    fit = EVCLUS(9, random_state=0).fit(np.concatenate([X, far]))
    outliers = fit.partition_.outliers()
    assert outliers[225:].all() and outliers[:225].mean() <= 0.02
    assert adjusted_rand_score(y, fit.labels_[:225]) > 0.97


def short(masses, quantile):
    return ShortFit(CredalPartition(np.array(masses, float), FocalSets.simple(2)), quantile, quantile)


CLEAR, TOO_SMALL = np.repeat(np.eye(4)[[1, 2]], 20, axis=0), np.repeat(np.eye(4)[[0]], 40, axis=0)


def test_least_nonspecificity_plus_share_of_outliers_is_chosen():
    outlier, ambiguous, empty = CLEAR.copy(), CLEAR.copy(), CLEAR.copy()
    outlier[0] = (0.6, 0.4, 0, 0)
    ambiguous[0] = (0, 0.4, 0, 0.6)  # as nonspecific, but no outlier
    empty[20:] = (0, 0.9, 0, 0.1)
    fits = [short(masses, q) for q, masses in zip((0.1, 0.2, 0.3), (TOO_SMALL, outlier, ambiguous))]
    assert chosen(fits).quantile == 0.3
    ambiguous[:5] = (0, 0.4, 0, 0.6)  # as much again as one outlier of 40, and more
    assert chosen([*fits[:2], short(ambiguous, 0.3)]).quantile == 0.2
    assert chosen([short(empty, 0.1), fits[1]]).quantile == 0.2
    assert chosen([short(empty, 0.1), short(TOO_SMALL, 0.2)]).quantile == 0.1
    assert chosen([short(CLEAR, 0.1), short(CLEAR, 0.2)]).quantile == 0.2


@pytest.mark.parametrize("ties", [False, True])
def test_the_clusters_of_a_linkage_are_those_before_its_last_merges(ties):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 4, size=(30, 2)) if ties else rng.random((30, 2))
        c = int(rng.integers(1, 31))
        labels = ward_masses(pdist(X), FocalSets.simple(c)).argmax(axis=1)
        assert len(set(labels)) == c
        if not ties:
            np.testing.assert_array_equal(labels - 1, cut_tree(linkage(pdist(X), "ward"), c)[:, 0])


def test_without_a_choice_the_start_is_that_of_the_linkage():
    X, _ = groups(100, CORNERS, 5)
    fit = EVCLUS(5, d0=4.0, max_iter=0, random_state=0).fit(X)
    assert fit.d0_ == 4.0 and fit.d0_quantile_ is None
    expected = ward_masses(transformed(pdist(X), 4.0, 0.05), FocalSets.simple(5))
    expected = starting_masses(CredalPartition(expected, FocalSets.simple(5)), FocalSets.simple(5))
    np.testing.assert_array_equal(fit.start_, expected)


def test_random_starts_take_the_same_random_numbers_as_ever():
    X, _ = groups(80, CORNERS, 6)
    fit = EVCLUS(3, d0_quantile=0.9, init="random", max_iter=0, random_state=7).fit(X)
    numbers = np.random.RandomState(7).random((80, 5))
    np.testing.assert_array_equal(fit.start_, numbers / numbers.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("sets", [FocalSets.full(3), FocalSets.pairs(3), FocalSets.simple(3, empty=False)])
def test_starting_masses_are_positive_masses_on_any_focal_sets(sets):
    first = CredalPartition(np.eye(5)[[0, 1, 2, 3, 4]], FocalSets.simple(3))
    masses = starting_masses(first, sets)
    assert (masses > 0).all()
    np.testing.assert_allclose(masses.sum(axis=1), 1)
    for i, A in enumerate(first.focal_sets):
        if A in sets:
            assert masses[i].argmax() == sets.index(A)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_no_short_fit_can_see():
    """Pairs alone; a sample of duplicates; duplicates of which low quantiles are 0."""
    X, _ = groups(60, CORNERS, 7)
    D = squareform(pdist(X))
    partners = np.array([[j for j in range(60) if j != i][:10] for i in range(60)])
    of_pairs = EVCLUS(5, metric="precomputed", random_state=0)
    of_pairs.fit(np.take_along_axis(D, partners, axis=1), partners=partners)
    assert of_pairs.d0_quantile_ == 0.4
    alike = np.zeros((700, 1))
    alike[np.setdiff1d(np.arange(700), sample_objects(700, 2, np.random.RandomState(0)))[0]] = 1.0
    assert EVCLUS(2, d0_quantile=1.0, random_state=0).fit(alike).d0_ == 1.0
    twice = np.repeat([[0.0], [5.0]], [30, 2], axis=0)
    assert EVCLUS(2, random_state=0).fit(twice).d0_ == 5.0


@pytest.mark.parametrize("c", [3, 40])
def test_samples_hold_enough_objects(c):
    rng = np.random.RandomState(0)
    assert len(sample_objects(OBJECTS - 1, 3, rng)) == OBJECTS - 1
    rows = sample_objects(5000, c, rng)
    assert len(rows) == max(OBJECTS, 20 * c) == len(np.unique(rows))


def test_the_warning_of_empty_clusters_names_what_to_change():
    X, _ = groups(200, CORNERS, 0)
    with pytest.warns(EmptyClusters, match=r"Try a smaller d0 or d0_quantile, fewer clusters"):
        EVCLUS(5, d0_quantile=0.9, init="random", random_state=0).fit(X)

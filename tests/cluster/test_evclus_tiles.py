"""EVCLUS on tiles: kinds of input, new objects, limits."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from credalbench.cluster import EVCLUS, TiledDissimilarities
from credalbench.cluster import evclus as module
from credalbench.cluster.conflict.stress import AllPairs
from credalbench.cluster.conflict.tile_pairs import TilePairs
from credalbench.core.resources import NotEnoughMemory
from credalbench.datasets import make_t4
from credalbench.metrics import adjusted_rand

DATA = make_t4(300, random_state=0)
OPTIONS = {"n_pairs": 20, "random_state": 0}


def tiled(X, asked=None):
    def between(rows, columns):
        if asked is not None:
            asked.append(len(rows) * len(columns))
        return cdist(X[rows], X[columns])

    return TiledDissimilarities(len(X), between)


def test_attributes_matrix_and_function_give_the_same_partition():
    D = cdist(DATA.X, DATA.X)
    fits = [
        EVCLUS(4, **OPTIONS).fit(DATA.X),
        EVCLUS(4, metric="precomputed", **OPTIONS).fit(D),
        EVCLUS(4, metric="precomputed", **OPTIONS).fit(tiled(DATA.X)),
    ]
    for fit in fits[1:]:
        masses = fit.partition_.masses
        np.testing.assert_allclose(masses, fits[0].partition_.masses, atol=1e-4)  # single precision
    assert isinstance(fits[0].conflict_pairs_, TilePairs)
    new = DATA.X[:7] + 0.1
    predicted = [
        fit.predict_partition(x).masses for fit, x in zip(fits, (new, cdist(new, DATA.X), cdist(new, DATA.X)))
    ]
    np.testing.assert_allclose(predicted[1], predicted[0], atol=1e-4)  # single precision
    np.testing.assert_allclose(predicted[2], predicted[0], atol=1e-4)


def test_a_file_changes_no_bit(tmp_path):
    in_memory = EVCLUS(4, **OPTIONS).fit(DATA.X)
    in_file = EVCLUS(4, pair_folder=tmp_path, **OPTIONS).fit(DATA.X)
    np.testing.assert_array_equal(in_file.partition_.masses, in_memory.partition_.masses)
    assert list(tmp_path.iterdir()) == []


def test_bytes_hardly_change_a_fit():
    single, in_bytes = (EVCLUS(4, pair_precision=p, **OPTIONS).fit(DATA.X) for p in ("single", "byte"))
    assert in_bytes.conflict_pairs_.delta.nbytes * 4 == single.conflict_pairs_.delta.nbytes
    masses, conflict = in_bytes.partition_.masses, in_bytes.partition_.focal_sets.conflict
    assert in_bytes.objective_ == pytest.approx(in_bytes.conflict_pairs_.value(masses, conflict), rel=1e-12)
    exact = single.conflict_pairs_.value(masses, conflict)  # what rounding to 1/255 costs
    assert single.objective_ - 1e-6 < exact < single.objective_ * (1 + 1e-3)
    assert (in_bytes.labels_ == single.labels_).mean() > 0.99


@pytest.mark.parametrize("solver", ["irqp", "lbfgs", "gradient"])
def test_every_solver_ends_at_the_stress_of_its_partition(solver):
    fit = EVCLUS(4, solver=solver, max_iter=30, tol=1e-3, **OPTIONS).fit(DATA.X)
    masses, conflict = fit.partition_.masses, fit.partition_.focal_sets.conflict
    assert fit.objective_ == pytest.approx(fit.conflict_pairs_.value(masses, conflict), rel=1e-12)  # rounding
    again = EVCLUS(4, solver=solver, init=fit.start_, max_iter=0, **OPTIONS).fit(DATA.X)
    assert again.objective_ == pytest.approx(fit.objective_trace_[0], rel=1e-9)  # softmax of a logarithm


def test_half_of_all_partners_are_all_pairs():
    X = DATA.X[:41]
    sampled, all_pairs = EVCLUS(4, n_pairs=20, random_state=0).fit(X), EVCLUS(4, random_state=0).fit(X)
    assert isinstance(sampled.conflict_pairs_, AllPairs)
    np.testing.assert_array_equal(sampled.partition_.masses, all_pairs.partition_.masses)
    assert isinstance(EVCLUS(4, n_pairs=19, random_state=0).fit(X).conflict_pairs_, TilePairs)


def test_new_objects_are_compared_with_a_sample_of_many(monkeypatch):
    monkeypatch.setattr(module, "REFERENCES", 100)
    fit = EVCLUS(4, **OPTIONS).fit(DATA.X)
    assert len(fit.reference_) == 100 == len(np.unique(fit.reference_))
    new = make_t4(500, random_state=1)
    by_sample = fit.predict_partition(new.X)
    monkeypatch.undo()
    by_all = EVCLUS(4, **OPTIONS).fit(DATA.X).predict_partition(new.X)
    assert np.abs(by_sample.masses - by_all.masses).mean() < 0.02
    assert adjusted_rand(new.y, by_sample.labels("plausibility")) > 0.8
    assert fit.score(new.X) < 0
    lazy = EVCLUS(4, metric="precomputed", **OPTIONS)
    monkeypatch.setattr(module, "REFERENCES", 100)
    lazy.fit(tiled(DATA.X))
    masses = lazy.predict_partition(cdist(new.X, DATA.X[lazy.reference_])).masses
    np.testing.assert_allclose(masses, by_sample.masses, atol=1e-4)  # single precision
    with pytest.raises(ValueError, match="expected dissimilarities to each of the 100 objects"):
        lazy.predict(cdist(new.X, DATA.X))


def test_a_function_is_never_asked_for_the_whole_matrix():
    asked, n = [], 3000
    data = make_t4(n, random_state=0)
    fit = EVCLUS(4, n_pairs=20, metric="precomputed", random_state=0).fit(tiled(data.X, asked))
    assert adjusted_rand(data.y, fit.labels_) > 0.8
    assert sum(asked) < 300 * n + module.REFERENCES**2  # pairs, short fit, references


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "euclidean"}, 'metric="precomputed" for dissimilarities'),
        ({"n_pairs": None}, "n_pairs and pair_sampling"),
        ({"pair_sampling": "independent"}, "n_pairs and pair_sampling"),
        ({"n_pairs": 299, "n_clusters": 301}, "n_clusters"),
        ({"pair_updates": "one-sided"}, 'pair_sampling="independent" for one-sided updates'),
        ({"pair_folder": 3}, "pair_folder to be a path"),
        ({"pair_folder": "no/such/folder"}, "pair_folder to be a folder"),
    ],
)
def test_settings_that_do_not_fit_are_refused(options, message):
    estimator = EVCLUS(4, metric="precomputed", **OPTIONS).set_params(**options)
    with pytest.raises(ValueError, match=message):
        estimator.fit(tiled(DATA.X))


def test_all_pairs_of_a_million_objects_are_refused_with_the_way_out():
    X = np.zeros((1_000_000, 1))
    with pytest.raises(NotEnoughMemory, match=r"got about \d+\.\d GiB .*n_pairs=100, "):
        EVCLUS(4).fit(X)

"""NN-EVCLUS: certificates, reductions, laws, labels and constraints, new objects, bad input."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_rand_score

from credalbench.belief import FocalSets
from credalbench.cluster import EVCLUS, NNEVCLUS
from credalbench.cluster.network.mass_network import Novelty
from credalbench.core.constraints import PairwiseConstraints, random_pairs
from credalbench.datasets import make_t4

DATA = make_t4(120, random_state=0)
BATCHES = {"batch_size": 20, "max_iter": 15}
LINKS = PairwiseConstraints.from_labels(DATA.y, random_pairs(120, 15, np.random.default_rng(0)))
GIVEN = {"must_link": LINKS.must_link, "cannot_link": LINKS.cannot_link}
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


# ---------------------------------------------------------------- certificates


@pytest.mark.parametrize("options", [{}, BATCHES, {"n_hidden": (8, 5)}])
def test_the_loss_never_rises_and_is_that_of_the_masses(options):
    fit = NNEVCLUS(4, random_state=0, **options).fit(DATA.X)
    assert (np.diff(fit.objective_trace_) <= 0).all()
    M, C = fit.partition_.masses, fit.partition_.focal_sets.conflict
    conflicts = (M @ C @ M.T)[np.triu_indices(120, 1)]
    distances = np.sqrt(np.square(DATA.X[:, None] - DATA.X).sum(axis=2))[np.triu_indices(120, 1)]
    delta = 1 - np.exp(np.log(fit.alpha) * np.square(distances / fit.d0_))
    assert fit.objective_ == pytest.approx(np.mean((conflicts - delta) ** 2), rel=1e-9)  # rounding


def test_it_comes_near_what_free_masses_reach():
    """EVCLUS with the same d0 has masses for each object; a network of 20 units comes within a half."""
    fit = NNEVCLUS(4, random_state=0).fit(DATA.X)
    free = EVCLUS(4, d0=fit.d0_, random_state=0).fit(DATA.X)
    assert fit.objective_ < 1.5 * -free.score(DATA.X)
    assert adjusted_rand_score(free.labels_, fit.labels_) > 0.9


# ---------------------------------------------------------------- reductions and laws


@pytest.mark.parametrize("options", [{}, BATCHES])
def test_without_weight_labels_and_constraints_change_nothing(options):
    plain = NNEVCLUS(4, random_state=0, **options).fit(DATA.X)
    nothing = {"labels": np.full(120, -1), "must_link": [], "cannot_link": None}
    for xi, given in ((0.0, GIVEN), (0.5, nothing)):
        fit = NNEVCLUS(4, xi=xi, random_state=0, **options).fit(DATA.X, **given)
        np.testing.assert_array_equal(fit.partition_.masses, plain.partition_.masses)


def test_a_closed_gate_is_no_gate():
    fit = NNEVCLUS(4, random_state=0).fit(DATA.X)
    closed = fit._parameters.copy()
    closed[-2:] = -1e3, 0.0
    network = fit._network
    X = np.random.default_rng(0).normal(size=(5, 2))
    open_, _ = type(network)(network.sizes, False).masses(closed[:-2], X)
    np.testing.assert_allclose(network.masses(closed, X, np.zeros(5))[0], open_, atol=1e-15)  # exp(-1000)


@pytest.mark.parametrize("options", [{}, BATCHES])
def test_units_and_origin_do_not_matter(options):
    """Powers of two and whole numbers change no digit of the standardised data; others round."""
    fit = NNEVCLUS(4, random_state=0, **options).fit(DATA.X)
    scaled = NNEVCLUS(4, random_state=0, **options).fit(DATA.X * 2.0**40)
    np.testing.assert_array_equal(scaled.partition_.masses, fit.partition_.masses)
    assert scaled.d0_ == fit.d0_ * 2.0**40
    moved = NNEVCLUS(4, random_state=0, **options).fit(DATA.X + 5.0)
    assert adjusted_rand_score(moved.labels_, fit.labels_) > 0.95


def test_no_batch_holds_a_single_object():
    for n in (2, 3, 19):
        fit = NNEVCLUS(2, batch_size=2, max_iter=3, random_state=0).fit(DATA.X[:n])
        assert np.isfinite(fit.partition_.masses).all()


# ---------------------------------------------------------------- labels and constraints


@pytest.mark.parametrize("options", [{}, {"batch_size": 20, "max_iter": 40}])
def test_labels_number_the_clusters(options):
    known = np.full(120, -1)
    known[::4] = (DATA.y[::4] + 1) % 4
    fit = NNEVCLUS(4, random_state=0, **options).fit(DATA.X, labels=known)
    rest = known < 0
    assert np.mean(fit.labels_[rest] == (DATA.y[rest] + 1) % 4) > 0.9


def test_constraints_by_name_are_met_and_reported():
    X = pd.DataFrame(DATA.X, index=[f"o{i}" for i in range(120)])
    named = {kind: [(f"o{i}", f"o{j}") for i, j in pairs] for kind, pairs in GIVEN.items()}
    fit = NNEVCLUS(4, xi=2.0, random_state=0).fit(X, **named)
    plain = NNEVCLUS(4, random_state=0).fit(X)
    assert len(fit.violated_) <= len(fit.constraints_.violated(plain.labels_))
    assert 0 <= fit.constraint_cost_ < 0.2
    assert len(fit.constraint_report()) == len(LINKS)


# ---------------------------------------------------------------- novelty and new objects


def test_far_objects_in_all_directions_are_outliers_by_the_gate():
    """Without it they may be (`benchmarks/nnevclus_far.py`)."""
    angles = np.linspace(0, 2 * np.pi, 60)
    far = 300 * np.column_stack([np.cos(angles), np.sin(angles)])
    gated = NNEVCLUS(4, random_state=0).fit(DATA.X)
    found = gated.predict_partition(far)
    eta = np.log1p(np.exp(gated.gate_ @ [1.0, -10.0]))
    assert (found.masses[:, 0] >= eta / (1 + eta) - 1e-12).all()  # rounding
    assert found.outliers().all() and gated.partition_.outliers().mean() < 0.2
    assert NNEVCLUS(4, novelty=None, random_state=0).fit(DATA.X).gate_ is None


def test_scores_are_those_of_the_machine():
    X = np.random.default_rng(0).normal(size=(300, 3))
    found = Novelty.of(X, 0.2, np.random.RandomState(0))
    decision = found.machine.decision_function(X)
    expected = 10 * decision / found.machine.offset_
    np.testing.assert_allclose(found.scores(X), expected, atol=1e-9)  # rounding
    assert np.mean(found.scores(X) < 0) == pytest.approx(0.2, abs=0.05)  # nu, nearly
    assert found.scores(np.full((1, 3), 1e3))[0] == -10


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("options", "given", "message"),
    [
        ({"n_hidden": 0}, {}, "n_hidden"),
        ({"n_hidden": (5, 0)}, {}, "1 <= n_hidden"),
        ({"n_hidden": (5, 5, 5)}, {}, "one or two hidden layers"),
        ({"n_hidden": ()}, {}, "one or two hidden layers"),
        ({"n_hidden": (5, 2.5)}, {}, "an integer n_hidden"),
        ({"batch_size": 1}, {}, "batch_size"),
        ({"novelty": 0.0}, {}, "novelty > 0"),
        ({"novelty": 1.0}, {}, "novelty < 1"),
        ({"label_weight": 1.0}, {}, "label_weight < 1"),
        ({"penalty": -1.0}, {}, "penalty >= 0"),
        ({"d0": 1e-300}, {}, "finite d0 > 1e-100"),
        ({"focal_sets": FocalSets.full(4, empty=False)}, {}, "focal_sets with the empty set"),
        ({}, {"labels": [0, 1]}, r"labels of shape \(120,\)"),
        ({}, {"labels": np.full(120, 4)}, "labels 0..3, or -1"),
        ({}, {"labels": np.full(120, -2)}, "labels 0..3, or -1"),
        ({}, {"labels": np.full(120, 0.5)}, "integer labels"),
    ],
)
def test_bad_input_is_refused_before_work_starts(options, given, message):
    with pytest.raises((ValueError, TypeError), match=message):
        NNEVCLUS(4, **options).fit(DATA.X, **given)


def test_equal_objects_are_refused():
    with pytest.raises(ValueError, match="objects that differ"):
        NNEVCLUS(2).fit(np.ones((10, 2)))

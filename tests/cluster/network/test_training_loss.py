"""The network and the loss of NN-EVCLUS: literal oracle, finite differences, the R package."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from credalbench.belief import FocalSets
from credalbench.cluster.conflict.transformation import gamma_from_d0, phi
from credalbench.cluster.network.mass_network import MassNetwork
from credalbench.cluster.network.training import TrainingLoss, on_all
from credalbench.datasets import load
from tests.oracles import nnevclus as literal

NO_PAIRS = np.empty((0, 2), int)
SIMPLE = FocalSets.simple(3)
ALL = slice(None)
CASES = {
    "plain": {"gated": False, "labels": {}, "must": [], "cannot": [], "penalty": 0.0},
    "gate": {"labels": {}, "must": [], "cannot": [], "penalty": 0.0},
    "labels": {"must": [], "cannot": [], "penalty": 0.0},
    "links": {"labels": {}, "penalty": 0.3},
    "everything": {},
    "two layers": {"hidden": (4, 3)},
    "full": {"focal_sets": FocalSets.full(3)},
}


def problem(gated=True, labels=None, must=None, cannot=None, penalty=0.2, hidden=(5,), focal_sets=SIMPLE):
    """A loss over nine objects, its parameters, and what the literal one takes."""
    rng = np.random.default_rng(3)
    X, novelty = rng.normal(size=(9, 2)), rng.normal(size=9)
    labels = {0: 1, 4: 2, 7: 1} if labels is None else labels
    must = [(0, 1), (1, 8)] if must is None else must
    cannot = [(2, 3), (0, 5), (5, 6)] if cannot is None else cannot
    network = MassNetwork((2, *hidden, len(focal_sets)), gated)
    parameters = network.start(np.random.RandomState(0))
    if gated:
        parameters[-2:] = 0.3, -0.8
    known = np.array(list(labels), int)
    loss = TrainingLoss(
        network, focal_sets, X, novelty if gated else None, 0.4, known,
        np.eye(3)[np.array(list(labels.values()), int)], np.array(must, int).reshape(-1, 2),
        np.array(cannot, int).reshape(-1, 2), 0.35, 0.6, penalty,
    )  # fmt: skip
    delta = phi(squareform(pdist(X)), 0.4)
    rest = (X, novelty, delta, focal_sets.sets, 3, labels, must, cannot, 0.35, 0.6, penalty)
    return loss, parameters, rest


@pytest.mark.parametrize("case", CASES)
def test_loss_is_the_literal_one(case):
    loss, parameters, rest = problem(**CASES[case])
    value, _ = loss.value_and_gradient(parameters, loss.batch(ALL))
    beta = parameters[-2:] if loss.network.gated else None
    expected = literal.loss(loss.network.matrices(parameters), beta, *rest)
    assert value == pytest.approx(expected, rel=1e-12)  # rounding


@pytest.mark.parametrize("case", CASES)
def test_gradient_agrees_with_finite_differences(case):
    loss, parameters, _ = problem(**CASES[case])
    batch = loss.batch(ALL)
    _, gradient = loss.value_and_gradient(parameters, batch)
    for k in range(len(parameters)):
        step = np.zeros(len(parameters))
        step[k] = 1e-5
        ahead, behind = (loss.value_and_gradient(parameters + s, batch)[0] for s in (step, -step))
        assert gradient[k] == pytest.approx((ahead - behind) / 2e-5, abs=1e-9)  # central: square of the step


def test_matrices_are_views_that_cover_the_parameters():
    network = MassNetwork((3, 4, 2, 6), True)
    parameters = network.start(np.random.RandomState(0))
    assert [V.shape for V in network.matrices(parameters)] == [(4, 4), (2, 5), (6, 3)]
    for V in network.matrices(parameters):
        assert np.abs(V).max() <= V.shape[1] ** -0.5
        V[:] = 7.0
    assert (parameters[:-2] == 7.0).all() and parameters[-2:].tolist() == [0.0, -1.0]


def test_a_batch_compares_its_objects_and_sees_all_labels_and_constraints():
    loss, parameters, _ = problem()
    rows = np.array([8, 2, 5])
    value, _ = loss.value_and_gradient(parameters, loss.batch(rows))
    nothing = {"labelled": np.empty(0, int), "wanted": np.empty((0, 3))}
    links = {"must_link": NO_PAIRS, "cannot_link": NO_PAIRS}
    of_pairs = replace(loss, **nothing, **links, X=loss.X[rows], novelty=loss.novelty[rows], penalty=0.0)
    whole = loss.value_and_gradient(parameters, loss.batch(ALL))[0]
    apart = replace(loss, **nothing, **links, penalty=0.0)
    pairs = apart.value_and_gradient(parameters, apart.batch(ALL))[0]
    few = of_pairs.value_and_gradient(parameters, of_pairs.batch(ALL))[0]
    assert value == pytest.approx(whole + 0.65 * (few - pairs), rel=1e-12)  # rounding


def test_some_labels_and_constraints_are_a_sample_without_repetition():
    loss, _, _ = problem()
    rng = np.random.RandomState(0)
    seen = []
    for _ in range(200):
        few = loss.some(2, rng)
        assert len(few.labelled) == 2 and len(few.must_link) + len(few.cannot_link) == 2
        for i, wanted in zip(few.labelled, few.wanted):
            assert wanted.argmax() == {0: 1, 4: 2, 7: 1}[i]
        seen += [*map(tuple, few.must_link), *map(tuple, few.cannot_link)]
        assert set(map(tuple, few.must_link)) <= {(0, 1), (1, 8)}
    counts = [seen.count(pair) for pair in [(0, 1), (1, 8), (2, 3), (0, 5), (5, 6)]]
    assert sum(counts) == 400 and min(counts) > 50  # 80 expected, standard deviation 7
    assert loss.some(5, rng) is loss


@pytest.mark.parametrize("case", ["1it", "links"])
def test_training_agrees_with_the_r_package(oracle, case):
    """R returns the point to which the last accepted slope leads, not yet evaluated: one iteration more."""
    r = oracle(f"nnevclus_fourclass80_{case}")
    X = load("fourclass").X[::5]
    start = np.concatenate([np.ravel(r["V0"]), np.ravel(r["W0"])])
    links = (np.array(r[kind]) - 1 if r[kind] else NO_PAIRS for kind in ("ML_1based", "CL_1based"))
    loss = TrainingLoss(
        MassNetwork((2, r["n_H"], 6), False), FocalSets.simple(4), X, None,
        gamma_from_d0(np.quantile(pdist(X), 0.9)), np.empty(0, int), np.empty((0, 4)), *links,
        0.5, r["xi"], r["lambda"],
    )  # fmt: skip
    end = on_all(loss, loss.batch(ALL), start, tol=0.0, max_iter=r["iterations"] + 1)
    assert end.trace[-2] == pytest.approx(np.ravel(r["crit"])[0], abs=1e-8)  # the project's bound
    expected = np.concatenate([np.ravel(r["param"]["V"]), np.ravel(r["param"]["W"])])
    np.testing.assert_allclose(end.parameters, expected, atol=1e-8)  # the project's bound
    if case == "1it":
        M, _ = loss.network.masses(end.parameters, X)
        np.testing.assert_allclose(M, r["mass"], atol=1e-8)  # the project's bound

"""The solvers of EVCLUS: the stopping rule, the published gradient step by step, counted evaluations."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.special import softmax

from credalbench.belief import FocalSets
from credalbench.cluster import EVCLUS
from credalbench.cluster.conflict import solvers
from credalbench.cluster.conflict.solvers import Trajectory, irqp, silva_almeida
from credalbench.cluster.conflict.stress import AllPairs
from credalbench.cluster.conflict.tile_pairs import TilePairs
from credalbench.cluster.constrained.linked_stress import compile_all_sweeps
from credalbench.datasets import make_t4
from tests.oracles import evclus as literal


def test_stopping_rule_is_the_printed_recursion():
    """[denoeux2016_evclus (21a)], [denoeux2016_evclus (21b)], term by term, and a stress of zero."""
    stress = [1.0, 0.5, 0.4, 0.4, 0.4, 0.4]
    expected, e = [], 1.0
    for previous, value in pairwise(stress):
        e = 0.5 * e + 0.5 * abs(value - previous) / previous
        expected.append(e)
    for tol in (0.6, 0.3, 0.1):
        trajectory = Trajectory(np.zeros((1, 1)))
        stopped = [trajectory.record(value, tol) for value in stress][1:]
        assert stopped == [e < tol for e in expected]
    assert Trajectory(np.zeros((1, 1))).record(0.0, 0.0)


class Drifting(AllPairs):
    """A stress whose sweeps tell it too large, as if rounding had piled up."""

    def sweep(self, *arguments):
        value, running_sum = super().sweep(*arguments)
        return value + 1e-3, running_sum


def test_the_stress_that_row_updates_end_at_is_computed_anew(problem):
    """Not the sum of the changes on the way there."""
    stress, start, focal_sets = problem
    M, C = softmax(start, axis=1), focal_sets.conflict.copy()
    drifting = Drifting(stress.delta)
    trajectory = irqp(drifting, M, C, has_empty=True, tol=0.0, max_iter=4)
    assert trajectory.stress[-1] == stress.value(trajectory.masses, C)
    assert trajectory.stress[-2] > trajectory.stress[-1] + 1e-3  # the others are what the sweeps told


# ---------------------------------------------------------------- the published gradient


@pytest.fixture
def problem():
    """Seven points in two groups: stress, softmax parameters of the start, focal sets."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(7, 2)) + np.repeat([[0, 0], [3, 0]], [4, 3], axis=0)
    return AllPairs(1 - np.exp(-(cdist(X, X) ** 2) / 4)), rng.normal(size=(7, 4)), FocalSets.full(2)


@pytest.mark.parametrize(
    "step_range, happens",
    [((1e-6, 1e4), ("grown", "cut", "halved")), ((0.5, 2.0), ("grown", "cut", "kept in range"))],
)
def test_gradient_takes_the_published_steps(problem, monkeypatch, step_range, happens):
    """[denoeux2016_evclus (16)]: stress and masses of 50 iterations, and the iteration at which it stops."""
    stress, start, focal_sets = problem
    monkeypatch.setattr(solvers, "STEP_RANGE", step_range)
    parameters, values, gains, events = literal.silva_almeida(
        start, stress.delta, focal_sets.sets, 50, step_range
    )
    assert all(events[what] for what in happens)

    def descend(tol):
        masses = softmax(start, axis=1)
        return silva_almeida(stress, masses, focal_sets.conflict, tol=tol, max_iter=50)

    ours = descend(0.0)
    np.testing.assert_allclose(ours.stress, values, rtol=1e-10)  # rounding, carried through 50 iterations
    np.testing.assert_allclose(ours.masses, softmax(parameters, axis=1), atol=1e-10)  # likewise
    assert not ours.converged
    for stop in (10, 40):
        shares = np.array(gains) / values
        stopped = descend(shares[stop] * (1 + 1e-6))  # just above the share of iteration `stop`
        assert len(stopped.stress) - 1 == np.argmax(shares < shares[stop] * (1 + 1e-6)) and stopped.converged


def test_gradient_takes_back_what_raises_the_stress(problem):
    """A first step far too long: halved until the stress falls, at one evaluation each."""
    stress, start, focal_sets = problem
    C, M = focal_sets.conflict, softmax(start, axis=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solvers, "FIRST_STEP", 1e5)
        trajectory = silva_almeida(stress, M, C, tol=0.0, max_iter=60)
    moved = np.flatnonzero(np.diff(trajectory.stress))
    assert moved[0] > 0 and (np.diff(trajectory.stress) <= 0).all()
    assert trajectory.evaluations == list(range(1, 62))
    assert trajectory.stress[-1] == pytest.approx(stress.value(trajectory.masses, C), rel=1e-12)  # rounding


# ---------------------------------------------------------------- evaluations


@pytest.mark.parametrize("solver", ["irqp", "gradient", "lbfgs"])
@pytest.mark.parametrize("n_pairs", [None, 5])
def test_evaluations_are_the_passes_over_all_pairs(monkeypatch, solver, n_pairs):
    """Whatever a solver calls, value, gradient or sweep, is counted when it is called."""
    compile_all_sweeps()  # it calls the methods, too
    seen = []
    for kind in (AllPairs, TilePairs):
        for name in ("value", "value_and_gradient", "sweep"):
            monkeypatch.setattr(kind, name, counted(getattr(kind, name), seen))
    model = EVCLUS(4, solver=solver, n_pairs=n_pairs, d0_quantile=0.9, init="random", random_state=0)
    fit = model.fit(make_t4(40, 0).X)
    assert fit.n_evaluations_ == len(seen)
    assert len(fit.evaluation_trace_) == fit.n_iter_ + 1 and fit.evaluation_trace_[0] == 1
    assert (np.diff(fit.evaluation_trace_) >= 1).all() and fit.evaluation_trace_[-1] <= fit.n_evaluations_


def counted(method, seen):
    def call(*arguments, **options):
        seen.append(method.__name__)
        return method(*arguments, **options)

    return call

"""A slice of what `tools/fuzz.py` does before a release, and the fuzzer itself on estimators with faults."""

import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from credalbench.belief import CredalPartition
from tests.fuzzing import verdicts
from tests.fuzzing.calls import ESTIMATORS, Call, draw, sensible
from tests.fuzzing.functions import SENSIBLE, SUBJECTS, draw_function, parameters_of
from tests.fuzzing.reproductions import shrunk
from tests.fuzzing.stand_ins import dying, hanging
from tests.fuzzing.verdicts import judge
from tools import fuzz

ROOT = Path(__file__).resolve().parents[1]
N_CALLS = 200


@pytest.mark.parametrize("kind", [(), ("--functions",)], ids=["estimators", "functions"])
def test_every_call_ends_in_a_valid_result_or_a_clear_error(kind):
    command = [sys.executable, "-P", "tools/fuzz.py", f"--seeds={N_CALLS}", *kind]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{N_CALLS} calls, 0 kinds of findings" in done.stdout


def test_every_function_is_drawn_and_has_sensible_values_for_every_parameter():
    assert {draw_function(seed).name for seed in range(1500)} == set(SUBJECTS)
    parameters = {p.name for function, _ in SUBJECTS.values() for p in parameters_of(function)}
    assert parameters == set(SENSIBLE)


def test_every_seed_draws_one_call_and_every_estimator_is_drawn():
    calls = [draw(seed) for seed in range(200)]
    assert [call.text for call in calls[:20]] == [draw(seed).text for seed in range(20)]
    assert {call.cls for call in calls} == set(ESTIMATORS.values())


@pytest.mark.parametrize("name", ESTIMATORS)
def test_there_are_sensible_values_for_every_parameter(name):
    for parameter in ESTIMATORS[name]().get_params():
        assert sensible(ESTIMATORS[name], parameter)


# ---------------------------------------------------------------- estimators with faults


class Faulty(BaseEstimator):
    """Does what `fault` says; without, what it should.

    Attributes
    ----------
    objective_trace_ : (2,) array
        Never increases.
    """

    def __init__(self, fault=None, more=0):
        self.fault = fault
        self.more = more

    def fit(self, X):
        self.labels_ = np.zeros(len(X), int)
        self.objective_trace_ = np.array([2.0, 1.0])
        self.partition_ = CredalPartition.from_labels(self.labels_)
        getattr(self, f"_{self.fault}", lambda X: None)(X)
        return self

    def predict(self, X):
        return self.labels_ + (np.random.default_rng().random() if self.fault == "forgetful" else 0)

    def _nan(self, X):
        self.objective_ = np.nan

    def _short(self, X):
        self.labels_ = self.labels_[1:]

    def _heavy(self, X):
        self.membership_ = np.full((len(X), 2), 0.5 + 1e-8)

    def _rising(self, X):
        self.objective_trace_ = self.objective_trace_[::-1]

    def _loud(self, X):
        warnings.warn("overflow encountered in square", RuntimeWarning, stacklevel=1)

    def _greedy(self, X):
        X[0] = 0

    def _endless(self, X):
        while True:
            pass

    def _inner(self, X):
        np.linalg.inv(np.zeros((2, 2)))

    def _curt(self, X):
        raise ValueError("no")

    def _wrong(self, X):
        raise KeyError("expected a message of another type, got this one")

    def _clear(self, X):
        raise ValueError("expected something else, got this")

    def _large(self, X):
        if X.max() > 7:
            raise ZeroDivisionError


def call(fault, **options):
    A = np.arange(1.0, 13.0).reshape(6, 2) + 1 / 3
    return Call(Faulty, A, parameters={"fault": repr(fault), "more": "3"}, **options)


@pytest.mark.parametrize(
    ("fault", "verdict"),
    [
        (None, "valid"),
        ("clear", "clear ValueError"),
        ("nan", "NaN or infinity in objective_"),
        ("short", "labels_ that are none"),
        ("heavy", "rows off the simplex"),
        ("rising", "an objective that goes the wrong way"),
        ("loud", "RuntimeWarning: overflow encountered in square"),
        ("greedy", "changed its input"),
        ("endless", "no end within 0.2 s"),
        ("inner", "LinAlgError: Singular matrix"),
        ("curt", "ValueError: no"),
        ("wrong", "KeyError: "),
    ],
)
def test_a_fault_is_found(fault, verdict, monkeypatch):
    if fault == "endless":
        monkeypatch.setattr(verdicts, "LIMIT_S", 0.2)
    assert judge(call(fault)).startswith(verdict)


@pytest.mark.parametrize(
    ("fault", "text", "verdict"),
    [
        (None, "fit.predict(X) == fit.predict(X)", "valid"),
        ("forgetful", "fit.predict(X) == fit.predict(X)", "False: fit.predict(X) == fit.predict(X)"),
        (None, "fit.predict(X) + inf", "NaN or infinity in fit.predict(X) + inf"),
    ],
)
def test_a_fault_in_what_follows_is_found(fault, text, verdict):
    assert judge(call(fault, after=("repr(fit)", text))) == verdict


def test_a_reproduction_is_small_and_runs():
    small = shrunk(call("large", X="A.copy()", after=("repr(fit)",)))
    assert small.A.shape == (1, 1)
    assert (small.X, small.parameters, small.after) == ("A", {"fault": "'large'"}, ())
    with pytest.raises(ZeroDivisionError):
        exec(small.text, {})


@pytest.mark.long
@pytest.mark.parametrize(
    ("serve", "verdict"), [(dying, "the process died"), (hanging, "no end: the process had to be killed")]
)
def test_a_process_that_dies_or_hangs_costs_its_seed_only(serve, verdict, monkeypatch):
    monkeypatch.setattr(fuzz, "serve", serve)
    patience = 1.0 if serve is hanging else 60.0
    monkeypatch.setattr(fuzz, "PATIENCE_S", {"judge": patience, "shrink": patience})
    report = fuzz.fuzz(range(2), 1, partial(draw, names=["COPKMeans"]))
    assert report.counts == {verdict: 2}
    assert report.findings == {("COPKMeans", verdict)}

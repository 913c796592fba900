"""A fit in a thread of its own: stopped at any time, it leaves its surroundings, and a result or none."""

import time
from contextlib import contextmanager
from threading import Event

import pytest
from numba.core.caching import NullCache

from credalbench.explore.shared import fit_beside
from credalbench.explore.shared.fit_beside import BackgroundFit
from credalbench.kernels import kernel

SOON = 60  # s; until something must have happened, on a machine that does other things, too


@contextmanager
def noted(steps):
    steps.append("in")
    try:
        yield
    finally:
        steps.append("out")


def test_stopped_work_is_left_with_its_surroundings_and_tells_nobody():
    steps, told = [], []

    def work():
        steps.append("work")
        try:
            while True:
                time.sleep(1e-3)
        except Exception:  # as estimators have it
            steps.append("swallowed")

    beside = BackgroundFit(work, lambda: noted(steps), told.append)
    while "work" not in steps:
        time.sleep(1e-3)
    beside.stop()
    assert beside.wait(SOON)
    assert steps == ["in", "work", "out"] and told == []


def test_a_stop_that_gets_lost_is_said_again(monkeypatch):
    steps = []

    class Clumsy:
        def __del__(self):
            steps.append("destructor")
            while True:
                time.sleep(1e-3)

    def work():
        Clumsy()  # Python drops what is raised in a destructor
        steps.append("went on")
        while True:
            time.sleep(1e-3)

    monkeypatch.setattr(fit_beside, "AGAIN_S", 0.05)
    monkeypatch.setattr("sys.unraisablehook", lambda _: None)
    beside = BackgroundFit(work, lambda: noted(steps), steps.append)
    while "destructor" not in steps:
        time.sleep(1e-3)
    beside.stop()
    assert steps == ["in", "destructor", "went on", "out"]


def test_stopping_at_any_time_leaves_a_result_or_none():
    """Whenever the stop comes, the thread ends, its surroundings are left and the result is whole."""
    results = []

    def work():
        for _ in range(10):
            time.sleep(1e-4)
        return "whole"

    for i in range(300):
        steps, told = [], []
        beside = BackgroundFit(work, lambda: noted(steps), told.append)  # noqa: B023
        time.sleep(3e-5 * (i % 100))
        beside.stop()
        assert steps == ["in", "out"]
        results.append(beside.result())
    assert set(results) == {None, "whole"}


class Telling(NullCache):
    """A cache that holds nothing, and tells when numba begins to compile."""

    def __init__(self):
        self.begun = Event()

    def load_overload(self, sig, target_context):
        self.begun.set()


def test_a_stop_waits_while_a_kernel_is_compiled():
    """In the middle of numba it may get lost in a destructor, or leave half of what was made."""

    @kernel
    def square(x):
        return x * x

    def work():
        while True:
            square(3.0)

    square._cache = Telling()
    beside = BackgroundFit(work, lambda: noted([]), lambda _: None)
    assert square._cache.begun.wait(SOON)
    assert beside.progress.text() == "compiled loops are made ready"
    beside.stop()
    assert beside.wait(SOON)
    assert len(square.signatures) == 1


def test_what_work_raises_comes_with_the_result():
    def work():
        raise ValueError("too few objects")

    beside = BackgroundFit(work, lambda: noted([]), lambda _: None)
    assert beside.wait(SOON)
    with pytest.raises(ValueError, match="too few"):
        beside.result()

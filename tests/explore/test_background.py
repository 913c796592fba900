"""Fits in a background thread: cancelled at any time, they leave their context, and a result or none."""

import time
from contextlib import contextmanager
from threading import Event

import pytest
from numba.core.caching import NullCache

from credalbench.core.kernels import kernel, pieces
from credalbench.core.progress import track, track_iterations, track_step
from credalbench.core.threads import map_rows
from credalbench.explore.background import BackgroundFit
from tests.explore.browser import SOON


@contextmanager
def noted(steps):
    steps.append("in")
    try:
        yield
    finally:
        steps.append("out")


def iterations():
    for _ in track_iterations(10**9, "iteration"):
        time.sleep(1e-3)


def items():
    for _ in track(range(10**9), "start"):
        time.sleep(1e-3)


def single_items():
    while True:
        for _ in track([0], "start"):
            time.sleep(1e-3)


def steps_of_one():
    while True:
        with track_step("step"):
            time.sleep(1e-3)


def ranges():
    for _ in pieces(0, 10**9, 1e9):
        time.sleep(1e-3)


def blocks():
    for _ in map_rows(lambda rows: time.sleep(1e-3), 10**4, 1):
        pass


@pytest.mark.parametrize("loop", [iterations, items, single_items, steps_of_one, ranges, blocks])
def test_a_stop_ends_every_kind_of_loop_and_leaves_the_context(loop):
    steps, ended = [], []

    def work():
        steps.append("work")
        try:
            loop()
        except Exception:  # as estimators have it
            steps.append("swallowed")

    fit = BackgroundFit(work, lambda: noted(steps), ended.append)
    while "work" not in steps:
        time.sleep(1e-3)
    fit.stop()
    assert fit.wait(SOON)
    assert steps == ["in", "work", "out"] and ended == []
    assert fit.progress.text() == "" and fit.result() is None


def test_a_stop_before_the_work_begins_leaves_it_out():
    steps, let = [], Event()

    @contextmanager
    def slow_context():
        let.wait(SOON)
        yield

    fit = BackgroundFit(lambda: steps.append("work"), slow_context, steps.append)
    fit.progress.cancel()
    let.set()
    fit.stop()
    assert steps == [] and fit.result() is None


def test_stopping_at_any_time_leaves_a_result_or_none():
    """Whenever the stop comes, the thread ends, its context is left and the result is whole."""
    results = []

    def work():
        for _ in track_iterations(10, "iteration"):
            time.sleep(1e-4)
        return "whole"

    for i in range(300):
        steps, ended = [], []
        fit = BackgroundFit(work, lambda: noted(steps), ended.append)  # noqa: B023
        time.sleep(3e-5 * (i % 100))
        fit.stop()
        assert steps == ["in", "out"]
        results.append(fit.result())
    assert set(results) == {None, "whole"}


class EmptyCache(NullCache):
    """A cache without entries that notes when numba begins to compile."""

    def __init__(self):
        self.begun = Event()

    def load_overload(self, sig, target_context):
        self.begun.set()


def test_a_stop_waits_while_a_kernel_is_compiled():
    """What numba has begun to make is whole afterwards."""

    @kernel
    def square(x):
        return x * x

    def work():
        for _ in track_iterations(10**9, "iteration"):
            square(3.0)

    square._cache = EmptyCache()
    fit = BackgroundFit(work, lambda: noted([]), lambda _: None)
    assert square._cache.begun.wait(SOON)
    assert fit.progress.text() == "iteration 1, preparing compiled loops"
    fit.stop()
    assert fit.wait(SOON)
    assert len(square.signatures) == 1


def test_an_error_of_the_work_is_raised_with_its_result():
    def work():
        raise ValueError("too few objects")

    fit = BackgroundFit(work, lambda: noted([]), lambda _: None)
    assert fit.wait(SOON)
    with pytest.raises(ValueError, match="too few"):
        fit.result()

"""Loops report their progress to a listener."""

from threading import Thread

import pytest

from credalbench.core.progress import Progress, listen, show_progress, track, track_iterations, track_step
from tests.listening import listened


def test_nested_loops_are_reported_from_the_outside_in():
    def compute():
        found = []
        for letter in track("ab", "start"):
            found += [letter * k for k in track_iterations(2, "iteration")]
        return found

    result, reported = listened(compute)
    assert result == ["", "a", "", "b"]
    assert reported == [
        "start 1 of 2",
        "start 1 of 2, iteration 1",
        "start 1 of 2, iteration 2",
        "start 2 of 2",
        "start 2 of 2, iteration 1",
        "start 2 of 2, iteration 2",
    ]


def test_a_single_start_is_not_reported():
    def compute():
        for _ in track(["given"], "start"):
            for _ in track_iterations(5, "iteration"):
                break

    assert listened(compute)[1] == ["iteration 1"]


def test_loops_left_early_are_no_longer_reported():
    def compute():
        with pytest.raises(ZeroDivisionError):
            for k in track_iterations(3, "iteration"):
                1 / (1 - k)
        for _ in track_iterations(3, "sweep"):
            break
        with track_step("closing"):
            pass

    assert listened(compute)[1] == ["iteration 1", "iteration 2", "sweep 1", "closing"]


def test_generators_belong_to_the_loop_that_uses_them():
    def compute():
        starts = (letter for letter in track("ab", "start"))
        for _ in starts:
            for _ in track_iterations(1, "iteration"):
                pass

    assert listened(compute)[1][-1] == "start 2 of 2, iteration 1"


def test_loops_without_a_listener_yield_their_items():
    assert list(track([1, 2], "start")) == [1, 2]
    assert list(track_iterations(3, "iteration")) == [0, 1, 2]
    with track_step("closing"):
        pass


def test_progress_of_another_thread_is_not_reported():
    progress = Progress()
    progress.cancel()  # would end a loop that reports
    with listen(progress):
        thread = Thread(target=lambda: reported.extend(track_iterations(2, "iteration")))
        reported = []
        thread.start()
        thread.join()
    assert reported == [0, 1]


def test_progress_is_printed_on_one_line_that_is_empty_afterwards(capsys, monkeypatch):
    monkeypatch.setattr("credalbench.core.progress.monotonic", iter(range(100)).__next__)
    with show_progress():
        for _ in track("ab", "start"):
            for _ in track_iterations(12, "iteration"):
                pass
    printed = capsys.readouterr().err
    assert "\n" not in printed
    assert "\rstart 1 of 2, iteration 11" in printed
    assert printed.split("\r")[-2].isspace()
    assert printed.endswith("\r")


@pytest.mark.parametrize(
    ("total", "printed"),
    [
        (20, ""),
        (100, "iteration 4 is done; all 100 would take about 3 minutes more"),
        (10_000, "iteration 4 is done; all 10000 would take about 6 hours more"),
    ],
)
def test_a_long_loop_prints_once_how_long_it_may_take(monkeypatch, capsys, total, printed):
    """Of 2 s an iteration but the first, which compiles."""
    clock = 0.0
    monkeypatch.setattr("credalbench.core.progress.monotonic", lambda: clock)
    for k in track_iterations(total, "iteration"):
        clock += 2 if k else 20
    errors = capsys.readouterr().err
    assert printed in errors and errors.count("\n") == bool(printed)

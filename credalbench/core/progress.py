"""Progress of a fit: the start, iteration or step that is running.

Loops that may take long use `track` or `track_iterations`; a single step uses `track_step`. A caller listens
in the thread of the fit, and may read the text from any thread::

    progress = Progress()
    with listen(progress):
        ECM(3, n_init=5).fit(X)  # meanwhile progress.text() is "start 2 of 5, iteration 17"

`show_progress` prints that text instead. The listener may cancel the fit, from any thread: the next iteration
of a tracked loop, or the next piece of a compiled loop (see `credalbench.core.kernels.pieces`), raises
`Cancelled`. Without a listener, a loop prints an estimate on stderr, once, if the rest of it may take more
than a minute.
"""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TypeVar

MEASURED_S = 5.0  # of a loop before the rest of it is estimated
LONG_S = 60.0  # of the rest; less is not printed
UNITS = (3600, "hours"), (60, "minutes"), (1, "seconds")
ADVICE = "Print the progress with credalbench.core.progress.show_progress"

Item = TypeVar("Item")


class Cancelled(BaseException):
    """Raised in a fit that its listener has cancelled; it is not an `Exception`."""


class Progress:
    """State of the tracked loops that are running.

    Attributes
    ----------
    levels : list of str
        One text per nested loop, the outermost first.
    cancelled : bool
        Whether the fit ends at the next check.
    """

    def __init__(self) -> None:
        self.levels: list[str] = []
        self.cancelled = False

    def cancel(self) -> None:
        """End the fit at its next check, by `Cancelled`."""
        self.cancelled = True

    def check(self) -> None:
        """Raise `Cancelled` if the fit has been cancelled."""
        if self.cancelled:
            raise Cancelled

    def text(self) -> str:
        """Return the texts of all levels, separated by commas; empty if nothing is tracked."""
        return ", ".join(filter(None, tuple(self.levels)))


class _Printed(Progress):
    """Progress that prints its text over the previous one, at most ten times per second."""

    def __init__(self) -> None:
        super().__init__()
        self._next, self._width = 0.0, 0

    def check(self) -> None:
        super().check()
        if monotonic() >= self._next and self.levels:
            self.write(self.text())
            self._next = monotonic() + 0.1

    def write(self, text: str) -> None:
        print(f"\r{text:{self._width}}", end="", file=sys.stderr, flush=True)
        self._width = len(text)


_LISTENER: ContextVar[Progress | None] = ContextVar("listener", default=None)


@contextmanager
def listen(progress: Progress) -> Iterator[None]:
    """Record the tracked loops of the current thread in `progress`."""
    token = _LISTENER.set(progress)
    try:
        yield
    finally:
        _LISTENER.reset(token)


@contextmanager
def show_progress() -> Iterator[None]:
    """Print the progress of the fits in the block on one line of stderr.

    Examples
    --------
    >>> from credalbench.cluster import EVCLUS
    >>> from credalbench.datasets import load
    >>> with show_progress():
    ...     fit = EVCLUS(2, n_init=5, random_state=0).fit(load("butterfly").X)
    """
    progress = _Printed()
    try:
        with listen(progress):
            yield
    finally:
        progress.write("")
        progress.write("")


def check_cancelled() -> None:
    """Raise `Cancelled` if the listener of the current thread has cancelled the fit."""
    progress = _LISTENER.get()
    if progress is not None:
        progress.check()


def track(items: Collection[Item], label: str) -> Iterable[Item]:
    """Iterate over `items` and report "label 2 of 5", except for a single item."""
    total = f" of {len(items)}"
    if len(items) <= 1:
        check_cancelled()
        return items
    return _tracked(items, lambda k: f"{label} {k}{total}")


def track_iterations(max_iter: int, label: str) -> Iterable[int]:
    """Iterate over ``range(max_iter)`` and report "label 17"; the loop may stop earlier."""
    return _tracked(range(max_iter), lambda k: f"{label} {k}")


@contextmanager
def track_step(text: str) -> Iterator[None]:
    """Report `text` while the block runs."""
    yield from _tracked([None], lambda _: text)


def _tracked(items: Collection[Item], text: Callable[[int], str]) -> Iterable[Item]:
    progress = _LISTENER.get()
    return _measured(items, text) if progress is None else _reported(items, text, progress)


def _measured(items: Collection[Item], text: Callable[[int], str]) -> Iterator[Item]:
    """Yield the items; estimate the time of the rest from that of some after the first, which may compile."""
    began = None
    for k, item in enumerate(items):
        if k == 1:
            began = monotonic()
        elif began is not None and monotonic() - began >= MEASURED_S:
            left = (len(items) - k) * (monotonic() - began) / (k - 1)
            if left > LONG_S:
                size, unit = next(found for found in UNITS if left >= 1.5 * found[0])
                rest = f"{left / size:.0f} {unit}"
                words = f"{text(k)} is done; all {len(items)} would take about {rest} more"
                print(f"credalbench: {words}. {ADVICE}", file=sys.stderr, flush=True)
            began = None
        yield item


def _reported(items: Collection[Item], text: Callable[[int], str], progress: Progress) -> Iterator[Item]:
    """Yield the items; before each, check for cancellation and set its text at the level of this loop."""
    levels, level = progress.levels, len(progress.levels)
    try:
        for k, item in enumerate(items, start=1):
            progress.check()
            levels[level:] = [text(k)]
            yield item
    finally:
        del levels[level:]

"""Progress of a fit: which start, which iteration, or which step is running.

Loops that may take long go through `track` or `track_iterations`; a single step is wrapped in `track_step`.
A caller listens in the thread of the fit, and may read the text from any thread::

    progress = Progress()
    with listen(progress):
        ECM(3, n_init=5).fit(X)  # meanwhile progress.text() is "start 2 of 5, iteration 17"

Without a listener, the loops iterate over their bare items.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")


class Progress:
    """State of the tracked loops that are running.

    Attributes
    ----------
    levels : list of str
        One text per nested loop, the outermost first.
    """

    def __init__(self) -> None:
        self.levels: list[str] = []

    def text(self) -> str:
        """Return the texts of all levels, separated by commas; empty if nothing is tracked."""
        return ", ".join(filter(None, tuple(self.levels)))


_LISTENER: ContextVar[Progress | None] = ContextVar("listener", default=None)


@contextmanager
def listen(progress: Progress) -> Iterator[None]:
    """Record the tracked loops of the current thread in `progress`."""
    token = _LISTENER.set(progress)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def track(items: Collection[Item], label: str) -> Iterable[Item]:
    """Iterate over `items`, reported as "label 2 of 5"; a single item is not reported."""
    total = f" of {len(items)}"
    return _tracked(items, lambda k: f"{label} {k}{total}") if len(items) > 1 else items


def track_iterations(max_iter: int, label: str) -> Iterable[int]:
    """Iterate over ``range(max_iter)``, reported as "label 17"; the loop may stop earlier."""
    return _tracked(range(max_iter), lambda k: f"{label} {k}")


@contextmanager
def track_step(text: str) -> Iterator[None]:
    """Report `text` while the block runs."""
    yield from _tracked([None], lambda _: text)


def _tracked(items: Collection[Item], text: Callable[[int], str]) -> Iterable[Item]:
    progress = _LISTENER.get()
    return items if progress is None else _reported(items, text, progress.levels)


def _reported(items: Collection[Item], text: Callable[[int], str], levels: list[str]) -> Iterator[Item]:
    """Yield the items; the text of each one stands at the level of this loop."""
    level = len(levels)
    try:
        for k, item in enumerate(items, start=1):
            levels[level:] = [text(k)]
            yield item
    finally:
        del levels[level:]

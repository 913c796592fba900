"""How far a fit is, told while it goes on: which start, which iteration, whatever is counted.

Loops that may take long count aloud, by `counted` or `up_to`; a step by itself has words, `during`. Who
wants to know listens around the fit, in its thread, and reads the words from any thread::

    progress = Progress()
    with heard_by(progress):
        ECM(3, n_init=5).fit(X)  # meanwhile progress.words() is "start 2 of 5, iteration 17"

Where nobody listens, loops go over what they were given, at no cost.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")


class Progress:
    """What the loops around the present line have come to.

    Attributes
    ----------
    levels : list of str
        The outermost loop first, each in words, of which there may be none.
    """

    def __init__(self) -> None:
        self.levels: list[str] = []

    def words(self) -> str:
        """Return how far it is; nothing where nothing is counted."""
        return ", ".join(filter(None, tuple(self.levels)))


_HEARD_BY: ContextVar[Progress | None] = ContextVar("heard_by", default=None)


@contextmanager
def heard_by(progress: Progress) -> Iterator[None]:
    """Let `progress` hear what is counted within, in this thread."""
    token = _HEARD_BY.set(progress)
    try:
        yield
    finally:
        _HEARD_BY.reset(token)


def counted(name: str, items: Collection[Item]) -> Iterable[Item]:
    """Return the items, to be told as "name 2 of 5" while one goes through them; a single one is not."""
    end = f" of {len(items)}"
    return _told(items, lambda k: f"{name} {k}{end}") if len(items) > 1 else items


def up_to(most: int, name: str) -> Iterable[int]:
    """Return ``range(most)``, to be told as "name 17": the loop may end before."""
    return _told(range(most), lambda k: f"{name} {k}")


@contextmanager
def during(words: str) -> Iterator[None]:
    """Tell the words of a step until it is left."""
    yield from _told([None], lambda _: words)


def _told(items: Collection[Item], words: Callable[[int], str]) -> Iterable[Item]:
    progress = _HEARD_BY.get()
    return items if progress is None else _aloud(items, words, progress.levels)


def _aloud(items: Collection[Item], words: Callable[[int], str], levels: list[str]) -> Iterator[Item]:
    """Yield the items, the words of each standing at the level of this loop."""
    level = len(levels)
    try:
        for k, item in enumerate(items, start=1):
            levels[level:] = [words(k)]
            yield item
    finally:
        del levels[level:]

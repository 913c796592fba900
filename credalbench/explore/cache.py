"""What has been computed, kept for the next time: a move of a control repeats what it changes and no more."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class ResultCache(Generic[Result]):
    """Results by what they depend on, the latest `most` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: OrderedDict[Hashable, Result] = OrderedDict()

    def clear(self) -> None:
        """Forget all."""
        self._results.clear()

    def get(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """Return the result of `key`, which is made once."""
        if key not in self._results:
            self._results[key] = make()
        self._results.move_to_end(key)
        while len(self._results) > self._most:
            self._results.popitem(last=False)
        return self._results[key]

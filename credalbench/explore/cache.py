"""A cache of results: moving a control recomputes only what depends on it."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class ResultCache(Generic[Result]):
    """Cache of the `most` recent results, by what they depend on."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: OrderedDict[Hashable, Result] = OrderedDict()

    def clear(self) -> None:
        """Remove all results."""
        self._results.clear()

    def get(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """Return the result of `key`, computing it if it is missing."""
        if key not in self._results:
            self._results[key] = make()
        self._results.move_to_end(key)
        while len(self._results) > self._most:
            self._results.popitem(last=False)
        return self._results[key]

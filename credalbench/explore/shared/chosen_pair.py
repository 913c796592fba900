"""Models of explorers in which two objects are chosen, one after the other."""

from __future__ import annotations

import traitlets as t

from credalbench.explore.shared.refitting_model import RefittingModel


class ChosenPair(RefittingModel):
    """A `RefittingModel` with at most two chosen objects, named by their rows in the data, from 0.

    Attributes
    ----------
    chosen_objects : tuple of at most two int
    """

    chosen_objects = t.Tuple()

    def choose(self, *objects: int) -> None:
        """Choose exactly these objects, at most two."""

        def check() -> None:
            n = self.subject.n_objects if self.subject else 0
            for i in objects:
                if not 0 <= i < n:
                    raise ValueError(f"expected objects 0 to {n - 1}; got {i}")
            if len(objects) > 2 or len(set(objects)) < len(objects):
                raise ValueError(f"expected at most two different objects; got {list(objects)}")
            self.chosen_objects = tuple(int(i) for i in objects)

        self._guarded(check)

    def click(self, i: int) -> None:
        """Choose object `i` as well, or drop it if it is chosen; a third one begins a new pair."""
        chosen = self.chosen_objects
        if i in chosen:
            self.choose(*(j for j in chosen if j != i))
        else:
            self.choose(*(chosen if len(chosen) < 2 else ()), i)

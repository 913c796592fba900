"""The objects that the user has chosen, by clicks or by number."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import traitlets as t

if TYPE_CHECKING:
    from credalbench.explore.model import ExplorerModel


class ObjectChoice(t.HasTraits):
    """The chosen objects of a model's data, by row, from 0; messages call them by number, from 1.

    Parameters
    ----------
    model : ExplorerModel
    most : int
        The largest number of chosen objects.
    starts_anew : bool
        Whether one object too many starts a new choice; otherwise it replaces the first chosen object.
    then : callable, optional
        Called after each choice.

    Attributes
    ----------
    objects : tuple of int
    """

    objects = t.Tuple()

    def __init__(
        self,
        model: ExplorerModel,
        most: int = 2,
        starts_anew: bool = True,
        then: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self.model, self.most, self._starts_anew, self._then = model, most, starts_anew, then

    def choose(self, *objects: int) -> None:
        """Choose exactly these objects; if they are refused, the model's `message` gives the reason."""

        def check() -> None:
            n = self.model.subject.n_objects if self.model.subject else 0
            for i in objects:
                if not 0 <= i < n:
                    raise ValueError(f"expected objects 1 to {n}; got {i + 1}")
            if len(objects) > self.most or len(set(objects)) < len(objects):
                most = "two" if self.most == 2 else self.most
                raise ValueError(f"expected at most {most} different objects; got {[i + 1 for i in objects]}")
            self.objects = tuple(int(i) for i in objects)
            self._then()

        self.model.guarded(check)

    def click(self, i: int | None) -> None:
        """Add object `i` to the choice, or remove it if it is chosen; None clears the choice."""
        chosen = self.objects
        if i is None:
            self.choose()
        elif i in chosen:
            self.choose(*(j for j in chosen if j != i))
        elif len(chosen) < self.most:
            self.choose(*chosen, i)
        else:
            self.choose(*(() if self._starts_anew else chosen[1:]), i)

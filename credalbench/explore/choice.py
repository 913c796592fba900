"""Objects that the user chooses one after another, by clicks or by their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import traitlets as t

if TYPE_CHECKING:
    from credalbench.explore.model import ExplorerModel


class ObjectChoice(t.HasTraits):
    """A few chosen objects of a model's data, by their rows from 0.

    Parameters
    ----------
    model : ExplorerModel
    most : int
        The largest number of chosen objects.
    starts_anew : bool
        Whether a click on one object more begins another choice; else it replaces the first object.
    then : callable, optional
        Called after a choice.

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
        """Choose exactly these objects; a refused choice becomes the model's `message`."""

        def check() -> None:
            n = self.model.subject.n_objects if self.model.subject else 0
            for i in objects:
                if not 0 <= i < n:
                    raise ValueError(f"expected objects 0 to {n - 1}; got {i}")
            if len(objects) > self.most or len(set(objects)) < len(objects):
                most = "two" if self.most == 2 else self.most
                raise ValueError(f"expected at most {most} different objects; got {list(objects)}")
            self.objects = tuple(int(i) for i in objects)
            self._then()

        self.model.guarded(check)

    def click(self, i: int | None) -> None:
        """Choose object `i` as well, or drop it if it is chosen; None drops all."""
        chosen = self.objects
        if i is None:
            self.choose()
        elif i in chosen:
            self.choose(*(j for j in chosen if j != i))
        elif len(chosen) < self.most:
            self.choose(*chosen, i)
        else:
            self.choose(*(() if self._starts_anew else chosen[1:]), i)

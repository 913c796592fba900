"""The object that somebody looks at: which one it is, a model knows as well as the browser."""

from __future__ import annotations

from collections.abc import Mapping

import traitlets as t


class ObjectSelection(t.HasTraits):
    """A model of a `subject` with at most one selected object; data of another name or size drop it.

    Attributes
    ----------
    selected : int or None
        The row of the object in the data, from 0.
    """

    selected = t.Int(None, allow_none=True)

    def _n_selectable(self) -> int:
        """Return how many objects there are to be selected."""
        return self.subject.n_objects if self.subject else 0

    @t.validate("selected")
    def _is_an_object(self, proposal: Mapping[str, object]) -> int | None:
        i, n = proposal["value"], self._n_selectable()
        if i is not None and not 0 <= i < n:
            raise t.TraitError(f"expected None or an object from 0 to {n - 1} as selected; got {i}")
        return i

    @t.observe("subject")
    def _drop_selection(self, change: Mapping[str, object]) -> None:
        old, new = change["old"], change["new"]
        if not (old and new and (old.name, old.n_objects) == (new.name, new.n_objects)):
            self.selected = None

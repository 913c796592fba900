"""Objects that users choose, and must-links and cannot-links that they draw between them, with undo.

The links are a parameter of a model: tuples (object, object, one of `KINDS`), the lower object first. Objects
are identified by their rows, from 0. Links are stored per data set, and restored with it.
While points are drawn, each link stays with its two points; links of a deleted point are restored when the
deletion is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import traitlets as t

from credalbench.cluster.constrained.report import BY_AN_OUTLIER, VIOLATED, constraint_outcomes
from credalbench.core.constraints import PairwiseConstraints
from credalbench.explore.parameter import parameter
from credalbench.explore.sources import Subject, called
from credalbench.explore.stepping import Fitted, Tile

if TYPE_CHECKING:
    from credalbench.belief import CredalPartition
    from credalbench.explore.drawing import Points
    from credalbench.explore.model import ExplorerModel

#: Two objects and the kind of constraint between them.
Links = tuple[tuple[int, int, str], ...]
KINDS = ("must-link", "cannot-link")
#: What choosing a second object does: nothing, or add a constraint.
SECOND_CHOICES = ("wait", *KINDS, "truth")


def links_parameter() -> t.Tuple:
    """Return the parameter of the links."""
    return parameter(t.Tuple(), tooltip="Constraints, in the order in which they were added")


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


class Linking(t.HasTraits):
    """The links of a model, drawn between chosen objects.

    Parameters
    ----------
    model : ExplorerModel
        Has a parameter `links`. It calls `adapt`, `settle`, `follow_points` and `forget` when these changes
        happen.

    Attributes
    ----------
    choice : ObjectChoice
        The objects that the next link joins.
    second_choice : str
        One of `SECOND_CHOICES`.
    """

    second_choice = t.Enum(SECOND_CHOICES, default_value="wait")

    def __init__(self, model: ExplorerModel) -> None:
        super().__init__()
        self.model, self.choice = model, ObjectChoice(model)
        self._history: list[Links] = []  # links before each change, for undo
        self._carried: tuple[list[Links], Links] = ([], ())  # history and waiting links for the next data
        self._good: Links = ()  # those of the fit that is shown
        self._taken_back_to: Links | None = None  # the links requested by `undo`
        self._by_data: dict[str, Links] = {}
        self._waiting: Links = ()  # for points that were deleted, by their numbers
        model.observe(lambda _: self._keep(), "fitted")
        model.observe(lambda _: self._go_back(), "links")

    # -- actions ----------------------------------------------------------------------------------------

    def click(self, i: int | None) -> None:
        """Add object `i` to the chosen pair, or remove it; a third object starts a new pair.

        The second object adds a constraint immediately if `second_choice` is not "wait". None clears the
        choice.
        """
        self.choice.click(i)
        if len(self.choice.objects) == 2 and self.second_choice != "wait":
            self.link(self.second_choice)

    def link(self, kind: str) -> None:
        """Add a constraint between the two chosen objects; "truth" takes its kind from the true classes.

        If it is refused, `message` of the model gives the reason and nothing else changes.
        """
        self.model.guarded(lambda: self._link(kind))

    def _link(self, kind: str) -> None:
        model = self.model
        if kind not in (*KINDS, "truth"):
            raise ValueError(f"expected one of {', '.join((*KINDS, 'truth'))}; got {kind!r}")
        if len(self.choice.objects) < 2:
            raise ValueError("choose two objects first")
        i, j = sorted(self.choice.objects)
        if kind == "truth":
            if model.subject.y is None:
                raise ValueError(f"the true classes of {model.subject.name} are unknown")
            kind = KINDS[int(model.subject.y[i] != model.subject.y[j])]
        if (i, j, kind) in model.links:
            raise ValueError(f"there is already a {kind} between {_both(model.subject, i, j)}")
        model.announced = f"{kind.capitalize()} between {_both(model.subject, i, j)}."
        model.links = (*model.links, (i, j, kind))
        if not model.is_error:
            self.choice.objects = ()

    def undo(self) -> None:
        """Undo the last change of the constraints, clearing included."""

        def step_back() -> None:
            self.model.announced = ""  # it may be about the link that is removed
            if self._is_requested:
                self.model.links = self._good
                return
            if not self._history:
                raise ValueError("there is nothing to undo")
            self._taken_back_to = self._history[-1]
            self.model.links = self._taken_back_to

        self.model.guarded(step_back)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._history) or self._is_requested

    @property
    def _is_requested(self) -> bool:
        """Return whether new links wait for their fit and were not requested by `undo`."""
        return self.model.links not in (self._good, self._taken_back_to)

    def clear(self) -> None:
        """Remove all constraints; `undo` restores them."""
        if self.model.links:
            self.model.links = ()

    def fit_arguments(self) -> dict[str, np.ndarray]:
        """Return the links of the model as arguments of `fit`; an empty dictionary if there are none."""
        constraints = constraints_of(self.model.subject.n_objects, self.model.links)
        if not len(constraints):
            return {}
        return {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}

    # -- changes of the model ---------------------------------------------------------------------------

    def adapt(self, changed: set[str]) -> None:
        """Restore the links of new data, unless they are among the parameters that the user `changed`."""
        self.choice.objects = ()
        if "data" in changed:
            (self._history, self._waiting), self._carried = self._carried, ([], ())
            self._taken_back_to = None
            self._good = () if "links" in changed else self._by_data.get(self.model.data, ())
            if "links" not in changed:
                self.model.links = self._good

    def settle(self) -> None:
        """Check the links and remove duplicates; if they are refused, restore the last valid ones."""
        given = self.model.links
        try:
            links = tuple(dict.fromkeys((*sorted((int(i), int(j))), str(kind)) for i, j, kind in given))
            unknown = [kind for *_, kind in links if kind not in KINDS]
            if unknown:
                raise ValueError(f"expected links of kind {' or '.join(KINDS)}; got {unknown[0]!r}")
            constraints_of(self.model.subject.n_objects, links)
        except Exception:
            self.model.links = self._good
            raise
        self.model.links = links

    def follow_points(self, before: Points, after: Points) -> None:
        """Keep the links, and those in the history of `undo`, with their drawn points."""
        by_numbers = [
            [(before[i], before[j], kind) for i, j, kind in links]
            for links in (*self._history, self.model.links)
        ]
        rows = {number: row for row, number in enumerate(after)}
        waiting = tuple(link for link in (*by_numbers[-1], *self._waiting) if not rows.keys() >= {*link[:2]})
        *earlier, stayed = (among(links, rows) for links in by_numbers)
        back = among(self._waiting, rows)
        try:
            constraints_of(len(after), (*stayed, *back))
        except ValueError:  # they contradict constraints that were added later
            back = ()
        steps = [*earlier, (*stayed, *back)]
        self._by_data[self.model.data] = steps[-1]
        self._carried = [step for step, later in pairwise(steps) if step != later], waiting

    def forget(self, data: str) -> None:
        """Forget the links of earlier data of this name."""
        self._by_data.pop(data, None)

    def _keep(self) -> None:
        """Store the links of a new fit, for `undo` and for the next time the data are shown."""
        links = self.model.links
        if links == self._taken_back_to:
            self._history.pop()
        elif links != self._good:
            self._history.append(self._good)
        self._good, self._taken_back_to = links, None
        self._by_data[self.model.data] = links

    def _go_back(self) -> None:
        """Forget a request of `undo` whose fit was stopped or failed."""
        if self.model.links == self._good:
            self._taken_back_to = None


def _both(subject: Subject, i: int, j: int) -> str:
    return " and ".join(called(subject.object_names, k) for k in (i, j))


# -- links as constraints --------------------------------------------------------------------------------


def constraints_of(n: int, links: Links) -> PairwiseConstraints:
    """Return links between n objects as constraints.

    Raises
    ------
    ValueError
        If they contradict each other; the message shows the chain of links.
    """
    pairs = {kind: [(i + 1, j + 1) for i, j, k in links if k == kind] for kind in KINDS}
    numbers = pd.RangeIndex(1, n + 1)  # messages name objects as pages do
    return PairwiseConstraints(n, *(pairs[kind] for kind in KINDS), index=numbers)


class FittedWithLinks(Fitted):
    """An iteration of a run with links."""

    @property
    def links(self) -> Links:
        """The links of the run."""
        return self.settings["links"]

    @cached_property
    def outcomes(self) -> np.ndarray:
        """The outcome of each link, (q,)."""
        return outcomes_of(self.links, self.partition)


def outcomes_of(links: Links, partition: CredalPartition) -> np.ndarray:
    """Return the outcome of each link, (q,): met, violated, or met by an outlier."""
    return constraint_outcomes(pairs_of(links), are_must_links(links), partition, partition.labels())


def are_must_links(links: Links) -> np.ndarray:
    """Return which links are must-links, (q,) bool."""
    return np.array([kind == KINDS[0] for *_, kind in links], dtype=bool)


def outcome_tiles(outcomes: np.ndarray) -> list[Tile]:
    """Return the read-outs of the outcomes of constraints (q,)."""
    violated = "Constraints that the clusters of highest pignistic probability violate"
    outlying = "Constraints on an outlier: it is in none of the clusters, so they cost nothing, true or false"
    return [
        (outcome, f"{np.count_nonzero(outcomes == outcome)} of {len(outcomes)}", meaning)
        for outcome, meaning in ((VIOLATED, violated), (BY_AN_OUTLIER, outlying))
    ]


def outcome_text(outcomes: np.ndarray) -> str:
    """Return the outcomes of constraints (q,) in words."""
    violated, outlying = (np.count_nonzero(outcomes == outcome) for outcome in (VIOLATED, BY_AN_OUTLIER))
    return f"with {len(outcomes)} constraints, {violated} of them violated and {outlying} met by an outlier"


def pairs_of(links: Links) -> np.ndarray:
    """Return the two objects of each link, (q, 2)."""
    return np.array([link[:2] for link in links], dtype=int).reshape(-1, 2)


def among(links: Iterable[tuple[int, int, str]], rows: Mapping[int, int]) -> Links:
    """Return links between numbers of points as links between their rows, without those of other points."""
    there = [link for link in links if link[0] in rows and link[1] in rows]
    return tuple((*sorted((rows[i], rows[j])), kind) for i, j, kind in there)

"""What an explorer declares: its model, what is drawn, and its page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from credalbench.explore.model import ExplorerModel


@dataclass(frozen=True)
class Button:
    """A button that calls the `action` of the model, as does its `letter`, typed in the picture.

    The action is a method, by default that called `name`.
    """

    name: str
    label: str
    icon: str
    tooltip: str
    letter: str = ""
    action: str = ""
    flex: str = "0 1 auto"


RESTART = Button("restart", "Restart", "refresh", "Fit again from new random starts", flex="1")


def link_bars(*more: str) -> tuple[tuple[str, ...], ...]:
    """Return the rows of the controls that link objects; the second begins with `more`."""
    return ("first", "second", "must-link", "cannot-link", "truth"), (*more, "undo", "clear", "second_choice")


#: Rows of the controls that are not names of controls: a rule, and the text "note".
RULE, NOTE = "-", "note"


@dataclass(frozen=True)
class FitExplorer:
    """The declaration of an explorer, `EXPLORER` of its module.

    Attributes
    ----------
    model : type
        Its parameters are the sliders, its estimator is what is fitted.
    title, hint : str
        Heading of the page, and the text shown while there is no message.
    scene, text, tiles : callable
        Return what is drawn of a fit, its description for screen readers, and the read-outs; None for those
        of any fit.
    controls : sequence of str or tuple of str
        The controls in the column on the left, below the data; names in a tuple share a row.
    example : str
        Examples of the function that opens the explorer, as in docstrings.
    words, returns : str
        What the data may be, and what more the explorer returns, for the docstring of that function.
    generated : sequence of str
        The controls of generated data, below the list of data.
    buttons : sequence of Button
    bars : sequence of tuple of str
        Rows of controls above the picture; those in `play` stand before the time bar.
    parts : sequence of str
        The explorer's own interaction, with its own controls: names of `credalbench.explore.view.parts`.
    texts : mapping of str -> callable
        Texts in HTML of a model, below the controls ("note"), "above" and "below" the picture.
    off : callable
        Returns the controls of a model that have no effect, with the values they show meanwhile, or None.
    chosen : callable
        Returns the marked objects of a fit.
    idle : str
        Method of the model that is called while the page is idle, until it returns False.
    failed : str
        Text that is added to errors.
    view : str
        Module and class of the page, if it is not `ExplorerView`.
    """

    model: type[ExplorerModel]
    title: str
    controls: Sequence[str | tuple[str, ...]]
    example: str
    scene: Callable | None = None
    text: Callable[..., str] | None = None
    tiles: Callable[..., Iterable[tuple[str, object, str]]] | None = None
    hint: str = "Click an object to see its masses and the reason for its assignment."
    words: str = (
        "Name of a data set with attributes, ``two_class:n:draw`` or ``t4:n`` for a draw of a recipe, path "
        "of a table, or attributes."
    )
    returns: str = ""
    generated: Sequence[str] = ()
    buttons: Sequence[Button] = (RESTART,)
    bars: Sequence[tuple[str, ...]] = ()
    play: tuple[str, ...] = ()
    parts: Sequence[str] = ()
    texts: Mapping[str, Callable[[ExplorerModel], str]] = field(default_factory=dict)
    off: Callable[[ExplorerModel], Mapping[str, object]] | None = None
    chosen: Callable[..., Sequence[int]] | None = None
    idle: str = ""
    failed: str = " The picture shows the last successful fit."
    view: str = ""

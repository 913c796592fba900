"""Models that fit synchronously, or in a background thread if a page waits for the answer.

A program that sets a parameter gets its fit synchronously. A page waits only for a moment: a longer fit runs
in a background thread, the page stays responsive, `fitted` is still the last fit and `busy` is true. The next
change or `stop` cancels it. After that, and after an error, the parameters are reset to those of the fit that
is shown, so that settings and result always agree.
"""

from __future__ import annotations

import warnings
from asyncio import AbstractEventLoop
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import copy_context
from threading import RLock, get_ident
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import traitlets as t
from sklearn.exceptions import ConvergenceWarning

from credalbench.belief import CredalPartition
from credalbench.core.threads import one_thread
from credalbench.explore.background import BackgroundFit
from credalbench.explore.parameter import Parameter, parameters_of
from credalbench.explore.stepping import without_numbers

if TYPE_CHECKING:
    from credalbench.explore.sources import Subject

#: With fits slower than this, a slider refits on release and not while it moves.
LIVE_UP_TO_MS = 400
#: Time that a page waits for a fit if the last one was slow.
MOMENT_MS = 150
#: Seconds between two reports of progress.
TICK_S = 0.5

Result = TypeVar("Result")


class Fit(Protocol):
    """Attributes that the fits of all explorers have."""

    subject: Subject
    partition: CredalPartition
    fit_ms: float


class FittingModel(t.HasTraits):
    """Parameters, the fit that is shown, the background fit and the selected object.

    Attributes
    ----------
    subject : Subject or None
    fitted : Fit or None
    message : str
    is_error : bool
    busy : bool
        Whether a fit runs in the background; `fitted` is then an earlier one.
    progress : str
        Progress of the background fit.
    repeatable : bool
        Whether each fit depends on the parameters alone, and does not start from the last fit.
    selected : int or None
        The selected object: its row in the data, from 0.
    turn : RLock
        Held while several traits are read or changed; a background fit does not hold it.
    page : callable
        Returns the event loop of the page whose message is being answered, or None: fits are then
        synchronous.
    """

    subject = t.Any(None, allow_none=True)
    fitted = t.Any(None, allow_none=True)
    message = t.Unicode("")
    is_error = t.Bool(False)
    busy = t.Bool(False)
    progress = t.Unicode("")
    repeatable = t.Bool(False)
    selected = t.Int(None, allow_none=True)

    def __init__(self) -> None:
        super().__init__()
        self.turn = RLock()  # JupyterLab may pass on messages of browsers in two threads
        self.page: Callable[[], AbstractEventLoop | None] = lambda: None
        self._own_thread = None  # the thread in which the model changes its own parameters
        self._background: BackgroundFit[Fit] | None = None
        self._warned = []
        self.announced = ""  # the message about an action, shown with its fit
        self._unfitted = set()  # parameters changed since the fit that is shown
        self._shown = {}  # the values of the parameters of the fit that is shown

    @classmethod
    def parameters(cls) -> Mapping[str, Parameter]:
        """Return the declaration of each parameter, by name."""
        return parameters_of(cls)

    # -- for the subclass -------------------------------------------------------------------------------

    def _refit(self, changed: set[str]) -> Fit:
        """Return the fit; errors are shown to the user.

        May run in the background and be cancelled: it sets parameters inside `_own_changes` only, and caches
        nothing that has not been computed.
        """
        raise NotImplementedError

    def _take(self, fitted: Fit, changed: set[str]) -> None:
        """Show a fit; subclasses add what depends on choices made during the fit."""
        self.fitted = fitted

    # -- fits -------------------------------------------------------------------------------------------

    def _begin(self, changed: set[str]) -> None:
        """Fit, synchronously or in the background; raise errors of a synchronous fit."""
        self._unfitted |= changed
        names, loop, self._warned = set(self._unfitted), self.page(), []
        if loop is None:
            with _conditions(self._warned):
                fitted = self._refit(names)
            self._show(fitted)
            return
        ended = _calling(loop, self._arrive)
        self._background = BackgroundFit(lambda: self._refit(names), lambda: _conditions(self._warned), ended)
        if self._background.wait(1e-3 * self._patience_ms()):
            self._finish()
        else:
            self.report("")
            self._tick(self._background, loop)
            self.busy = True

    def _patience_ms(self) -> float:
        """Return how long the page waits: for the whole fit while fits are fast, otherwise for a moment."""
        quick = self.fitted is None or self.fitted.fit_ms < LIVE_UP_TO_MS
        return LIVE_UP_TO_MS if quick else MOMENT_MS

    def _arrive(self, background: BackgroundFit[Fit]) -> None:
        """Show the result of a background fit, unless another one has replaced it."""
        with self.turn:
            if self._background is background:
                self._finish()

    def _finish(self) -> None:
        """Show the result or the error of the background fit."""
        background, self._background = self._background, None
        try:
            self._show(background.result())
        except Exception as error:  # every error is shown to the user
            self._refuse(error)

    def _show(self, fitted: Fit) -> None:
        self._shown = {name: getattr(self, name) for name in self.parameters()}
        changed, self._unfitted = self._unfitted, set()
        self._take(fitted, changed)
        self.busy = False
        warned = dict.fromkeys(as_sentence(without_numbers(warning.message)) for warning in self._warned)
        parts = [self.announced, self.subject.note, *warned]
        self.announced = ""
        self.report(" ".join(filter(None, parts)))

    def _refuse(self, error: Exception) -> None:
        """Report an error, and restore the parameters of the fit that is shown."""
        self._go_back()
        self.busy = False
        self.report(as_sentence(error), error=True)

    def _go_back(self) -> None:
        """Restore the parameters of the fit that is shown, unless it belongs to other data."""
        self.announced = ""
        if self.fitted is not None and self.fitted.subject is self.subject:
            with self._own_changes():
                for name, value in self.unshown().items():
                    setattr(self, name, value)
            self._unfitted = set()

    def _halt(self) -> None:
        """Cancel the background fit; its changes stay pending."""
        background, self._background = self._background, None
        if background is not None:
            background.stop()

    def _tick(self, background: BackgroundFit[Fit], loop: AbstractEventLoop) -> None:
        if self._background is background:
            self.progress = ", ".join(
                filter(None, [f"{background.seconds:.0f} s", background.progress.text()])
            )
            loop.call_later(TICK_S, self._tick, background, loop)

    # -- during a fit -----------------------------------------------------------------------------------

    def wait(self) -> None:
        """Wait for the background fit, if any, and show it."""
        background = self._background
        if background is not None:
            background.wait()
            self._arrive(background)

    def stop(self) -> None:
        """Cancel the background fit, and restore the parameters of the fit that is shown."""
        with self.turn:
            if self._background is None:
                return
            self._halt()
            self._go_back()
            self.busy = False
            self.report("Stopped." if self.is_out_of_date else "Stopped: settings of the last fit restored.")

    def unshown(self) -> Mapping[str, object]:
        """Return the parameters that differ from those of the fit that is shown, with its values."""
        if self.fitted is None:
            return {}
        return {name: value for name, value in self._shown.items() if getattr(self, name) != value}

    @property
    def is_out_of_date(self) -> bool:
        """Whether the fit that is shown does not belong to the present data and parameters."""
        return self.fitted is not None and bool(self.fitted.subject is not self.subject or self.unshown())

    # -- the selected object ----------------------------------------------------------------------------

    def _n_selectable(self) -> int:
        """Return the number of objects that can be selected."""
        return self.subject.n_objects if self.subject else 0

    @t.validate("selected")
    def _is_an_object(self, proposal: Mapping[str, object]) -> int | None:
        i, n = proposal["value"], self._n_selectable()
        if i is not None and not 0 <= i < n:
            raise t.TraitError(f"expected None or an object from 0 to {n - 1} as selected; got {i}")
        return i

    @t.observe("subject")
    def _drop_selection(self, change: Mapping[str, object]) -> None:
        """Clear the selection if the data have another name or size."""
        old, new = change["old"], change["new"]
        if not (old and new and (old.name, old.n_objects) == (new.name, new.n_objects)):
            self.selected = None

    # -- changes and messages ---------------------------------------------------------------------------

    @contextmanager
    def _own_changes(self) -> Iterator[None]:
        """Mark changes of parameters in this thread as internal, so that they do not refit."""
        before, self._own_thread = self._own_thread, get_ident()
        try:
            yield
        finally:
            self._own_thread = before

    def report(self, text: str, *, error: bool = False) -> None:
        """Set `message` and `is_error` together."""
        with self.hold_trait_notifications():
            self.is_error = error
            self.message = text


@contextmanager
def _conditions(warned: list[warnings.WarningMessage]) -> Iterator[None]:
    """Collect warnings, and use one thread, which is fastest for some hundred objects."""
    with warnings.catch_warnings(record=True) as caught, one_thread():
        warnings.simplefilter("always", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)  # the page shows whether a run converged
        try:
            yield
        finally:
            warned.extend(caught)


def _calling(loop: AbstractEventLoop, function: Callable[..., None]) -> Callable[..., None]:
    """Return a function that calls `function` in an event loop, in the current context."""
    context = copy_context()

    def call(*arguments: object) -> None:
        with suppress(RuntimeError):  # the page and its loop are closed
            loop.call_soon_threadsafe(function, *arguments, context=context)

    return call


def as_sentence(error: Exception | str) -> str:
    """Return the text of an exception, or a text, as a sentence."""
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    text = text or type(error).__name__
    if text.split()[0].isalpha():  # not the name of a file, which stays as it is
        text = text[0].upper() + text[1:]
    return text + ("" if text.endswith((".", "!", "?")) else ".")


class ResultCache(Generic[Result]):
    """Cache of the `most` recent results: moving a control recomputes only what depends on it."""

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

"""How a model fits: at once, or beside the page where that takes long; what stands there meanwhile.

A program that sets a parameter gets its fit at once. A person at a page waits for a moment only: what takes
longer goes on beside the page, which stays alive, and until it ends `fitted` is the last fit and `busy` says
so. The next change stops it, and so does `stop`. After that, and after a refusal, the parameters are those of
the fit that is shown, so that new settings never stand beside an old result.
"""

from __future__ import annotations

import warnings
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import copy_context
from threading import RLock, get_ident
from typing import Protocol

import traitlets as t

from credalbench.belief import CredalPartition
from credalbench.explore.shared.cluster_numbers import without_numbers
from credalbench.explore.shared.fit_beside import BackgroundFit
from credalbench.explore.shared.object_selection import ObjectSelection
from credalbench.explore.shared.parameter import Parameter, parameters_of
from credalbench.explore.shared.subjects import Subject
from credalbench.threads import one_thread

#: Slower than this, a slider refits when it is let go and not while it moves.
LIVE_UP_TO_MS = 400
#: How long a page waits for a fit that will take long, as the last one did.
MOMENT_MS = 150
#: Seconds between two words of progress.
TICK_S = 0.5


class Fit(Protocol):
    """What every explorer knows of its fit."""

    subject: Subject
    partition: CredalPartition
    fit_ms: float


class FittingModel(ObjectSelection):
    """Parameters, the fit that is shown, and the one that goes on.

    Attributes
    ----------
    subject : Subject or None
    fitted : Fit or None
    message : str
    is_error : bool
    busy : bool
        Whether a fit goes on beside the page; `fitted` is then an earlier one.
    progress : str
        How far it is, in words.
    repeatable : bool
        Whether each fit is one that a program computes from the parameters alone: none goes on from the last.
    turn : RLock
        Whoever reads or changes several things holds it; a fit beside the page does not.
    page : callable
        Returns the event loop of the page whose message is being answered, beside which a fit may go on, or
        None: whoever called waits for the fit.
    """

    subject = t.Any(None, allow_none=True)
    fitted = t.Any(None, allow_none=True)
    message = t.Unicode("")
    is_error = t.Bool(False)
    busy = t.Bool(False)
    progress = t.Unicode("")
    repeatable = t.Bool(False)

    def __init__(self) -> None:
        super().__init__()
        self.turn = RLock()  # JupyterLab may hand on what browsers report in two threads
        self.page: Callable[[], AbstractEventLoop | None] = lambda: None
        self._own_thread = None  # the one whose changes are the model's own, while it makes them
        self._beside: BackgroundFit[Fit] | None = None
        self._warned = []
        self._unfitted = set()  # parameters changed since the fit that is shown
        self._shown = {}  # the values of the parameters that it belongs to

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """Return what is declared of each parameter, by name."""
        return parameters_of(cls)

    # -- for the explorer -------------------------------------------------------------------------------

    def _refit(self, changed: set[str]) -> Fit:
        """Return the fit; raise what a person should read.

        May run beside the page, and be left at any line: parameters are set as `_own_changes` only, and
        what is kept for the next fit must not claim more than has been computed.
        """
        raise NotImplementedError

    def _take(self, fitted: Fit, changed: set[str]) -> None:
        """Make a fit the one that is shown; what depends on choices made meanwhile belongs here."""
        self.fitted = fitted

    # -- fits -------------------------------------------------------------------------------------------

    def _begin(self, changed: set[str]) -> None:
        """Fit, here or beside the page; raise what goes wrong here."""
        self._unfitted |= changed
        asked, loop, self._warned = set(self._unfitted), self.page(), []
        if loop is None:
            with _conditions(self._warned):
                fitted = self._refit(asked)
            self._show(fitted)
            return
        ended = _calling(loop, self._arrive)
        self._beside = BackgroundFit(lambda: self._refit(asked), lambda: _conditions(self._warned), ended)
        if self._beside.wait(1e-3 * self._patience_ms()):
            self._finish()
        else:
            self.report("")
            self._tick(self._beside, loop)
            self.busy = True

    def _patience_ms(self) -> float:
        """How long the page waits: sliders that move along wait for each fit, others for a moment."""
        quick = self.fitted is None or self.fitted.fit_ms < LIVE_UP_TO_MS
        return LIVE_UP_TO_MS if quick else MOMENT_MS

    def _arrive(self, beside: BackgroundFit[Fit]) -> None:
        """Show a fit that went on beside the page, unless it is out of date."""
        with self.turn:
            if self._beside is beside:
                self._finish()

    def _finish(self) -> None:
        """Show what the fit beside the page has come to."""
        beside, self._beside = self._beside, None
        try:
            self._show(beside.result())
        except Exception as error:  # whatever goes wrong, the person at the slider must read it
            self._refuse(error)

    def _show(self, fitted: Fit) -> None:
        self._shown = {name: getattr(self, name) for name in self.parameters()}
        changed, self._unfitted = self._unfitted, set()
        self._take(fitted, changed)
        self.busy = False
        told = dict.fromkeys(as_sentence(without_numbers(warning.message)) for warning in self._warned)
        self.report(" ".join([self.subject.note, *told]).strip())

    def _refuse(self, error: Exception) -> None:
        """Say what went wrong, and go back to the parameters of the fit that is shown."""
        self._go_back()
        self.busy = False
        self.report(as_sentence(error), error=True)

    def _go_back(self) -> None:
        """Take the parameters of the fit that is shown; with other data, keep those that were asked for."""
        if self.fitted is not None and self.fitted.subject is self.subject:
            with self._own_changes():
                for name, value in self.unshown().items():
                    setattr(self, name, value)
            self._unfitted = set()

    def _halt(self) -> None:
        """Leave the fit that goes on beside the page; what it was for is still to be fitted."""
        beside, self._beside = self._beside, None
        if beside is not None:
            beside.stop()

    def _tick(self, beside: BackgroundFit[Fit], loop: AbstractEventLoop) -> None:
        if self._beside is beside:
            self.progress = ", ".join(filter(None, [f"{beside.seconds:.0f} s", beside.progress.text()]))
            loop.call_later(TICK_S, self._tick, beside, loop)

    # -- what a person may do meanwhile -----------------------------------------------------------------

    def wait(self) -> None:
        """Wait for the fit that goes on beside the page, if one does, and show it."""
        beside = self._beside
        if beside is not None:
            beside.wait()
            self._arrive(beside)

    def stop(self) -> None:
        """Stop the fit that goes on beside the page, and go back to the parameters of the one shown."""
        with self.turn:
            if self._beside is None:
                return
            self._halt()
            self._go_back()
            self.busy = False
            self.report("Stopped." if self.is_out_of_date else "Stopped: the settings are those shown again.")

    def unshown(self) -> Mapping[str, object]:
        """Return the parameters that differ from those of the fit that is shown, with its values."""
        if self.fitted is None:
            return {}
        return {name: value for name, value in self._shown.items() if getattr(self, name) != value}

    @property
    def is_out_of_date(self) -> bool:
        """Whether the fit that is shown is not that of the present data and parameters."""
        return self.fitted is not None and bool(self.fitted.subject is not self.subject or self.unshown())

    # -- changes and messages ---------------------------------------------------------------------------

    @contextmanager
    def _own_changes(self) -> Iterator[None]:
        """Changes made by the model itself, in this thread: not a wish of the user."""
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
    """Note what is warned of. One thread: some hundred objects gain nothing by more, which turn on after."""
    with warnings.catch_warnings(record=True) as caught, one_thread():
        warnings.simplefilter("always", UserWarning)
        try:
            yield
        finally:
            warned.extend(caught)


def _calling(loop: AbstractEventLoop, function: Callable[..., None]) -> Callable[..., None]:
    """Return a function that calls `function` from an event loop, as if it answered the present message."""
    context = copy_context()

    def call(*arguments: object) -> None:
        with suppress(RuntimeError):  # the loop is closed, and with it the page
            loop.call_soon_threadsafe(function, *arguments, context=context)

    return call


def as_sentence(error: Exception | str) -> str:
    """Return what an exception says, or a text, with a capital letter and a full stop."""
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    text = text or type(error).__name__
    if text.split()[0].isalpha():  # and no name of a file, which stays as it is
        text = text[0].upper() + text[1:]
    return text + ("" if text.endswith((".", "!", "?")) else ".")

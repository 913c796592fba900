"""Work in the background: fits in threads, which can be cancelled, and small steps while the user is idle."""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from contextvars import copy_context
from threading import Event, Thread
from time import perf_counter
from typing import Generic, TypeVar

from credalbench.core.progress import Cancelled, Progress, listen

#: With fits slower than this, a slider refits on release and not while it moves.
LIVE_UP_TO_MS = 400
#: Time that a page waits for a fit if the last one was slow.
MOMENT_MS = 150
#: Seconds between two reports of progress.
TICK_S = 0.5
#: Idle time in seconds before work starts, and between two steps, when messages are handled.
REST_S, PAUSE_S = 0.5, 0.02

Result = TypeVar("Result")


class BackgroundFit(Generic[Result]):
    """A function that runs in a background thread, starting immediately.

    Cancelling is cooperative: the work ends at its next check of `credalbench.core.progress`, that is, at the
    next iteration of a tracked loop or the next piece of a compiled one.

    Parameters
    ----------
    work : callable
        The function; returns the result.
    context : callable
        Returns the context manager in which `work` runs.
    on_end : callable
        Called once with this object, in the thread, after a result or an error; not after `stop`.

    Attributes
    ----------
    progress : Progress
        Progress of the function.
    """

    def __init__(
        self,
        work: Callable[[], Result],
        context: Callable[[], AbstractContextManager],
        on_end: Callable[[BackgroundFit], None],
    ) -> None:
        self.progress = Progress()
        self._work, self._context, self._on_end = work, context, on_end
        self._ended = Event()
        self._result, self._error = None, None
        self._began = perf_counter()
        Thread(target=self._run, name="credalbench fit", daemon=True).start()

    def words(self) -> str:
        """Return the time since the start, and the progress."""
        words = [f"{perf_counter() - self._began:.0f} s", self.progress.text()]
        return ", ".join(filter(None, words))

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most `seconds`; return whether it has ended."""
        return self._ended.wait(seconds)

    def stop(self) -> None:
        """Cancel the function and wait for its end; a result that is already computed is kept."""
        self.progress.cancel()
        self._ended.wait()

    def result(self) -> Result | None:
        """Return the result, None if cancelled; re-raise the error of the function."""
        if self._error is not None:
            raise self._error
        return self._result

    def _run(self) -> None:
        try:
            with self._context(), listen(self.progress):
                try:
                    self.progress.check()
                    self._result = self._work()
                except Cancelled:
                    pass
                except BaseException as error:
                    self._error = error
        finally:
            self._ended.set()
        if not self.progress.cancelled:
            self._on_end(self)


class WhenIdle:
    """Call a function repeatedly while it returns True, beginning some time after `restart`.

    In a kernel the calls come from its event loop, between messages of the browser. Each call delays the next
    message, so it should be short. Without an event loop, nothing is called.
    """

    def __init__(self, work: Callable[[], bool]) -> None:
        self._work = work
        self._next: asyncio.TimerHandle | None = None

    def restart(self, seconds: float = REST_S) -> None:
        """Start again after the idle time."""
        self.stop()
        with suppress(RuntimeError):  # there is no event loop
            self._next = asyncio.get_running_loop().call_later(seconds, self._call)

    def stop(self) -> None:
        """Stop calling."""
        if self._next is not None:
            self._next.cancel()

    def _call(self) -> None:
        if self._work():
            self.restart(PAUSE_S)


def calling_in(loop: AbstractEventLoop, function: Callable[..., None]) -> Callable[..., None]:
    """Return a function that calls `function` in an event loop, in the current context."""
    context = copy_context()

    def call(*arguments: object) -> None:
        with suppress(RuntimeError):  # the page and its loop are closed
            loop.call_soon_threadsafe(function, *arguments, context=context)

    return call

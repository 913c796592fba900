"""A fit beside the page: in a thread of its own, until it ends or is stopped.

An estimator knows nothing of it. Where a fit is stopped, `Stopped` is raised inside it, as an interrupt from
the keyboard would be: between two lines of Python, so after at most one piece of a compiled loop (see
`credalbench.kernels`), which is some hundredths of a second. While a kernel is compiled, the stop waits: that
is some seconds, once on a machine. What is raised in a destructor gets lost there, so it is raised again.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Event, RLock, Thread
from time import perf_counter
from typing import Generic, TypeVar

from credalbench.kernels import COMPILING
from credalbench.progress import Progress, listen

Result = TypeVar("Result")

#: Seconds that a stopped fit has to leave its work: more than any piece of it takes.
AGAIN_S = 2.0


class Stopped(BaseException):
    """Raised inside a fit that nobody waits for any more; no ``except Exception`` takes it for an error."""


class BackgroundFit(Generic[Result]):
    """Work that has begun in a thread of its own.

    Parameters
    ----------
    work : callable
        Makes the result. It may be left at any line.
    around : callable
        Makes the context in which `work` is done; entering and leaving it is not interrupted.
    ended : callable
        Called once with this object, in the thread, when there is a result or an error; not after `stop`.

    Attributes
    ----------
    progress : Progress
        How far the work is.
    """

    def __init__(
        self,
        work: Callable[[], Result],
        around: Callable[[], AbstractContextManager],
        ended: Callable[[BackgroundFit], None],
    ) -> None:
        self.progress = Progress()
        self._work, self._around, self._tell = work, around, ended
        self._ended, self._door = Event(), RLock()
        self._inside, self._stopped = None, False  # whether `work` goes on, None before; whether to leave it
        self._result, self._error = None, None
        self._began = perf_counter()
        self._thread = Thread(target=self._run, name="credalbench fit", daemon=True)
        self._thread.start()

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return perf_counter() - self._began

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most so many seconds; return whether it has come."""
        return self._ended.wait(seconds)

    def stop(self) -> None:
        """Leave the work where it is, and wait until it is left. What has ended stays as it is."""
        self._raise()
        while not self._ended.wait(AGAIN_S):
            self._raise()

    def result(self) -> Result:
        """Return what the work gave, or raise what it raised; after the end, unless it was stopped."""
        if self._error is not None:
            raise self._error
        return self._result

    def _raise(self) -> None:
        with self._door:
            self._stopped |= self._inside is not False
            if self._inside:
                _raise_in(self._thread, Stopped)

    def _run(self) -> None:
        try:
            COMPILING.set(self._door)
            with self._around(), listen(self.progress):
                try:
                    self._do()
                    self._close()
                except Stopped:
                    self._close()
        finally:
            self._ended.set()
        if not self._stopped:
            self._tell(self)

    def _do(self) -> None:
        with self._door:
            self._inside = not self._stopped
        try:
            if self._inside:
                self._result = self._work()
        except Stopped:
            raise
        except BaseException as error:
            self._error = error

    def _close(self) -> None:
        """Let nothing be raised from here on, and take back what came too late for the work."""
        while self._inside:
            try:
                with self._door:
                    self._inside = False
                _raise_in(self._thread, None)
            except Stopped:  # it has come in the middle of this
                pass


def _raise_in(thread: Thread, kind: type[BaseException] | None) -> None:
    """Let a thread raise `kind` at its next line of Python; None takes back what it has not raised yet."""
    what = None if kind is None else ctypes.py_object(kind)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), what)

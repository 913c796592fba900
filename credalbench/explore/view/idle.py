"""Work that is done bit by bit while nobody moves a control."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

#: Seconds without a change before work begins, and between two bits of it: messages are handled there.
REST_S, PAUSE_S = 0.5, 0.02


class WhenIdle:
    """Calls a function again and again while it says that there is more to do, some time after `restart`.

    In a kernel the calls come from its event loop, between the messages of the browser: each of them holds up
    the next move of a control, so it should be short. In a program without an event loop nothing is called.
    """

    def __init__(self, work: Callable[[], bool]) -> None:
        self._work = work
        self._next: asyncio.TimerHandle | None = None

    def restart(self) -> None:
        """Begin anew, after a rest."""
        self._call_after(REST_S)

    def stop(self) -> None:
        """Call nothing any more."""
        if self._next is not None:
            self._next.cancel()
        self._next = None

    def _call_after(self, seconds: float) -> None:
        self.stop()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self._next = loop.call_later(seconds, self._call)

    def _call(self) -> None:
        self._next = None
        if self._work():
            self._call_after(PAUSE_S)

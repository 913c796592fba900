"""Work that is done in small steps while the user is idle."""

import asyncio
from collections.abc import Callable

#: Idle time in seconds before work starts, and between two steps, when messages are handled.
REST_S, PAUSE_S = 0.5, 0.02


class WhenIdle:
    """Calls a function repeatedly while it returns True, some time after `restart`.

    In a kernel the calls come from its event loop, between messages of the browser. Each call delays the next
    message, so it should be short. Without an event loop nothing is called.
    """

    def __init__(self, work: Callable[[], bool]) -> None:
        self._work = work
        self._next: asyncio.TimerHandle | None = None

    def restart(self) -> None:
        """Start again after the idle time."""
        self._call_after(REST_S)

    def stop(self) -> None:
        """Stop calling."""
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

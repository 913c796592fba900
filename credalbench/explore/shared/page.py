"""Whether somebody at a page waits for the answer: then a long fit goes on beside it."""

from __future__ import annotations

import asyncio

from IPython import get_ipython


def loop_of_page() -> asyncio.AbstractEventLoop | None:
    """Return the event loop that answers a message from a widget; None in a cell, which waits for its fits.

    The loop has to be running, so that other messages are answered meanwhile.
    """
    kernel = getattr(get_ipython(), "kernel", None)
    if kernel is None or kernel.get_parent().get("header", {}).get("msg_type") != "comm_msg":
        return None
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None

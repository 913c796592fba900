"""Entry point of the server process, which :mod:`.serving` starts."""

import os
import signal
import sys
import threading
import warnings

from jupyter_server.serverapp import ServerApp

with warnings.catch_warnings():  # Voila otherwise enables all deprecation warnings of Jupyter
    import voila  # noqa: F401

GRACE_S = 5  # seconds for an orderly end


def _end_with_parent() -> None:
    """End this process when the process that started it has ended, even if that was killed."""
    os.read(sys.stdin.fileno(), 1)  # blocks until the parent has ended; unlike a file object, takes no lock
    if hasattr(signal, "alarm"):
        signal.alarm(GRACE_S)  # the system then ends the process if the orderly end hangs
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    ServerApp.launch_instance()

"""The server itself, in a process of its own; :mod:`.serving` starts it and says how it runs."""

from __future__ import annotations

import warnings

from jupyter_server.serverapp import ServerApp

with warnings.catch_warnings():  # left alone, Voila has all told that is deprecated in Jupyter
    import voila  # noqa: F401

if __name__ == "__main__":
    ServerApp.launch_instance()

"""Entry point of the server process, which :mod:`.serving` starts."""

import warnings

from jupyter_server.serverapp import ServerApp

with warnings.catch_warnings():  # Voila otherwise enables all deprecation warnings of Jupyter
    import voila  # noqa: F401

if __name__ == "__main__":
    ServerApp.launch_instance()

"""Run the server of `credalbench explore` until it is stopped."""

import json
import secrets
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from signal import SIGINT, SIGTERM

from credalbench.core.locked_tempdir import LockedTempDir
from credalbench.core.processes import ProcessTree, Stopped, stoppable
from credalbench.papers.parameters import suggestion
from credalbench.papers.places import notebooks_folder

from .catalogue import find_tile, notebook_names
from .settings import (
    IDLE_S,
    LAB_PAGES,
    LOCAL,
    START,
    ServerConfig,
    default_max_pages,
    environment,
    explorer_address,
    jupyter_settings,
    lab_address,
)
from .user_copies import copy_originals, explorations_root

GRACE_S = 5  # time for the server to end its kernels
#: Length of a token: by default, and for a class, where users may have to type it.
TOKEN_LENGTH, CLASS_TOKEN_LENGTH = 32, 10
#: Random bytes in the address of the teacher's page.
TEACHER_KEY_BYTES = 16
FOR_CLASS = """\
The server accepts at most {max_pages} open pages (--most), and closes a page after {idle} idle minutes.
Users with the token can use explorers and lessons, and with them the processor and memory of this machine;
they cannot run their own code or access files. The token is sent unencrypted: use a trusted network.
More: docs/classroom.md."""


def server_config(
    name: str | None = None,
    *,
    lab: bool = False,
    for_class: bool = False,
    ip: str | None = None,
    max_pages: int | None = None,
    port: int = 8888,
    browser: bool = True,
) -> ServerConfig:
    """Check the options of the command and return the configuration of the server.

    Parameters
    ----------
    name : str, optional
        An explorer or lesson to open; the start page by default.
    lab : bool, default=False
        Whether to open it in JupyterLab.
    for_class, ip, max_pages, port, browser
        As in `ServerConfig`; `ip` and `max_pages` require `for_class`.

    Raises
    ------
    ValueError
        If no explorer or lesson has this name, or if options exclude each other.
    """
    tile = find_tile(notebooks_folder(), name) if name is not None else None
    if name is not None and tile is None:
        known = notebook_names(notebooks_folder())
        listed = ", ".join(known) or "none"
        raise ValueError(f"no explorer or lesson {name!r}{suggestion(name, known)} (there are: {listed})")
    if lab and for_class:
        raise ValueError("expected --lab or --class; got both, but a class has no JupyterLab")
    if not for_class and (ip is not None or max_pages is not None):
        raise ValueError(
            "expected --ip and --most together with --class: otherwise only this machine can connect"
        )
    start = explorer_address(tile.path) if tile else START
    if lab:
        start = lab_address(tile.path if tile else "")
    limit = (max_pages or default_max_pages()) if for_class else 0
    return ServerConfig(explorations_root(), start, port, browser, for_class, ip or LOCAL, limit)


def serve(config: ServerConfig, echo: Callable[[str], object] = print) -> int:
    """Run the server until it ends or a signal stops it; then remove the folder of a class.

    Returns
    -------
    int
        The exit code.
    """
    with stoppable():
        tempdir = LockedTempDir()
        try:
            if config.for_class:
                config = replace(config, root=Path(tempdir.path, "class"))
                echo(FOR_CLASS.format(max_pages=config.max_pages, idle=IDLE_S // 60))
            copy_originals(config.root)
            users = "this machine only" if config.ip == LOCAL else f"{config.ip}, for users with the token"
            echo(f"The server listens on {users}. Stop it with Ctrl-C.")
            return _run(config, Path(tempdir.path, "server"))
        finally:
            tempdir.remove()


def _run(config: ServerConfig, folder: Path) -> int:
    """Start the server with its configuration and sockets in its own folder, and wait for its end."""
    token = secrets.token_hex((CLASS_TOKEN_LENGTH if config.for_class else TOKEN_LENGTH) // 2)
    Path(folder, "labconfig").mkdir(parents=True)
    Path(folder, "labconfig", "page_config.json").write_text(json.dumps(LAB_PAGES), encoding="utf-8")
    teacher_key = secrets.token_urlsafe(TEACHER_KEY_BYTES) if config.for_class else ""
    settings = json.dumps(jupyter_settings(config, token, teacher_key))
    Path(folder, "jupyter_server_config.json").write_text(settings, encoding="utf-8")
    server = ProcessTree(
        [sys.executable, "-m", __package__],
        environment(folder, for_class=config.for_class),
        stdin=subprocess.PIPE,  # closed when this process ends in any way; then the server also ends
    )
    server.record(folder.parent)
    try:
        return server.process.wait()
    except Stopped as stop:
        server.signal(SIGTERM)
        return 0 if stop.exit_code == 128 + SIGINT else stop.exit_code
    finally:
        server.end(grace_s=GRACE_S)

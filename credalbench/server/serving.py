"""Running the server of the server until somebody ends it."""

from __future__ import annotations

import importlib.util
import json
import secrets
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from signal import SIGINT, SIGTERM

from credalbench.runner.locked_tempdir import LockedTempDir
from credalbench.runner.parameters import suggestion
from credalbench.runner.places import notebooks_folder
from credalbench.runner.processes import ProcessTree, Stopped, stoppable

from .catalogue import named, names
from .own_copies import explorations_root, lay_out_originals
from .settings import (
    IDLE_S,
    LAB_PAGES,
    LOCAL,
    START,
    Visit,
    environment,
    explorer_address,
    lab_address,
    room_for,
    settings,
)

PATIENCE_S = 5  # for the server, to end its kernels and to save
#: Letters of a token: one that is sent along in an address, and one that a class may have to type.
LONG, SHORT = 32, 10
FOR_CLASS = """\
A class: at most {most} pages open at a time (--most); one left alone for {idle} minutes is closed.
Who has the token can use explorers and lessons, and through them this machine's processor and memory; nobody
can run code of their own, or read or change files. The token is sent unencrypted: serve where you trust the
network. More: docs/classroom.md."""


class Missing(RuntimeError):
    """What the server needs is not installed."""


def visit(
    name: str | None = None,
    *,
    lab: bool = False,
    for_class: bool = False,
    ip: str | None = None,
    most: int | None = None,
    port: int = 8888,
    browser: bool = True,
) -> Visit:
    """Check what is asked for.

    Parameters
    ----------
    name : str, optional
        An explorer or lesson; without one, the page of all.
    lab : bool, default=False
        Open it in JupyterLab.
    for_class, ip, most, port, browser
        As `Visit` has them; `ip` and `most` are for a class.

    Raises
    ------
    ValueError
        There is no such explorer or lesson, or wishes contradict each other.
    """
    tile = named(notebooks_folder(), name) if name is not None else None
    if name is not None and tile is None:
        known = names(notebooks_folder())
        there = ", ".join(known) or "none"
        raise ValueError(f"no explorer or lesson {name!r}{suggestion(name, known)} (there are: {there})")
    if lab and for_class:
        raise ValueError("expected --lab or --class, got both: a class has no JupyterLab")
    if not for_class and (ip is not None or most is not None):
        raise ValueError(
            "expected --ip and --most together with --class: without it, this machine alone is served"
        )
    start = explorer_address(tile.path) if tile else START
    if lab:
        start = lab_address(tile.path if tile else "")
    room = (most or room_for()) if for_class else 0
    return Visit(explorations_root(), start, port, browser, for_class, ip or LOCAL, room)


def serve(asked: Visit, say: Callable[[str], object] = print) -> int:
    """Serve until the server ends, or a signal asks for its end; a class in a folder that goes afterwards.

    Returns
    -------
    int
        The exit code.

    Raises
    ------
    Missing
        There is no Voila.
    """
    if importlib.util.find_spec("voila") is None:
        raise Missing("expected the package voila, got none: pip install voila")
    with stoppable():
        tempdir = LockedTempDir()
        try:
            if asked.for_class:
                asked = replace(asked, root=Path(tempdir.path, "class"))
                say(FOR_CLASS.format(most=asked.most, idle=IDLE_S // 60))
            lay_out_originals(asked.root)
            where = "this machine only" if asked.ip == LOCAL else f"{asked.ip}, for whoever has the token"
            say(f"The server listens on {where}. Ctrl-C ends it.")
            return _run(asked, Path(tempdir.path, "server"))
        finally:
            tempdir.remove()


def _run(asked: Visit, own: Path) -> int:
    """Start the server, with its configuration and its sockets in a folder of its own, and wait."""
    token = secrets.token_hex((SHORT if asked.for_class else LONG) // 2)
    Path(own, "labconfig").mkdir(parents=True)
    Path(own, "labconfig", "page_config.json").write_text(json.dumps(LAB_PAGES), encoding="utf-8")
    told = json.dumps(settings(asked, token))
    Path(own, "jupyter_server_config.json").write_text(told, encoding="utf-8")
    server = ProcessTree(
        [sys.executable, "-m", __package__],
        environment(own, for_class=asked.for_class),
        stdin=subprocess.DEVNULL,
    )
    try:
        return server.process.wait()
    except Stopped as stop:
        server.signal(SIGTERM)
        return 0 if stop.exit_code == 128 + SIGINT else stop.exit_code
    finally:
        server.end(grace_s=PATIENCE_S)

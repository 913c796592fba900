"""How the one Jupyter server runs that has the server, Voila and JupyterLab behind one token: plain values.

They are the server's whole configuration below the machine's own: a user's files for another server, with a
port, a password or none, have no say here. JupyterLab's settings for the user's eyes stay.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jupyter_core.paths import jupyter_config_dir

from credalbench.explore.shared.saving import EXPLORATIONS, FOR_CLASS
from credalbench.resources import available_memory

from .own_copies import ORIGINALS, explorations_root

LOCAL = "127.0.0.1"
START = "/start"
GLOSSARY = f"{START}/glossary"
MB = 2**20
#: What the process of a page takes; that of ECM, after its first fit of 400 objects, 312 MB.
KERNEL_BYTES = 320 * MB
IDLE_S = 30 * 60  # without a message in either direction; then an explorer of a class is closed
LOOK_EVERY_S = 60
#: All that the page of an explorer says to its kernel. To run code is not among it.
PAGE_MESSAGES = ["comm_open", "comm_close", "comm_msg", "comm_info_request", "kernel_info_request"]
WORST_ONLY = 50  # a page says what went wrong with it; who comes to a full room is no error
#: Of JupyterLab's pages: nobody is asked whether to fetch news.
LAB_PAGES = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
#: Where Jupyter looks for the template of pages, as Voila names such folders.
TEMPLATES = Path(__file__).parent / "jupyter"


@dataclass(frozen=True)
class Visit:
    """What a server is started for.

    Parameters
    ----------
    root : Path
        Folder that it serves, originals in it.
    start : str
        The page that it opens, as an address without server.
    port : int, default=8888
        The first to try.
    browser : bool, default=True
        Whether to open `start`.
    for_class : bool, default=False
        Whether many use it: then nobody can run or change anything but explorers.
    ip : str, default="127.0.0.1"
        The address of this machine on which it listens.
    most : int, default=0
        How many explorers of a class may be open at a time.
    """

    root: Path
    start: str = START
    port: int = 8888
    browser: bool = True
    for_class: bool = False
    ip: str = LOCAL
    most: int = 0


def explorer_address(path: str) -> str:
    """Where Voila shows a notebook, of a path below the folder of the notebooks."""
    return f"/voila/render/{ORIGINALS}/{path}"


def lab_address(path: str = "") -> str:
    """Where JupyterLab opens the user's copy of a notebook; without one, JupyterLab."""
    return f"{START}/lab/{path}" if path else "/lab"


def settings(visit: Visit, token: str) -> dict[str, dict]:
    """The values of all traits that are not left at their defaults, by class and name."""
    apps = {"voila.server_extension": True, "credalbench.server.extension": True}
    apps |= dict.fromkeys(("jupyterlab", "notebook_shim"), not visit.for_class)
    apps |= dict.fromkeys(("jupyter_lsp", "jupyter_server_terminals"), not visit.for_class)
    server = {
        "ip": visit.ip,
        "port": visit.port,
        "open_browser": visit.browser,
        "default_url": visit.start,
        "root_dir": str(visit.root),
        "jpserver_extensions": apps,
        "terminals_enabled": not visit.for_class,
        "log_level": WORST_ONLY,
        "tornado_settings": {"mathjax_url": None, "mathjax_config": None},  # Voila then uses its own
        "allow_root": True,  # a container, most often; the token stands before it as before any user
    }
    voila = {"template": "credalbench", "strip_sources": False, "show_tracebacks": not visit.for_class}
    voila["resources"] = {"for_class": visit.for_class}
    voila |= dict.fromkeys(("allow_template_override", "allow_theme_override"), "NO")
    return {
        "ServerApp": server | (_for_class() if visit.for_class else {}),
        "IdentityProvider": {"token": token},
        "PasswordIdentityProvider": {"allow_password_change": False},  # by the first who has the token
        "LabApp": {"check_for_updates_class": "jupyterlab.NeverCheckForUpdate", "log_level": WORST_ONLY},
        "VoilaConfiguration": voila,
        "KernelManager": {"transport": "ipc"} if os.name == "posix" else {},  # nobody else can listen
        "LimitedKernels": {
            "most": visit.most,
            "cull_idle_timeout": IDLE_S,
            "cull_interval": LOOK_EVERY_S,
            "cull_connected": True,
            "allowed_message_types": PAGE_MESSAGES,
        },
        "HomePage": {"for_class": visit.for_class},
    }


def _for_class() -> dict[str, object]:
    classroom = "credalbench.server.classroom"
    return {
        "kernel_manager_class": f"{classroom}.LimitedKernels",
        "authorizer_class": f"{classroom}.PagesOnly",
        "quit_button": False,
    }


def environment(
    own: Path, given: Mapping[str, str] = os.environ, *, for_class: bool = False
) -> dict[str, str]:
    """The environment of the server: its own folder and our templates, but the user's look of JupyterLab."""
    look = given.get("JUPYTERLAB_SETTINGS_DIR") or str(Path(jupyter_config_dir(), "lab", "user-settings"))
    templates = [str(TEMPLATES), *filter(None, [given.get("JUPYTER_PATH")])]
    return {
        **given,
        "JUPYTER_CONFIG_DIR": str(own),
        "JUPYTER_RUNTIME_DIR": str(own),
        "JUPYTER_PATH": os.pathsep.join(templates),
        "JUPYTERLAB_SETTINGS_DIR": look,
        EXPLORATIONS: str(explorations_root()),
        FOR_CLASS: "1" if for_class else "",
    }


def room_for() -> int:
    """How many explorers the memory at hand has room for, half of it left to the fits."""
    return max(1, int(min(available_memory()[0], 2**40) / 2 / KERNEL_BYTES))

"""Run the Jupyter server of `credalbench explore`: explorers, lessons and JupyterLab with one token.

The server reads the user settings of JupyterLab, but no other configuration files of the user.
"""

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from signal import SIGINT, SIGTERM

from jupyter_core.paths import jupyter_config_dir

from credalbench.core.locked_tempdir import LockedTempDir
from credalbench.core.processes import ProcessTree, Stopped, stoppable
from credalbench.core.resources import available_memory
from credalbench.explore import reading
from credalbench.explore.canvas import script
from credalbench.explore.saving import EXPLORATIONS, FOR_CLASS
from credalbench.papers.parameters import suggestion
from credalbench.papers.places import notebooks_folder

from .catalogue import ORIGINALS, copy_originals, explorations_root, find_tile, notebook_names
from .forking import CAN_FORK

LOCAL = "127.0.0.1"
START = "/start"
GLOSSARY, LIVE, STATE = f"{START}/glossary", f"{START}/live", f"{START}/state"
POLL, TEACHER = f"{START}/poll", f"{START}/teacher"
MB = 2**20
#: Memory that an open page adds, and memory of the process from which its kernel is forked (`forking`), as
#: measured by ``benchmarks/open_pages.py`` on larger pages. A kernel that is started as usual shares little.
PAGE_BYTES, WARM_BYTES = (100 * MB, 250 * MB) if CAN_FORK else (260 * MB, 0)
IDLE_S = 30 * 60  # seconds without a message after which the server closes a page of a class
CULL_INTERVAL_S = 60
PING_MS = 10_000  # milliseconds between pings; a page that misses three has lost its connection
#: The messages that the page of an explorer sends to its kernel; none of them runs code.
PAGE_MESSAGES = ["comm_open", "comm_close", "comm_msg", "comm_info_request", "kernel_info_request"]
CRITICAL = 50  # log level: pages show their own errors
#: Configuration of JupyterLab's pages: they do not ask to fetch news.
LAB_PAGES = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
#: Folder in which Voila finds the template of the pages.
TEMPLATES = Path(__file__).parent / "jupyter"
#: The module with the kernel managers.
KERNELS = f"{__package__}.page_kernels"
CLASS_SETTINGS = {
    "kernel_manager_class": f"{KERNELS}.LimitedKernels",
    "authorizer_class": f"{KERNELS}.PagesOnly",
    "quit_button": False,
}
GRACE_S = 5  # time for the server to end its kernels
#: Length of a token: by default, and for a class, where users may have to type it.
TOKEN_LENGTH, CLASS_TOKEN_LENGTH = 32, 10
CLASS_NOTICE = """\
The server accepts at most {max_pages} open pages (--most), and closes a page after {idle} idle minutes.
Users with the token can use explorers and lessons, and with them the processor and memory of this machine;
they cannot run their own code or access files. The token is sent unencrypted: use a trusted network.
More: docs/classroom.md."""


@dataclass(frozen=True)
class ServerConfig:
    """Options of the server."""

    root: Path  # the folder that the server serves; it contains the originals
    start: str = START  # address of the first page, without the host
    port: int = 8888  # the first port to try
    browser: bool = True  # whether to open the first page in a browser
    for_class: bool = False  # whether the server is for a class and offers only explorers and lessons
    ip: str = LOCAL  # address on which the server listens
    max_pages: int = 0  # largest number of open pages in a class


def server_config(
    name: str | None,
    *,
    lab: bool,
    for_class: bool,
    ip: str | None,
    max_pages: int | None,
    port: int,
    browser: bool,
) -> ServerConfig:
    """Check the options of the command and return the configuration of the server.

    The first page is the explorer or lesson `name`, in JupyterLab if `lab`; by default it is the start page.
    The other options are those of `ServerConfig`; `ip` and `max_pages` require `for_class`.

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


def default_max_pages() -> int:
    """Return the number of pages for which half of the available memory is enough; fits need the rest."""
    return max(1, int((available_memory() / 2 - WARM_BYTES) / PAGE_BYTES))


def explorer_address(path: str) -> str:
    """Return the address at which Voila shows a notebook, given its path below the folder of notebooks."""
    return f"/voila/render/{ORIGINALS}/{path}"


def lab_address(path: str = "") -> str:
    """Return the address of the user's copy of a notebook in JupyterLab, by default of JupyterLab itself."""
    return f"{START}/lab/{path}" if path else "/lab"


def serve(config: ServerConfig, echo: Callable[[str], object]) -> int:
    """Run the server until it ends or a signal stops it; then remove the folder of a class.

    Return the exit code.
    """
    with stoppable():
        tempdir = LockedTempDir()
        try:
            if config.for_class:
                config = replace(config, root=Path(tempdir.path, "class"))
                echo(CLASS_NOTICE.format(max_pages=config.max_pages, idle=IDLE_S // 60))
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
    settings = json.dumps(jupyter_settings(config, token))
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


def jupyter_settings(config: ServerConfig, token: str) -> dict[str, dict]:
    """Return all traits of the Jupyter server that differ from their defaults, by class and name."""
    single_user = not config.for_class
    apps = {"voila.server_extension": True, "credalbench.learn.server.extension": True}
    apps |= dict.fromkeys(("jupyterlab", "notebook_shim"), single_user)
    apps |= dict.fromkeys(("jupyter_lsp", "jupyter_server_terminals"), single_user)
    server = {
        "ip": config.ip,
        "port": config.port,
        "open_browser": config.browser,
        "default_url": config.start,
        "root_dir": str(config.root),
        "jpserver_extensions": apps,
        "terminals_enabled": single_user,
        "log_level": CRITICAL,
        "kernel_manager_class": f"{KERNELS}.PageKernels",
        "tornado_settings": {
            "mathjax_url": None,  # Voila has its own
            "mathjax_config": None,
            "ws_ping_interval": PING_MS,
            "ws_ping_timeout": 3 * PING_MS,
        },
        "allow_root": True,  # common in containers; the token protects root like any other user
    }
    voila = {
        "template": "credalbench",
        "strip_sources": False,
        "show_tracebacks": single_user,
        "allow_template_override": "NO",
        "allow_theme_override": "NO",
        "resources": {
            "for_class": config.for_class,
            "look": reading.style(),
            "reading": script("play_names.js") + reading.script(),
        },
    }
    return {
        "ServerApp": server | (CLASS_SETTINGS if config.for_class else {}),
        "IdentityProvider": {"token": token},
        "PasswordIdentityProvider": {"allow_password_change": False},
        "LabApp": {"check_for_updates_class": "jupyterlab.NeverCheckForUpdate", "log_level": CRITICAL},
        "VoilaConfiguration": voila,
        "LanguageServerManager": {"autodetect": False},  # it would run Rscript, node and others at the start
        "KernelManager": {"transport": "ipc"} if os.name == "posix" else {},  # not reachable by other users
        "LimitedKernels": {
            "max_kernels": config.max_pages,
            "cull_idle_timeout": IDLE_S,
            "cull_interval": CULL_INTERVAL_S,
            "cull_connected": True,
            "allowed_message_types": PAGE_MESSAGES,
        },
    }


def environment(
    folder: Path, given: Mapping[str, str] = os.environ, *, for_class: bool = False
) -> dict[str, str]:
    """Return the environment of the server: configuration in `folder`, user settings of JupyterLab."""
    user_settings = Path(jupyter_config_dir(), "lab", "user-settings")
    templates = [str(TEMPLATES), *filter(None, [given.get("JUPYTER_PATH")])]
    return {
        **given,
        "JUPYTER_CONFIG_DIR": str(folder),
        "JUPYTER_RUNTIME_DIR": str(folder),
        "JUPYTER_PATH": os.pathsep.join(templates),
        "JUPYTERLAB_SETTINGS_DIR": given.get("JUPYTERLAB_SETTINGS_DIR") or str(user_settings),
        EXPLORATIONS: str(explorations_root()),
        FOR_CLASS: "1" if for_class else "",
    }

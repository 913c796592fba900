"""Configuration of the Jupyter server that runs explorers, lessons and JupyterLab with one token.

The server reads the user settings of JupyterLab, but no other configuration files of the user.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jupyter_core.paths import jupyter_config_dir

from credalbench.core.resources import available_memory
from credalbench.explore import reading
from credalbench.explore.canvas import script
from credalbench.explore.saving import EXPLORATIONS, FOR_CLASS

from .forking import CAN_FORK
from .user_copies import ORIGINALS, explorations_root

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


@dataclass(frozen=True)
class ServerConfig:
    """Options of the server.

    Parameters
    ----------
    root : Path
        Folder that the server serves; it contains the originals.
    start : str
        Address of the first page, without the host.
    port : int, default=8888
        First port to try.
    browser : bool, default=True
        Whether to open the first page in a browser.
    for_class : bool, default=False
        Whether the server is for a class and offers only explorers and lessons.
    ip : str, default="127.0.0.1"
        Address on which the server listens.
    max_pages : int, default=0
        Largest number of open pages in a class.
    questions : sequence of mapping, default=()
        Questions that a class can be asked, as `poll_questions` returns them.
    """

    root: Path
    start: str = START
    port: int = 8888
    browser: bool = True
    for_class: bool = False
    ip: str = LOCAL
    max_pages: int = 0
    questions: Sequence[Mapping[str, object]] = ()


def explorer_address(path: str) -> str:
    """Return the address at which Voila shows a notebook, given its path below the folder of notebooks."""
    return f"/voila/render/{ORIGINALS}/{path}"


def lab_address(path: str = "") -> str:
    """Return the address of the user's copy of a notebook in JupyterLab, by default of JupyterLab itself."""
    return f"{START}/lab/{path}" if path else "/lab"


def jupyter_settings(config: ServerConfig, token: str, teacher_key: str = "") -> dict[str, dict]:
    """Return all traits of the Jupyter server that differ from their defaults, by class and name.

    In a class, the address of the teacher's page ends with `teacher_key`.
    """
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
    voila = {"template": "credalbench", "strip_sources": False, "show_tracebacks": single_user}
    voila["resources"] = {"for_class": config.for_class, "look": reading.style()}
    voila["resources"]["reading"] = script("play_names.js") + reading.script()
    voila |= dict.fromkeys(("allow_template_override", "allow_theme_override"), "NO")
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
        "StartPage": {
            "for_class": config.for_class,
            "teacher_key": teacher_key,
            "questions": [*config.questions],
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


def default_max_pages() -> int:
    """Return the number of pages for which half of the available memory is enough; fits need the rest."""
    return max(1, int((available_memory() / 2 - WARM_BYTES) / PAGE_BYTES))

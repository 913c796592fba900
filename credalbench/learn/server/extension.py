"""Jupyter server extension with the start page, the glossary, live pages, and copies for JupyterLab."""

import asyncio
import secrets
import socket
import tempfile
import urllib.parse
from pathlib import Path
from typing import ClassVar

import click
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.serverapp import ServerApp
from jupyter_server.utils import url_escape, url_path_join
from tornado.web import HTTPError, authenticated

from credalbench.core.glossary import sorted_terms, split_at_terms
from credalbench.explore.live import PAGES, write_live_page
from credalbench.explore.saving import in_class

from .catalogue import (
    LESSONS,
    ORIGINALS,
    Tile,
    find_tiles,
    paper_sections,
    picture,
    question_sections,
    user_copy,
)
from .polls import Polls, StudentPage, StudentState, TeacherPage, TeacherState, poll_questions, template
from .serving import GLOSSARY, LIVE, LOCAL, POLL, START, STATE, TEACHER, explorer_address, lab_address

#: Addresses on which a server listens on all interfaces.
ALL_INTERFACES = ("", "*", "0.0.0.0", "::")
#: Random bytes in the address of the teacher's page.
TEACHER_KEY_BYTES = 16


class StartHandler(JupyterHandler):
    """Handler of the start page: the path of the lessons, live pages, explorers by question, and studies."""

    @authenticated
    def get(self) -> None:
        """Write the page with the notebooks that exist at the time of the request."""
        folder = Path(self.settings["server_root_dir"]).expanduser() / ORIGINALS
        explained: set[str] = set()
        self.finish(
            template("start").render(
                lessons=find_tiles(folder, LESSONS),
                live=[Tile(f"{LIVE}/{name}", title, "") for name, title in PAGES.items()],
                sections=question_sections(folder),
                picture=picture,
                papers={} if in_class() else paper_sections(folder),
                for_class=in_class(),
                root=folder.parent,
                show=lambda path: url_path_join(self.base_url, url_escape(explorer_address(path))),
                lab=lambda path="": url_path_join(self.base_url, url_escape(lab_address(path))),
                address=lambda path: url_path_join(self.base_url, path),
                glossary=url_path_join(self.base_url, GLOSSARY),
                state=url_path_join(self.base_url, STATE),
                poll=url_path_join(self.base_url, POLL),
                split_at_terms=lambda text: split_at_terms(text, explained),
            )
        )


class StateHandler(JupyterHandler):
    """Handler that tells pages how many groups of compiled loops are ready."""

    @authenticated
    def get(self) -> None:
        """Write the two numbers as JSON."""
        done, of = self.kernel_manager.compiled
        self.set_header("Cache-Control", "no-store")
        self.finish({"done": done, "of": of})


class LiveHandler(JupyterHandler):
    """Handler of the pages that compute in the browser; each is written when it is first opened."""

    written: ClassVar[dict[str, str]] = {}

    @authenticated
    async def get(self, name: str) -> None:
        """Write the page."""
        if name not in PAGES:
            raise HTTPError(404, f"expected one of the pages {', '.join(PAGES)}; got {name!r}")
        if name not in self.written:
            self.written[name] = await asyncio.to_thread(live_page, name)
        self.finish(self.written[name])


def live_page(name: str) -> str:
    """Return a page that computes in the browser."""
    with tempfile.TemporaryDirectory() as folder:
        return write_live_page(name, Path(folder, "page.html")).read_text("utf-8")


class GlossaryHandler(JupyterHandler):
    """Handler of the glossary."""

    @authenticated
    def get(self) -> None:
        """Write the page."""
        start = url_path_join(self.base_url, START)
        self.finish(template("glossary").render(terms=sorted_terms(), start=start))


class LabHandler(JupyterHandler):
    """Handler that opens the user's copy of a notebook in JupyterLab."""

    @authenticated
    def get(self, path: str) -> None:
        """Create the copy unless it exists, and redirect to it."""
        try:
            copy = user_copy(Path(self.settings["server_root_dir"]).expanduser(), path)
        except FileNotFoundError as error:
            raise HTTPError(404, str(error)) from error
        self.redirect(url_path_join(self.base_url, "doc/tree", url_escape(copy)))  # without the file browser


class LeaveHandler(JupyterHandler):
    """Handler that ends the kernel of a closed page, because Voila keeps it."""

    def check_xsrf_cookie(self) -> None:
        """Skip the check, because only the page knows the identifier of its kernel."""

    @authenticated
    async def post(self, kernel: str) -> None:
        """End the kernel if it still runs."""
        if kernel in self.kernel_manager:
            await self.kernel_manager.shutdown_kernel(kernel)
        self.set_status(204)


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: ServerApp) -> None:
    base = server.base_url
    handlers = [
        (url_path_join(base, START), StartHandler),
        (url_path_join(base, GLOSSARY), GlossaryHandler),
        (url_path_join(base, STATE), StateHandler),
        (url_path_join(base, LIVE, r"(\w+)"), LiveHandler),
        (url_path_join(base, START, r"leave/([\w-]+)"), LeaveHandler),
    ]
    teacher_key = secrets.token_urlsafe(TEACHER_KEY_BYTES) if in_class() else ""
    if teacher_key:
        shared = {"polls": Polls(poll_questions()), "key": teacher_key}
        teacher = url_path_join(base, TEACHER, r"([\w-]+)")
        handlers += [
            (url_path_join(base, POLL), StudentPage, shared),
            (url_path_join(base, POLL, "state"), StudentState, shared),
            (teacher, TeacherPage, shared),
            (url_path_join(teacher, "state"), TeacherState, shared),
        ]
    else:
        handlers.append((url_path_join(base, START, "lab/(.*)"), LabHandler))
    server.web_app.add_handlers(".*$", handlers)
    server.kernel_manager.warm_up()
    # the server has a port and listens on it two iterations of the loop later
    server.io_loop.add_callback(server.io_loop.add_callback, _print_addresses, server, teacher_key)


def _print_addresses(server: ServerApp, teacher_key: str) -> None:
    """Print the address of the page, with the token, for this machine and for the network."""
    ips = [LOCAL, _network_ip()] if server.ip in ALL_INTERFACES else [server.ip]
    token = urllib.parse.urlencode({"token": server.identity_provider.token})
    page = url_path_join(server.base_url, server.default_url)
    for ip in ips:
        click.echo(f"http://{ip}:{server.port}{page}?{token}")
    if teacher_key:
        polls = url_path_join(server.base_url, TEACHER, teacher_key)
        click.echo(f"For the teacher only, polls: http://{ips[0]}:{server.port}{polls}?{token}")


def _network_ip() -> str:
    """Return the address of this machine in its network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
            return probe.getsockname()[0]
        except OSError:
            return socket.gethostname()

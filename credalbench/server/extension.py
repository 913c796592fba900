"""The home within the Jupyter server: its pages, and the way from an original to the copy in JupyterLab."""

from __future__ import annotations

import socket
import urllib.parse
from pathlib import Path

import click
import traitlets as t
from jinja2 import Environment, PackageLoader, Template
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.serverapp import ServerApp
from jupyter_server.utils import url_escape, url_path_join
from tornado.web import HTTPError, authenticated
from traitlets.config import Configurable

from credalbench.glossary import in_order, pieces

from .catalogue import EXPLORERS, LESSONS, Shelf, papers, tiles
from .own_copies import ORIGINALS, own_copy
from .settings import GLOSSARY, LOCAL, START, explorer_address, lab_address

#: What a server listens on, in whose name nobody can call it.
EVERYWHERE = ("", "*", "0.0.0.0", "::")


def _page(name: str) -> Template:
    """The template of a page."""
    pages = Environment(autoescape=True, loader=PackageLoader(__package__, "pages"))
    return pages.get_template(f"{name}.html.j2")


class HomePage(Configurable):
    """What the pages depend on."""

    for_class = t.Bool(False, help="Whether many use it, and nobody JupyterLab.").tag(config=True)


class HomeHandler(JupyterHandler):
    """The page with a tile for every explorer and lesson, and a line for every study."""

    def initialize(self, home: HomePage) -> None:
        self.home = home

    @authenticated
    def get(self) -> None:
        """Answer with the page, of the notebooks that are there now."""
        folder = Path(self.settings["server_root_dir"]).expanduser() / ORIGINALS
        shelves = (Shelf("Explorers", tiles(folder, EXPLORERS)), Shelf("Lessons", tiles(folder, LESSONS)))
        told: set[str] = set()
        self.finish(
            _page("home").render(
                shelves=[shelf for shelf in shelves if shelf.tiles],
                papers=() if self.home.for_class else papers(folder),
                for_class=self.home.for_class,
                root=folder.parent,
                show=lambda path: url_path_join(self.base_url, url_escape(explorer_address(path))),
                lab=lambda path="": url_path_join(self.base_url, url_escape(lab_address(path))),
                glossary=url_path_join(self.base_url, GLOSSARY),
                pieces=lambda text: pieces(text, told),
            )
        )


class GlossaryHandler(JupyterHandler):
    """The words of explorers and lessons."""

    @authenticated
    def get(self) -> None:
        """Answer with all of them."""
        self.finish(_page("glossary").render(terms=in_order(), home=url_path_join(self.base_url, START)))


class LabHandler(JupyterHandler):
    """JupyterLab on the user's copy of a notebook, which is made where there is none."""

    @authenticated
    def get(self, path: str) -> None:
        """Lead there."""
        try:
            copy = own_copy(Path(self.settings["server_root_dir"]).expanduser(), path)
        except FileNotFoundError as error:
            raise HTTPError(404, str(error)) from error
        self.redirect(url_path_join(self.base_url, "doc/tree", url_escape(copy)))  # without a list of files


class LeaveHandler(JupyterHandler):
    """The end of the kernel of a page that is left; Voila's own scripts forget it."""

    def check_xsrf_cookie(self) -> None:
        """Ask for no proof of who sends this: nobody but the page knows the number of its kernel."""

    @authenticated
    async def post(self, kernel: str) -> None:
        """End the kernel, if it has not ended by itself."""
        if kernel in self.kernel_manager:
            await self.kernel_manager.shutdown_kernel(kernel)
        self.set_status(204)


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: ServerApp) -> None:
    home, base = HomePage(parent=server), server.base_url
    handlers = [
        (url_path_join(base, START), HomeHandler, {"home": home}),
        (url_path_join(base, GLOSSARY), GlossaryHandler),
        (url_path_join(base, START, r"leave/([\w-]+)"), LeaveHandler),
    ]
    if not home.for_class:
        handlers.append((url_path_join(base, START, "lab/(.*)"), LabHandler))
    server.web_app.add_handlers(".*$", handlers)
    # after the next step, which is to find a port and to listen there
    server.io_loop.add_callback(server.io_loop.add_callback, _tell_addresses, server)


def _tell_addresses(server: ServerApp) -> None:
    """Print where the page is that was asked for, token included, for this machine and for others."""
    ips = [LOCAL, _own_ip()] if server.ip in EVERYWHERE else [server.ip]
    token = urllib.parse.urlencode({"token": server.identity_provider.token})
    page = url_path_join(server.base_url, server.default_url)
    for ip in ips:
        click.echo(f"http://{ip}:{server.port}{page}?{token}")


def _own_ip() -> str:
    """The address of this machine among its neighbours; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that nobody has
            return probe.getsockname()[0]
        except OSError:
            return socket.gethostname()

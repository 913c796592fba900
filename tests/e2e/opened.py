"""Explorers that are opened as people open them, on the server or in JupyterLab, one after another."""

import json
import shutil
import urllib.request
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit

from credalbench.learn.server.catalogue import find_tile
from credalbench.papers.places import notebooks_folder
from tests.e2e.on_the_page import CANVAS_DRAWN, PROJECTOR
from tests.learn.server.served import explore

#: Lets a page ask JupyterLab whether a kernel is there: a cell that is run sooner is lost.
EXPOSED = {"LabApp": {"expose_app_in_browser": True}}
CONNECTED = """() => {
  const panel = window.jupyterapp?.shell?.currentWidget;
  return panel?.context?.sessionContext?.session?.kernel?.connectionStatus === 'connected';
}"""
RUN_ALL = "() => window.jupyterapp.commands.execute('notebook:run-all-cells')"


@contextmanager
def running_server(folder):
    """Run the server behind `credalbench explore` in folders of its own."""
    settings = folder / "jupyter_config_path" / "jupyter_server_config.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps(EXPOSED))
    with explore(folder) as (_, address):
        yield Server(address, folder)


@dataclass(frozen=True)
class Server:
    """The server: its address, token included, and the folder of all its folders."""

    address: str
    folder: Path

    def api(self, path, method="GET"):
        """What the server answers."""
        parts = urlsplit(self.address)
        url = f"{parts.scheme}://{parts.netloc}/api/{path}?{parts.query}"
        with urllib.request.urlopen(urllib.request.Request(url, method=method)) as found:
            return json.loads(found.read() or "null")

    def forget(self):
        """End all kernels, and forget which notebooks were open in JupyterLab."""
        for kernel in self.api("kernels"):
            with suppress(HTTPError):  # it has ended by itself meanwhile, with its page
                self.api(f"kernels/{kernel['id']}", "DELETE")
        shutil.rmtree(self.folder / "jupyterlab_workspaces_dir", ignore_errors=True)


def open_page_of(page, server, name):
    """Open an explorer by its tile: it shows itself."""
    open_tile(page, server, name)
    page.wait_for_function(CANVAS_DRAWN)


def open_tile(page, server, name):
    """Open an explorer or a lesson by its tile."""
    page.goto(server.address)
    page.get_by_role("link", name=_title(name), exact=True).click()
    page.wait_for_selector("#rendered_cells", state="visible")


def open_in_jupyterlab(page, server, name):
    """Open an explorer's notebook by the link of its tile, and run its cell."""
    page.goto(server.address)
    page.get_by_role("link", name=f"{_title(name)} in JupyterLab", exact=True).click()
    page.wait_for_function(CONNECTED)
    page.evaluate(RUN_ALL)
    page.wait_for_function(CANVAS_DRAWN)


def _title(name):
    return find_tile(notebooks_folder(), name).title


class Opened:
    """The explorer that was opened last stays open until another one is asked for, or a test of it fails."""

    def __init__(self, server, new_page, open_explorer):
        self._server, self._new_page, self._open = server, new_page, open_explorer
        self._name = self._page = None

    @contextmanager
    def __call__(self, name):
        """The page of an explorer, which asks nothing of other machines."""
        if name != self._name:
            self.close()
            self._name, self._page = name, self._new_page()
        try:
            if self._page.url == "about:blank":
                self._page.set_viewport_size(PROJECTOR)
                self._open(self._page, self._server, name)
            yield self._page
            assert self._page.refused == []
        except BaseException:
            self.close()
            raise

    def close(self):
        """Close the page, and end its kernel."""
        if self._page is not None:
            self._page.close()
            self._server.forget()
        self._name = self._page = None

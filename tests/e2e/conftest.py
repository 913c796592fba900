"""A running server and pages of a real browser for the end-to-end tests; skipped where missing."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.e2e.opened import Opened, running_server

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The server behind `credalbench explore`, in folders of its own: one for all tests of a process."""
    pytest.importorskip("voila", reason="Voila is not installed")
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def new_page(browser):
    """A function that opens a page that talks to this machine only; ``page.refused`` lists other requests."""
    context = browser.new_context()  # one, so that scripts are loaded once

    def open_page():
        page = context.new_page()
        page.set_viewport_size({"width": 1440, "height": 1180})
        page.set_default_timeout(60_000)
        page.refused = []
        page.on("request", lambda request: is_local(request.url) or page.refused.append(request.url))
        return page

    yield open_page
    context.close()


@pytest.fixture
def page(new_page):
    """Such a page, for one test."""
    page = new_page()
    yield page
    page.close()


@pytest.fixture(scope="module")
def opened(request, new_page, server):
    """Opens the page of an explorer, by its name, in the way that the module names as `OPEN`."""
    pages = Opened(server, new_page, request.module.OPEN)
    yield pages
    pages.close()


@pytest.fixture(scope="module")
def nothing_tracked_changes():
    """Whatever is done in the pages, the notebooks are the same afterwards."""
    tracked = {path: path.read_bytes() for path in NOTEBOOKS.rglob("*.ipynb")}
    yield
    assert {path: path.read_bytes() for path in NOTEBOOKS.rglob("*.ipynb")} == tracked


def is_local(url):
    address = urlsplit(url)
    return address.scheme in ("data", "blob", "file") or address.hostname == "127.0.0.1"

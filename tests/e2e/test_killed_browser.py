"""A browser that is killed with eight pages open of a server: within 70 s their kernels have ended."""

from time import monotonic, sleep

import psutil
import pytest

from credalbench.explore import list_explorers
from credalbench.learn.server.catalogue import find_tile
from credalbench.papers.places import notebooks_folder
from tests.e2e.on_the_page import CANVAS_DRAWN
from tests.learn.server.served import explore
from tests.learn.server.test_page_kernels import kernels_of, processes, request_page

pytestmark = [pytest.mark.e2e, pytest.mark.long]

N_PAGES = 8
#: A page is gone for a minute before its kernel ends; and the longest time until that has happened.
AT_LEAST_S, AT_MOST_S = 55, 70


def process_of_browser():
    """Return the process that the browser of this test consists of, and all others descend from."""
    [found] = [
        one for one in processes(psutil.Process(), "--headless") if "--type=" not in " ".join(one.cmdline())
    ]
    return found


def open_pages(browser, address):
    """Open a page of each explorer."""
    context = browser.new_context()
    for name in (list(list_explorers()) * N_PAGES)[:N_PAGES]:
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.goto(address)
        page.get_by_role("link", name=find_tile(notebooks_folder(), name).title, exact=True).click()
        page.wait_for_function(CANVAS_DRAWN)


def test_the_places_of_a_killed_browser_are_free_in_both_servers(tmp_path, browser):
    pytest.importorskip("voila", reason="Voila is not installed")
    room = ["--class", "--most", str(N_PAGES)]
    for name in ("class", "alone"):
        (tmp_path / name).mkdir()
    with explore(tmp_path / "class", *room) as (one, place), explore(tmp_path / "alone") as (other, alone):
        servers, took = [psutil.Process(one.pid), psutil.Process(other.pid)], {}
        for address in (place, alone):
            open_pages(browser, address)
        assert [len(kernels_of(server)) for server in servers] == [N_PAGES, N_PAGES]
        assert request_page(place).getresponse().status == 503  # the room is full
        process_of_browser().kill()
        killed = monotonic()
        while len(took) < 2 and monotonic() < killed + 2 * AT_MOST_S:
            took |= {server.pid: monotonic() - killed for server in servers if not kernels_of(server)} | took
            sleep(0.2)
        print(f"{N_PAGES} kernels each ended {[*took.values()]} s after their browser was killed")
        assert len(took) == 2 and all(AT_LEAST_S < seconds < AT_MOST_S for seconds in took.values())
        assert request_page(place).getresponse().status == 200

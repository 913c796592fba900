"""On the server in a real browser: every explorer opens by itself, acts and gestures work; its code."""

from contextlib import suppress
from time import monotonic, sleep
from urllib.error import HTTPError

import pytest

from credalbench.explore import list_explorers
from tests.e2e.acts import acts_of
from tests.e2e.gestures import gestures_of
from tests.e2e.on_the_page import button_of, keep_screenshot
from tests.e2e.opened import open_page_of

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("nothing_tracked_changes")]

OPEN = open_page_of


ACTS = [
    pytest.param(name, act, id=f"{name}-{act.__name__}")
    for name in list_explorers()
    for act in (*acts_of(name), *gestures_of(name))
]


@pytest.mark.parametrize(("name", "act"), ACTS)
def test_every_explorer(opened, name, act, tmp_path):
    with opened(name) as page:
        act(page, name, tmp_path)


def kernels(server):
    """Those that run; the server fails to list them for a moment while one starts or ends."""
    for _ in range(100):
        with suppress(HTTPError):
            return {kernel["id"] for kernel in server.api("kernels")}
        sleep(0.1)
    raise AssertionError("expected the kernels of the server, got errors only")


def test_code_is_a_click_away_and_the_kernel_ends_with_its_page(page, server, tmp_path):
    others = kernels(server)
    page.goto(server.address)
    keep_screenshot(page, tmp_path / "server.png")
    open_page_of(page, server, "evclus")
    assert not page.locator(".jp-InputArea-editor").is_visible()
    button_of(page, "Code").click()
    assert "EVCLUS(" in page.locator(".credalbench-code pre").inner_text()
    [kernel] = kernels(server) - others
    page.get_by_role("link", name="Start page").click()
    page.get_by_role("link", name="EVCLUS explorer in JupyterLab").click()
    page.wait_for_selector(".jp-CodeCell")
    patience = monotonic() + 60  # s; the server grants it some
    while kernel in kernels(server) and monotonic() < patience:
        page.wait_for_timeout(100)
    assert kernel not in kernels(server)
    assert page.locator(".jp-toast-message, .Toastify__toast").count() == 0  # nobody is asked about news
    keep_screenshot(page, tmp_path / "door_lab.png")
    page.keyboard.press("Control+s")
    assert page.refused == []

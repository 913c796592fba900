"""Settings in the address, in a real browser: a link opens the same picture, a reload loses nothing."""

import pytest

from tests.e2e.acts import move_main_slider, number_of_objects, point_is_drawn
from tests.e2e.on_the_page import CANVAS_DRAWN, DESCRIBED, SHOWS_TEXT, described, picture_of, reasons, settle
from tests.e2e.opened import open_page_of

pytestmark = pytest.mark.e2e

HAS = "words => location.hash.includes(words)"
DESCRIBED_AS = f"words => ({DESCRIBED})() === words"
EXPLAINED = "() => document.querySelector('.credalbench-reason')?.textContent"


@pytest.mark.long
def test_a_reload_loses_nothing_and_a_link_opens_the_same(page, new_page, server):
    open_page_of(page, server, "ecm")
    move_main_slider(page, "ArrowRight", 1)
    page.wait_for_function(HAS, arg="n_clusters=5")
    link, linked = page.url, described(page)
    point_is_drawn(page)
    picture_of(page)
    settle(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_function(HAS, arg="selected=")
    shown, reasons_before, n = described(page), reasons(page), number_of_objects(page)
    page.reload()
    page.wait_for_function(CANVAS_DRAWN)
    page.wait_for_function(DESCRIBED_AS, arg=shown)
    page.wait_for_function(EXPLAINED)
    assert reasons(page) == reasons_before and number_of_objects(page) == n

    other = new_page()
    other.goto(link)
    other.wait_for_function(CANVAS_DRAWN)
    other.wait_for_function(DESCRIBED_AS, arg=linked)
    other.evaluate("() => { location.hash = location.hash.replace('n_clusters=5', 'n_clusters=2000'); }")
    other.wait_for_function(SHOWS_TEXT, arg="xpected 2 <= n_clusters <= 100, got 2000")
    assert described(other) == linked
    other.close()

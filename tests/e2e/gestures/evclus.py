"""EVCLUS: d0 by two controls, a fit interrupted by the next move; and what is kept: code, and hints."""

from tests.e2e.acts import MAIN, begin_anew, open_settings
from tests.e2e.on_the_page import (
    CANVAS,
    DRAWN,
    REASON,
    RINGS,
    SHOWS_TEXT,
    ZOOMED,
    button_of,
    keep_screenshot,
    list_of,
    picture_of,
    slider_of,
)

#: Several key presses may become one redraw, so wait for the last one: words and number agree on a new d0.
SETTLED = """old => {
  const label = [...document.querySelectorAll('.widget-text')].find(e => e.textContent.includes('absolute'));
  const words = [...document.querySelectorAll('[role=status]')].map(e => e.textContent).join(' ');
  const shown = /d0 = ([0-9.e+-]+);/.exec(words);
  const typed = parseFloat(label.querySelector('input').value);
  const slider = document.querySelector('.widget-hslider [role=slider][aria-valuenow="0.8"]');
  return slider && typed < old && shown && Math.abs(parseFloat(shown[1]) - typed) < 1e-3 * typed;
}"""
#: What the browser writes beside the page for what has the focus.
HINT = """() => {
  const hinted = [...document.querySelectorAll('.widget-label, .jupyter-button, .credalbench-read-out')];
  const told = hinted.map(e => getComputedStyle(e, '::after').content).filter(text => text.length > 20);
  return told.join();
}"""
SIGN = "document.querySelector('.credalbench-sign')"
FADED = "() => [...document.querySelectorAll('.credalbench-evidence')].map(e => getComputedStyle(e).opacity)"


def scale_is_moved_as_a_quantile_and_typed(page, name, folder):
    begin_anew(page, name, folder)
    before = page.evaluate(DRAWN)
    absolute = page.locator(".widget-text", has_text="d₀, absolute").locator("input")
    scale = float(absolute.input_value())
    slider_of(page, "d₀, quantile").focus()
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"old => ({DRAWN})() > old", arg=before)
    page.wait_for_function(SETTLED, arg=scale)
    assert page.evaluate(SHOWS_TEXT, "Shepard")

    page.wait_for_timeout(1500)  # the kernel's answers to the keys may still write to the field
    absolute.fill("11")  # a quantile between two steps of its slider, which must not pull d0 along
    absolute.press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="d0 = 11;")
    page.wait_for_timeout(1000)
    assert page.evaluate(SHOWS_TEXT, "d0 = 11;")
    assert absolute.input_value() == "11"


def code_is_copied_and_hints_follow_the_focus(page, name, folder):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    begin_anew(page, name, folder)
    slider_of(page, MAIN).focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(SHOWS_TEXT, arg="in 3 clusters")
    assert "A group of similar objects" not in page.evaluate(HINT)  # the keys move the slider
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert "A group of similar objects" in page.evaluate(HINT)
    keep_screenshot(page, folder / "hint.png")

    button_of(page, "Code").click()
    box = page.locator(".credalbench-code")
    box.wait_for()
    assert "EVCLUS(3," in box.locator("pre").inner_text()
    box.get_by_role("button", name="Copy").click()
    page.wait_for_function(SHOWS_TEXT, arg="Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == box.locator("pre").inner_text()
    keep_screenshot(page, folder / "code.png")
    open_settings(page, name, folder, alpha=0.25)
    page.wait_for_function(SHOWS_TEXT, arg="in 2 clusters")
    assert "alpha=0.25" in box.locator("pre").inner_text()
    button_of(page, "Code").click()


def long_fit_shows_progress_and_is_interrupted_by_the_next_move(page, name, folder):
    open_settings(page, name, folder, data="t4:600", n_clusters=7)
    page.wait_for_function(SHOWS_TEXT, arg="in 7 clusters")
    list_of(page, "focal sets").select_option("all subsets")
    page.wait_for_function(SHOWS_TEXT, arg="Computing … Shown: the last result (focal sets = ")
    page.wait_for_function(f"() => /[1-9] s/.test({SIGN}.textContent)")
    assert page.evaluate(FADED) == ["0.4"]
    keep_screenshot(page, folder / "long_fit.png")
    size = page.viewport_size
    page.set_viewport_size(ZOOMED)
    page.locator(CANVAS).evaluate("canvas => canvas.scrollIntoView()")
    box = page.locator(".credalbench-sign").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= ZOOMED["height"]
    assert box["x"] >= 0 and box["x"] + box["width"] <= ZOOMED["width"]
    page.set_viewport_size(size)
    slider_of(page, MAIN).focus()
    for _ in range(4):  # each interrupts the one before
        page.keyboard.press("ArrowLeft")
    page.wait_for_function(SHOWS_TEXT, arg="in 3 clusters")
    page.wait_for_function(f"() => getComputedStyle({SIGN}).display === 'none'")


def two_objects_are_linked_by_keys(page, name, folder):
    begin_anew(page, name, folder)
    picture_of(page)
    page.keyboard.press("Escape")
    for count, key in ((1, "PageDown"), (2, "PageUp")):  # the first object and, from none, the last one
        page.keyboard.press("Escape" if count == 1 else "Home")
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        page.wait_for_function(RINGS, arg=count)
    page.keyboard.press("m")
    page.wait_for_function(SHOWS_TEXT, arg="with 1 constraints, ")
    page.wait_for_function(RINGS, arg=0)
    assert "must-link with object" in page.locator(REASON).inner_text()
    keep_screenshot(page, folder / "evclus_linked.png")
    page.keyboard.press("u")
    page.wait_for_function(SHOWS_TEXT, arg="with 0 constraints")


GESTURES = (
    two_objects_are_linked_by_keys,
    scale_is_moved_as_a_quantile_and_typed,
    code_is_copied_and_hints_follow_the_focus,
    long_fit_shows_progress_and_is_interrupted_by_the_next_move,
)

"""What the end-to-end tests read from a page, and do there."""

import os
import re
import shutil

PROJECTOR, DESK = {"width": 1280, "height": 720}, {"width": 1600, "height": 1000}
#: What is left of a projector's screen at 200 %.
ZOOMED = {"width": 640, "height": 360}
CANVAS, DETAILS, REASON = ".credalbench-canvas", ".credalbench-details", ".credalbench-reason"
#: How often the canvas has been drawn, and that it has been.
DRAWN = f"() => Number(document.querySelector('{CANVAS}')?.dataset.drawn ?? 0)"
CANVAS_DRAWN = f"() => ({DRAWN})() > 0"
#: What is said of the picture to those who do not see it, but for what EGMM finds out while nothing is moved.
DESCRIBED = f"() => document.querySelector('{CANVAS}').ariaLabel.replace(/, known for .*? clusters/, '')"
#: All that the explorer says, in words.
WORDS = "() => [...document.querySelectorAll('[role=status]')].map(e => e.textContent).join(' ')"
SHOWS_TEXT = f"wanted => ({WORDS})().includes(wanted)"
COUNTING = """button => {
  window.changesOfButton = 0;
  window.watchOfButton?.disconnect();
  window.watchOfButton = new MutationObserver(() => (window.changesOfButton += 1));
  window.watchOfButton.observe(button, { childList: true, characterData: true, subtree: true });
}"""
#: The canvas has been in one place for a while.
RESTS = f"""() => {{
  const {{ top, height }} = document.querySelector('{CANVAS}').getBoundingClientRect();
  const [place, now] = [`${{top}} ${{height}}`, performance.now()];
  if (window.canvasAt?.place !== place) window.canvasAt = {{ place, since: now }};
  return now - window.canvasAt.since > 400;
}}"""
#: So many objects are chosen.
RINGS = f"n => document.querySelectorAll('{CANVAS} .chosen text').length === n"
#: Where the object that is selected is on the map, in the window.
SELECTED = f"""() => {{
  const ring = document.querySelector('{CANVAS} .selected circle').getBoundingClientRect();
  return [ring.x + ring.width / 2, ring.y + ring.height / 2];
}}"""


def slider_of(page, label):
    """The handle of the slider with a label."""
    return page.locator(".widget-hslider", has_text=label).get_by_role("slider").first


def list_of(page, label):
    """The list to choose from with a label."""
    return page.locator(".widget-dropdown", has_text=label).locator("select").first


def button_of(page, words):
    """The button with exactly these words, icon or not."""
    return page.get_by_role("button", name=re.compile(rf"(^|\W){re.escape(words)}$"))


def picture_of(page):
    """The canvas, within the window and with the focus."""
    canvas = page.locator(CANVAS)
    canvas.scroll_into_view_if_needed()
    canvas.focus()
    return canvas


def settle(page):
    """Wait until the canvas rests: words above it, which come later, may push it."""
    page.evaluate("() => { window.canvasAt = null; }")
    page.wait_for_function(RESTS)


def described(page):
    """What is said of the picture to those who do not see it."""
    return page.evaluate(DESCRIBED)


def reasons(page):
    """The sentences about the object that is selected: one of each side, where two are compared."""
    return page.locator(REASON).all_inner_texts()


def open_state(page, path):
    """Open a saved state, and wait until it has been read: the button counts the files that wait."""
    button = page.locator(".widget-upload", has_text="Open")
    button.evaluate(COUNTING)
    with page.expect_file_chooser() as chooser:
        button.click()
    chooser.value.set_files(path)
    page.wait_for_function("() => window.changesOfButton >= 2")


def keep_screenshot(page, path):
    """Take a screenshot, which is not a blank page; a copy goes to the folder $CREDALBENCH_SCREENSHOTS."""
    page.screenshot(path=path)
    assert path.stat().st_size > 20_000  # a blank page of this size has about 5 kB
    if folder := os.environ.get("CREDALBENCH_SCREENSHOTS"):
        shutil.copy(path, folder)

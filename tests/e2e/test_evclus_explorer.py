"""The EVCLUS explorer in JupyterLab, driven through a real browser by keyboard."""

from pathlib import Path

import pytest

from tests.e2e.on_the_page import SAYS, keep_screenshot, open_canvas

pytestmark = pytest.mark.e2e

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore" / "evclus.ipynb"
#: Scenes that were drawn.
COUNT = "() => Number(document.querySelector('.credalbench-canvas').dataset.drawn)"
#: Several key presses may become one redraw, so wait for the last one: words and number agree on a new d0.
SETTLED = """old => {
  const label = [...document.querySelectorAll('.widget-text')].find(e => e.textContent.includes('absolute'));
  const words = [...document.querySelectorAll('[role=status]')].map(e => e.textContent).join(' ');
  const shown = /d0 = ([0-9.e+-]+);/.exec(words);
  const typed = parseFloat(label.querySelector('input').value);
  const slider = document.querySelector('.widget-hslider [role=slider][aria-valuenow="0.8"]');
  return slider && typed < old && shown && Math.abs(parseFloat(shown[1]) - typed) < 1e-3 * typed;
}"""


def test_slider_moved_by_keyboard_changes_the_picture(page, run_notebook, tmp_path):
    page.set_viewport_size({"width": 1600, "height": 1000})
    open_canvas(page, run_notebook, NOTEBOOK)
    before = page.evaluate(COUNT)
    slider = page.locator(".widget-hslider", has_text="d₀, quantile").locator("[role=slider]")
    absolute = page.locator(".widget-text", has_text="d₀, absolute").locator("input")
    scale = float(absolute.input_value())
    slider.focus()
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"old => ({COUNT})() > old", arg=before)
    page.wait_for_function(SETTLED, arg=scale)

    assert float(slider.get_attribute("aria-valuenow")) < 0.9
    assert page.evaluate(SAYS, "Shepard")
    assert page.refused == []

    page.wait_for_timeout(1500)  # the kernel's answers to the keys may still write to the field
    absolute.fill("11")  # a quantile between two steps of its slider, which must not pull d0 along
    absolute.press("Enter")
    page.wait_for_function(SAYS, arg="d0 = 11;")
    page.wait_for_timeout(1000)
    assert page.evaluate(SAYS, "d0 = 11;")
    assert absolute.input_value() == "11"

    page.locator(".credalbench-canvas").focus()
    page.keyboard.press("PageDown")
    assert "object 0" in page.locator(".credalbench-details").inner_text()
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.closest('.jupyter-widgets') !== null")
    keep_screenshot(page, tmp_path / "evclus_explorer.png")

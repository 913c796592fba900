"""What a picture does for the eyes: dark theme, small windows, scales, names, and dropped files."""

import json

import numpy as np
import pytest

from credalbench.explore import reading
from credalbench.explore.explorers.ecm import ECMModel, ecm_scene
from credalbench.explore.explorers.ensemble import EnsembleModel
from credalbench.explore.explorers.ensemble.scene import ensemble_scene
from credalbench.explore.scene.scene import trace_panel
from tests.e2e.on_the_page import slider_of
from tests.e2e.opened import open_page_of
from tests.e2e.scene_page import DRAWN, IN_WINDOW, open_scene

pytestmark = pytest.mark.e2e

PHONE, ZOOMED = {"width": 390, "height": 844}, {"width": 640, "height": 360}
#: The colour of a pixel in the corner of the picture.
CORNER = """() => {
  const canvas = document.querySelector('.credalbench-canvas canvas');
  return [...canvas.getContext('2d').getImageData(1, 1, 1, 1).data.slice(0, 3)];
}"""
TICKS = "() => mounted.shown().layout.frames[0].yTicks.map(([, words]) => words)"
#: Panels of the picture that overlap, or leave it.
OVERLAPPING = """() => {
  const { frames, width, height } = mounted.shown().layout;
  const drawn = frames.filter(({ panel }) => panel.marks.length); // others are headings
  const boxOf = ({ left, right, top, box, panel }) => [left, top, right, box.y + box.height, panel.name];
  const boxes = drawn.map(boxOf);
  const before = (a, b) => a[2] <= b[0] + 1 || a[3] <= b[1] + 1;
  const apart = (a, b) => before(a, b) || before(b, a);
  const leaves = ([left, top, right, low]) => left < -1 || top < -1 || right > width + 1 || low > height + 1;
  const out = boxes.filter(leaves);
  const hits = boxes.filter((a, k) => boxes.some((b, l) => k < l && !apart(a, b)));
  return [...out, ...hits].map((one) => one[4]);
}"""
NAMES = "() => [...document.querySelectorAll('.credalbench-canvas svg text')].map((e) => e.textContent)"
#: The part of an element that is in the window and not covered by the picture.
SEEN = """element => {
  const { x, y, width, height } = element.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  return Boolean(top && (element.contains(top) || top.contains(element)));
}"""
DROP = """([contents, name]) => {
  const files = new DataTransfer();
  files.items.add(new File([contents], name));
  const options = { dataTransfer: files, bubbles: true, cancelable: true };
  const canvas = document.querySelector('.credalbench-canvas');
  const over = !canvas.dispatchEvent(new DragEvent('dragover', options));
  return over && !canvas.dispatchEvent(new DragEvent('drop', options));
}"""


@pytest.fixture(scope="module")
def scene():
    return ecm_scene(ECMModel("two_class:40:2").fitted)


def test_a_picture_follows_the_theme_of_its_page(page, scene):
    open_scene(page, scene)
    assert page.evaluate(CORNER) == [255, 255, 255]
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(200)
    assert page.evaluate(CORNER) == [255, 255, 255], "the page has no colours"
    page.add_style_tag(content=reading.theme())
    page.evaluate("() => window.dispatchEvent(new Event('resize'))")
    page.wait_for_timeout(300)
    assert max(page.evaluate(CORNER)) < 0x30
    assert "#ffffff" not in page.evaluate("() => asSvg(mounted.shown().layout)").lower().split("<g")[0][-80:]
    page.emulate_media(color_scheme="light")
    page.wait_for_timeout(300)
    assert page.evaluate(CORNER) == [255, 255, 255]


@pytest.mark.parametrize("low", [0.0851, 9.7, -1201.0, 0.02])
@pytest.mark.parametrize("share", [1e-3, 0.02, 0.3, 5.0])
@pytest.mark.parametrize("logarithmic", [False, True])
def test_a_scale_has_at_least_two_numbers(page, scene, low, share, logarithmic):
    if logarithmic and low < 0:
        pytest.skip("not positive")
    values = low + share * abs(low) * np.linspace(1, 0, 12) ** 2
    panel = trace_panel((0.0, 0.0, 0.33, 0.3), values, "Objective J", logarithmic=logarithmic)
    open_scene(page, type(scene)([panel]))
    ticks = page.evaluate(TICKS)
    assert len(ticks) >= 2 and len(set(ticks)) == len(ticks), ticks


@pytest.mark.parametrize("make", [lambda: None, lambda: EnsembleModel("half_rings:30", n_estimators=3)])
def test_panels_of_a_narrow_picture_are_stacked_and_do_not_overlap(page, scene, make):
    model = make()
    page.set_viewport_size(PHONE)
    open_scene(page, scene if model is None else ensemble_scene(model.fitted))
    assert page.evaluate(OVERLAPPING) == []
    first = page.evaluate("() => mounted.shown().layout.frames[0]")
    assert first["right"] - first["left"] > 0.95 * 370


def test_the_name_of_an_object_is_written_once(page, scene):
    open_scene(page, scene)
    place = page.evaluate(IN_WINDOW, ["map", 7])
    page.mouse.move(*place)
    assert page.evaluate(NAMES) == ["object 8"]
    page.mouse.click(*place)
    assert page.evaluate(NAMES) == ["object 8"]
    page.mouse.move(place[0] + 1, place[1])
    assert page.evaluate(NAMES) == ["object 8"]


@pytest.mark.parametrize("window", [PHONE, ZOOMED], ids=["phone", "200 %"])
def test_slider_and_picture_are_visible_together(page, server, window):
    page.set_viewport_size(window)
    open_page_of(page, server, "ecm")
    for label in ("clusters c", "exponent α", "distance δ"):
        slider = slider_of(page, label)
        slider.evaluate("element => element.scrollIntoView({ block: 'center' })")
        page.wait_for_timeout(300)
        slider.evaluate(  # the picture may cover what is in the middle of a low window
            "e => window.scrollBy(0, e.getBoundingClientRect().y - window.innerHeight * 0.8)"
        )
        page.wait_for_timeout(300)
        assert slider.evaluate(SEEN), label
        stage = page.locator(".credalbench-stage").bounding_box()
        assert stage["y"] >= 0
        above = stage["y"] + stage["height"] <= 0.75 * window["height"]
        on_the_left = stage["x"] + stage["width"] <= slider.bounding_box()["x"]
        assert above or on_the_left, label
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")


def test_the_program_is_next_to_the_picture(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    open_page_of(page, server, "evclus")
    assert page.get_by_role("button", name="Show code").count() == 0
    page.get_by_role("button", name="Code").click()
    page.wait_for_selector(".credalbench-code pre")
    program = page.locator(".credalbench-code").bounding_box()
    stage = page.locator(".credalbench-stage").bounding_box()
    assert program["x"] >= stage["x"] + stage["width"] and program["y"] < 720
    assert "EVCLUS(" in page.locator(".credalbench-code pre").inner_text()


def test_a_dropped_table_is_read(page, server):
    open_page_of(page, server, "ecm")
    rows = "\n".join(f"{x},{y}" for x, y in np.random.default_rng(0).normal(size=(17, 2)).round(3).tolist())
    assert page.evaluate(DROP, [f"a,b\n{rows}\n", "dropped.csv"])
    page.wait_for_function("() => document.body.innerText.includes('dropped.csv: 17 objects')")
    assert page.evaluate(DROP, [json.dumps({"explorer": "ecm", "n_clusters": 5}), "ecm-state.json"])
    page.wait_for_function("() => document.body.innerText.includes('dropped.csv')")
    page.wait_for_function(DRAWN, arg=3)

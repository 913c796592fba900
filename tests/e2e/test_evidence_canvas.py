"""What the browser does with a scene, without a kernel: drawing, touching, dragging, downloads."""

import dataclasses
import json
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from credalbench.explore.explorers.ecm import ECMModel, ecm_scene
from credalbench.explore.explorers.segmentation import SegmentationModel
from credalbench.explore.explorers.segmentation.scene import segmentation_scene
from credalbench.explore.scene.scene import as_json
from credalbench.explore.view.hints import HINT_STYLE
from tests.e2e.scene_page import DRAWN, IN_WINDOW, RINGS, open_scene

pytestmark = pytest.mark.e2e

DETAILS = ".credalbench-details"
#: Where the objects are in the window, by their rows.
PLACES = """() => {
  const { left, top } = document.querySelector('.credalbench-canvas canvas').getBoundingClientRect();
  const [map] = mounted.shown().layout.frames;
  return map.ids.map((i) => map.placeOfObject.get(i)).map(([x, y]) => [left + x, top + y]);
}"""
#: The picture in an explorer that begins so many pixels below the page, between a bar of 90 and words of 40.
AROUND = """above => {
  const box = (style, parent) => parent.appendChild(Object.assign(document.createElement('div'), { style }));
  box(`height:${above}px`, document.body);
  const explorer = box('', document.body);
  explorer.className = 'credalbench-explorer';
  box('height:90px', explorer);
  explorer.append(document.getElementById('here'));
  box('height:40px', explorer).id = 'words';
}"""
#: Whether something else than before is said about the selected object.
DETAILS_AGAIN = f"before => document.querySelector('{DETAILS}').innerText !== before"
#: Whether the words below the picture are the last in a window of this height, and fill it.
ENDS_WITH_THE_WINDOW = """height => {
  document.querySelector('.credalbench-explorer').scrollIntoView();
  const { bottom } = document.getElementById('words').getBoundingClientRect();
  return height - 50 < bottom && bottom <= height;
}"""
#: The picture as it is shown, and how often one was completed.
PICTURE = "() => document.querySelector('.credalbench-canvas canvas').toDataURL()"
TIMES_DRAWN = "() => Number(document.querySelector('.credalbench-canvas').dataset.drawn)"
#: Shows another scene, and waits for the first frame of it.
SHOW = """scene => new Promise((shown) => {
  source.set('scene', scene);
  requestAnimationFrame(() => shown());
})"""
#: A player as ipywidgets has it; a new width draws the picture anew.
SLIDER = """() => {
  const label = '<label class="widget-label" title="Its weight">weight ξ</label>';
  const html = `${label}<div><div class="noUi-handle" role="slider" tabindex="0"></div></div>`;
  document.body.insertAdjacentHTML("beforeend", `<div class="jupyter-widgets">${html}</div>`);
}"""
UPLOAD = """() => {
  const html = '<button class="widget-upload"><i class="fa fa-upload"></i>Open (0)</button>';
  document.body.insertAdjacentHTML('beforeend', html);
}"""
PLAYER = """() => {
  const signs = ['play', 'stop'].map((name) => `<button><i class="fa fa-${name}"></i></button>`);
  document.body.insertAdjacentHTML('beforeend', `<div class="widget-play">${signs.join('')}</div>`);
}"""
#: Marks that there are after one more move of a pressed pointer to a place in the window.
MOVED = """([clientX, clientY]) => {
  const move = new PointerEvent('pointermove', { clientX, clientY, buttons: 1 });
  document.querySelector('.credalbench-canvas').dispatchEvent(move);
  return heard.length;
}"""
HANDLED_AND_MOVED = f"at => {{ tell({{ event: 'heard' }}); return ({MOVED})(at); }}"
#: What the kernel hands to the browser.
FILE = {"name": "mine.json", "contents": '{"own": "ω"}'}
#: Words of the details and of their buttons that are no darker than a middle grey.
FAINT_WORDS = f"""() => {{
  const words = [...document.querySelectorAll('{DETAILS} *, .credalbench-canvas ~ * button')];
  const lightest = (e) => Math.max(...getComputedStyle(e).color.match(/\\d+/g).slice(0, 3).map(Number));
  return words.filter((e) => e.textContent.trim() && lightest(e) > 0x77).map((e) => e.textContent);
}}"""
#: Pixels of the picture that are neither white nor grey.
COLOURED = """() => {
  const canvas = document.querySelector('.credalbench-canvas canvas');
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let count = 0;
  for (let k = 0; k < pixels.length; k += 4)
    if (Math.max(...pixels.slice(k, k + 3)) - Math.min(...pixels.slice(k, k + 3)) > 60) count += 1;
  return count;
}"""


@pytest.fixture(scope="module")
def model():
    return ECMModel("two_class:40:2")


@pytest.fixture
def shown(page, model):
    """The page with the scene of a fit."""
    page.set_viewport_size({"width": 1000, "height": 620})
    scene = ecm_scene(model.fitted)
    open_scene(page, scene)
    return page


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_objects_glide_between_sets_so_that_the_eye_can_follow(page, motion):
    first, last = (
        dataclasses.replace(ECMModel("two_class:40:2", delta=delta).fitted, view="corners")
        for delta in (5.0, 30.0)
    )
    page.emulate_media(reduced_motion=motion)
    open_scene(page, ecm_scene(first))
    before, drawn = page.evaluate(PICTURE), page.evaluate(TIMES_DRAWN)
    page.evaluate(SHOW, json.loads(as_json(ecm_scene(last))))
    on_the_way = page.evaluate(PICTURE)
    page.wait_for_function(DRAWN, arg=drawn + 1)
    after = page.evaluate(PICTURE)
    assert before != after
    assert (on_the_way != after) == (motion == "no-preference")


def test_the_buttons_of_a_player_have_names(shown):
    shown.evaluate(PLAYER)
    shown.set_viewport_size({"width": 900, "height": 620})
    for name in ("Play or pause", "Stop: back to the start"):
        shown.get_by_role("button", name=name, exact=True).wait_for()


def test_the_handles_of_sliders_have_the_names_of_their_labels(shown):
    shown.evaluate(SLIDER)
    shown.set_viewport_size({"width": 900, "height": 620})
    shown.get_by_role("slider", name="weight ξ", exact=True).wait_for(state="attached")


def test_buttons_that_open_files_count_none(shown):
    shown.evaluate(UPLOAD)
    shown.set_viewport_size({"width": 900, "height": 620})
    shown.get_by_role("button", name="Open", exact=True).wait_for()


def test_the_hint_of_a_slider_ends_when_keys_move_it(shown):
    shown.evaluate(SLIDER)
    shown.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", HINT_STYLE)
    shown.set_viewport_size({"width": 900, "height": 620})
    handle = shown.get_by_role("slider", name="weight ξ", exact=True)
    handle.wait_for(state="attached")
    hint = "() => getComputedStyle(document.querySelector('.widget-label'), '::after').content"
    handle.focus()
    shown.keyboard.press("Shift+Tab")
    shown.keyboard.press("Tab")
    assert "Its weight" in shown.evaluate(hint)
    shown.keyboard.press("ArrowRight")
    assert "Its weight" not in shown.evaluate(hint)
    shown.keyboard.press("Shift+Tab")
    shown.keyboard.press("Tab")
    assert "Its weight" in shown.evaluate(hint)


def test_words_are_dark_on_white_in_a_dark_theme(shown):
    shown.add_style_tag(content=":root { color-scheme: dark } body { background: #111; color: #fff }")
    shown.mouse.click(*shown.evaluate(PLACES)[7])
    shown.get_by_role("button", name="deselect the object").wait_for()
    assert shown.evaluate(FAINT_WORDS) == []


def test_a_scene_is_drawn_touched_and_described(shown, model):
    assert shown.evaluate(COLOURED) > 1000
    at = shown.evaluate(PLACES)
    shown.mouse.click(*at[7])
    explained = model.fitted.partition.explain(7, X=model.subject.attributes)
    text = shown.locator(DETAILS).inner_text()
    assert f"{explained.reason[0].upper()}{explained.reason[1:]}." in text
    for name, row in explained.intervals.iterrows():
        assert f"{row.belief:.2f} to {row.plausibility:.2f}" in text, name
    for name in explained.neighbours.index:
        assert f"object {name + 1}" in text
    assert explained.reason[1:] in shown.locator(".credalbench-canvas [aria-live]").inner_text()
    assert shown.evaluate("() => source.get('selected')") == 7
    assert shown.evaluate(RINGS) == 4  # two strokes on the map and among the true classes
    assert shown.evaluate("() => heard.at(-1).object") == 7

    nearest = explained.neighbours.index[0]
    shown.get_by_role("button", name=f"object {nearest + 1}", exact=True).click()
    assert shown.evaluate("() => source.get('selected')") == nearest
    shown.get_by_role("button", name="deselect the object").click()
    assert shown.evaluate("() => source.get('selected')") is None
    assert shown.evaluate(RINGS) == 0


def test_a_new_scene_keeps_the_selection(shown, model):
    shown.evaluate("() => source.set('selected', 7)")
    before = shown.locator(DETAILS).inner_text()
    shown.evaluate(
        """() => {
          const scene = structuredClone(source.get('scene'));
          const { numbers } = scene.evidence;
          numbers.data = btoa(String.fromCharCode(...new Uint8Array(new Float64Array(80).buffer)));
          source.set('scene', scene);
        }"""
    )
    shown.wait_for_function(DETAILS_AGAIN, arg=before)
    assert shown.evaluate(RINGS) == 4
    assert "0.00 on" in shown.locator(DETAILS).inner_text()


def test_keys_move_choose_and_let_go(shown):
    canvas = shown.locator(".credalbench-canvas")
    assert canvas.get_attribute("role") == "application"
    assert "Page keys choose a prototype" in canvas.get_attribute("aria-label")
    shown.keyboard.press("Tab")
    shown.keyboard.press("ArrowRight")
    first = shown.evaluate("() => source.get('selected')")
    shown.keyboard.press("ArrowRight")
    second = shown.evaluate("() => source.get('selected')")
    at = shown.evaluate(PLACES)
    assert at[second][0] > at[first][0]
    shown.keyboard.press("Enter")
    assert shown.evaluate("() => heard.at(-1).object") == second
    shown.keyboard.press("s")
    assert shown.evaluate("() => heard.at(-1)") == {"event": "letter", "letter": "s"}
    shown.keyboard.press("Escape")
    assert shown.evaluate("() => source.get('selected')") is None


def test_a_handle_is_dragged_in_units_of_the_axes(shown, model):
    shown.locator(".credalbench-canvas").focus()
    shown.keyboard.press("PageDown")
    assert shown.locator(".credalbench-canvas .handle circle").count() == 2  # a ring in two strokes
    shown.keyboard.press("ArrowRight")
    (x, y), drag = model.fitted.prototypes[0], shown.evaluate("() => heard.at(-1)")
    assert (drag["event"], drag["handle"]) == ("drag", 0)
    assert drag["x"] > x + 0.05
    assert drag["y"] == pytest.approx(y, abs=1e-9)  # of data about 1
    places_before = shown.evaluate(PLACES)
    shown.keyboard.press("Escape")
    shown.mouse.move(*places_before[0])
    assert shown.evaluate("() => heard.length") == 1  # the next waits until this one is heard


def test_pixels_are_touched_and_all_those_of_an_object_marked(page):
    fitted = SegmentationModel("phantom", n_prototypes=30).fitted
    open_scene(page, segmentation_scene(fitted))
    rows = fitted.run.found.nearest.shape[0]
    x, y = page.evaluate(IN_WINDOW, ["after", 42.5, rows - 57.5])
    page.mouse.move(x, y)
    i = int(fitted.run.found.nearest[57, 42])
    name = fitted.run.objects.names[i]
    assert page.locator(".credalbench-canvas .hover text").inner_html() == name
    page.mouse.click(x, y)
    assert page.evaluate("() => source.get('selected')") == i
    assert page.evaluate("() => heard.at(-1).panel") == "after"
    assert name in page.locator(DETAILS).inner_text()
    outlines = [path.get_attribute("d") for path in page.locator(".credalbench-canvas .selected path").all()]
    runs = np.diff(fitted.run.found.nearest == i, axis=1, prepend=False, append=False).sum() // 2
    assert [outline.count("M") for outline in outlines] == [runs, runs]  # on both images

    page.keyboard.press("Escape")
    assert page.locator(".credalbench-canvas .selected path").count() == 0
    page.keyboard.press("PageDown")
    assert fitted.run.objects.names[0] in page.locator(DETAILS).inner_text()
    page.keyboard.press("ArrowRight")
    assert fitted.run.objects.names[1] in page.locator(DETAILS).inner_text()


def test_downloads_hold_the_picture_and_the_masses(shown, model):
    texts = shown.evaluate(
        "() => [asSvg(mounted.shown().layout), asCsv([mounted.shown().scene.evidence], (i) => `o,${i}`)]"
    )
    root = ElementTree.fromstring(texts[0])
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Mass by size of the set" in words and "barycentre of a set" in words
    assert len(re.findall("<path|<circle", texts[0])) > 80  # objects on the map and by their true classes
    head, first, *_ = texts[1].splitlines()
    assert head.startswith("object,∅,{1}")
    masses = np.array(first.removeprefix('"o,0",').split(","), dtype=float)
    assert masses == pytest.approx(model.fitted.partition.masses[0], rel=1e-6)  # seven digits
    for kind, name in (("PNG", "picture.png"), ("SVG", "picture.svg"), ("CSV", "picture-masses.csv")):
        with shown.expect_download() as download:
            shown.get_by_role("button", name=f"as {kind}").click()
        assert download.value.suggested_filename == name


def test_a_file_of_the_kernel_is_saved_by_the_browser(shown, tmp_path):
    with shown.expect_download() as download:
        shown.evaluate("file => tell({ event: 'download', ...file })", FILE)
    assert download.value.suggested_filename == FILE["name"]
    download.value.save_as(tmp_path / "kept")
    assert (tmp_path / "kept").read_text("utf-8") == FILE["contents"]


@pytest.mark.parametrize("above", [0, 2000])
def test_the_picture_and_what_is_written_below_it_end_with_the_window(shown, above):
    """Also further down a page, once its explorer is scrolled to the top."""
    shown.evaluate(AROUND, above)
    for width, height in ((1000, 600), (1300, 800)):
        shown.set_viewport_size({"width": width, "height": height})
        shown.wait_for_function(ENDS_WITH_THE_WINDOW, arg=height)
        assert shown.locator(".credalbench-canvas").bounding_box()["height"] > 340


def test_names_of_two_near_objects_are_apart(shown):
    at = shown.evaluate(PLACES)
    gaps = np.linalg.norm(np.array(at)[:, None] - np.array(at), axis=2) + 1e9 * np.eye(len(at))
    pair = [int(i) for i in np.unravel_index(gaps.argmin(), gaps.shape)]
    corners = [int(k) for k in np.argsort(np.array(at)[:, 0])[[0, -1]]]  # and at both edges of the map
    for chosen in (pair, corners):
        shown.evaluate("chosen => source.set('chosen', chosen)", chosen)
        first, second = (name.bounding_box() for name in shown.locator(".chosen text").all())
        apart = [
            first[side] + first[size] <= second[side] + 1 or second[side] + second[size] <= first[side] + 1
            for side, size in (("x", "width"), ("y", "height"))
        ]
        assert any(apart), chosen
        box = shown.locator(".credalbench-canvas").bounding_box()
        assert all(box["x"] <= name["x"] for name in (first, second))


def test_tools_leave_marks_on_the_map(shown):
    at = shown.evaluate(PLACES)
    shown.evaluate("() => source.set('tool', 'add')")
    x, y = at[7][0], at[7][1]
    shown.mouse.move(x, y)
    shown.mouse.down()
    shown.mouse.move(x + 40, y, steps=4)  # waits until Python has heard the first mark
    shown.mouse.up()
    [first] = shown.evaluate("() => heard.splice(0)")
    assert (first["event"], first["object"]) == ("draw", 7)
    assert shown.evaluate("() => source.get('selected')") is None  # nothing is touched meanwhile

    shown.evaluate("() => source.set('tool', 'move')")
    shown.mouse.move(x, y)
    shown.mouse.down()
    shown.mouse.move(x + 30, y + 10, steps=2)
    shown.mouse.up()
    dragged = shown.evaluate("() => heard.splice(0)")
    assert dragged and {(one["event"], one["object"]) for one in dragged} == {("draw", 7)}

    shown.evaluate("() => { source.set('tool', 'delete'); source.set('selected', 3); }")
    shown.locator(".credalbench-canvas").focus()
    shown.keyboard.press("Enter")
    [deleted] = shown.evaluate("() => heard.splice(0)")
    assert (deleted["event"], deleted["object"]) == ("draw", 3)


def test_a_stroke_waits_for_the_picture_with_its_last_mark(shown):
    """Until it is drawn, places are those of the objects that there were before."""
    first, second = shown.evaluate(PLACES)[7:9]
    shown.evaluate("() => source.set('tool', 'delete')")
    shown.mouse.move(*first)
    shown.mouse.down()
    assert shown.evaluate(HANDLED_AND_MOVED, second) == 1
    assert shown.evaluate(f"at => new Promise(requestAnimationFrame).then(() => ({MOVED})(at))", second) == 2
    shown.mouse.up()

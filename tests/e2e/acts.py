"""What one does in every explorer, by mouse and keys; each act leaves the explorer as it found it.

An act takes the page, the name of the explorer and a folder for files. `acts_of` says which an explorer has:
whether it can be drawn on, or goes through iterations, its model tells.
"""

import json
import re
from functools import cache

from tests.e2e.on_the_page import (
    CANVAS,
    DESCRIBED,
    DESK,
    DETAILS,
    DRAWN,
    PROJECTOR,
    SELECTED,
    SHOWS_TEXT,
    WORDS,
    ZOOMED,
    button_of,
    described,
    keep_screenshot,
    list_of,
    open_state,
    picture_of,
    reasons,
    settle,
    slider_of,
)
from tests.explore.declared import long_settings, model_class

MAIN = "clusters c"
IMAGE = ".credalbench-paint canvas"


#: Whether the iteration that is shown is one of those from `least` to `most`; a short run ends earlier.
ITERATION = """([least, most]) => {
  const sliders = [...document.querySelectorAll('.widget-hslider')];
  const { ariaValueNow, ariaValueMax } = sliders
    .find((one) => one.textContent.includes('iteration')).querySelector('[role=slider]');
  const [k, end] = [Number(ariaValueNow), Number(ariaValueMax)];
  return k >= Math.min(least, end) && k <= most;
}"""
END = 10_000
#: Whether both lie within the window, as a whole but for a part of a pixel, once the page is scrolled there.
ON_ONE_SCREEN = """([main, canvas]) => {
  const sliders = [...document.querySelectorAll('.widget-hslider')];
  const things = [sliders.find((one) => one.textContent.includes(main)), document.querySelector(canvas)];
  things[1].scrollIntoView({ block: 'nearest' });
  const boxes = things.map((one) => one.getBoundingClientRect());
  return boxes.every(({ left, top, right, bottom }) =>
    left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1);
}"""
#: Controls, read-outs and pictures that lie on each other, or reach out of the window.
IN_EACH_OTHERS_WAY = """() => {
  const kinds = '.widget-hslider, .widget-dropdown, .widget-text, .widget-checkbox, .widget-upload, ' +
    '.widget-play, .jupyter-button, .credalbench-stage, .credalbench-details, .credalbench-read-out';
  window.scrollTo(0, 0); // a docked picture covers what is scrolled below it
  const inside = document.querySelectorAll(`.credalbench-explorer :is(${kinds})`);
  const things = [...inside].filter((one) => one.offsetWidth);
  const boxes = new Map(things.map((one) => [one, one.getBoundingClientRect()]));
  const out = things.filter((one) => boxes.get(one).left < -1 || boxes.get(one).right > innerWidth + 1);
  const over = things.filter((one, k) => things.slice(k + 1).some((other) => {
    const [a, b] = [boxes.get(one), boxes.get(other)];
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return !one.contains(other) && across > 2 && down > 2;
  }));
  return [things.length, [...out, ...over].map((one) => `${one.className}: ${one.textContent}`)];
}"""
CURSOR = f"wanted => document.querySelector('{CANVAS}').style.cursor === wanted"
NEXT_TO = (14, -11)  # pixels from an object, where a point is drawn


def acts_of(name):
    """The acts that an explorer is put through."""
    Model = model_class(name)
    acts = [picture_and_main_slider_are_on_one_screen, nothing_is_in_the_way_at_twice_the_size]
    acts += [main_slider_is_moved_by_keyboard, object_is_clicked_and_described, state_is_saved_and_opened]
    if hasattr(Model, "step"):
        acts.append(iterations_are_stepped_played_and_rewound)
    if Model.DRAWABLE and name != "recm":  # which opens with dissimilarities
        acts.append(point_is_drawn_and_taken_back)
    if name == "segmentation":
        acts.append(stroke_is_painted_and_taken_back)
    return [*acts, long_fit_is_stopped]


@cache
def first_state(name):
    """What an explorer shows when it is opened, as a saved state."""
    model = model_class(name)()
    return {"explorer": name} | model.state()


def begin_anew(page, name, folder):
    """Open the state that an explorer begins with, and wait for its fit."""
    open_settings(page, name, folder)
    button_of(page, "Stop").wait_for(state="hidden")


def open_settings(page, name, folder, **other):
    """Open the state that an explorer begins with, with `other` settings."""
    path = folder / f"{name}.json"
    path.write_text(json.dumps(first_state(name) | other))
    open_state(page, path)


def number_of_clusters(page):
    """What the words say."""
    return int(re.search(r"in (\d+) clusters", described(page))[1])


def number_of_objects(page):
    """What the words say."""
    return int(re.search(r" (\d+) objects", described(page))[1])


def move_main_slider(page, key, change):
    """Press a key on the slider of the number of clusters; wait until the picture has followed."""
    requested, drawn = number_of_clusters(page) + change, page.evaluate(DRAWN)
    slider_of(page, MAIN).focus()
    page.keyboard.press(key)
    page.wait_for_function(SHOWS_TEXT, arg=f"in {requested} clusters")
    page.wait_for_function(f"old => ({DRAWN})() > old", arg=drawn)
    assert number_of_clusters(page) == requested


# -- the acts --------------------------------------------------------------------------------------------


def picture_and_main_slider_are_on_one_screen(page, name, folder):
    for size in (DESK, PROJECTOR):
        page.set_viewport_size(size)
        page.wait_for_function(ON_ONE_SCREEN, arg=[MAIN, CANVAS])
        keep_screenshot(page, folder / f"{name}_{size['width']}.png")


def nothing_is_in_the_way_at_twice_the_size(page, name, folder):
    drawn = page.evaluate(DRAWN)
    page.set_viewport_size(ZOOMED)
    page.wait_for_function(f"old => ({DRAWN})() > old", arg=drawn)
    count, in_the_way = page.evaluate(IN_EACH_OTHERS_WAY)
    page.set_viewport_size(PROJECTOR)
    assert count > 20 and in_the_way == []


def main_slider_is_moved_by_keyboard(page, name, folder):
    move_main_slider(page, "ArrowRight", 1)
    move_main_slider(page, "ArrowLeft", -1)


def object_is_clicked_and_described(page, name, folder):
    canvas = picture_of(page)
    page.keyboard.press("Escape")
    settle(page)
    before = described(page)
    page.keyboard.press("ArrowRight")  # from no object to the one in the middle
    details, at = page.locator(DETAILS).inner_text(), page.evaluate(SELECTED)
    page.keyboard.press("Escape")
    assert not reasons(page)
    page.mouse.click(*at)
    assert page.locator(DETAILS).inner_text() == details
    spoken = canvas.locator("[aria-live]").inner_text()
    assert reasons(page) and all(re.match("(In|Between|Outlier|Undecided)", one) for one in reasons(page))
    assert all(one in spoken for one in reasons(page))
    page.keyboard.press("Escape")
    assert not reasons(page)
    page.wait_for_function(f"old => ({DESCRIBED})() === old", arg=before)  # some explorers choose by a click


def state_is_saved_and_opened(page, name, folder):
    before = described(page)
    button_of(page, "Save").click()
    page.wait_for_function(SHOWS_TEXT, arg="Saved ")
    file, place = re.search(r" (\S+-state\.json) in (\S+)\.", page.evaluate(WORDS)).groups()
    move_main_slider(page, "ArrowRight", 1)
    assert described(page) != before
    open_state(page, f"{place}/{file}")
    page.wait_for_function(f"old => ({DESCRIBED})() === old", arg=before)


def iterations_are_stepped_played_and_rewound(page, name, folder):
    play, rewind = (page.locator(f".widget-play .fa-{icon}") for icon in ("play", "stop"))
    rewind.click()  # to the start
    page.wait_for_function(ITERATION, arg=[0, 0])
    start = described(page)
    button_of(page, "Step (s)").click()
    page.wait_for_function(ITERATION, arg=[1, 1])
    page.wait_for_function(f"old => ({DESCRIBED})() !== old", arg=start)
    play.click()
    page.wait_for_function(ITERATION, arg=[3, END])
    page.evaluate("() => document.querySelector('.widget-play .fa-pause')?.click()")  # or it ended by itself
    button_of(page, "End (e)").click()
    page.wait_for_function(ITERATION, arg=[END, END])


def point_is_drawn(page):
    """Draw a point next to the object in the middle; return what was said of the picture before."""
    picture_of(page)
    settle(page)
    page.keyboard.press("ArrowRight")
    x, y = page.evaluate(SELECTED)
    page.keyboard.press("Escape")
    before, n = described(page), number_of_objects(page)
    page.mouse.move(x, y)  # the cursor tells the tool once it has moved
    list_of(page, "map").select_option("add points")
    page.wait_for_function(CURSOR, arg="crosshair")
    page.mouse.click(x + NEXT_TO[0], y + NEXT_TO[1])
    page.wait_for_function(SHOWS_TEXT, arg=f" {n + 1} objects")
    list_of(page, "map").select_option("select objects")
    page.wait_for_function(CURSOR, arg="default")
    return before


def point_is_drawn_and_taken_back(page, name, folder):
    before = point_is_drawn(page)
    button_of(page, "Undo").click()
    page.wait_for_function(f"old => ({DESCRIBED})() === old", arg=before)


def stroke_is_painted_and_taken_back(page, name, folder):
    page.locator(IMAGE).scroll_into_view_if_needed()
    before, frame = described(page), page.locator(IMAGE).bounding_box()
    page.mouse.move(frame["x"] + frame["width"] / 3, frame["y"] + frame["height"] / 3)
    page.mouse.down()
    page.mouse.move(frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2, steps=8)
    page.mouse.up()
    page.wait_for_function(f"old => ({DESCRIBED})() !== old", arg=before)
    button_of(page, "Undo").click()
    page.wait_for_function(f"old => ({DESCRIBED})() === old", arg=before)


def long_fit_is_stopped(page, name, folder):
    before = described(page)
    open_settings(page, name, folder, **long_settings(name))
    page.wait_for_function(SHOWS_TEXT, arg="Computing …")
    stop = button_of(page, "Stop")
    stop.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="Stopped")
    stop.wait_for(state="hidden")
    begin_anew(page, name, folder)
    page.wait_for_function(f"old => ({DESCRIBED})() === old", arg=before)

"""The segmentation explorer: two regions painted by mouse and by keys, and a pixel touched."""

import re

from tests.e2e.acts import IMAGE, begin_anew
from tests.e2e.on_the_page import CANVAS, DETAILS, REASON, SHOWS_TEXT, WORDS, keep_screenshot, picture_of

PAINT = ".credalbench-paint"
#: Areas of the two regions, once they are other ones than those in `old`.
CHANGED = f"old => (({WORDS})().match(/regions of (\\d+) and (\\d+) pixels/) ?? [old])[0] !== old"
NUMBERED = f"words => document.querySelector('{PAINT}').getAttribute('aria-label').includes(words)"
ROWS, COLUMNS = 156, 141
SHARES = re.compile(r"without constraints ([0-9.]+) % .* pixels ([0-9.]+) %")


def areas(page):
    """What the read-outs say of the regions."""
    return re.search(r"regions of \d+ and \d+ pixels", page.evaluate(WORDS))[0]


def wait_for_change(page, before):
    page.wait_for_function(CHANGED, arg=before)
    return areas(page)


def drag(page, path):
    """Press, move and release along (row, column) places of the image."""
    frame = page.locator(IMAGE).bounding_box()
    points = [
        (
            frame["x"] + (column + 0.5) * frame["width"] / COLUMNS,
            frame["y"] + (row + 0.5) * frame["height"] / ROWS,
        )
        for row, column in path
    ]
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=8)
    page.mouse.up()


def painting_two_regions_turns_the_undecided_pixels(page, name, folder):
    begin_anew(page, name, folder)
    picture_of(page)
    first = areas(page)
    drag(page, [(45, 35), (60, 50), (75, 38)])  # the lesion
    second = wait_for_change(page, first)
    page.wait_for_function(NUMBERED, arg="painted: region 1.")
    page.locator(PAINT).focus()
    page.keyboard.press("2")
    drag(page, [(65, 75), (110, 68), (110, 105), (60, 92)])  # ventricles and tissue
    third = wait_for_change(page, second)
    page.wait_for_function(NUMBERED, arg="painted: region 1, region 2.")
    assert page.locator(f"{PAINT} .live polyline").count() == 0
    before, after = map(float, SHARES.search(page.evaluate(WORDS)).groups())
    assert after < before / 2

    canvas = page.locator(CANVAS)
    box = canvas.bounding_box()
    canvas.click(position={"x": 0.3 * box["width"], "y": 0.25 * box["height"]})
    assert "grey level" in page.locator(DETAILS).inner_text()
    assert page.locator(REASON).inner_text() in canvas.locator("[aria-live]").inner_text()
    keep_screenshot(page, folder / "segmentation_object.png")

    page.locator(PAINT).focus()
    page.keyboard.press("ArrowDown")  # the cursor appears in the middle of the image
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Space")
    fourth = wait_for_change(page, third)
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Enter")
    fifth = wait_for_change(page, fourth)
    page.keyboard.press("u")
    page.keyboard.press("u")
    page.wait_for_function(SHOWS_TEXT, arg=third)
    assert len({first, second, third, fourth, fifth}) == 5


GESTURES = (painting_two_regions_turns_the_undecided_pixels,)

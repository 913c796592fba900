"""The comparing explorer: a method chosen on one side, and the worst and best start of it."""

from tests.e2e.acts import begin_anew
from tests.e2e.on_the_page import SHOWS_TEXT, keep_screenshot, picture_of, reasons


def methods_and_starts_are_compared_by_keyboard(page, name, folder):
    begin_anew(page, name, folder)
    page.wait_for_function(SHOWS_TEXT, arg="alike for fuzzy c-means")
    picture_of(page)
    page.keyboard.press("ArrowRight")
    assert len(reasons(page)) == 2
    page.get_by_label("left", exact=True).select_option(label="ECM")
    page.wait_for_function(SHOWS_TEXT, arg="Both sides are the same fit")
    page.get_by_label("compare", exact=True).select_option(label="worst and best start")
    page.wait_for_function(SHOWS_TEXT, arg="of 12 random starts of ECM end at objective J")
    keep_screenshot(page, folder / "compare_starts.png")


GESTURES = (methods_and_starts_are_compared_by_keyboard,)

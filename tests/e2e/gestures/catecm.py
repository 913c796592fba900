"""cat-ECM: sums or means of the distances, and objects chosen for their masses."""

from tests.e2e.acts import MAIN, begin_anew
from tests.e2e.on_the_page import REASON, SELECTED, SHOWS_TEXT, keep_screenshot, picture_of, slider_of

TABLE = "() => document.querySelector('[aria-label=Prototypes] table')?.innerText ?? ''"


def sums_make_outliers_and_means_do_not(page, name, folder):
    """Figure 2 of the paper, and the distance as it is printed."""
    begin_anew(page, name, folder)
    page.wait_for_function(SHOWS_TEXT, arg="with 2 outliers; masses of 13 objects")
    assert all(word in page.evaluate(TABLE) for word in ("prototypes", "{1}", "{2}", "attribute 1"))
    page.get_by_label("mean over the attributes").check()
    page.wait_for_function(SHOWS_TEXT, arg="with 0 outliers")
    slider_of(page, MAIN).focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(SHOWS_TEXT, arg="in 3 clusters")
    page.wait_for_function(f"({TABLE})().includes('{{3}}')")


def objects_are_chosen_for_their_masses(page, name, folder):
    begin_anew(page, name, folder)
    picture_of(page)
    page.keyboard.press("Escape")
    page.keyboard.press("PageUp")  # from no object to the last one
    assert "Outlier" in page.locator(REASON).inner_text()
    last = page.evaluate(SELECTED)
    page.keyboard.press("PageUp")
    page.keyboard.press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="masses of 1 objects (chosen)")
    page.mouse.click(*last)
    page.wait_for_function(SHOWS_TEXT, arg="masses of 2 objects (chosen)")
    keep_screenshot(page, folder / "catecm_chosen.png")
    page.get_by_role("button", name="Most ambiguous").press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="masses of 13 objects (all)")


GESTURES = (sums_make_outliers_and_means_do_not, objects_are_chosen_for_their_masses)

"""EGMM: EBIC of all numbers of clusters is known after a while, without a hand being moved."""

from tests.e2e.acts import begin_anew
from tests.e2e.on_the_page import SHOWS_TEXT, keep_screenshot, slider_of

#: The number of clusters that EBIC chooses, once it is known for all.
CHOSEN = "() => /EBIC is highest at c = ([0-9]+) /.exec(document.body.innerText)?.[1]"


def as_classes_merge_ebic_comes_to_fewer_clusters_by_itself(page, name, folder):
    begin_anew(page, name, folder)
    page.wait_for_function(f"({CHOSEN})() === '3'")
    slider_of(page, "overlap").focus()
    page.keyboard.press("End")
    page.wait_for_function(SHOWS_TEXT, arg="0.3 standard deviations apart")
    page.wait_for_function(f"['1', '2'].includes(({CHOSEN})())")
    keep_screenshot(page, folder / "egmm_overlap.png")
    chosen = page.evaluate(CHOSEN)
    page.get_by_role("button", name="Best c").press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg=f"in {chosen} clusters")


GESTURES = (as_classes_merge_ebic_comes_to_fewer_clusters_by_itself,)

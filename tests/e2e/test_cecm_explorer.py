"""The CECM explorer in JupyterLab, driven through a real browser: clicks on objects, and keys."""

import re
from pathlib import Path

import numpy as np
import pytest

from credalbench.constraints import random_pairs
from credalbench.explore.cecm.model import CECMModel
from tests.e2e.on_the_page import SAYS, keep_screenshot, open_canvas

pytestmark = pytest.mark.e2e

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore" / "cecm.ipynb"
CANVAS = ".credalbench-canvas"
RINGS = f"n => document.querySelectorAll('{CANVAS} .chosen text').length === n"
#: The object that the details are about.
TOLD_ABOUT = "name => document.querySelector('.credalbench-details strong')?.textContent === name"
PROJECTOR = {"width": 1280, "height": 720}
AXES = (("x", "width"), ("y", "height"))
MARGIN = 4  # pixels by which the nearest other object must be further


@pytest.fixture(scope="module")
def subject():
    """The data of the notebook."""
    return CECMModel().subject


def choose_by_number(page, *numbers):
    """Choose two objects by the fields of their numbers."""
    fields = page.locator(".widget-text input[type=text]")
    for k, number in enumerate(numbers):
        fields.nth(k).fill(str(number))
        fields.nth(k).press("Enter")
        page.wait_for_function(RINGS, arg=k + 1)


def places_of(page, positions):
    """Where objects at `positions` (n, 2) on the map are on the canvas, (n, 2): two show how its axes lie."""
    ends = np.argsort(positions.sum(axis=1))[[0, -1]]
    choose_by_number(page, *ends.tolist())
    rings, corner = page.locator(f"{CANVAS} .chosen circle"), page.locator(CANVAS).bounding_box()
    boxes = [rings.nth(k).bounding_box() for k in (0, rings.count() // 2)]
    shown = np.array([[box[x] + box[size] / 2 - corner[x] for x, size in AXES] for box in boxes])
    page.locator(CANVAS).focus()
    page.keyboard.press("Escape")
    page.wait_for_function(RINGS, arg=0)
    unit = np.diff(shown, axis=0) / np.diff(positions[ends], axis=0)
    return shown[0] + unit * (positions - positions[ends[0]])


def pairs_to_click(places, size):
    """Random pairs of objects that stand apart from all others, so that a click cannot mean another one."""
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + np.diag(np.full(len(places), np.inf))
    apart = np.flatnonzero(gaps.min(axis=1) > MARGIN)
    return apart[random_pairs(len(apart), size, np.random.default_rng(0))]


def rand_shown(page):
    tiles = page.locator(".widget-html-content", has_text="ARI, unconstrained").first.text_content()
    return float(re.search(r"ARI\s*(-?[0-9.]+)", tiles)[1])


def click_object(page, place):
    page.locator(CANVAS).click(position=dict(zip("xy", place.tolist())))


def test_ten_clicked_constraints_turn_the_boundary_into_the_true_one(page, run_notebook, tmp_path, subject):
    open_canvas(page, run_notebook, NOTEBOOK)
    diagonal = rand_shown(page)
    keep_screenshot(page, tmp_path / "cecm_explorer_start.png")
    page.locator(".widget-dropdown", has_text="metric").locator("select").select_option(
        "adaptive (Mahalanobis)"
    )
    page.wait_for_function("old => !document.body.innerText.includes(old)", arg=f"{diagonal:.3f}")
    assert rand_shown(page) < 0.7

    places = places_of(page, subject.positions)
    for number, (i, j) in enumerate(pairs_to_click(places, 10), start=1):
        for count, k in ((1, i), (2, j)):
            click_object(page, places[k])
            page.wait_for_function(TOLD_ABOUT, arg=f"object {k}")
            page.wait_for_function(RINGS, arg=count)
        kind = "Must-link" if subject.y[i] == subject.y[j] else "Cannot-link"
        page.get_by_role("button", name=kind).click()
        low, high = sorted((i, j))
        page.wait_for_function(SAYS, arg=f"{kind} between {low} and {high}.")
        page.wait_for_function(SAYS, arg=f"{number} constraint")
    page.wait_for_function(RINGS, arg=0)

    assert rand_shown(page) > 0.95
    keep_screenshot(page, tmp_path / "cecm_explorer.png")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function(SAYS, arg="with 9 constraints")
    page.get_by_role("button", name="Clear").click()
    page.wait_for_function(SAYS, arg="by ECM with 0 constraints")
    assert rand_shown(page) < 0.7
    assert page.refused == []


def test_a_pair_is_suggested_and_answered_by_keyboard(page, run_notebook, tmp_path):
    page.set_viewport_size(PROJECTOR)
    open_canvas(page, run_notebook, NOTEBOOK)
    canvas = page.locator(CANVAS)
    canvas.focus()
    page.keyboard.press("p")
    page.wait_for_function(SAYS, arg="Active learning asks")
    page.wait_for_function(RINGS, arg=2)
    keep_screenshot(page, tmp_path / "cecm_explorer_suggested.png")
    page.keyboard.press("t")
    page.wait_for_function(SAYS, arg="by CECM with 1 constraints")

    page.keyboard.press("ArrowRight")  # from no object to the one in the middle
    page.keyboard.press("Enter")
    page.wait_for_function(RINGS, arg=1)
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_function(RINGS, arg=2)
    page.keyboard.press("m")
    page.wait_for_function(SAYS, arg="with 2 constraints")
    page.wait_for_function(RINGS, arg=0)  # the fields are empty again, too

    choose_by_number(page, 0, 399)
    page.get_by_role("button", name="Cannot-link").press("Enter")
    page.wait_for_function(SAYS, arg="with 3 constraints")
    canvas.focus()
    page.keyboard.press("Tab")
    assert page.evaluate(f"() => !document.activeElement.closest('{CANVAS}')")
    assert page.refused == []

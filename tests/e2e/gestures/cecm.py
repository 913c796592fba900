"""CECM: pairs of objects clicked and constrained, a pair that active learning suggests, and all by keys."""

import re
from functools import cache

import numpy as np

from credalbench.core.constraints import random_pairs
from credalbench.explore.explorers.cecm import CECMModel
from tests.e2e.acts import begin_anew
from tests.e2e.on_the_page import CANVAS, RINGS, SHOWS_TEXT, button_of, keep_screenshot, list_of, picture_of

#: The object that the details are about.
DETAILS_SHOWN = "name => document.querySelector('.credalbench-details strong')?.textContent === name"
AXES = (("x", "width"), ("y", "height"))
ROOMY = {"width": 2200, "height": 1180}  # no line wraps, so that the picture stays where it is
MARGIN = 4  # pixels by which the nearest other object must be further


@cache
def subject():
    """The data of the notebook."""
    return CECMModel().subject


def choose_by_number(page, *numbers):
    """Choose two objects, by their rows, in the fields of their numbers, which count from 1."""
    fields = page.locator(".widget-text input[type=text]")
    for k, number in enumerate(numbers):
        fields.nth(k).fill(str(number + 1))
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
    tiles = page.locator(".widget-html-content", has_text="ARI of the rest").first.text_content()
    return float(re.search(r"ARI\s*(-?[0-9.]+)", tiles)[1])


def click_object(page, place):
    page.locator(CANVAS).click(position=dict(zip("xy", place.tolist())))


def ten_clicked_constraints_turn_the_boundary_into_the_true_one(page, name, folder):
    page.set_viewport_size(ROOMY)
    begin_anew(page, name, folder)
    picture_of(page)
    diagonal = rand_shown(page)
    list_of(page, "metric").select_option("adaptive (Mahalanobis)")
    page.wait_for_function("old => !document.body.innerText.includes(old)", arg=f"{diagonal:.3f}")
    assert rand_shown(page) < 0.7

    data = subject()
    places = places_of(page, data.positions)
    for number, (i, j) in enumerate(pairs_to_click(places, 10), start=1):
        for count, k in ((1, i), (2, j)):
            click_object(page, places[k])
            page.wait_for_function(DETAILS_SHOWN, arg=f"object {k + 1}")
            page.wait_for_function(RINGS, arg=count)
        kind = "Must-link" if data.y[i] == data.y[j] else "Cannot-link"
        page.get_by_role("button", name=kind).click()
        low, high = sorted((i, j))
        page.wait_for_function(SHOWS_TEXT, arg=f"{kind} between object {low + 1} and object {high + 1}.")
        page.wait_for_function(SHOWS_TEXT, arg=f"{number} constraint")
    page.wait_for_function(RINGS, arg=0)

    assert rand_shown(page) > 0.95
    keep_screenshot(page, folder / "cecm_constrained.png")
    button_of(page, "Undo (u)").click()
    page.wait_for_function(SHOWS_TEXT, arg="with 9 constraints")
    button_of(page, "Clear").click()
    page.wait_for_function(SHOWS_TEXT, arg="with 0 constraints")
    assert rand_shown(page) < 0.7


def pair_is_suggested_and_answered_by_keyboard(page, name, folder):
    begin_anew(page, name, folder)
    picture_of(page)
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    page.wait_for_function(SHOWS_TEXT, arg="Active learning asks")
    page.wait_for_function(RINGS, arg=2)
    keep_screenshot(page, folder / "cecm_suggested.png")
    page.keyboard.press("t")
    page.wait_for_function(SHOWS_TEXT, arg="with 1 constraints")

    page.keyboard.press("ArrowRight")  # from no object to the one in the middle
    page.keyboard.press("Enter")
    page.wait_for_function(RINGS, arg=1)
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_function(RINGS, arg=2)
    page.keyboard.press("m")
    page.wait_for_function(SHOWS_TEXT, arg="with 2 constraints")
    page.wait_for_function(RINGS, arg=0)  # the fields are empty again, too

    choose_by_number(page, 0, 399)
    page.get_by_role("button", name="Cannot-link").press("Enter")
    page.wait_for_function(SHOWS_TEXT, arg="with 3 constraints")


GESTURES = (
    ten_clicked_constraints_turn_the_boundary_into_the_true_one,
    pair_is_suggested_and_answered_by_keyboard,
)

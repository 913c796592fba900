"""The CECM explorer in JupyterLab, driven through a real browser: clicks on objects, and keys."""

import re
from pathlib import Path

import numpy as np
import pytest

from credalbench.constraints import random_pairs
from credalbench.explore.cecm.model import CECMModel
from credalbench.explore.cecm.picture import CecmPicture
from tests.e2e.on_the_page import SAYS, keep_screenshot, on_the_screen, open_clickable

pytestmark = pytest.mark.e2e

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore" / "cecm.ipynb"
RINGS = "n => document.querySelectorAll('.credalbench-picture .chosen text').length === n"
MARGIN = 4  # pixels by which the nearest other object must be further


@pytest.fixture(scope="module")
def places():
    """The subject of the notebook and where its objects are, in pixels of the picture: (n, 2)."""
    model, picture = CECMModel(), CecmPicture()
    picture.png(model.fitted)
    return model.subject, picture.pixels_of(model.subject.positions)


def pairs_to_click(subject, pixels, size):
    """Random pairs of objects that stand apart from all others, so that a click cannot mean another one."""
    gaps = np.linalg.norm(pixels[:, None] - pixels[None], axis=2) + np.diag(np.full(len(pixels), np.inf))
    apart = np.flatnonzero(gaps.min(axis=1) > MARGIN)
    return apart[random_pairs(len(apart), size, np.random.default_rng(0))]


def rand_shown(page):
    tiles = page.locator(".widget-html-content", has_text="Rand index").first.text_content()
    return float(re.search(r"Rand index\s*([0-9.]+)", tiles)[1])


def click_object(picture, place):
    picture.click(position=on_the_screen(picture, place, 960))


def test_ten_clicked_constraints_turn_the_boundary_into_the_true_one(page, run_notebook, tmp_path, places):
    subject, pixels = places
    open_clickable(page, run_notebook, NOTEBOOK)
    diagonal = rand_shown(page)
    keep_screenshot(page, tmp_path / "cecm_explorer_start.png")
    page.locator(".widget-dropdown", has_text="metric").locator("select").select_option(
        "adaptive (Mahalanobis)"
    )
    page.wait_for_function("old => !document.body.innerText.includes(old)", arg=f"{diagonal:.3f}")
    assert rand_shown(page) < 0.7

    picture = page.locator(".credalbench-picture")
    for number, (i, j) in enumerate(pairs_to_click(subject, pixels, 10), start=1):
        click_object(picture, pixels[i])
        page.wait_for_function(RINGS, arg=1)
        click_object(picture, pixels[j])
        page.wait_for_function(RINGS, arg=2)
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


def test_a_pair_is_suggested_and_answered_by_keyboard(page, run_notebook, tmp_path, places):
    open_clickable(page, run_notebook, NOTEBOOK)
    picture = page.locator(".credalbench-picture")
    picture.focus()
    page.keyboard.press("s")
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

    fields = page.locator(".widget-text input[type=text]")
    for field, number in zip((fields.nth(0), fields.nth(1)), ("0", "399")):
        field.fill(number)
        field.press("Enter")
        page.wait_for_function(RINGS, arg=1 if number == "0" else 2)
    page.get_by_role("button", name="Cannot-link").press("Enter")
    page.wait_for_function(SAYS, arg="with 3 constraints")
    picture.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("() => !document.activeElement.closest('.credalbench-picture')")
    assert page.refused == []

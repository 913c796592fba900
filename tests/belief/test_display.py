"""The HTML table of a credal partition: well-formed, self-contained, readable without colours."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets


def random_partition(n, F, seed=0):
    return CredalPartition(np.random.default_rng(seed).dirichlet(np.ones(len(F)), size=n), F)


@pytest.mark.parametrize("F", [FocalSets.simple(1), FocalSets.full(3), FocalSets.pairs(20)])
@pytest.mark.parametrize("n", [1, 12, 13, 400])
def test_table_is_well_formed_and_shows_at_most_twelve_objects(F, n):
    root = ElementTree.fromstring(random_partition(n, F)._repr_html_())
    rows = root.findall(".//tbody/tr")
    assert len(rows) == min(n, 12)
    text = "".join(root.itertext())
    assert f"n = {n} object" in text
    assert ("more object" in text) == (n > 12)


def test_table_has_no_links_and_no_scripts():
    html = random_partition(30, FocalSets.full(4))._repr_html_()
    assert not re.search(r"<script|<style|https?:|url\(|<link|<img|\bid=", html)


def test_every_bar_has_its_masses_as_text():
    partition = CredalPartition([[0.1, 0.7, 0, 0.2], [1, 0, 0, 0]], FocalSets.simple(2))
    root = ElementTree.fromstring(partition._repr_html_())
    bars = [svg for svg in root.iter("svg") if svg.get("role") == "img"]
    assert [bar.get("aria-label") for bar in bars] == [
        "object 0: ∅ 0.10, {1} 0.70, Ω 0.20",
        "object 1: ∅ 1.00",
    ]
    assert [bar.find("title").text for bar in bars] == [bar.get("aria-label") for bar in bars]
    cells = ["".join(cell.itertext()) for cell in root.findall(".//tbody/tr")[1].findall("td")][1:]
    assert cells == ["∅ 1.00", "Ω", "outlier"]


def test_summary_counts_objects_sets_and_outliers():
    partition = CredalPartition(np.eye(4), FocalSets.simple(2))
    text = "".join(ElementTree.fromstring(partition._repr_html_()).itertext())
    assert "n = 4 objects, c = 2 clusters, f = 4 focal sets, nonspecificity 0.500, 1 outlier" in text


def test_text_has_the_colour_of_the_page():
    html = random_partition(3, FocalSets.full(3))._repr_html_()
    assert not re.search(r'[^-]color:#|background:#|fill="(black|white)"', html)
    assert "currentColor" in html


def test_a_mass_function_on_very_many_sets_is_summed_up():
    partition = CredalPartition(np.full((1, 1024), 1 / 1024), FocalSets.full(10))
    root = ElementTree.fromstring(partition._repr_html_())
    (bar,) = [svg for svg in root.iter("svg") if svg.get("role") == "img"]
    assert bar.get("aria-label") == "object 0: other sets 0.96"
    assert "and 1008 more sets" in "".join(root.itertext())


def pieces(masses, F):
    """Place, size and look of each piece of the bar of one object."""
    root = ElementTree.fromstring(CredalPartition([masses], F)._repr_html_())
    [bar] = [svg for svg in root.iter("svg") if svg.get("role") == "img"]
    keys = ("x", "width", "y", "height", "fill", "fill-opacity")
    return [tuple(rect.get(key) for key in keys) for rect in bar.iter("rect")]


def test_pieces_of_a_bar_are_as_wide_as_their_masses_and_look_as_their_sets():
    """260 x 18 pixels: ∅ solid, Ω faint, a band for each cluster of the others, a gap after each."""
    F = FocalSets.from_sets(3, [[], [0], [1, 2], range(3)])
    assert pieces([0.1, 0.2, 0.3, 0.4], F) == [
        ("0.00", "25.20", "0", "18", "currentColor", "0.85"),
        ("26.00", "51.20", "0.00", "18.00", "#0072B2", None),
        ("78.00", "77.20", "0.00", "9.00", "#D55E00", None),
        ("78.00", "77.20", "9.00", "9.00", "#009E73", None),
        ("156.00", "103.20", "0", "18", "currentColor", "0.22"),
    ]
    [only] = pieces([1.0], FocalSets.from_sets(1, [[0]]))  # a cluster, though it is the frame
    assert only == ("0.00", "259.20", "0.00", "18.00", "#0072B2", None)

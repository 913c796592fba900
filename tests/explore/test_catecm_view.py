"""The cat-ECM explorer's widgets without a browser."""

import numpy as np
import pandas as pd
import pytest

from credalbench.explore import explore_catecm
from credalbench.explore.explorers.catecm.model import CatECMModel
from credalbench.explore.explorers.catecm.prototype_table import SIGNS, prototypes_html
from credalbench.explore.explorers.catecm.scene import LONGEST, catecm_scene, row_name
from credalbench.explore.scene.marks import Bars, Points, Text
from credalbench.plots import MARKERS
from tests.explore.browser import shown, upload
from tests.explore.test_catecm_model import ANIMALS


@pytest.fixture
def explorer():
    return explore_catecm()


def click(explorer, i, panel="map", x=0, y=0):
    """What the kernel does when the browser reports a click on object `i`."""
    explorer.image._handle_custom_msg({"event": "click", "object": i, "panel": panel, "x": x, "y": y}, [])


def panel_of(fitted, name):
    return next(panel for panel in catecm_scene(fitted).panels if panel.name == name)


def test_a_click_shows_the_masses_of_an_object_and_a_button_the_most_ambiguous(explorer):
    before = shown(explorer)
    click(explorer, 3)
    assert explorer.image.chosen == [3]
    assert shown(explorer) != before
    assert "masses of 1 objects (chosen)" in explorer.readouts.value
    explorer.controls["ambiguous"].click()
    assert explorer.image.chosen == []
    assert shown(explorer) == before


def test_a_row_of_the_masses_is_looked_at_and_leaves_the_choice(explorer):
    click(explorer, 5)
    click(explorer, 3)
    click(explorer, None, "masses", 0.4, -1.2)
    assert explorer.image.selected == explorer.model.selected == 3
    click(explorer, None, "masses", 0.4, -3.0)  # below the rows
    click(explorer, 5, "masses")  # the sign of a row, which the browser has selected
    assert explorer.image.chosen == [5, 3] and explorer.model.selected == 3
    click(explorer, None)
    assert explorer.image.chosen == []


def test_sliders_refit_and_redraw_picture_and_table(explorer):
    before, table = shown(explorer), explorer.prototypes.value
    explorer.controls["n_clusters"].value = 4
    assert shown(explorer) != before
    assert explorer.prototypes.value != table and "{4}" in explorer.prototypes.value


def test_the_table_lists_differing_attributes_first_and_ties_with_or():
    prototypes = pd.DataFrame(
        {"tail": ["no"] * 3, "legs": [("2", "4"), "2", "2"], "<hair>": ["yes", "no", "some"]}
    )
    html = prototypes_html(prototypes)
    assert html.index("&lt;hair&gt;") < html.index("legs") < html.index("The same in all: tail = no.")
    assert "2 or 4" in html and "<hair>" not in html
    assert all(f"{SIGNS[k]}</span> {{{k + 1}}}" in html for k in range(3))
    assert len(SIGNS) == len(MARKERS)
    assert "The same in all" not in prototypes_html(prototypes[["legs"]])


def test_rows_are_named_after_objects_and_classes():
    model = CatECMModel()
    model.load_file(ANIMALS, "mine.csv")
    assert row_name(model.subject, 18) == "bat (cat)"
    assert row_name(CatECMModel(np.array([[0, 1], [1, 1], [1, 0]])).subject, 2) == "2"
    model.load_file(ANIMALS.replace(b"bat", b"a bat that hangs from the roof"), "mine.csv")
    assert len(row_name(model.subject, 18)) == LONGEST and row_name(model.subject, 18)[-1] == "…"


def test_uploaded_table_is_drawn(explorer):
    upload(explorer, "mine.csv", ANIMALS)
    assert explorer.controls["data"].value == explorer.model.data == "mine.csv"
    objects, *_ = panel_of(explorer.model.fitted, "map").marks
    assert len(objects.positions) == 19
    assert "19 objects, 2 attributes, 2 classes from column" in explorer.message.value
    assert list(catecm_scene(explorer.model.fitted).objects.names)[18] == "bat"


# -- the scene -------------------------------------------------------------------------------------------


def test_rows_of_bars_are_the_masses_of_the_listed_objects():
    model = CatECMModel()
    model.choice.choose(11, 0)
    fitted, panel = model.fitted, panel_of(model.fitted, "masses")
    bars, *_, signs = panel.marks
    assert isinstance(bars, Bars) and isinstance(signs, Points)
    assert signs.objects.tolist() == [11, 0]
    assert [words for _, words in panel.y.ticks] == [row_name(model.subject, i) for i in (11, 0)]
    focal_sets, rows = fitted.partition.focal_sets, bars.boxes[:, [1, 3]].mean(axis=1).round().astype(int)
    for row, i in enumerate((11, 0)):
        those = np.flatnonzero(rows == -row)
        lengths = np.ptp(bars.boxes[those][:, [0, 2]], axis=1)
        assert lengths.sum() == pytest.approx(1)
        for j, length in zip(bars.fill_of[those], lengths):
            small = fitted.partition.masses[i][fitted.partition.masses[i] < 0.02].sum()
            requested = small if j == len(focal_sets) else fitted.partition.masses[i, j]
            assert length == pytest.approx(requested)
    named = [(mark.words, round(-mark.place[1])) for mark in panel.marks if isinstance(mark, Text)]
    assert named == [("∅", 0), ("∅", 1), ("{1}", 1), ("{2}", 1), ("Ω", 1)]


def test_values_of_two_attributes_stand_at_the_axes_and_of_more_none():
    two, many = CatECMModel(), CatECMModel(np.random.default_rng(0).integers(0, 3, (40, 5)), n_init=2)
    place, word = panel_of(two.fitted, "map").x.ticks[1]
    assert (place, word) == (1.0, two.subject.ticks[0][1])
    assert panel_of(many.fitted, "map").x.ticks == []
    for panel in (panel_of(two.fitted, "map"), panel_of(many.fitted, "map")):
        assert panel.x.label.endswith(", equal objects side by side")


@pytest.mark.parametrize("c", [2, 4, 6])
def test_scenes_of_few_and_many_clusters_hold_all_objects_and_prototypes(c):
    model = CatECMModel(np.random.default_rng(0).integers(0, 3, (40, 5)), n_init=2, n_clusters=c)
    assert not model.is_error
    panel = panel_of(model.fitted, "map")
    objects, *discs = [mark for mark in panel.marks if isinstance(mark, Points)]
    assert len(objects.positions) == 40
    assert all(len(mark.positions) == c for mark in discs)
    for mark in (objects, *discs):
        assert (mark.positions >= [panel.x.low, panel.y.low]).all()
        assert (mark.positions <= [panel.x.high, panel.y.high]).all()

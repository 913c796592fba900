"""The ensemble explorer's widgets without a browser."""

import numpy as np
import pytest

from credalbench.explore import explore_ensemble
from credalbench.explore.explorers.ensemble.evidence_panel import GAP, NAMED, SHOWN, rows_of
from credalbench.explore.explorers.ensemble.model import EnsembleModel
from credalbench.explore.explorers.ensemble.relation_panels import MOST
from credalbench.explore.explorers.ensemble.scene import MAPS, ensemble_scene
from credalbench.explore.explorers.ensemble.sentences import CLOSED, RULES
from credalbench.explore.scene.marks import Bars, Line, Points, Raster, Text
from credalbench.plots.relations import HEIGHT, relation_colours
from credalbench.plots.style import colour
from tests.explore.browser import shown, upload

SMALL = {"n_estimators": 8, "base_from": 4, "base_to": 6}


@pytest.fixture
def explorer():
    return explore_ensemble("half_rings:60", **SMALL)


def click(explorer, i, panel="map", x=0.0, y=0.0):
    """What the kernel does when the browser reports a click on object `i`, or beside all objects."""
    explorer.image._handle_custom_msg({"event": "click", "object": i, "panel": panel, "x": x, "y": y}, [])


def press(explorer, letter):
    explorer.image._handle_custom_msg({"event": "letter", "letter": letter}, [])


def panel_of(explorer, name):
    """A panel of what is shown."""
    return next(panel for panel in ensemble_scene(explorer.model.fitted).panels if panel.name == name)


def marks_of(explorer, name, kind):
    return [mark for mark in panel_of(explorer, name).marks if isinstance(mark, kind)]


@pytest.mark.parametrize("name", ["t_norm", "rule"])
def test_every_choice_gives_another_picture(explorer, name):
    pictures = []
    for _, value in explorer.controls[name].options:
        explorer.controls[name].value = value
        assert getattr(explorer.model, name) == value and not explorer.model.is_error
        assert shown(explorer) not in pictures
        pictures.append(shown(explorer))


def test_two_clicked_objects_are_looked_at(explorer):
    click(explorer, None)
    assert explorer.image.chosen == [] and "Click two objects" in explorer.about_pair.value
    click(explorer, 3)
    assert "Object 3: click another object" in explorer.about_pair.value
    click(explorer, 40)
    assert explorer.image.chosen == [3, 40]
    assert (explorer.controls["first"].value, explorer.controls["second"].value) == ("3", "40")
    assert "Objects 3 and 40: " in explorer.about_pair.value


def test_numbers_letters_and_buttons_do_what_clicks_do(explorer):
    explorer.controls["first"].value, explorer.controls["second"].value = "7", "8"
    assert explorer.model.fitted.pair.objects == (7, 8)
    press(explorer, "t")
    fine = explorer.model.choice.objects
    explorer.controls["second"].value = "9"
    explorer.controls["suggest"].click()
    assert explorer.model.choice.objects == fine
    press(explorer, "n")
    assert explorer.model.seed == 1
    explorer.controls["first"].value = "sixty"
    assert "numbers of objects" in explorer.message.value


def test_a_click_in_a_relation_chooses_the_pair_of_its_row_and_column(explorer):
    """The first row is on top; a pixel of the picture is an object wide."""
    order = explorer.model.fitted.order
    for panel, row, column in (("relation", 4, 50), ("closed", 59, 0)):
        click(explorer, None, panel, column + 0.5, 60 - row - 0.5)
        assert explorer.model.choice.objects == (order[row], order[column])
    click(explorer, None, "relation", 7.5, 52.5)  # an object and itself
    assert explorer.model.choice.objects == ()
    click(explorer, 5)
    click(explorer, None, "closed", -3.0, 30.0)  # beside the picture
    assert explorer.model.choice.objects == ()


def test_elsewhere_a_place_is_no_pair(explorer):
    click(explorer, None, "base 2", 4.5, 50.5)
    assert explorer.model.choice.objects == ()
    click(explorer, 5, "base 2", 4.5, 50.5)
    assert explorer.model.choice.objects == (5,)


@pytest.mark.parametrize("name", ["relation", "closed"])
def test_a_relation_has_the_colours_of_its_pairs_in_the_order_of_the_fit(explorer, name):
    fitted = explorer.model.fitted
    (raster,) = marks_of(explorer, name, Raster)
    requested = relation_colours(getattr(fitted.run, name))[np.ix_(fitted.order, fitted.order)]
    np.testing.assert_array_equal(raster.pixels[..., :3], requested)
    assert (raster.pixels[..., 3] == 255).all() and raster.box == (0, 0, 60, 60)
    *between, around = marks_of(explorer, name, Line)
    assert len(between) == 2 and between[0].path is between[1].path  # seen on dark and on white
    places = {60 - place for place in fitted.boundaries}
    assert {y for x, y in between[0].path if x == 60} >= places
    assert around.path.max() == 60


def test_of_many_objects_a_relation_has_fewer_pixels():
    explorer = explore_ensemble(
        np.random.default_rng(0).normal(size=(MOST + 20, 2)), n_estimators=2, base_from=2, base_to=2
    )
    (raster,) = marks_of(explorer, "relation", Raster)
    assert raster.pixels.shape == (MOST, MOST, 4) and raster.box == (0, 0, MOST + 20, MOST + 20)


def test_rings_mark_both_places_of_the_pair_in_the_relations(explorer):
    order = explorer.model.fitted.order
    explorer.model.choice.choose(int(order[4]), int(order[50]))
    for name in ("relation", "closed"):
        for ring in marks_of(explorer, name, Points):
            assert ring.positions.tolist() == [[50.5, 55.5], [4.5, 9.5]]
    explorer.model.choice.choose()
    assert marks_of(explorer, "closed", Points) == []


def bars(explorer):
    """Widths (3, m) of "same", unknown and "different" in the rows of the pair, and their middles (m,)."""
    parts, whole = marks_of(explorer, "evidence", Bars)
    widths = (parts.boxes[:, 2] - parts.boxes[:, 0]).reshape(3, -1)
    return widths, whole.boxes[:, [1, 3]].mean(axis=1)


def test_rows_are_partitions_then_rules_then_the_closure(explorer):
    fitted = explorer.model.fitted
    names, places = rows_of(fitted)
    assert names == [*(f"partition {b + 1}" for b in range(8)), *RULES.values(), CLOSED]
    panel = panel_of(explorer, "evidence")
    assert [words for _, words in panel.y.ticks] == [*names[:8:2], *names[8:]]
    assert [place for place, _ in panel.y.ticks] == [*places[:8:2], *places[8:]]
    widths, drawn = bars(explorer)
    np.testing.assert_allclose(drawn, places)
    pair = fitted.pair
    same = [*pair.evidence.same, *(masses.same for masses in pair.by_rule.values()), pair.closed.same]
    np.testing.assert_allclose(widths[0], same, atol=1e-12)  # differences of sums
    np.testing.assert_allclose(widths.sum(axis=0), 1)
    explorer.controls["t_norm"].value = "none"
    np.testing.assert_allclose(bars(explorer)[1], places[:-1])
    without = panel_of(explorer, "evidence")
    assert (without.y.low, without.y.high) == (panel.y.low, panel.y.high) == (places[-1] - 0.5, NAMED / 8 / 2)
    assert [(text.words, text.place[1]) for text in marks_of(explorer, "evidence", Text)] == [
        ("no closure", places[-1])
    ]


def test_rows_lie_below_each_other(explorer):
    """Of more base partitions than are named the rows are lower, and the rules keep their height."""
    for count in (2, NAMED, SHOWN):
        explorer.model.n_estimators = count
        _, places = rows_of(explorer.model.fitted)
        height = min(NAMED / count, 1)
        gaps = -np.diff(places)
        np.testing.assert_allclose(gaps[: count - 1], height)
        np.testing.assert_allclose(gaps[count - 1], (height + 1) / 2 + GAP)
        np.testing.assert_allclose(gaps[count : count + len(RULES) - 1], 1)
        np.testing.assert_allclose(gaps[-1], 1 + GAP)
        _, whole = marks_of(explorer, "evidence", Bars)
        heights = whole.boxes[:, 3] - whole.boxes[:, 1]
        np.testing.assert_allclose(heights[:count], HEIGHT * height)
        np.testing.assert_allclose(heights[count:], HEIGHT)


@pytest.mark.parametrize("rule", RULES)
def test_the_rule_in_use_is_framed(explorer, rule):
    explorer.controls["rule"].value = rule
    names, places = rows_of(explorer.model.fitted)
    (frame,) = marks_of(explorer, "evidence", Line)
    assert frame.path[:4, 1].mean() == pytest.approx(places[names.index(RULES[rule])])


def test_the_parameter_is_off_where_the_t_norm_has_none(explorer):
    fields = [explorer.controls[name] for name in ("t_norm_parameter", "t_norm_parameter_slider")]
    assert all(field.disabled for field in fields)
    explorer.controls["t_norm"].value = "yager"
    assert not any(field.disabled for field in fields)
    before = shown(explorer)
    explorer.controls["t_norm_parameter"].value = 5.0
    assert explorer.model.fitted.run.t_norm.parameter == 5.0
    assert shown(explorer) != before
    explorer.controls["t_norm_parameter"].value = 0.01  # less than Yager's family has
    assert "&#x27;yager&#x27;" in explorer.message.value and "got 0.01" in explorer.message.value


def base_maps(explorer):
    return [panel for panel in ensemble_scene(explorer.model.fitted).panels if panel.name.startswith("base ")]


def test_base_partitions_are_maps_with_their_numbers_and_colours(explorer):
    fitted = explorer.model.fitted
    assert panel_of(explorer, "bases").title == "Base partitions"
    for b, (panel, base) in enumerate(zip(base_maps(explorer), fitted.run.bases, strict=True)):
        points, number = panel.marks
        assert number.words == str(b + 1)
        assert points.objects.tolist() == list(range(60))  # each of them can be touched
        clusters = base.hard_credal()
        for i in range(60):
            members = base.focal_sets.sets[clusters[i]]
            if len(members) == 1:
                assert points.looks[points.look_of[i]].fill == colour(*members).lower()


def test_base_maps_lie_below_their_title_and_next_to_each_other(explorer):
    heading = panel_of(explorer, "bases").place
    places = {panel.place for panel in base_maps(explorer)}
    assert len(places) == 8
    for left, top, width, height in places:
        assert top >= heading[1] + heading[3] - 1e-12  # rounding
        assert left + width <= heading[2] + 1e-12 and top + height <= 1 + 1e-12  # rounding


def test_of_many_base_partitions_the_first_are_shown(explorer):
    explorer.model.n_estimators = SHOWN + 2
    assert panel_of(explorer, "bases").title == f"Base partitions, {MAPS} of {SHOWN + 2}"
    assert len(base_maps(explorer)) == MAPS
    assert len(bars(explorer)[1]) == SHOWN + len(RULES) + 1
    ticks = [words for _, words in panel_of(explorer, "evidence").y.ticks]
    assert ticks == [*(f"partition {b + 1}" for b in range(0, SHOWN, 4)), *RULES.values(), CLOSED]


def test_the_path_of_the_closure_joins_the_pair_on_the_map(explorer):
    explorer.model.suggest()
    fitted = explorer.model.fitted
    requested = fitted.subject.positions[list(fitted.pair.path)]
    (path,) = marks_of(explorer, "map", Line)
    np.testing.assert_array_equal(path.path, requested)
    explorer.controls["t_norm"].value = "none"
    assert marks_of(explorer, "map", Line) == []
    assert panel_of(explorer, "closed").title == "No closure"


def test_objects_with_names_are_called_by_them(explorer):
    upload(explorer, "mine.csv", b"name,u,v\nAnna,0,0\nBert,0,1\nCara,1,0\nDora,9,9\nEmil,9,8\nFred,8,7\n")
    explorer.model.choice.choose(1)
    assert "Object Bert: click another object" in explorer.about_pair.value
    explorer.model.choice.choose(1, 3)
    assert "Objects Bert and Dora: " in explorer.about_pair.value
    assert panel_of(explorer, "evidence").title == "Objects Bert and Dora"


def test_the_scene_shows_few_and_many_clusters_and_classes_unknown():
    model = EnsembleModel("iris", focal_sets="pairs", **SMALL)
    for c in (2, 3, 5):
        model.n_clusters = c
        assert len(ensemble_scene(model.fitted).evidence.membership) == len(model.fitted.partition.focal_sets)
    model.set_data(model.subject.attributes[::5])
    assert model.fitted.ari is None
    assert len(ensemble_scene(model.fitted).evidence.masses) == 30

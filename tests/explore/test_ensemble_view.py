"""The ensemble explorer's widgets without a browser."""

import io

import numpy as np
import pytest
from PIL import Image

from credalbench.explore import explore_ensemble
from credalbench.explore.ensemble.model import EnsembleModel
from credalbench.explore.ensemble.picture import SHOWN, EnsemblePicture, rows_of
from credalbench.explore.ensemble.words import CLOSED, RULES
from credalbench.plots.relations import HEIGHT
from tests.explore.browser import PNG, upload

SMALL = {"n_estimators": 8, "base_from": 4, "base_to": 6}


@pytest.fixture
def explorer():
    return explore_ensemble("half_rings:60", **SMALL)


def click(explorer, i, x=0.0, y=0.0):
    """What the kernel does when the browser reports a click on object `i`, or beside all objects."""
    explorer.image._handle_custom_msg({"event": "click", "object": i, "x": x, "y": y}, [])


def press(explorer, letter):
    explorer.image._handle_custom_msg({"event": "letter", "letter": letter}, [])


def place_in(explorer, ax, row, column):
    """Pixels of the middle of a row and a column of a relation."""
    x, y = ax.transData.transform((column + 0.5, row + 0.5))
    return float(x), float(explorer.picture.size[1] - y)


@pytest.mark.parametrize("name", ["t_norm", "rule"])
def test_every_choice_gives_another_picture(explorer, name):
    pictures = []
    for _, value in explorer.controls[name].options:
        explorer.controls[name].value = value
        assert getattr(explorer.model, name) == value and not explorer.model.is_error
        pictures.append(explorer.image.value)
    assert len(set(pictures)) == len(pictures)
    assert all(png[:8] == PNG for png in pictures)


def test_two_clicked_objects_are_looked_at(explorer):
    click(explorer, None)
    assert explorer.image.chosen == [] and "Click two objects" in explorer.about_pair.value
    empty = explorer.image.value
    click(explorer, 3)
    assert "Object 3: click another one" in explorer.about_pair.value
    click(explorer, 40)
    assert explorer.image.chosen == [3, 40]
    assert (explorer.controls["first"].value, explorer.controls["second"].value) == ("3", "40")
    assert "Objects 3 and 40: " in explorer.about_pair.value
    assert explorer.image.value != empty


def test_numbers_letters_and_buttons_do_what_clicks_do(explorer):
    explorer.controls["first"].value, explorer.controls["second"].value = "7", "8"
    assert explorer.model.fitted.pair.objects == (7, 8)
    press(explorer, "s")
    telling = explorer.model.chosen_objects
    explorer.controls["second"].value = "9"
    explorer.controls["suggest"].click()
    assert explorer.model.chosen_objects == telling
    press(explorer, "n")
    assert explorer.model.seed == 1
    explorer.controls["first"].value = "sixty"
    assert "numbers of objects" in explorer.message.value


def test_a_click_in_a_relation_chooses_the_pair_of_its_row_and_column(explorer):
    order = explorer.model.fitted.order
    for ax, row, column in ((explorer.picture.relation, 4, 50), (explorer.picture.closed, 59, 0)):
        click(explorer, None, *place_in(explorer, ax, row, column))
        assert explorer.model.chosen_objects == (order[row], order[column])
    click(explorer, None, *place_in(explorer, explorer.picture.relation, 7, 7))  # an object and itself
    assert explorer.model.chosen_objects == ()


def test_an_object_of_the_map_is_never_a_pair(explorer):
    """A click that the browser finds near an object is one on the object, wherever it is."""
    click(explorer, None)
    click(explorer, 5, *place_in(explorer, explorer.picture.relation, 4, 50))
    assert explorer.model.chosen_objects == (5,)


def test_rings_mark_both_places_of_the_pair_in_the_relations(explorer):
    order = explorer.model.fitted.order
    explorer.model.choose(int(order[4]), int(order[50]))
    for ax in (explorer.picture.relation, explorer.picture.closed):
        for ring in ax.lines:
            np.testing.assert_array_equal(np.sort(ring.get_xdata()), [4.5, 50.5])
            np.testing.assert_array_equal(ring.get_xdata()[::-1], ring.get_ydata())


def bars(explorer):
    """Widths (3, m) of "same", unknown and "different" in the rows of the pair, and their places (m,)."""
    *parts, _ = explorer.picture.opinions.collections
    corners = np.array([[path.vertices for path in part.get_paths()] for part in parts])
    return np.ptp(corners[..., 0], axis=2), corners[0, :, 0, 1] + HEIGHT / 2


def test_rows_are_opinions_then_rules_then_the_closure(explorer):
    fitted = explorer.model.fitted
    names, places = rows_of(fitted)
    assert names == [*(f"partition {b + 1}" for b in range(8)), *RULES.values(), CLOSED]
    anew = EnsemblePicture()
    anew.png(fitted)
    written = {text.get_text(): text.get_position()[1] for text in anew.opinions.texts}
    assert written.items() >= dict(zip(names, places)).items()
    widths, drawn = bars(explorer)
    np.testing.assert_allclose(drawn, places)
    pair = fitted.pair
    same = [*pair.opinions.same, *(masses.same for masses in pair.by_rule.values()), pair.closed.same]
    np.testing.assert_allclose(widths[0], same, atol=1e-12)  # differences of sums
    np.testing.assert_allclose(widths.sum(axis=0), 1)
    explorer.controls["t_norm"].value = "none"
    np.testing.assert_allclose(bars(explorer)[1], places[:-1])
    assert explorer.picture.opinions.get_ylim() == (places[-1] + 0.5, -0.5)  # the scale stays
    assert "no closure" in [text.get_text() for text in explorer.picture.opinions.texts]


@pytest.mark.parametrize("rule", RULES)
def test_the_rule_in_use_is_framed(explorer, rule):
    explorer.controls["rule"].value = rule
    names, places = rows_of(explorer.model.fitted)
    (frame,) = explorer.picture.opinions.lines
    assert np.mean(frame.get_ydata()[:4]) == places[names.index(RULES[rule])]


def test_the_parameter_is_off_where_the_t_norm_has_none(explorer):
    fields = [explorer.controls[name] for name in ("t_norm_parameter", "t_norm_parameter_slider")]
    assert all(field.disabled for field in fields)
    explorer.controls["t_norm"].value = "yager"
    assert not any(field.disabled for field in fields)
    before = explorer.image.value
    explorer.controls["t_norm_parameter"].value = 5.0
    assert explorer.model.fitted.t_norm.parameter == 5.0
    assert explorer.image.value != before
    explorer.controls["t_norm_parameter"].value = 0.01  # less than Yager's family has
    assert "&#x27;yager&#x27;" in explorer.message.value and "got 0.01" in explorer.message.value


def test_of_many_base_partitions_the_first_are_shown(explorer):
    def written():
        return [text.get_text() for text in explorer.picture.bases.texts]

    assert "Base partitions" in written()
    explorer.model.n_estimators = SHOWN + 2
    numbers = [str(b + 1) for b in range(SHOWN)]
    assert written() == [*numbers, f"Base partitions, {SHOWN} of {SHOWN + 2}"]
    assert len(bars(explorer)[1]) == SHOWN + len(RULES) + 1


def test_read_outs_name_what_they_show(explorer):
    for name in ("ARI", "credal Rand", "stress", "nonspecificity", "outliers", "sweeps", "fit + drawing"):
        assert f">{name}</div>" in explorer.readouts.value
    assert "Map of 60 objects of two half-rings, draw 0 in 2 clusters" in explorer.readouts.value
    assert "the consensus of 8 partitions with 4 to 6 clusters" in explorer.readouts.value
    assert explorer.image.description in explorer.readouts.value


def test_uploaded_table_is_drawn(explorer):
    upload(explorer, "mine.csv", b"u,v\n0,0\n0,1\n1,0\n9,9\n9,8\n8,7\n2,1\n")
    assert explorer.controls["data"].value == explorer.model.data == "mine.csv"
    assert len(explorer.image.positions) == 7


def test_picture_has_its_size_and_every_object_in_it(explorer):
    with Image.open(io.BytesIO(explorer.image.value)) as image:
        assert image.size == (explorer.image.width, explorer.image.height)
    places = np.array(explorer.image.positions)
    assert (places > 0).all()
    assert (places < [explorer.image.width, explorer.image.height]).all()


def test_picture_draws_few_and_many_clusters_and_classes_unknown():
    model, picture = EnsembleModel("iris", focal_sets="pairs", **SMALL), EnsemblePicture()
    for c in (2, 3, 5):
        model.n_clusters = c
        assert picture.png(model.fitted)[:8] == PNG
    model.set_data(model.subject.attributes[::5])
    assert model.fitted.ari is None
    assert picture.png(model.fitted)[:8] == PNG

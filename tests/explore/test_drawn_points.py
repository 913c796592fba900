"""Data drawn by hand: points added, moved, deleted and painted on the map, each change undone."""

import numpy as np
import pytest

from credalbench.explore import explore_ecm, explore_evclus
from credalbench.explore.canvas.evidence_canvas import TOOLS
from credalbench.explore.drawing import DrawnPoints
from credalbench.explore.explorers.evclus import EVCLUSModel
from credalbench.explore.sources.tables import table_from_arrays, table_from_name


@pytest.fixture
def model():
    return EVCLUSModel("butterfly", n_clusters=2)


@pytest.fixture
def explorer():
    return explore_ecm("overlapping:40:60")


def drawn(explorer, tool, i, x, y):
    """What the browser reports while a tool is in hand."""
    explorer.drawing.controls["tool"].value = tool
    explorer.image._receive(None, {"event": "draw", "object": i, "x": x, "y": y}, [])


# ---------------------------------------------------------------- points


def test_a_new_point_has_the_class_of_the_nearest():
    points = DrawnPoints(np.array([[0.0, 0.0], [4.0, 0.0]]), np.array([0, 1]), ("a", "b"))
    assert points.added(3.5, 1.0).y.tolist() == [0, 1, 1]
    assert points.added(3.5, 1.0).X[2].tolist() == [3.5, 1.0]


def test_a_painted_class_is_never_beyond_the_first_new_one(model):
    model.drawing.paint(3, 5)
    assert model.subject.y[3] == 1 and model.subject.y.sum() == 1 and model.subject.class_names == ("1", "2")


def test_points_are_drawn_among_two_attributes_only():
    square = np.arange(9.0).reshape(3, 3)
    with pytest.raises(ValueError, match="cube has 3 attributes"):
        DrawnPoints.of(table_from_arrays("cube", X=square))
    with pytest.raises(ValueError, match="ring has dissimilarities"):
        DrawnPoints.of(table_from_arrays("ring", D=np.ones((4, 4)) - np.eye(4)))


# ---------------------------------------------------------------- the model


def test_every_change_is_fitted_and_taken_back(model):
    begun = model.subject.attributes.copy()
    model.drawing.add(1.0, 2.0)
    model.drawing.move(0, -6.0, 1.0)
    model.drawing.move(0, -7.0, 1.0)  # the same drag
    model.drawing.delete(1)
    assert model.data == "drawn" and model.fitted.partition.masses.shape[0] == len(begun)
    assert model.subject.attributes[0].tolist() == [-7.0, 1.0]
    model.drawing.undo()
    assert model.subject.n_objects == len(begun) + 1
    model.drawing.undo()
    np.testing.assert_array_equal(model.subject.attributes[:-1], begun)
    model.drawing.undo()
    assert model.data == "butterfly" and not model.drawing.can_undo and model.n_clusters == 2
    model.drawing.undo()
    assert model.is_error and "to undo" in model.message


def test_reset_goes_back_to_the_data_that_were_chosen(model):
    for k in range(3):
        model.drawing.add(k, k)
    model.drawing.reset()
    assert (model.data, model.subject.n_objects, model.drawing.can_undo) == ("butterfly", 12, False)


def test_other_data_begin_without_changes(model):
    model.drawing.add(0.0, 1.0)
    model.data = "rings"
    assert not model.drawing.can_undo


def test_drawn_data_are_part_of_the_state(model):
    model.drawing.paint(2, 1)
    model.drawing.add(0.1, 1 / 3)
    other = EVCLUSModel("butterfly")
    other.set_state(model.state())
    np.testing.assert_array_equal(other.subject.attributes, model.subject.attributes)
    np.testing.assert_array_equal(other.subject.y, model.subject.y)
    np.testing.assert_allclose(other.fitted.partition.masses, model.fitted.partition.masses, atol=0.02)


def test_scaled_data_are_not_drawn_on(model):
    model.standardize = True
    model.drawing.add(0.0, 0.0)
    assert model.is_error and "untick" in model.message and model.data == "butterfly"


def test_what_a_refused_fit_does_not_show_is_not_pointed_at(model):
    def refuse(changed):
        raise ValueError("too much of it")

    refit, model._refit = model._refit, refuse
    model.drawing.delete(3)
    model._refit = refit
    model.drawing.delete(3)
    assert model.is_error and "the picture does not show" in model.message.lower()
    assert model.subject.n_objects == 11 and model.fitted.subject.n_objects == 12
    model.drawing.undo()
    model.drawing.delete(3)
    assert not model.is_error and model.fitted.subject.n_objects == 11


def test_too_few_points_are_refused(model):
    for _ in range(10):
        model.drawing.delete(0)
    assert model.is_error and "3 to" in model.message and model.subject.n_objects == 3


# ---------------------------------------------------------------- controls and canvas


def test_tools_draw_on_the_map(explorer):
    n = explorer.model.subject.n_objects
    drawn(explorer, "add", None, 0.5, 5.0)
    assert explorer.model.subject.attributes[-1].tolist() == [0.5, 5.0]
    drawn(explorer, "move", 0, 1.5, 2.5)
    assert explorer.model.subject.attributes[0].tolist() == [1.5, 2.5]
    drawn(explorer, "delete", n, 0.0, 0.0)
    assert explorer.model.subject.n_objects == n
    explorer.drawing.controls["class"].value = 2
    drawn(explorer, "paint", 1, 0.0, 0.0)
    assert explorer.model.subject.y[1] == 2
    before = explorer.model.subject
    for tool in ("move", "delete", "paint"):  # beside all points
        drawn(explorer, tool, None, 0.0, 0.0)
    assert explorer.model.subject is before


def test_touching_draws_nothing(explorer):
    drawn(explorer, "touch", 3, 1.0, 1.0)
    assert explorer.model.data == "overlapping:40:60"


def test_buttons_show_while_there_is_something_to_take_back(explorer):
    assert explorer.drawing.changes.layout.display == "none"
    drawn(explorer, "add", None, 0.0, 0.0)
    assert explorer.drawing.changes.layout.display == ""
    explorer.drawing.controls["undo"].click()
    assert explorer.drawing.changes.layout.display == "none" and explorer.model.subject.n_objects == 40


def test_the_distance_of_two_groups_is_a_slider(explorer):
    slider = explorer.drawing.controls["distance"]
    assert slider.value == 6.0
    slider.value = 1.5
    assert explorer.model.data == "overlapping:40:15"
    means = [explorer.model.subject.attributes[explorer.model.subject.y == k].mean(axis=0) for k in (0, 1)]
    near = table_from_name("overlapping:40:60").attributes
    assert means[1][0] - means[0][0] < near[20:, 0].mean() - near[:20, 0].mean() - 4
    explorer.model.data = "rings"
    assert slider.layout.display == "none"


def test_tools_of_the_controls_are_those_of_the_canvas():
    drawing = explore_evclus("butterfly").drawing
    assert tuple(value for _, value in drawing.controls["tool"].options) == TOOLS

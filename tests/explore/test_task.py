"""An explorer with the few controls of a task: it shares model, controls and picture with the explorer."""

import pytest

from credalbench.explore import explore_ecm
from credalbench.explore.view.task import SHOWS, TASK


@pytest.fixture
def explorer():
    return explore_ecm("butterfly", n_clusters=2)


def widgets(box):
    """Return a box with all widgets in it."""
    inside = [one for child in getattr(box, "children", ()) for one in widgets(child)]
    return [box, *inside]


def text(task):
    return " ".join(str(getattr(one, "value", "")) for one in widgets(task.widget))


def test_a_task_shows_its_controls_and_panels_only(explorer):
    task = explorer.task("alpha", "delta", panels=["map", "trace"], read_outs=["outliers"])
    shown = widgets(task.widget)
    few = ("alpha", "delta", "delta_slider")
    assert {name for name, one in explorer.controls.items() if one in shown} == {*few, "stop"}
    assert explorer.image in shown and {TASK, SHOWS + "map", SHOWS + "trace"} <= {*task.widget._dom_classes}
    assert "outliers" in text(task) and "nonspecificity" not in text(task)


def test_its_read_outs_and_messages_follow_the_model(explorer):
    task = explorer.task("delta", read_outs=["outliers"])
    before = text(task)
    explorer.model.delta = 0.5
    assert explorer.model.fitted.n_outliers > 0 and text(task) != before
    explorer.model.report("Something is wrong.", error=True)
    assert "Something is wrong." in text(task)


def test_everything_can_be_shown_and_hidden_again(explorer):
    task = explorer.task("alpha")
    task.everything.value = True
    assert explorer.controls["n_clusters"] in widgets(task.widget) and TASK not in task.widget._dom_classes
    task.everything.value = False
    assert explorer.controls["n_clusters"] not in widgets(task.widget) and TASK in task.widget._dom_classes


def test_it_fades_with_the_explorer(explorer):
    task = explorer.task("alpha")
    explorer.widget.add_class("credalbench-out-of-date")
    assert "credalbench-out-of-date" in task.widget._dom_classes
    explorer.widget.remove_class("credalbench-out-of-date")
    assert "credalbench-out-of-date" not in task.widget._dom_classes


@pytest.mark.parametrize(
    ("controls", "shown", "message"),
    [
        (["gamma"], {}, "expected one of data, n_clusters, .*got 'gamma'"),
        (["alpha"], {"panels": ["maps"]}, "expected one of map, .*got 'maps'"),
        (["alpha"], {"read_outs": ["xi"]}, "got 'xi'"),
    ],
)
def test_unknown_names_are_rejected(explorer, controls, shown, message):
    with pytest.raises(ValueError, match=message):
        explorer.task(*controls, **shown)

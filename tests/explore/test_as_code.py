"""Copy as code: the program gives the partition that is shown, with the same cluster numbers."""

import asyncio
import time
from threading import Event

import numpy as np
import pytest
import traitlets as t

from credalbench.core.progress import check_cancelled
from credalbench.plots.overview import ShownFigure
from tests.explore.browser import on_a_page, until
from tests.explore.declared import NAMES, few_objects, model_class
from tests.explore.settings import SETTINGS

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
#: Moves of the controls of each explorer.
MOVES = 20
DRAWABLE = [Model for Model in map(model_class, NAMES) if Model.DRAWABLE]


@pytest.fixture
def model(Model, tmp_path):
    return Model(**few_objects(Model.STEM, tmp_path))


def random_value(Model, name, rng):
    """A value of a parameter from its declaration, or from the settings for tests."""
    declared, trait = Model.parameters()[name], getattr(Model, name)
    small = SETTINGS[Model.STEM].values
    values = small.get(name) or list(declared.choices or ()) or [True, False]
    if name not in small and not declared.choices and not isinstance(trait, t.Bool):
        low, high, _ = declared.slider or (0, 3, 1)
        place = rng.uniform(low, high)
        place = 10**place if declared.logarithmic else place
        return round(place) if isinstance(trait, t.Int) else round(float(place), 3) or 0.5
    return values[rng.integers(len(values))]


def moved(Model):
    return [name for name in Model.parameters() if name not in ("data", "start")]


def names_after(code, **given):
    """What a program computes, by the names that it has there."""
    names = dict(given)
    exec(compile(code, "copied", "exec"), names)
    return names


def computed(code, **given):
    """The partition that a program computes."""
    return names_after(code, **given)["partition"]


def assert_same(partition, shown):
    """The same masses on the same sets, whatever their order."""
    assert set(partition.focal_sets.sets) == set(shown.focal_sets.sets)
    order = [partition.focal_sets.sets.index(members) for members in shown.focal_sets.sets]
    # 1e-7: matrix products may be summed in another order, and iterations carry that on
    np.testing.assert_allclose(partition.masses[:, order], shown.masses, rtol=0, atol=1e-7)


def assert_same_as_shown(model):
    """Check that the program of what is shown computes all of it."""
    names = names_after(model.as_code())
    for ending, partition in model.partitions().items():
        assert_same(names[ending.removesuffix("-partition")], partition)


def test_code_of_random_settings_gives_the_partition_that_is_shown(Model, model):
    rng, n_tried = np.random.default_rng(1), 0
    for _ in range(4 * MOVES):
        chosen = rng.choice(moved(Model), 2, replace=False).tolist()
        with model.batch():
            for name in chosen:
                setattr(model, name, random_value(Model, name, rng))
        if model.is_error:  # the two refuse each other; the settings are those shown again
            continue
        assert_same_as_shown(model)
        n_tried += 1
        if n_tried == MOVES:
            return
    pytest.fail(f"only {n_tried} of {4 * MOVES} settings had a result")


def test_code_ends_with_a_picture_of_each_partition(model, monkeypatch):
    shown = []
    monkeypatch.setattr(ShownFigure, "show", lambda self: shown.append(self))
    names_after(model.as_code())
    assert len(shown) == len(model.partitions()) and all(figure.axes for figure in shown)


@pytest.mark.parametrize("Model", DRAWABLE, ids=lambda Model: Model.STEM)
def test_code_of_drawn_points_gives_the_partition_that_is_shown(Model, model):
    """Drawn again and again, the data go by the same name."""
    for change in (
        lambda: model.drawing.add(0.0, 0.0),
        lambda: model.drawing.add(1.0, 1.0),
        model.drawing.undo,
        lambda: model.drawing.add(2.0, -1.0),
        lambda: model.drawing.move(0, 1.0, 2.0),
        lambda: model.drawing.move(0, 1.0, 2.5),
        lambda: model.drawing.delete(3),
    ):
        change()
        assert not model.is_error, model.message
        assert model.fitted.subject is model.subject
        assert_same_as_shown(model)


@on_a_page
async def test_code_of_the_time_while_a_fit_goes_on_gives_what_is_shown(Model, model, monkeypatch):
    """Even where that fit went on from the last masses, and was to be shown."""
    monkeypatch.setattr("credalbench.explore.model.MOMENT_MS", 5)
    monkeypatch.setattr("credalbench.explore.model.LIVE_UP_TO_MS", 5)
    let, describe, model.page = Event(), model._describe, asyncio.get_running_loop

    def wait_then_describe(run, iteration):
        while not let.is_set():
            check_cancelled()
            time.sleep(1e-3)
        return describe(run, iteration)

    model._describe = wait_then_describe
    warm = [name for name, declared in Model.parameters().items() if declared.warm]
    if warm:
        setattr(model, warm[0], getattr(model, warm[0]) / 2)
    else:
        model.n_clusters = 3 if model.n_clusters == 2 else 2
    assert model.busy
    model.repeatable = True  # as the button Code has it
    let.set()
    await until(lambda: not model.busy)
    assert_same_as_shown(model)

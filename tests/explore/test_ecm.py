"""The ECM explorer: iterations of a run, moved prototypes, starts."""

from itertools import pairwise

import numpy as np
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster import ECM
from credalbench.cluster.prototypes.mass_update import focal_costs, objective
from credalbench.cluster.prototypes.prototype_step import squared_distances
from credalbench.explore import explore_ecm
from credalbench.explore.explorers.ecm import LAST, ECMModel, ecm_scene
from tests.explore.browser import press, send, shown


@pytest.fixture
def model():
    return ECMModel("two_class:40:2", n_clusters=3)


@pytest.fixture(params=["euclidean", "mahalanobis"])
def rewound(model, request):
    """A model before the first iteration from another start."""
    model.metric = request.param
    model.restart()
    return model


def test_steps_are_those_of_one_fit(rewound):
    """Trace, prototypes and masses of each step, against ECM alone with that many iterations."""
    model = rewound
    X, start = model.subject.attributes, np.array(model.start)
    options = {
        "beta": 2.0,
        "delta": model.delta,
        "metric": model.metric,
        "focal_sets": "pairs",
        "init": start,
    }
    whole = ECM(3, **options).fit(X)
    assert model.fitted.n_iter == whole.n_iter_ > 3
    for k in range(1, whole.n_iter_ + 1):
        model.step()
        alone = ECM(3, max_iter=k, **options).fit(X)
        assert model.fitted.iteration == k
        assert model.fitted.objective == alone.objective_ == whole.objective_trace_[k]
        np.testing.assert_array_equal(model.fitted.prototypes, alone.cluster_centers_)
        np.testing.assert_array_equal(model.fitted.partition.masses, alone.partition_.masses)
    assert model.fitted.ended and model.fitted.converged
    np.testing.assert_array_equal(model.fitted.partition.masses, whole.partition_.masses)


def test_before_the_first_iteration_masses_are_those_of_the_start(rewound):
    model = rewound
    fitted, focal_sets = model.fitted, FocalSets.pairs(3)
    assert fitted.iteration == 0
    np.testing.assert_array_equal(fitted.prototypes, np.array(model.start))
    distances = squared_distances(
        model.subject.attributes, fitted.prototypes, focal_sets
    )  # norms are identities
    costs = focal_costs(distances, focal_sets, model.alpha, model.delta)
    values = objective(fitted.partition.masses, costs, model.beta) / fitted.partition.masses.size
    assert values == pytest.approx(fitted.objective, rel=1e-12)  # summed in another order


def test_law_the_reported_objective_never_rises(rewound):
    model = rewound
    values = [model.fitted.objective]
    while not model.fitted.ended:
        model.step()
        values.append(model.fitted.objective)
    assert len(values) == model.fitted.n_iter + 1
    assert (np.diff(values) <= 1e-12 * values[0]).all()  # rounding


def test_a_moved_prototype_waits_where_it_was_put_and_the_others_stay(model):
    model.restart()
    model.step()
    others = model.fitted.prototypes[1:]
    model.move(0, (3.0, -1.0))
    assert (model.fitted.iteration, model.is_error) == (0, False)
    np.testing.assert_allclose(model.fitted.prototypes[0], (3.0, -1.0), rtol=1e-12)  # two attributes: the map
    np.testing.assert_array_equal(model.fitted.prototypes[1:], others)
    assert not model.fitted.ended


def test_a_prototype_moves_on_the_map_of_many_attributes_only():
    model = ECMModel("iris")
    before = model.fitted.prototypes[1]
    place = model.subject.on_the_map(before[None])[0] + (0.5, -0.25)
    model.move(1, place)
    shift = model.fitted.prototypes[1] - before
    np.testing.assert_allclose(model.subject.on_the_map(model.fitted.prototypes)[1], place)
    assert np.linalg.norm(shift) == pytest.approx(np.hypot(0.5, 0.25))  # nothing off the two components


def test_clusters_keep_their_prototypes_whatever_is_dragged(model):
    """Prototype 1 is put on the place of prototype 2: they change roles, not numbers."""
    first, second, _ = model.subject.on_the_map(model.fitted.prototypes)
    model.move(0, second)
    model.move(1, first)
    model.finish()
    ends = model.subject.on_the_map(model.fitted.prototypes)
    np.testing.assert_allclose(ends[:2], [second, first], atol=0.05)  # both rest where the other did


def test_who_looks_at_the_end_goes_on_looking_at_the_end(model, count):
    model.alpha = 2.0
    assert model.fitted.ended
    model.iteration = 2
    model.beta = 1.5
    assert (model.fitted.iteration, model.fitted.ended) == (2, False)
    model.iteration = model.fitted.n_iter
    model.beta = 3.0
    assert model.fitted.ended
    assert model.iteration == LAST
    assert len(count) == 5


def test_other_parameters_keep_the_start_and_other_clusters_draw_one(model):
    start = model.start
    for name, value in (("alpha", 2.0), ("beta", 1.5), ("delta", 4.0), ("metric", "mahalanobis")):
        setattr(model, name, value)
        assert model.start == start
    model.n_clusters = 4
    assert len(model.start) == 4
    model.restart()
    again = model.start
    assert (model.fitted.iteration, model.seed) == (0, 1)
    model.restart()
    assert model.start != again
    assert model.fitted.iteration == 0


def test_nothing_moves_where_there_are_no_data():
    model = ECMModel("no such set")
    for action in (model.step, model.restart, model.finish, lambda: model.move(0, (0, 0))):
        action()
        assert model.is_error
    assert model.fitted is None


def test_delta_follows_the_data(model):
    assert model.delta == 10.0
    model.data = "iris"
    assert (model.n_clusters, model.delta) == (3, 31.6)
    model.standardize = True
    assert model.delta == pytest.approx(1.1 * model.subject.D.max(), rel=5e-3)  # three digits


# -- the view -------------------------------------------------------------------------------------------


@pytest.fixture
def explorer():
    return explore_ecm("two_class:40:2")


def drag(explorer, k, x, y):
    """What the kernel does when the browser reports a drag of handle `k`."""
    send(explorer.image, event="drag", handle=k, x=x, y=y)


def handles(explorer):
    """Where the browser has the handles, (c, 2)."""
    return np.frombuffer(explorer.image.scene["handles"]["positions"]["data"]).reshape(-1, 2)


def test_a_dragged_prototype_is_where_it_was_dropped(explorer):
    before = shown(explorer)
    drag(explorer, 1, 2.5, 1.5)
    assert explorer.model.fitted.iteration == 0
    assert explorer.model.fitted.prototypes[1] == pytest.approx([2.5, 1.5], rel=1e-12)  # rounding
    assert handles(explorer)[1] == pytest.approx([2.5, 1.5], rel=1e-12)  # rounding
    assert shown(explorer) != before


def test_numbers_do_what_dragging_does(explorer):
    controls = explorer.controls
    controls["prototype"].value = 1
    place = explorer.model.fitted.prototypes[1]
    assert [controls[name].value for name in ("place_x", "place_y")] == pytest.approx(place, rel=1e-3)
    controls["place_x"].value = 2.5
    assert explorer.model.fitted.prototypes[1, 0] == pytest.approx(2.5, rel=1e-12)  # rounding
    assert explorer.model.fitted.prototypes[1, 1] == pytest.approx(place[1], rel=1e-12)  # rounding
    controls["prototype"].value = 0
    assert controls["place_x"].value == pytest.approx(explorer.model.fitted.prototypes[0, 0], rel=1e-3)


def test_a_new_start_waits_before_its_first_iteration(explorer):
    for draw in (explorer.controls["restart"].click, lambda: press(explorer, "n")):
        start = explorer.model.start
        draw()
        assert explorer.model.fitted.iteration == 0
        assert explorer.model.start != start


def test_the_scene_shows_objects_prototypes_and_the_iteration(explorer):
    drag(explorer, 0, 1.0, 1.0)
    for _ in range(2):
        explorer.controls["step"].click()
    fitted, scene = explorer.model.fitted, ecm_scene(explorer.model.fitted)
    assert [panel.name for panel in scene.panels] == ["map", "classes", "cardinalities", "trace"]
    objects, *_ = scene.panels[0].marks
    assert objects.objects.tolist() == list(range(40))
    assert scene.handles.positions == pytest.approx(fitted.prototypes, rel=1e-12)  # rounding
    *_, dot = scene.panels[3].marks
    assert dot.positions.tolist() == [[2.0, fitted.objective]]
    (bars,) = scene.panels[2].marks
    assert bars.boxes[:, 3].sum() == pytest.approx(1, rel=1e-12)  # all mass


@pytest.mark.parametrize("c", [2, 4, 6])
def test_of_very_many_sets_the_legend_lists_some(c):
    model = ECMModel("two_class:40:2", focal_sets="full", n_clusters=c)
    scene = ecm_scene(model.fitted)
    sets = [entry.label for entry in scene.legend[:-3]]
    used = np.unique(model.fitted.partition.hard_credal())
    assert len(sets) == min(len(used), 13)
    assert (sets[-1] == "…") == (len(used) > 12)


# -- the introduction ------------------------------------------------------------------------------------


def check_parameters():
    model = ECMModel("t4:400")

    def of_sets():
        partition = model.fitted.partition
        return partition.masses[:, partition.focal_sets.cardinality > 1].sum()

    shares = [of_sets()]
    for model.alpha in (2.0, 4.0):
        shares.append(of_sets())
    assert all(after < before for before, after in pairwise(shares))
    model.alpha = 1.0
    model.beta = 1.1
    assert model.fitted.partition.masses.max(axis=1).mean() > 0.95
    model.beta = 2.0
    before = model.fitted.n_outliers
    model.delta = 2.0
    assert model.fitted.n_outliers > before


#: The sentences of the introduction, by their beginning, with what checks them.
INTRODUCTION = {"Raise α": check_parameters}

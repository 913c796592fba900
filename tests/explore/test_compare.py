"""The comparing explorer: its runs, where they differ, and what only one side tells apart."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.utils import check_random_state

from credalbench.baselines import FuzzyCMeans
from credalbench.belief import CredalPartition, FocalSets, match_clusters, renumber_clusters
from credalbench.cluster import BPEC, ECM, EGMM, EVCLUS, NNEVCLUS, ECMdd
from credalbench.cluster.prototypes.prototype_step import prototype_starts
from credalbench.explore import explore_compare
from credalbench.explore.explorers.compare import N_STARTS, CompareModel
from credalbench.explore.explorers.compare.methods import (
    KINDS,
    MAX_ITER,
    MAXIMISED,
    METHODS,
    differences_of,
    disagreement,
    kinds_of,
)
from credalbench.explore.explorers.compare.scene import compare_scene, comparison_text
from credalbench.explore.scene.marks import Points
from tests.explore.browser import upload
from tests.explore.declared import definition

#: Two groups of four, with an object between them and one far from both.
POINTS = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 0], [8, 1], [9, 0], [9, 1], [4.5, 0.5], [4.5, 30]]
BETWEEN, FAR = 8, 9


@pytest.fixture
def model():
    return CompareModel("two_class:40:2")


def alone(model, name):
    """The partition of a method of the right side, fitted by itself from the start of the model."""
    X, c, far = model.subject.attributes, model.n_clusters, model.subject.distance_at(model.right_far)
    (start,) = prototype_starts(X, c, "k-means++", 1, check_random_state(model.seed * N_STARTS))
    sets = {"focal_sets": "pairs"}
    if name == "k_means":
        return CredalPartition.from_labels(KMeans(c, init=start, n_init=1).fit(X).labels_)
    if name == "fuzzy_c_means":
        return CredalPartition.from_fuzzy(FuzzyCMeans(c, init=start).fit(X).membership_)
    if name == "evclus":
        fit = EVCLUS(
            c, d0=far, metric="precomputed", init="random", random_state=model.seed * N_STARTS, **sets
        )
        return fit.fit(model.subject.D).partition_
    if name == "ecmdd":
        near = [int(((X - point) ** 2).sum(axis=1).argmin()) for point in start]
        return ECMdd(c, delta=far**0.5, init=near, **sets).fit(X).partition_
    if name == "bpec":
        return BPEC(c, delta=far, **sets).fit(X).partition_
    if name == "nnevclus":
        quantile, seed = model.right_far, model.seed * N_STARTS
        return (
            NNEVCLUS(c, d0_quantile=quantile, random_state=seed, max_iter=MAX_ITER, **sets).fit(X).partition_
        )
    estimator = (
        ECM(c, beta=2.0, delta=far, init=start, **sets)
        if name == "ecm"
        else EGMM(c, noise=False, init=start, **sets)
    )
    return estimator.fit(X).partition_


# -- runs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
def test_a_side_is_what_its_method_finds_alone(model, name):
    model.right_method = name
    assert not model.is_error
    found, shown = alone(model, name), model.fitted.right.own_partition
    found = renumber_clusters(found, match_clusters(found, [shown]))
    np.testing.assert_allclose(
        found.masses, shown.masses, atol=1e-12
    )  # k-means has none; others are the same


def test_both_sides_have_the_same_numbers_of_clusters():
    model = CompareModel("iris")
    for seed in range(2):
        model.seed = seed
        left, right = (side.partition.labels() for side in (model.fitted.left, model.fitted.right))
        assert (left == right).mean() > 0.8  # numbered otherwise, two thirds agree at most
    assert model.fitted.left.partition.focal_sets == model.fitted.right.partition.focal_sets


def test_prototypes_have_the_numbers_of_their_clusters(model):
    for side in (model.fitted.left, model.fitted.right):
        X = model.subject.attributes
        nearest = ((X[:, None] - side.prototypes) ** 2).sum(axis=2).argmin(axis=1)
        sure = side.partition.contour.max(axis=1) > 0.9
        assert (nearest == side.partition.labels())[sure].all()


def test_a_move_on_one_side_does_not_repeat_the_other(model):
    left, right = model.fitted.left.run, model.fitted.right.run
    model.right_exponent = 1.5
    assert model.fitted.left.run is left and model.fitted.right.run is not right
    model.right_exponent = 2.0
    assert model.fitted.right.run is right


def test_what_is_far_begins_anew_with_data_and_method_unless_it_is_set(model):
    assert (model.n_clusters, model.right_far) == (2, 0.5)
    model.right_far = 0.7
    model.n_clusters = 3
    assert model.right_far == 0.7
    model.right_method = "evclus"
    assert model.right_far == 0.9
    assert CompareModel("two_class:40:2", right_method="evclus", right_far=0.4).right_far == 0.4


def test_focal_sets_of_a_method_without_them_are_not_counted(model):
    with model.batch():
        model.right_method, model.right_focal_sets, model.n_clusters = "k_means", "full", 7
    assert not model.is_error


def test_both_partitions_are_saved(model, tmp_path):
    left, right, state = model.export(tmp_path)
    assert CredalPartition.load(left) == model.fitted.left.own_partition
    assert CredalPartition.load(right) == model.fitted.right.own_partition
    assert state.suffix == ".json"


# -- starts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["k_means", "egmm"])
def test_the_worst_and_the_best_of_the_starts_stand_side_by_side(name):
    model = CompareModel("iris", left_method=name, comparing="starts")
    ends = [trace[-1] for trace in model.fitted.traces]
    worst, best = model.fitted.left, model.fitted.right
    assert len(ends) == N_STARTS
    extremes = (min(ends), max(ends)) if name in MAXIMISED else (max(ends), min(ends))
    assert (worst.run.objective, best.run.objective) == extremes
    assert "is trapped at" in comparison_text(model.fitted)
    again, number = worst.run, best.number
    assert model.seed * N_STARTS <= number < (model.seed + 1) * N_STARTS
    model.right_method = "evclus"  # which is not asked for
    assert model.fitted.left.run is again


def test_starts_that_end_alike_are_not_called_trapped():
    model = CompareModel("t4:200", left_method="fuzzy_c_means", comparing="starts")
    assert "reach the same" in comparison_text(model.fitted)


# -- differences -----------------------------------------------------------------------------------------


def test_each_kind_of_difference():
    focal_sets = FocalSets.pairs(3)
    sets = [((0,), (0,)), ((0,), (0, 1)), ((0, 1), (0,)), ((0,), ()), ((), ()), ((0,), (1,)), ((0, 1), (2,))]
    left, right = (
        CredalPartition(np.eye(len(focal_sets))[[focal_sets.index(pair[k]) for pair in sets]], focal_sets)
        for k in (0, 1)
    )
    text = [KINDS[k] for k in kinds_of(left, right)]
    assert text == ["same", "precision", "precision", "outlier", "same", "cluster", "cluster"]
    differences = differences_of(left, right)
    assert differences.counts.tolist() == [2, 2, 1, 2] and not differences.identical


def test_ambiguity_and_ignorance_are_alike_to_memberships_and_distinguished_by_masses():
    """Of halves and halves one is between the clusters, the other far from both."""
    fuzzy = CredalPartition.from_fuzzy([[1, 0], [0.5, 0.5], [0.52, 0.48], [0, 1]])
    focal_sets = FocalSets.full(2)  # ∅, {1}, {2}, Ω
    masses = [[0, 1, 0, 0], [0.1, 0, 0, 0.9], [0.8, 0.1, 0, 0.1], [0, 0, 1, 0]]
    credal = CredalPartition(masses, focal_sets)
    pair = disagreement(fuzzy, credal)
    assert (pair.first, pair.second) == (1, 2)
    assert disagreement(credal, fuzzy) is None
    assert disagreement(credal, credal) is None


def test_the_objects_between_and_far_are_those_that_ecm_distinguishes():
    start = {"init": np.array([[0.5, 0.5], [8.5, 0.5]])}
    fuzzy = CredalPartition.from_fuzzy(FuzzyCMeans(2, **start).fit(POINTS).membership_)
    credal = ECM(2, beta=2.0, delta=6.0, **start).fit(POINTS).partition_
    assert np.abs(fuzzy.masses[BETWEEN] - fuzzy.masses[FAR]).max() < 0.1
    pair = disagreement(fuzzy, credal)
    assert {pair.first, pair.second} == {BETWEEN, FAR}


def test_the_sentence_names_what_only_masses_can():
    fitted = CompareModel("t4:200").fitted
    pair, sets = fitted.differences.separated_by_right, fitted.right.partition
    assert sets.outliers()[[pair.first, pair.second]].sum() == 1
    words = comparison_text(fitted)
    assert f"object {pair.second + 1} are alike for fuzzy c-means" in words and "ECM separates them" in words
    for i in (pair.first, pair.second):
        assert f"object {i + 1} ({sets.explain(i).reason})" in words
    assert "Memberships cannot express that" in words
    with_labels = CompareModel("t4:200", left_method="k_means").fitted
    assert "A label cannot express that" in comparison_text(with_labels)


def test_the_same_on_both_sides_is_reported(model):
    model.right_method = "fuzzy_c_means"
    assert model.fitted.differences.identical
    assert "the same fit" in comparison_text(model.fitted)
    model.right_exponent = 1.2
    assert "fuzzy c-means on the left" in comparison_text(model.fitted)


def test_a_common_focal_sets_hold_the_sets_of_both_in_their_order():
    one = CredalPartition.from_fuzzy([[0.5, 0.5, 0.0]])
    other = CredalPartition([[0, 0.5, 0.5]], FocalSets.from_sets(3, [[], [0, 2], [0, 1, 2]]))
    assert one.focal_sets.union(other.focal_sets).labels == ["∅", "{1}", "{2}", "{3}", "{1,3}", "Ω"]


# -- the view -------------------------------------------------------------------------------------------


@pytest.fixture
def explorer():
    return explore_compare("two_class:40:2")


def panels(explorer):
    return {panel.name: panel for panel in compare_scene(explorer.model.fitted).panels}


def test_two_maps_the_classes_and_how_both_differ(explorer):
    shown, fitted = panels(explorer), explorer.model.fitted
    assert list(shown) == ["left", "right", "classes", "cardinalities", "kinds"]
    assert (shown["left"].title, shown["right"].title) == ("Left: fuzzy c-means", "Right: ECM")
    left, right = (explorer.image.scene[side] for side in ("evidence", "second"))
    assert (left["title"], right["title"]) == ("left: fuzzy c-means", "right: ECM")
    assert left["sets"] == right["sets"] == list(fitted.right.partition.focal_sets.labels)
    for name in ("left", "right"):
        objects, marked = shown[name].marks
        assert objects.objects.tolist() == list(range(40))
        assert len(marked.positions) == fitted.differences.counts[1:].sum() > 0
        assert marked.objects is None  # the objects below are touched
    (bars,) = shown["cardinalities"].marks
    heights = bars.boxes[:, 3].reshape(2, -1)
    assert heights.sum(axis=1) == pytest.approx(1, rel=1e-12)  # all mass of each side
    assert heights[0].tolist() == pytest.approx([0, 1, 0])  # memberships are on single clusters
    (bars,) = shown["kinds"].marks
    assert bars.boxes[:, 3].tolist() == fitted.differences.counts.tolist()


def test_a_set_looks_the_same_on_both_maps():
    explorer = explore_compare("two_class:40:2", left_method="ecm", left_focal_sets="simple", n_clusters=3)
    labels = [entry.label for entry in compare_scene(explorer.model.fitted).legend]
    assert len(labels) == len(set(labels))


def test_starts_show_prototypes_and_the_objectives_of_all(explorer):
    explorer.controls["left_method"].value = "ecm"
    explorer.controls["comparing"].value = "starts"
    shown, fitted = panels(explorer), explorer.model.fitted
    assert list(shown) == ["left", "right", "classes", "trace"]
    assert shown["left"].title == "Left: ECM, worst start"
    curves = shown["trace"].marks
    assert len(curves) == len(fitted.traces) + 4
    assert curves[-1].path[:, 1].tolist() == fitted.right.run.objective_trace.tolist()
    places = [mark.positions for mark in shown["right"].marks if isinstance(mark, Points)]
    prototypes = fitted.right.prototypes  # of two attributes the map is they themselves
    assert any(at.shape == prototypes.shape and np.allclose(at, prototypes) for at in places)
    explorer.controls["left_method"].value = "evclus"  # without prototypes
    assert len(panels(explorer)["right"].marks) == 1


def test_settings_that_a_method_does_not_have_are_disabled(explorer):
    def enabled(side):
        names = ("exponent", "focal_sets", "far")
        return [name for name in names if not explorer.controls[f"{side}_{name}"].disabled]

    assert (enabled("left"), enabled("right")) == (["exponent"], ["exponent", "focal_sets", "far"])
    explorer.controls["left_method"].value = "k_means"
    explorer.controls["right_method"].value = "evclus"
    assert (enabled("left"), enabled("right")) == ([], ["focal_sets", "far"])
    explorer.controls["comparing"].value = "starts"
    assert enabled("right") == [] and explorer.controls["right_method"].disabled


def test_the_objects_of_the_sentence_are_ringed_and_named(explorer):
    pair = explorer.model.fitted.differences.separated_by_right
    assert explorer.image.chosen == [pair.first, pair.second]
    assert not explorer.image.joined
    for i in explorer.image.chosen:
        assert f"object {i + 1} (" in explorer.texts["above"].value
    assert "separates them" in explorer.image.description
    explorer.controls["comparing"].value = "starts"
    assert explorer.image.chosen == []


def test_names_of_own_objects_are_text_and_no_markup(explorer):
    rows = [
        f"<b>{k}</b>,{x},{y}" for k, (x, y) in enumerate([(0, 0), (0, 1), (1, 0), (9, 9), (9, 8), (4, 5)])
    ]
    upload(explorer, "mine.csv", "\n".join(["name,u,v", *rows]).encode())
    assert not explorer.model.is_error
    assert "<b>" not in explorer.texts["above"].value


# -- the introduction ------------------------------------------------------------------------------------


def check_pair_between_clusters():
    model = CompareModel("t4:200")
    fuzzy, ecm = model.fitted.left.partition, model.fitted.right.partition
    pair = model.fitted.differences.separated_by_right
    two = np.sort(fuzzy.pignistic[[pair.first, pair.second]], axis=1)[:, -2:]
    assert two.min() > 0.35 and np.ptp(two, axis=1).max() < 0.1
    chosen = [ecm.focal_sets.sets[j] for j in ecm.hard_credal()[[pair.first, pair.second]]]
    assert sorted(map(len, chosen)) == [0, 2]


def check_starts():
    model = CompareModel("t4:200", comparing="starts")
    assert len(model.fitted.traces) == 12
    ends = [trace[-1] for trace in model.fitted.traces]
    assert model.fitted.left.run.objective == max(ends) > min(ends)


#: The sentences of the introduction, by their beginning, with what checks them.
INTRODUCTION = {
    "Compare two methods": definition,
    "Fuzzy memberships of an object": check_pair_between_clusters,
    "ECM has masses": check_pair_between_clusters,
    "Choose k-means": definition,
    "*Compare* → *worst": check_starts,
}

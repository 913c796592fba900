"""The comparing explorer's widgets without a browser."""

import numpy as np
import pytest

from credalbench.explore import explore_compare
from credalbench.explore.explorers.compare.scene import compare_scene
from credalbench.explore.scene.marks import Points
from tests.explore.browser import upload


@pytest.fixture
def explorer():
    return explore_compare("two_class:40:2")


def panels(explorer):
    return {panel.name: panel for panel in compare_scene(explorer.model.fitted).panels}


def test_two_maps_the_classes_and_how_both_differ(explorer):
    shown, fitted = panels(explorer), explorer.model.fitted
    assert list(shown) == ["left", "right", "classes", "cardinalities", "kinds"]
    assert (shown["left"].title, shown["right"].title) == ("Left: fuzzy c-means", "Right: ECM")
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


def test_the_evidence_of_both_sides_is_described_the_same_sets(explorer):
    scene, fitted = explorer.image.scene, explorer.model.fitted
    assert scene["evidence"]["title"] == "left: fuzzy c-means"
    assert scene["second"]["title"] == "right: ECM"
    assert (
        scene["evidence"]["sets"] == scene["second"]["sets"] == list(fitted.right.partition.focal_sets.labels)
    )


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
        assert f"object {i} (" in explorer.comparison_text.value
    assert "separates them" in explorer.image.description
    explorer.controls["comparing"].value = "starts"
    assert explorer.image.chosen == []


def test_names_of_own_objects_are_text_and_no_markup(explorer):
    rows = [
        f"<b>{k}</b>,{x},{y}" for k, (x, y) in enumerate([(0, 0), (0, 1), (1, 0), (9, 9), (9, 8), (4, 5)])
    ]
    upload(explorer, "mine.csv", "\n".join(["name,u,v", *rows]).encode())
    assert not explorer.model.is_error
    assert "<b>" not in explorer.comparison_text.value

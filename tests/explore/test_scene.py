"""Scenes as numbers: packed and unpacked, the evidence in words, maps with their signs."""

import base64
import json

import numpy as np
import pytest
from matplotlib.colors import to_hex

from credalbench.belief import CredalPartition, FocalSets
from credalbench.explore import ECMModel
from credalbench.explore.scene.credal_map import (
    BARYCENTRE,
    DOTTED,
    approximations,
    axes_around,
    object_points,
    prototype_marks,
    set_entries,
    set_look,
    small_map,
    true_classes,
)
from credalbench.explore.scene.marks import Line, Look, Points, Polygon, Text
from credalbench.explore.scene.scene import as_json, evidence_of, packed, trace_panel
from credalbench.plots.hulls import outlines
from credalbench.plots.style import colour


@pytest.fixture
def partition(rng):
    """Thirty objects on all sets of three clusters, some of them outliers."""
    return CredalPartition(rng.dirichlet(np.full(8, 0.3), 30), FocalSets.full(3))


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def in_words(evidence, i):
    """The sentence of an object, put together as the browser does it."""
    sentence = evidence.templates[evidence.which[i]]
    for number in evidence.numbers[i]:
        sentence = sentence.replace("%.2f", f"{number:.2f}", 1)
    return sentence


@pytest.mark.parametrize("c", [1, 2, 3, 5, 40])
def test_the_browser_explains_as_explain_does(rng, c):
    focal_sets = FocalSets.full(c) if c < 6 else FocalSets.simple(c)
    partition = CredalPartition(rng.dirichlet(np.full(len(focal_sets), 0.2), 60), focal_sets)
    evidence = evidence_of(partition)
    for i in range(60):
        assert in_words(evidence, i) == partition.explain(i).reason


def test_evidence_is_small_and_complete(partition):
    evidence = evidence_of(partition)
    assert evidence.masses.dtype == np.float32
    np.testing.assert_allclose(evidence.masses, partition.masses, rtol=1e-7)  # single precision
    assert list(evidence.sets) == partition.focal_sets.labels
    np.testing.assert_array_equal(evidence.membership, partition.focal_sets.membership)
    assert evidence.colours[1] == colour(0).lower()


def test_a_packed_array_is_type_shape_and_bytes():
    values = np.arange(6.0).reshape(3, 2)
    assert packed(values.T) == {"type": "float64", "shape": [2, 3], "data": values.T.tobytes()}
    assert packed((np.float64(0.5), [np.int32(2), "a", None])) == [0.5, [2, "a", None]]
    assert packed(np.arange(2))["type"] == "int32"  # browsers have no array of int64
    assert packed(np.array([True]))["type"] == "uint8"


def test_a_dataclass_is_its_fields_and_its_kind():
    look = packed(Look("circle", 5.0, "#ff0000"))
    assert (look["kind"], look["shape"], look["size"]) == ("look", "circle", 5.0)


def test_json_holds_the_same_and_ends_no_script():
    text = as_json({"name": "</script>", "values": np.arange(3, dtype=np.uint8)})
    assert "</script>" not in text
    read = json.loads(text)
    assert read["name"] == "</script>"
    assert base64.b64decode(read["values"]["data"]) == b"\0\1\2"


def test_objects_look_as_the_set_of_their_largest_mass(rng, partition):
    points = object_points(rng.normal(size=(30, 2)), partition)
    chosen = partition.hard_credal()
    for i, j in enumerate(chosen):
        look, members = points.looks[points.look_of[i]], partition.focal_sets.sets[j]
        if not members:
            assert (look.shape, look.fill) == ("circle", "none")
        elif len(members) == 1:
            assert look.fill == colour(*members).lower()
        else:
            assert look.edge == "#222222"
    labels = [entry.label for entry in set_entries(partition)]
    assert labels[0] == "∅ (outlier)"
    assert len(labels) == len(np.unique(chosen))


def test_on_a_small_map_objects_have_no_edges_but_rings_are_seen(rng, partition):
    X, words = rng.normal(size=(30, 2)), Text("1", (0.0, 0.9))
    panel = small_map("base", (0, 0, 1, 1), X, partition, marks=[words])
    small, large = panel.marks[0], object_points(X, partition)
    assert panel.equal and panel.x.scale == panel.y.scale == "none" and panel.marks[1] is words
    np.testing.assert_array_equal(small.look_of, large.look_of)
    for one, other in zip(small.looks, large.looks):
        assert (one.shape, one.fill) == (other.shape, other.fill) and one.size < other.size
        assert (one.edge == "none") == (one.fill != "none")


def test_lines_go_around_the_approximations(rng, partition):
    X = rng.normal(size=(30, 2))
    polygons = [mark for mark in approximations(X, partition) if isinstance(mark, Polygon)]
    lines = [mark for mark in approximations(X, partition, upper=DOTTED) if isinstance(mark, Line)]
    assert len(polygons) == 3 and len(lines) == 6
    for k, (polygon, outer) in enumerate(zip(polygons, lines[::2])):
        assert polygon.fill == outer.stroke.colour == colour(k)
        assert outer.stroke.dash == DOTTED
        lower, upper = partition.lower_approximation()[:, k], partition.upper_approximation()[:, k]
        np.testing.assert_array_equal(polygon.path, outlines(X, lower[:, None])[0])
        np.testing.assert_array_equal(outer.path, outlines(X, (upper & ~partition.outliers())[:, None])[0])


def test_prototypes_have_numbers_barycentres_and_a_way(rng):
    V = rng.normal(size=(3, 2))
    marks = prototype_marks(V, FocalSets.pairs(3), V - 1)
    assert [mark.words for mark in marks if isinstance(mark, Text)] == ["1", "2", "3"]
    way = marks[0].path.reshape(3, 3, 2)
    np.testing.assert_array_equal(way[:, 0], V - 1)
    np.testing.assert_array_equal(way[:, 1], V)
    assert np.isnan(way[:, 2]).all()
    centres = next(mark for mark in marks if isinstance(mark, Points) and len(mark.positions) == 4)
    pairs = [(0, 1), (0, 2), (1, 2), (0, 1, 2)]
    assert centres.positions == pytest.approx(np.array([V[list(pair)].mean(axis=0) for pair in pairs]))


def test_axes_have_room_around_all_positions():
    x, y = axes_around(np.array([[0.0, 5.0], [10.0, 5.0]]), ("a", "b"))
    assert (x.low, x.high, x.label) == (-0.5, 10.5, "a")
    assert (y.low, y.high) == (4.5, 5.5)
    x, _ = axes_around(np.ones((3, 2)))
    assert x.low < 1 < x.high


def test_a_trace_ends_with_a_dot_or_has_it_at_the_iteration():
    values = np.array([5.0, 3.0, 2.0, 1.9])
    for iteration, place in ((None, [3.0, 1.9]), (1, [1.0, 3.0]), (0, [0.0, 5.0])):
        whole, done, dot = trace_panel((0, 0, 1, 1), values, "J", iteration).marks
        assert len(whole.path) == 4
        assert done.path[-1].tolist() == place
        assert dot.positions.tolist() == [place]


@pytest.mark.parametrize(("n_clusters", "swapped"), [(4, (1, 0, 3, 2)), (3, (2, 0, 1)), (5, (4, 3, 2, 1, 0))])
def test_true_classes_have_the_colours_of_the_clusters_that_hold_them(n_clusters, swapped):
    model = ECMModel("t4:200", n_clusters=n_clusters)
    start = model.fitted.prototypes[list(swapped)]  # as if they were dragged
    model.set_parameters({"start": tuple(map(tuple, start.tolist())), "iteration": 1000})
    fitted, y = model.fitted, model.subject.y
    (panel,) = true_classes(model.subject, (0.0, 0.0, 1.0, 1.0), fitted.partition)
    points, labels = panel.marks[0], fitted.partition.labels()
    fill = {k: points.looks[points.look_of[np.flatnonzero(y == k)[0]]].fill for k in range(4)}
    clusters = [np.bincount(labels[y == k]).argmax() for k in range(4)]
    alone = [k for k in range(4) if clusters.count(clusters[k]) == 1]
    assert len(alone) >= 2
    assert [fill[k] for k in alone] == [to_hex(colour(clusters[k])) for k in alone]
    assert len(set(fill.values())) == 4


@pytest.mark.parametrize("c", [2, 3, 5, 8, 12])
def test_no_two_sets_look_alike(c):
    """Clusters, pairs, Ω and ∅ differ; beyond eight clusters colours repeat, and pairs with them."""
    focal_sets = FocalSets.pairs(c)
    looks = [set_look(focal_sets, j, 10.0) for j in range(len(focal_sets))]
    signs = [(look.shape, look.fill if not look.sectors else "", tuple(look.sectors)) for look in looks]
    pairs = [sign for sign, one in zip(signs, focal_sets.sets) if len(one) == 2 < c or not one]
    others = [sign for sign in signs if sign not in pairs]
    assert len(set(others)) == len(others) and not {*others} & {*pairs}
    assert (BARYCENTRE.shape, BARYCENTRE.fill, ()) not in signs
    if c <= 8:
        assert len(set(signs)) == len(signs)

"""Pictures of pairs of objects: the colours of all pairs, bars of opinions."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from credalbench.belief.relational import RelationalMasses
from credalbench.plots import evidence_rows, new_figure, relation_image
from credalbench.plots.relations import DIFFERENT, HEIGHT, IGNORANCE, SAME, relation_pixels

#: Objects 0 and 1 share their cluster, 2 is in another one, of 0 and 2 half is unknown.
SAME_MASSES = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
UNKNOWN = np.array([[0.0, 0.0, 0.5], [0.0, 0.0, 0.0], [0.5, 0.0, 0.0]])
RELATION = RelationalMasses(np.zeros((3, 3)), SAME_MASSES, 1 - SAME_MASSES - UNKNOWN, UNKNOWN)
EVIDENCE = RelationalMasses(np.zeros(2), np.array([0.2, 1.0]), np.array([0.5, 0.0]), np.array([0.3, 0.0]))


def relation_colours(relation):
    """Colours of all pairs, a pixel for each."""
    return relation_pixels(relation, [0, 1, 2], 3, 3)


def drawn(ax):
    """Pixels (n, n, 3) of the image."""
    (image,) = ax.images
    return np.asarray(image.get_array())


def test_pure_masses_have_their_colours_and_mixtures_lie_between():
    colours = relation_colours(RELATION) / 255
    for pair, colour in (((0, 1), SAME), ((1, 2), DIFFERENT)):
        np.testing.assert_allclose(colours[pair], to_rgb(colour), atol=0.5 / 255)  # whole numbers
    middle = np.mean([to_rgb(IGNORANCE), to_rgb(DIFFERENT)], axis=0)
    np.testing.assert_allclose(colours[0, 2], middle, atol=0.5001 / 255)  # whole numbers


def test_a_conflict_counts_as_ignorance():
    swapped = RelationalMasses(UNKNOWN, RELATION.same, RELATION.different, np.zeros((3, 3)))
    np.testing.assert_array_equal(relation_colours(swapped), relation_colours(RELATION))


def test_objects_are_in_the_given_order(ax):
    relation_image(ax, RELATION, [2, 0, 1], boundaries=[1], title="All pairs")
    colours = relation_colours(RELATION)
    np.testing.assert_array_equal(drawn(ax)[0], colours[2, [2, 0, 1]])
    for lines in ax.collections:  # before place 1, across and down
        assert sorted(path.vertices.tolist() for path in lines.get_paths()) == [
            [[0, 1], [3, 1]],
            [[1, 0], [1, 3]],
        ]
    assert ax.get_xlim() == (0, 3) and ax.get_ylim() == (3, 0)
    assert ax.get_title(loc="left") == "All pairs"


def test_what_is_no_relation_of_all_pairs_is_refused(ax):
    with pytest.raises(ValueError, match=r"shape \(n, n\); got shape \(2, 3\)"):
        relation_image(ax, RelationalMasses(*(part[:2] for part in RELATION)))
    with pytest.raises(ValueError, match=r"permutation of 0\.\.2"):
        relation_image(ax, RELATION, [0, 1, 1])


def test_a_bar_holds_same_then_unknown_then_different(ax):
    evidence_rows(ax, EVIDENCE, ["one", "two"], places=[0.0, 1.5], title="Opinions")
    same, unknown, different, frames = ax.collections
    for bars, ends in ((same, (0, 0.2)), (unknown, (0.2, 0.5)), (different, (0.5, 1)), (frames, (0, 1))):
        first, second = (path.vertices for path in bars.get_paths())
        assert (first[:, 0].min(), first[:, 0].max()) == pytest.approx(ends)
        assert (second[:, 1].min(), second[:, 1].max()) == pytest.approx((1.5 - HEIGHT / 2, 1.5 + HEIGHT / 2))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["one", "two"]
    low, high = ax.get_ylim()
    assert low > high  # downwards


def test_without_names_the_scale_stays(ax):
    ax.set_yticks([0.5], ["kept"])
    evidence_rows(ax, EVIDENCE)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["kept"]


def test_more_objects_than_pixels_are_averaged():
    """Nine objects on three pixels: each is the mean of three by three pairs."""
    ax = new_figure(1, 1, dpi=3, layout=None).add_axes((0, 0, 1, 1))
    same = np.kron(np.eye(3), np.ones((3, 3)))
    same[0, 0] = 0.0
    relation_image(ax, RelationalMasses(0 * same, same, 1 - same, 0 * same))
    share = np.array([[8 / 9, 0, 0], [0, 1, 0], [0, 0, 1]])[..., None]
    wanted = share * to_rgb(SAME) + 1 - share
    np.testing.assert_allclose(drawn(ax) / 255, wanted, atol=0.5001 / 255)  # whole numbers


def test_names_and_places_are_those_of_the_evidence(ax):
    with pytest.raises(ValueError, match=r"expected 2 names and places; got \[.one.\]"):
        evidence_rows(ax, EVIDENCE, ["one"])
    with pytest.raises(ValueError, match="expected 2 names and places"):
        evidence_rows(ax, EVIDENCE, ["one", "two"], places=[0.0])

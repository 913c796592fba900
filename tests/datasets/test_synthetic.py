"""The generators follow their recipes; the typed sets have the properties that the papers name."""

import numpy as np
import pytest

from credalbench.datasets import (
    load,
    make_brain_phantom,
    make_egmm_four_class,
    make_egmm_two_class,
    make_fourclass,
    make_half_rings,
    make_t4,
    make_two_class_cecm,
)
from credalbench.datasets.synthetic import FLUID, GENERATORS, LESION, TISSUE

ALL = pytest.mark.parametrize("make", GENERATORS.values(), ids=GENERATORS)
N_LARGE = 40_000  # a mean of 10 000 points has a standard error of at most 0.021 for the variances used here


def moments(data):
    groups = [data.X[data.y == k] for k in range(data.n_clusters)]
    return np.array([g.mean(0) for g in groups]), np.array([np.cov(g.T) for g in groups])


@ALL
def test_same_seed_same_bytes(make):
    assert make(101, 7).X.tobytes() == make(101, 7).X.tobytes()
    assert make(101, 7).X.tobytes() != make(101, 8).X.tobytes()


@ALL
def test_global_generator_is_untouched(make):
    before = np.random.get_state()  # noqa: NPY002
    make(50, 3)
    make(50, None)
    after = np.random.get_state()  # noqa: NPY002
    assert all(np.array_equal(a, b) for a, b in zip(before, after))


@ALL
@pytest.mark.parametrize("n", [100, 101, 103])
def test_class_sizes_differ_by_at_most_one_for_each_group(make, n):
    data = make(n, 0)
    sizes = np.array(list(data.class_counts.values()))
    assert sizes.sum() == n == len(data.X) == len(data.y)
    assert np.ptp(sizes) <= 2  # a class of two Gaussians may get two more
    assert (np.diff(data.y) >= 0).all()


@ALL
@pytest.mark.parametrize("n", [0, 1, -4, 10.5, True, "200"])
def test_impossible_sizes_are_refused(make, n):
    with pytest.raises(ValueError, match=r"expected (an integer n|\d <= n), got"):
        make(n, 0)


@ALL
def test_recipe_has_a_status_and_names_what_it_replaces(make):
    data = make(20, 0)
    assert data.description and data.source == make.__name__ and data.used_by
    assert ("substitute" in data.status) == (data.substitute_for is not None)
    assert ("substitute for" in repr(data)) == (data.substitute_for is not None)


@pytest.mark.parametrize(
    "state",
    [3, np.random.SeedSequence(3), np.random.default_rng(3), np.random.RandomState(3)],
    ids=["int", "SeedSequence", "Generator", "RandomState"],
)
def test_every_kind_of_random_state_is_accepted(state):
    assert make_t4(40, state).X.shape == (40, 2)


@pytest.mark.parametrize(("make", "side"), [(make_t4, 5), (make_fourclass, 4)])
def test_student_clusters_have_the_centres_and_variance_of_t5(make, side):
    means, covariances = moments(make(N_LARGE, 1))
    assert np.abs(means - side * np.array([[0, 0], [0, 1], [1, 0], [1, 1]])).max() < 0.06  # 4 standard errors
    # variance df / (df - 2) = 5/3; the fourth moment of t5 is 25, so the standard error is 0.047
    assert np.abs(covariances - 5 / 3 * np.eye(2)).max() < 0.25


def test_student_vector_shares_one_mixing_variable():
    X = make_t4(N_LARGE, 2).X[: N_LARGE // 4]
    # coordinates of a multivariate t are uncorrelated but not independent: their squares go together
    assert np.corrcoef(np.abs(X.T))[0, 1] > 0.1
    gaussian = make_t4(N_LARGE, 2, df=np.inf).X[: N_LARGE // 4]
    assert abs(np.corrcoef(np.abs(gaussian.T))[0, 1]) < 0.05  # 5 standard errors of 0.01


def test_two_class_of_cecm_has_two_gaussians_in_each_class():
    data = make_two_class_cecm(400, 0)
    assert data.class_counts == {"(0, 0) or (0, 7)": 200, "(7, 0) or (7, 7)": 200}
    X = make_two_class_cecm(N_LARGE, 0).X.reshape(4, -1, 2)
    assert np.abs(X.mean(1) - [[0, 0], [0, 7], [7, 0], [7, 7]]).max() < 0.06  # 4 standard errors of 0.014
    for group in X:
        assert np.abs(np.cov(group.T) - 2 * np.eye(2)).max() < 0.15  # 5 standard errors of 0.028


def test_egmm_substitutes_have_their_calibrated_parameters():
    two, four = make_egmm_two_class(random_state=0), make_egmm_four_class(random_state=0)
    assert list(two.class_counts.values()) == [400, 400]
    assert list(four.class_counts.values()) == [200] * 4
    means, covariances = moments(make_egmm_two_class(N_LARGE, 1))
    assert np.abs(means - [[-1.6, 1.6], [1.6, -1.6]]).max() < 0.06  # 4 standard errors of 0.015
    assert np.abs(covariances - [[4.2, 3.7], [3.7, 4.2]]).max() < 0.25  # 6 standard errors of 0.042
    means, covariances = moments(make_egmm_four_class(N_LARGE, 1))
    assert np.abs(means - [[-2, -2], [-2, 2], [2, -2], [2, 2]]).max() < 0.06  # 4 standard errors of 0.013
    assert np.abs(covariances - 1.75 * np.eye(2)).max() < 0.15  # 6 standard errors of 0.025


def test_half_rings_without_noise_lie_on_two_arcs():
    data = make_half_rings(2000, 0, radius=5, noise=0)
    for k, (centre, start) in enumerate([(0.0, np.pi / 8), (-3.75, -7 * np.pi / 8)]):
        x, y = (data.X[data.y == k] - centre).T
        assert np.allclose(np.hypot(x, y), 5)  # rounding only
        angle = np.mod(np.arctan2(x, y) - start, 2 * np.pi)
        assert angle.max() <= 1.25 * np.pi + 1e-9 and angle.min() >= -1e-9  # rounding only
        assert angle.max() > 1.2 * np.pi and angle.min() < 0.05 * np.pi
    with pytest.raises(ValueError, match="expected a finite radius > 0"):
        make_half_rings(10, 0, radius=0)


def test_areas_of_the_phantom_have_their_grey_levels_without_blur_and_noise():
    data = make_brain_phantom(0, noise=0, blur=0)
    assert set(np.unique(data.X)) == {TISSUE, FLUID, LESION}
    assert (data.X[data.y == 0] == LESION).all() and (data.X[data.y == 1] < LESION).all()
    assert data.image_shape == (156, 141) and data.n_objects == 156 * 141


def test_noise_of_the_phantom_has_its_standard_deviation():
    plain, noisy = (make_brain_phantom(0, noise=noise).X for noise in (0, 0.02))
    # 21 996 pixels: standard error 0.0001
    assert (noisy - plain).std() == pytest.approx(0.02, abs=5e-4)


def test_lesion_is_the_brightest_area_and_not_small():
    data = make_brain_phantom(3)
    share = (data.y == 0).mean()
    assert 0.05 < share < 0.2
    assert data.X[data.y == 0].mean() > data.X[data.y == 1].max() - 0.2


def test_phantom_has_the_bytes_of_its_seed_and_another_seed_another_outline():
    assert make_brain_phantom(1).X.tobytes() == make_brain_phantom(1).X.tobytes()
    assert (make_brain_phantom(1).y != make_brain_phantom(2).y).any()


def test_phantom_has_other_shapes():
    assert make_brain_phantom(0, shape=(32, 48)).image_shape == (32, 48)


def test_phantom_is_a_substitute():
    data = make_brain_phantom(0)
    assert data.status == "substitute" and "private" in data.substitute_for
    assert data.class_names == ("pathology", "rest")


@pytest.mark.parametrize(
    "options", [{"shape": (8, 100)}, {"shape": (20,)}, {"shape": 20}, {"noise": -1}, {"blur": float("nan")}]
)
def test_bad_arguments_of_the_phantom_are_refused(options):
    with pytest.raises(ValueError, match="expected"):
        make_brain_phantom(0, **options)


def test_butterfly_has_a_middle_an_outlier_and_symmetric_wings():
    X = load("butterfly").X
    assert X.shape == (12, 2)
    D = load("butterfly").dissimilarities()
    assert D.sum(1).argmax() == 11
    left, right = np.sort(D[5, :5]), np.sort(D[5, 6:11])
    assert np.array_equal(left, right)
    assert np.array_equal(load("butterfly_without_outlier").X, X[:11])


def test_egmm_diamond_is_butterfly_with_unit_two():
    X = load("egmm_diamond").X
    wings = load("butterfly_without_outlier").X
    assert X.shape == (11, 2) and X[:, 0].max() == 6 and set(X[:, 1]) == {-2, 0, 2}
    assert np.array_equal(np.sign(X), np.sign(wings))
    assert np.allclose(X, 1.2 * wings, atol=0.01)  # butterfly is rounded to two decimals
    assert load("egmm_diamond").status == "rebuilt"


def test_cat_diamond_shares_the_values_that_the_paper_names():
    data = load("cat_diamond")
    first, second = data.X.T
    assert data.X.shape == (13, 2) and [len(levels) for levels in data.categories] == [9, 6]

    def shares(column, objects):
        return len({column[i - 1] for i in objects}) == 1

    assert shares(first, [2, 3, 4]) and shares(first, [8, 9, 10])
    assert shares(second, [1, 2, 5, 6, 7, 8, 11])
    for i in (11, 12):  # objects 12 and 13 are far from everything
        assert (first == first[i]).sum() == 1 and (second == second[i]).sum() == 1
    printed = {6: "b", 8: "b", 11: "b", 9: "a", 10: "c", 13: "f"}
    assert all(data.categories[1][int(second[i - 1])] == value for i, value in printed.items())
    assert len(np.unique(data.X, axis=0)) == 13 and "assumed" in data.description

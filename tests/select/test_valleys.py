"""Numbers that fall apart in two, and those that do not."""

import numpy as np
import pytest

from credalbench.select.silhouettes import fall_apart

LEAST = 6


@pytest.mark.parametrize(("small", "gap"), [(150, 6.0), (75, 6.0), (60, 7.0)])
def test_two_groups_are_divided_between_them(small, gap):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        group = rng.permutation(np.repeat([0, 1], [300 - small, small]))
        values = rng.normal(size=300) + gap * group
        upper = fall_apart(values, LEAST)
        assert upper is not None and np.mean(upper == group) > 0.98


@pytest.mark.parametrize("m", [30, 100, 400])
@pytest.mark.parametrize(
    "draw",
    [
        lambda rng, m: rng.normal(size=m),
        lambda rng, m: rng.uniform(size=m),
        lambda rng, m: rng.lognormal(size=m),
        lambda rng, m: rng.exponential(size=m),
        lambda rng, m: rng.standard_t(3, size=m),
        lambda rng, m: rng.poisson(20, size=m).astype(float),
    ],
    ids=["normal", "uniform", "lognormal", "exponential", "t", "counts"],
)
def test_one_group_seldom_is(draw, m):
    """One in a thousand by chance alone; at most 2 of 100 that are drawn."""
    rng = np.random.default_rng(m)
    assert sum(fall_apart(draw(rng, m), LEAST) is not None for _ in range(100)) <= 2


def test_windows_are_as_wide_as_a_third_of_the_way():
    """Medians 0 and 6: a valley between 2 and 4. Eleven around each median, so that one half-way is too many.

    The chance of one or less of 12 is 13 / 4096, that of none of 11 is 1 / 2048.
    """
    around = np.linspace(-0.9, 0.9, 11)
    values = np.concatenate([around, 6 + around])
    np.testing.assert_array_equal(fall_apart(values, LEAST), values > 3)
    assert fall_apart(np.append(values, 2.5), LEAST) is None
    assert fall_apart(np.append(values, 1.9), LEAST) is not None


def test_few_values_and_small_groups_are_not_divided():
    assert fall_apart(np.repeat([0.0, 1, 2, 3, 100, 101, 102, 103, 104], 20), LEAST) is None  # nine values
    assert fall_apart(np.array([*np.linspace(0, 1, 5), *np.linspace(50, 51, 6)]), LEAST) is None
    assert fall_apart(np.zeros(40), LEAST) is None
    one_far = np.append(np.linspace(0, 1, 60), 1e6)
    assert fall_apart(one_far, LEAST) is None

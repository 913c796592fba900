"""The soft threshold from dissimilarities to degrees of conflict."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from credalbench.cluster.conflict.transformation import d0_from_quantile, gamma_from_d0, phi
from credalbench.datasets import load


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.5])
@pytest.mark.parametrize("d0", [0.1, 11.0, 1e4])
def test_phi_of_d0_is_one_minus_alpha(d0, alpha):
    """[denoeux2016_evclus (15)], Example 4 among the values."""
    assert phi(d0, gamma_from_d0(d0, alpha)) == pytest.approx(1 - alpha, rel=1e-15)  # rounding


def test_phi_is_the_printed_formula_and_increases_from_zero():
    """[denoeux2016_evclus (14)]."""
    d = np.linspace(0, 30, 500)
    gamma = gamma_from_d0(11.0)
    np.testing.assert_allclose(phi(d, gamma), 1 - np.exp(-gamma * d**2), atol=1e-15)  # rounding
    assert phi(0.0, gamma) == 0
    assert (np.diff(phi(d, gamma)) > 0).all()


def test_phi_keeps_its_digits_for_tiny_dissimilarities():
    assert phi(1e-12, 1.0) == pytest.approx(1e-24, rel=1e-12)  # 1 - exp(-x) would give 0


@pytest.mark.parametrize("quantile", [0.05, 0.5, 0.9, 0.95, 1.0])
def test_d0_is_the_quantile_of_the_off_diagonal_entries(quantile):
    """Condensed or as ordered pairs: the same number, numpy's linear interpolation."""
    d = pdist(load("butterfly").X)
    off_diagonal = squareform(d)[~np.eye(12, dtype=bool)]
    expected = np.quantile(off_diagonal, quantile)
    assert d0_from_quantile(off_diagonal, quantile) == pytest.approx(expected, rel=1e-15)  # rounding
    assert d0_from_quantile(d, quantile, condensed=True) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gamma_from_d0(0.0), "d0 > 0"),
        (lambda: gamma_from_d0(np.inf), "d0 > 0"),
        (lambda: gamma_from_d0(1.0, 1.0), "alpha"),
        (lambda: d0_from_quantile([1.0], 0.0), "d0_quantile"),
        (lambda: d0_from_quantile([0.0, 0.0], 0.5), "zeros only: no compared objects differ"),
        (lambda: d0_from_quantile([0.0, 0.0, 0.0, 1.0], 0.5), "nearly\\) duplicates"),
    ],
)
def test_bad_values_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()

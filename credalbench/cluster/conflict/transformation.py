r"""From dissimilarities to degrees of conflict: the soft threshold :math:`\varphi` of EVCLUS.

.. math:: \varphi(d) = 1 - \exp(-\gamma d^2), \qquad \gamma = -\log(\alpha) / d_0^2

so that two objects at dissimilarity `d0` or more are plausibly (at least :math:`1-\alpha`) in different
clusters.
"""

import math

import numpy as np
import numpy.typing as npt

NEAR_ONE = 2.0**30  # d0 within this factor of 1: squares that matter are in the range of single precision
NO_LENGTH = 1e-150  # its square would be lost


def gamma_from_d0(d0: float, alpha: float = 0.05) -> float:
    r"""Return :math:`\gamma = -\log(\alpha)/d_0^2`, for which :math:`\varphi(d_0) = 1 - \alpha`.

    Computes [denoeux2016_evclus (15)]. `alpha` is the plausibility, at `d0`, that two objects are in the same
    cluster.
    """
    if not (np.isfinite(d0) and d0 > 0):
        raise ValueError(f"expected d0 > 0, got d0={d0!r}")
    if not 0 < alpha < 1:
        raise ValueError(f"expected alpha in the open interval (0, 1), got alpha={alpha!r}")
    return float(-np.log(alpha) / d0**2)


def phi(d: npt.ArrayLike, gamma: float, out: np.ndarray | None = None) -> np.ndarray:
    r"""Return the transformed dissimilarities :math:`\delta = 1 - \exp(-\gamma d^2)`, elementwise, in [0, 1).

    Computes [denoeux2016_evclus (14)], a number if `d` is a number, into `out` (which may be `d`) if
    given.
    """
    delta = np.asarray(np.square(d, out=out))
    delta *= -gamma
    np.expm1(delta, out=delta)
    return np.negative(delta, out=delta)[()]  # a number stays a number


def transformed(d: np.ndarray, d0: float, alpha: float, out: np.ndarray | None = None) -> np.ndarray:
    r"""Return :math:`\varphi` of dissimilarities, in their precision, at the :math:`\gamma` of `d0`.

    If d0 is far from 1, both are divided by a power of two near it, without any rounding. `out` may be
    `d`.
    """
    with np.errstate(over="ignore"):  # infinitely many times d0: a degree of conflict of 1
        if not 1 / NEAR_ONE <= d0 <= NEAR_ONE:
            d0, exponent = math.frexp(d0)
            d = out = np.ldexp(d, -exponent, out=out)
        return phi(d, gamma_from_d0(d0, alpha), out=out)


def d0_from_quantile(dissimilarities: npt.ArrayLike, quantile: float, *, condensed: bool = False) -> float:
    """Return the `quantile`, in (0, 1], of dissimilarities between different objects, linearly interpolated.

    With `condensed`, each unordered pair occurs once, as in scipy's condensed form. It then counts twice,
    so that all pairs and k = n - 1 partners give the same d0 to the last bit. Raises a ValueError if the
    quantile is 0: many duplicates, or objects too close for the precision at hand.
    """
    if not 0 < quantile <= 1:
        raise ValueError(f"expected d0_quantile in (0, 1], got d0_quantile={quantile!r}")
    d = np.ravel(dissimilarities)
    if not np.any(d):
        raise ValueError("expected some positive dissimilarity, got zeros only: no compared objects differ")
    copies = 2 if condensed else 1
    position = (copies * d.size - 1) * quantile
    below, above = int(position) // copies, min(int(position) + 1, copies * d.size - 1) // copies
    ordered = np.partition(d, sorted({below, above}))
    d0 = float(ordered[below] + (position - int(position)) * (ordered[above] - ordered[below]))
    if d0 < NO_LENGTH:
        raise ValueError(
            f"expected a positive d0, got {d0:g} as the {quantile}-quantile of the dissimilarities: too many "
            "objects are (nearly) duplicates; choose a larger d0_quantile or give d0"
        )
    return d0


def normaliser(sum_of_squares: float) -> float:
    """Return the constant eta of a stress from the sum of its squared transformed dissimilarities."""
    if not sum_of_squares > 0:
        raise ValueError("expected some positive dissimilarity, got zeros only: the stress is undefined")
    return 1.0 / sum_of_squares

r"""Distance to the empty set that makes a given share of objects outliers.

An object is an outlier if the empty set has its largest mass, that is, if :math:`\delta^2` is below
:math:`|A|^\alpha d_{iA}^2` for every other focal set. So each object has a limit at given prototypes,

.. math:: \delta_i = \min_A |A|^{\alpha/2} d_{iA}
                   = \delta\, \big( m_{i\emptyset} / \max_A m_{iA} \big)^{(\beta-1)/2},

and :math:`\delta` is a quantile of these. But prototypes move with :math:`\delta`. The next fit therefore
starts from the last one and uses its quantile; if this quantile is outside the known bracket, the bracket is
halved instead.
"""

import warnings
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags

from credalbench.core.arguments import Number, expect, expect_count
from credalbench.core.categories import as_table
from credalbench.core.checks import as_attributes, near_zero

CLOSE = 1.0001  # a bracket whose ends differ by less than this factor is not halved again
BEYOND = 4.0  # first delta, in distances of the farthest object from the mean: no object is an outlier


class Rejection(NamedTuple):
    """A distance to the empty set, the share of outliers that it gives, and the fit with it."""

    delta: float
    rate: float
    fit: BaseEstimator


def delta_for_rejection_rate(
    estimator: BaseEstimator, X: npt.ArrayLike, share: float, *, max_fits: int = 30, **fit_params: object
) -> Rejection:
    r"""Find the `delta` of an ECM with which a share of the objects are outliers.

    Parameters
    ----------
    estimator : ECM, CatECM, MixedECM, or an estimator with their parameters
        The estimator; it is not changed, and its `delta` is ignored.
    X : (n, p) array, or table with categories
        Objects, in the form that `estimator` accepts.
    share : float in [0, 1)
        Share of objects whose largest mass is on the empty set.
    max_fits : int, default 30
        Maximum number of fits.
    **fit_params
        Passed on to ``fit``.

    Returns
    -------
    Rejection
        ``delta``; ``rate``, the share of outliers with it, the nearest to `share` of all that were tried (the
        share changes by at least 1/n, and by more if prototypes jump); ``fit``, the estimator fitted with it
        from the prototypes of an earlier fit.

    Raises
    ------
    ValueError
        `share` outside [0, 1); the empty set is not a focal set; no two different objects; an `estimator`
        without prototypes.

    Notes
    -----
    In the first fit, delta is larger than all distances, and the start is that of the estimator. Every later
    fit starts from the prototypes of the last fit that did not have too many outliers, because prototypes
    collapse onto few objects if delta is too small. The function gives only the warnings of the returned fit.

    Examples
    --------
    >>> from credalbench.cluster import ECM
    >>> from credalbench.datasets import load
    >>> found = delta_for_rejection_rate(ECM(2, random_state=0), load("butterfly").X, 1 / 12)
    >>> found.fit.partition_.outliers().nonzero()[0] + 1
    array([12])
    """
    share = Number(low=0, below=1).read("share", share)
    max_fits = expect_count("max_fits", max_fits, 1)
    delta = BEYOND * _farthest(estimator, X)
    low, high, best, start = 0.0, np.inf, None, {}
    for _ in range(max_fits):
        with warnings.catch_warnings(record=True) as caught:
            fit = clone(estimator).set_params(delta=delta, **start).fit(X, **fit_params)
        sets = fit.partition_.focal_sets
        expect(sets.has_empty, "the empty set among the focal sets", sets)
        rate = float(fit.partition_.outliers().mean())
        if best is None or abs(rate - share) < abs(best.rate - share):
            best, remarks = Rejection(fit.delta, rate, fit), caught
        if rate > share:
            low = delta
        else:
            high, start = delta, {"init": _prototypes(fit)}
        if abs(rate - share) <= 0.5 / len(X) or high < CLOSE * low:
            break
        delta = _next_delta(limits(fit), share, low, high)
    for remark in remarks:
        warnings.warn(remark.message, remark.category, stacklevel=2)
    return best


def _takes_categories(estimator: BaseEstimator):
    return get_tags(estimator).input_tags.categorical


def _takes_both(estimator: BaseEstimator):
    """Return whether an estimator takes numbers and categories."""
    return _takes_categories(estimator) and hasattr(estimator, "category_weight")


def _prototypes(fit: BaseEstimator):
    """Return the prototypes of a fit as an `init`."""
    if _takes_both(fit):  # of the values that share the weight of a category, the first
        return fit.prototypes_.map(lambda value: value[0] if isinstance(value, tuple) else value)
    if _takes_categories(fit):
        return fit.weights_
    expect(hasattr(fit, "cluster_centers_"), "an estimator with prototypes, such as ECM", type(fit).__name__)
    return fit.cluster_centers_


def _farthest(estimator: BaseEstimator, X: npt.ArrayLike):
    """Return how far from their middle objects may be."""
    if _takes_both(estimator):
        farthest = float(clone(estimator).set_params(delta="auto").fit(X).transform(X).max())
        expect(farthest > 0, "two different objects", "the same place for all")
        return farthest
    if _takes_categories(estimator):
        return float(np.sqrt(as_table(X).shape[1]))  # if all attributes differ
    inside, _ = near_zero(as_attributes(X))
    farthest = float(np.linalg.norm(inside - inside.mean(axis=0), axis=1).max())
    expect(farthest > 0, "two different objects", "the same place for all")
    return farthest


def limits(fit: BaseEstimator) -> np.ndarray:
    """Compute the delta (n,) below which each object would be an outlier if prototypes did not move."""
    masses = fit.partition_.masses
    with np.errstate(divide="ignore"):
        ratios = masses[:, 0] / masses[:, 1:].max(axis=1)
    return fit.delta * ratios ** ((getattr(fit, "beta_", getattr(fit, "beta", 2.0)) - 1) / 2)


def _next_delta(limits: np.ndarray, share: float, low: float, high: float):
    """Choose a delta between the limits of the last outlier and the first other object, if in the bracket."""
    ordered = np.sort(limits)[::-1]
    count = min(round(share * len(ordered)), len(ordered) - 1)
    last_outlier = ordered[count - 1] if count else 1.1 * ordered[0]
    delta = float((min(last_outlier, 2 * ordered[count]) + ordered[count]) / 2)
    if low < delta < high:
        return delta
    if high == np.inf:
        return 2 * low
    return float(np.sqrt(low * high)) if low else high / 2

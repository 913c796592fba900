"""Criteria for the number of clusters, and the clusterers that they suit.

A criterion is computed from a fit and its data. It suits a fit that has the required attributes, so you can
use any clusterer with scikit-learn's interface. Two criteria need several fits: the elbow of the objective
needs fits with other numbers of clusters, and stability needs fits to subsamples.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.metrics import silhouette_score
from sklearn.utils import get_tags

from credalbench.core.arguments import expect
from credalbench.metrics.internal import (
    BETTER,
    fuzzy_silhouette,
    modified_partition_coefficient,
    pairwise_nonspecificity,
    partition_coefficient,
    partition_entropy,
    xie_beni,
)

Scaling = Literal["mean", "sum", "ratio"]
ELBOW, STABILITY, OBJECTIVE = "elbow", "stability", "objective"


@dataclass(frozen=True)
class Criterion:
    """A criterion for the number of clusters.

    Parameters
    ----------
    better : {"higher", "lower"} or None
        Which values are better. None: neither; the curve may have an elbow.
    suits : callable
        Function fit -> bool: whether the fit has the attributes that the criterion needs.
    value : callable, optional
        Function (fit, X) -> float; a ValueError says why there is no value. None: the criterion needs
        several fits.
    scaling : {"mean", "sum", "ratio"}, default "mean"
        How values depend on the number of objects: not at all ("mean"), as a sum over objects ("sum"), or
        such that only ratios of values are comparable ("ratio").
    """

    better: Literal["higher", "lower"] | None
    suits: Callable[[BaseEstimator], bool]
    value: Callable[[BaseEstimator, npt.ArrayLike], float] | None = None
    scaling: Scaling = "mean"


LARGE = 1e100


def _has(*names: str) -> Callable[[BaseEstimator], bool]:
    return lambda fit: all(getattr(fit, name, None) is not None for name in names)


def _metric(fit: BaseEstimator) -> str:
    """Return the metric of silhouettes: "precomputed" for dissimilarities, otherwise "euclidean"."""
    return "precomputed" if is_pairwise(fit) else "euclidean"


def is_pairwise(estimator: BaseEstimator) -> bool:
    """Return whether the data of an estimator are dissimilarities (n, n)."""
    return bool(get_tags(estimator).input_tags.pairwise)


def _bic(fit: BaseEstimator, X: npt.ArrayLike) -> float:
    """Return the BIC of our mixtures, or -1/2 times that of scikit-learn's."""
    return fit.bic_ if hasattr(fit, "bic_") else -0.5 * fit.bic(X)


def _silhouette(fit: BaseEstimator, X: npt.ArrayLike) -> float:
    values = np.asarray(X)
    largest = np.abs(values).max() if values.dtype.kind in "iuf" else 0.0
    extreme = largest > LARGE or 0 < largest < 1 / LARGE
    X = values / largest if extreme else X  # squares would be infinite or 0
    return float(silhouette_score(X, fit.labels_, metric=_metric(fit)))


def _of_several(index: Callable[[object], float], count: int, what: object) -> float:
    """Compute an index that is best for one cluster; raise an error for one cluster."""
    expect(count >= 2, "at least two clusters, since one cluster always has the best value", count)
    return float(index(what))


def _of_masses(index: Callable) -> Callable[[BaseEstimator, npt.ArrayLike], float]:
    return lambda fit, X: _of_several(index, fit.partition_.n_clusters, fit.partition_)


def _of_memberships(index: Callable) -> Callable[[BaseEstimator, npt.ArrayLike], float]:
    return lambda fit, X: _of_several(index, fit.membership_.shape[1], fit.membership_)


def _has_undivided_objective(fit: BaseEstimator) -> bool:
    """Return whether the fit has an objective that is not divided by the number of focal sets.

    ECM and CECM divide theirs.
    """
    return _has("objective_")(fit) and not _has("partition_", "cluster_centers_")(fit)


def _has_partition(fit: BaseEstimator) -> bool:
    return any(hasattr(fit, name) for name in ("partition_", "membership_", "labels_", "predict"))


#: Validity indices: name, required attributes of the fit, and function of the fit and its data.
INDICES = (
    ("nonspecificity", ("partition_",), _of_masses(lambda partition: partition.nonspecificity())),
    ("pairwise_nonspecificity", ("partition_",), _of_masses(pairwise_nonspecificity)),
    (
        "modified_partition_coefficient",
        ("membership_",),
        lambda fit, X: modified_partition_coefficient(fit.membership_),
    ),
    ("partition_coefficient", ("membership_",), _of_memberships(partition_coefficient)),
    ("partition_entropy", ("membership_",), _of_memberships(partition_entropy)),
    (
        "xie_beni",
        ("membership_", "cluster_centers_"),
        lambda fit, X: xie_beni(X, fit.membership_, fit.cluster_centers_, getattr(fit, "m", 2.0)),
    ),
    (
        "fuzzy_silhouette",
        ("membership_",),
        lambda fit, X: fuzzy_silhouette(X, fit.membership_, metric=_metric(fit)),
    ),
)
#: All criteria by name, in the order of display.
CRITERIA = {
    "ebic": Criterion(BETTER["bic"], _has("ebic_"), lambda fit, X: fit.ebic_, "sum"),
    "bic": Criterion(BETTER["bic"], lambda fit: hasattr(fit, "bic_") or hasattr(fit, "bic"), _bic, "sum"),
    **{name: Criterion(BETTER[name], _has(*needs), value) for name, needs, value in INDICES},
    "prominence_drop": Criterion("higher", _has("prominence_drop_"), lambda fit, X: fit.prominence_drop_),
    "silhouette": Criterion("higher", _has("labels_"), _silhouette),
    OBJECTIVE: Criterion(None, _has("objective_"), lambda fit, X: fit.objective_, "ratio"),
    ELBOW: Criterion("higher", _has_undivided_objective),
    STABILITY: Criterion("higher", _has_partition),
}
LIKELIHOODS = ("ebic", "bic")
DEFAULT = (*LIKELIHOODS, "prominence_drop", "nonspecificity", "modified_partition_coefficient", "xie_beni")
WORDS = {"ebic": "EBIC", "bic": "BIC", "xie_beni": "the index of Xie and Beni"}


def display_name(criterion: str) -> str:
    """Return the name of a criterion for use in a sentence."""
    return WORDS.get(criterion, criterion.replace("_", " "))


def default_criteria(fit: BaseEstimator) -> list[str]:
    """Return the default criteria for a fit, in order.

    These are EBIC and BIC for mixtures; the drop of the prominence for belief peaks; nonspecificity for
    credal partitions; the modified partition coefficient and the index of Xie and Beni for fuzzy ones; the
    objective, unless it is a likelihood, and its elbow; and the silhouette if no other criterion has a
    direction. Stability is added if there are resamples.
    """
    deciding = [name for name in DEFAULT if CRITERIA[name].suits(fit)] or ["silhouette"]
    if set(LIKELIHOODS) & set(deciding):
        return deciding
    return [*deciding, *(name for name in (OBJECTIVE, ELBOW) if CRITERIA[name].suits(fit))]

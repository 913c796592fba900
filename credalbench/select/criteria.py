"""What a fit says of its number of clusters: criteria by name, and which of them suit which clusterer.

A criterion is read off a fit and its data. Whether it can be is seen from the attributes that the fit has, so
that any clusterer with scikit-learn's interface will do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.metrics import silhouette_score
from sklearn.utils import get_tags

from credalbench.metrics.internal import (
    BETTER,
    fuzzy_silhouette,
    modified_partition_coefficient,
    pairwise_nonspecificity,
    partition_coefficient,
    partition_entropy,
    xie_beni,
)


@dataclass(frozen=True)
class Criterion:
    """A number that says something of a fit.

    Parameters
    ----------
    better : {"higher", "lower"} or None
        Which of two values speaks for its number of clusters. None: neither; the curve is to be looked at for
        an elbow.
    suits : callable
        fit -> bool: whether the fit has what the number is computed from.
    value : callable
        (fit, X) -> float; where there is none, a ValueError says why.
    """

    better: Literal["higher", "lower"] | None
    suits: Callable[[BaseEstimator], bool]
    value: Callable[[BaseEstimator, npt.ArrayLike], float]


def _has(*names: str) -> Callable[[BaseEstimator], bool]:
    return lambda fit: all(getattr(fit, name, None) is not None for name in names)


def _metric(fit: BaseEstimator) -> str:
    """What silhouettes are taken in: the dissimilarities that were given, or Euclidean distance."""
    return "precomputed" if get_tags(fit).input_tags.pairwise else "euclidean"


def _bic(fit: BaseEstimator, X: npt.ArrayLike) -> float:
    """Told by our mixtures; computed by scikit-learn's, times -2."""
    return fit.bic_ if hasattr(fit, "bic_") else -0.5 * fit.bic(X)


def _silhouette(fit: BaseEstimator, X: npt.ArrayLike) -> float:
    return float(silhouette_score(X, fit.labels_, metric=_metric(fit)))


#: Validity indices: name, what of a fit they need, the number.
INDICES = (
    ("nonspecificity", ("partition_",), lambda fit, X: fit.partition_.nonspecificity()),
    ("pairwise_nonspecificity", ("partition_",), lambda fit, X: pairwise_nonspecificity(fit.partition_)),
    (
        "modified_partition_coefficient",
        ("membership_",),
        lambda fit, X: modified_partition_coefficient(fit.membership_),
    ),
    ("partition_coefficient", ("membership_",), lambda fit, X: partition_coefficient(fit.membership_)),
    ("partition_entropy", ("membership_",), lambda fit, X: partition_entropy(fit.membership_)),
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
#: All criteria by name, in the order in which they are shown.
CRITERIA = {
    "ebic": Criterion(BETTER["bic"], _has("ebic_"), lambda fit, X: fit.ebic_),
    "bic": Criterion(BETTER["bic"], lambda fit: hasattr(fit, "bic_") or hasattr(fit, "bic"), _bic),
    **{name: Criterion(BETTER[name], _has(*needs), value) for name, needs, value in INDICES},
    "silhouette": Criterion("higher", _has("labels_"), _silhouette),
    "objective": Criterion(None, _has("objective_"), lambda fit, X: fit.objective_),
}
LIKELIHOODS = ("ebic", "bic")
USUAL = (*LIKELIHOODS, "nonspecificity", "modified_partition_coefficient", "xie_beni")


def usual_criteria(fit: BaseEstimator) -> list[str]:
    """Names of the criteria that one would look at for a clusterer like that of a fit, in their order.

    Likelihoods of mixtures; nonspecificity of credal partitions; the modified partition coefficient and the
    index of Xie and Beni of fuzzy ones; the objective, where it is no likelihood; and the silhouette where
    nothing else decides.
    """
    deciding = [name for name in USUAL if CRITERIA[name].suits(fit)] or ["silhouette"]
    elbow = CRITERIA["objective"].suits(fit) and not set(LIKELIHOODS) & set(deciding)
    return [*deciding, "objective"] if elbow else deciding

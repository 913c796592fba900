"""Rules for the quantile of d0 and the start of EVCLUS: what a user could do without knowing the classes."""

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import squareform
from sklearn.metrics import silhouette_score

from credalbench.belief import FocalSets
from credalbench.cluster.conflict.preliminary import (
    DECIMALS,
    QUANTILES,
    ShortFit,
    sample_objects,
    short_fits,
    ward_masses,
)
from credalbench.cluster.conflict.transformation import d0_from_quantile, transformed
from credalbench.cluster.inputs.dissimilarities import dissimilarity_matrix

DEFAULT, EARLIER = "default", "0.9, random start"
#: Rule -> how tables and pictures call it.
RULES = {
    DEFAULT: "the default: least nonspecificity\nplus share of outliers",
    "nonspecificity": "least nonspecificity",
    "default, random start": "the default's quantile, random start",
    "silhouette": "best silhouette",
    "Ward": "1.5 times the share of pairs\nwithin Ward's clusters",
    "2/c": "quantile 2/c",
    "1.5/c": "quantile 1.5/c",
    "0.5": "quantile 0.5",
    "0.9": "quantile 0.9",
    EARLIER: "quantile 0.9, random start\n(R, the paper)",
}
HIGHEST = QUANTILES[-1]


class Sample(NamedTuple):
    """What rules look at: short fits to some objects, their dissimilarities (m, m), and c."""

    fits: list[ShortFit]
    D: np.ndarray
    n_clusters: int


def look_at(X: np.ndarray, metric: str, c: int, seed: int) -> Sample:
    """Return the sample at which the default looks, with short fits at its quantiles."""
    rows = sample_objects(len(X), c, np.random.RandomState(seed))
    given = metric == "precomputed"
    D = X[np.ix_(rows, rows)] if given else dissimilarity_matrix(X[rows], metric, False)
    return Sample(short_fits(D, c, alpha=0.05), D, c)


def silhouette_quantile(sample: Sample) -> float:
    """Return the quantile with the best mean silhouette of the labels, on the dissimilarities."""
    values = [_silhouette(sample.D, fit.partition.labels("plausibility")) for fit in sample.fits]
    return sample.fits[int(np.argmax(values))].quantile


def _silhouette(D: np.ndarray, labels: np.ndarray) -> float:
    if not 1 < np.unique(labels).size < len(labels):
        return -1.0
    return silhouette_score(D, labels, metric="precomputed")


def ward_quantile(sample: Sample) -> float:
    """Return 1.5 times the share of pairs within the clusters of the linkage that starts are made from."""
    d = squareform(sample.D, checks=False)
    delta = transformed(d, d0_from_quantile(d, 0.5, condensed=True), 0.05)
    labels = ward_masses(delta, FocalSets.simple(sample.n_clusters)).argmax(axis=1)
    sizes = np.bincount(labels)
    pairs = (sizes * (sizes - 1)).sum() / (len(labels) * (len(labels) - 1))
    return min(HIGHEST, 1.5 * pairs)


def nonspecificity_quantile(sample: Sample) -> float:
    """Return the quantile of the least nonspecificity among the short fits, of equal ones the largest."""
    values = [round(fit.partition.nonspecificity(), DECIMALS) for fit in sample.fits]
    return max(fit.quantile for fit, value in zip(sample.fits, values) if value == min(values))


LOOKS = {"silhouette": silhouette_quantile, "nonspecificity": nonspecificity_quantile, "Ward": ward_quantile}


def quantile_of(rule: str, sample: Sample, chosen: float) -> float:
    """Return the quantile of a rule; `chosen` is that of the default."""
    if rule.startswith(DEFAULT):
        return chosen
    if rule in LOOKS:
        return LOOKS[rule](sample)
    if rule.endswith("/c"):
        return min(HIGHEST, float(rule.removesuffix("/c")) / sample.n_clusters)
    return float(rule.partition(",")[0])


def settings_of(rule: str, sample: Sample, chosen: float) -> dict:
    """Return the arguments of EVCLUS by which a user would follow a rule."""
    if rule == DEFAULT:
        return {}
    start = "random" if rule.endswith("random start") else "linkage"
    return {"d0_quantile": quantile_of(rule, sample, chosen), "init": start}

"""Base partitions of several kinds: by ECM and by other algorithms.

The paper runs ECM twice, the second time with pairs of mutual neighbours among the focal sets. The studies on
Section 5 and on closures run ECM once, in half of the time; the study ``other_bases`` has both.
"""

import warnings

import numpy as np
from sklearn.cluster import KMeans

from credalbench.belief import CredalPartition
from credalbench.cluster import EGMM, EVCLUS
from credalbench.cluster.egmm import DegenerateMixture
from credalbench.papers import case_random_state

from .classified import Classified, classified
from .ensembles import ecm_bases

#: Kind of base partitions -> how pictures and claims call it.
KINDS = {
    "two_steps": "ECM, two steps",
    "ecm": "ECM",
    "evclus": "EVCLUS",
    "egmm": "EGMM",
    "k-means": "k-means",
}
PAIR_NEIGHBOURS = 2  # K of Section 4.1
PARTNERS = 30  # of each object in EVCLUS
EVCLUS_TOL = 1e-3
#: Kind of ECM -> neighbours of the second run; None: there is none.
ECM_PAIRS = {"two_steps": PAIR_NEIGHBOURS, "ecm": None}
RIDGE = 1e-3  # of the mixtures, as a share of the mean variance
ATTEMPTS = 20  # starts of a mixture, of which the first regular one is taken


def base_partitions(
    X: np.ndarray, k: int, n_estimators: int, quantile: float, seed: int, kind: str = "ecm"
) -> list[CredalPartition]:
    """Return partitions of objects (n, p) into k clusters, of one of `KINDS`.

    ECM's delta is this `quantile` of the distances; the other kinds do not use it.
    """
    with warnings.catch_warnings():  # with many clusters prototypes may coincide
        warnings.simplefilter("ignore")
        if kind in ECM_PAIRS:
            return ecm_bases(X, k, n_estimators, quantile, seed, ECM_PAIRS[kind])
        seeds = np.random.RandomState(seed).randint(2**31 - 1, size=n_estimators).tolist()
        return [OTHERS[kind](X, k, one) for one in seeds]


def two_ensembles(
    params, case, n_estimators: int
) -> tuple[Classified, list[int], list[list[CredalPartition]]]:
    """Return the data of a case, two seeds, and two sets of bases without a common base."""
    axes = case["dataset"], case["repetition"]
    data = classified(axes[0], params.n_generated, params.seed, axes[1])
    seeds = [case_random_state(params.seed, *axes, ensemble) for ensemble in range(2)]
    setting = params.base_n_clusters, n_estimators, data.quantile
    return data, seeds, [base_partitions(data.X, *setting, seed) for seed in seeds]


def evclus(X: np.ndarray, k: int, seed: int) -> CredalPartition:
    """Fit k-EVCLUS on random partners of each object, from random masses."""
    partners = min(PARTNERS, len(X) - 1)
    pairs = {"n_pairs": partners, "pair_sampling": "independent"}
    model = EVCLUS(k, **pairs, d0_quantile=0.9, init="random", tol=EVCLUS_TOL, random_state=seed)
    return model.fit(X).partition_


def egmm(X: np.ndarray, k: int, seed: int) -> CredalPartition:
    """Fit EGMM on single clusters and the frame, from random objects; return the first regular start."""
    options = {"focal_sets": "simple", "noise": False, "init": "random"}
    options["reg_covar"] = RIDGE * X.var(axis=0).mean()
    for attempt in range(ATTEMPTS):
        try:
            return EGMM(k, random_state=seed + attempt, **options).fit(X).partition_
        except DegenerateMixture as error:
            flaw = error
    raise flaw


def k_means(X: np.ndarray, k: int, seed: int) -> CredalPartition:
    """Run hard c-means from random objects, as for the bases of evidence accumulation."""
    return CredalPartition.from_labels(KMeans(k, init="random", n_init=1, random_state=seed).fit(X).labels_)


OTHERS = {"evclus": evclus, "egmm": egmm, "k-means": k_means}

"""From how many objects on does EBIC prefer the four classes of Four-class to fewer clusters?

The data are Gaussian with one covariance: the model of EGMM is true, and nothing but the penalty can hide the
classes. With fewer clusters the common covariance becomes long, so that one cluster covers two classes. What
four clusters gain in log-likelihood over that grows with the number of objects, the penalty of what they have
to estimate with its logarithm only. So EBIC finds the classes from some number of objects on. It is larger
the more focal sets there are: each has a mixing probability, which counts in [jiao2022_egmm (33)] even where
it is 0.
"""

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from credalbench.belief import FocalSets
from credalbench.cluster import EGMM
from credalbench.datasets import make_egmm_four_class
from credalbench.papers import case_random_state, case_rng

CLASSES, ATTRIBUTES = 4, 2
#: What is fitted: focal sets by number of clusters. Without imprecise ones EBIC is the usual BIC.
KINDS = {
    "single": lambda c: FocalSets.from_membership(np.eye(c, dtype=bool)),
    "pairs": lambda c: FocalSets.pairs(c, empty=False),
    "full": lambda c: FocalSets.full(c, empty=False),
}


def lead_of_four(params, n: int, repetition: int) -> pd.DataFrame:
    """Return by how much EBIC is higher with four clusters than with fewer, on a draw of n objects.

    Columns ``focal_sets``, ``fewer`` (that best number), ``lead``, and ``gain_per_object``: of the
    log-likelihood, from two clusters to four.
    """
    X = make_egmm_four_class(n, case_rng(params.seed, "lead", n, repetition)).X
    seed = case_random_state(params.seed, "lead", n, repetition)
    fits, rows = {}, []
    for kind, focal_sets in KINDS.items():
        sets = {c: focal_sets(c) for c in range(1, CLASSES + 1)}
        for c, one in sets.items():
            if (c, one) not in fits:  # with three clusters or fewer, all sets are pairs or the frame
                model = EGMM(c, focal_sets=one, n_init=params.n_starts, random_state=seed)
                fits[c, one] = model.fit(X)
        *fewer, four = (fits[key] for key in sets.items())
        best = max(fewer, key=lambda fit: fit.ebic_)
        gain = (four.log_likelihood_ - fewer[1].log_likelihood_) / n
        rows.append((kind, best.n_clusters, four.ebic_ - best.ebic_, gain))
    return pd.DataFrame(rows, columns=["focal_sets", "fewer", "lead", "gain_per_object"])


def more_parameters(focal_sets: str) -> int:
    """Return how many parameters four clusters have beyond two [jiao2022_egmm (33)]."""
    sets = [len(KINDS[focal_sets](c)) for c in (2, CLASSES)]
    return sets[1] - sets[0] + (CLASSES - 2) * ATTRIBUTES


def expected_lead(n, gain_per_object: float, focal_sets: str):
    """Return EBIC with four clusters less that with two where each of n objects gains as much."""
    return n * gain_per_object - 0.5 * more_parameters(focal_sets) * np.log(n)


def gain_behind(lead: float, n: int, focal_sets: str) -> float:
    """Return the gain of an object that such a lead with n objects is due to."""
    return (lead + 0.5 * more_parameters(focal_sets) * np.log(n)) / n


def objects_needed(gain_per_object: float, focal_sets: str) -> float:
    """Return from how many objects on the gain outweighs the penalty; at most a million."""
    return brentq(lambda n: expected_lead(n, gain_per_object, focal_sets), 3, 1e6)

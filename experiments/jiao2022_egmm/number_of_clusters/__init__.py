"""Beyond the paper: how far can criteria for the number of clusters be trusted?

The paper compares algorithms with the number of clusters unknown, each with an index of its own (Section
4.2). Here the number is known as well, and left out; each criterion that `credalbench.select` has for a
clusterer is asked which number it prefers, how sure it is (on random halves of the objects), and what is
recommended in the end. Numbers from one on are tried, so that an elbow can be at two.

Clusterers are fuzzy c-means, ECM, EVCLUS and EGMM, with single clusters, pairs of them and the frame as focal
sets where they have any, and the Gaussian mixture of scikit-learn with one covariance, whose BIC EBIC is made
after. Mixtures have two starts, since both criteria are about the highest likelihood. Data are
standardised. Two sets are drawn by the recipes that stand in for the paper's lost ones, with classes that are
long or overlap; those of ``t4``, by that of EVCLUS, are further apart. Of ``mixture``, number and places of
the classes are drawn as well. Iris and Wine are the paper's. ``one_class`` is a single Gaussian in the plane:
any number is wrong there, and no clear answer is right.

In the tables ``c`` is 0 where nothing is recommended. A repetition draws halves and starts anew, and the
generated sets, too. Why EBIC often prefers too few clusters is a part of its own, ``lead``.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.mixture import GaussianMixture

from credalbench.baselines import FuzzyCMeans
from credalbench.baselines.base_partitions import no_user_warnings
from credalbench.cluster import ECM, EGMM, EVCLUS
from credalbench.papers import case_random_state, case_rng, declare, knob
from credalbench.select import select_n_clusters

from .claims import ARTEFACT, LEAD, enough_objects, how_often_right, right_by_agreement, where_right
from .data import classified
from .lead import lead_of_four

CLUSTERERS = {
    "fcm": FuzzyCMeans(),
    "ecm": ECM(delta=10.0, focal_sets="pairs"),
    "evclus": EVCLUS(focal_sets="pairs", d0_quantile=0.9, init="random"),
    "egmm": EGMM(focal_sets="pairs"),
    "gmm": GaussianMixture(covariance_type="tied"),
}
OURS = ("one_class", "mixture")  # drawn by no paper's recipe, and more often


@dataclass(frozen=True)
class Parameters:
    """All of it is ours."""

    datasets: tuple[str, ...] = knob(
        ("one_class", "two_class", "four_class", "t4", "iris", "wine", "mixture"), "data sets; also: seeds"
    )
    methods: tuple[str, ...] = knob(tuple(CLUSTERERS), "clusterers")
    n_generated: int = knob(120, "objects of the generated data sets", low=20)
    most_clusters: int = knob(6, "largest number that is tried", low=3)
    n_resamples: int = knob(8, "random halves of the objects", low=2)
    n_repetitions: int = knob(2, "draws of each data set, or of its halves", low=2)
    n_drawn: int = knob(4, "draws of one_class and of mixture", low=2)
    n_starts: int = knob(2, "starts of mixtures; the most likely end counts", low=1)
    sizes: tuple[int, ...] = knob((100, 200, 400, 800), "objects of Four-class, for the lead of EBIC", low=20)
    n_draws: int = knob(6, "draws of Four-class of each size", low=2)
    seed: int = knob(0, "seed of draws, halves and starts", low=0)


def cases(params):
    criteria = [
        {"part": "criteria", "dataset": name, "repetition": repetition, "method": method}
        for name in params.datasets
        for repetition in range(params.n_drawn if name in OURS else params.n_repetitions)
        for method in params.methods
    ]
    lead = [
        {"part": "lead", "n": n, "repetition": draw} for n in params.sizes for draw in range(params.n_draws)
    ]
    return criteria + lead


def compute(params, case):
    """Compute ``votes``, a row for each criterion, and ``recommendations``, a single one; or ``lead``."""
    with no_user_warnings():  # of clusters that stay empty: too many are tried, too
        if case["part"] == "lead":
            return {"lead": lead_of_four(params, case["n"], case["repetition"])}
        return selected(params, case["dataset"], case["repetition"], case["method"])


def selected(params, dataset: str, repetition: int, method: str) -> dict[str, pd.DataFrame]:
    """Return what the criteria of a clusterer say of a draw, and what is recommended."""
    axes = dataset, repetition
    X, n_classes = classified(dataset, params.n_generated, case_rng(params.seed, *axes, "draw"))
    starts = {"n_init": params.n_starts} if method in ("egmm", "gmm") else {}
    curves = select_n_clusters(
        clone(CLUSTERERS[method]).set_params(**starts),
        X,
        range(1, params.most_clusters + 1),
        n_resamples=params.n_resamples,
        random_state=case_random_state(params.seed, *axes),
    )
    votes = [
        {"criterion": one.criterion, "c": one.c, "support": support(one), "clear": one.is_clear}
        for one in curves.votes
    ]
    recommended = curves.recommendation
    advice = {"c": recommended.n_clusters or 0, "agreement": recommended.agreement}
    return {
        "votes": pd.DataFrame(votes).assign(n_classes=n_classes),
        "recommendations": pd.DataFrame([advice]).assign(n_classes=n_classes),
    }


def support(vote) -> float:
    """Return the share of the halves that prefer what all objects do; NaN where too few could be fitted."""
    return np.nan if vote.support is None else vote.support.value


experiment = declare(
    __name__,
    title="How far criteria for the number of clusters can be trusted",
    artefacts={
        ARTEFACT: "Beyond the paper: criteria for the number of clusters where it is known",
        LEAD: "Beyond the paper: from how many objects on EBIC finds four classes",
    },
    summaries=(how_often_right, right_by_agreement, where_right, enough_objects),
    smoke={
        "datasets": ("one_class", "four_class"),
        "methods": ("fcm", "evclus"),
        "n_generated": 48,
        "most_clusters": 5,
        "n_resamples": 3,
        "n_repetitions": 2,
        "n_drawn": 2,
        "n_starts": 1,
        "sizes": (40, 80),
        "n_draws": 2,
    },
)

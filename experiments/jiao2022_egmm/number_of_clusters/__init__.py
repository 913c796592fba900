"""Beyond the paper: how far can criteria for the number of clusters be trusted?

The paper compares algorithms with the number of clusters unknown, each with an index of its own (Section
4.2). Here the number is known as well, and left out; each criterion that `credalbench.select` has for a
clusterer is asked which number it prefers, how sure it is (on random halves of the objects), and what is
recommended in the end. Numbers from one on are tried, so that an elbow can be at two.

Clusterers are fuzzy c-means, ECM, EVCLUS and EGMM, with single clusters, pairs of them and the frame as focal
sets where they have any. Data are standardised. Two sets are drawn by the recipes that stand in for the
paper's lost ones, with classes that are long or overlap; those of ``t4``, by that of EVCLUS, are further
apart. Iris and Wine are the paper's. ``one_class`` is a single Gaussian in the plane: any number is wrong
there, and no clear answer is right.

In the tables ``c`` is 0 where nothing is recommended. A repetition draws halves and starts anew, and the
generated sets, too.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler

from credalbench.baselines import FuzzyCMeans
from credalbench.cluster import ECM, EGMM, EVCLUS
from credalbench.datasets import load, make_egmm_four_class, make_egmm_two_class, make_t4
from credalbench.runner import case_random_state, case_rng, declare, knob
from credalbench.select import select_n_clusters

from .claims import ARTEFACT, how_often_right, where_right

GENERATED = {"two_class": make_egmm_two_class, "four_class": make_egmm_four_class, "t4": make_t4}
CLUSTERERS = {
    "fcm": FuzzyCMeans(),
    "ecm": ECM(focal_sets="pairs"),
    "evclus": EVCLUS(focal_sets="pairs"),
    "egmm": EGMM(focal_sets="pairs"),
}


@dataclass(frozen=True)
class Parameters:
    """All of it is ours."""

    datasets: tuple[str, ...] = knob(
        ("one_class", "two_class", "four_class", "t4", "iris", "wine"), "data sets; also: seeds"
    )
    methods: tuple[str, ...] = knob(tuple(CLUSTERERS), "clusterers")
    n_generated: int = knob(120, "objects of the generated data sets", low=20)
    most_clusters: int = knob(6, "largest number that is tried", low=3)
    n_resamples: int = knob(10, "random halves of the objects", low=2)
    n_repetitions: int = knob(3, "draws of each data set, or of its halves", low=2)
    seed: int = knob(0, "of draws, halves and starts", low=0)


def cases(params):
    return [
        {"dataset": name, "repetition": repetition, "method": method}
        for name in params.datasets
        for repetition in range(params.n_repetitions)
        for method in params.methods
    ]


def compute(params, case):
    """Tables ``opinions``, a row for each criterion, and ``recommendations``, a single one."""
    axes = case["dataset"], case["repetition"]
    X, n_classes = classified(axes[0], params.n_generated, case_rng(params.seed, *axes, "draw"))
    curves = select_n_clusters(
        CLUSTERERS[case["method"]],
        X,
        range(1, params.most_clusters + 1),
        n_resamples=params.n_resamples,
        random_state=case_random_state(params.seed, *axes),
    )
    opinions = [
        {"criterion": one.criterion, "c": one.c, "support": support(one), "clear": one.is_clear}
        for one in curves.opinions
    ]
    told = curves.recommendation
    advice = {"c": told.n_clusters or 0, "confidence": told.confidence}
    return {
        "opinions": pd.DataFrame(opinions).assign(n_classes=n_classes),
        "recommendations": pd.DataFrame([advice]).assign(n_classes=n_classes),
    }


def support(opinion) -> float:
    """Share of the halves that prefer what all objects do; NaN where too few could be fitted."""
    return np.nan if opinion.support is None else opinion.support.value


def classified(name, n, rng) -> tuple[np.ndarray, int]:
    """Standardised attributes of a data set and its number of classes; of those that are drawn, n objects."""
    if name == "one_class":
        return rng.normal(size=(n, 2)), 1
    data = GENERATED[name](n, rng) if name in GENERATED else load(name)
    return StandardScaler().fit_transform(data.X), int(data.y.max()) + 1


experiment = declare(
    __name__,
    title="How far criteria for the number of clusters can be trusted",
    artefacts={ARTEFACT: "Beyond the paper: criteria for the number of clusters where it is known"},
    summaries=(how_often_right, where_right),
    smoke={
        "datasets": ("one_class", "four_class"),
        "methods": ("fcm", "evclus"),
        "n_generated": 48,
        "most_clusters": 5,
        "n_resamples": 3,
        "n_repetitions": 2,
    },
)

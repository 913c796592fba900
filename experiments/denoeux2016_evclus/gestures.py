"""Figures 23 to 25 and the text on the Delft gestures: non-metric dissimilarities of hand movements.

Dynamic time warping of 75 repetitions of 20 signs, n = 1500. The original file is used where CREDALBENCH_DATA
holds it (see ``credalbench/datasets/disdatasets.py``). Otherwise a stand-in is computed: dynamic time warping
of the Libras hand movements (``time_warping.py``), 15 signs with 24 repetitions, n = 360. The claims then ask
whether the paper's findings are found on these, too.

Printed: c = 20, d0 = the 0.2-quantile, the list of k, ten runs for each; RECM "with the same parameters as
above"; EK-NNclus with K = 50 and q = 0.2, ten runs each. Not printed: epsilon (1e-5 as elsewhere), a cap on
sweeps (ours is 300), seeds, and what ``nonmetric_runs.py`` lists.

Adapted to the stand-in: c = 15; the values of k from 400 up fall together into all pairs, k = 359; and K =
16, the same two thirds of a class as 50 of 75. A given k is a larger share of all pairs here than in the
paper: k = 100 is 28 %, not 7 %.
"""

from dataclasses import dataclass

from credalbench.datasets.disdatasets import find_original
from credalbench.runner import Experiment, knob
from experiments.printed import printed_values

from .k_curves import (
    PAIR_UPDATES,
    draw_curves,
    near_the_largest_k,
    nonspecificity_in_range,
)
from .nonmetric_runs import (
    Subject,
    cases_of,
    clusters_found,
    compute_case,
    draw_comparison,
    every_run_arrives,
    faster,
    in_this_order,
    non_euclidean_is_the_reason,
    not_metric,
    recm_is_sure,
    threshold_does_not_matter,
)

PRINTED = printed_values("denoeux2016_evclus", "gestures")
CURVE_FIGURES = ("evclus-fig-23", "evclus-fig-24", "evclus-fig-25")
TEXT = "evclus-txt-04"
PLATEAU = 100  # k from which k-EVCLUS performs as well as EVCLUS, in the paper
DELFT = "the Delft gestures"
SUBJECTS = {
    "delft_gestures": Subject("delft_gestures", "Delft gestures", 1500, 20),
    "libras_warping": Subject("libras_warping", "time warping of Libras movements", 360, 15, DELFT),
}
SUBJECT = SUBJECTS["delft_gestures" if find_original("delft_gestures") else "libras_warping"]
STAND_IN = bool(SUBJECT.stands_in_for)


@dataclass(frozen=True)
class Parameters:
    """The setting of Section 4.2; the cap on sweeps and the seed are ours."""

    k: tuple[int, ...] = knob(
        (30, 50, 100, 200, 300, 400, 500, 1000, 1499), "partners k; n - 1 and above: all pairs", low=1
    )
    n_runs: int = knob(10, "runs of each method and k (Section 4.2)", low=2)
    d0_quantile: float = knob(0.2, "d0 as a quantile of the dissimilarities", low=0.01, high=1.0)
    n_neighbors: int = knob(50, "K of EK-NNclus for classes of class_size objects", low=1)
    class_size: int = knob(75, "objects in a class of the paper; K shrinks with smaller classes", low=1)
    q: float = knob(0.2, "quantile that scales the evidence of EK-NNclus", low=0.01, high=1.0)
    pair_updates: str = knob("one-sided", "row update; one-sided is the published one", choices=PAIR_UPDATES)
    tol: float = knob(1e-5, "threshold of k-EVCLUS and RECM (that of Section 3.2)", low=0.0)
    max_iter: int = knob(300, "cap on the sweeps of k-EVCLUS (ours: the paper has none)", low=1)
    per_class: int = knob(0, "objects of each class; 0: all", low=0, high=24)
    seed: int = knob(0, "of the pairs and the random starts (not stated in the paper)", low=0)


def cases(params):
    return cases_of(SUBJECT, params)


def compute(params, case):
    return compute_case(params, case)


def draw(params, tables):
    headline, n = SUBJECT.headline(params.per_class), SUBJECT.n_used(params.per_class)
    figures = draw_curves(tables["runs"], CURVE_FIGURES, headline, n_objects=n)
    return figures | {TEXT: draw_comparison(tables, headline, PLATEAU)}


ari, seconds, nonspecificity = CURVE_FIGURES
as_well = "as well as EVCLUS for k >= 100, drawn only"
CLAIMS = (
    not_metric(ari, STAND_IN),
    near_the_largest_k(ari, "ari", from_k=PLATEAU, within=0.02, published=as_well, substitute=STAND_IN),
    faster(seconds, PLATEAU, "a significant reduction in training time, drawn only", STAND_IN),
    every_run_arrives(seconds, STAND_IN),
    near_the_largest_k(
        nonspecificity, "nonspecificity", from_k=PLATEAU, within=0.02, published=as_well, substitute=STAND_IN
    ),
    nonspecificity_in_range(nonspecificity, substitute=STAND_IN),
    in_this_order(TEXT, "RECM 0.11 (at most 0.17), EK-NNclus 0.59 (at most 0.66), k-EVCLUS drawn", STAND_IN),
    recm_is_sure(TEXT, PRINTED["recm_nonspecificity"], STAND_IN),
    clusters_found(TEXT, PRINTED["eknnclus_clusters"], SUBJECT.n_clusters, STAND_IN),
    threshold_does_not_matter(TEXT, STAND_IN),
    non_euclidean_is_the_reason(TEXT, STAND_IN),
)

where = " (stand-in data)" if STAND_IN else ""
experiment = Experiment(
    paper="denoeux2016_evclus",
    study="gestures",
    title=f"Delft gestures{where}: k-EVCLUS against k, RECM and EK-NNclus",
    artefacts={
        "evclus-fig-23": f"Delft gestures{where}: adjusted Rand index against k",
        "evclus-fig-24": f"Delft gestures{where}: computing time against k",
        "evclus-fig-25": f"Delft gestures{where}: nonspecificity against k",
        "evclus-txt-04": f"Delft gestures{where}: RECM and EK-NNclus",
    },
    parameters=Parameters,
    cases=cases,
    compute=compute,
    draw=draw,
    claims=CLAIMS,
    smoke={"k": (30, 100, 149), "n_runs": 3, "per_class": 10},
    timed=True,
)

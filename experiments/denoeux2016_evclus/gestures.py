"""Figures 23 to 25 and the text on the Delft gestures: non-metric dissimilarities of hand movements.

Dynamic time warping of 75 repetitions of 20 signs, n = 1500. The original file is used if CREDALBENCH_DATA
contains it (see ``credalbench/datasets/disdatasets.py``). Otherwise a stand-in is computed: dynamic time
warping of the Libras hand movements (``stand_ins.py``), 15 signs with 24 repetitions, n = 360. The claims
then ask whether the paper's findings also hold on these data.

Printed: c = 20, d0 = the 0.2-quantile, the list of k, ten runs for each; RECM "with the same parameters as
above"; EK-NNclus with K = 50 and q = 0.2, ten runs each. Not printed: epsilon (1e-5 as elsewhere), a cap on
sweeps (ours is 300), seeds, and what ``nonmetric_runs.py`` lists.

We adapted these to the stand-in: c = 15; all values of k from 400 on become all pairs, k = 359; and K = 16,
which is two thirds of a class, as 50 is of 75. A given k is a larger share of all pairs here than in the
paper: k = 100 is 28 %, not 7 %.
"""

from dataclasses import dataclass

from credalbench.papers import declare, knob, printed_values

from .shared.k_curves import Plateau
from .shared.nonmetric_claims import claims_on
from .shared.nonmetric_runs import (
    SharedParameters,
    at_hand,
    by_k,
    cases_of,
    comparison,
    compute_case,
    draw_all,
)

ARTEFACTS = {
    "evclus-fig-23": "Delft gestures or their stand-in: adjusted Rand index against k",
    "evclus-fig-24": "Delft gestures or their stand-in: computing time against k",
    "evclus-fig-25": "Delft gestures or their stand-in: nonspecificity against k",
    "evclus-txt-04": "Delft gestures or their stand-in: RECM and EK-NNclus",
}
PLATEAU = int(
    printed_values(__file__)["plateau_k"].value
)  # k from which k-EVCLUS performs as well as EVCLUS, in the paper


@dataclass(frozen=True)
class Parameters(SharedParameters):
    """The setting of Section 4.2 for this data set."""

    k: tuple[int, ...] = knob(
        (30, 50, 100, 200, 300, 400, 500, 1000, 1499), "partners k; n - 1 and above: all pairs", low=1
    )
    d0_quantile: float = knob(0.2, "d0 as a quantile of the dissimilarities", low=0.01, high=1.0)
    class_size: int = knob(75, "objects in a class of the paper; K shrinks with smaller classes", low=1)
    q: float = knob(0.2, "quantile that scales the evidence of EK-NNclus", low=0.01, high=1.0)
    per_class: int = knob(0, "objects of each class; 0: all", low=0, high=24)


def cases(params):
    return cases_of(at_hand("delft_gestures"), params)


compute = compute_case


def draw(params, tables):
    *curve_figures, text = ARTEFACTS
    plateau = Plateau(f"on the gestures, as good as all pairs from k = {PLATEAU}", PLATEAU)
    return draw_all(params, tables, curve_figures, text, plateau)


CLAIMS = claims_on(ARTEFACTS)

experiment = declare(
    __name__,
    title="Delft gestures or their stand-in: k-EVCLUS against k, RECM and EK-NNclus",
    artefacts=ARTEFACTS,
    summaries=(by_k, comparison),
    smoke={"k": (30, 100, 149), "n_runs": 3, "per_class": 10},
    timed=True,
    data=("libras",),
)

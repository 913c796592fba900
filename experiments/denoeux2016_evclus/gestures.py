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

from .shared.k_curves import draw_curves
from .shared.nonmetric_claims import claims_of
from .shared.nonmetric_runs import SharedParameters, Subject, cases_of, compute_case, draw_comparison

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
class Parameters(SharedParameters):
    """The setting of Section 4.2, beside what both data sets share."""

    k: tuple[int, ...] = knob(
        (30, 50, 100, 200, 300, 400, 500, 1000, 1499), "partners k; n - 1 and above: all pairs", low=1
    )
    d0_quantile: float = knob(0.2, "d0 as a quantile of the dissimilarities", low=0.01, high=1.0)
    class_size: int = knob(75, "objects in a class of the paper; K shrinks with smaller classes", low=1)
    q: float = knob(0.2, "quantile that scales the evidence of EK-NNclus", low=0.01, high=1.0)
    per_class: int = knob(0, "objects of each class; 0: all", low=0, high=24)


def cases(params):
    return cases_of(SUBJECT, params)


def compute(params, case):
    return compute_case(params, case)


def draw(params, tables):
    headline, n = SUBJECT.headline(params.per_class), SUBJECT.n_used(params.per_class)
    figures = draw_curves(tables["runs"], CURVE_FIGURES, headline, n_objects=n)
    return figures | {TEXT: draw_comparison(tables, headline, PLATEAU)}


CLAIMS = claims_of(
    SUBJECT,
    CURVE_FIGURES,
    TEXT,
    PRINTED,
    plateau=PLATEAU,
    published={
        "plateau": "as well as EVCLUS for k >= 100, drawn only",
        "time": "a significant reduction in training time, drawn only",
        "order": "RECM 0.11 (at most 0.17), EK-NNclus 0.59 (at most 0.66), k-EVCLUS drawn",
    },
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

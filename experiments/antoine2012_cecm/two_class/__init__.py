"""Figures 1 to 5: what a few constraints do on data whose classes geometry does not show.

Four round groups at the corners of a square; each class is the pair on one side, so that the true boundary is
vertical. ECM with the Euclidean metric cuts the square along a diagonal. With an adaptive metric it joins two
neighbouring groups, which are the right ones only by chance. Ten random constraints should decide.

Printed: the recipe of the data, rho^2 = 100, the number of constraints (Section 5.2.1); alpha = 1, xi = 0.5
(Section 5.1.5). Not printed: sample, starts, constraints, tolerance. One run of each is shown in the paper;
we take 100 draws of data and constraints, and each has the same random starts for every method: one object
for each prototype. The tolerance is small, since at 1e-3 one run in two hundred stops near a saddle, with a
boundary halfway between two minima.

The start matters more than the constraints: alternating minimisation does not leave the side on which it
begins, and there only the constrained objects satisfy the constraints. The effect of constraints from one
start is compared with ECM without them, on the same draw from the same objects.

Figures show draw 0. Figures 3 to 5 of the paper have one panel each; ours have one for the first start of
each kind of boundary, since the text speaks of all of them.

Figure 2 is a sketch without coordinates, whose first panel shows objects alone; ours shows what CECM makes of
them without constraints. It has four small groups at the corners of a flat rectangle, the classes being the
long sides: geometry joins the short sides. Constraints that agree with this are useless; those along and
across the long sides turn it.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.cluster import CECM, ECM
from credalbench.core.constraints import PairwiseConstraints
from credalbench.datasets import make_two_class_cecm
from credalbench.metrics import rand_index
from credalbench.papers import case_random_state, case_rng, declare, knob

from ..shared.protocol import draw_constraints
from .claims import boundary_kind
from .figures import draw_classes, draw_sketch, draw_views

METHODS = ("ecm_euclidean", "ecm_mahalanobis", "cecm_mahalanobis")
CORNERS = np.array([[0.0, 0.0], [0.0, 3.0], [8.0, 0.0], [8.0, 3.0]])  # of the sketch
GROUP = 12  # objects in each group of the sketch


@dataclass(frozen=True)
class Parameters:
    """The setting of Section 5.2.1."""

    n_objects: int = knob(400, "number of objects n, a quarter in each group (Table 4)", low=16)
    n_constraints: int = knob(10, "random pairs (Section 5.2.1)", low=1)
    rho2: float = knob(100.0, "squared outlier distance, to the empty set (Section 5.2.1)", low=0.01)
    alpha: float = knob(1.0, "penalty of large sets: exponent of their size (Section 5.1.5)")
    xi: float = knob(0.5, "weight of the constraints, 0 to 1 (Section 5.1.5)", low=0.0, high=0.999)
    n_draws: int = knob(100, "draws of data and constraints (the paper shows one)", low=1)
    n_starts: int = knob(10, "random starts on each draw (not stated in the paper)", low=1)
    tol: float = knob(1e-6, "no prototype moves further, relative to the spread (not stated)", low=0.0)
    seed: int = knob(0, "seed of data, constraints and starts (not stated)", low=0)


def cases(params):
    draws = [{"part": "draws", "repetition": number} for number in range(params.n_draws)]
    return [*draws, {"part": "sketch", "repetition": 0}]


def compute(params, case):
    if case["part"] == "sketch":
        return sketch(params)
    number = case["repetition"]
    data = make_two_class_cecm(
        params.n_objects, case_rng(params.seed, "two_class", params.n_objects, number, "data")
    )
    rng = case_rng(params.seed, "two_class", params.n_constraints, number, "constraints")
    constraints = draw_constraints(data.y, params.n_constraints, rng)
    fits = {
        (method, start): fit(params, method, data.X, constraints, number, start)
        for method in METHODS
        for start in range(params.n_starts)
    }
    tables = {"runs": pd.DataFrame([run_row(*key, model, data.y) for key, model in fits.items()])}
    return tables | shown(fits, data.X, data.y, constraints) if number == 0 else tables


def fit(params, method, X, constraints, number, start):
    """Return one run from one random start, the same objects for every method."""
    options = {
        "alpha": params.alpha,
        "delta": params.rho2**0.5,
        "metric": method.split("_")[1],
        "init": "random",
        "n_init": 1,
        "tol": params.tol,
        "random_state": case_random_state(params.seed, "two_class", number, "start", start),
    }
    if method.startswith("ecm"):
        return ECM(2, beta=2.0, **options).fit(X)
    links = {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}
    return CECM(2, xi=params.xi, **options).fit(X, **links)


def boundary(model):
    """Return the direction in degrees of the boundary between the prototypes: 0 horizontal, 90 vertical."""
    dx, dy = model.cluster_centers_[1] - model.cluster_centers_[0]
    return float((np.degrees(np.arctan2(dy, dx)) + 90) % 180)


def run_row(method, start, model, y):
    return {
        "method": method,
        "start": start,
        "ri": rand_index(y, model.labels_),
        "objective": model.objective_,
        "boundary_deg": boundary(model),
        "n_violated": len(model.violated_) if hasattr(model, "violated_") else 0,
        "n_iter": model.n_iter_,
        "converged": model.converged_,
    }


def shown(fits, X, y, constraints):
    """Return what the figures need: for each method the first start of each kind of boundary."""
    chosen = {}
    for (method, start), model in fits.items():
        chosen.setdefault((method, boundary_kind(boundary(model))), (start, model))
    objects, centres = [], []
    for (method, kind), (start, model) in chosen.items():
        view = {"method": method, "kind": kind, "start": start}
        objects.append(object_table(X, y, model).assign(**view))
        places = pd.DataFrame(model.cluster_centers_, columns=["x", "y"]).assign(**view)
        centres.append(places.assign(ri=rand_index(y, model.labels_), objective=model.objective_))
    return {
        "objects": pd.concat(objects, ignore_index=True),
        "prototypes": pd.concat(centres, ignore_index=True),
        "constraints": constraint_table(constraints),
    }


def object_table(X, y, model):
    table = pd.DataFrame({"object": np.arange(1, len(X) + 1), "class": y, "x": X[:, 0], "y": X[:, 1]})
    return table.join(model.partition_.to_frame("masses"))


def constraint_table(constraints):
    pairs = np.vstack([constraints.must_link, constraints.cannot_link])
    kinds = ["must-link"] * len(constraints.must_link) + ["cannot-link"] * len(constraints.cannot_link)
    return pd.DataFrame({"kind": kinds, "i": pairs[:, 0] + 1, "j": pairs[:, 1] + 1})


# ------------------------------------------------------------------------------------------ the sketch


def sketch(params):
    """Draw Figure 2: no constraints, useless ones, informative ones; the start of lowest objective."""
    rng = case_rng(params.seed, "sketch")
    group = np.repeat(np.arange(4), GROUP)
    X = CORNERS[group] + 0.6 * rng.standard_normal((4 * GROUP, 2))
    y = group % 2  # the class is the long side, top or bottom
    pairs = {  # objects GROUP * g, ... belong to group g
        "no constraints": ([], []),
        "useless": ([(0, 1), (12, 13), (24, 25), (36, 37)], [(2, 38), (14, 26)]),
        "informative": ([(0, 24), (12, 36)], [(2, 14), (26, 38), (3, 39), (15, 27)]),
    }
    state = case_random_state(params.seed, "sketch", "start")
    objects, links, summary = [], [], []
    for panel, (must, cannot) in pairs.items():
        constraints = PairwiseConstraints(len(X), must or None, cannot or None)
        model = CECM(
            2, xi=params.xi, delta=20.0, metric="mahalanobis", init="random", n_init=10, random_state=state
        ).fit(X, must_link=constraints.must_link, cannot_link=constraints.cannot_link)
        objects.append(object_table(X, y, model).assign(panel=panel))
        links.append(constraint_table(constraints).assign(panel=panel))
        summary.append({"panel": panel, "ri": rand_index(y, model.labels_)})
    return {
        "sketch_objects": pd.concat(objects, ignore_index=True),
        "sketch_constraints": pd.concat(links, ignore_index=True),
        "sketch": pd.DataFrame(summary),
    }


def draw(params, tables):
    return {
        "cecm-fig-01": draw_classes(tables["objects"]),
        "cecm-fig-02": draw_sketch(tables),
        "cecm-fig-03": draw_views(tables, "ecm_euclidean"),
        "cecm-fig-04": draw_views(tables, "ecm_mahalanobis"),
        "cecm-fig-05": draw_views(tables, "cecm_mahalanobis"),
    }


experiment = declare(
    __name__,
    title="What ten constraints do on the two-class data",
    artefacts={
        "cecm-fig-01": "Two-class data",
        "cecm-fig-02": "Useless and informative constraints",
        "cecm-fig-03": "ECM with the Euclidean metric",
        "cecm-fig-04": "ECM with an adaptive metric",
        "cecm-fig-05": "CECM with an adaptive metric and ten constraints",
    },
    smoke={"n_draws": 4, "n_starts": 3},
)

"""Tables 5 and 6 of [antoine2012_cecm]: the Rand index against xi and the number of constraints.

Draws of 20, 50, 100 and 200 random constraints on Iris (adaptive metric), Wine (Euclidean) and Glass
(adaptive), each draw with ten values of xi from 0 to 0.9. All xi have the same draws. Data, starting
prototypes and delta are those of ``shared/protocol.py``. The paper has 100 draws, and so does each cell here.
Each draw is fitted in two ways:

- *interior point*: the masses come from an interior-point method, as in the paper. The paper does not print
  when such a step and the iterations end; both end as in the R program that two of the authors wrote later
  (``shared/interior_point.py``, ``shared/paths.py``). The printed tables are compared with these.
- *ours*: `CECM`, whose masses are at a minimum, on the first 50 draws. Its objective is lower, and shows the
  effect of where the mass step ends.
"""

import warnings
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd

from credalbench.cluster import CECM
from credalbench.metrics import rand_index
from credalbench.papers import case_rng, declare, knob
from credalbench.plots import curve_with_errors, new_figure
from credalbench.plots.style import INK, LABEL_SIZE, TICK_SIZE, colour, marker

from ..shared.interior_point import InteriorPoint
from ..shared.paths import cecm_path, settled_labels
from ..shared.protocol import draw_constraints, prepared, starting_prototypes
from .claims import INTERIOR, METRICS, NAMES, OURS, TABLES, printed_cell, side_by_side


@dataclass(frozen=True)
class Parameters:
    """The paper's values; threshold and seed are ours."""

    n_constraints: tuple[int, ...] = knob((20, 50, 100, 200), "constraints C (Tables 5 and 6)", low=1)
    xi: tuple[float, ...] = knob(
        (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
        "weights of the constraints, 0 to 1",
        low=0.0,
        high=0.99,
    )
    n_trials: int = knob(100, "draws of the constraints for each C (Tables 5 and 6: 100)", low=2)
    n_own_trials: int = knob(50, "of these draws, how many are fitted by our mass step, too (ours)", low=2)
    tol: float = knob(1e-3, "stopping threshold of ours, share of the data's spread (not stated)", low=0.0)
    max_iter: int = knob(1000, "cap on iterations (ours)", low=1)
    seed: int = knob(0, "seed of the drawn constraints (not stated)", low=0)


def cases(params):
    """Return one case per cell: data set, C and xi."""
    return [
        {"dataset": dataset, "n_constraints": C, "xi": xi}
        for dataset, C, xi in product(METRICS, params.n_constraints, params.xi)
    ]


def compute(params, case):
    """Compute the draws of a cell: table ``runs``, one row per fit."""
    dataset, C, xi = case["dataset"], case["n_constraints"], case["xi"]
    y, rows, labels = prepared(dataset).y, [], {}
    for trial in range(params.n_trials):
        constraints = draw_constraints(y, C, case_rng(params.seed, dataset, C, trial))
        for way in (INTERIOR, OURS) if trial < params.n_own_trials else (INTERIOR,):
            if xi or not trial:  # without weight the constraints change nothing: one fit stands for all draws
                labels[way] = WAYS[way](params, dataset, constraints, xi)
            n_violated = len(constraints.violated(labels[way]))
            ri = rand_index(y, labels[way])
            rows.append({"repetition": trial, "way": way, "ri": ri, "n_violated": n_violated})
    return {"runs": pd.DataFrame(rows)}


def by_interior_point(params, dataset: str, constraints, xi: float) -> np.ndarray:
    """Return the labels (n,) of CECM with interior-point masses."""
    start = starting_prototypes(dataset)
    path = cecm_path(prepared(dataset), start, constraints, METRICS[dataset], xi, InteriorPoint)
    return settled_labels(path, start)


def by_ours(params, dataset: str, constraints, xi: float) -> np.ndarray:
    """Return the labels (n,) of `CECM`."""
    X, _, c, delta = prepared(dataset)
    model = CECM(
        c,
        xi=xi,
        alpha=1.0,
        delta=delta,
        metric=METRICS[dataset],
        init=starting_prototypes(dataset),
        tol=params.tol,
        max_iter=params.max_iter,
    )
    links = {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # singular covariances
        return model.fit(X, **links).labels_


WAYS = {INTERIOR: by_interior_point, OURS: by_ours}

# ---------------------------------------------------------------- drawing


IN_WORDS = {INTERIOR: "interior-point masses", OURS: "our mass step"}


def draw(params, tables):
    return {
        artefact: draw_table(tables["runs"], [C for C in params.n_constraints if C in counts])
        for artefact, counts in TABLES.items()
    }


def draw_table(runs: pd.DataFrame, counts: list[int]):
    """Draw means with 95 % intervals at the numbers of constraints `counts`."""
    figure = new_figure(9.6, 3.9)
    axes = figure.subplots(1, len(METRICS), sharey=True)
    shown = runs[runs["n_constraints"].isin(counts)]
    for ax, dataset in zip(axes, METRICS):
        part = shown[shown["dataset"] == dataset]
        if part.empty:
            continue
        part = part.sort_values("way", key=lambda way: way == OURS, kind="stable")
        part = part.assign(C="C = " + part["n_constraints"].astype(str) + ", " + part["way"].map(IN_WORDS))
        curve_with_errors(ax, part, "xi", "ri", "C", "mean-ci", title=NAMES[dataset])
        for k, C in enumerate(counts):
            draw_printed(ax, dataset, C, part["xi"].unique(), k)
        ax.set_xlabel(r"weight of the constraints $\xi$", fontsize=LABEL_SIZE, color=INK)
        ax.set_ylabel("")
        ax.get_legend().remove()
    axes[0].set_ylabel("Rand index, mean with 95 % interval", fontsize=LABEL_SIZE, color=INK)
    handles, labels = axes[0].get_legend_handles_labels()
    options = {"frameon": False, "fontsize": TICK_SIZE, "ncols": 3, "handlelength": 3.0}
    if handles:
        figure.legend(handles, labels, loc="outside lower center", **options)
    return figure


def draw_printed(ax, dataset, C, weights, k):
    """Draw the printed means at some xi as rings, in look number k."""
    printed = {xi: cell.value for xi in weights if (cell := printed_cell("ri", dataset, C, xi))}
    look = {
        "markerfacecolor": "none",
        "markeredgecolor": colour(k),
        "markersize": 9.5,
        "markeredgewidth": 1.1,
    }
    ax.plot(list(printed), list(printed.values()), marker(k), label=f"C = {C}, printed", **look)


experiment = declare(
    __name__,
    title="CECM: Rand index against the weight and the number of random constraints",
    artefacts={
        "cecm-tab-05": "Rand index against xi, 20 and 50 random constraints",
        "cecm-tab-06": "Rand index against xi, 100 and 200 random constraints",
    },
    summaries=(side_by_side,),
    smoke={"n_trials": 3, "n_constraints": (20, 200), "xi": (0.0, 0.1, 0.5)},
    data=("iris_uci", "glass"),
)

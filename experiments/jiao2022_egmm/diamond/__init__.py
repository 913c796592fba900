"""Figures 1 to 3 and Table 2: eleven points in two wings, with one of them in between.

A Gaussian mixture has to assign object 6 to one wing or the other, or half to each. EGMM has mass on the set
of both. Both are run with two clusters; EBIC is computed for two to six.

The coordinates are lost with the figure. They are rebuilt as a butterfly, and their unit is such that EBIC
with two clusters is the printed value. A change of the unit shifts EBIC by the same number for every c, so
the values for the other c, and all statements on memberships, are not fitted. The printed values have lost
their minus signs (see the study ``printed_tables``).

Not printed: the focal sets (all non-empty ones and sets of at most two clusters with the frame are both run;
only the former fit the table), the threshold, the number of starts, and a ridge. The authors' program starts
once from k-means, adds 0.01 to the variances within the densities, and stops where the log-likelihood gains
less than 0.001. We do so 100 times, and take the value at which most starts end. The best of many starts
would mislead: with 11 objects on three lines the likelihood of many components has no bound, and the higher a
start ends, the nearer it is to a singular covariance. The paper has one run.

The Gaussian mixture is that of Matlab's fitgmdist: covariances of single components, objects chosen by
k-means++ as first means, and the same ridge, which the printed results in Tables 7 and 8 need. In figures
cluster 1 is the left one.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.belief import CredalPartition, FocalSets
from credalbench.datasets import load
from credalbench.papers import case_random_state, declare, knob
from credalbench.plots import component_ellipses, mass_curves, new_figure
from credalbench.plots.style import INK, MUTED, PALETTE, TICK_SIZE, colour, style_axes

from ..shared.pictures import ebic_picture
from ..shared.starts import egmm, gaussian_mixture, usual
from .claims import OBJECT, PRINTED, SHOWN, ends_of_starts, runs_of_both, usual_ebic

LEFT, RIGHT = range(0, 5), range(6, 11)  # objects 1 to 5 and 7 to 11


@dataclass(frozen=True)
class Parameters:
    """What Section 4.1.1 fixes, and what it leaves open."""

    n_clusters: tuple[int, ...] = knob((2, 3, 4, 5, 6), "numbers of clusters c (Table 2)", low=2, high=10)
    n_starts: int = knob(100, "starts from k-means, of which the usual one counts (ours)", low=2)
    reg_covar: float = knob(0.01, "ridge of the covariance (authors' program, not in the paper)", low=0.0)
    tol: float = knob(1e-3, "EM stops below this gain of the log-likelihood (authors' program)", low=0.0)
    seed: int = knob(0, "seed of the starts (not stated)", low=0)


def cases(params):
    """Return all starts of one number of clusters and kind of focal sets; both kinds agree up to c = 3."""
    fits = [
        {"method": "egmm", "c": c, "focal_sets": focal_sets}
        for c in params.n_clusters
        for focal_sets in ("full", "pairs")
        if focal_sets == "full" or c > 3
    ]
    return [*fits, {"method": "gmm", "c": SHOWN, "focal_sets": "clusters"}]


def compute(params, case):
    """Compute the table ``runs``, one row for each start; with two clusters also what the usual one found."""
    X, c = load("egmm_diamond").X, case["c"]
    fits = [fit(params, case, X, start) for start in range(params.n_starts)]
    runs = pd.DataFrame([run_row(X, start, *found) for start, found in enumerate(fits)])
    if c != SHOWN:
        return {"runs": runs}
    value = "ebic" if case["method"] == "egmm" else "log_likelihood"
    centre = usual(runs[value])
    start = (runs[value] - centre).abs().idxmin() if np.isfinite(centre) else 0
    return {"runs": runs} | shown(X, start, fits[start][0])


def fit(params, case, X, start):
    """Return one start: the model, or None and the reason why there is none."""
    c, seed = case["c"], case_random_state(params.seed, "diamond", case["c"], start)
    try:
        if case["method"] == "gmm":
            return gaussian_mixture(X, c, seed, reg_covar=params.reg_covar), ""
        return egmm(params, X, c, seed, focal_sets=case["focal_sets"]), ""
    except ValueError as error:  # a singular covariance
        return None, str(error)


def run_row(X, start, model, reason):
    """Return the end of a start: EBIC of an evidential mixture, masses of `OBJECT`, centres of both wings."""
    row = {"start": start, "status": "failed" if model is None else "ok", "reason": reason}
    if model is None:
        empty = dict.fromkeys(("ebic", "log_likelihood", "single", "both", "off_wing"), np.nan)
        return row | empty | {"n_iter": 0, "converged": False}
    if hasattr(model, "partition_"):
        partition, centres = model.partition_, model.cluster_centers_
        row |= {"ebic": model.ebic_, "log_likelihood": model.log_likelihood_}
    else:
        partition, centres = singletons(model.predict_proba(X)), model.means_
        row |= {"ebic": np.nan, "log_likelihood": model.score(X) * len(X)}
    masses, several = partition.masses[OBJECT - 1], partition.focal_sets.cardinality > 1
    wings = np.array([X[list(side)].mean(axis=0) for side in (LEFT, RIGHT)])
    nearest = np.linalg.norm(wings[:, None] - centres, axis=2).min(axis=1)
    return row | {
        "single": masses[~several].max(),
        "both": masses[several].sum(),
        "off_wing": nearest.max(),
        "n_iter": model.n_iter_,
        "converged": model.converged_,
    }


def singletons(probabilities):
    """Return posterior probabilities (n, c) as a credal partition on single clusters."""
    c = probabilities.shape[1]
    return CredalPartition(probabilities, FocalSets.up_to(c, 1, empty=False, omega=False))


def shown(X, start, model):
    """Return objects with their masses, and centres, of one start; clusters from left to right."""
    if model is None:
        return {}
    evidential = hasattr(model, "partition_")
    centres = model.cluster_centers_ if evidential else model.means_
    order = np.argsort(centres[:, 0])
    focal_sets = FocalSets.full(SHOWN, empty=False)
    partition = model.partition_ if evidential else singletons(model.predict_proba(X))
    masses = partition.on(focal_sets).masses[:, [*order, *range(SHOWN, len(focal_sets))]]
    objects = pd.DataFrame({"object": np.arange(1, len(X) + 1), "x": X[:, 0], "y": X[:, 1]})
    objects = objects.join(pd.DataFrame(masses, columns=focal_sets.labels)).assign(start=start)
    covariances = np.broadcast_to(model.covariances_, (SHOWN, 2, 2))[order]
    places = pd.DataFrame(centres[order], columns=["x", "y"]).assign(start=start)
    places.insert(0, "cluster", np.arange(1, SHOWN + 1))
    names = {"xx": (0, 0), "xy": (0, 1), "yy": (1, 1)}
    return {
        "objects": objects,
        "centres": places.assign(**{k: covariances[:, *ij] for k, ij in names.items()}),
    }


# ---------------------------------------------------------------- drawing


FOCAL_SETS = FocalSets.full(SHOWN, empty=False)
SINGLE = FocalSets.up_to(SHOWN, 1, empty=False, omega=False)
NAMES = {"full": "all non-empty sets", "pairs": "at most two clusters,\nand the frame"}
TITLES = {"gmm": "Gaussian mixture", "egmm": "EGMM"}


def draw(params, tables):
    figures = {"egmm-fig-1": draw_points(tables["objects"])}
    for artefact, method in (("egmm-fig-2", "gmm"), ("egmm-fig-3", "egmm")):
        if (tables["objects"]["method"] == method).any():
            figures[artefact] = draw_result(tables, method)
    return figures | {"egmm-tab-02": draw_ebic(tables)}


def draw_points(objects):
    """Draw Figure 1: the objects with their numbers."""
    figure = new_figure(5.6, 2.9)
    ax = figure.subplots()
    first = objects.drop_duplicates("object")
    ax.plot(first["x"], first["y"], "o", ms=7, color=PALETTE[0], markeredgecolor="white")
    _number(ax, first)
    _finish(ax, f"Diamond: {len(first)} objects")
    return figure


def draw_result(tables, method):
    """Draw Figures 2 and 3: centres and ellipses, and the masses of all objects."""
    objects, places = (tables[name][tables[name]["method"] == method] for name in ("objects", "centres"))
    figure = new_figure(11.0, 3.3)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.05))
    left.plot(objects["x"], objects["y"], "o", ms=6, color=MUTED, markeredgecolor="white")
    _number(left, objects)
    covariances = places[["xx", "xy", "xy", "yy"]].to_numpy().reshape(-1, 2, 2)
    component_ellipses(left, places[["x", "y"]], covariances, SINGLE)
    for k, place in enumerate(places.itertuples()):
        left.plot(place.x, place.y, "X", ms=11, color=colour(k), markeredgecolor="white", zorder=6)
    _finish(left, f"{TITLES[method]}: centres")
    masses = CredalPartition(objects[list(FOCAL_SETS.labels)].to_numpy(), FOCAL_SETS)
    mass_curves(right, masses, title=f"{TITLES[method]}: masses")
    return figure


def draw_ebic(tables):
    """Draw Table 2: where all starts end, and where most of them do."""
    printed = {c: PRINTED[f"ebic_{c}"].value for c in range(2, 7)}
    title = "Diamond: EBIC of all starts, lines through the medians"
    figure = ebic_picture(runs_of_both(tables), NAMES, printed, title, "median")
    usual = usual_ebic(tables).dropna()
    ax = figure.axes[0]
    look = {"ms": 10, "color": INK, "markeredgewidth": 1.4, "zorder": 5}
    ax.plot(usual.index, usual, "_", label="where most starts end,\nall non-empty sets", **look)
    ax.legend(*ax.get_legend_handles_labels(), loc="lower left", frameon=False, fontsize=TICK_SIZE)
    return figure


def _number(ax, objects):
    for row in objects.itertuples():
        look = {"fontsize": TICK_SIZE + 1, "color": INK if row.object == OBJECT else MUTED}
        ax.annotate(str(row.object), (row.x, row.y), (5, 5), textcoords="offset points", **look)


def _finish(ax, title):
    style_axes(ax, title=title, xlabel="attribute 1", ylabel="attribute 2", grid="both")
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.09)


experiment = declare(
    __name__,
    title="Diamond: an object between two clusters",
    artefacts={
        "egmm-fig-1": "Diamond",
        "egmm-fig-2": "Diamond by a Gaussian mixture",
        "egmm-fig-3": "Diamond by EGMM",
        "egmm-tab-02": "EBIC of Diamond against the number of clusters",
    },
    summaries=(ends_of_starts,),
    smoke={"n_starts": 20, "n_clusters": (2, 3, 4)},
)

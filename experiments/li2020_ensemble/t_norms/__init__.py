"""Figure 2: closures on two half-rings, which the combined masses alone do not separate.

Printed: the settings of Section 4.1.2, and the results in words, without numbers. The data are lost: the
paper gives neither size nor generator nor file. Two sets stand in for them, and no result counts as agreement
with the paper:

- *half-rings*, drawn anew for each ensemble by the generator of two interlocked arcs that the authors' R
  package documents (``make_half_rings``). How far its noise lets the arcs stay apart is open, so it is
  swept; the package's default is 1.
- *Jain*, a file of two arcs of 276 and 97 objects, the published descendant of the first half-rings.

Each ensemble is used without closure and closed under the three t-norms; all four share the bases. For
comparison: ECM with two clusters, the best of several starts (are the half-rings difficult?), single linkage
of the objects themselves (is one chain of objects enough to join the arcs?), and, for the half-rings, the
nearer of the two arcs that they are drawn from (how much can be found at all, where noise mixes them?).
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import cdist, pdist

from credalbench.cluster import ECM
from credalbench.core.intervals import mean
from credalbench.datasets import load, make_half_rings
from credalbench.metrics import adjusted_rand, misclassified
from credalbench.papers import case_random_state, case_rng, declare, knob, printed_values
from credalbench.plots import new_figure
from credalbench.plots.style import MUTED, colour, legend_outside, line_style, marker, style_axes

from ..shared.ensembles import CLOSURES, TITLES, bases_of, consensus_of
from ..shared.pictures import first_panels, panel, panels_table, partition_panel
from .claims import FIG, JAIN, NOISE, RINGS, SHOWN_NOISE, STAND_INS, by_closure, of, other

PRINTED = {name: value.value for name, value in printed_values(__file__).items()}


@dataclass(frozen=True)
class Parameters:
    """What Section 4.1.2 fixes, and what it leaves open."""

    n_clusters: int = knob(int(PRINTED["n_clusters"]), "clusters k_r of the consensus (Section 4.1.2)", low=2)
    base_n_clusters: int = knob(
        int(PRINTED["base_n_clusters"]), "clusters k_b of each base (Section 4.1.2)", low=3
    )
    n_estimators: int = knob(int(PRINTED["n_estimators"]), "number N of bases (Section 4.1.2)", low=2)
    pair_neighbors: int = knob(
        int(PRINTED["pair_neighbors"]),
        "nearest clusters K whose pairs become focal sets (Section 4.1.1)",
        low=1,
    )
    delta_quantile: float = knob(
        PRINTED["delta_quantile"], "delta as a quantile of the distances (Section 4.1.2)", low=0.01, high=1.0
    )
    n_objects: int = knob(400, "number of objects n of the half-rings (not stated)", low=40)
    noises: tuple[float, ...] = knob(
        (SHOWN_NOISE, 0.75, 1.0), "deviations of the noise of the half-rings (not stated)", low=0.0
    )
    n_init: int = knob(3, "starts of the consensus (not stated)", low=1)
    n_ensembles: int = knob(10, "ensembles (one is shown in the paper)", low=2)
    seed: int = knob(0, "seed of data and starts (not stated)", low=0)


def cases(params):
    rings = [{"dataset": RINGS, "noise": noise} for noise in params.noises]
    return [
        place | {"repetition": number}
        for place in [*rings, {"dataset": JAIN, "noise": 0.0}]
        for number in range(params.n_ensembles)
    ]


def compute(params, case):
    """Compute the table ``closures``, a row for each; of the first ensembles also what the figures show."""
    data = data_of(params, case)
    seed = case_random_state(params.seed, case["dataset"], case["repetition"], "start")
    bases = bases_of(params, data.X, params.base_n_clusters, seed)
    models = {name: consensus_of(params, bases, seed, t_norm=t_norm) for name, t_norm in CLOSURES.items()}
    unclosed = models["none"].partition_.labels("plausibility")
    rows = [closure_row(name, model, data.y, unclosed) for name, model in models.items()]
    others = alone(params, data, seed) | {"ari_nearer": nearer_arc(case, data)}
    tables = {"closures": pd.DataFrame(rows), "alone": pd.DataFrame([others])}
    if case["repetition"] == 0 and case["noise"] in (0.0, SHOWN_NOISE):
        tables["objects"] = panels_table(bases[0], models)
        tables["data"] = pd.DataFrame({"class": data.y, "x": data.X[:, 0], "y": data.X[:, 1]})
    return tables


def data_of(params, case):
    """Return the file, or the draw of the half-rings of a repetition; its noise alone is scaled."""
    if case["dataset"] == JAIN:
        return load("jain")
    rng = case_rng(params.seed, RINGS, case["repetition"])
    return make_half_rings(params.n_objects, rng, noise=case["noise"])


def closure_row(name, model, y, unclosed):
    """Compute the agreement with the arcs, and with the partition without closure."""
    partition, labels = model.partition_, model.partition_.labels("plausibility")
    return {
        "closure": name,
        "ari": adjusted_rand(y, labels),
        "n_misplaced": misclassified(y, labels),
        "ari_to_none": adjusted_rand(unclosed, labels),
        "nonspecificity": partition.nonspecificity(),
        "credal_rand": model.credal_rand_,
        "stress": model.objective_,
        "converged": model.converged_,
    }


def alone(params, data, seed):
    """Fit other methods to the same objects: ECM with as many clusters, and single linkage; ARI."""
    delta = float(np.quantile(pdist(data.X), params.delta_quantile))
    options = {"beta": 2.0, "delta": delta, "focal_sets": "full", "n_init": params.n_init}
    model = ECM(params.n_clusters, random_state=seed, **options).fit(data.X)
    chains = fcluster(linkage(data.X, "single"), params.n_clusters, "maxclust")
    return {
        "ari_ecm": adjusted_rand(data.y, model.partition_.labels("plausibility")),
        "ari_single": adjusted_rand(data.y, chains),
    }


def nearer_arc(case, data):
    """Return the adjusted Rand index of the nearer of the two arcs without noise; NaN for the file."""
    if case["dataset"] == JAIN:
        return np.nan
    arcs = make_half_rings(1000, 0, noise=0.0)
    nearest = cdist(data.X, arcs.X).argmin(axis=1)
    return adjusted_rand(data.y, arcs.y[nearest])


# ---------------------------------------------------------------- drawing


#: The panels in the order of the paper.
PANELS = ("minimum", "lukasiewicz", "product", "none")


def draw(params, tables):
    figures = {
        artefact: draw_partitions(params, tables, dataset, title)
        for artefact, (dataset, title) in STAND_INS.items()
        if dataset in set(tables["data"]["dataset"])
    }
    return figures | {NOISE: draw_noise(params, tables)}


def draw_partitions(params, tables, dataset, name):
    """Draw the data, a base, and the partitions after each closure, of the first ensemble."""
    figure = new_figure(10.6, 12.0 if dataset == RINGS else 9.6)
    axes = figure.subplots(3, 2).ravel()
    data, objects = (tables[key][tables[key]["dataset"] == dataset] for key in ("data", "objects"))
    title = f"{name[0].upper()}{name[1:]} (stand-in)"
    X, y = first_panels(axes, data, objects, title, params.base_n_clusters)
    for letter, ax, closure in zip("cdef", axes[2:], PANELS):
        found = of(tables, dataset, closure).loc[0, "ari"]
        words = "No closure" if closure == "none" else f"{TITLES[closure].capitalize()} closure"
        title = f"({letter}) {words}: ARI {found:.2f}"
        partition_panel(ax, X, y, panel(objects, closure), params.n_clusters, title, hulls=False)
    return figure


def draw_noise(params, tables):
    """Draw the adjusted Rand index of each closure against the noise: means with 95 % intervals, and runs."""
    figure = new_figure(7.6, 4.2)
    ax = figure.subplots()
    noises = sorted(params.noises)
    for k, closure in enumerate(CLOSURES):
        runs = [of(tables, RINGS, closure, noise)["ari"] for noise in noises]
        draw_line(ax, k, noises, runs, f"{TITLES[closure]} closure".replace("none", "no"))
    others = {"ari_single": "single linkage of the objects", "ari_nearer": "the nearer arc, were both known"}
    for k, (column, label) in enumerate(others.items(), start=len(CLOSURES)):
        draw_line(ax, k, noises, [other(tables, RINGS, column, noise) for noise in noises], label)
    style_axes(
        ax,
        title="Half-rings (stand-in): how much noise each closure bears",
        xlabel="standard deviation of the noise (radius 5)",
        ylabel="adjusted Rand index",
    )
    ax.axhline(0, color=MUTED, linewidth=0.6)
    ax.set_xticks(noises)
    legend_outside(ax)
    return figure


def draw_line(ax, k, noises, runs, label):
    """Draw means with intervals, and the runs."""
    step = 0.03 * (max(noises) - min(noises) or 1.0)
    at = [noise + step * (k - 2) for noise in noises]
    found = [mean(values) for values in runs]
    reach = [e.value - e.low for e in found]
    look = {"color": colour(k), "marker": marker(k), "linestyle": line_style(k), "capsize": 2, "label": label}
    ax.errorbar(at, [e.value for e in found], reach, ms=6, markeredgecolor="white", zorder=3, **look)
    for place, values in zip(at, runs):
        dots = {"color": colour(k), "ms": 3, "alpha": 0.4, "markeredgewidth": 0, "zorder": 2}
        ax.plot([place] * len(values), values, marker(k), **dots)


experiment = declare(
    __name__,
    title="Half-rings under transitive closures (stand-in data)",
    artefacts={
        FIG: "Half-rings (stand-in): data, a base, and the consensus after each closure",
        f"{FIG}-jain": "Jain (stand-in): data, a base, and the consensus after each closure",
        NOISE: "Half-rings (stand-in): what noise lets each closure find",
    },
    summaries=(by_closure,),
    smoke={"n_ensembles": 2, "n_estimators": 4, "n_init": 1, "n_objects": 100, "noises": (SHOWN_NOISE, 1.0)},
    data=("jain",),
)

"""Algorithm 1 and Sections II and III: what is said of the two steps, checked on fitted models.

Each run is one random start on one data set with one alpha and beta. What the steps must do is computed here
from the returned masses and weights by the printed formulas, in plain matrix products: the dissimilarities
(10), the masses (12) and (13), the frequencies (15) and where the weights of (14) lie among them.

The box of Algorithm 1 demands alpha of at least 1, while the experiments use -1, -0.05 and 0. The text counts
on crisp prototypes "usually" and does not say where: the shares are over the prototypes of both UCI sets.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster.prototypes.mass_update import focal_costs, masses_from_costs
from credalbench.intervals import difference, mean
from credalbench.plots import PALETTE, new_figure
from credalbench.plots.style import INK, LABEL_SIZE, dress
from credalbench.runner import PAPER, PROPERTY, CannotBeChecked, declare, knob
from credalbench.runner.claims import above, all_of, below, claim, within

from .shared.restarts import fitted_starts
from .shared.tables import TITLES, at_most_pairs, problem

ARTEFACT = "catecm-alg-01"
ROUNDING = 1e-9  # of masses at beta = 1.1: the tenth power of quotients of sums over some dozen attributes
NEGLIGIBLE = 1e-12  # a squared dissimilarity that is zero but for rounding; the least others are 1 / 2p
CLUSTERS = {"cat_diamond": 2, "soybean": 4, "zoo": 7}
SHOWN = (-0.05, 1.1)  # alpha and beta of the picture, those of Sections IV-B and IV-D


@dataclass(frozen=True)
class Parameters:
    """Runs of the algorithm on the three data sets."""

    alphas: tuple[float, ...] = knob((-1.0, -0.05, 0.0, 1.0), "exponents of the cardinality (Table II)")
    betas: tuple[float, ...] = knob((1.1, 2.0), "exponents of the masses (Section IV-C)", low=1.01)
    delta: float = knob(10.0, "distance to the empty set (Section IV-C)", low=0.01)
    n_runs: int = knob(20, "random starts for each setting (ours)", low=2)
    seed: int = knob(0, "of the random starts", low=0)


def cases(params):
    return [
        {"dataset": name, "alpha": alpha, "beta": beta}
        for name in TITLES
        for alpha in params.alphas
        for beta in params.betas
    ]


def compute(params, case):
    """Table ``runs``, a row for each start; ``kinds``; ``traces`` of the runs that are drawn."""
    name, alpha, beta = case["dataset"], case["alpha"], case["beta"]
    found = problem(name)
    options = {
        "n_clusters": CLUSTERS[name],
        "alpha": alpha,
        "beta": beta,
        "delta": params.delta,
        "focal_sets": at_most_pairs(CLUSTERS[name]),
    }
    starts = fitted_starts(found.table, params.n_runs, params.seed, name, **options)
    rows, traces = [], []
    for start, model in starts:
        rows.append({"start": start, **row_of_run(model, found.table, alpha, beta, params.delta)})
        trace = pd.DataFrame({"objective": model.objective_trace_}).reset_index(names="iteration")
        traces.append(trace.assign(start=start))
    tables = {"runs": pd.DataFrame(rows), "kinds": pd.DataFrame([kinds(model)])}
    shown = (alpha, beta) == SHOWN
    return tables | {"traces": pd.concat(traces, ignore_index=True)} if shown else tables


def row_of_run(model, table, alpha, beta, delta):
    """The run itself, and how far its masses and weights are from what the formulas say."""
    masses, family = model.partition_.masses, model.partition_.focal_sets
    d2 = squared_dissimilarities(table, model, family)
    costs = focal_costs(d2, family, alpha, delta)
    singles = weights_of_sets(model, family, several=False)
    several = weights_of_sets(model, family, several=True)
    return {
        "n_iter": model.n_iter_,
        "converged": bool(model.converged_),
        "trace_rise": float(np.diff(model.objective_trace_).max(initial=-np.inf)) / model.objective_trace_[0],
        "objective": model.objective_,
        "objective_gap": abs(float((masses**beta * costs).sum()) / model.objective_ - 1),
        "mass_gap": float(np.abs(masses - masses_from_costs(costs, beta, NEGLIGIBLE)).max()),
        "least_d2": float(d2.min()),
        "largest_d2": float(d2.max()),
        "weight_sum_gap": float(max(np.abs(w.sum(axis=1) - 1).max() for w in several)),
        "off_the_most_frequent": off_the_most_frequent(table, model, alpha, beta),
        "crisp_singles": share_crisp(singles),
        "crisp_several": share_crisp(several),
        "identity_gap": identity_gap(d2, family),
        "nearest_lead": nearest_lead(d2, family),
    }


def weights_of_sets(model, family, several):
    """Weights (f', n_l) of each attribute for the clusters, or for the sets of several of them (8)."""
    size = family.cardinality
    members = family.membership[size > 1] if several else family.membership[size == 1]
    return [members / members.sum(axis=1, keepdims=True) @ w for w in model.weights_]


def share_crisp(weights):
    """Share of the pairs of a set and an attribute in which one value has all the weight."""
    return float(np.mean([(w.max(axis=1) > 1 - ROUNDING) for w in weights]))


def squared_dissimilarities(table, model, family):
    """Eqs. (10) and (11) for the non-empty sets: (n, f')."""
    members = family.membership[int(family.has_empty) :]
    share = members / members.sum(axis=1, keepdims=True)
    total = sum(
        1 - one_hot(table[column], categories) @ (share @ weights).T
        for column, categories, weights in zip(table, model.categories_, model.weights_)
    )
    return np.maximum(total, 0) / table.shape[1]


def one_hot(values, categories):
    """Indicators (n, n_l) of the values of one attribute."""
    return (values.to_numpy()[:, None] == np.asarray(categories)[None, :]).astype(float)


def off_the_most_frequent(table, model, alpha, beta):
    """Largest share by which weights (14) miss the highest frequency (15), over clusters and attributes."""
    family = model.partition_.focal_sets
    first = int(family.has_empty)
    size = family.cardinality[first:].astype(float)
    b = model.partition_.masses[:, first:] ** beta * size ** (alpha - 1)
    in_cluster = b @ family.membership[first:]
    worst = 0.0
    for column, categories, weights in zip(table, model.categories_, model.weights_):
        frequency = in_cluster.T @ one_hot(table[column], categories)
        best = frequency.max(axis=1)
        missed = best - (weights * frequency).sum(axis=1)
        worst = max(worst, float((missed / np.where(best > 0, best, 1)).max()))
    return worst


def several_beside_members(d2, family):
    """Of the s sets of several clusters: d², and mean and least of the d² of their clusters, (n, s)."""
    first = int(family.has_empty)
    sets = [sorted(A) for A in family.sets[first:]]
    single = {A[0]: d2[:, j] for j, A in enumerate(sets) if len(A) == 1}
    several = [j for j, A in enumerate(sets) if len(A) > 1]
    members = [np.stack([single[k] for k in sets[j]]) for j in several]
    average, nearest = (np.stack([of(m, axis=0) for m in members], axis=1) for of in (np.mean, np.min))
    return d2[:, several], average, nearest


def identity_gap(d2, family):
    """How far the dissimilarity of a set is from the mean of those of its clusters, at most."""
    several, average, _ = several_beside_members(d2, family)
    return float(np.abs(several - average).max())


def nearest_lead(d2, family):
    """Share of the pairs of an object and a set in which the set is farther than its nearest cluster."""
    several, _, nearest = several_beside_members(d2, family)
    return float((several > nearest + ROUNDING).mean())


def kinds(model):
    """How far simpler partitions are from what their writing as a credal one gives back; and two ends of N*.

    The crisp one are the labels, the fuzzy one the pignistic probabilities, the possibilistic one the contour
    divided by its maximum, written on nested sets.
    """
    partition, c = model.partition_, model.partition_.n_clusters
    family = FocalSets.full(c)
    labels, fuzzy = partition.labels("pignistic"), partition.pignistic
    crisp = CredalPartition.from_labels(labels, family)
    bayesian = np.zeros((len(labels), len(family)))
    bayesian[:, family.singletons] = fuzzy
    possible = partition.contour / partition.contour.max(axis=1, keepdims=True)
    vacuous = np.zeros((1, len(family)))
    vacuous[0, family.index(range(c))] = 1.0
    return {
        "crisp_gap": int((crisp.to_hard() != labels).sum()),
        "fuzzy_gap": float(np.abs(CredalPartition(bayesian, family).to_fuzzy() - fuzzy).max()),
        "possibilistic_gap": float(np.abs(nested(possible, family).to_possibilistic() - possible).max()),
        "certain": crisp.nonspecificity(),
        "between": partition.nonspecificity(),
        "vacuous": CredalPartition(vacuous, family).nonspecificity(),
    }


def nested(possible, family):
    """The credal partition on nested sets whose contour is `possible` (n, c), with maxima 1."""
    order = np.argsort(-possible, axis=1)
    levels = np.take_along_axis(possible, order, axis=1)
    steps = levels - np.hstack([levels[:, 1:], np.zeros((len(levels), 1))])
    masses = np.zeros((len(possible), len(family)))
    for i, clusters in enumerate(order):
        for size, step in enumerate(steps[i], start=1):
            masses[i, family.index(clusters[:size])] += step
    return CredalPartition(masses, family)


def draw(params, tables):
    """The objective of every start at the paper's alpha and beta, relative to its first value."""
    if "traces" not in tables:
        return {}
    figure = new_figure(9.4, 3.3)
    for ax, name in zip(figure.subplots(1, len(TITLES), sharey=True), TITLES):
        for _, run in tables["traces"].query("dataset == @name").groupby("start"):
            values = run["objective"] / run["objective"].iloc[0]
            ax.plot(run["iteration"], values, color=PALETTE[0], alpha=0.5, linewidth=1.1)
            ax.plot(run["iteration"].iloc[-1], values.iloc[-1], "o", ms=4.5, color=PALETTE[1], mec="white")
        dress(ax, title=f"{TITLES[name]}, c = {CLUSTERS[name]}", xlabel="iteration")
    figure.axes[0].set_ylabel("objective, relative to the start", fontsize=LABEL_SIZE, color=INK)
    return {ARTEFACT: figure}


# ------------------------------------------------------------------------------------------ claims


def by_dataset(table, statistic):
    """The statistic of the rows of each data set."""
    return {TITLES[name]: statistic(rows) for name, rows in table.groupby("dataset", sort=False)}


@claim(ARTEFACT, "no iteration raises the objective", PROPERTY)
def never_rises(params, tables):
    runs = tables["runs"]
    note = f"{runs['n_iter'].sum()} iterations"
    return below(1e-12, {"largest change, relative": runs["trace_rise"].max()}, "+.1e", note)


@claim(ARTEFACT, "every run ends with prototypes that no longer change", PAPER, sentence="S16")
def every_run_ends(params, tables):
    runs = tables["runs"]
    note = f"{len(runs)} runs, of {runs['n_iter'].max()} iterations at most"
    return within(1, 1, {"share of the runs": runs["converged"].mean()}, ".1%", note)


@claim(
    ARTEFACT,
    "different starts end in different local minima on each data set",
    PAPER,
    sentence="S03",
    published="a heuristic that gives a local minimum",
)
def local_minima(params, tables):
    runs = tables["runs"].assign(objective=lambda t: t["objective"].map("{:.6g}".format))
    counts = by_dataset(runs, lambda rows: rows.groupby(["alpha", "beta"])["objective"].nunique().max())
    return above(1, counts, ".0f", f"different objectives of {params.n_runs} starts, at the alpha of most")


@claim(
    ARTEFACT,
    "the masses are those of (12) and (13), and the objective is (6) with the dissimilarity (10)",
    PAPER,
    sentence="S11",
    published="identical to ECM",
)
def masses_are_those_of_ecm(params, tables):
    gaps = {
        "largest difference of a mass": tables["runs"]["mass_gap"].max(),
        "of the objective, relative": tables["runs"]["objective_gap"].max(),
    }
    return below(ROUNDING, gaps, ".1e")


@claim(
    ARTEFACT,
    "the weights lie on the most frequent values of (15), as (14) says",
    PAPER,
    sentence="S12",
    published="the maximal weight to the most frequent value",
)
def weights_are_most_frequent(params, tables):
    missed = tables["runs"]["off_the_most_frequent"].max()
    return below(ROUNDING, {"largest share of the frequency that is missed": missed}, ".1e")


@claim(
    ARTEFACT,
    "the averaged weights of sets of several clusters sum to one for each attribute",
    PAPER,
    sentence="S09",
    published="1, Eq. (9)",
)
def averaged_weights_sum_to_one(params, tables):
    return below(1e-12, {"largest distance from 1": tables["runs"]["weight_sum_gap"].max()}, ".1e")


@claim(
    ARTEFACT,
    "the squared dissimilarity is between 0 and 1",
    PAPER,
    sentence="S10",
    published="a normalised dissimilarity value",
)
def dissimilarity_is_normalised(params, tables):
    runs = tables["runs"]
    ends = {"least": runs["least_d2"].min(), "largest": runs["largest_d2"].max()}
    return within(0, 1, ends, ".3f")


@claim(
    ARTEFACT,
    "most weights of the prototypes of clusters are crisp: one value of the attribute has all the weight",
    PAPER,
    sentence="S13",
    published="usually",
)
def clusters_are_crisp(params, tables):
    return above(0.5, by_dataset(tables["runs"], lambda rows: mean(rows["crisp_singles"])), ".3f")


@claim(
    ARTEFACT,
    "fewer weights are crisp in the prototypes of sets of several clusters",
    PAPER,
    sentence="S14",
    published="fuzzy prototypes appear more often",
)
def sets_are_fuzzier(params, tables):
    gaps = by_dataset(tables["runs"], lambda rows: difference(rows["crisp_singles"], rows["crisp_several"]))
    return above(0, gaps, "+.3f", "difference of the shares")


@claim(
    ARTEFACT,
    "an alpha below 1 does not do: some run with one does not end, or raises the objective",
    PAPER,
    sentence="S15",
    published="alpha >= 1",
    explanation="the derivation nowhere needs it, and the paper itself uses -1, -0.05 and 0",
)
def alpha_of_at_least_1(params, tables):
    runs = tables["runs"].query("alpha < 1")
    if runs.empty:
        raise CannotBeChecked("no alpha of this run is below 1")
    bad = ~runs["converged"] | (runs["trace_rise"] > 1e-12)
    return above(0, {f"of {len(runs)} runs": int(bad.sum())}, ".0f")


@claim(
    ARTEFACT,
    "most pairs of an object and a set of several clusters have the set farther than the nearest of its "
    "clusters",
    PAPER,
    sentence="S36",
    published="usually further",
)
def sets_are_farther(params, tables):
    runs = tables["runs"]
    note = (
        "no set is ever nearer, and none is farther than the mean: the dissimilarity of a set is the mean of "
        f"those of its clusters, to {runs['identity_gap'].max():.0e}"
    )
    return above(0.5, by_dataset(runs, lambda rows: mean(rows["nearest_lead"])), ".3f", note)


@claim(
    ARTEFACT,
    "the squared dissimilarity of a set is the mean of those of its clusters",
    PROPERTY,
)
def distance_is_the_mean(params, tables):
    return below(1e-12, {"largest difference": tables["runs"]["identity_gap"].max()}, ".1e")


@claim(
    ARTEFACT,
    "crisp, fuzzy and possibilistic partitions, written as masses on single clusters and on nested sets, "
    "come back unchanged",
    PAPER,
    sentence="S02",
    published="credal partitions extend them",
)
def other_partitions_are_credal(params, tables):
    gaps = {name: tables["kinds"][f"{name}_gap"].max() for name in ("crisp", "fuzzy", "possibilistic")}
    return below(1e-12, gaps, ".1e", "largest differences")


@claim(
    ARTEFACT,
    "N* is 0 where all is certain, 1 where nothing is known, and lies between for the partitions found",
    PAPER,
    sentence="S06",
    published="measures the degree of imprecision",
)
def nonspecificity_measures(params, tables):
    kinds = tables["kinds"]
    return all_of(
        within(0, 0, {"certain": kinds["certain"].max()}, "g"),
        within(1, 1, {"vacuous": kinds["vacuous"].min()}, "g"),
        above(0, {"least found": kinds["between"].min()}, ".1e"),
        below(1, {"largest found": kinds["between"].max()}, ".3f"),
    )


experiment = declare(
    __name__,
    title="Algorithm 1: what its two steps do",
    artefacts={ARTEFACT: "Algorithm 1, cat-ECM"},
    smoke={"alphas": (-0.05, 1.0), "n_runs": 4},
)

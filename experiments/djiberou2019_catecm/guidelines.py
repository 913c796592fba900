"""Section IV-C in words: what alpha, beta and delta do, on Soybean and Zoo.

The text gives guidelines but, except in Table II, no numbers. Each setting below is the best of ten random
starts, repeated; what is not varied is as in the paper: alpha = -0.05, beta = 1.1, delta = 10, the empty set
and sets of at most two clusters. The values on the three grids are ours, except those of Table II and the
"beta of 2 or more" that the text calls high.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from credalbench.core.intervals import difference, mean
from credalbench.papers import NotCheckable, declare, knob
from credalbench.papers.claims import above, all_of, below, claim, within
from credalbench.plots import curve_with_errors, new_figure

from .shared.restarts import fitted_starts
from .shared.tables import TITLES, at_most_pairs, problem

ARTEFACT = "catecm-txt-01"
CLUSTERS = {"soybean": 4, "zoo": 7}
PRINTED = {"alpha": -0.05, "beta": 1.1, "delta": 10.0}  # what a part does not vary
HIGH_BETA = 2.0


@dataclass(frozen=True)
class Parameters:
    """Grids of the three parameters."""

    alphas: tuple[float, ...] = knob(
        (-1.0, -0.05, 0.0, 0.5, 1.0), "penalties of large sets: exponents of their size"
    )
    betas: tuple[float, ...] = knob(
        (1.05, 1.1, 1.5, 2.0, 3.0), "fuzziness: exponents of the masses", low=1.01
    )
    deltas: tuple[float, ...] = knob((0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 10.0), "distances to ∅", low=0.01)
    n_restarts: int = knob(10, "random starts of an experiment (Section IV-A)", low=1)
    n_repetitions: int = knob(10, "repetitions of the ten starts for each setting (ours)", low=2)
    seed: int = knob(0, "seed of the random starts", low=0)


def cases(params):
    grids = {"alpha": params.alphas, "beta": params.betas, "delta": params.deltas}
    return [
        {"dataset": name, "part": part, "value": value}
        for name in CLUSTERS
        for part, values in grids.items()
        for value in values
    ]


def compute(params, case):
    """Compute the table ``runs``: a row for each experiment, about the best of its starts."""
    name = case["dataset"]
    found, focal_sets = problem(name), at_most_pairs(CLUSTERS[name])
    options = PRINTED | {case["part"]: case["value"], "n_clusters": CLUSTERS[name], "focal_sets": focal_sets}
    rows = []
    for number in range(params.n_repetitions):
        starts = fitted_starts(found.table, params.n_restarts, params.seed, name, number, **options)
        best = min((model for _, model in starts), key=lambda model: model.objective_)
        rows.append({"repetition": number, **measures(best.partition_)})
    return {"runs": pd.DataFrame(rows)}


def measures(partition):
    """Return largest masses, from 0 (equal) to 1 (certain), and the objects on several or no clusters."""
    focal_sets = partition.focal_sets
    largest, equal = partition.masses.max(axis=1).mean(), 1 / (len(focal_sets) - focal_sets.has_empty)
    lead = partition.masses.copy()
    several = focal_sets.cardinality > 1
    on_several = lead[:, several].max(axis=1) > np.delete(lead, np.flatnonzero(several), axis=1).max(axis=1)
    return {
        "certainty": float((largest - equal) / (1 - equal)),
        "share_on_several": float(on_several.mean()),
        "share_outliers": float(partition.outliers().mean()),
        "nonspecificity": partition.nonspecificity(),
    }


def draw(params, tables):
    """Draw one panel for each parameter, one curve for each data set."""
    figure = new_figure(10.2, 3.4)
    shown = {"alpha": "share_on_several", "beta": "certainty", "delta": "share_outliers"}
    labels = {
        "share_on_several": "objects on several clusters",
        "certainty": "largest mass: 0 equal, 1 certain",
        "share_outliers": "objects on the empty set",
    }
    for ax, (part, measure) in zip(figure.subplots(1, len(shown)), shown.items()):
        runs = tables["runs"].query("part == @part")
        values = {value: k for k, value in enumerate(sorted(runs["value"].unique()))}
        runs = runs.assign(place=runs["value"].map(values), name=runs["dataset"].map(TITLES))
        curve_with_errors(ax, runs, "place", measure, "name", "mean-ci")
        ax.set_xticks(list(values.values()), [f"{value:g}" for value in values])
        ax.set(xlabel=part, ylabel=labels[measure], ylim=(-0.05, 1.05))
    return {ARTEFACT: figure}


# ------------------------------------------------------------------------------------------ claims


def by_value(tables, part, name, measure):
    """Return one measure of all experiments, by value of the parameter."""
    runs = tables["runs"].query("part == @part and dataset == @name")
    rows = runs.sort_values("repetition").groupby("value")[measure]
    return {value: values.to_numpy() for value, values in rows}


def falls(tables, part, measure):
    """Return by how much a measure falls from each value of a parameter to the next, on both data sets."""
    found = {}
    for name in CLUSTERS:
        values = by_value(tables, part, name, measure)
        steps = list(values)
        for a, b in pairwise(steps):
            found[f"{TITLES[name]}, {a:g} to {b:g}"] = difference(values[a], values[b])
    return found


@claim(
    ARTEFACT,
    "the larger beta, the more balanced are the masses; at the least beta they are nearer to certain than to "
    "equal",
    sentence="S08",
)
def beta_balances(params, tables):
    first = min(params.betas)
    crisp = {
        f"{TITLES[name]}, certainty at {first:g}": mean(by_value(tables, "beta", name, "certainty")[first])
        for name in CLUSTERS
    }
    return all_of(above(0.5, crisp, ".3f"), above(0, falls(tables, "beta", "certainty"), "+.3f"))


@claim(
    ARTEFACT,
    "with beta of 2 or more the masses are nearer to equal ones than to certain ones",
    sentence="S31",
)
def two_is_high(params, tables):
    high = [value for value in params.betas if value >= HIGH_BETA]
    if not high:
        raise NotCheckable("no beta of this run is 2 or more")
    found = {
        f"{TITLES[name]}, {value:g}": mean(by_value(tables, "beta", name, "certainty")[value])
        for name in CLUSTERS
        for value in high
    }
    return below(0.5, found, ".3f", "largest mass, from 0 for equal masses to 1 for certain ones")


@claim(
    ARTEFACT,
    "objects have more mass on several clusters than on any one only where alpha is negative",
    sentence="S37",
)
def only_a_negative_alpha(params, tables):
    negative, others = {}, {}
    for name in CLUSTERS:
        for value, shares in by_value(tables, "alpha", name, "share_on_several").items():
            (negative if value < 0 else others)[f"{TITLES[name]}, alpha = {value:g}"] = mean(shares)
    if not negative or not others:
        raise NotCheckable("this run lacks negative or other alphas")
    note = "the dissimilarity of a set is the mean of those of its clusters, never below the nearest"
    return all_of(above(0, negative, ".1%"), within(0, 0, others, ".1%", note))


@claim(
    ARTEFACT,
    "delta sets the share of rejected objects: it falls from more than half to none as delta grows, and "
    "never rises",
    sentence="S30",
)
def delta_rejects(params, tables):
    ends = {}
    for name in CLUSTERS:
        shares = by_value(tables, "delta", name, "share_outliers")
        ends[name] = [mean(shares[value]) for value in (min(shares), max(shares))]
    return all_of(
        above(0.5, {f"{TITLES[k]}, least delta": first for k, (first, _) in ends.items()}, ".1%"),
        within(0, 0, {f"{TITLES[k]}, largest delta": last for k, (_, last) in ends.items()}, ".1%"),
        above(-1e-9, falls(tables, "delta", "share_outliers"), "+.3f"),
    )


experiment = declare(
    __name__,
    title="What alpha, beta and delta do",
    artefacts={ARTEFACT: "Guidelines for the parameters"},
    smoke={
        "alphas": (-0.05, 0.0),
        "betas": (1.1, 2.0),
        "deltas": (0.3, 0.6, 10.0),
        "n_repetitions": 2,
        "n_restarts": 2,
    },
    data=("soybean_small", "zoo"),
)

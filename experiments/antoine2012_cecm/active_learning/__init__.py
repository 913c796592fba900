"""Figures 6 to 10 of [antoine2012_cecm], Section 5.2.2: constraints drawn at random, or by active learning.

*Random*: in each of 100 trials pairs of objects are drawn at random, and the true classes say of each whether
it is a must-link or a cannot-link. A trial adds constraints to those that it already has; the Rand index is
computed at 5, 10, 20, 40, 80, 120, 160 and 200 constraints. The paper does not say whether its trials were
nested; means do not depend on this.

*Active*: Section 5.1.4. The user is asked about one pair, CECM is run again, and so on; nothing is random, so
there is one run per data set. `READINGS` vary what the section leaves open (see
``credalbench/cluster/constrained/pair_proposals.py``):

- ``active``: the default. The second object is next to the nearer prototype of the two clusters in question;
  one pair per round; each fit starts from the previous prototypes.
- ``plausible``: next to the prototype of the more probable of the two clusters.
- ``any``: the object nearest to any prototype.
- ``10 per round``: ten questions before each fit.
- ``same start``: each fit starts from the centres of k-means, as the random trials do.

Since the active run continues from its last prototypes, some random trials are also fitted both ways: from
the *same* start (Tables 5 and 6), which is the paper's curve, and from the *previous* prototypes, those of
the point before on the curve. The latter, a third curve in Figures 7 to 10 that the paper does not have,
shows the effect of the choice of pairs, apart from the start.

The metrics of these figures are not printed. We use those of Tables 5 and 6, and the adaptive metric for
Letters. Data as in ``shared/protocol.py``; alpha = 1, beta = 2, xi = 0.5, all 2^c focal sets.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.metrics.cluster import contingency_matrix

from credalbench.cluster import CECM, ActiveLearner
from credalbench.core.constraints import random_pairs
from credalbench.metrics import rand_index
from credalbench.papers import case_rng, declare, knob
from credalbench.plots import new_figure
from credalbench.plots.curves import summarise
from credalbench.plots.style import TICK_SIZE, colour, line_style, marker, style_axes

from ..shared.protocol import prepared, rand_index_among, starting_prototypes, unconstrained_rand_index
from .claims import ARTEFACTS, NAMES, STARTS, active_curve, leads, random_trials, readings

METRIC = {"iris": "mahalanobis", "glass": "mahalanobis", "letters": "mahalanobis", "wine": "euclidean"}
SIZES = (5, 10, 20, *range(40, 201, 40))
#: Reading -> options of the learner, pairs per round.
READINGS = {
    "active": ({}, 1),
    "plausible": ({"second_object": "plausible"}, 1),
    "any": ({"second_object": "any"}, 1),
    "10 per round": ({}, 10),
    "same start": ({"warm_start": False}, 1),
}


@dataclass(frozen=True)
class Parameters:
    """The paper's protocol; the grid is ours, the range of 0 to 200 that of Section 5.2.3."""

    data_sets: tuple[str, ...] = knob(tuple(METRIC), "data sets: iris, glass, letters, wine")
    sizes: tuple[int, ...] = knob(SIZES, "numbers of random constraints; the largest ends all", low=1)
    n_trials: int = knob(100, "random trials (Section 5.2.2)", low=2)
    n_previous: int = knob(10, "of these, fitted also from the previous prototypes (not in the paper)", low=2)
    chunk: int = knob(10, "random trials in one case", low=1)
    xi: float = knob(0.5, "weight of the constraints, 0 to 1 (Section 5.2.2)", low=0.0, high=0.99)
    readings: tuple[str, ...] = knob(tuple(READINGS), "readings of active learning; active must be one")
    seed: int = knob(0, "seed of the random constraints", low=0)


def cases(params):
    """Return cases by data set and chunk of random trials, and by data set and active reading."""
    if unknown := set(params.data_sets) - set(METRIC):
        raise ValueError(f"expected data_sets among {tuple(METRIC)}, got {sorted(unknown)}")
    if unknown := set(params.readings) - set(READINGS):
        raise ValueError(f"expected readings among {tuple(READINGS)}, got {sorted(unknown)}")
    chunks = range(-(-params.n_trials // params.chunk))
    parts = [(reading, 0) for reading in params.readings] + [("random", chunk) for chunk in chunks]
    return [
        {"dataset": name, "selection": selection, "part": part}
        for name in params.data_sets
        for selection, part in parts
    ]


def compute(params, case):
    """Compute the table ``runs``: one row per repetition, start and number of constraints."""
    name, selection = case["dataset"], case["selection"]
    if selection == "random":
        first = case["part"] * params.chunk
        last = min(first + params.chunk, params.n_trials)
        ends = {"same": last, "previous": min(last, params.n_previous)}
        rows = [
            row for start in STARTS for row in random_rows(params, name, start, range(first, ends[start]))
        ]
    else:
        options, batch = READINGS[selection]
        learner = new_learner(params, name, **options)
        learner.run(prepared(name).y, max(params.sizes), batch)
        start = "previous" if learner.warm_start else "same"
        rows = [{"start": start, "repetition": 0, **row} for row in outcomes(name, learner.history_)]
    return {"runs": pd.DataFrame(rows)}


def new_learner(params, name, **options):
    """Return CECM on a data set, still without constraints, started from the centres of k-means."""
    X, _, c, delta = prepared(name)
    model = CECM(c, xi=params.xi, delta=delta, metric=METRIC[name], init=starting_prototypes(name))
    return ActiveLearner(model, X, **options)


def random_rows(params, name, start, trials):
    """Add random constraints until each of the `sizes` is reached, and fit CECM there."""
    y, sizes = prepared(name).y, sorted(set(params.sizes))
    learner = new_learner(params, name, warm_start=start == "previous")
    for trial in trials:
        pairs = random_pairs(len(y), sizes[-1], case_rng(params.seed, name, trial))
        for batch in np.split(pairs, sizes[:-1]):
            learner.answer(batch, y[batch[:, 0]] == y[batch[:, 1]])
        for row in outcomes(name, learner.history_):
            yield {"start": start, "repetition": trial, **row}
        while len(learner.history_) > 1:
            learner.undo()


def outcomes(name, history):
    """Yield the records of the rounds of one trial."""
    y = prepared(name).y
    for before, entry in zip([None, *history], history):
        yield {
            "n_constraints": entry.n_constraints,
            "ri": rand_index(y, entry.labels),
            "ri_constrained": rand_index_among(entry.constraints.constrained, y, entry.labels),
            "ri_unconstrained": unconstrained_rand_index(y, entry.labels, entry.constraints),
            "objective": entry.objective,
            "n_violated": len(entry.estimator.violated_),
            **losses(y, before, entry),
        }


def losses(y, before, entry):
    """Count the objects that a `Round` misplaces and that were placed well in the one `before`.

    ``n_partners``: well-placed objects in a new constraint with a misplaced one that has most of its mass on
    one cluster; ``n_partners_lost``: those of them that the round misplaces; ``n_others_lost``: objects in no
    constraint that it misplaces.
    """
    if before is None:
        return {"n_partners": 0, "n_partners_lost": 0, "n_others_lost": 0}
    good, partition = placed_well(y, before.labels), before.estimator.partition_
    lost = good & ~placed_well(y, entry.labels)
    certain = partition.masses[:, partition.focal_sets.singletons].max(axis=1) > 0.5
    both_ways = np.vstack([entry.pairs, entry.pairs[:, ::-1]])
    wrong, partner = both_ways.T
    partner = partner[~good[wrong] & certain[wrong] & good[partner]]
    return {
        "n_partners": len(partner),
        "n_partners_lost": lost[partner].sum(),
        "n_others_lost": lost[~entry.constraints.constrained].sum(),
    }


def placed_well(y, labels):
    """Return which objects (n,) belong to the most frequent class in their cluster."""
    _, classes = np.unique(y, return_inverse=True)
    _, clusters = np.unique(labels, return_inverse=True)
    return contingency_matrix(classes, clusters).argmax(axis=0)[clusters] == classes


# ---------------------------------------------------------------- drawing


def draw(params, tables):
    runs, figures = tables["runs"], {}
    for artefact, dataset in ARTEFACTS.items():
        if dataset not in set(runs["dataset"]):
            continue
        figures[artefact] = new_figure(6.4, 4.2)
        ax = figures[artefact].subplots()
        (draw_objects if artefact == "cecm-fig-06" else draw_selections)(ax, runs, dataset)
        style_axes(ax, title=NAMES[dataset], xlabel="number of constraints", ylabel="Rand index", grid="both")
        ax.legend(frameon=False, fontsize=TICK_SIZE, loc="best", handlelength=3.0)
    return figures


def draw_objects(ax, runs, dataset):
    """Draw random trials over all objects, and over those that are not in a constraint."""
    draw_random(ax, random_trials(runs, dataset), 0, "all objects")
    draw_random(ax, random_trials(runs, dataset, column="ri_unconstrained"), 1, "unconstrained objects")


def draw_selections(ax, runs, dataset):
    """Draw active learning after every answer; random constraints from the same and previous prototypes."""
    curve, trials = active_curve(runs, dataset), random_trials(runs, dataset)
    on_grid = np.flatnonzero(curve.index.isin(trials.columns)).tolist()
    look = {"color": colour(0), "linestyle": line_style(0), "marker": marker(0), "markevery": on_grid}
    ax.plot(curve.index, curve, ms=5.5, lw=1.5, zorder=3, label="active learning", **look)
    last, most = curve.index[-1], trials.columns[-1]
    if most > last:
        look = {"linestyle": ":", "color": colour(0), "lw": 1.5, "label": "all pairs settled"}
        ax.plot([last, most], [curve[last]] * 2, **look)
    draw_random(ax, trials, 1, "random, same start (mean, 95 % interval)")
    going_on = random_trials(runs, dataset, "previous")
    draw_random(ax, going_on, 2, f"random, previous start ({len(going_on)} trials, not in the paper)")


def draw_random(ax, trials, k, label):
    """Draw the mean and 95 % interval over trials, in look number k."""
    places, mean, low, high = summarise(trials.melt(), "n_constraints", "value", "mean-ci")
    look = {"color": colour(k), "linestyle": line_style(k), "marker": marker(k)}
    ax.errorbar(places, mean, [mean - low, high - mean], capsize=3, ms=5.5, lw=1.5, label=label, **look)


experiment = declare(
    __name__,
    title="Random selection of constraints against active learning",
    artefacts={
        "cecm-fig-06": "Iris: Rand index against the number of random constraints",
        "cecm-fig-07": "Iris: active learning against random constraints",
        "cecm-fig-08": "Glass: active learning against random constraints",
        "cecm-fig-09": "Letters: active learning against random constraints",
        "cecm-fig-10": "Wine: active learning against random constraints",
    },
    summaries=(leads, readings),
    smoke={"sizes": (10, 20, 30), "n_trials": 3, "chunk": 3, "readings": ("active", "10 per round")},
    data=("iris_uci", "glass", "letters_ijl"),
)

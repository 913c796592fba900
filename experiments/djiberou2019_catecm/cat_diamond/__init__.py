"""Figure 2: the masses of Cat-diamond, with equation (10) as printed and without its factor 1/p.

Printed: c = 2, alpha = -0.05, beta = 1.1, delta = 1.05, ten random starts, of which the one with the lowest
objective counts (Sections IV-A and IV-B), all four subsets (the figure). Not printed: masses, starts, the
places of objects 12 and 13.

Equation (10) divides the dissimilarity by the number p of attributes, so that d is at most 1. An object at
d = 1 of both clusters then has a mass on Omega that is 2^(0.05 / 0.1) = 1.41 times that on a cluster, and one
on the empty set that is (1 / 1.05)^20 = 0.38 times that. So no object of any data set can prefer the empty
set, yet Figure 2 puts objects 12 and 13 there. The three ways below differ in the distance and in delta:

- *printed*: (10) and delta = 1.05, as printed;
- *without 1/p*: the sum over the attributes, and delta = 1.05;
- *smaller delta*: (10), and a delta below 2^(-1/40) = 0.983, where the empty set overtakes Omega.

The second and the third were chosen because of the figure. The places of 12 and 13 come in two readings (see
``shared/tables.py``), and each way is computed on both.

Sentences are judged on the global minimum of the objective. With fixed masses the objective is linear in the
weights, so some minimum has crisp prototypes. The two attributes have few pairs of such prototypes, so all
are tried. Random starts, each fitted separately, are compared with this minimum; ten in a row are an
experiment of the paper. Without 1/p, few of them end at the minimum: with random weights the sum of the
dissimilarities exceeds delta^2 for nearly every object, so the first masses are on the empty set, and few
starts leave it.
"""

from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
import pandas as pd

from credalbench.cluster.prototypes.mass_update import focal_costs, masses_from_costs, objective
from credalbench.papers import declare, knob
from credalbench.plots import mass_curves, new_figure

from ..shared.restarts import SAME, chunks, experiments_of, fitted_starts, row_of
from ..shared.tables import PLACES, diamond, renamed
from .claims import (
    FOCAL_SETS,
    WAYS,
    in_order,
    kept_of_ten_starts,
    partition_of,
    sentences_by_way,
    solution,
    solutions,
)

CHUNK = 25


@dataclass(frozen=True)
class Parameters:
    """The setting of Section IV-B."""

    alpha: float = knob(-0.05, "penalty of large sets: exponent of their size (Section IV-B)")
    beta: float = knob(1.1, "fuzziness: exponent of the masses (Section IV-B)", low=1.01)
    delta: float = knob(1.05, "outlier distance, to the empty set (Section IV-B)", low=0.01)
    smaller_delta: float = knob(0.9, "delta of the third way (ours)", low=0.01)
    n_restarts: int = knob(10, "random starts of an experiment (Section IV-A)", low=1)
    n_repetitions: int = knob(100, "repetitions of the ten starts (the paper shows one)", low=2)
    seed: int = knob(0, "seed of the random starts (not stated)", low=0)


def cases(params):
    pairs = [
        {"part": "every pair", "way": way, "convention": place, "chunk": 0}
        for way in WAYS
        for place in PLACES
    ]
    starts = [
        {"part": "starts", "way": way, "convention": place, "chunk": chunk}
        for way in WAYS
        for place in PLACES
        for chunk in chunks(params.n_repetitions, CHUNK)
    ]
    return [*pairs, *starts, {"part": "renamed", "way": "printed", "convention": PLACES[0], "chunk": 0}]


def compute(params, case):
    """Compute the tables ``minimum``; ``runs`` and ``objects`` of the experiments; ``renamed``."""
    table = diamond(case["convention"])
    if case["part"] == "every pair":
        return {"minimum": global_minimum(params, case["way"], table)}
    if case["part"] == "renamed":
        starts = fitted_starts(renamed(table), params.n_restarts, params.seed, "renamed", **options(params))
        return {"renamed": object_table(best_of(dict(starts)))}
    return experiments(params, case, table)


def options(params, way="printed"):
    """Return the arguments of cat-ECM."""
    return {
        "n_clusters": 2,
        "alpha": params.alpha,
        "beta": params.beta,
        "delta": params.smaller_delta if way == "smaller delta" else params.delta,
        "normalize": way != "without 1/p",
        "focal_sets": FOCAL_SETS,
    }


def experiments(params, case, table):
    """Return the table ``runs``, a row for each start, and ``objects``, the masses that experiments keep."""
    rows, objects = [], []
    for number in experiments_of(case["chunk"], params.n_repetitions, CHUNK):
        starts = fitted_starts(
            table, params.n_restarts, params.seed, "cat_diamond", number, **options(params, case["way"])
        )
        models = dict(starts)
        rows += [
            {"repetition": number, **row_of(start, model), "centres": centres(model, table)}
            for start, model in models.items()
        ]
        objects.append(object_table(best_of(models)).assign(repetition=number))
    return {"runs": pd.DataFrame(rows), "objects": pd.concat(objects, ignore_index=True)}


def best_of(models):
    return min(models.values(), key=lambda model: model.objective_)


def object_table(model):
    """Return the masses of the 13 objects, a row each."""
    masses = model.partition_.to_frame("masses").reset_index(drop=True)
    masses.insert(0, "object", np.arange(1, len(masses) + 1))
    return masses


def global_minimum(params, way, table):
    """Return the masses of the objects at the pair of crisp prototypes with the lowest objective."""
    codes = np.stack([pd.factorize(table[column])[0] for column in table], axis=1)
    prototypes = np.array([*product(*(range(1 + codes[:, l].max()) for l in range(codes.shape[1])))])
    d2 = (codes[:, None, :] != prototypes[None, :, :]).sum(axis=2).astype(float)
    chosen = options(params, way)
    d2 /= table.shape[1] if chosen["normalize"] else 1
    found = []
    for first, second in combinations(range(len(prototypes)), 2):
        pair = d2[:, [first, second]]
        with_both = np.column_stack([pair, pair.mean(axis=1)])
        costs = focal_costs(with_both, FOCAL_SETS, params.alpha, chosen["delta"])
        masses = masses_from_costs(costs, params.beta)
        found.append((objective(masses, costs, params.beta), first, second, masses))
    value, first, second, masses = min(found, key=lambda one: one[0])
    objects = pd.DataFrame(masses, columns=FOCAL_SETS.labels)
    objects.insert(0, "object", np.arange(1, len(objects) + 1))
    on = [np.flatnonzero((codes == prototypes[k]).all(axis=1)) for k in (first, second)]
    names = ", ".join(str(rows[0] + 1) if len(rows) else "-" for rows in on)
    ties = sum(one[0] <= value + SAME * value for one in found)
    return objects.assign(objective=value, centres=names, n_minima=ties, n_pairs=len(found))


def centres(model, table):
    """Return the objects on which the two prototypes lie, in order: "2, 8"; "-" for a prototype on none."""
    rows = table.astype(str).agg(" ".join, axis=1).tolist()
    places = [" ".join(map(str, row)) for row in model.prototypes_.to_numpy()]
    numbers = [str(rows.index(place) + 1) if place in rows else "-" for place in places]
    return ", ".join(sorted(numbers, key=lambda text: (text == "-", len(text), text)))


def draw(params, tables):
    return {"catecm-fig-02": draw_masses(params, tables)}


# ---------------------------------------------------------------- drawing


SHOWN = ("printed", "without 1/p")


def draw_masses(params, tables):
    """Draw the global minimum of two ways, one below the other, objects from left to right."""
    figure = new_figure(7.4, 5.6)
    axes = figure.subplots(len(SHOWN), 1, sharex=True)
    for ax, way in zip(axes, SHOWN):
        partition = partition_of(in_order(solution(tables, way, PLACES[0])))
        title = f"{WAYS[way][0].upper()}{WAYS[way][1:]}, delta = {params.delta:g}"
        mass_curves(ax, partition, title=title, legend=ax is axes[0])
    axes[0].set_xlabel("")
    return figure


experiment = declare(
    __name__,
    title="Cat-diamond: masses with and without the factor 1/p",
    artefacts={"catecm-fig-02": "Masses of Cat-diamond against the objects"},
    summaries=(sentences_by_way, solutions, kept_of_ten_starts),
    smoke={"n_restarts": 5, "n_repetitions": 4},
)

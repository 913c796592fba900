"""Example 1 and Table 1: four kinds of mass functions, and what follows from them.

One object has a probability for each class, one is certain, one is completely unknown, and the last is both
imprecise and uncertain. The labels of the rows of Table 1 are missing from the text that we have. There are
7! orders of the seven non-empty subsets of three classes; the text says that the first object is Bayesian,
the second certain and the third vacuous, which leaves the single classes to rows 1, 2 and 4 and the frame to
row 7. The usual binary order, {1}, {2}, {1,2}, {3}, {1,3}, {2,3}, Ω, is one of the few orders that are left,
and we use it.

The rest is what Sections 2.1 and 3.4 say of masses in general, checked on these four objects: belief and
plausibility bound the pignistic probability and determine the masses, Eqs. (2) and (3), and a credal
partition can be reduced to simpler ones. The picture is ours: the paper has only a table.
"""

from dataclasses import dataclass
from itertools import permutations

import numpy as np
import pandas as pd

from credalbench.belief import CredalPartition, FocalSets
from credalbench.papers import ARITHMETIC, Finding, declare, knob, printed_values
from credalbench.papers.claims import above, all_of, below, claim, within
from credalbench.plots import mass_bars, new_figure

PRINTED = printed_values(__file__)
ROUNDING = 1e-12  # of sums over seven masses
CLASSES = 3
ROWS = range(1, 2**CLASSES)
#: The sets of the rows of Table 1: class k is in it where bit k of the row's number is set.
SETS = [{k for k in range(CLASSES) if row >> k & 1} for row in ROWS]
FOCAL_SETS = FocalSets.full(CLASSES, empty=False)
KINDS = ("Bayesian", "certain", "vacuous", "imprecise and uncertain")


def printed_masses(i):
    """Return the masses of object i, from 1, in Table 1, row by row."""
    return tuple(PRINTED[f"t1_x{i}_row{row}"].value for row in ROWS)


@dataclass(frozen=True)
class Parameters:
    """Masses on {1}, {2}, {1,2}, {3}, {1,3}, {2,3} and the frame; each sums to 1."""

    probabilistic: tuple[float, ...] = knob(
        printed_masses(1), "masses of object 1 (Table 1)", low=0.0, high=1.0
    )
    general: tuple[float, ...] = knob(printed_masses(4), "masses of object 4 (Table 1)", low=0.0, high=1.0)


def cases(params):
    return [{"example": 1}]


def compute(params, case):
    rows = [params.probabilistic, printed_masses(2), printed_masses(3), params.general]
    masses = pd.DataFrame(rows, columns=[f"row_{row}" for row in ROWS])
    masses.insert(0, "object", np.arange(1, len(masses) + 1))
    partition = table_1(masses)
    return {"masses": masses, "sets": sets_table(partition), "simpler": simpler_table(partition)}


def table_1(masses):
    """Return the credal partition that a table of masses contains, with its columns on `FOCAL_SETS`."""
    order = [SETS.index(set(members)) for members in FOCAL_SETS.sets]
    return CredalPartition(masses[[f"row_{row}" for row in ROWS]].to_numpy()[:, order], FOCAL_SETS)


def sets_table(partition):
    """Return mass, belief, plausibility and pignistic probability of each object and set [jiao2022_egmm (2)].

    ``recovered`` is the mass as the beliefs of all subsets give it back.
    """
    rows = []
    beliefs = {members: partition.belief(members) for members in FOCAL_SETS.sets}
    for j, members in enumerate(FOCAL_SETS.sets):
        subsets = [other for other in FOCAL_SETS.sets if other <= members]
        recovered = sum((-1) ** len(members - other) * beliefs[other] for other in subsets)
        rows.append(
            pd.DataFrame(
                {
                    "object": np.arange(1, len(partition) + 1),
                    "set": FOCAL_SETS.labels[j],
                    "mass": partition.masses[:, j],
                    "bel": beliefs[members],
                    "pl": partition.plausibility(members),
                    "pignistic": partition.pignistic[:, sorted(members)].sum(axis=1),
                    "recovered": recovered,
                }
            )
        )
    return pd.concat(rows, ignore_index=True)


def simpler_table(partition):
    """Return one row for each object and class: hard, fuzzy, possibilistic and rough partition."""
    rough = partition.to_rough("maximum_mass")
    label, fuzzy, possibilistic = (partition.to_hard(), partition.to_fuzzy(), partition.to_possibilistic())
    n, c = fuzzy.shape
    return pd.DataFrame(
        {
            "object": np.repeat(np.arange(1, n + 1), c),
            "class": np.tile(np.arange(1, c + 1), n),
            "hard": (label[:, None] == np.arange(c)).ravel(),
            "fuzzy": fuzzy.ravel(),
            "possibilistic": possibilistic.ravel(),
            "lower": rough.lower.ravel(),
            "upper": rough.upper.ravel(),
        }
    )


def draw(params, tables):
    figure = new_figure(5.8, 3.2)
    partition = table_1(tables["masses"])
    mass_bars(figure.subplots(), partition, title="Four kinds of masses")
    return {"egmm-tab-01": figure}


# ------------------------------------------------------------------------------------------ claims


def by_row(tables):
    """Return the masses, objects in the rows of the array and rows of Table 1 in its columns."""
    return tables["masses"][[f"row_{row}" for row in ROWS]].to_numpy()


def kind(masses):
    """Return which of `KINDS` a mass function is, given by the rows of Table 1: (7,)."""
    sizes = np.array([len(members) for members in SETS])
    if masses[sizes == 1].max() == 1:
        return KINDS[1]
    if masses[sizes == CLASSES].max() == 1:
        return KINDS[2]
    return KINDS[0] if abs(masses[sizes == 1].sum() - 1) <= ROUNDING else KINDS[3]


@claim(
    "egmm-ex-01",
    "object 1 is Bayesian, 2 is certain, 3 is vacuous, 4 is both imprecise and uncertain",
    sentence="S07",
    published="; ".join(KINDS),
)
def four_kinds(params, tables):
    found = [kind(masses) for masses in by_row(tables)]
    return Finding(tuple(found) == KINDS, "; ".join(found))


@claim("egmm-tab-01", "the masses of each object sum to one", ARITHMETIC)
def masses_sum_to_one(params, tables):
    """Check [jiao2022_egmm (1)]."""
    sums = by_row(tables).sum(axis=1)
    return below(ROUNDING, {"largest distance of a sum from 1": np.abs(sums - 1).max()}, ".0e")


@claim(
    "egmm-tab-01",
    "the lost labels of the rows: what the text says of the objects leaves the single classes to rows 1, 2 "
    "and 4, and the frame to row 7",
    ARITHMETIC,
)
def order_is_forced(params, tables):
    """Try all orders of the sizes of the sets: the three words are about sizes alone."""
    masses = by_row(tables)
    sizes = sorted(map(len, SETS))
    orders = {order for order in permutations(sizes) if _as_in_the_text(masses, np.array(order))}
    single = {tuple(int(row) for row in ROWS if order[row - 1] == 1) for order in orders}
    frame = {tuple(int(row) for row in ROWS if order[row - 1] == CLASSES) for order in orders}
    words = "; ".join(f"single classes in rows {rows}" for rows in sorted(single))
    return Finding(single == {(1, 2, 4)} and frame == {(7,)}, words or "no order is left")


def _as_in_the_text(masses, sizes):
    """Return whether objects 1 to 3 are Bayesian, certain and vacuous if rows have these `sizes` (7,)."""
    bayesian = np.isclose(masses[0, sizes == 1].sum(), 1)
    return bayesian and masses[1, sizes == 1].max() == 1 and masses[2, sizes == CLASSES].max() == 1


@claim(
    "egmm-tab-01",
    "belief and plausibility of every set bound its pignistic probability, and the beliefs give the masses "
    "back",
    sentence="S05 S06",
)
def belief_functions_belong_together(params, tables):
    sets = tables["sets"]
    return all_of(
        above(-ROUNDING, {"least pignistic - belief": (sets["pignistic"] - sets["bel"]).min()}, ".0e"),
        above(-ROUNDING, {"least plausibility - pignistic": (sets["pl"] - sets["pignistic"]).min()}, ".0e"),
        below(ROUNDING, {"masses missed by": (sets["recovered"] - sets["mass"]).abs().max()}, ".0e"),
    )


@claim(
    "egmm-tab-01",
    "the masses of an object give its pignistic probabilities, and these do not give the masses back: the "
    "vacuous object has those of a Bayesian one with equal masses",
    sentence="S02",
    by_definition=True,
)
def masses_hold_more(params, tables):
    """Compare two mass functions with one probability: the map to probabilities loses something."""
    vacuous = tables["sets"].query("object == 3")
    singles = vacuous[vacuous["set"].isin(FOCAL_SETS.labels[:CLASSES])]
    equal = np.abs(singles["pignistic"] - 1 / CLASSES).max()
    return all_of(
        below(ROUNDING, {"pignistic probabilities off 1/3 by": equal}, ".0e"),
        within(0, 0, {"masses of the single classes": singles["mass"].sum()}, "g"),
    )


@claim(
    "egmm-tab-01",
    "the partition boils down to simpler ones: one class for each object, memberships that sum to one, "
    "possibilities from 0 to 1, lower approximations within upper ones",
    sentence="S14",
)
def boils_down(params, tables):
    table = tables["simpler"]
    by_object = table.groupby("object")
    each, largest = by_object["hard"].sum(), by_object["possibilistic"].max()
    return all_of(
        within(1, 1, {"classes of an object, least": each.min(), "most": each.max()}, "g"),
        below(ROUNDING, {"memberships off 1 by": (by_object["fuzzy"].sum() - 1).abs().max()}, ".0e"),
        within(
            0, 1, {"largest possibility of an object, least": largest.min(), "most": largest.max()}, ".3g"
        ),
        within(0, 0, {"in a lower and in no upper one": (table["lower"] & ~table["upper"]).sum()}, "g"),
    )


experiment = declare(
    __name__,
    title="Evidential memberships of four objects",
    artefacts={
        "egmm-ex-01": "Four kinds of evidential membership",
        "egmm-tab-01": "Masses of four objects on the subsets of three classes",
    },
)

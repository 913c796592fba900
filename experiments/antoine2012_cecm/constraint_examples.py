"""Examples 1 and 2, Tables 1 to 3: reading a credal partition, and pairs of objects.

Example 1 has four objects whose masses are of four kinds: certain, ignorant, probabilistic, outlier. In
Example 2 the masses of two objects are combined on the pairs of clusters, Eqs. (16) and (17); the mass on
sets that intersect the event "same cluster" is its plausibility, Eq. (18), and likewise for "different
clusters", Eq. (19). Both can be 1 at once: an object that may be anywhere neither fulfils nor violates a
constraint. CECM adds only these two plausibilities to ECM.

Everything is printed in the paper and exact, so we made no choices: Table 3 is computed from Tables 1 and 2.
The two pictures are ours; the paper has only tables.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster.constrained.masses import joint_plausibilities
from credalbench.papers import ARITHMETIC, Finding, declare, knob, printed_values
from credalbench.papers.claims import agrees, below, claim
from credalbench.plots import mass_bars, new_figure
from credalbench.plots.style import INK, LABEL_SIZE, style_axes, tint

PRINTED = printed_values(__file__)
FOCAL_SETS = FocalSets.full(2)
COLUMNS = ("empty", "w1", "w2", "omega")
PAIRS = ((1, 2), (1, 3), (1, 4))  # the columns of Table 3


def printed_masses(number, i):
    """Return the masses of object i, from 1, in Table 1 or 2."""
    return tuple(PRINTED[f"t{number}_{i}_{column}"].value for column in COLUMNS)


@dataclass(frozen=True)
class Parameters:
    """Masses on the empty set, {1}, {2} and both clusters; each sums to 1."""

    probabilistic: tuple[float, float, float, float] = knob(
        printed_masses(1, 3), "masses of object 3 in Example 1 (Table 1)", low=0.0, high=1.0
    )
    ignorant: tuple[float, float, float, float] = knob(
        printed_masses(2, 4), "masses of object 4 in Example 2 (Table 2)", low=0.0, high=1.0
    )


def cases(params):
    return [{"example": 1}, {"example": 2}]


def compute(params, case):
    if case["example"] == 1:
        others = [printed_masses(1, i) for i in (1, 2, 4)]
        return {"reading": reading([*others[:2], params.probabilistic, others[2]])}
    masses = np.array([*(printed_masses(2, i) for i in (1, 2, 3)), params.ignorant])
    return {"partition": mass_table(masses), "plausibilities": plausibility_table(masses)}


def mass_table(masses):
    """Return one row for each object: its number from 1 and its masses on `COLUMNS`."""
    table = pd.DataFrame(np.asarray(masses), columns=COLUMNS)
    table.insert(0, "object", np.arange(1, len(table) + 1))
    return table


def reading(masses):
    """Tabulate Example 1: the masses and what follows from them, object by object."""
    partition = CredalPartition(masses, FOCAL_SETS)
    table = mass_table(masses)
    contour = partition.contour
    table["pl_1"], table["pl_2"] = contour.T
    M = partition.masses
    singletons = M[:, 1] + M[:, 2]
    table["certain"] = M[:, 1:3].max(axis=1) == 1
    table["vacuous"] = M[:, 3] == 1
    table["bayesian"] = np.isclose(singletons, 1, atol=1e-12, rtol=0) & ~table["certain"]  # rounding
    table["outlier"] = partition.outliers()
    some = M[:, 0] < 1  # the pignistic probability of an object wholly on the empty set is a convention
    table["bet_1"], table["bet_2"] = np.where(some[:, None], partition.pignistic, np.nan).T
    return table


def plausibility_table(masses):
    """Tabulate Example 2: plausibility of "same cluster" and "different clusters" for pairs of Table 3."""
    pairs = np.array(PAIRS)
    same, different = joint_plausibilities(masses, pairs - 1, FOCAL_SETS)
    return pd.DataFrame({"i": pairs[:, 0], "j": pairs[:, 1], "pl_same": same, "pl_different": different})


def draw(params, tables):
    return {
        "cecm-ex-01": draw_partition(tables["reading"], "Four kinds of masses"),
        "cecm-ex-02": draw_pairs(tables["partition"], tables["plausibilities"]),
    }


def draw_partition(table, title):
    figure = new_figure(5.4, 3.0)
    mass_bars(figure.subplots(), CredalPartition(table[list(COLUMNS)], FOCAL_SETS), title=title)
    return figure


def draw_pairs(partition, plausibilities):
    """Draw the masses of Table 2, and Table 3 as shaded cells."""
    figure = new_figure(9.0, 3.1)
    left, right = figure.subplots(1, 2, width_ratios=(1.15, 1))
    mass_bars(left, CredalPartition(partition[list(COLUMNS)], FOCAL_SETS), title="Masses of four objects")
    columns = ("pl_same", "pl_different")
    values = plausibilities[list(columns)].to_numpy().T
    for row, col in np.ndindex(*values.shape):
        face = tint(INK, 0.06 + 0.64 * values[row, col])
        right.fill_between([col - 0.47, col + 0.47], row - 0.45, row + 0.45, color=face, linewidth=0)
        text = {"ha": "center", "va": "center", "fontsize": LABEL_SIZE + 2}
        dark = values[row, col] > 0.6
        right.text(col, row, f"{values[row, col]:.3g}", color="white" if dark else INK, **text)
    style_axes(right, title="Plausibilities of pairs with object 1", xlabel="objects", grid=None)
    right.set_xticks(range(len(plausibilities)), [f"{r.i}, {r.j}" for r in plausibilities.itertuples()])
    right.set_yticks([0, 1], ["same\ncluster", "different\nclusters"])
    right.set(xlim=(-0.5, values.shape[1] - 0.5), ylim=(1.5, -0.5))
    right.tick_params(length=0)
    right.spines[["left", "bottom"]].set_visible(False)
    return figure


# ------------------------------------------------------------------------------------------ claims


CHANGED = "the paper's masses were changed"
stated = partial(claim, explanation=CHANGED)
ROUNDING = 1e-15  # of a sum of four numbers, or a division
KINDS = ("certain", "vacuous", "bayesian", "outlier")


#: The cells of Table 3, named after pair and event: ``1x3_pl_same``.
TABLE_3 = {name.removeprefix("t3_"): cell for name, cell in PRINTED.items() if name.startswith("t3_")}


def pairs(tables):
    """Return the pairs of Example 2 as in ``1x3``."""
    table = tables["plausibilities"]
    return table["i"].astype(str) + "x" + table["j"].astype(str)


@stated(
    "cecm-ex-01",
    "object 1 is known with certainty, 2 is completely unknown, 3 is probabilistic, 4 is an outlier",
    sentence="S04",
    published="; ".join(KINDS),
)
def four_kinds(params, tables):
    kinds = tables["reading"].set_index("object")[list(KINDS)]
    found = [", ".join(kinds.columns[row]) or "none" for row in kinds.to_numpy()]
    return Finding(found == list(KINDS), "; ".join(found))


@claim(
    "cecm-tab-0{number}",
    "the printed masses of each object sum to one, Eq. (3)",
    ARITHMETIC,
    each=[{"number": 1, "table": "reading"}, {"number": 2, "table": "partition"}],
)
def masses_sum_to_one(params, tables, table):
    off = (tables[table][list(COLUMNS)].sum(axis=1) - 1).abs().max()
    return below(ROUNDING, {"largest distance of a sum from 1": off}, ".1e")


@stated(
    "cecm-tab-01",
    "Bayesian masses are fuzzy memberships: those of object 3 are its pignistic probabilities, Eq. (7)",
    sentence="S05",
)
def probability_is_its_own_pignistic(params, tables):
    row = tables["reading"].set_index("object").loc[3]
    words = f"BetP = ({row['bet_1']:.12g}, {row['bet_2']:.12g}), m = ({row['w1']:.12g}, {row['w2']:.12g})"
    off = max(abs(row["bet_1"] - row["w1"]), abs(row["bet_2"] - row["w2"]))
    return below(ROUNDING, {"largest difference": off}, ".1e", words)


@stated(
    "cecm-tab-03",
    "the plausibilities of Table 3 follow exactly from Table 2 by Eqs. (18) and (19)",
    published=f"{len(TABLE_3)} cells",
)
def plausibilities_as_printed(params, tables):
    named = tables["plausibilities"].set_axis(pairs(tables))
    return agrees(TABLE_3, {cell: named.loc[tuple(cell.split("_", 1))] for cell in TABLE_3}, "g")


@stated(
    "cecm-ex-02",
    "objects 1 and 2 are surely together, 1 and 3 surely apart, and 1 and 4 may be both",
    sentence="S08",
)
def relations_of_example_2(params, tables):
    relations = {(1, 0): "surely together", (0, 1): "surely apart", (1, 1): "perhaps both"}
    rows = tables["plausibilities"][["pl_same", "pl_different"]].to_numpy()
    found = [relations.get(tuple(row), "neither surely nor freely") for row in rows]
    words = ", ".join(f"{pair.replace('x', ' and ')} {word}" for pair, word in zip(pairs(tables), found))
    return Finding(found == list(relations.values()), words)


experiment = declare(
    __name__,
    title="Reading a credal partition, one object and two objects at a time",
    artefacts={
        "cecm-ex-01": "Four kinds of mass functions",
        "cecm-tab-01": "A credal partition",
        "cecm-ex-02": "Same cluster or different clusters",
        "cecm-tab-02": "The credal partition behind the constraints",
        "cecm-tab-03": "Plausibilities of same and different clusters",
    },
)

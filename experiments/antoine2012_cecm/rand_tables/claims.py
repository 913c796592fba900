"""What Tables 5 and 6 conclude from the table ``runs``: the tables side by side with ours, and the claims.

A cell is one data set, number of constraints C and xi, over all draws of constraints. It agrees when the
interval of our mean lies within 0.02 of the printed one.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd

from credalbench.intervals import Estimate, difference, mean
from credalbench.runner import (
    ARITHMETIC,
    EXPECTATION,
    TOLERANCE_OURS,
    CannotBeChecked,
    Finding,
    Printed,
    printed_values,
)
from credalbench.runner.claims import above, agrees, all_of, below, claim, within

PRINTED = printed_values(__file__)
WITHIN = 0.02  # ours; the print has two decimals
#: Data set -> metric, in the order of the columns.
METRICS = {"iris": "mahalanobis", "wine": "euclidean", "glass": "mahalanobis"}
NAMES = {"iris": "Iris, adaptive metric", "wine": "Wine, Euclidean", "glass": "Glass, adaptive metric"}
TABLES = {"cecm-tab-05": (20, 50), "cecm-tab-06": (100, 200)}
KEYS = ["dataset", "n_constraints", "xi"]
SAME = 1e-6  # relative difference below which two objectives are those of one minimum


# ---------------------------------------------------------------- reading the runs


def draws(runs: pd.DataFrame, way: str = "default", column: str = "ri") -> pd.DataFrame:
    """A row for each cell, a column for each draw of constraints; ways are "default", "early", "restarts"."""
    cells = runs[runs["way"] == way].pivot(index=KEYS, columns="repetition", values=column)
    return cells.reindex(list(METRICS), level="dataset")


def printed_cell(quantity: str, dataset: str, C: int, xi: float) -> Printed | None:
    """The printed mean ("ri") or standard deviation ("sd") of a cell; None off the paper's grid."""
    return PRINTED.get(f"{quantity}_{dataset}_{C}_{xi:.1f}") if np.isclose(xi, round(xi, 1)) else None


def named(dataset: str, C: int, xi: float | None = None) -> str:
    return f"{NAMES[dataset]}, C = {C}" + ("" if xi is None else f", xi = {xi:g}")


def agreement(ri: pd.DataFrame, note: str = "") -> Finding:
    """Whether our means are the printed ones, in every cell that the paper has."""
    printed = {cell: value for cell in ri.index if (value := printed_cell("ri", *cell))}
    if not printed:
        raise CannotBeChecked("no such cell of the paper's tables was run")
    return agrees(
        {named(*cell): replace(value, precision=WITHIN) for cell, value in printed.items()},
        {named(*cell): mean(ri.loc[cell]) for cell in printed},
        ".3f",
        note,
    )


def over_xi(ri: pd.DataFrame) -> dict[str, Estimate]:
    """Range of the mean over xi for each data set and C: highest minus lowest cell, draw by draw."""
    found = {}
    for (dataset, C), cells in ri.groupby(level=KEYS[:2], sort=False):
        means = cells.mean(axis=1)
        found[named(dataset, C)] = difference(cells.loc[means.idxmax()], cells.loc[means.idxmin()])
    return found


# ---------------------------------------------------------------- summaries


def side_by_side(params, tables) -> pd.DataFrame:
    """Both tables as printed and ours, mean ± standard deviation: * differs, ? undecided."""
    return compared(draws(tables["runs"]))


def stopped_early(params, tables) -> pd.DataFrame:
    """The same of the fits with the larger threshold."""
    return compared(draws(tables["runs"], "early"))


def compared(ri: pd.DataFrame) -> pd.DataFrame:
    """Printed and our cells beside each other, data sets in the columns."""
    found = {}
    for dataset, C, xi in ri.index:
        printed, sd = (printed_cell(quantity, dataset, C, xi) for quantity in ("ri", "sd"))
        if printed:
            cell = ri.loc[[(dataset, C, xi)]]
            ours = f"{cell.to_numpy().mean():.3f} ± {cell.to_numpy().std(ddof=1):.3f}"
            sign = {True: "", False: " *", None: " ?"}[agreement(cell).holds]
            found[C, xi, NAMES[dataset], "paper"] = f"{printed.value:.2f} ± {sd.value:.2f}"
            found[C, xi, NAMES[dataset], "ours"] = ours + sign
    table = (
        pd.Series(found, dtype=object).rename_axis(["C", "xi", "set", "source"]).unstack(["set", "source"])
    )
    return table.rename_axis(columns=[None, None])


def ways(params, tables) -> pd.DataFrame:
    """At one xi, for each data set and C, the ways to a partition; objectives are compared draw by draw."""
    runs = tables["runs"]
    runs = runs[np.isclose(runs["xi"], params.restarts_xi)]
    draw = [*KEYS[:2], "repetition"]
    base = runs[runs["way"] == "default"].set_index(draw)["objective"].rename("base")
    relative = runs["objective"] / runs.join(base, on=draw)["base"]
    runs = runs.assign(relative=relative, lower=relative < 1 - SAME, higher=relative > 1 + SAME)
    table = runs.groupby([*KEYS[:2], "way"], sort=False).agg(
        **{
            "mean RI": ("ri", "mean"),
            "sd": ("ri", "std"),
            "mean RI, unconstrained objects": ("ri_unconstrained", "mean"),
            "objective / default, mean": ("relative", "mean"),
            "lower objective, share of draws": ("lower", "mean"),
            "higher": ("higher", "mean"),
            "mean iterations": ("n_iter", "mean"),
            "mean violated": ("n_violated", "mean"),
            "ridged": ("ridged", "sum"),
            "converged": ("converged", "mean"),
        }
    )
    return table.round(4).rename(index=NAMES, level="dataset").rename_axis(["data set", "C", "way"])


# ---------------------------------------------------------------- claims

SMALL_XI = (
    "the second part of the objective is a mean over the constraints: the more there are, the less a single "
    "one weighs, and with a small xi the partitions break more of them. The smallest printed value stands at "
    "xi = 0.1, too"
)
FURTHER = (
    'what is significant in "no significant change of V" is not printed, and the Rand index is not what is '
    "minimised: on its way to the minimum it can pass through better values"
)
OTHER_MINIMA = (
    "the objective does not know the classes. Other minima fit data and constraints better than the one next "
    "to k-means, some of them with a singular covariance, and their clusters are not the classes. The "
    "agreement on Glass with C = 20 depends on the start"
)


def printed_means(dataset: str, C: int) -> list[float]:
    """The printed means of one data set and C, from xi = 0 to 0.9."""
    return [printed_cell("ri", dataset, C, xi / 10).value for xi in range(10)]


def as_printed(artefact: str, C: int, dataset: str) -> dict:
    """What the claims need of one printed column: its data set, C, and the means in words."""
    zero, *weighted = printed_means(dataset, C)
    printed = f"{zero:.2f} at xi = 0, then {min(weighted):.2f} to {max(weighted):.2f}"
    return {"artefact": artefact, "dataset": dataset, "C": C, "name": NAMES[dataset], "printed": printed}


PRINTED_COLUMNS = [as_printed(a, C, d) for a, counts in TABLES.items() for C in counts for d in METRICS]
RANGE = round(max(np.ptp(printed_means(one["dataset"], one["C"])[1:]) for one in PRINTED_COLUMNS), 2)
BOTH_TABLES = [{"artefact": artefact, "counts": counts} for artefact, counts in TABLES.items()]
#: Half a unit of the last digit of both means.
MARGIN = 2 * max(value.precision for value in PRINTED.values())


@claim(
    "{artefact}",
    f"{{name}}, C = {{C}}: at all ten xi our mean Rand index is within {WITHIN} of the printed one",
    TOLERANCE_OURS,
    published="{printed}",
    explanation=FURTHER,
    each=PRINTED_COLUMNS,
)
def cells_agree(params, tables, dataset, C):
    return agreement(draws(tables["runs"]).query("dataset == @dataset and n_constraints == @C"))


@claim(
    "{artefact}",
    f"without constraints (xi = 0) the standard deviation is 0 and the mean within {WITHIN} of the printed "
    "one",
    ARITHMETIC,
    published=", ".join(
        f"{name}: {printed_means(d, 20)[0]:.2f} ± {printed_cell('sd', d, 20, 0).value:.2f}"
        for d, name in NAMES.items()
    ),
    explanation=FURTHER,
    each=BOTH_TABLES,
)
def nothing_varies_without_weight(params, tables, counts):
    ri = draws(tables["runs"]).query("xi == 0 and n_constraints in @counts")
    if ri.empty:
        raise CannotBeChecked("xi = 0 was not run")
    means = [f"{NAMES[name]}: {part.to_numpy().mean():.3f}" for name, part in ri.groupby(level="dataset")]
    rounding = 1e-12  # of a mean of equal numbers
    still = below(rounding, {"largest sd": ri.std(axis=1).max()}, ".1g")
    return all_of(still, agreement(ri, ", ".join(means)))


@claim(
    "{artefact}",
    f"over xi = 0.1 to 0.9 the mean varies by at most {RANGE} for each data set and C",
    ARITHMETIC,
    published=f'largest range {RANGE}; "not so critical"',
    explanation=SMALL_XI,
    each=BOTH_TABLES,
)
def weight_matters_little(params, tables, counts):
    ri = draws(tables["runs"]).query("xi > 0 and n_constraints in @counts")
    xi = ri.index.get_level_values("xi")
    widths, rest = over_xi(ri), over_xi(ri[xi > xi.min()])
    wide = [f"{cell}: {rest[cell].value:.3f}" for cell in rest if widths[cell].value > RANGE]
    note = f"without xi = {xi.min():g}, {', '.join(wide)}" if wide else ""
    return within(-np.inf, RANGE, widths, ".3f", note)


@claim(
    "cecm-tab-06",
    "for each data set and xi > 0 the mean does not fall from one C to the next (20, 50, 100, 200), beyond "
    f"the {MARGIN:g} that the rounding of two printed means may hide",
    ARITHMETIC,
    published="no printed mean falls",
    explanation="a constraint on a misclassified object can mislead, as Section 5.2.2 says",
)
def more_constraints_do_no_harm(params, tables):
    ri, steps = draws(tables["runs"]), {}
    for (dataset, xi), cells in ri.query("xi > 0").groupby(level=["dataset", "xi"]):
        rows = list(cells.sort_index(level="n_constraints").iterrows())
        for ((_, C, _), few), ((_, more, _), many) in pairwise(rows):
            steps[f"{named(dataset, C, xi)} to {more}"] = difference(many, few)
    return above(-MARGIN, steps, "+.4f")


@claim(
    "cecm-tab-06",
    "stopped ten times earlier (threshold 0.01), all 120 cells of both tables agree",
    EXPECTATION,
    explanation=FURTHER,
)
def early_agrees_too(params, tables):
    return agreement(draws(tables["runs"], "early"))


@claim(
    "cecm-tab-06",
    "where random restarts find a lower objective (xi = 0.5), the mean Rand index is no lower there",
    EXPECTATION,
    explanation=OTHER_MINIMA,
)
def restarts_gain(params, tables):
    runs = tables["runs"]
    objective, ri = (draws(runs, "restarts", column) for column in ("objective", "ri"))
    lower = objective < draws(runs, column="objective").loc[objective.index] * (1 - SAME)
    gains = (ri - draws(runs).loc[ri.index]).where(lower)
    shares = [f"{NAMES[name]} {part.to_numpy().mean():.0%}" for name, part in lower.groupby(level="dataset")]
    gained = {
        NAMES[name]: mean(part)
        for name, part in gains.groupby(level="dataset", sort=False)
        if part.notna().any(axis=None)
    }
    return above(0, gained, "+.4f", f"share of draws with a lower objective: {', '.join(shares)}")

"""What ``rand_tables.py`` concludes from its runs: the two tables side by side with ours, and the claims.

A cell is one data set, number of constraints C and xi. It agrees when our mean is within 0.02 of the printed
one, or the printed one inside our 95 % Student interval.
"""

import numpy as np
import pandas as pd

from credalbench.plots.curves import summarise
from credalbench.runner import Claim, Finding
from experiments.printed import ROUNDING, printed_values

OURS = "own expectation, not in paper"
ARITHMETIC = "arithmetic on printed values"
PRINTED = printed_values("antoine2012_cecm", "rand_tables")
WITHIN = 0.02  # the issue of this reproduction; the print has two decimals
RANGE = 0.03  # largest range over xi > 0 in the print
#: Data set -> metric, in the order of the columns.
DATASETS = {"iris": "mahalanobis", "wine": "euclidean", "glass": "mahalanobis"}
NAMES = {"iris": "Iris, adaptive metric", "wine": "Wine, Euclidean", "glass": "Glass, adaptive metric"}
TABLES = {"cecm-tab-05": (20, 50), "cecm-tab-06": (100, 200)}
KEYS = ["dataset", "n_constraints"]


# ---------------------------------------------------------------- reading the runs


def of_way(runs: pd.DataFrame, way: str) -> pd.DataFrame:
    """The runs of one way: "default", "early" or "restarts"."""
    return runs[runs["way"] == way]


def cells(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per cell: our mean, interval and sd, the printed mean and sd, their gap, whether they agree.

    `runs` are those of one way. Printed values are NaN off the grid of the paper.
    """
    rows = []
    for (dataset, C), part in runs.groupby(KEYS, sort=False):
        deviations = part.groupby("xi")["ri"].std(ddof=1)
        for xi, mean, low, high in zip(*summarise(part, "xi", "ri", "mean-ci")):
            key = f"{dataset}_{C}_{xi:.1f}" if np.isclose(xi, round(xi, 1)) else ""
            printed, sd = (
                PRINTED[f"{q}_{key}"].value if f"{q}_{key}" in PRINTED else np.nan for q in ("ri", "sd")
            )
            rows.append((dataset, C, xi, mean, low, high, deviations[xi], printed, sd))
    columns = [*KEYS, "xi", "mean", "low", "high", "sd", "printed", "printed_sd"]
    table = pd.DataFrame(rows, columns=columns)
    table["gap"] = table["mean"] - table["printed"]
    inside = table["printed"].between(table["low"], table["high"])
    table["agrees"] = (table["gap"].abs() <= WITHIN + ROUNDING) | inside
    return table


def side_by_side(runs: pd.DataFrame, way: str = "default") -> pd.DataFrame:
    """The two tables as printed and ours, mean ± standard deviation; a cell that differs has a star."""
    table = cells(of_way(runs, way)).dropna(subset="printed")
    star = np.where(table["agrees"], "", " *")
    form = "{:.2f} ± {:.2f}".format
    table["paper"] = [form(*pair) for pair in zip(table["printed"], table["printed_sd"])]
    form = "{:.3f} ± {:.3f}".format
    table["ours"] = [form(*pair) for pair in zip(table["mean"], table["sd"])] + star
    table = table.assign(set=table["dataset"].map(NAMES))
    wide = table.pivot(index=["n_constraints", "xi"], columns="set", values=["paper", "ours"])
    return wide.swaplevel(axis=1)[[(NAMES[d], source) for d in DATASETS for source in ("paper", "ours")]]


def ways(runs: pd.DataFrame, xi: float) -> pd.DataFrame:
    """At one xi, for each data set and C, three ways: Rand index, objective against the default's, ...

    Objectives are compared draw by draw; equal means within a part in 10^6.
    """
    part = runs[np.isclose(runs["xi"], xi)].set_index([*KEYS, "trial"]).sort_index()
    base = of_way(part, "default")["objective"]
    rows = []
    for (dataset, C, way), group in part.groupby([*KEYS, "way"], sort=False):
        relative = group["objective"] / base.loc[dataset, C].loc[group.index.get_level_values("trial")].values
        rows.append(
            {
                "data set": NAMES[dataset],
                "C": C,
                "way": way,
                "mean RI": round(group["ri"].mean(), 3),
                "sd": round(group["ri"].std(ddof=1), 3),
                "mean RI, unconstrained objects": round(group["ri_unconstrained"].mean(), 3),
                "objective / default, mean": round(relative.mean(), 4),
                "lower objective, share of draws": round((relative < 1 - 1e-6).mean(), 2),
                "higher": round((relative > 1 + 1e-6).mean(), 2),
                "mean iterations": round(group["n_iter"].mean(), 1),
                "mean violated": round(group["n_violated"].mean(), 2),
                "ridged": int(group["ridged"].sum()),
                "not converged": int((~group["converged"]).sum()),
            }
        )
    return pd.DataFrame(rows).set_index(["data set", "C", "way"])


# ---------------------------------------------------------------- claims


def cells_agree(dataset: str, C: int):
    """Check: every xi of one data set and C; the finding explains each cell that differs."""

    def check(params, tables):
        runs = tables["runs"]
        runs = runs[(runs["dataset"] == dataset) & (runs["n_constraints"] == C)]
        table = cells(of_way(runs, "default")).dropna(subset="printed")
        if table.empty:
            return Finding(None, "", f"needs C = {C} and a xi of the paper")
        different = table[~table["agrees"]]
        low, high = table["gap"].min(), table["gap"].max()
        agree = f"{len(table) - len(different)} of {len(table)} cells"
        ours = f"{agree}; ours minus printed {low:+.3f} to {high:+.3f}"
        return Finding(different.empty, ours, explained(runs, different))

    return check


def explained(runs: pd.DataFrame, different: pd.DataFrame) -> str:
    """One clause for each cell that differs: values, and what stopping earlier does to it."""
    early = cells(of_way(runs, "early")).set_index("xi")
    clauses = []
    for cell in different.itertuples():
        at_xi = runs[np.isclose(runs["xi"], cell.xi)].pivot(index="trial", columns="way")
        rise = (at_xi["objective"]["early"] / at_xi["objective"]["default"]).mean() - 1
        stopped = early.loc[cell.xi]
        clauses.append(
            f"xi = {cell.xi:.1f}: {cell.mean:.3f} ({cell.low:.3f} to {cell.high:.3f}), printed "
            f"{cell.printed:.2f}, stopped earlier {stopped['mean']:.3f} (objective {rise:.2%} higher)"
        )
    return "; ".join(clauses)


def check_early(params, tables):
    """The number of cells that agree when the descent stops earlier."""
    table = cells(of_way(tables["runs"], "early")).dropna(subset="printed")
    base = cells(of_way(tables["runs"], "default")).dropna(subset="printed")
    different = [
        f"{NAMES[c.dataset]}, C = {c.n_constraints}, xi = {c.xi:.1f}: {c.mean:.3f}, printed {c.printed:.2f}"
        for c in table[~table["agrees"]].itertuples()
    ]
    ours = f"{table['agrees'].sum()} of {len(table)} cells, against {base['agrees'].sum()}"
    gaps = f"mean absolute gap {table['gap'].abs().mean():.4f} against {base['gap'].abs().mean():.4f}"
    return Finding(not different, f"{ours}; {gaps}", "; ".join(different))


def check_restarts(params, tables):
    """Whether the Rand index is at least as good where restarts find a lower objective."""
    part = tables["runs"][np.isclose(tables["runs"]["xi"], params.restarts_xi)]
    wide = part.pivot(index=[*KEYS, "trial"], columns="way", values=["objective", "ri"])
    lower = wide["objective"]["restarts"] < wide["objective"]["default"] * (1 - 1e-6)
    words, holds = [], True
    for dataset in DATASETS:
        found = lower.loc[dataset]
        gain = (wide["ri"]["restarts"] - wide["ri"]["default"]).loc[dataset][found]
        holds &= gain.sum() >= 0
        there = f", there RI {gain.mean():+.4f}" if len(gain) else ""
        singular = int(of_way(part, "restarts").groupby("dataset")["ridged"].sum().get(dataset, 0))
        there += f"; {singular} runs with a singular covariance" if singular else ""
        words.append(f"{NAMES[dataset]}: lower in {found.mean():.0%} of draws{there}")
    return Finding(holds, "; ".join(words))


def xi_zero(counts):
    """Check: at xi = 0 the sd is 0 and the mean is the printed one, for the C in `counts`."""

    def check(params, tables):
        table = cells(of_way(tables["runs"], "default"))
        table = table[(table["xi"] == 0) & table["n_constraints"].isin(counts)]
        if table.empty:
            return Finding(None, "", "needs xi = 0")
        words = [f"{NAMES[d]} {part['mean'].iloc[0]:.3f}" for d, part in table.groupby("dataset", sort=False)]
        still = table["sd"].max() < 1e-12  # rounding of a mean of equal numbers
        close = bool((table["gap"].abs() <= WITHIN + ROUNDING).all())
        return Finding(still and close, f"{', '.join(words)}; largest sd {table['sd'].max():.2g}")

    return check


def range_over_xi(counts):
    """Check: over xi > 0 the mean varies by at most `RANGE` for each data set and each C in `counts`."""

    def check(params, tables):
        table = cells(of_way(tables["runs"], "default"))
        table = table[(table["xi"] > 0) & table["n_constraints"].isin(counts)]
        spread, printed = (table.groupby(KEYS)[column].agg(np.ptp) for column in ("mean", "printed"))
        words = [
            f"{NAMES[d]}, C = {C}: {value:.3f} (printed {printed[d, C]:.2f})"
            for (d, C), value in spread.items()
        ]
        smallest = table["xi"].min()
        rest = table[table["xi"] > smallest].groupby(KEYS)["mean"].agg(np.ptp)
        wide = spread.index[spread > RANGE + ROUNDING]
        notes = [f"{NAMES[d]}, C = {C}: {rest[d, C]:.3f} without xi = {smallest:g}" for d, C in wide]
        return Finding(wide.empty, "; ".join(words), "; ".join(notes))

    return check


def check_grows(params, tables):
    """At every xi > 0 the mean does not fall from one C to the next by more than the error of both means."""
    table = cells(of_way(tables["runs"], "default"))
    table = table[table["xi"] > 0].sort_values("n_constraints")
    falls, larger, n_steps = [], 0, 0
    for (dataset, xi), part in table.groupby(["dataset", "xi"]):
        for before, after in zip(part.iloc[:-1].itertuples(), part.iloc[1:].itertuples()):
            n_steps += 1
            step = after.mean - before.mean
            error = np.hypot(after.mean - after.low, before.mean - before.low)
            larger += step < -error
            if step < 0:
                at = f"xi = {xi:.1f}, C = {before.n_constraints} to {after.n_constraints}"
                falls.append(f"{NAMES[dataset]}, {at}: {step:+.4f} ± {error:.4f}")
    if not n_steps:
        return Finding(None, "", "needs several C and a xi > 0")
    return Finding(larger == 0, f"{n_steps - len(falls)} of {n_steps} steps rise or stay", "; ".join(falls))


SMALL_XI = (
    "the second part of the objective is a mean over the constraints: the more there are, the less a single "
    "one weighs. At xi = 0.1 the partitions break 7 of 200 constraints on average, on Wine and on Glass "
    "alike, at 0.5 less than one. The smallest printed value stands at xi = 0.1, too"
)
FURTHER = (
    'what is significant in "no significant change of V" is not printed, and the Rand index is not what is '
    "minimised: on its way to the minimum it can pass through better values"
)


def _claims() -> tuple[Claim, ...]:
    claims = []
    for artefact, counts in TABLES.items():
        claims += [
            Claim(
                artefact,
                f"{NAMES[dataset]}, C = {C}: at all ten xi, our mean Rand index is within {WITHIN} of the "
                "printed one, or the printed one inside our 95 % interval",
                "paper, tolerance ours",
                cells_agree(dataset, C),
                published=printed_range(dataset, C),
                explanation=FURTHER,
            )
            for C in counts
            for dataset in DATASETS
        ]
        claims += [
            Claim(
                artefact,
                f"Without constraints (xi = 0) the standard deviation is 0 and the mean within {WITHIN} of "
                "the printed one",
                ARITHMETIC,
                xi_zero(counts),
                published="0.87, 0.95, 0.85 (Iris, Wine, Glass), all ± 0.00",
                explanation=FURTHER,
            ),
            Claim(
                artefact,
                f"Over xi = 0.1 to 0.9 the mean varies by at most {RANGE} for each data set and C",
                ARITHMETIC,
                range_over_xi(counts),
                published=f'largest range {RANGE}; "not so critical"',
                explanation=SMALL_XI,
            ),
        ]
    claims += [
        Claim(
            "cecm-tab-06",
            "For each data set and xi > 0 the mean does not fall from one C to the next (20, 50, 100, 200), "
            "beyond the 95 % error of the difference",
            ARITHMETIC,
            check_grows,
            published="all 81 steps",
            explanation="a constraint on a misclassified object can mislead, as Section 5.2.2 says",
        ),
        Claim(
            "cecm-tab-06",
            "Stopped ten times earlier (threshold 0.01), all 120 cells of both tables agree",
            OURS,
            check_early,
            explanation=FURTHER,
        ),
        Claim(
            "cecm-tab-06",
            "Where random restarts find a lower objective (xi = 0.5), the mean Rand index is no lower there",
            OURS,
            check_restarts,
            explanation="the objective does not know the classes. Other minima fit data and constraints "
            "better than the one next to k-means, some of them with a singular covariance, and their "
            "clusters are not the classes. The agreement on Glass with C = 20 depends on the start",
        ),
    ]
    return tuple(claims)


def printed_range(dataset: str, C: int) -> str:
    """The printed means of one column and C, smallest and largest, without xi = 0."""
    values = [PRINTED[f"ri_{dataset}_{C}_{xi / 10:.1f}"].value for xi in range(1, 10)]
    zero = PRINTED[f"ri_{dataset}_{C}_0.0"].value
    return f"{zero:.2f} at xi = 0, then {min(values):.2f} to {max(values):.2f}"


CLAIMS = _claims()

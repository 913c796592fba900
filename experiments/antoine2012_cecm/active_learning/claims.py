"""What Figures 6 to 10 conclude from the table ``runs``: summaries for the reader, and the claims."""

from __future__ import annotations

import numpy as np
import pandas as pd

from credalbench.intervals import Estimate, difference, mean
from credalbench.runner import EXPECTATION, PAPER, TOLERANCE_OURS, CannotBeChecked, printed_values
from credalbench.runner.claims import above, below, claim, within

from ..shared.majority import mostly_above, number_above

PRINTED = printed_values(__file__)
NAMES = {"iris": "Iris", "glass": "Glass", "letters": "Letters", "wine": "Wine"}
#: Artefact -> data set.
ARTEFACTS = {
    "cecm-fig-06": "iris",
    "cecm-fig-07": "iris",
    "cecm-fig-08": "glass",
    "cecm-fig-09": "letters",
    "cecm-fig-10": "wine",
}
STARTS = ("same", "previous")  # of random trials
NEAR = 0.005  # what counts as the same Rand index, read off a curve
EARLY, MOST = (int(PRINTED[name].value) for name in ("optimum_active", "no_optimum_random"))
FEW = 0.5  # share of the range of constraints that counts as "a small number", Section 5.2.2


# ---------------------------------------------------------------- reading the runs


def rows_of(runs: pd.DataFrame, dataset: str, selection: str) -> pd.DataFrame:
    """The rows of one data set and selection."""
    rows = runs[(runs["dataset"] == dataset) & (runs["selection"] == selection)]
    if rows.empty:
        raise CannotBeChecked(f"this run has no {selection} selection on {NAMES.get(dataset, dataset)}")
    return rows


def active_curve(runs, dataset, reading="active") -> pd.Series:
    """Rand index of a run of active learning by number of constraints."""
    return rows_of(runs, dataset, reading).groupby("n_constraints")["ri"].last()


def random_trials(runs, dataset, start="same", column="ri") -> pd.DataFrame:
    """Random trials from one start: a row for each repetition, a column for each number of constraints."""
    rows = rows_of(runs, dataset, "random")
    return rows[rows["start"] == start].pivot(index="repetition", columns="n_constraints", values=column)


def active_on(grid, runs, dataset, reading="active") -> pd.Series:
    """Active learning at numbers of constraints; a run that has settled all pairs keeps its last value."""
    return active_curve(runs, dataset, reading).reindex(grid, method="ffill")


def trial_leads(runs, dataset, start="same") -> pd.DataFrame:
    """Active learning minus each random trial: (repetitions, numbers of constraints above 0)."""
    trials = random_trials(runs, dataset, start).drop(columns=0)
    return -trials.sub(active_on(trials.columns, runs, dataset))


def leads_by_number(runs, dataset, start="same") -> dict[int, Estimate]:
    """Active learning minus the random mean at each number of constraints."""
    return {C: mean(column) for C, column in trial_leads(runs, dataset, start).items()}


def at(differences: dict[int, Estimate]) -> dict[str, Estimate]:
    return {f"at {C}": difference for C, difference in differences.items()}


def reached(curve: pd.Series, value: float) -> float:
    """The number of constraints from which on a curve stays at `value` or above; inf: never."""
    short = curve.index[curve < value]
    stays = curve.index[curve.index > short.max()] if len(short) else curve.index
    return float(stays.min()) if len(stays) else np.inf


# ---------------------------------------------------------------- summaries


def leads(params, tables) -> pd.DataFrame:
    """Active minus random at each number of constraints, by data set and start of the random trials.

    ``=`` marks differences whose 95 % interval includes 0.
    """
    runs, columns = tables["runs"], {}
    for dataset in runs["dataset"].drop_duplicates():
        for start in STARTS:
            columns[NAMES[dataset], f"random, {start} start"] = {
                C: f"{lead.value:+.3f}" + (" =" if lead.low <= 0 <= lead.high else "")
                for C, lead in leads_by_number(runs, dataset, start).items()
            }
    return pd.DataFrame(columns).rename_axis("constraints")


def readings(params, tables) -> pd.DataFrame:
    """Mean Rand index over the grid, that at its end, and the number of constraints to stay at 0.99."""
    runs, rows = tables["runs"], {}
    for dataset in runs["dataset"].drop_duplicates():
        for start in STARTS:
            curve = random_trials(runs, dataset, start).mean().drop(0)
            rows[NAMES[dataset], f"random, {start} start"] = (curve.mean(), curve.iloc[-1], np.nan)
        for reading in runs.loc[runs["dataset"] == dataset, "selection"].drop_duplicates():
            if reading != "random":
                on_grid = active_on(curve.index, runs, dataset, reading)
                stays = reached(active_curve(runs, dataset, reading), 0.99)
                rows[NAMES[dataset], reading] = (on_grid.mean(), on_grid.iloc[-1], stays)
    columns = ["mean Rand index", "at the end", "constraints to stay at 0.99"]
    return pd.DataFrame(rows, index=columns).T.rename_axis(["data set", "reading"])


# ---------------------------------------------------------------- claims


def on_figures(*numbers: int, **explanations: str) -> list[dict]:
    """What a family of claims needs of each of these figures; explanations by data set."""
    found = [(f"cecm-fig-{number:02d}", ARTEFACTS[f"cecm-fig-{number:02d}"]) for number in numbers]
    return [{"artefact": a, "dataset": d, "name": NAMES[d], "why": explanations.get(d, "")} for a, d in found]


@claim(
    "cecm-fig-06",
    "Iris: the mean Rand index over unconstrained objects is higher with most constraints than with none",
    PAPER,
    published="the RI computed over unconstrained objects increases with the number of constraints",
)
def unconstrained_objects_gain(params, tables):
    trials = random_trials(tables["runs"], "iris", column="ri_unconstrained")
    none, most = trials[0].mean(), trials.columns[-1]
    return above(none, {f"with {most}": mean(trials[most])}, ".3f", f"{none:.3f} without constraints")


@claim(
    "cecm-fig-06",
    "Iris: the mean Rand index over all objects is nowhere below that over unconstrained ones by more than "
    f"{NEAR:g}",
    EXPECTATION,
)
def constrained_objects_gain_no_less(params, tables):
    every, free = (random_trials(tables["runs"], "iris", column=c) for c in ("ri", "ri_unconstrained"))
    return above(-NEAR, at({C: difference(every[C], free[C]) for C in every.columns if C > 0}), "+.3f")


@claim(
    "cecm-fig-07",
    f"Iris: active learning reaches its highest Rand index (within {NEAR:g}) by {EARLY} constraints",
    TOLERANCE_OURS,
    published=PRINTED["optimum_active"],
)
def optimum_early(params, tables):
    curve = active_curve(tables["runs"], "iris")
    if curve.index.max() <= EARLY:
        raise CannotBeChecked(f"no more than {EARLY} constraints in this run")
    best, early = curve.max(), curve.loc[:EARLY].max()
    first = curve.index[curve >= best - NEAR].min()
    return within(best - NEAR, best, {f"by {EARLY}": early}, ".3f", f"maximum {best:.3f}, near it at {first}")


@claim(
    "cecm-fig-07",
    f"Iris: most constraints at random give a lower mean Rand index than {EARLY} that were asked for",
    TOLERANCE_OURS,
    published=PRINTED["no_optimum_random"],
)
def random_never_there(params, tables):
    trials, curve = random_trials(tables["runs"], "iris"), active_curve(tables["runs"], "iris")
    most = trials.columns[-1]
    if most <= EARLY:
        raise CannotBeChecked(f"no more than {EARLY} random constraints in this run")
    early = curve.loc[:EARLY].iloc[-1]
    note = f"active learning {early:.3f} at {EARLY}"
    return below(early, {f"random at {most}": mean(trials[most])}, ".3f", note)


@claim(
    "{artefact}",
    "{name}: active learning reaches the mean Rand index of most random constraints with fewer, and stays "
    "there",
    TOLERANCE_OURS,
    published="overall, active learning allows faster convergence than does random selection",
    each=on_figures(7, 8, 9, 10),
)
def faster(params, tables, dataset):
    trials, curve = random_trials(tables["runs"], dataset), active_curve(tables["runs"], dataset)
    most = int(trials.columns[-1])
    target = mean(trials[most])
    stays = Estimate(*(reached(curve, end) for end in (target.value, target.low, target.high)), target.n)
    return below(most, {"active learning stays there from": stays}, ".0f", f"random {target:.3f} at {most}")


@claim(
    "{artefact}",
    "{name}: with few constraints active learning is somewhere below the random mean",
    TOLERANCE_OURS,
    published="active learning may be outperformed by random selection (Figures 9 and 10), especially with a "
    "small number of constraints",
    each=on_figures(9, 10),
)
def outperformed_early(params, tables, dataset):
    leads = leads_by_number(tables["runs"], dataset)
    few = {C: lead for C, lead in leads.items() if FEW * max(leads) >= C}
    worst = min(few, key=lambda C: few[C].value)
    note = "active minus random: " + ", ".join(f"{lead.value:+.3f} at {C}" for C, lead in few.items())
    return below(0, at({worst: few[worst]}), "+.3f", note)


@claim(
    "{artefact}",
    "{name}: active learning is above the random mean at most numbers of constraints",
    EXPECTATION,
    each=on_figures(8),
)
def ahead_mostly(params, tables, dataset):
    return mostly_above(at(leads_by_number(tables["runs"], dataset)))


@claim(
    "{artefact}",
    f"{{name}}: with most constraints active learning is not below the random mean by more than {NEAR:g}",
    EXPECTATION,
    each=on_figures(9, 10),
)
def ahead_at_the_end(params, tables, dataset):
    leads = leads_by_number(tables["runs"], dataset)
    return above(-NEAR, at({max(leads): leads[max(leads)]}), "+.3f")


MOVED = (
    "behind with few constraints, where the grid is denser, ahead with many; the paper says of its Figure 10 "
    "that random selection may be ahead, and blames moves of the prototypes"
)


@claim(
    "{artefact}",
    "{name}: active learning is ahead on average over the grid, too, of random constraints fitted like it "
    "from the previous prototypes",
    EXPECTATION,
    explanation="{why}",
    each=on_figures(7, 8, 9, 10, wine=MOVED),
)
def choice_matters(params, tables, dataset):
    trials = trial_leads(tables["runs"], dataset, "previous")
    ahead = number_above(leads_by_number(tables["runs"], dataset, "previous"))
    note = f"ahead at {ahead:.0f} of {trials.shape[1]} numbers of constraints"
    return above(0, {"mean lead": mean(trials.mean(axis=1))}, "+.4f", note)

"""Summaries of the table ``runs``, and the sentences on Figures 6 to 10."""

from functools import partial

import numpy as np
import pandas as pd

from credalbench.core.intervals import Estimate, difference, mean
from credalbench.papers import NotCheckable, printed_values
from credalbench.papers.claims import above, agrees, below, claim

from ..shared.choices import choices_of_trials
from ..shared.majority import mostly_above

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
FEW = 0.5  # share of the range of constraints that counts as "a small number", Section 5.2.2
on_all_data = partial(claim, "cecm-fig-06", fitted=choices_of_trials(*NAMES))
of_figures = partial(claim, "{artefact}", fitted="{choices}")
on_iris = partial(claim, "cecm-fig-07", fitted=choices_of_trials("iris"))


# ---------------------------------------------------------------- reading the runs


def rows_of(runs: pd.DataFrame, dataset: str, selection: str) -> pd.DataFrame:
    """Return the rows of one data set and selection."""
    rows = runs[(runs["dataset"] == dataset) & (runs["selection"] == selection)]
    if rows.empty:
        raise NotCheckable(f"this run has no {selection} selection on {NAMES.get(dataset, dataset)}")
    return rows


def active_curve(runs, dataset, reading="active") -> pd.Series:
    """Return the Rand index of a run of active learning by number of constraints."""
    return rows_of(runs, dataset, reading).groupby("n_constraints")["ri"].last()


def random_trials(runs, dataset, start="same", column="ri") -> pd.DataFrame:
    """Return random trials from one start: (repetitions, numbers of constraints)."""
    rows = rows_of(runs, dataset, "random")
    return rows[rows["start"] == start].pivot(index="repetition", columns="n_constraints", values=column)


def active_on(grid, runs, dataset, reading="active") -> pd.Series:
    """Return active learning by number of constraints; a run with all pairs settled keeps its last value."""
    return active_curve(runs, dataset, reading).reindex(grid, method="ffill")


def trial_leads(runs, dataset, start="same") -> pd.DataFrame:
    """Return active learning minus each random trial: (repetitions, numbers of constraints above 0)."""
    trials = random_trials(runs, dataset, start).drop(columns=0)
    return -trials.sub(active_on(trials.columns, runs, dataset))


def leads_by_number(runs, dataset, start="same") -> dict[int, Estimate]:
    """Return active learning minus the random mean at each number of constraints."""
    return {C: mean(column) for C, column in trial_leads(runs, dataset, start).items()}


def steps(trials: pd.DataFrame) -> dict[str, Estimate]:
    """Return mean changes from each number of constraints to the next, over trials with both values."""
    found = {}
    for before, after in zip(trials.columns, trials.columns[1:]):
        both = trials[[before, after]].dropna()
        if len(both):
            found[f"{before} to {after}"] = difference(both[after], both[before])
    return found


def at(differences: dict[int, Estimate]) -> dict[str, Estimate]:
    return {f"at {C}": difference for C, difference in differences.items()}


def reached(curve: pd.Series, value: float) -> float:
    """Return the number of constraints from which a curve stays at `value` or above; inf if it never does."""
    short = curve.index[curve < value]
    stays = curve.index[curve.index > short.max()] if len(short) else curve.index
    return float(stays.min()) if len(stays) else np.inf


# ---------------------------------------------------------------- summaries


def leads(params, tables) -> pd.DataFrame:
    """Return active minus random at each number of constraints, by data set and start of the random trials.

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
    """Return the mean Rand index over the grid and at its end, and the number of constraints for 0.99."""
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


def on_figures(*numbers: int) -> list[dict]:
    """Return what a group of claims needs for each of these figures."""
    return [
        {"artefact": artefact, "dataset": name, "name": NAMES[name], "choices": choices_of_trials(name)}
        for number in numbers
        for artefact in [f"cecm-fig-{number:02d}"]
        for name in [ARTEFACTS[artefact]]
    ]


# ---------------------------------------------------------------- Figure 6: what constraints do

UNSEEN = "with most constraints few objects are in none, and their mean says little"


@claim(
    "cecm-fig-06",
    "Iris: the mean Rand index over unconstrained objects rises from each number of constraints to the next",
    sentence="S33",
    explanation=UNSEEN,
    fitted=choices_of_trials("iris"),
)
def unconstrained_objects_gain(params, tables):
    trials = random_trials(tables["runs"], "iris", column="ri_unconstrained")
    none, most = trials[0].mean(), trials.columns[-1]
    note = f"{none:.3f} without constraints, {trials[most].mean():.3f} with {most}"
    return above(0, steps(trials), "+.3f", note)


@on_all_data(
    "on most data sets the mean Rand index over unconstrained objects is higher with most constraints than "
    "with none",
    sentence="S34",
)
def most_data_sets_gain(params, tables):
    gains = {}
    for name, title in NAMES.items():
        trials = random_trials(tables["runs"], name, column="ri_unconstrained")
        gains[title] = mean(trials[trials.columns[-1]] - trials[0].mean())
    return mostly_above(gains)


@on_all_data(
    "the mean Rand index over constrained objects falls somewhere as constraints are added", sentence="S35"
)
def constrained_objects_may_lose(params, tables):
    """Take the step that is furthest below 0 for its error, of all data sets."""
    every = {
        f"{title} {at}": step
        for name, title in NAMES.items()
        for at, step in steps(random_trials(tables["runs"], name, column="ri_constrained")).items()
    }
    lowest = min(every, key=lambda label: every[label].high)
    note = f"of {len(every)} steps {sum(step.high < 0 for step in every.values())} go down"
    return below(0, {lowest: every[lowest]}, "+.3f", note)


@on_all_data(
    "a constraint on an object misplaced with most of its mass on one cluster makes some well-placed partner "
    "change to a wrong class",
    sentence="S36",
)
def partners_may_be_lost(params, tables):
    rows = pd.concat([rows_of(tables["runs"], name, "random") for name in NAMES])
    partners, lost = (rows.loc[rows["start"] == "same", c] for c in ("n_partners", "n_partners_lost"))
    if not partners.sum():
        raise NotCheckable("no pair of a misplaced and a well-placed object was drawn")
    return above(0, {f"share of {partners.sum()} partners": lost.sum() / partners.sum()}, ".1%")


# ---------------------------------------------------------------- Figures 7 to 10: asked for or drawn


@on_iris(
    "Iris: active learning reaches its highest Rand index, and stays there, with the printed number of "
    "constraints",
    sentence="S38",
    published=PRINTED["optimum_active"],
)
def optimum_early(params, tables):
    curve, printed = active_curve(tables["runs"], "iris"), PRINTED["optimum_active"]
    if curve.index.max() < printed.value:
        raise NotCheckable(f"no more than {curve.index.max()} constraints in this run", [printed])
    best = curve.max()
    note = f"highest {best:.3f}, for the first time at {curve.idxmax()}"
    return agrees(printed, {"stays at the optimum from": reached(curve, best)}, ".0f", note)


@on_iris(
    "Iris: the mean of random selection is not at the optimum of active learning with the printed number",
    sentence="S38",
    published=PRINTED["no_optimum_random"],
)
def random_never_there(params, tables):
    trials, printed = random_trials(tables["runs"], "iris"), PRINTED["no_optimum_random"]
    if trials.columns[-1] < printed.value:
        raise NotCheckable(f"no more than {trials.columns[-1]} constraints in this run", [printed])
    best, most = active_curve(tables["runs"], "iris").max(), mean(trials[trials.columns[-1]])
    means = {C: mean(column) for C, column in trials.items()}
    there = [
        reached(pd.Series({C: getattr(m, end) for C, m in means.items()}), best)
        for end in ("value", "high", "low")
    ]
    note = f"random {most:.3f} at {trials.columns[-1]}, optimum {best:.3f}"
    return agrees(printed, {"random selection is there from": Estimate(*there, most.n)}, ".0f", note)


@of_figures(
    "{name}: most random constraints give a lower mean Rand index than the optimum of active learning",
    sentence="S58",
    each=on_figures(7, 8, 9, 10),
)
def optimum_with_fewer(params, tables, dataset):
    trials, curve = random_trials(tables["runs"], dataset), active_curve(tables["runs"], dataset)
    most, best = trials.columns[-1], curve.max()
    note = f"active learning is at its optimum {best:.3f} first at {curve.idxmax()}"
    return below(best, {f"random at {most}": mean(trials[most])}, ".3f", note)


@of_figures(
    "{name}: active learning reaches the mean Rand index of most random constraints with fewer, and stays "
    "there",
    sentence="S23 S37",
    each=on_figures(7, 8, 9, 10),
)
def faster(params, tables, dataset):
    trials, curve = random_trials(tables["runs"], dataset), active_curve(tables["runs"], dataset)
    most = int(trials.columns[-1])
    target = mean(trials[most])
    stays = Estimate(*(reached(curve, end) for end in (target.value, target.low, target.high)), target.n)
    return below(most, {"active learning stays there from": stays}, ".0f", f"random {target:.3f} at {most}")


@of_figures(
    "{name}: active learning is somewhere below the random mean", sentence="S39", each=on_figures(9, 10)
)
def outperformed(params, tables, dataset):
    leads = leads_by_number(tables["runs"], dataset)
    worst = min(leads, key=lambda C: leads[C].value)
    note = f"behind at {sum(lead.high < 0 for lead in leads.values())} of {len(leads)} numbers of constraints"
    return below(0, at({worst: leads[worst]}), "+.3f", note)


@of_figures(
    "{name}: the lead of active learning is smaller in the first half of the numbers of constraints than in "
    "the second",
    sentence="S39",
    each=on_figures(9, 10),
)
def outperformed_early(params, tables, dataset):
    """Weigh both halves of the range, and every number in them, alike."""
    leads = trial_leads(tables["runs"], dataset)
    few = leads.columns <= FEW * leads.columns.max()
    if few.all() or not few.any():
        raise NotCheckable("all numbers of constraints lie in one half of the range")
    late, early = leads.loc[:, ~few].mean(axis=1), leads.loc[:, few].mean(axis=1)
    note = f"mean lead {early.mean():+.3f}, then {late.mean():+.3f}"
    return above(0, {"second minus first half": difference(late, early)}, "+.3f", note)


@of_figures(
    "{name}: active learning misplaces well-placed objects that are in no constraint",
    sentence="S40",
    each=on_figures(9, 10),
)
def others_may_be_lost(params, tables, dataset):
    rounds = rows_of(tables["runs"], dataset, "active")["n_others_lost"].iloc[1:]
    return above(0, {"share of the rounds": (rounds > 0).mean()}, ".0%", f"{rounds.sum()} changes in all")


@claim(
    "cecm-fig-07",
    "pairs of two certain objects tell nothing, and pairs of two uncertain ones misplace both",
    sentence="S22",
)
def other_pairs_are_worse(params, tables):
    raise NotCheckable(
        "the paper says what may happen with these pairs, and shows no run with them; here, too, the "
        "uncertain "
        "object is asked about with a certain one, and random pairs come several at a time"
    )


@claim("cecm-fig-07", "an accurate clustering does not need very many constraints", sentence="S57")
def few_suffice(params, tables):
    raise NotCheckable(
        "the paper does not say in numbers what is accurate and very many; its sentences on active learning "
        "are judged"
    )

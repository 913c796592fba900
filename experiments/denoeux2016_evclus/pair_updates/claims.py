"""What is concluded from paired runs of one-sided and two-sided updates: differences, tables, claims.

Table ``runs``: one row per data set, repetition, k and kind of update. Differences are two-sided minus
one-sided.
"""

import pandas as pd

from credalbench.core.intervals import proportion
from credalbench.papers import EXPECTATION, PROPERTY, Finding
from credalbench.papers.claims import above, below, claim, within
from credalbench.papers.reasons import OURS

from ..shared.paired_differences import changes, mean_differences, names_shown, stands_in

ARTEFACT = "evclus-ours-01"
UPDATES = ("one-sided", "two-sided")
SIMILAR = 0.03  # ARI that counts as the same
LEAST_FALL = 0.01  # share of J_k that one more sweep must gain where there is no minimum
#: What is compared -> its axis label, and how its numbers are written; J_k and J relative to one-sided.
MEASURES = {
    "stress": ("change of $J_k$ (%)", "+.1f"),
    "judged_stress": ("change of $J$ (%)", "+.1f"),
    "ari": ("difference of ARI", "+.3f"),
    "n_iter": ("difference of sweeps", "+.1f"),
}


# ---------------------------------------------------------------- reading the tables


def differences(runs: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return two-sided minus one-sided, one row per paired run: columns dataset, k, repetition, value.

    In per cent of the one-sided value for the two stresses. Data sets in the order of the runs.
    """
    axes = ["dataset", "k", "repetition"]
    wide = runs.pivot(index=axes, columns="updates", values=measure).astype(float)
    wide = wide.reindex(runs["dataset"].drop_duplicates(), level="dataset")
    value = wide["two-sided"] - wide["one-sided"]
    if measure in ("stress", "judged_stress"):
        value *= 100 / wide["one-sided"]
    return value.rename("value").reset_index()


def effects(params, tables) -> pd.DataFrame:
    """Tabulate mean paired differences, two-sided minus one-sided, with intervals, by data set and k."""
    return mean_differences(tables["runs"], differences, MEASURES)


def behaviour(params, tables) -> pd.DataFrame:
    """Tabulate what the runs did on their way, and where they ended, by data set, k and update."""
    runs = tables["runs"]
    groups = runs.groupby(["dataset", "k", "updates"], sort=False)
    largest, fall = 100 * groups["largest_rise"].max(), 100 * groups["further_fall"].median()
    table = pd.DataFrame(
        {
            "runs": groups.size(),
            "met the cap": groups["converged"].agg(lambda converged: int((~converged.astype(bool)).sum())),
            "median sweeps": groups["n_iter"].median(),
            "sweeps that raised J_k, mean": groups["n_rises"].mean().round(1),
            "largest rise (%)": largest.round(2),
            "fall in one more two-sided sweep (%), median": fall.round(2),
            "median J_k": groups["stress"].median().round(5),
            "median J": groups["judged_stress"].median().round(5),
            "median ARI": groups["ari"].median().round(3),
        }
    )
    return table.rename(index=names_shown(runs), level="dataset")


# ---------------------------------------------------------------- claims on all data sets


def runs_of(tables, updates: str) -> pd.DataFrame:
    """Return the runs of one kind of update."""
    return tables["runs"][tables["runs"]["updates"] == updates]


@claim(ARTEFACT, "a sweep of two-sided updates never raises J_k (by more than a millionth of it)", PROPERTY)
def two_sided_never_rises(params, tables):
    rises = runs_of(tables, "two-sided")["n_rises"]
    return Finding((rises == 0).all(), f"{rises.sum()} rises in {len(rises)} runs")


@claim(
    ARTEFACT,
    "one-sided sweeps raise J_k, in more than half of the runs on each data set",
    EXPECTATION,
    explanation="nothing forces J_k to rise: the mathematics only allows it",
)
def one_sided_rises(params, tables):
    runs = runs_of(tables, "one-sided")
    rising = (runs["n_rises"] > 0).groupby(runs["dataset"].map(names_shown(runs)), sort=False)
    note = f"largest rise in one sweep {100 * runs['largest_rise'].max():.1f} %"
    return above(0.5, {name: proportion(part) for name, part in rising}, ".2f", note)


@claim(
    ARTEFACT,
    "every one-sided run reaches the tolerance before the cap on sweeps",
    EXPECTATION,
    explanation="a one-sided update also changes terms that it does not look at: nothing forces J_k to "
    "settle, and it may go on up and down by more than epsilon without end",
    cause=OURS,
)
def one_sided_converges(params, tables):
    runs = runs_of(tables, "one-sided")
    capped = runs[~runs["converged"].astype(bool)]
    counts = capped.groupby([capped["dataset"].map(names_shown(runs)), "k"], sort=False).size()
    listed = ", ".join(f"{name}, k = {k}: {count} of {params.n_runs}" for (name, k), count in counts.items())
    by_sums = capped["sweeps_by_running_sums"].notna().sum()
    note = f"watching the sums of Algorithm 1 instead, {by_sums} of these {len(capped)} would have stopped"
    ours = f"met the cap of {params.max_sweeps} sweeps: {listed or 'none'}"
    return Finding(capped.empty, ours, note if len(capped) else "")


@claim(
    ARTEFACT,
    "one two-sided sweep lowers J_k by more than 1 % from the end of every one-sided run",
    EXPECTATION,
    explanation="a run whose end one more exact sweep hardly improves has found a minimum of J_k by luck",
)
def no_minimum(params, tables):
    one, two = (runs_of(tables, updates)["further_fall"] for updates in UPDATES)
    note = f"{(one > LEAST_FALL).sum()} of {len(one)} runs; after two-sided runs at most {two.max():.2g}"
    return above(LEAST_FALL, {"least fall": one.min(), "median fall": one.median()}, ".3f", note)


# ---------------------------------------------------------------- claims on one data set

EACH = [{"name": name, "title": name} for name in ("t4", "protein", "s2")]
EACH += [{"name": name, "title": f"{name} or their stand-in"} for name in ("digits", "gestures")]
MINIMA = (
    "from the same start, the two need not arrive in the same local minimum, and a run in a poorer one "
    "weighs more in the mean than what the exact update gains: the dots of such a group form two heaps"
)


ON_EACH = {"substitute": stands_in, "each": EACH}


@claim(
    ARTEFACT,
    "{title}: the two-sided update ends with a lower J_k, at every k",
    EXPECTATION,
    explanation=MINIMA,
    **ON_EACH,
)
def lower_stress(params, tables, name):
    return below(0, changes(params, tables, name, "stress", differences), "+.1f", "in % of the one-sided J_k")


@claim(
    ARTEFACT,
    "{title}: the two-sided update ends with a lower stress J over all pairs, too, at every k",
    EXPECTATION,
    explanation="J_k is the stress of the drawn pairs only. Where few are drawn, and few of these lie "
    "below d0 (many clusters, d0 a low quantile), the better a method fits them, the worse it fits the "
    "others: k is then too small for either update. Elsewhere it is the local minimum that decides",
    cause=OURS,
    **ON_EACH,
)
def lower_stress_over_all_pairs(params, tables, name):
    return below(
        0, changes(params, tables, name, "judged_stress", differences), "+.1f", "in % of the one-sided J"
    )


@claim(
    ARTEFACT,
    "{title}: the two-sided update has a higher adjusted Rand index, at every k",
    EXPECTATION,
    explanation="the stress knows nothing of the classes. Where both updates end near each other, it is "
    "chance which side a few objects, or a whole cluster in a poorer local minimum, fall on; where k is "
    "too small, neither update finds the classes",
    **ON_EACH,
)
def higher_ari(params, tables, name):
    return above(0, changes(params, tables, name, "ari", differences), "+.3f")


@claim(
    ARTEFACT,
    "{title}: the two-sided update needs fewer sweeps, at every k",
    EXPECTATION,
    explanation="rule (21) needs at least 17 sweeps for epsilon = 1e-5, since its running mean starts at 1 "
    "and at most halves; where both updates arrive early, they stop together. Runs at the cap count with "
    "the cap",
    **ON_EACH,
)
def fewer_sweeps(params, tables, name):
    return below(0, changes(params, tables, name, "n_iter", differences), "+.1f")


@claim(
    ARTEFACT,
    f"{{title}}: at the largest k, both updates have the same mean adjusted Rand index, within {SIMILAR:g}",
    EXPECTATION,
    explanation=MINIMA,
    **ON_EACH,
)
def same_ari(params, tables, name):
    label, effect = list(changes(params, tables, name, "ari", differences).items())[-1]
    return within(-SIMILAR, SIMILAR, {label: effect}, "+.3f")

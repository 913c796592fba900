"""What `pair_updates.py` concludes from its runs: paired differences with their intervals, and the questions.

Table ``runs``: one row per data set, run, k and kind of update. Differences are two-sided minus one-sided.
Intervals are 95 % bootstrap ones, over runs.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from credalbench.runner import Claim, Finding, case_rng

from . import digits, gestures
from .shared.paired_runs import OURS, RESAMPLES

ARTEFACT = "evclus-ours-01"
UPDATES = ("one-sided", "two-sided")
STAND_INS = {"digits": digits.STAND_IN, "gestures": gestures.STAND_IN}
SIMILAR = 0.03  # ARI that counts as the same
LEAST_FALL = 0.01  # share of J_k that one more sweep must gain where there is no minimum
#: What is compared -> its axis label; J_k and J relative to one-sided.
MEASURES = {
    "stress": "change of $J_k$ (%)",
    "judged_stress": "change of $J$ (%)",
    "ari": "difference of ARI",
    "sweeps": "difference of sweeps",
}


# ---------------------------------------------------------------- reading the tables


def shown(name: str) -> str:
    """How pictures, tables and claims call a data set: a stand-in is called one."""
    return f"{name} (stand-in)" if STAND_INS.get(name) else name


def with_names_shown(table: pd.DataFrame) -> pd.DataFrame:
    return table.rename(index=shown, level="dataset")


def differences(runs: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Two-sided minus one-sided, one row per paired run: columns dataset, k, run, value.

    In per cent of the one-sided value for the two stresses. Data sets in the order of the runs.
    """
    axes = ["dataset", "k", "run"]
    wide = runs.pivot(index=axes, columns="updates", values=measure).astype(float)
    wide = wide.reindex(runs["dataset"].drop_duplicates(), level="dataset")
    value = wide["two-sided"] - wide["one-sided"]
    if measure in ("stress", "judged_stress"):
        value *= 100 / wide["one-sided"]
    return value.rename("value").reset_index()


def interval(values) -> tuple[float, float, float]:
    """Mean of paired differences with its 95 % bootstrap interval over runs: mean, low, high."""
    values = np.asarray(values)
    draws = case_rng(0, "bootstrap").integers(len(values), size=(RESAMPLES, len(values)))
    low, high = np.quantile(values[draws].mean(axis=1), [0.025, 0.975])
    return float(values.mean()), float(low), float(high)


def in_words(values, measure: str) -> str:
    """Mean and interval: ``-12.1 (-13.0 to -11.2) %``."""
    digits, unit = {"ari": (3, ""), "sweeps": (1, "")}.get(measure, (1, " %"))
    mean, low, high = (f"{value:+.{digits}f}" for value in interval(values))
    return f"{mean} ({low} to {high}){unit}"


def effects(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per data set and k: mean paired differences, two-sided minus one-sided, with intervals."""
    columns = {}
    for measure, label in MEASURES.items():
        groups = differences(runs, measure).groupby(["dataset", "k"], sort=False)["value"]
        columns[label.replace("$", "")] = groups.agg(lambda values, m=measure: in_words(values, m))
    return with_names_shown(pd.DataFrame(columns))


def behaviour(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per data set, k and update: what the runs did on their way, and where they ended."""
    groups = runs.groupby(["dataset", "k", "updates"], sort=False)
    largest, fall = 100 * groups["largest_rise"].max(), 100 * groups["further_fall"].median()
    table = pd.DataFrame(
        {
            "runs": groups.size(),
            "met the cap": groups["converged"].agg(lambda converged: int((~converged.astype(bool)).sum())),
            "median sweeps": groups["sweeps"].median(),
            "sweeps that raised J_k, mean": groups["n_rises"].mean().round(1),
            "largest rise (%)": largest.round(2),
            "fall in one more two-sided sweep (%), median": fall.round(2),
            "median J_k": groups["stress"].median().round(5),
            "median J": groups["judged_stress"].median().round(5),
            "median ARI": groups["ari"].median().round(3),
        }
    )
    return with_names_shown(table)


# ---------------------------------------------------------------- claims


def values_by_k(params, tables, name: str, measure: str) -> dict[int, np.ndarray]:
    """Paired differences of a data set for each k.

    Raises
    ------
    LookupError
        There are none.
    """
    table = differences(tables["runs"], measure)
    table = table[table["dataset"] == name]
    if table.empty:
        raise LookupError(f"no run on {shown(name)}")
    return {k: table.loc[table["k"] == k, "value"].to_numpy() for k in sorted(params.pair_numbers)}


def unanswered(params, tables, name: str) -> Finding | None:
    """Why a question on a data set has no answer: not asked for, or not to be had. None where it has one."""
    if name not in params.data_sets:
        return Finding(None, "", f"{shown(name)} is not among the data sets asked for")
    failures = tables.get("failures", pd.DataFrame(columns=["dataset", "reason"]))
    reasons = failures.loc[failures["dataset"] == name, "reason"]
    if (tables["runs"]["dataset"] == name).any() or reasons.empty:
        return None
    return Finding(None, "", f"left out: {reasons.iloc[0].splitlines()[0].rstrip(':')}")


def changes(name: str, measure: str, sign: int):
    """Check: for every k, the interval of the mean difference lies on the side of `sign`."""

    def check(params, tables):
        if finding := unanswered(params, tables, name):
            return finding
        values = values_by_k(params, tables, name, measure)
        ends = {k: sorted(sign * bound for bound in interval(v)[1:]) for k, v in values.items()}
        opposite = [str(k) for k, (_, high) in ends.items() if high < 0]
        undecided = [str(k) for k, (low, high) in ends.items() if low <= 0 <= high]
        notes = [f"undecided (the interval includes 0) at k = {', '.join(undecided)}"] if undecided else []
        notes += [f"the other way round at k = {', '.join(opposite)}"] if opposite else []
        ours = "; ".join(f"k = {k}: {in_words(v, measure)}" for k, v in values.items())
        return Finding(not opposite and not undecided, ours, "; ".join(notes))

    return check


def same_ari(name: str):
    """Check: at the largest k, the interval of the mean difference of ARI lies within +-0.03."""

    def check(params, tables):
        if finding := unanswered(params, tables, name):
            return finding
        k, values = max(values_by_k(params, tables, name, "ari").items())
        _, low, high = interval(values)
        return Finding(max(-low, high) < SIMILAR, f"k = {k}: {in_words(values, 'ari')}")

    return check


def of(runs: pd.DataFrame, updates: str) -> pd.DataFrame:
    return runs[runs["updates"] == updates]


def check_two_sided_never_rises(params, tables):
    """No sweep of two-sided updates raised J_k."""
    runs = of(tables["runs"], "two-sided")
    return Finding((runs["n_rises"] == 0).all(), f"{int(runs['n_rises'].sum())} rises in {len(runs)} runs")


def check_one_sided_rises(params, tables):
    """One-sided sweeps raise J_k, in more than half of the runs on each data set."""
    runs = of(tables["runs"], "one-sided")
    share = (runs["n_rises"] > 0).groupby(runs["dataset"], sort=False).agg(["sum", "size"])
    listed = ", ".join(f"{shown(name)}: {row['sum']} of {row['size']} runs" for name, row in share.iterrows())
    return Finding(
        (share["sum"] > share["size"] / 2).all(),
        listed,
        f"largest rise in one sweep {100 * runs['largest_rise'].max():.1f} %",
    )


def check_one_sided_converges(params, tables):
    """Every run of one-sided updates met the tolerance."""
    runs = of(tables["runs"], "one-sided")
    capped = ~runs["converged"].astype(bool)
    counts = capped.groupby([runs["dataset"], runs["k"]], sort=False).agg(["sum", "size"])
    listed = ", ".join(
        f"{shown(name)}, k = {k}: {row['sum']} of {row['size']}"
        for (name, k), row in counts.iterrows()
        if row["sum"]
    )
    by_sums = int(runs.loc[capped, "sweeps_by_running_sums"].notna().sum())
    note = (
        f"watching the sums of Algorithm 1 instead, {by_sums} of these {int(capped.sum())} would have stopped"
        if capped.any()
        else ""
    )
    return Finding(not capped.any(), f"met the cap of {params.max_sweeps} sweeps: {listed or 'none'}", note)


def check_no_minimum(params, tables):
    """From every one-sided end, one two-sided sweep lowers J_k by more than 1 %."""
    falls = {u: of(tables["runs"], u)["further_fall"] for u in UPDATES}
    one = falls["one-sided"]
    ours = f"{int((one > LEAST_FALL).sum())} of {len(one)} runs; median fall {100 * one.median():.1f} %"
    return Finding(
        (one > LEAST_FALL).all(),
        ours,
        f"after two-sided runs: at most {100 * falls['two-sided'].max():.2g} %",
    )


MINIMA = (
    "from the same start, the two need not arrive in the same local minimum, and a run in a poorer one "
    "weighs more in the mean than what the exact update gains: the dots of such a group form two heaps"
)
OVERFITTING = (
    "J_k is the stress of the drawn pairs only. Where few are drawn, and few of these lie below d0 (k = 10 "
    "on S2 and on the stand-in images: fifteen or ten clusters, d0 = 0.2- or 0.3-quantile), the better a "
    "method fits them, the worse it fits the others: k is then too small for either update. Elsewhere it is "
    "the local minimum that decides"
)
CLASSES = (
    "the stress knows nothing of the classes. Where both updates end near each other, it is chance which "
    "side a few objects, or a whole cluster in a poorer local minimum, fall on; where k is too small (k = 10 "
    "on S2 and both stand-ins), neither update finds the classes"
)
SWEEPS = (
    "rule (21) needs at least 17 sweeps for epsilon = 1e-5, since its running mean starts at 1 and at most "
    "halves; where both updates arrive early, they stop together. Runs at the cap count with the cap"
)
NO_END = (
    "a one-sided update also changes terms that it does not look at: nothing forces J_k to settle, and it "
    "goes on up and down by more than epsilon. A higher cap does not end it: of 15 runs tried with 500 "
    "sweeps (protein at every k, S2 at k = 10 and 30), none stopped"
)


def questions(name: str) -> list[Claim]:
    """The five questions on one data set."""

    def ask(statement, check, explanation):
        substitute = STAND_INS.get(name, False)
        return Claim(
            ARTEFACT,
            f"{shown(name)}: {statement}",
            OURS,
            check,
            explanation=explanation,
            substitute=substitute,
        )

    return [
        ask(
            "does the two-sided update end with a lower J_k, at every k?", changes(name, "stress", -1), MINIMA
        ),
        ask(
            "does it end with a lower stress J over all pairs, too, at every k?",
            changes(name, "judged_stress", -1),
            OVERFITTING,
        ),
        ask("is its adjusted Rand index higher, at every k?", changes(name, "ari", +1), CLASSES),
        ask("does it need fewer sweeps, at every k?", changes(name, "sweeps", -1), SWEEPS),
        ask(
            "at the largest k, is the mean adjusted Rand index the same within 0.03?", same_ari(name), MINIMA
        ),
    ]


CLAIMS = (
    Claim(
        ARTEFACT,
        "Does a sweep of two-sided updates never raise J_k (by more than a millionth of it)?",
        "mathematical property",
        check_two_sided_never_rises,
    ),
    Claim(
        ARTEFACT,
        "Do one-sided sweeps raise J_k, in more than half of the runs on each data set?",
        OURS,
        check_one_sided_rises,
        explanation="nothing forces J_k to rise: that it may is what the mathematics says",
    ),
    Claim(
        ARTEFACT,
        "Does every one-sided run reach the tolerance before the cap on sweeps?",
        OURS,
        check_one_sided_converges,
        explanation=NO_END,
    ),
    Claim(
        ARTEFACT,
        "Does one two-sided sweep lower J_k by more than 1 % from the end of every one-sided run?",
        OURS,
        check_no_minimum,
        explanation="a run whose end one more exact sweep hardly improves has found a minimum of J_k by luck",
    ),
    *questions("t4"),
    *questions("protein"),
    *questions("s2"),
    *questions("digits"),
    *questions("gestures"),
)

"""What the paper says of Figures 11 to 14, checked on paired trials.

"A is at least as good as B" counts as contradicted at a number of constraints if the 95 % interval of the
mean paired difference of the Rand index lies below zero there.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import t as student

from credalbench.runner import Claim, Finding

FIGURES = {name: f"cecm-fig-{number}" for number, name in enumerate(("iris", "wine", "glass", "letters"), 11)}
ALGORITHMS = ("CECM-Mah", "CECM-Eucl", "CFCM-Mah", "CFCM-Eucl", "COP", "DML-FCM")
CLOSEST = ("CECM-Mah", "CECM-Eucl", "CFCM-Mah", "CFCM-Eucl")
SMALL = 50  # up to this many constraints are few, "a small number"
LARGE = 150  # from here on they are many
SIMILAR = 0.02


def means(runs, name):
    """Mean Rand index of the trials with a result: rows numbers of constraints, columns algorithms."""
    part = runs[runs["dataset"] == name]
    return part.pivot_table(index="constraints", columns="algorithm", values="rand")[list(ALGORITHMS)]


def failures(runs):
    """Share of trials in which COP-KMEANS found no assignment, by data set and number of constraints."""
    cop = runs[runs["algorithm"] == "COP"]
    failed = (cop["status"] == "failed").groupby([cop["dataset"], cop["constraints"]], sort=False)
    return failed.mean().unstack("dataset")


def difference(runs, name, first, second):
    """Paired difference of Rand indices, first minus second: mean, low, high by number of constraints."""
    part = runs[runs["dataset"] == name]
    wide = part.pivot(index=["constraints", "trial"], columns="algorithm", values="rand")
    values = (wide[first] - wide[second]).dropna().groupby("constraints")
    mean, count = values.mean(), values.count()
    reach = student.ppf(0.975, np.maximum(count - 1, 1)) * values.std() / np.sqrt(count)
    return pd.DataFrame({"mean": mean, "low": mean - reach, "high": mean + reach})


def in_words(rows):
    return ", ".join(f"{row['mean']:+.3f} at {size}" for size, row in rows.iterrows())


def few(size):
    return 0 < size <= SMALL


def many(size):
    return size >= LARGE


def some(size):
    return size > 0


def at_least(name, first, second, where):
    """Check that `first` is nowhere significantly below `second`, at the numbers of constraints `where`."""

    def check(params, tables):
        rows = difference(tables["runs"], name, first, second)
        rows = rows[[where(size) for size in rows.index]]
        if rows.empty:
            return Finding(None, "no such number of constraints in this run")
        return Finding((rows["high"] >= 0).all(), f"{first} minus {second}: {in_words(rows)}")

    return check


def best_is(name, wanted, where, share):
    """Check that the highest mean belongs to one of `wanted` at the given share of numbers or more."""

    def check(params, tables):
        rows = means(tables["runs"], name)
        best = rows[[where(size) for size in rows.index]].idxmax(axis=1)
        if best.empty:
            return Finding(None, "no such number of constraints in this run")
        words = ", ".join(f"{algorithm} at {size}" for size, algorithm in best.items())
        return Finding(best.isin(wanted).mean() >= share, words)

    return check


def check_similar(params, tables):
    rows = means(tables["runs"], "wine")
    rows = rows[[some(size) for size in rows.index]]
    gap = (rows["CECM-Eucl"] - rows["CFCM-Eucl"]).abs()
    return Finding(gap.max() <= SIMILAR, f"largest difference {gap.max():.3f}, at {gap.idxmax()}")


def check_euclidean(params, tables):
    rows = [
        difference(tables["runs"], "wine", f"{family}-Eucl", f"{family}-Mah") for family in ("CECM", "CFCM")
    ]
    holds = all((part["high"] >= 0).all() for part in rows)
    words = "; ".join(f"{f}: {in_words(part)}" for f, part in zip(("CECM", "CFCM"), rows, strict=True))
    return Finding(holds, f"Euclidean minus Mahalanobis. {words}")


def _best_overall(name):
    return Claim(
        FIGURES[name],
        f"{name}: the best mean belongs to CECM or CFCM at most numbers of constraints",
        "paper",
        best_is(name, CLOSEST, some, 0.5),
        published="the best results are obtained by CECM and CFCM (Section 5.2.3)",
    )


#: Why a claim does not hold for us, with the numbers of the paper profile.
BEHIND_AT_FEW = (
    "CFCM-Mah is ahead of CECM-Mah by 0.004 at 20 constraints and by less than 0.001 at 40, which 100 trials "
    "do not tell from nothing. The weight of the constraints in CFCM is not printed; ours follows its authors"
)
AHEAD_AT_MANY = (
    "CECM-Mah reaches 0.994 at 200 constraints, in line with the printed 0.99 of Table 6, and CFCM-Mah stays "
    "at 0.985: the paper's CFCM may have weighed the constraints more than the rule of its authors does"
)
METRICS_MEET = (
    "the Euclidean metric is ahead by 0.28 without constraints and by less than 0.01 from 140 constraints "
    "on; at 200 the adaptive one is ahead by 0.003: so many constraints suffice to learn it"
)


def _small_then_large(name, few_explained="", many_explained=""):
    return (
        Claim(
            FIGURES[name],
            f"{name}: with few constraints (up to {SMALL}) CECM-Mah has the best mean",
            "paper, tolerance ours",
            best_is(name, ("CECM-Mah",), few, 1.0),
            published="in case of a small number of constraints, CECM always yields the best results",
            explanation=few_explained,
        ),
        Claim(
            FIGURES[name],
            f"{name}: with many constraints (from {LARGE}) CFCM-Mah is at least as good as CECM-Mah",
            "paper, tolerance ours",
            at_least(name, "CFCM-Mah", "CECM-Mah", many),
            published="the RI is better for CFCM when the number of constraints is high",
            explanation=many_explained,
        ),
    )


CLAIMS = (
    *_small_then_large("iris", BEHIND_AT_FEW, AHEAD_AT_MANY),
    _best_overall("iris"),
    Claim(
        FIGURES["wine"],
        f"wine: CECM-Eucl and CFCM-Eucl differ by at most {SIMILAR} in the mean",
        "paper, tolerance ours",
        check_similar,
        published="the two algorithms provide similar results",
    ),
    Claim(
        FIGURES["wine"],
        "wine: for both algorithms, the Euclidean metric is at least as good as the Mahalanobis metric",
        "paper",
        check_euclidean,
        published="the Euclidean distance is the most suitable",
        explanation=METRICS_MEET,
    ),
    _best_overall("wine"),
    *(
        Claim(
            FIGURES["glass"],
            f"glass: CECM-Mah is at least as good as {other}, whatever the number of constraints",
            "paper",
            at_least("glass", "CECM-Mah", other, some),
            published="CECM with a Mahalanobis distance outperforms CFCM whatever the number of constraints",
        )
        for other in ("CFCM-Mah", "CFCM-Eucl")
    ),
    _best_overall("glass"),
    *_small_then_large("letters"),
    _best_overall("letters"),
)

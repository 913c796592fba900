"""What the fits of all methods say: means with intervals, ranks, winners, failures.

A data set counts once, by the mean over its runs; intervals of means over data sets are over the sets. A fit
that failed counts as an adjusted Rand index of 0, which a partition by chance has, and as an error of 1.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import friedmanchisquare, studentized_range

from credalbench.core.intervals import LEVEL, Estimate, difference, mean
from credalbench.papers import Finding, RunResult, load_study
from credalbench.papers.claims import above
from credalbench.papers.sealed import StoreError
from credalbench.papers.store import StudyFolder

from .data_sets import DATA_SETS, KINDS
from .fits import DEFAULTS, MEASURES, OUTLIERS, TUNED, UNKNOWN, Parameters, experiment
from .methods import entrants

#: What a failed fit counts as.
FAILED = {"ari": 0.0, "credal": 0.0, "error": 1.0, "kept_error": 1.0}
REFERENCE = "k-means"
LEAST = dict.fromkeys(("error", "kept_error", "found", "false"), 0.0)  # value of a measure; of indices −1
FEWEST = 3  # methods and data sets of a test


class Ranks(NamedTuple):
    """Mean ranks of methods over data sets, 1 the best, and what differs by more than chance.

    Parameters
    ----------
    mean : Series
        Mean rank of each method, the best first.
    p_value : float
        Of Friedman's test that all methods are equal.
    critical : float
        Difference of mean ranks above which two methods differ (Nemenyi's test, at 0.05 for all pairs).
    n_sets : int
        Number of data sets.
    """

    mean: pd.Series
    p_value: float
    critical: float
    n_sets: int


@dataclass(frozen=True, eq=False)
class Arena:
    """The fits of all methods.

    Parameters
    ----------
    fits, settings : DataFrame
        Tables of all methods, with the column ``method``.
    params : Parameters
        Those that all methods share; its method is any of them.
    left_out : dict
        Data set -> why it could not be read.
    broken : dict
        Method -> errors of cases that did not end.
    """

    fits: pd.DataFrame
    settings: pd.DataFrame
    params: Parameters
    left_out: Mapping[str, str]
    broken: Mapping[str, str]

    @classmethod
    def of(cls, results: Mapping[str, RunResult]) -> Arena:
        """Put the results of several methods together, by their names."""
        tables: dict[str, list[pd.DataFrame]] = {"fits": [], "settings": []}
        left_out, broken = {}, {}
        for name, result in results.items():
            for table, parts in tables.items():
                if table in dict(result.tables):
                    parts.append(result.tables[table].assign(method=name))
            for row in result.failures.to_dict("records"):
                reason = str(row["reason"]).splitlines()[0].rstrip(":")
                if row["status"] == "left out":
                    left_out[row["dataset"]] = reason
                else:
                    broken[name] = f"{row['dataset']}: {row['error']}: {reason}"
        if not tables["fits"]:
            raise ValueError("expected fits of at least one method, got none")
        fits, settings = (pd.concat(parts, ignore_index=True) for parts in tables.values())
        for column in ("failure", "message", "answer"):
            fits[column] = fits[column].fillna("")
        return cls(fits, settings, next(iter(results.values())).params, left_out, broken)

    @cached_property
    def counted(self) -> pd.DataFrame:
        """The fits, failures with the values that they count as."""
        failed = self.fits["failure"] != ""
        return self.fits.assign(**{name: self.fits[name].mask(failed, v) for name, v in FAILED.items()})

    def by_set(self, part: str, measure: str, kind: str = "attributes") -> pd.DataFrame:
        """Return the means over runs: a row for each data set of a kind, a column for each method."""
        names = [name for name in self.params.data if DATA_SETS[name].kind == kind]
        some = self.counted[(self.counted["part"] == part) & self.counted["dataset"].isin(names)]
        wide = some.pivot_table(index="dataset", columns="method", values=measure, sort=False)
        methods = [name for name in self.fits["method"].unique() if name in wide]
        return wide.reindex(index=[name for name in names if name in wide.index], columns=methods)

    def answers(self) -> dict[str, str]:
        """Return what each method answers: credal, fuzzy or hard partitions."""
        known = self.fits[self.fits["answer"] != ""]
        return known.groupby("method")["answer"].first().to_dict()

    def kinds(self) -> list[str]:
        """Return the kinds of data that there are fits of."""
        there = {DATA_SETS[name].kind for name in self.fits["dataset"].unique()}
        return [kind for kind in KINDS if kind in there]

    # ------------------------------------------------------------------ tables

    def overview(self, kind: str = "attributes") -> pd.DataFrame:
        """Return a row for each method: means over the data sets of a kind, as `Estimate`; the best first."""
        columns = {
            "known": self.by_set(DEFAULTS, "ari", kind),
            "tuned": self.by_set(TUNED, "ari", kind),
            "unknown": self.by_set(UNKNOWN, "ari", kind),
            "credal": self.by_set(DEFAULTS, "credal", kind),
            "error": self.by_set(DEFAULTS, "error", kind),
            "kept_error": self.by_set(DEFAULTS, "kept_error", kind),
            "found": self.by_set(OUTLIERS, "found", kind),
            "false": self.by_set(OUTLIERS, "false", kind),
        }
        methods = columns["known"].columns
        rows = {
            method: {name: _mean_of(wide, method, LEAST.get(name, -1.0)) for name, wide in columns.items()}
            for method in methods
        }
        table = pd.DataFrame.from_dict(rows, orient="index", columns=[*columns])
        some = self.fits[[DATA_SETS[name].kind == kind for name in self.fits["dataset"]]]
        of_defaults = some[some["part"] == DEFAULTS].groupby("method")
        table["seconds"] = self.by_set(DEFAULTS, "seconds", kind).median()  # a clock may step over short fits
        table["mebibytes"] = of_defaults["mebibytes"].max()
        table["failed"] = some.assign(failed=some["failure"] != "").groupby("method")["failed"].sum()
        table["n_fits"] = some.groupby("method").size()
        table["n_sets"] = columns["known"].notna().sum()
        table["finds"] = some.groupby("method")["finds_number"].first()
        order = table["known"].map(lambda e: -e.value).sort_values(kind="stable").index
        return table.loc[order]

    def means(self) -> pd.DataFrame:
        """Return a row for each method, data set and part: means over the runs, with their numbers."""
        groups = self.counted.groupby(["method", "dataset", "part"], sort=False)
        ends = [mean(ari) if ari.notna().any() else None for _, ari in groups["ari"]]
        return groups.agg(
            setting=("setting", "first"),
            runs=("run", "size"),
            failed=("failure", lambda failure: int((failure != "").sum())),
            **{name: (name, "mean") for name in MEASURES},
        ).assign(ari_low=[e and e.low for e in ends], ari_high=[e and e.high for e in ends])

    def failures(self) -> pd.DataFrame:
        """Return a row for each method, failure and message: the parts, data sets and number of fits."""
        failed = self.fits[self.fits["failure"] != ""]
        groups = failed.groupby(["method", "failure", "message"], sort=False)
        return groups.agg(
            parts=("part", lambda part: ", ".join(dict.fromkeys(part))),
            data=("dataset", lambda name: ", ".join(dict.fromkeys(name))),
            fits=("run", "size"),
        ).reset_index()

    # ------------------------------------------------------------------ verdicts

    def ranks(self, kind: str = "attributes") -> Ranks | None:
        """Rank the methods on each data set of a kind, default settings and known number; None if too few."""
        wide = self.by_set(DEFAULTS, "ari", kind).round(9)
        if min(wide.shape) < FEWEST:
            return None
        n_sets, k = wide.shape
        ranks = wide.rank(axis=1, ascending=False).mean().sort_values(kind="stable")
        p_value = float(friedmanchisquare(*wide.to_numpy().T).pvalue)
        quantile = studentized_range.ppf(LEVEL, k, np.inf) / np.sqrt(2)
        return Ranks(ranks, p_value, float(quantile * np.sqrt(k * (k + 1) / (6 * n_sets))), n_sets)

    def against(self, other: str = REFERENCE, kind: str = "attributes", part: str = DEFAULTS) -> dict:
        """Return by how much each method's index is above that of another: an `Estimate` over data sets."""
        wide = self.by_set(part, "ari", kind)
        if other not in wide:
            return {}
        return {method: _lead(wide, method, other) for method in wide.columns.drop(other)}

    def best(self, kind: str = "attributes") -> tuple[str, Finding | None]:
        """Return the method of highest mean index, and whether it is above every other one by intervals.

        The interval of each difference is over the data sets. None: there is no other method.
        """
        wide = self.by_set(DEFAULTS, "ari", kind)
        leader = str(wide.mean().idxmax())
        leads = {other: _lead(wide, leader, other) for other in wide.columns.drop(leader)}
        return leader, above(0, leads) if leads else None

    def winners(self) -> pd.DataFrame:
        """Return a row for each data set: the highest mean index, and the methods that are not below it.

        A method is below the leader where the 95 % interval of the difference over the runs that both have is
        above 0.
        """
        rows = {}
        some = self.counted[self.counted["part"] == DEFAULTS]
        for name, fits in some.groupby("dataset", sort=False):
            runs = fits.pivot_table(index="run", columns="method", values="ari", sort=False)
            means = runs.mean().sort_values(ascending=False, kind="stable")
            leader = runs[means.index[0]]
            pairs = {method: pd.concat([leader, runs[method]], axis=1).dropna() for method in means.index}
            gaps = {method: difference(*pair.to_numpy().T) for method, pair in pairs.items()}
            among = [method for method, gap in gaps.items() if not gap.low > 0]
            rows[name] = {"ari": means.iloc[0], "best": among, "methods": len(means)}
        order = [name for name in self.params.data if name in rows]
        return pd.DataFrame.from_dict({name: rows[name] for name in order}, orient="index")


def _lead(wide: pd.DataFrame, method: str, other: str) -> Estimate:
    return difference(*wide[[method, other]].dropna().to_numpy().T)


def _mean_of(wide: pd.DataFrame, method: str, low: float) -> Estimate:
    """Estimate the mean over data sets, its interval within the range of the measure."""
    values = wide[method].dropna() if method in wide else []
    if len(values) < 2:
        return Estimate(*[float(np.mean(values))] * 3 if len(values) else [np.nan] * 3, len(values))
    e = mean(values)
    return Estimate(e.value, max(e.low, low), min(e.high, 1.0), e.n)


def stored(profile: str) -> dict[str, RunResult]:
    """Return the stored results of all methods that have some in a profile, by name."""
    found: dict[str, RunResult] = {}
    if not StudyFolder.place(experiment).is_dir():
        return found
    for entrant in entrants():
        with contextlib.suppress(ValueError, StoreError):  # not usable, or damaged: as if it had not been run
            result = load_study(experiment, profile=profile, method=entrant.path, version=entrant.version)
            found |= {entrant.name: result} if result is not None else {}
    return found

"""Sentences of the paper on its programs, checked on the times of R's functions.

Where R was not run, they are those of the stored run.
"""

import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from credalbench.core.intervals import Estimate, bootstrap, difference, difference_of_slopes, ratio, slope
from credalbench.papers import ARITHMETIC, NotCheckable, printed_values
from credalbench.papers.claims import above, agrees, all_of, below, claim, within
from credalbench.papers.reasons import OTHER_DATA, TIMES, UNEXPLAINED

from ...rscript import from_stored

TEXT = printed_values(__file__, "three_methods")
UNIT = TEXT["eknnclus_time_small_s"]  # seconds of the authors' laptop are given in this unit
STORED = Path(__file__).parents[1] / "reference" / "stored" / "authors_programs.csv"
NAMES = {"kevclus": "k-EVCLUS", "recm": "RECM", "eknnclus": "EK-NNclus"}
SMALL, LARGE = 2000, 10_000  # n of the two items of Section 4.1
SLIGHTLY = 2.0  # a factor of two is no longer slight
COMPARABLE = 3.0  # half an order of magnitude
FIGURE_UP_TO = 5000  # largest n of Figure 19


# ---------------------------------------------------------------- reading the runs


def in_r(tables) -> bool:
    """Return whether R's functions were run: without R there are no runs at all."""
    return "runs" in tables


def stored_runs() -> pd.DataFrame:
    """Return the run of both programs on a machine that had R (written by ``tools/store_programs.py``)."""
    return pd.read_csv(STORED)


def both_programs(tables) -> pd.DataFrame:
    """Return the runs of these tables if there are any, otherwise those of the stored run."""
    return tables["runs"] if in_r(tables) else stored_runs()


def with_r(check: Callable) -> Callable:
    """Return the check on the runs made here, or else on the stored run."""

    @functools.wraps(check)
    def judged(params, tables, **case):
        try:
            if in_r(tables):
                return check(params, tables, **case)
            stored = stored_runs()
            return from_stored(check(params, {"runs": stored}, **case), stored)
        except NotCheckable as missing:
            raise NotCheckable(str(missing), filter(None, [case.get("printed")])) from None

    return judged


def values(
    tables, method: str, n: int, column: str = "time_s", part: str = "sampled", program: str = "R"
) -> np.ndarray:
    """Return one value per data set of the part; NaN if there is none."""
    runs = tables["runs"]
    runs = runs[runs["part"] == part]
    found = runs[(runs["n"] == n) & (runs["program"] == program) & (runs["method"] == method)]
    if found.empty:
        raise NotCheckable(f"{NAMES[method]} was not run at n = {n}")
    return found.set_index("dataset")[column].reindex(sorted(set(runs["dataset"]))).to_numpy(dtype=float)


def sizes(tables, *methods: str, part: str = "sampled", program: str = "R") -> list[int]:
    """Return the n at which all of the methods were run."""
    runs = tables["runs"]
    runs = runs[(runs["part"] == part) & (runs["program"] == program)]
    return sorted(set.intersection(*(set(runs.loc[runs["method"] == m, "n"]) for m in methods)))


def ratios(tables, slow: str, fast: str, part: str = "sampled", program: str = "R") -> dict[int, Estimate]:
    """Return the ratio of median times at every n where both were run."""
    return {
        n: ratio(*(values(tables, m, n, part=part, program=program) for m in (slow, fast)))
        for n in sizes(tables, slow, fast, part=part, program=program)
    }


def at(by_size: dict[int, Estimate]) -> dict[str, Estimate]:
    """Return the same, labelled by n."""
    return {f"n = {n}": estimate for n, estimate in by_size.items()}


def ratios_of_times(params, tables) -> pd.DataFrame:
    """Tabulate median times over those of k-EVCLUS in both programs; R's from here, or the stored run."""
    runs = {"runs": both_programs(tables)}
    where, rows = "here" if in_r(tables) else "stored", {}
    for part, method in (("all pairs", "recm"), ("sampled", "recm"), ("sampled", "eknnclus")):
        found = {p: ratios(runs, method, "kevclus", part, p) for p in ("R", "ours")}
        for n in sizes(runs, method, "kevclus", part=part):
            rows[part, NAMES[method], n] = {
                "in R": f"{found['R'][n]:.2f}",
                "ours": f"{found['ours'][n]:.2f}",
                "seconds of k-EVCLUS in R": round(
                    float(np.nanmedian(values(runs, "kevclus", n, part=part))), 2
                ),
                "run": where,
            }
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index.names = ["part", "method / k-EVCLUS", "n"]
    return table


# ---------------------------------------------------------------- claims on Figure 11


@claim(
    "evclus-fig-11",
    "in R, RECM is faster than EVCLUS (IRQP, all pairs) at every n from 100 to 600 (medians)",
    sentence="S31",
    caveat=TIMES,
)
@with_r
def recm_faster(params, tables):
    return above(1, at(ratios(tables, "kevclus", "recm", "all pairs")), ".1f", "EVCLUS / RECM")


@claim(
    "evclus-fig-11",
    "in R, the time of RECM grows more slowly with n than that of EVCLUS (IRQP, all pairs; slopes)",
    sentence="S32",
    explanation="R's function multiplies matrices of n x n before it iterates, and its library for that is "
    "not the one of the authors",
    caveat=TIMES,
)
@with_r
def recm_grows_more_slowly(params, tables):
    n = sizes(tables, "kevclus", "recm", part="all pairs")
    times = [np.stack([values(tables, m, s, part="all pairs") for s in n]) for m in ("kevclus", "recm")]
    note = f"slopes: EVCLUS {slope(n, times[0]):.2f}, RECM {slope(n, times[1]):.2f}"
    return above(0, {"EVCLUS - RECM": difference_of_slopes(n, *times)}, ".2f", note)


# ---------------------------------------------------------------- claims on Section 4.1


@claim(
    "evclus-txt-02",
    f"in R, EK-NNclus is slightly faster than k-EVCLUS at n = {SMALL}: faster, but not {SLIGHTLY:g} times "
    "(medians)",
    sentence="S51",
    caveat=TIMES,
)
@with_r
def eknnclus_slightly_faster(params, tables):
    gain = ratio(*(values(tables, m, SMALL) for m in ("kevclus", "eknnclus")))
    return within(1, SLIGHTLY, {"k-EVCLUS / EK-NNclus": gain}, ".2f")


@claim(
    "evclus-txt-02",
    f"in R, EK-NNclus is slower than k-EVCLUS at n = {LARGE} (medians)",
    sentence="S52",
    caveat=TIMES,
)
@with_r
def eknnclus_slower(params, tables):
    loss = ratio(*(values(tables, m, LARGE) for m in ("eknnclus", "kevclus")))
    return above(1, {"EK-NNclus / k-EVCLUS": loss}, ".2f")


@claim("evclus-txt-02", f"RECM cannot run at n = {LARGE}, for want of memory", sentence="S48")
def recm_needs_memory(params, tables):
    runs = {"runs": both_programs(tables)}
    smaller, larger = at_two_sizes(runs)[-2:]
    rise = [np.nanmedian(values(runs, "recm", n, "peak_bytes")) for n in (smaller, larger)]
    per_pair = (rise[1] - rise[0]) / (larger**2 - smaller**2)
    raise NotCheckable(
        "the memory of the authors' laptop is not printed. Beside the dissimilarities, R's function takes "
        f"{per_pair / 8:.1f} matrices of n x n numbers (from its peaks at n = {smaller} and {larger}): "
        f"{per_pair * LARGE**2 / 1e9:.1f} GB at n = {LARGE}"
    )


@claim(
    "evclus-txt-02",
    "in R, RECM does not scale: its time grows faster than n^2, that of k-EVCLUS more slowly (slopes)",
    sentence="S50",
    caveat=TIMES,
)
@with_r
def recm_does_not_scale(params, tables):
    n = at_two_sizes(tables)
    slopes = {m: slope(n, np.stack([values(tables, m, s) for s in n])) for m in ("recm", "kevclus")}
    note = f"n = {', '.join(map(str, n))}"
    return all_of(
        above(2, {"RECM": slopes["recm"]}, ".2f", note), below(2, {"k-EVCLUS": slopes["kevclus"]}, ".2f")
    )


def at_two_sizes(tables) -> list[int]:
    """Return the n of the second part at which RECM was run, at least two."""
    n = sizes(tables, "recm", "kevclus")
    if len(n) < 2:
        raise NotCheckable("RECM was run at fewer than two n")
    return n


@claim(
    "evclus-txt-02",
    f"in R, {{name}} at n = {{n}} takes as many times as long as EK-NNclus at n = {SMALL} as printed (means)",
    ARITHMETIC,
    published=f"{{printed}}, where EK-NNclus at n = {SMALL} takes {UNIT.value:g} s",
    explanation="{why}",
    cause=OTHER_DATA,
    each=[
        {
            "name": "RECM",
            "n": SMALL,
            "printed": TEXT["recm_time_s"],
            "method": "recm",
            "why": "most of RECM's time is spent on two products of n x n matrices, and the library that "
            "multiplies "
            "them is not the one of the authors",
        },
        {
            "name": "EK-NNclus",
            "n": LARGE,
            "printed": TEXT["eknnclus_time_large_s"],
            "method": "eknnclus",
            "why": "the number of sweeps differs from start to start, and the paper's sample is lost",
        },
    ],
    caveat=TIMES,
)
@with_r
def time_as_printed(params, tables, method, n, printed):
    times = ratio(values(tables, method, n), values(tables, "eknnclus", SMALL), of=np.nanmean)
    seconds = (UNIT.value * value for value in (times.value, times.low, times.high))
    note = f"{times:.2f} times as long, in the printed seconds of EK-NNclus at n = {SMALL}"
    return agrees(printed, Estimate(*seconds, times.n), ".2f", note)


# ---------------------------------------------------------------- claims on Figure 19 and after


@claim(
    "evclus-fig-19",
    f"in R, k-EVCLUS and EK-NNclus take comparable times: within a factor of {COMPARABLE:g} (half an order "
    "of magnitude) at each n from 1000 to 5000 that was run (medians)",
    sentence="S54",
    caveat=TIMES,
)
@with_r
def times_comparable(params, tables):
    found = ratios(tables, "eknnclus", "kevclus")
    found = {n: r for n, r in found.items() if n <= FIGURE_UP_TO}
    return within(1 / COMPARABLE, COMPARABLE, at(found), ".2f", "EK-NNclus / k-EVCLUS")


@claim(
    "evclus-fig-19",
    "in R, the time of RECM grows faster with n than that of k-EVCLUS (log-log slopes)",
    sentence="S55",
    caveat=TIMES,
)
@with_r
def recm_grows_faster(params, tables):
    n = at_two_sizes(tables)
    times = [np.stack([values(tables, m, s) for s in n]) for m in ("recm", "kevclus")]
    note = f"n = {', '.join(map(str, n))}"
    return above(0, {"RECM - k-EVCLUS": difference_of_slopes(n, *times)}, ".2f", note)


@claim(
    "evclus-fig-19",
    "in R, k-EVCLUS is faster than RECM at each n from 1000 on that was run (medians)",
    sentence="S67",
    explanation="at the smallest n RECM's products of n x n matrices are still cheap; the times cross "
    "between the sizes run",
    cause=UNEXPLAINED,
    caveat=TIMES,
)
@with_r
def kevclus_faster(params, tables):
    return above(1, at(ratios(tables, "recm", "kevclus")), ".2f", "RECM / k-EVCLUS")


@claim(
    "evclus-fig-19",
    "in R, over all n from 1000 to 5000 that were run, k-EVCLUS takes less time than {name} (sum of medians) "
    "and has a higher mean ARI",
    sentence="S58",
    explanation="k-EVCLUS takes each start as it comes here, and now and then one ends in a local minimum "
    "with two clusters merged",
    each=[{"method": m, "name": NAMES[m]} for m in ("recm", "eknnclus")],
    caveat=TIMES,
)
@with_r
def best_in_least_time(params, tables, method):
    n = [s for s in sizes(tables, "kevclus", method) if s <= FIGURE_UP_TO]
    times, indices = (
        [np.stack([values(tables, m, s, column) for s in n]) for m in (method, "kevclus")]
        for column in ("time_s", "ari")
    )
    spared = bootstrap(lambda a, b: _sum_of_medians(a) / _sum_of_medians(b), *times)
    return all_of(
        above(1, {f"time of {NAMES[method]} / k-EVCLUS": spared}, ".2f", f"n = {', '.join(map(str, n))}"),
        above(0, {f"ARI of k-EVCLUS - {NAMES[method]}": difference(*indices[::-1])}, "+.3f"),
    )


def _sum_of_medians(seconds: np.ndarray) -> np.ndarray:
    """Sum medians over data sets over n: (..., sizes, data sets) -> (...)."""
    return np.nanmedian(seconds, axis=-1).sum(axis=-1)

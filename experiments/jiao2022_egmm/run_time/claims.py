"""What Table 11 and the last paragraph of Section 4.2 say of run times, checked on ours."""

from functools import partial

import numpy as np
import pandas as pd

from credalbench.core import intervals
from credalbench.papers import NotCheckable
from credalbench.papers.claims import above, all_of, claim
from credalbench.papers.reasons import OURS, TIMES

from ..shared.tables import DATASETS, EVIDENTIAL, METHODS, printed_seconds

TABLE = "egmm-tab-11"
#: The choice of a mixture, which bootGMM begins with.
CHOICE = "bootgmm_mixture"
GROWING = ("bootgmm", "egmm")
PLAIN = tuple(m for m in METHODS if m not in EVIDENTIAL)
SECONDS = "seconds of other programs on a machine that is not available here"
PROGRAMS = "times depend on programs: our EGMM and ECM are compiled loops, the Gaussian mixtures are "
"scikit-learn's; in the paper all were scripts"
stated = partial(claim, TABLE)


def seconds(tables, dataset: str, method: str) -> np.ndarray:
    """Return the times of the runs of one algorithm on one data set, in order."""
    runs = tables["runs"]
    found = runs[(runs["dataset"] == dataset) & (runs["method"] == method)].sort_values("repetition")
    return found["time_s"].to_numpy()


def ratio(tables, dataset, first, second):
    """Return the median time of `first` over that of `second`, over the same starts."""
    return intervals.ratio(seconds(tables, dataset, first), seconds(tables, dataset, second))


def side_by_side(params, tables) -> pd.DataFrame:
    """Return Table 11 as printed and our medians, in milliseconds."""
    rows = {}
    for dataset in params.datasets:
        for source in ("printed", "ours"):
            rows[DATASETS[dataset], source] = {
                METHODS[m]: 1e3 * printed_seconds(dataset, m).value
                if source == "printed"
                else round(1e3 * float(np.nanmedian(seconds(tables, dataset, m))), 1)
                for m in METHODS
            }
    return pd.DataFrame.from_dict(rows, orient="index")


def printed_ratio(first, second) -> str:
    """Return the range of ratios of the printed times over the data sets, in words."""
    found = [printed_seconds(d, first).value / printed_seconds(d, second).value for d in DATASETS]
    return f"printed {min(found):.3g} to {max(found):.3g}"


@stated("the mean times are the printed seconds", published="0.003 to 167.79 s")
def seconds_agree(params, tables):
    raise NotCheckable(SECONDS, [printed_seconds(d, m) for d in DATASETS for m in METHODS])


@stated("programs in Matlab and in R run nearly equally fast", sentence="S42")
def languages_are_alike(params, tables):
    raise NotCheckable("neither Matlab nor the programs of the paper are at hand")


@stated(
    "{name} takes more time than each of the four algorithms that are not evidential, on every data set",
    sentence="S43",
    explanation=PROGRAMS,
    cause=OURS,
    each=[{"method": m, "name": METHODS[m]} for m in EVIDENTIAL],
    caveat=TIMES,
)
def evidential_takes_longer(params, tables, method):
    found = {}
    for dataset in params.datasets:
        times = {m: np.nanmedian(seconds(tables, dataset, m)) for m in PLAIN}
        slowest = max(times, key=times.get)
        found[f"{DATASETS[dataset]}, over {METHODS[slowest]}"] = ratio(tables, dataset, method, slowest)
    return above(1, found, ".2f")


@stated(
    "EGMM takes less time than {name}, on every data set",
    sentence="{sentence}",
    published="{printed}",
    explanation=PROGRAMS,
    cause=OURS,
    each=[
        {"method": "ecm", "name": "ECM", "sentence": "S45", "printed": printed_ratio("ecm", "egmm")},
        {
            "method": "bootgmm",
            "name": "bootGMM with a few bootstrap replicates",
            "sentence": "S45 S46",
            "printed": f"{printed_ratio('bootgmm', 'egmm')}, with 500 replicates",
        },
    ],
    caveat=TIMES,
)
def egmm_is_fastest_evidential(params, tables, method):
    return above(1, {DATASETS[d]: ratio(tables, d, method, "egmm") for d in params.datasets}, ".1f")


@stated(
    "bootGMM spends more time on bootstrapping and calibration than on its mixture, on every data set",
    sentence="S46",
    caveat=TIMES,
)
def bootstrapping_takes_the_time(params, tables):
    note = f"whole time over that of the mixture, {params.n_bootstrap} replicates"
    found = {DATASETS[d]: ratio(tables, d, "bootgmm", CHOICE) for d in params.datasets}
    return above(2, found, ".1f", note)


@stated(
    "the time of bootGMM grows faster with the number of objects than that of EGMM (log-log slopes)",
    sentence="S03",
    caveat=TIMES,
)
def bootstrap_grows_faster(params, tables):
    times = {m: growing(tables, m) for m in GROWING}
    slopes = ", ".join(
        f"{METHODS[m]} {intervals.log_log_slope(params.sizes, v):.2f}" for m, v in times.items()
    )
    steeper = intervals.difference_of_slopes(params.sizes, *times.values())
    return above(0, {"difference of the slopes": steeper}, ".2f", f"slopes: {slopes}")


def growing(tables, method) -> np.ndarray:
    """Return the times for growing numbers of objects: (sizes, runs)."""
    rows = tables["growing"]
    rows = rows[rows["method"] == method]
    return rows.pivot(index="n", columns="repetition", values="time_s").sort_index().to_numpy()


@stated(
    "an evidential partition has more independent masses for each object than a probabilistic one has "
    "memberships, on every data set",
    sentence="S44",
)
def partition_has_more_numbers(params, tables):
    wide = tables["counts"].pivot(index="dataset", columns="method", values="n_masses")
    parts = []
    for method in ("ecm", "egmm"):
        gaps = (wide[method] - wide["gmm"]).rename(DATASETS)
        parts.append(above(0, {f"{METHODS[method]}, {name}": gap for name, gap in gaps.items()}, "g"))
    return all_of(*parts)

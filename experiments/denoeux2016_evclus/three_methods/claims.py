"""Sentences on Figure 19 and in Section 4.1 on the three methods, checked on the tables.

``runs`` has a row for each part, n, repetition and method. In the part ``datasets`` a repetition is a data
set, in the part ``starts`` a random start. ``samples`` has more data sets (repetition) of the two n of the
text, with a row for each start and method. Which program is faster is judged in the study
``authors_programs``.
"""

import numpy as np
import pandas as pd

from credalbench.core import intervals
from credalbench.core.intervals import bootstrap, difference, mean, proportion
from credalbench.papers import NotCheckable, printed_values
from credalbench.papers.claims import above, agrees, claim, within
from credalbench.papers.reasons import OURS, TIMES

PRINTED = printed_values(__file__)
#: Method -> its name in figures; the order of figures and tables.
METHODS = {"kevclus": "k-EVCLUS", "recm": "RECM", "eknnclus": "EK-NNclus"}
OTHER_READINGS = {"recm_plain_delta": "RECM, delta^2 of distances", "recm_all_sets": "RECM, all 16 sets"}
#: Adjusted Rand indices that differ by less are comparable. The text tells the mean indices of RECM and of
#: EK-NNclus apart: half of their difference.
NEAR = round((PRINTED["recm_mean"].value - PRINTED["eknnclus_mean_small"].value) / 2, 4)


# ---------------------------------------------------------------- reading the runs


def by_method(runs: pd.DataFrame, part: str, n: int, column: str) -> pd.DataFrame:
    """Return one row per repetition, one column per method."""
    rows = runs[(runs["part"] == part) & (runs["n"] == n)]
    return rows.pivot(index="repetition", columns="method", values=column)


def per_size(params, tables, column: str, method: str) -> np.ndarray:
    """Return one method over the data sets of Figure 19: (sizes, repetitions)."""
    return np.stack([by_method(tables["runs"], "datasets", n, column)[method] for n in params.sizes])


def starts(params, tables, column: str) -> dict[int, pd.DataFrame]:
    """Return the random starts of the text results by n: one row per start, one column per method."""
    return {
        n: by_method(tables["runs"], "starts", n, column) for n in (params.starts_small, params.starts_large)
    }


def by_sample(params, tables, n: int, method: str, column: str = "ari") -> np.ndarray:
    """Return all data sets of one n of the text, that of the part ``starts`` first: (samples, starts)."""
    first = by_method(tables["runs"], "starts", n, column)
    if method not in first:
        raise NotCheckable(f"the text is about n = 2000 and 10000, and {METHODS[method]} was not run at {n}")
    rows = tables["samples"]
    rows = rows[(rows["n"] == n) & (rows["method"] == method)]
    return np.vstack([first[method], rows.pivot(index="repetition", columns="start", values=column)])


def samples_of_eknnclus(params, tables) -> pd.DataFrame:
    """Tabulate the index of EK-NNclus by sample: means over the starts, and clusters found."""
    rows = {}
    for n in (params.starts_small, params.starts_large):
        ari = by_sample(params, tables, n, "eknnclus")
        found = by_sample(params, tables, n, "eknnclus", "n_clusters")
        means = ari.mean(axis=1)
        rows[n] = {
            "samples": len(ari),
            "mean over samples": f"{mean(means):.3f}",
            "sd between samples": round(means.std(ddof=1), 3),
            "sd between starts": round(float(intervals.pooled_deviation(ari)), 3),
            "means of the samples": ", ".join(f"{m:.2f}" for m in sorted(means)),
            "starts that find 4 clusters": f"{proportion(found.ravel() == 4):.2f}",
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("n")


def text_results(params, tables) -> pd.DataFrame:
    """Tabulate the part ``starts``: mean, best and standard deviation of the ARI, mean time, clusters."""
    names, runs, rows = METHODS | OTHER_READINGS, tables["runs"], {}
    for (n, method), part in runs[runs["part"] == "starts"].groupby(["n", "method"], sort=False):
        rows[n, names[method]] = {
            "runs": len(part),
            "mean ARI (95 % interval)": f"{mean(part['ari']):.3f}",
            "median ARI": round(part["ari"].median(), 3),
            "best ARI": round(part["ari"].max(), 3),
            "sd of ARI": round(part["ari"].std(ddof=1), 3),
            "mean time (s)": round(part["time_s"].mean(), 3),
            "clusters": ", ".join(str(c) for c in sorted(part["n_clusters"].unique())),
            "nonspecificity": round(part["nonspecificity"].mean(), 4),
        }
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index.names = ["n", "method"]
    return table.sort_index(level="n", sort_remaining=False)


def time_ratios(params, tables) -> pd.DataFrame:
    """Tabulate ratios of mean times, ours and printed: seconds of two machines cannot be compared."""
    small, large = (times.mean() for times in starts(params, tables, "time_s").values())
    seconds = {
        name: PRINTED[f"{name}_s"].value
        for name in ("recm_time", "eknnclus_time_small", "eknnclus_time_large")
    }
    growth = f"n = {params.starts_large} / n = {params.starts_small}"
    rows = {
        f"RECM / EK-NNclus, n = {params.starts_small}": (
            small.get("recm", np.nan) / small["eknnclus"],
            seconds["recm_time"] / seconds["eknnclus_time_small"],
        ),
        f"EK-NNclus, {growth}": (
            large["eknnclus"] / small["eknnclus"],
            seconds["eknnclus_time_large"] / seconds["eknnclus_time_small"],
        ),
        f"k-EVCLUS, {growth}": (large["kevclus"] / small["kevclus"], np.nan),
    }
    return pd.DataFrame.from_dict(rows, orient="index", columns=["ours", "printed"]).round(2)


# ---------------------------------------------------------------- claims on Figure 19

UNLUCKY_STARTS = (
    "now and then a run of k-EVCLUS ends in a local minimum with two clusters merged, and one such run "
    "weighs more in a mean than all others together. The lowest stress of several starts (n_init) avoids it; "
    "the paper, like this study, takes each run as it comes"
)
ANOTHER_SAMPLE = (
    "the paper's sample is lost, and the index follows the number of clusters found, which differs from "
    "sample to sample"
)


@claim(
    "evclus-fig-19",
    "the time of RECM grows faster with n than that of k-EVCLUS (log-log slopes)",
    sentence="S55",
    caveat=TIMES,
)
def recm_grows_faster(params, tables):
    slow, fast = (per_size(params, tables, "time_s", method) for method in ("recm", "kevclus"))
    steeper = intervals.difference_of_slopes(params.sizes, slow, fast)
    slopes = {name: per_size(params, tables, "time_s", method) for method, name in METHODS.items()}
    note = ", ".join(f"{name} {intervals.log_log_slope(params.sizes, v):.2f}" for name, v in slopes.items())
    return above(0, {"difference of the log-log slopes": steeper}, ".2f", f"slopes: {note}")


@claim(
    "evclus-fig-19",
    f"the mean ARI of k-EVCLUS and RECM are comparable at each n: they differ by less than {NEAR:g}, half of "
    "what parts RECM and EK-NNclus in the text",
    sentence="S56",
    explanation=UNLUCKY_STARTS,
)
def indices_comparable(params, tables):
    ours, others = (per_size(params, tables, "ari", method) for method in ("kevclus", "recm"))
    gaps = {f"n = {n}": difference(*pair) for n, *pair in zip(params.sizes, ours, others)}
    note = f"lowest single run: k-EVCLUS {np.nanmin(ours):.3f}, RECM {np.nanmin(others):.3f}"
    return within(-NEAR, NEAR, gaps, "+.3f", note)


def more_variable(eknnclus: np.ndarray, other: np.ndarray, name: str):
    """Compare the spread of EK-NNclus' ARI with another's: distances of the quartiles, (s, m) each."""
    gap = bootstrap(lambda a, b: _between_quartiles(a) - _between_quartiles(b), eknnclus, other)
    deviations = ", ".join(
        f"{label} {intervals.pooled_deviation(ari):.4f}"
        for label, ari in (("EK-NNclus", eknnclus), (name, other))
    )
    label = f"EK-NNclus - {name}, distance of the quartiles"
    return above(0, {label: gap}, ".4f", f"standard deviations: {deviations}")


def _between_quartiles(ari: np.ndarray) -> np.ndarray:
    """Return the distance of the quartiles, averaged over n or samples: (..., s, m) -> (...)."""
    quantile = np.nanquantile if np.isnan(ari).any() else np.quantile  # the former is slow
    return np.ptp(quantile(ari, [0.25, 0.75], axis=-1), axis=0).mean(axis=-1)


@claim(
    "evclus-fig-19",
    "the ARI of EK-NNclus varies more over the data sets than that of {name} (distance of the quartiles)",
    sentence="S57",
    each=[{"method": method, "name": METHODS[method]} for method in ("kevclus", "recm")],
)
def varies_over_data_sets(params, tables, method, name):
    ari = (per_size(params, tables, "ari", m) for m in ("eknnclus", method))
    return more_variable(*ari, name)


@claim(
    "evclus-fig-19",
    "k-EVCLUS has a higher mean ARI over all data sets than {name}",
    sentence="{sentence}",
    explanation=UNLUCKY_STARTS,
    each=[
        {"method": "recm", "name": "RECM", "sentence": "S58"},
        {"method": "eknnclus", "name": "EK-NNclus", "sentence": "S58 S68"},
    ],
)
def best_results(params, tables, method):
    ours, other = (per_size(params, tables, "ari", m).ravel() for m in ("kevclus", method))
    medians = f"medians: k-EVCLUS {np.nanmedian(ours):.3f}, {METHODS[method]} {np.nanmedian(other):.3f}"
    return above(0, {f"k-EVCLUS - {METHODS[method]}": difference(ours, other)}, "+.3f", medians)


# ---------------------------------------------------------------- claims on the text results


@claim(
    "evclus-txt-02",
    f"at the smaller n, RECM performs comparably with k-EVCLUS: its mean ARI is within {NEAR:g} of the "
    "median of k-EVCLUS",
    sentence="S49",
    published=f"{PRINTED['recm_mean'].value} for RECM",
)
def recm_as_good(params, tables):
    ari = starts(params, tables, "ari")[params.starts_small]
    if "recm" not in ari:
        raise NotCheckable("RECM was not run at this n")
    gap = bootstrap(lambda a, b: np.nanmean(a, -1) - np.nanmedian(b, -1), ari["recm"], ari["kevclus"])
    readings = ", ".join(
        f"{ari[key].mean():.3f} ({name})" for key, name in OTHER_READINGS.items() if key in ari
    )
    return within(-NEAR, NEAR, {"RECM - k-EVCLUS": gap}, "+.3f", f"other readings: {readings}")


@claim(
    "evclus-txt-02",
    "the ARI of EK-NNclus varies more over the starts than that of k-EVCLUS (distance of the quartiles), "
    "over all samples of both n",
    sentence="S53",
)
def varies_over_starts(params, tables):
    sizes = (params.starts_small, params.starts_large)
    every = [np.vstack([by_sample(params, tables, n, m) for n in sizes]) for m in ("eknnclus", "kevclus")]
    return more_variable(*every, "k-EVCLUS")


@claim(
    "evclus-txt-02",
    "the {statistic} ARI of EK-NNclus over ten starts at n = {n} is the printed one, as samples go",
    published="{printed}",
    explanation=ANOTHER_SAMPLE,
    each=[
        {"n": n, "statistic": statistic, "printed": PRINTED[row]}
        for row, n, statistic in (
            ("eknnclus_mean_small", 2000, "mean"),
            ("eknnclus_max_small", 2000, "best"),
            ("eknnclus_mean_large", 10_000, "mean"),
            ("eknnclus_max_large", 10_000, "best"),
        )
    ],
)
def index_as_printed(params, tables, n, statistic, printed):
    if n not in (params.starts_small, params.starts_large):
        raise NotCheckable(f"the value is printed for n = {n}, which was not run", [printed])
    ari = by_sample(params, tables, n, "eknnclus")
    found = ari.mean(axis=1) if statistic == "mean" else ari.max(axis=1)
    four = by_sample(params, tables, n, "eknnclus", "n_clusters").ravel() == 4
    note = (
        f"over {len(found)} samples, from {found.min():.2f} to {found.max():.2f}; share of starts that find "
        f"four clusters: {proportion(four):.2f}"
    )
    return agrees(printed, mean(found), ".3f", note)


@claim(
    "evclus-txt-02",
    "the mean ARI of RECM at n = 2000 is the printed one, as samples go",
    published=PRINTED["recm_mean"],
    explanation="the paper's sample is lost",
)
def recm_as_printed(params, tables):
    runs = by_method(tables["runs"], "datasets", 2000, "ari")
    if "recm" not in runs:
        raise NotCheckable("the value is printed for n = 2000, which was not run", [PRINTED["recm_mean"]])
    ari = runs["recm"].to_numpy()
    note = f"one start on each of {len(ari)} samples: from start to start the index hardly changes"
    return agrees(PRINTED["recm_mean"], mean(ari), ".3f", note)


@claim(
    "evclus-txt-02",
    "EK-NNclus at n = 2000 takes the printed seconds",
    published=PRINTED["eknnclus_time_small_s"],
)
def seconds_as_printed(params, tables):
    raise NotCheckable(
        "seconds of the authors' laptop cannot be compared with ours; how the other printed times "
        "compare with this one is judged in the study authors_programs",
        [PRINTED["eknnclus_time_small_s"]],
    )


# ---------------------------------------------------------------- claims of Section 2.4

FOCAL_SETS = {"recm_all_sets": 16, "recm": 6}


@claim(
    "evclus-txt-02",
    "the time of an iteration of RECM grows with the number of focal sets, at most in proportion (medians)",
    sentence="S15",
    explanation="the term without f outweighs the other at this n: then f hardly matters",
    cause=OURS,
    caveat=TIMES,
)
def recm_grows_with_focal_sets(params, tables):
    times, iterations = (
        starts(params, tables, column)[params.starts_small] for column in ("time_s", "n_iter")
    )
    if not set(FOCAL_SETS) <= set(times):
        raise NotCheckable("RECM is not run with all sets")
    many, few = (times[method] / iterations[method] for method in FOCAL_SETS)
    gain = intervals.ratio(many, few)
    note = f"{FOCAL_SETS['recm_all_sets']} focal sets over {FOCAL_SETS['recm']}"
    return within(1, FOCAL_SETS["recm_all_sets"] / FOCAL_SETS["recm"], {"ratio": gain}, ".2f", note)


@claim("evclus-txt-02", "EK-NNclus needs less memory than EVCLUS and RECM", sentence="S17")
def eknnclus_needs_less_memory(params, tables):
    raise NotCheckable("the memory of EK-NNclus and RECM is not measured here")


@claim(
    "evclus-txt-02",
    "all mass of EK-NNclus lies on single clusters and on the set of all clusters",
    sentence="S18",
)
def eknnclus_has_simple_masses(params, tables):
    runs = tables["runs"].query("method == 'eknnclus'")
    others = runs["n_other_sets"].max()
    return within(0, 0, {"other sets with mass, at most": others}, ".0f", f"{len(runs)} runs")

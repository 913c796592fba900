"""Sentences on Tables 2 to 4 and 6 to 11, compared with the printed numbers."""

from functools import partial
from itertools import combinations, combinations_with_replacement

import numpy as np
import pandas as pd
from scipy.stats import chi2

from credalbench.belief import FocalSets
from credalbench.papers import ARITHMETIC, Finding, printed_values
from credalbench.papers.claims import above, all_of, claim, within
from credalbench.papers.reasons import OPEN_SETTING, PAPERS_ERROR

from ..shared.tables import (
    DATASETS,
    EVIDENTIAL,
    KNOWN,
    METHODS,
    OTHERS,
    PLACES,
    RANKS,
    ROWS,
    UNKNOWN,
    printed_size,
)

ARTEFACT = "egmm-txt-02"
#: Data set -> study with its EBIC, number of objects, number of clusters by the text. All have p = 2.
EBIC = {
    "Diamond": ("diamond", 11, 2),
    "Two-class": ("two_class", 800, 2),
    "Four-class": ("four_class", 800, 4),
}
VALUES = {name: printed_values(__file__, study) for name, (study, _, _) in EBIC.items()}
KINDS = {
    "all non-empty sets": lambda c: FocalSets.full(c, empty=False),
    "at most two clusters, and the frame": lambda c: FocalSets.up_to(c, 2, empty=False),
}
SEARCHED = range(2, 7)
#: Of the likelihood-ratio statistic of a superfluous cluster: a yardstick, since mixtures are not regular.
QUANTILE = 0.999
#: Printed values that are nearer than this are the same.
SAME = 1e-9
computed = partial(claim, ARTEFACT, basis=ARITHMETIC)


# ------------------------------------------------------------------------------------------ Tables 2 to 4


def n_parameters(focal_sets, p=2):
    """Count parameters of an evidential mixture with one covariance, as in [jiao2022_egmm (33)]."""
    return len(focal_sets) - 1 + focal_sets.n_clusters * p + p * (p + 1) // 2


def ebic_of(tables, name):
    """Return the printed EBIC of a data set, by number of clusters."""
    return tables["ebic"].query("dataset == @name").set_index("c")["ebic"]


def gains(tables, name, focal_sets):
    """Return c + 1, the log-likelihood gained from c to c + 1 with these focal sets, and new parameters."""
    _, n, _ = EBIC[name]
    ebic = ebic_of(tables, name)
    sizes = pd.Series({c: n_parameters(KINDS[focal_sets](c)) for c in ebic.index})
    added = sizes.diff()
    found = pd.DataFrame({"gain": ebic.diff() + added * np.log(n) / 2, "added": added}).iloc[1:]
    return found.rename_axis("c").reset_index()


def explains(tables, name, focal_sets):
    """Return whether these focal sets explain each step: no loss, and no gain of a superfluous cluster.

    A step is the difference of two values that are rounded to one decimal.
    """
    steps, (_, _, right) = gains(tables, name, focal_sets), EBIC[name]
    most = np.where(steps["c"] > right, chi2.ppf(QUANTILE, steps["added"]) / 2, np.inf)
    rounding = 2 * max(value.precision for value in VALUES[name].values())
    return bool(((steps["gain"] >= -rounding) & (steps["gain"] <= most + rounding)).all())


def likelihood_gains(params, tables):
    """Return what the log-likelihood would gain from c - 1 to c clusters, with both kinds of focal sets."""
    parts = [
        gains(tables, name, focal_sets).assign(dataset=name, focal_sets=focal_sets).round(1)
        for name in EBIC
        for focal_sets in KINDS
    ]
    table = pd.concat(parts).set_index(["dataset", "focal_sets", "c"]).unstack("c")
    return table.rename(columns={"gain": "gain of L", "added": "new parameters"})


@computed(
    "with a minus sign before each value of Tables 2 to 4, EBIC is largest where the text says",
    sentence="S17 S18 S22 S29",
    published="; ".join(f"{name}: c = {c}" for name, (_, _, c) in EBIC.items()),
)
def signs_are_lost(params, tables):
    leads, without = {}, []
    for name, (_, _, right) in EBIC.items():
        values = ebic_of(tables, name)
        leads[f"{name}, c = {right} over the next"] = values[right] - values.drop(right).max()
        without.append(f"{(-values).idxmax()} ({name})")
    return above(0, leads, ".1f", f"as printed, without signs, they are largest at c = {', '.join(without)}")


@computed(
    "one kind of focal sets explains Tables 2, 3 and 4: nothing is open, and nothing was chosen",
    sentence="S04",
    cause=OPEN_SETTING,
    explanation="the kind of focal sets is a parameter, which Section 3.4 offers itself, and was likely not "
    "the same in Table 2 as in Tables 3 and 4 (erratum E4). The authors' program adds a ridge of 0.01 to the "
    "covariance, in units of the data (erratum E5), and has a threshold",
)
def one_kind_explains_all(params, tables):
    found = {kind: [name for name in EBIC if explains(tables, name, kind)] for kind in KINDS}
    words = "; ".join(f"{kind}: {', '.join(names) or 'none'}" for kind, names in found.items())
    return Finding(any(len(names) == len(EBIC) for names in found.values()), words, _extremes(tables))


def _extremes(tables):
    """Return the steps that rule out a kind of focal sets, in words."""
    listed = []
    for name in EBIC:
        for focal_sets in KINDS:
            if not explains(tables, name, focal_sets):
                steps = gains(tables, name, focal_sets)
                last = steps.iloc[-1]
                listed.append(
                    f"{name} with {focal_sets}: from c = {last.c - 1:.0f} to {last.c:.0f} the log-likelihood "
                    f"would change by {last.gain:+.1f} with {last.added:.0f} parameters more"
                )
    return "; ".join(listed)


# ------------------------------------------------------------------------------------------ Tables 6 to 10


def means(tables, row, dataset):
    """Return the printed means of one row of a table, by method."""
    return tables["cells"].query("row == @row and dataset == @dataset").set_index("method")["mean"]


def ranks_of_egmm(tables, rows, datasets):
    """Return the place of EGMM among the algorithms in some rows: 1 if no printed mean is larger."""
    found = {}
    for dataset in datasets:
        for row in rows:
            column = means(tables, row, dataset)
            found[f"{DATASETS[dataset]}, {ROWS[row]}"] = int((column > column["egmm"]).sum()) + 1
    return found


def tied(tables, rows, datasets):
    """Return where another algorithm has the same printed mean as EGMM, in words."""
    listed = []
    for dataset in datasets:
        for row in rows:
            column = means(tables, row, dataset).drop("egmm") - means(tables, row, dataset)["egmm"]
            same = [METHODS[m] for m in column.index[column.abs() < SAME]]
            listed += [f"{DATASETS[dataset]}, {ROWS[row]}: the same as {', '.join(same)}"] if same else []
    return "; ".join(listed)


CONTRADICTED = "erratum E7: the printed table contradicts the sentence"
PLACED = [
    {**place, "names": ", ".join(DATASETS[name] for name in place["which"]), "best": RANKS[place["place"]]}
    for place in PLACES
]


@computed(
    "{words}: by the printed means EGMM has {best} partitions of {names}, in every measure",
    sentence="{sentence}",
    published="{best}",
    cause=PAPERS_ERROR,
    explanation=CONTRADICTED,
    each=PLACED,
)
def prose_follows_the_tables(params, tables, which, rows, place):
    """Rank the methods, so that ties count for EGMM."""
    found = ranks_of_egmm(tables, rows, which)
    return within(place, place, found, "g", tied(tables, rows, which))


def errors(tables):
    """Return the distance of the mean number of clusters from the true one: (data sets, methods)."""
    chosen = tables["cells"].query("row == 'c_hat'").pivot(index="dataset", columns="method", values="mean")
    return chosen.sub(pd.Series({name: printed_size(name, "c") for name in chosen.index}), axis=0).abs()


@computed(
    "EGMM's mean number of clusters is nearer to the true one than any other on Iris, Knowledge, Seeds and "
    "Wine, and not on Vehicle",
    sentence="S35",
)
def best_number_on_four(params, tables):
    table = errors(tables)
    lead = table[[m for m in OTHERS if m in table]].min(axis=1) - table["egmm"]
    expected = lead.rename(DATASETS) * np.where(lead.index == "vehicle", -1, 1)
    return above(0, expected.to_dict(), ".1f", "lead of EGMM over the next, with the other sign on Vehicle")


@computed(
    "the mean number of clusters of every other algorithm is off by more than that of EGMM, on average over "
    "the five data sets",
    sentence="S36 S41",
)
def others_err_more(params, tables):
    table = errors(tables)
    by_method = table.mean().rename(METHODS)
    worst = table.max().rename(METHODS)
    steadier = [name for name in worst.index if worst[name] < worst["EGMM"]]
    note = f"EGMM {by_method['EGMM']:.2f}; at worst it is off by {worst['EGMM']:.1f}" + (
        f", more than {', '.join(steadier)}" if steadier else ""
    )
    return above(by_method["EGMM"], by_method.drop("EGMM").to_dict(), ".2f", note)


@computed(
    "{words}: EGMM has a higher printed mean than each other algorithm in most of the cells that both have",
    sentence="S41",
    each=[{"words": "c unknown", "rows": UNKNOWN}, {"words": "c known", "rows": KNOWN}],
)
def better_on_the_whole(params, tables, rows):
    cells = (
        tables["cells"].query("row in @rows").pivot(index=["dataset", "row"], columns="method", values="mean")
    )
    wins = {METHODS[m]: (cells["egmm"] > cells[m]).sum() for m in OTHERS if m in cells}
    return above(len(cells) / 2, wins, "g", f"of {len(cells)} cells")


# ---------------------------------------------------------------- Tables 6 to 10: do they fit together?


@computed(
    "some algorithm has the same mean and the same standard deviation of the number of clusters on several "
    "data sets",
    published="FCM: 4.1 ± 1.45 on Iris, Vehicle and Wine",
)
def numbers_are_repeated(params, tables):
    chosen = tables["cells"].query("row == 'c_hat' and sd > 0")
    repeated = chosen[chosen.duplicated(["method", "mean", "sd"], keep=False)]
    listed = [
        f"{METHODS[method]} {mean:g} ± {sd:g} on {', '.join(DATASETS[d] for d in part['dataset'])}"
        for (method, mean, sd), part in repeated.groupby(["method", "mean", "sd"])
    ]
    note = "erratum E3; a number drawn evenly from 2 to 6 has mean 4 and standard deviation 1.41"
    return above(0, {"repeated cells": len(repeated)}, "g", "; ".join([*listed, note]))


@computed(
    "two algorithms have the same ARI with c known on all data sets",
    published="ECM and FCM: .73, .23, .72, .12, .35",
)
def columns_are_the_same(params, tables):
    columns = (
        tables["cells"].query("row == 'ari_known'").pivot(index="dataset", columns="method", values="mean")
    )
    same = [
        f"{METHODS[a]} and {METHODS[b]}"
        for a, b in combinations(METHODS, 2)
        if (columns[a] - columns[b]).abs().max() < SAME
    ]
    return above(0, {"pairs with the same column": len(same)}, "g", "; ".join([*same, "erratum E1"]))


@computed(
    "a mean number of clusters that does not round to the true one has, with c unknown, the NMI and ARI of "
    "the true one",
    published="bootGMM on Wine: .95 and .97 with 4.00 clusters, and with 3",
)
def other_number_has_the_same_partitions(params, tables):
    cells = tables["cells"].set_index(["row", "dataset", "method"])["mean"]
    same = [
        f"{METHODS[method]} on {DATASETS[dataset]}: {c:.2f} clusters"
        for (dataset, method), c in cells["c_hat"].items()
        if np.floor(c + 0.5) != printed_size(dataset, "c")
        and all(
            abs(cells[f"{m}_unknown", dataset, method] - cells[f"{m}_known", dataset, method]) < SAME
            for m in ("nmi", "ari")
        )
    ]
    return above(0, {"cells": len(same)}, "g", "; ".join([*same, "erratum E2"]))


@computed(
    "where the mean number of clusters rounds to the true one, NMI and ARI with c unknown are those with c "
    "known, means and standard deviations: the partitions have the rounded mean number",
    published="the corresponding estimated number of clusters",
)
def unknown_has_the_rounded_mean(params, tables):
    """Check runs that found another number: their results could hardly agree to the last digit."""
    cells = tables["cells"].set_index(["dataset", "method", "row"])[["mean", "sd"]].sort_index()
    gaps = {}
    for dataset in params.datasets:
        for method in OTHERS[1:] + ("egmm",):
            if np.floor(cells.loc[(dataset, method, "c_hat"), "mean"] + 0.5) != printed_size(dataset, "c"):
                continue
            for measure in ("nmi", "ari"):
                pair = [cells.loc[(dataset, method, f"{measure}_{case}")] for case in ("unknown", "known")]
                label = f"{METHODS[method]} on {DATASETS[dataset]}, {measure.upper()}"
                gaps[label] = (pair[0] - pair[1]).abs().max()
    return within(0, 0, gaps, ".2f", "largest difference of mean and standard deviation")


def attainable(runs=10):
    """Return the rounded (mean, standard deviation) of every sample of numbers of clusters."""
    samples = np.array(list(combinations_with_replacement(SEARCHED, runs)))
    return {*zip(samples.mean(axis=1).round(1), samples.std(axis=1, ddof=1).round(2))}


@computed("a printed mean and standard deviation of the number of clusters cannot come from ten runs")
def deviation_is_not_attainable(params, tables):
    chosen, known = tables["cells"].query("row == 'c_hat'"), attainable()
    off = chosen[[(round(r.mean, 1), round(r.sd, 2)) not in known for r in chosen.itertuples()]]
    listed = [f"{DATASETS[r.dataset]}, {METHODS[r.method]}: {r.mean:g} ± {r.sd:g}" for r in off.itertuples()]
    note = "erratum E8; nine times 3 and once 4 give 0.32"
    return above(0, {f"of {len(chosen)} cells": len(off)}, "g", "; ".join([*listed, note]))


# ------------------------------------------------------------------------------------------ Table 11


def seconds(tables):
    """Return the printed times, data sets in rows, methods in columns."""
    return tables["times"].pivot(index="dataset", columns="method", values="time_s")


@computed(
    "each evidential algorithm takes more printed time than each of the others, on every data set",
    sentence="S43",
)
def evidential_takes_longer(params, tables):
    table = seconds(tables)
    others = [m for m in METHODS if m not in EVIDENTIAL]
    ratios = {
        f"{METHODS[m]} over the slowest other, least": (table[m] / table[others].max(axis=1)).min()
        for m in EVIDENTIAL
    }
    return above(1, ratios, ".2f")


@computed("EGMM takes less printed time than ECM and bootGMM, on every data set", sentence="S45 S46")
def egmm_is_fastest_evidential(params, tables):
    table = seconds(tables)
    ratios = {f"{METHODS[m]} over EGMM": table[m] / table["egmm"] for m in EVIDENTIAL if m != "egmm"}
    return all_of(
        *(
            above(1, {f"{name}, least": r.min()}, ".1f", f"at most {r.max():.0f}")
            for name, r in ratios.items()
        )
    )

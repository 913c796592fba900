"""What Tables 5 to 10 print and the text says of them, held against our runs."""

import dataclasses
from functools import partial

import numpy as np

from credalbench import intervals
from credalbench.intervals import Estimate
from credalbench.runner import EXPECTATION, CannotBeChecked, Finding
from credalbench.runner.claims import above, agrees, all_of, below, claim, within
from credalbench.runner.reasons import UNEXPLAINED

from ..shared.algorithms import readings
from ..shared.choices import CARDINALITY, RIDGE
from ..shared.tables import (
    DATASETS,
    KNOWN,
    METHODS,
    OTHERS,
    PLACES,
    RANKS,
    ROWS,
    TABLES,
    UNKNOWN,
    printed_cell,
    printed_deviation,
    printed_size,
)
from .cells import chosen, common_number, error_lead, leads_of_egmm, of, rounded, sample, scores_at

TOGETHER = "egmm-txt-03"
#: Fewer runs say nothing of a mean.
FEWEST = 3
TOO_FEW = f"fewer than {FEWEST} runs of some algorithm"
SIZES = ("n", "p", "c")

# ---------------------------------------------------------------- Table 5


@claim(
    "egmm-tab-05",
    "n, p and c of our data sets are those of Table 5",
    EXPECTATION,
    published="; ".join(
        f"{name} {', '.join(str(printed_size(d, s)) for s in SIZES)}" for d, name in DATASETS.items()
    ),
)
def sizes_as_printed(params, tables):
    table = tables["sizes"].set_index("dataset")
    if missing := [DATASETS[name] for name in DATASETS if name not in table.index]:
        raise CannotBeChecked(f"left out of this run: {', '.join(missing)}")
    parts = []
    for name in DATASETS:
        for size in SIZES:
            printed = printed_size(name, size)
            parts.append(within(printed, printed, {f"{DATASETS[name]}, {size}": table.loc[name, size]}, "g"))
    return all_of(*parts)


# ---------------------------------------------------------------- Tables 6 to 10, cell by cell

FITTED = {"ecm": CARDINALITY, "gmm": RIDGE, "gmm_shared": RIDGE}
WHY = {
    "hcm": "k-means ends in the same few minima; how often it ends in each depends on its seeds",
    "fcm": "erratum E3: MPC is largest with two clusters, while the printed numbers look drawn from 2 to 6 "
    "(study printed_tables)",
    "ecm": "the settings of ECM are not printed, and its index depends on them",
    "gmm": "the start and the ridge of the mixtures are not printed, and each start ends elsewhere",
    "gmm_shared": "the start and the ridge of the mixtures are not printed, and each start ends elsewhere",
    "bootgmm": "the mixtures of its program have fourteen types of covariances and start from hierarchical "
    "clustering, ours four and k-means: the mixture that BIC chooses is another one",
    "egmm": "erratum E5: the ridge of the paper's runs is not printed; see the cells that differ with other "
    "ones",
}
ON_KNOWLEDGE = (
    "erratum E5: the attributes of Knowledge lie between 0 and 1, and with a variance of 0.01 added its "
    "clusters merge; with a smaller ridge or none the cells agree, which on Seeds they do with 0.01 only: "
    "the paper cannot have used one ridge, or not the same units"
)
#: Cells that an error of the paper explains, of an algorithm on a data set or on all: which rows, and why.
ARI = ("ari_unknown", "ari_known")
ERRATA = {
    **{(dataset, "ecm"): (ARI, "erratum E1: what is printed is the ARI of FCM") for dataset in DATASETS},
    ("knowledge", "bootgmm"): (
        ("c_hat",),
        "erratum E2: the NMI and ARI beside it are those of five clusters",
    ),
    ("wine", "bootgmm"): (("c_hat",), "erratum E2: the NMI and ARI beside it are those of three clusters"),
}


def parts_of(dataset, method):
    """Yield rows of the table that are judged together, their name, and why they may differ."""
    rows, why = ERRATA.get((dataset, method), ((), ""))
    if rows:
        yield rows, "ARI" if rows == ARI else "number of clusters", why
    why = ON_KNOWLEDGE if (dataset, method) == ("knowledge", "egmm") else WHY[method]
    yield tuple(row for row in ROWS if row not in rows), "all else" if rows else "", why


CELLS = [
    {
        "artefact": TABLES[dataset],
        "dataset": dataset,
        "method": method,
        "rows": rows,
        "names": f"{METHODS[method]} on {DATASETS[dataset]}" + (f", {part}" if part else ""),
        "fitted": FITTED.get(method, ()),
        "why": why,
        "printed": ", ".join(
            f"{cell.value:g}" for row in rows if (cell := printed_cell(row, dataset, method))
        ),
    }
    for dataset in DATASETS
    for method in METHODS
    for rows, part, why in parts_of(dataset, method)
]


def printed_row(printed, dataset, method, rows=tuple(ROWS)):
    """Return the printed values of an algorithm on a data set, by row of the table."""
    return {ROWS[row]: value for row in rows if (value := printed(row, dataset, method))}


def need_runs(params, dataset, method, printed):
    """Raise CannotBeChecked where the runs give no answer to the `printed` values."""
    if dataset not in params.datasets:
        raise CannotBeChecked(f"{DATASETS[dataset]} is left out of this run", printed)
    if (params.n_boot_runs if method == "bootgmm" else params.n_runs) < FEWEST:
        raise CannotBeChecked(TOO_FEW, printed)


def estimates(tables, dataset, method, estimate, rows=tuple(ROWS)):
    """Return an estimate of each cell that is printed of an algorithm on a data set."""
    cells = [row for row in rows if printed_cell(row, dataset, method)]
    found = {row: sample(tables, row, dataset, method) for row in cells}
    return {ROWS[row]: estimate(values) for row, values in found.items() if len(values)}


@claim(
    "{artefact}",
    "{names}: the means are the printed ones, with the number of clusters unknown and known",
    published="{printed}",
    explanation="{why}",
    cause=UNEXPLAINED,
    fitted="{fitted}",
    each=CELLS,
)
def means_agree(params, tables, dataset, method, rows):
    printed = printed_row(printed_cell, dataset, method, rows)
    need_runs(params, dataset, method, printed.values())
    found = estimates(tables, dataset, method, intervals.mean, rows)
    notes = [
        at_printed_number(tables, dataset, method, rows),
        other_settings(params, tables, dataset, method, rows),
        covariance_types_in_words(tables, dataset) if method == "bootgmm" else "",
    ]
    note = "; ".join(filter(None, notes))
    return agrees(printed, found, ".3f", note)


@claim(
    TOGETHER,
    "the ARI that are printed of ECM are those of FCM with as many clusters, on all data sets, with the "
    "number of clusters unknown and known",
    EXPECTATION,
    published="in the cells of ECM",
)
def ecm_has_the_ari_of_fcm(params, tables):
    """Compare with the cells of ECM; they are judged as ECM's in `means_agree`."""
    need_all(params)
    printed, found = {}, {}
    for dataset in DATASETS:
        for row in ARI:
            known = row.endswith("_known")
            c = printed_size(dataset, "c") if known else rounded(printed_cell("c_hat", dataset, "ecm").value)
            name = f"{DATASETS[dataset]}, c = {c}"
            printed[name] = printed_cell(row, dataset, "ecm")
            found[name] = intervals.mean(scores_at(tables, dataset, "fcm", c, "ari"))
    return dataclasses.replace(agrees(printed, found, ".3f", "erratum E1"), compared=())


def at_printed_number(tables, dataset, method, rows):
    """Return NMI and ARI with the paper's number of clusters, where ours is another; else empty."""
    printed = printed_cell("c_hat", dataset, method)
    if not printed or common_number(tables, dataset, method) == (c := rounded(printed.value)):
        return ""
    unknown = [row for row in UNKNOWN if row in rows]
    found = {row: scores_at(tables, dataset, method, c, row.split("_")[0]) for row in unknown}
    listed = []
    for row, values in found.items():
        if len(values):
            printed = printed_cell(row, dataset, method).value
            listed.append(f"{row.split('_')[0].upper()} {values.mean():.2f} (printed {printed:g})")
    return f"with the printed number, c = {c}: {', '.join(listed)}" if listed else ""


def covariance_types_in_words(tables, dataset):
    """Return the mixtures that bootGMM bootstraps, with the number of clusters unknown."""
    fits = of(tables, dataset, "bootgmm")
    if "model" not in fits:
        return ""
    found = fits[fits["chosen"]].groupby(["model", "c"]).size()
    listed = [f"{model} with c = {c} in {n} of {found.sum()} runs" for (model, c), n in found.items()]
    return f"covariances that BIC chooses: {', '.join(listed)}"


def other_settings(params, tables, dataset, method, rows):
    """Return how the other settings of an algorithm fare, in how many cells they agree; in words."""
    listed = []
    for name, (algorithm, _) in readings(params).items():
        if algorithm != method or not len(of(tables, dataset, name)):
            continue
        cells = {row: sample(tables, row, dataset, name) for row in rows}
        verdicts = [
            agrees(printed_cell(row, dataset, method), intervals.mean(values)).holds is not False
            for row, values in cells.items()
            if len(values)
        ]
        label = name.removeprefix(f"{method}_").replace("_", " ")
        listed.append(f"{label} {len(verdicts) - sum(verdicts)} of {len(verdicts)}")
    return f"cells that differ with other settings: {', '.join(listed)}" if listed else ""


@claim(
    "{artefact}",
    "{name}: the standard deviations over the runs are the printed ones",
    published="in the cells below",
    explanation="where each start ends elsewhere, ten runs tell little of how often: a minimum that few of "
    "them meet makes the standard deviation. The numbers of FCM: erratum E3. The purity of EGMM on Vehicle: "
    "erratum E9",
    fitted=(RIDGE, CARDINALITY),
    each=[{"artefact": TABLES[d], "dataset": d, "name": DATASETS[d]} for d in DATASETS],
)
def deviations_agree(params, tables, dataset):
    printed, found = {}, {}
    for method in METHODS:
        cells = printed_row(printed_deviation, dataset, method)
        printed |= {f"{METHODS[method]}, {row}": value for row, value in cells.items()}
    need_runs(params, dataset, "bootgmm", printed.values())
    need_runs(params, dataset, "egmm", printed.values())
    for method in METHODS:
        ours = estimates(tables, dataset, method, spread)
        found |= {f"{METHODS[method]}, {row}": value for row, value in ours.items()}
    return agrees(printed, found, ".3f")


def spread(values) -> Estimate:
    """Return the standard deviation over the runs; none where all are the same."""
    values = intervals.without_rounding(values)
    return Estimate(0.0, 0.0, 0.0, len(values)) if np.ptp(values) == 0 else intervals.deviation(values)


# ---------------------------------------------------------------- the sentences

stated = partial(claim, TOGETHER, fitted=(RIDGE, CARDINALITY))


def need_all(params):
    """Refuse what is no answer to a sentence about all data sets."""
    if {*params.datasets} != {*DATASETS}:
        raise CannotBeChecked("the sentence is about all five data sets")
    if min(params.n_runs, params.n_boot_runs) < FEWEST:
        raise CannotBeChecked(TOO_FEW)


@stated(
    "EGMM's mean number of clusters is nearer to the true one than that of any other algorithm on Iris, "
    "Knowledge, Seeds and Wine",
    sentence="S35",
    explanation="erratum E5: on Knowledge the ridge of 0.01 makes EGMM choose two clusters; see also erratum "
    "E2",
)
def best_at_the_number(params, tables):
    """Compare with the other algorithm whose mean is nearest to the true number."""
    need_all(params)
    found = {}
    for dataset in (name for name in DATASETS if name != "vehicle"):
        others = {m: error_lead(tables, dataset, m) for m in OTHERS if m != "hcm"}
        nearest = min(others, key=lambda m: others[m].value)
        found[f"{DATASETS[dataset]}, next {METHODS[nearest]}"] = others[nearest]
    return above(0, found, "+.2f", other_ridges(params, tables))


def other_ridges(params, tables):
    """Return the mean number that EGMM finds in Knowledge with other ridges, in words."""
    listed = []
    for ridge in params.ridges:
        found = chosen(tables, "knowledge", f"egmm_ridge_{ridge:g}")
        listed += [f"{found.mean():.1f} with {ridge:g}"] if len(found) else []
    return f"on Knowledge EGMM finds {', '.join(listed)} as the ridge" if listed else ""


@stated(
    "the mean number of clusters of {name} is off by more than that of EGMM, on average over the data sets",
    sentence="S36 S41",
    explanation="on Knowledge the ridge of 0.01 makes EGMM choose two clusters, and on Vehicle it is two off",
    each=[{"method": m, "name": METHODS[m]} for m in OTHERS if m != "hcm"],
)
def others_err_more(params, tables, method):
    need_all(params)
    leads = [error_lead(tables, dataset, method) for dataset in DATASETS]
    ends = np.array([[e.value, e.low, e.high] for e in leads])
    half = np.sqrt(np.nansum(((ends[:, 2] - ends[:, 1]) / 2) ** 2)) / len(leads)  # independent data sets
    value = float(ends[:, 0].mean())
    found = Estimate(value, value - half, value + half, min(e.n for e in leads))
    return above(0, {"farther by": found}, "+.2f")


PLACED = [
    {**place, "dataset": dataset, "name": DATASETS[dataset], "best": RANKS[place["place"]]}
    for place in PLACES
    for dataset in place["which"]
]


@stated(
    "{words}: EGMM has {best} partitions of {name} in the mean of every measure",
    sentence="{sentence}",
    published="{best}; see the study printed_tables",
    explanation="see the means with other ridges: the order of means that are near each other is a matter of "
    "starts and settings",
    cause=UNEXPLAINED,
    each=PLACED,
)
def place_of_egmm(params, tables, dataset, rows, place):
    """Compare EGMM with all others where it is first; where it is second, with the one ahead and the rest."""
    need_all(params)
    parts = []
    for row in rows:
        leads = leads_of_egmm(tables, row, dataset)
        order = sorted(leads, key=lambda m: leads[m].value)
        measure = row.split("_")[0]
        if place == 2:
            parts.append(below(0, {f"{measure}, over {METHODS[order[0]]}": leads[order[0]]}, "+.3f"))
        next_one = order[place - 1]
        parts.append(above(0, {f"{measure}, over {METHODS[next_one]}": leads[next_one]}, "+.3f"))
    return all_of(*parts, Finding(True, "", means_of_ridges(params, tables, dataset, rows)))


def means_of_ridges(params, tables, dataset, rows):
    """Return what EGMM gives in some rows with each ridge, in words."""
    listed = []
    for ridge in params.ridges:
        name = f"egmm_ridge_{ridge:g}"
        if len(of(tables, dataset, name)):
            values = [sample(tables, row, dataset, name) for row in rows]
            means = ", ".join(f"{row.split('_')[0]} {v.mean():.2f}" for row, v in zip(rows, values) if len(v))
            listed.append(f"ridge {ridge:g}: {means}")
    return f"EGMM with other ridges, {'; '.join(listed)}" if listed else ""


@stated(
    "{words}: EGMM has a higher mean than {name} in most of the cells of Tables 6 to 10",
    sentence="S41",
    each=[
        {"words": words, "rows": rows, "method": method, "name": METHODS[method]}
        for words, rows in (("c unknown", UNKNOWN), ("c known", KNOWN))
        for method in OTHERS
        if not (method == "hcm" and rows == UNKNOWN)
    ],
)
def better_on_the_whole(params, tables, rows, method):
    """Count at least the leads above 0 with their interval, at most all that may be."""
    need_all(params)
    leads = {
        (dataset, row): intervals.unpaired_difference(
            *(sample(tables, row, dataset, m) for m in ("egmm", method))
        )
        for dataset in DATASETS
        for row in rows
    }
    return above(len(leads) / 2, {f"of {len(leads)} cells": intervals.count_above(leads)}, ".0f")


@stated(
    "with the largest number of clusters that is tried the mean purity is higher than with the smallest, for "
    "every algorithm on every data set",
    sentence="S34",
    explanation="on Knowledge the memberships of FCM are nearly equal, as its index shows: more clusters "
    "part nothing",
    cause=UNEXPLAINED,
)
def purity_grows(params, tables):
    few, many = min(params.searched), max(params.searched)
    found = {}
    for dataset in params.datasets:
        for method in ("fcm", "ecm", "gmm", "gmm_shared", "egmm"):
            pair = [scores_at(tables, dataset, method, c, "purity") for c in (many, few)]
            if all(map(len, pair)):
                found[f"{METHODS[method]} on {DATASETS[dataset]}"] = intervals.unpaired_difference(*pair)
    note = f"c = {many} minus c = {few}"
    if "knowledge" in params.datasets:
        flat = of(tables, "knowledge", "fcm").query("c == @many")["index"].mean()
        note += f"; MPC of FCM on Knowledge with c = {many}: {flat:.2f}"
    return above(0, found, "+.2f", note)

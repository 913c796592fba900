"""Tables 5 to 10 and the sentences about them, compared with our runs."""

from credalbench.core import intervals
from credalbench.papers import NotCheckable
from credalbench.papers.claims import agrees, all_of, claim, within
from credalbench.papers.reasons import OPEN_SETTING, PAPERS_ERROR, UNEXPLAINED

from ..shared.algorithms import readings
from ..shared.choices import of_cells
from ..shared.tables import (
    DATASETS,
    METHODS,
    ROWS,
    TABLES,
    UNKNOWN,
    printed_cell,
    printed_quantity,
    printed_size,
)
from .cells import estimate, judged, of, sample
from .sentences import (
    FEWEST,
    TOO_FEW,
    best_at_the_number,
    better_on_the_whole,
    others_err_more,
    place_of_egmm,
    purity_grows,
    with_r,
)

__all__ = ["best_at_the_number", "better_on_the_whole", "others_err_more", "place_of_egmm", "purity_grows"]
SIZES = ("n", "p", "c")

# ---------------------------------------------------------------- Table 5


@claim(
    "egmm-tab-05",
    "n, p and c of our data sets are those of Table 5",
    published="; ".join(
        f"{name} {', '.join(str(printed_size(d, s)) for s in SIZES)}" for d, name in DATASETS.items()
    ),
)
def sizes_as_printed(params, tables):
    table = tables["sizes"].set_index("dataset")
    if missing := [DATASETS[name] for name in DATASETS if name not in table.index]:
        raise NotCheckable(f"left out of this run: {', '.join(missing)}")
    parts = []
    for name in DATASETS:
        for size in SIZES:
            printed = printed_size(name, size)
            parts.append(within(printed, printed, {f"{DATASETS[name]}, {size}": table.loc[name, size]}, "g"))
    return all_of(*parts)


# ---------------------------------------------------------------- Tables 6 to 10, cell by cell

#: What was tried where cells of an algorithm differ, on all data sets or on one.
TRIED = {
    "hcm": "tried: with and without moves of single objects; by hand seeds by k-means++ and at random",
    "fcm": "tried: the usual exponent, at most 100 iterations, Matlab's end; by hand ends at 1e-3 and 1e-8; "
    "the printed deviations look like those of other numbers of clusters, erratum E3",
    "ecm": "tried: alpha = 1 and 2, all sets from k-means; by hand random starts and the best of ten k-means",
    "gmm": "tried: a ridge of 0.01 and none; each start ends elsewhere",
    ("knowledge", "gmm"): "tried: ridges of 0.01 and none, by hand 0.003 and 0.001, which are farther off, "
    "and starts from k-means, which have what is printed with c known but not with c unknown",
    "gmm_shared": "tried: a ridge of 0.01 and none; by hand, on Iris and Knowledge, starts from k-means and "
    "random objects and the best of five, which are farther off",
    "bootgmm": "tried: R's program with 20 replicates, mclust 6.0.0",
    (
        "vehicle",
        "bootgmm",
    ): "tried: raw attributes, standardised ones, ones between 0 and 1; by hand each family "
    "of mclust's fourteen with four clusters, none of which has the printed .44, .20 and .16",
    (
        "wine",
        "bootgmm",
    ): "tried: R's program with 20 replicates, mclust 6.0.0: of 178 objects, 176 or 177 are "
    "right in each of 40 runs; the printed .98 would be 175",
    "egmm": "tried: ridges of 0.01, 1e-3, 1e-4 and none, and sets of at most two clusters",
}
NUMBER, ARI = ("c_hat", "sd_c_hat"), ("ari_unknown", "ari_known", "sd_ari_unknown", "sd_ari_known")
#: Cells that an error of the paper explains, of an algorithm on all data sets or on one: name, cells, why.
ERRATA = {
    "fcm": (
        "number of clusters",
        NUMBER,
        "erratum E3: MPC is largest with two clusters, and the printed numbers look drawn",
    ),
    "ecm": ("ARI", ARI, "erratum E1: what is printed is the ARI of FCM"),
    ("knowledge", "bootgmm"): (
        "number of clusters",
        NUMBER,
        "erratum E2: the NMI and ARI beside it are those of five clusters",
    ),
    ("wine", "bootgmm"): (
        "number of clusters",
        NUMBER,
        "erratum E2: the NMI and ARI beside it are those of three clusters",
    ),
    ("vehicle", "egmm"): (
        "standard deviation of the purity",
        ("sd_purity_known",),
        "erratum E9: a digit in the wrong place",
    ),
    ("iris", "hcm"): (
        "standard deviation of the NMI",
        ("sd_nmi_known",),
        "erratum E9: runs whose purity scatters as printed do not have the same NMI",
    ),
}

#: Settings that give what is printed: data set, algorithm, whether c is unknown.
SETTINGS = {
    ("iris", "ecm", False): (
        OPEN_SETTING,
        "where ECM ends is not printed: after 9 to 20 iterations it has the printed NMI of .76, at its "
        "minimum .72, and at our end, after 71, .75",
    )
}


def parts_of(dataset: str, method: str):
    """Yield the cells that are judged together: their name, their quantities, and why they may differ."""
    cells = [sd + row for row in ROWS for sd in ("", "sd_")]
    cells = [cell for cell in cells if printed_quantity(cell, dataset, method)]
    part, known_error, error = ERRATA.get((dataset, method), ERRATA.get(method, ("", (), "")))
    for unknown in (False, True):
        unexplained = (UNEXPLAINED, TRIED.get((dataset, method), TRIED[method]))
        why = SETTINGS.get((dataset, method, unknown), unexplained)
        here = [cell for cell in cells if (cell.removeprefix("sd_") in UNKNOWN) == unknown]
        wrong = [cell for cell in here if cell in known_error]
        rest = [cell for cell in here if cell not in known_error]
        words = (
            "c unknown" if unknown else "number of clusters and c known" if NUMBER[0] in here else "c known"
        )
        if wrong:
            name = f"{part}, c {'un' * unknown}known" if part == "ARI" else part
            yield name, wrong, (PAPERS_ERROR, error), unknown
        if rest:
            yield f"{words}, all else" if wrong else words, rest, why, unknown


CELLS = [
    {
        "artefact": TABLES[dataset],
        "dataset": dataset,
        "method": method,
        "cells": cells,
        "names": f"{METHODS[method]} on {DATASETS[dataset]}, {part}",
        "fitted": of_cells(dataset, method, unknown),
        "cause": why[0],
        "why": why[1],
        "printed": ", ".join(
            f"{printed_quantity(cell, dataset, method).value:g}"
            for cell in cells
            if not cell.startswith("sd_")
        ),
    }
    for dataset in DATASETS
    for method in METHODS
    for part, cells, why, unknown in parts_of(dataset, method)
]


def in_words(quantity: str) -> str:
    """Return the name of a printed quantity."""
    row = ROWS[quantity.removeprefix("sd_")]
    return f"standard deviation of {row}" if quantity.startswith("sd_") else row


@claim(
    "{artefact}",
    "{names}: means and standard deviations over the runs are the printed ones",
    published="{printed}",
    cause="{cause}",
    explanation="{why}",
    fitted="{fitted}",
    each=CELLS,
)
@with_r
def cells_agree(params, tables, dataset, method, cells):
    printed = {cell: printed_quantity(cell, dataset, method) for cell in cells}
    if dataset not in params.datasets:
        raise NotCheckable(f"{DATASETS[dataset]} is left out of this run", printed.values())
    if of(tables, dataset, judged(dataset, method))["repetition"].nunique() < FEWEST:
        raise NotCheckable(TOO_FEW, printed.values())
    found = {in_words(cell): estimate(tables, cell, dataset, method) for cell in cells}
    notes = [
        other_settings(params, tables, dataset, method, cells),
        types_in_words(tables, dataset) if method == "bootgmm" else "",
    ]
    return agrees(
        {in_words(cell): value for cell, value in printed.items()},
        {name: value for name, value in found.items() if value},
        ".3f",
        "; ".join(filter(None, notes)),
    )


def types_in_words(tables, dataset):
    """Return the mixtures that bootGMM bootstraps, with the number of clusters unknown."""
    fits = of(tables, dataset, judged(dataset, "bootgmm"))
    found = fits[fits["chosen"].astype(bool)].groupby(["model", "c"]).size()
    listed = [f"{model} with c = {c} in {n} of {found.sum()} runs" for (model, c), n in found.items()]
    return f"mixture that BIC chooses in R: {', '.join(listed)}"


def other_settings(params, tables, dataset, method, cells):
    """Return in how many means other settings of an algorithm differ; in words."""
    listed = []
    means = [cell for cell in cells if not cell.startswith("sd_")]
    for name, (algorithm, _) in {method: (method, {}), **readings(params)}.items():
        if algorithm != method or name == judged(dataset, method) or not len(of(tables, dataset, name)):
            continue
        values = {row: sample(tables, row, dataset, name) for row in means}
        verdicts = [
            agrees(printed_cell(row, dataset, method), intervals.mean(v)).holds is not False
            for row, v in values.items()
            if len(v)
        ]
        if verdicts:
            label = name.removeprefix(f"{method}_").replace("_", " ") if name != method else "the program's"
            listed.append(f"{label} {len(verdicts) - sum(verdicts)} of {len(verdicts)}")
    return f"means that differ with other settings: {', '.join(listed)}" if listed else ""

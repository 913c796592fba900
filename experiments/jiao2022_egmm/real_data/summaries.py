"""Tables 6 to 10: printed values and ours."""

import numpy as np
import pandas as pd

from credalbench.core.intervals import mean
from credalbench.papers.claims import agrees

from ..shared.algorithms import INDICES, readings
from ..shared.tables import DATASETS, METHODS, ROWS, printed_cell, printed_deviation
from .cells import chosen, judged, of, sample, samples, with_stored


def side_by_side(params, tables) -> pd.DataFrame:
    """Return Tables 6 to 10 as printed and ours, mean ± deviation; means: * not reproduced, ? open."""
    return tabulated(params, with_stored(params, tables))


def tabulated(params, tables) -> pd.DataFrame:
    """Return the printed values next to those of these tables."""
    found = {}
    for dataset in params.datasets:
        for row, words in ROWS.items():
            ours = samples(tables, row, dataset)
            for method in METHODS:
                printed, sd = printed_cell(row, dataset, method), printed_deviation(row, dataset, method)
                if not printed or method not in ours:
                    continue
                key = DATASETS[dataset], words
                values = ours[method]
                sign = {True: "", False: " *", None: " ?"}[agrees(printed, mean(values)).holds]
                found[*key, METHODS[method], "paper"] = f"{printed.value:g} ± {sd.value:g}"
                found[*key, METHODS[method], "ours"] = f"{in_words(values)}{sign}"
    table = pd.Series(found, dtype=object).unstack([2, 3])
    return table.rename_axis(index=["data set", ""], columns=[None, None])


def in_words(values) -> str:
    """Return the mean ± standard deviation."""
    return f"{np.mean(values):.2f} ± {np.std(values, ddof=1):.2f}" if len(values) > 1 else f"{values[0]:.2f}"


def ten_runs(params, tables) -> pd.DataFrame:
    """Return the same with the first ten runs only, as many as the paper has."""
    fits = with_stored(params, tables)["fits"]
    return tabulated(params, {"fits": fits.query("repetition < 10")})


def readings_of_others(params, tables) -> pd.DataFrame:
    """Tabulate other settings of HCM, ECM and the mixtures, next to those that are judged and printed."""
    rows, tables = {}, with_stored(params, tables)
    for method in ("hcm", "ecm", "gmm", "gmm_shared", "bootgmm", "egmm"):
        others = [name for name, (algorithm, _) in readings(params).items() if algorithm == method]
        for dataset in params.datasets:
            printed = {row: cell for row in ROWS if (cell := printed_cell(row, dataset, method))}
            rows[METHODS[method], DATASETS[dataset], "printed"] = {
                ROWS[row]: f"{cell.value:g} ± {printed_deviation(row, dataset, method).value:g}"
                for row, cell in printed.items()
            }
            for name in (n for n in (method, *others) if len(of(tables, dataset, n))):
                label = "usual" if name == method else name.removeprefix(f"{method}_").replace("_", " ")
                label += ", judged" * (name == judged(dataset, method))
                rows[METHODS[method], DATASETS[dataset], label] = {
                    ROWS[row]: in_words(values)
                    for row in printed
                    if len(values := sample(tables, row, dataset, name))
                }
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index = pd.MultiIndex.from_tuples(rows, names=["algorithm", "data set", "setting"])
    return table[[*ROWS.values()]]


def chosen_everywhere(params, tables) -> pd.DataFrame:
    """Count how many runs find which number of clusters, and how many fits have no result."""
    rows, tables = {}, with_stored(params, tables)
    for dataset in params.datasets:
        for method in INDICES:
            name = judged(dataset, method)
            found, fits = chosen(tables, dataset, name), of(tables, dataset, name)
            counts = {f"c = {c}": int((found == c).sum()) for c in params.searched}
            failed = int((fits["status"] == "failed").sum())
            rows[DATASETS[dataset], METHODS[method]] = {
                "index": INDICES[method],
                **counts,
                "failed fits": failed,
            }
    return pd.DataFrame.from_dict(rows, orient="index")


def sizes(params, tables) -> pd.DataFrame:
    """Return Table 5, and the objects in each class."""
    return tables["sizes"].set_index("dataset")[["n", "p", "c", "class_sizes"]].rename(DATASETS)

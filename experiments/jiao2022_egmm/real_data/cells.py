"""The cells of Tables 6 to 10 from our runs."""

from pathlib import Path

import numpy as np
import pandas as pd

from credalbench.core.intervals import (
    Estimate,
    bootstrap,
    deviation,
    mean,
    unpaired_difference,
    without_rounding,
)
from credalbench.papers import NotCheckable

from ...rscript import confirms
from ..shared.tables import METHODS, OTHERS, ROWS, printed_cell, printed_size

STORED = Path(__file__).parents[1] / "reference" / "stored" / "real_data.csv"
#: Algorithms that R runs.
R_METHODS = ("bootgmm", "bootgmm_standardised")
#: (data set, algorithm) -> the setting that agrees there, by which it is judged.
AGREEING = {("knowledge", "egmm"): "egmm_small_ridge", ("vehicle", "bootgmm"): "bootgmm_standardised"}


# ---------------------------------------------------------------- runs


def judged(dataset: str, method: str) -> str:
    """Return the name of the runs by which an algorithm is judged on a data set."""
    return AGREEING.get((dataset, method), method)


def printed_method(name: str) -> str:
    """Return the algorithm of the tables to which a reading belongs: the longest name that is its prefix."""
    return max((m for m in METHODS if name.startswith(m)), key=len)


def has_r(params, tables) -> bool:
    """Return whether R's program was run on all its data sets."""
    fits = tables["fits"]
    here = {*fits.loc[fits["method"].isin(R_METHODS), "dataset"]}
    return bool(here) and here >= {*params.datasets} & {*params.boot_datasets}


def stored_runs() -> pd.DataFrame:
    """Return the runs of a machine that had R (written by ``tools/store_programs.py``)."""
    return pd.read_csv(STORED)


def with_stored(params, tables) -> dict[str, pd.DataFrame]:
    """Return the tables with the stored runs of R's program, unless it gave other values here."""
    in_r = tables["fits"]["method"].isin(R_METHODS)
    here, stored = tables["fits"][in_r], stored_runs()
    if not confirms(here, stored, ["dataset", "method", "repetition", "c"], ["purity", "nmi", "ari"]):
        return tables
    stored = stored[stored["dataset"].isin(params.datasets)]
    return {**tables, "fits": pd.concat([tables["fits"][~in_r], stored], ignore_index=True)}


def of(tables, dataset: str, name: str) -> pd.DataFrame:
    """Return the fits of one algorithm, or of another reading of it, on one data set."""
    fits = tables["fits"]
    some = fits[(fits["method"] == name).to_numpy()]  # the fewer rows first
    return some[(some["dataset"] == dataset).to_numpy()]


def chosen(tables, dataset: str, name: str) -> pd.Series:
    """Return the number of clusters that each run finds, by run; those without any fit are left out."""
    fits = of(tables, dataset, name)
    return fits[fits["chosen"].astype(bool)].groupby("repetition")["c"].min()


def found_number(tables, dataset: str, name: str) -> int:
    """Return the mean number of clusters that the runs find, rounded; halves are rounded up."""
    found = chosen(tables, dataset, name)
    if found.empty:
        raise NotCheckable(f"no run of {METHODS.get(name, name)} on {dataset} has a result")
    return rounded(found.mean())


def judged_number(tables, dataset: str, name: str) -> int:
    """Return the number of clusters at which cells with c unknown are judged: the printed mean, rounded.

    For bootGMM, it is the number that was found (see the docstring of the study).
    """
    if (method := printed_method(name)) == "bootgmm":
        return found_number(tables, dataset, name)
    return rounded(printed_cell("c_hat", dataset, method).value)


def rounded(value: float) -> int:
    """Return the nearest integer; halves are rounded up."""
    return int(np.floor(value + 0.5))


# ---------------------------------------------------------------- values


def scores_at(tables, dataset: str, name: str, c: int, measure: str) -> np.ndarray:
    """Return one measure of the runs with `c` clusters; empty if there are none."""
    fits = of(tables, dataset, name)
    values = fits.loc[fits["c"] == c, measure].dropna().to_numpy()
    return without_rounding(values)


def sample(tables, row: str, dataset: str, name: str, number=judged_number) -> np.ndarray:
    """Return what the runs say in one of `ROWS`; with the number of clusters unknown, at `number` of them."""
    if row == "c_hat":
        return chosen(tables, dataset, name).to_numpy(dtype=float)
    c = printed_size(dataset, "c") if row.endswith("_known") else number(tables, dataset, name)
    return scores_at(tables, dataset, name, c, row.split("_")[0])


def samples(tables, row: str, dataset: str) -> dict[str, np.ndarray]:
    """Return the `sample` of each algorithm that has one in this row."""
    names = {m: judged(dataset, m) for m in METHODS if m != "hcm" or row.endswith("_known")}
    found = {
        m: sample(tables, row, dataset, name) for m, name in names.items() if len(of(tables, dataset, name))
    }
    return {m: values for m, values in found.items() if len(values)}


def needed(tables, row: str, dataset: str, name: str, number=judged_number) -> np.ndarray:
    """Return the `sample` of runs that a comparison needs; it cannot be checked without them."""
    values = sample(tables, row, dataset, name, number)
    if not len(values):
        raise NotCheckable(f"no run of {METHODS[printed_method(name)]} on {dataset} has {ROWS[row]}")
    return values


def leads_of_egmm(tables, row: str, dataset: str, egmm: str) -> dict[str, Estimate]:
    """Return by how much EGMM is ahead of each other algorithm, the strongest first; `egmm` names its runs.

    With the number of clusters unknown, each has the number that its runs find.
    """
    others = [m for m in OTHERS if m != "hcm" or row.endswith("_known")]
    every = {m: needed(tables, row, dataset, judged(dataset, m), found_number) for m in others}
    ours = needed(tables, row, dataset, egmm, found_number)
    order = sorted(every, key=lambda m: -every[m].mean())
    return {method: unpaired_difference(ours, every[method]) for method in order}


def error_lead(tables, dataset: str, method: str, egmm: str) -> Estimate:
    """Return how much farther the mean number of clusters of `method` is from the true one than EGMM's."""
    c = printed_size(dataset, "c")
    other, ours = (needed(tables, "c_hat", dataset, name) for name in (judged(dataset, method), egmm))
    if np.ptp(other) == 0 and np.ptp(ours) == 0:
        value = abs(other[0] - c) - abs(ours[0] - c)
        return Estimate(value, value, value, min(len(other), len(ours)))

    return bootstrap(lambda a, b: abs(a.mean(axis=-1) - c) - abs(b.mean(axis=-1) - c), other, ours)


def estimate(tables, quantity: str, dataset: str, method: str) -> Estimate | None:
    """Return ours of a printed value, a mean (one of `ROWS`) or a standard deviation (``sd_`` before it)."""
    values = sample(tables, quantity.removeprefix("sd_"), dataset, judged(dataset, method))
    if not len(values):
        return None
    return spread(values) if quantity.startswith("sd_") else mean(values)


def spread(values: np.ndarray) -> Estimate:
    """Return the standard deviation over the runs; None if all are equal."""
    values = without_rounding(values)
    return Estimate(0.0, 0.0, 0.0, len(values)) if np.ptp(values) == 0 else deviation(values)

"""The cells of Tables 6 to 10 out of our runs."""

import numpy as np
import pandas as pd

from credalbench.intervals import Estimate, bootstrap, mean, unpaired_difference, without_rounding
from credalbench.runner import CannotBeChecked
from credalbench.runner.claims import agrees

from ..shared.tables import METHODS, ROWS, printed_cell, printed_size


def of(tables, dataset: str, method: str) -> pd.DataFrame:
    """Return the fits of one algorithm, or of another reading of it, on one data set."""
    fits = tables["fits"]
    some = fits[(fits["method"] == method).to_numpy()]  # the fewer rows first
    return some[(some["dataset"] == dataset).to_numpy()]


def chosen(tables, dataset: str, method: str) -> pd.Series:
    """Return the number of clusters that each run finds, by run; those without any fit are left out."""
    fits = of(tables, dataset, method)
    return fits[fits["chosen"]].groupby("repetition")["c"].min()


def common_number(tables, dataset: str, method: str) -> int:
    """Return the mean number of the runs, rounded; or the printed mean, where ours does not differ from it.

    A half is rounded upwards. Readings of an algorithm are compared with what is printed of it.
    """
    found = chosen(tables, dataset, method)
    if found.empty:
        raise CannotBeChecked(f"no run of {METHODS.get(method, method)} on {dataset} has a result")
    printed = next(
        cell
        for m in sorted(METHODS, key=len, reverse=True)
        if method.startswith(m) and (cell := printed_cell("c_hat", dataset, m))
    )
    same = agrees(printed, mean(found)).holds is not False
    return rounded(printed.value if same else found.mean())


def rounded(value: float) -> int:
    """Return the nearest integer, a half upwards."""
    return int(np.floor(value + 0.5))


def scores_at(tables, dataset: str, method: str, c: int, measure: str) -> np.ndarray:
    """Return one measure of the runs with `c` clusters; empty where there are none."""
    fits = of(tables, dataset, method)
    values = fits.loc[fits["c"] == c, measure].dropna().to_numpy()
    return without_rounding(values)


def sample(tables, row: str, dataset: str, method: str) -> np.ndarray:
    """Return what the runs say in one of `ROWS`.

    With the number of clusters unknown, all runs have the `common_number`: see the study's docstring.
    """
    if row == "c_hat":
        return chosen(tables, dataset, method).to_numpy(dtype=float)
    measure, case = row.split("_")
    known = case == "known"
    c = printed_size(dataset, "c") if known else common_number(tables, dataset, method)
    return scores_at(tables, dataset, method, c, measure)


def samples(tables, row: str, dataset: str) -> dict[str, np.ndarray]:
    """Return the `sample` of each algorithm that has one in this row."""
    methods = [m for m in METHODS if not (m == "hcm" and not row.endswith("_known"))]
    found = {m: sample(tables, row, dataset, m) for m in methods if len(of(tables, dataset, m))}
    return {m: values for m, values in found.items() if len(values)}


def leads_of_egmm(tables, row: str, dataset: str) -> dict[str, Estimate]:
    """Return by how much EGMM is ahead of each other algorithm, the strongest first."""
    every = samples(tables, row, dataset)
    if "egmm" not in every:
        raise CannotBeChecked(f"no run of EGMM on {dataset} has {ROWS[row]}")
    ours = every.pop("egmm")
    order = sorted(every, key=lambda m: -every[m].mean())
    return {method: unpaired_difference(ours, every[method]) for method in order}


def error_lead(tables, dataset: str, method: str) -> Estimate:
    """Return how much farther the mean number of clusters of `method` is from the true one than EGMM's."""
    c = printed_size(dataset, "c")
    other, ours = (sample(tables, "c_hat", dataset, m) for m in (method, "egmm"))
    if np.ptp(other) == 0 and np.ptp(ours) == 0:
        value = abs(other[0] - c) - abs(ours[0] - c)
        return Estimate(value, value, value, min(len(other), len(ours)))

    return bootstrap(lambda a, b: abs(a.mean(axis=-1) - c) - abs(b.mean(axis=-1) - c), other, ours)

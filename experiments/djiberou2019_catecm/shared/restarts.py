"""Random starts of cat-ECM, each with its result, and the paper's experiment: the best of ten of them.

"An experiment consisted of running cat-ECM 10 times and selecting the solution giving the minimum value of
the objective function" (Section IV-A). The paper makes one such experiment of each kind; here each is
repeated, which shows the variation and the lowest objective of all starts.
"""

import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd

from credalbench.cluster import CatECM
from credalbench.core.intervals import Estimate, proportion
from credalbench.papers import case_random_state

#: How starting weights are drawn: uniform among those that sum to one; all on random values, or objects.
DRAWN = ("weights", "values", "objects")
SAME = 1e-9  # objectives of one solution agree to rounding; of different ones, they differ by 1e-4 and more


def chunks(n_repetitions: int, size: int) -> range:
    """Return the numbers of the cases that `n_repetitions` are split into, `size` in each."""
    return range(-(-n_repetitions // size))


def experiments_of(chunk: int, n_repetitions: int, size: int) -> range:
    """Return the numbers of the experiments in one case."""
    return range(chunk * size, min((chunk + 1) * size, n_repetitions))


def fitted_starts(
    table: pd.DataFrame, n_restarts: int, seed: int, *axes: int | str, drawn: str = DRAWN[0], **options
) -> Iterator[tuple[int, CatECM]]:
    """Fit the starts of one experiment, each on its own: number and model.

    The seed comes from `axes`, data and experiment, so that settings that are compared get the same starts.
    """
    for start in range(n_restarts):
        state = case_random_state(seed, *axes, start)
        init = "random" if drawn == DRAWN[0] else crisp_weights(table, drawn, options["n_clusters"], state)
        model = CatECM(init=init, n_init=1, random_state=state, **options)
        yield start, fitted(model, table)


def fitted(model: CatECM, table: pd.DataFrame) -> CatECM:
    """Fit the model without warnings about equal prototypes: a bad start is one result among others."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "prototypes coincide", UserWarning)
        return model.fit(table)


def crisp_weights(table: pd.DataFrame, drawn: str, n_clusters: int, state: int) -> list[np.ndarray]:
    """Return weights (c, n_l) of each attribute, all on one value: random, or that of a random object."""
    rng = np.random.default_rng(state)
    objects = rng.choice(len(table), n_clusters, replace=False)
    weights = []
    for column in table:
        values = np.sort(table[column].unique())
        chosen = table[column].to_numpy()[objects] if drawn == "objects" else rng.choice(values, n_clusters)
        weights.append((chosen[:, None] == values).astype(float))
    return weights


def row_of(start: int, model: CatECM) -> dict:
    """Return the columns of every row of a start."""
    return {
        "start": start,
        "objective": model.objective_,
        "n_iter": model.n_iter_,
        "converged": bool(model.converged_),
    }


def best_of_each(runs: pd.DataFrame, *by: str) -> pd.DataFrame:
    """Return the start of lowest objective in each experiment of each setting `by`."""
    return runs.loc[runs.groupby([*by, "repetition"], sort=False)["objective"].idxmin()]


def shares_of_lowest(runs: pd.DataFrame) -> dict[str, Estimate]:
    """Return how often a start, and the best of an experiment, reaches the lowest objective of all."""
    return shares_that_reach(runs, runs["objective"].min())


def shares_that_reach(runs: pd.DataFrame, least: float) -> dict[str, Estimate]:
    """Return how often a start, and the best of an experiment, is as low as `least`, to rounding."""
    reached = runs["objective"] <= least + SAME * abs(least)
    return {
        "of the starts": proportion(reached),
        "of the experiments": proportion(reached.groupby(runs["repetition"]).any()),
    }


def excess_kept(runs: pd.DataFrame) -> float:
    """Return the median share by which the objective that experiments keep is above the lowest of all."""
    return float((best_of_each(runs)["objective"] / runs["objective"].min() - 1).median())

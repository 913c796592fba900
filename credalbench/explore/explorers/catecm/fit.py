"""The result that the cat-ECM explorer shows."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.belief import CredalPartition, renumber_clusters
from credalbench.explore.stepping import Run, Stepped
from credalbench.metrics import accuracy, adjusted_rand


@dataclass(frozen=True, eq=False)
class Fitted(Stepped):
    """An iteration of a run, with everything that panels and read-outs show.

    `prototypes` has a row for each cluster and a column for each attribute: the value with all the weight, or
    a tuple of those that share it. `listed` are the objects whose masses are shown, and `choice` says which
    they are. `ari` and `accuracy` are None if classes are unknown.
    """

    partition: CredalPartition
    prototypes: pd.DataFrame
    prototypes_on_map: np.ndarray
    ari: float | None
    accuracy: float | None
    nonspecificity: float
    n_outliers: int
    listed: tuple[int, ...]
    choice: str


def describe(run: Run, iteration: int) -> Fitted:
    """Return the `Fitted` of an iteration of a cat-ECM; no object is chosen."""
    subject, estimator, old = run.subject, run.after(iteration), np.argsort(run.numbers)
    partition = renumber_clusters(estimator.partition_, run.numbers)
    labels = partition.labels("pignistic")
    known = subject.y is not None
    listed, choice = listed_objects(partition, ())
    return Fitted(
        run=run,
        iteration=iteration,
        partition=partition,
        prototypes=estimator.prototypes_.iloc[old].reset_index(drop=True),
        prototypes_on_map=subject.on_the_map([block[old] for block in estimator.weights_]),
        ari=float(adjusted_rand(subject.y, labels)) if known else None,
        accuracy=float(accuracy(subject.y, labels)) if known else None,
        nonspecificity=float(partition.nonspecificity()),
        n_outliers=int(partition.outliers().sum()),
        listed=listed,
        choice=choice,
    )


#: Number of objects whose masses are shown at a time.
LISTED = 13


def listed_objects(partition: CredalPartition, chosen: tuple[int, ...]) -> tuple[tuple[int, ...], str]:
    """Return the objects whose masses are shown, and how they were selected.

    They are the `chosen` ones, else all objects of a small data set, or the most ambiguous of a large one.
    """
    n = partition.n_objects
    if chosen:
        return chosen, "chosen"
    if n <= LISTED:
        return tuple(range(n)), "all"
    most = np.argsort(-ambiguity(partition), kind="stable")[:LISTED]
    return tuple(most.tolist()), "most ambiguous"


def ambiguity(partition: CredalPartition) -> np.ndarray:
    """Return the nonspecificity of each object, in [0, 1], where the empty set counts as Ω: (n,)."""
    focal_sets = partition.focal_sets
    sizes = np.where(focal_sets.cardinality == 0, focal_sets.n_clusters, focal_sets.cardinality)
    return partition.masses @ np.log2(sizes) / np.log2(focal_sets.n_clusters)

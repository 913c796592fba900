"""Parts of both studies on generated data in the plane: EBIC against c, recovered classes, their tables."""

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

from credalbench.belief import CredalPartition, FocalSets
from credalbench.metrics import accuracy, adjusted_rand

from .starts import egmm

#: Focal sets, as `EGMM` names them -> their name in pictures and tables. Up to c = 3 they are the same.
KINDS = {"pairs": "at most two clusters, and the frame", "full": "all non-empty sets"}


def ebic_table(params, X, seed) -> pd.DataFrame:
    """Return the EBIC of one start of EGMM for each number of clusters, with both kinds of focal sets."""
    rows = []
    for c in params.n_clusters:
        for focal_sets in KINDS:
            model = egmm(params, X, c, seed, focal_sets=focal_sets)
            row = {"focal_sets": focal_sets, "c": c, "ebic": model.ebic_, "converged": model.converged_}
            rows.append(row | {"log_likelihood": model.log_likelihood_, "n_parameters": model.n_parameters_})
    return pd.DataFrame(rows)


def recovered(y, labels) -> dict[str, float]:
    """Return how well labels (n,) agree with the classes y (n,)."""
    return {"ari": adjusted_rand(y, labels), "accuracy": accuracy(y, labels)}


def as_classes(partition, y) -> tuple[CredalPartition, np.ndarray]:
    """Return the partition with clusters numbered like the classes y (n,) they meet best, and their order."""
    c = partition.n_clusters
    order = clusters_of_classes(y, partition.labels("pignistic"), c)
    focal_sets = FocalSets.from_membership(partition.focal_sets.membership[:, order])
    return CredalPartition(partition.masses, focal_sets), order


def clusters_of_classes(y, clusters, c: int) -> np.ndarray:
    """Return the cluster of each of c classes in the best one-to-one matching: (n,), (n,) -> (c,)."""
    table = np.zeros((c, c))
    np.add.at(table, (y, clusters), 1)
    return linear_sum_assignment(table, maximize=True)[1]


def shown(X, y, model, focal_sets: FocalSets) -> dict[str, pd.DataFrame]:
    """Return objects with their masses, and centres, both with clusters numbered like the classes."""
    partition, order = as_classes(model.partition_, y)
    objects = object_table(X, y, partition.on(focal_sets))
    return {"objects": objects, "centres": centre_table(model.cluster_centers_[order])}


def object_table(X, y, partition) -> pd.DataFrame:
    """Return the objects in the plane with their class and masses."""
    table = pd.DataFrame({"object": np.arange(1, len(X) + 1), "class": y + 1, "x": X[:, 0], "y": X[:, 1]})
    return table.join(partition.to_frame("masses"))


def class_table(X, y) -> pd.DataFrame:
    """Return the mean and covariance of each class."""
    table = centre_table([X[y == k].mean(axis=0) for k in range(y.max() + 1)])
    covariances = [np.cov(X[y == k].T) for k in range(len(table))]
    table[["xx", "xy", "yy"]] = [[S[0, 0], S[0, 1], S[1, 1]] for S in covariances]
    return table.rename(columns={"cluster": "class"})


def centre_table(centres) -> pd.DataFrame:
    """Return the centres (c, 2) of clusters."""
    table = pd.DataFrame(centres, columns=["x", "y"])
    table.insert(0, "cluster", np.arange(1, len(table) + 1))
    return table

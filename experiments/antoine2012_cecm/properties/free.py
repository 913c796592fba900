"""Measures of ECM without constraints: effects of alpha and delta, mass on the empty set and on pairs."""

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist

from credalbench.belief import FocalSets
from credalbench.cluster import ECM
from credalbench.cluster.prototypes.prototype_step import squared_distances
from credalbench.cluster.prototypes.rejection import delta_for_rejection_rate

AWAY = (0.5, 1.0, 2.0, 4.0, 8.0)  # distances of an added object from a prototype, in delta


def free_tables(problem, start, alphas, rates):
    """Compute the tables ``alphas``, ``deltas``, ``between``, ``far`` and ``noise`` of one data set."""
    X, _, c, delta = problem
    usual = ECM(c, beta=2.0, delta=delta, init=start, focal_sets="full").fit(X)
    return {
        "alphas": pd.DataFrame([alpha_row(X, c, delta, start, alpha) for alpha in alphas]),
        "deltas": delta_table(X, c, delta, start, rates),
        "between": between_table(X, usual),
        "far": far_table(usual, X),
        "noise": pd.DataFrame([noise_row(X, c, delta, start)]),
    }


def alpha_row(X, c, delta, start, alpha):
    partition = ECM(c, beta=2.0, delta=delta, init=start, alpha=alpha, focal_sets="full").fit(X).partition_
    M, several = partition.masses, partition.focal_sets.cardinality > 1
    return {
        "alpha": alpha,
        "mass_on_several": M[:, several].sum(axis=1).mean(),
        "share_on_several": several[M.argmax(axis=1)].mean(),
        "nonspecificity": partition.nonspecificity(),
    }


def delta_table(X, c, delta, start, rates):
    """Count outliers where delta exceeds the largest distance of two objects, and where it gives a rate.

    `used` is the distance that the studies take.
    """
    largest = pdist(X).max()
    beyond = ECM(c, beta=2.0, delta=1.001 * largest, init=start, focal_sets="full").fit(X)
    rows = [{"rate": 0.0, "delta": beyond.delta, "found": beyond.partition_.outliers().mean()}]
    for rate in rates:
        found = delta_for_rejection_rate(ECM(c, beta=2.0, init=start, focal_sets="full"), X, rate)
        rows.append({"rate": rate, "delta": found.delta, "found": found.rate})
    return pd.DataFrame(rows).assign(n=len(X), largest_distance=largest, used=delta)


def between_table(X, model):
    """Return whether two clusters have the largest mass of each object, and the lead of the nearest."""
    partition = model.partition_
    cardinality = partition.focal_sets.cardinality[partition.masses.argmax(axis=1)]
    distances = np.sort(np.linalg.norm(X[:, None] - model.cluster_centers_, axis=2), axis=1)
    lead = (distances[:, 1] - distances[:, 0]) / (distances[:, 1] + distances[:, 0])
    return pd.DataFrame({"on_pair": cardinality == 2, "on_single": cardinality == 1, "lead": lead})


def far_table(model, X):
    """Return the mass on the empty set of an object that moves away from the first prototype."""
    prototype, delta = model.cluster_centers_[0], model.delta
    outwards = prototype - X.mean(axis=0)
    away = np.array(AWAY)[:, None] * delta * outwards / np.linalg.norm(outwards)
    masses = model.predict_partition(prototype + away).masses
    return pd.DataFrame(
        {"distance": AWAY, "mass_on_empty": masses[:, 0], "largest_other": masses[:, 1:].max(axis=1)}
    )


def noise_row(X, c, delta, start):
    """Compare ECM on single clusters and the empty set with memberships of noise clustering, Eq. (9)."""
    model = ECM(c, beta=2.0, delta=delta, init=start, focal_sets=FocalSets.up_to(c, 1, omega=False)).fit(X)
    inverse = 1 / squared_distances(X, model.cluster_centers_, model.partition_.focal_sets)
    memberships = inverse / (inverse.sum(axis=1, keepdims=True) + delta**-2)
    expected = np.column_stack([1 - memberships.sum(axis=1), memberships])
    return {"difference": float(np.abs(model.partition_.masses - expected).max())}

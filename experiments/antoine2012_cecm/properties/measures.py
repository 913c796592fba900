"""Measures of fits with drawn constraints: the programme of the masses, prototypes, norms, covariances."""

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.linalg import eigsh

from credalbench.cluster import CECM, ECM
from credalbench.cluster.constrained.masses import constraint_terms, scaled_objective
from credalbench.cluster.prototypes.mass_update import focal_costs
from credalbench.cluster.prototypes.prototype_step import (
    covariances,
    prototypes,
    prototypes_mahalanobis,
    set_norm_matrices,
    squared_distances,
)
from credalbench.metrics import rand_index

ALPHA = 1.0  # Section 5.1.5
METRICS = ("euclidean", "mahalanobis")
N_DIRECTIONS = 20  # in which prototypes are moved
MOVE = 0.01  # of the standard deviation of each attribute


def fitted_tables(problem, start, constraints, xi, rng):
    """Compute the tables ``fits``, one row for each metric, and ``norms``, of the adaptive metric."""
    X, y, c, delta = problem
    links = {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}
    rows = []
    for metric in METRICS:
        options = {"alpha": ALPHA, "delta": delta, "metric": metric, "init": start}
        model = CECM(c, xi=xi, **options).fit(X, **links)
        free = ECM(c, beta=2.0, focal_sets="full", **options).fit(X)
        facts = {
            "metric": metric,
            "ri": rand_index(y, model.labels_),
            "ri_ecm": rand_index(y, free.labels_),
            "n_violated": len(model.violated_),
            "constraint_cost": model.constraint_cost_,
        }
        terms = constraint_terms(constraints, focal_sets(model), xi)
        rows.append(facts | mass_programme(model, X, terms, rng))
    return {"fits": pd.DataFrame(rows), "norms": pd.DataFrame([norm_facts(model, X)])}


def focal_sets(model):
    return model.partition_.focal_sets


def costs_at(model, X, V=None, S=None):
    """Return the costs (n, f) of masses, at the model's prototypes and norms unless others are given."""
    V = model.cluster_centers_ if V is None else V
    S = model.norm_matrices_ if S is None else S
    return focal_costs(squared_distances(X, V, focal_sets(model), S), focal_sets(model), ALPHA, model.delta)


def mass_programme(model, X, terms, rng):
    """Return curvature and degree of the programme of the masses, and where its prototypes are lowest."""
    costs = costs_at(model, X)
    return {
        "least_curvature": least_curvature(costs, terms),
        "third_difference": third_difference(costs, terms, rng),
        "least_rise": least_rise(model, X, terms, rng),
    }


def least_curvature(costs, terms):
    """Return the least curvature of the masses' programme over that of its data part; < 0: not convex.

    Masses sum to 1, so that each object moves in f - 1 dimensions. In units of the data part the Hessian is
    I + K, where K couples the two objects of each constraint.
    """
    f = costs.shape[1]
    tangent = np.linalg.svd(np.ones((1, f)))[2][1:].T  # (f, f - 1): directions that keep the sum
    alone = np.einsum("fa,nf,fb->nab", tangent, 2 * costs, tangent)
    units = np.linalg.inv(np.linalg.cholesky(alone))
    here, there, blocks = [], [], []
    for pairs, matrix in (
        (terms.constraints.must_link, terms.network.different),
        (terms.constraints.cannot_link, terms.network.same),
    ):
        coupled = terms.strength * tangent.T @ matrix @ tangent
        first, second = pairs.T
        both = units[first] @ coupled @ units[second].swapaxes(1, 2)
        here, there = [*here, *first, *second], [*there, *second, *first]
        blocks += [*both, *both.swapaxes(1, 2)]
    return 1 + least_eigenvalue(np.array(blocks), np.array(here), np.array(there), len(costs))


def least_eigenvalue(blocks, rows, columns, n):
    """Return the least eigenvalue of a symmetric matrix of n by n blocks (m, a, a), else zero."""
    size = blocks.shape[1]
    inner = np.arange(size)
    at = np.broadcast_arrays(
        (rows[:, None] * size + inner)[:, :, None], (columns[:, None] * size + inner)[:, None, :]
    )
    matrix = coo_array((blocks.ravel(), tuple(a.ravel() for a in at)), shape=(n * size, n * size))
    return float(eigsh(matrix.tocsr(), k=1, which="SA", v0=np.ones(n * size))[0][0])


def third_difference(costs, terms, rng):
    """Return the third difference of the objective along a line of masses, relative: 0 if quadratic."""
    ends = rng.dirichlet(np.ones(costs.shape[1]), size=(2, len(costs)))
    values = [scaled_objective(ends[0] + t * (ends[1] - ends[0]), costs, terms) for t in (-1, 0, 1, 2)]
    return abs(float(np.dot(values, (-1, 3, -3, 1)))) / np.abs(values).max()


def least_rise(model, X, terms, rng):
    """Return the least relative change of the objective when the prototypes of ECM's step are moved."""
    M, S = model.partition_.masses, model.norm_matrices_
    step = prototypes_mahalanobis if model.metric == "mahalanobis" else _without_norms
    V = step(X, M, S, focal_sets(model), ALPHA)
    least = scaled_objective(M, costs_at(model, X, V), terms)
    moves = MOVE * X.std(axis=0) * rng.choice([-1.0, 1.0], size=(N_DIRECTIONS, *V.shape))
    return min(scaled_objective(M, costs_at(model, X, V + move), terms) / least - 1 for move in moves)


def _without_norms(X, M, S, focal_sets, alpha):
    return prototypes(X, M, focal_sets, alpha, 2.0)


def norm_facts(model, X):
    """Return the statements of Section 4 on the norms, measured at a fit with the adaptive metric."""
    M, V, S = model.partition_.masses, model.cluster_centers_, model.norm_matrices_
    spread = covariances(X, V, M, focal_sets(model), ALPHA)
    return {
        "least_eigenvalue": least_over_largest(spread),
        "least_eigenvalue_redundant": least_over_largest(redundant_covariances(model, X)),
        "norm_along_spread": norm_along_spread(S, spread, focal_sets(model)),
        "shift_by_norms": shift_by_norms(X, M, S, focal_sets(model)),
        "coupling": coupling(X, M, S, focal_sets(model), adaptive=True),
        "coupling_euclidean": coupling(X, M, S, focal_sets(model), adaptive=False),
        "change_with_half_norms": (M**2 * costs_at(model, X, S=S / 2)).sum()
        / (M**2 * costs_at(model, X)).sum()
        - 1,
    }


def least_over_largest(matrices):
    """Return the least eigenvalue over the largest, of the worst of several matrices."""
    values = np.linalg.eigvalsh(matrices)
    return float((values[:, 0] / values[:, -1]).min())


def redundant_covariances(model, X):
    """Compute covariances of the same masses with one attribute more, the sum of the first two."""
    more = np.column_stack([X, X[:, 0] + X[:, 1]])
    V = prototypes(more, model.partition_.masses, focal_sets(model), ALPHA, 2.0)
    return covariances(more, V, model.partition_.masses, focal_sets(model), ALPHA)


def norm_along_spread(S, spread, focal_sets):
    """Return the matrix of the frame along the longest axis of its clusters, over its mean.

    A covariance of these clusters would be largest there.
    """
    whole = set_norm_matrices(S, focal_sets)[-1]
    longest = np.linalg.eigh(spread.mean(axis=0))[1][:, -1]
    return float(longest @ whole @ longest / (np.trace(whole) / len(whole)))


def shift_by_norms(X, M, S, focal_sets):
    """Return how far the norms move the prototypes of the same masses, in mean distances of objects."""
    moved = prototypes_mahalanobis(X, M, S, focal_sets, ALPHA) - prototypes(X, M, focal_sets, ALPHA, 2.0)
    return float(np.linalg.norm(moved, axis=1).max() / np.sqrt(X.var(axis=0).sum()))


def coupling(X, M, S, focal_sets, adaptive):
    """Return how far the prototypes' other attributes move when the first one of the objects doubles."""
    step = prototypes_mahalanobis if adaptive else _without_norms
    doubled = X * np.r_[2.0, np.ones(X.shape[1] - 1)]
    moved = step(doubled, M, S, focal_sets, ALPHA) - step(X, M, S, focal_sets, ALPHA)
    return float(np.abs(moved[:, 1:] / X[:, 1:].std(axis=0)).max())

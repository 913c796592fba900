"""What Sections II and III say of masses and weights, computed from fitted models by the printed formulas."""

import numpy as np

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster.prototypes.mass_update import focal_costs, masses_from_costs

ROUNDING = 1e-9  # of masses at beta = 1.1: the tenth power of quotients of sums over some dozen attributes
NEGLIGIBLE = 1e-12  # a squared dissimilarity that is zero but for rounding; the least others are 1 / 2p


def row_of_run(model, table, alpha, beta, delta):
    """Describe the run, and how far its masses and weights are from what the formulas say."""
    masses, focal_sets = model.partition_.masses, model.partition_.focal_sets
    d2 = squared_dissimilarities(table, model, focal_sets)
    costs = focal_costs(d2, focal_sets, alpha, delta)
    singles = weights_of_sets(model, focal_sets, several=False)
    several = weights_of_sets(model, focal_sets, several=True)
    return {
        "n_iter": model.n_iter_,
        "converged": bool(model.converged_),
        "trace_rise": float(np.diff(model.objective_trace_).max(initial=-np.inf)) / model.objective_trace_[0],
        "objective": model.objective_,
        "objective_gap": abs(float((masses**beta * costs).sum()) / model.objective_ - 1),
        "mass_gap": float(np.abs(masses - masses_from_costs(costs, beta, NEGLIGIBLE)).max()),
        "least_d2": float(d2.min()),
        "largest_d2": float(d2.max()),
        "weight_sum_gap": float(max(np.abs(w.sum(axis=1) - 1).max() for w in several)),
        "off_the_most_frequent": off_the_most_frequent(table, model, alpha, beta),
        "crisp_singles": share_crisp(singles),
        "crisp_several": share_crisp(several),
        "identity_gap": identity_gap(d2, focal_sets),
        "nearest_lead": nearest_lead(d2, focal_sets),
    }


def weights_of_sets(model, focal_sets, several):
    """Return weights (f', n_l) of each attribute for the clusters, or for the sets of several of them (8)."""
    size = focal_sets.cardinality
    members = focal_sets.membership[size > 1] if several else focal_sets.membership[size == 1]
    return [members / members.sum(axis=1, keepdims=True) @ w for w in model.weights_]


def share_crisp(weights):
    """Return the share of the pairs of a set and an attribute in which one value has all the weight."""
    return float(np.mean([(w.max(axis=1) > 1 - ROUNDING) for w in weights]))


def squared_dissimilarities(table, model, focal_sets):
    """Return Eqs. (10) and (11) for the non-empty sets: (n, f')."""
    members = focal_sets.membership[int(focal_sets.has_empty) :]
    share = members / members.sum(axis=1, keepdims=True)
    total = sum(
        1 - one_hot(table[column], categories) @ (share @ weights).T
        for column, categories, weights in zip(table, model.categories_, model.weights_)
    )
    return np.maximum(total, 0) / table.shape[1]


def one_hot(values, categories):
    """Return indicators (n, n_l) of the values of one attribute."""
    return (values.to_numpy()[:, None] == np.asarray(categories)[None, :]).astype(float)


def off_the_most_frequent(table, model, alpha, beta):
    """Return the largest share by which weights (14) miss the highest frequency (15)."""
    focal_sets = model.partition_.focal_sets
    first = int(focal_sets.has_empty)
    size = focal_sets.cardinality[first:].astype(float)
    b = model.partition_.masses[:, first:] ** beta * size ** (alpha - 1)
    in_cluster = b @ focal_sets.membership[first:]
    worst = 0.0
    for column, categories, weights in zip(table, model.categories_, model.weights_):
        frequency = in_cluster.T @ one_hot(table[column], categories)
        best = frequency.max(axis=1)
        missed = best - (weights * frequency).sum(axis=1)
        worst = max(worst, float((missed / np.where(best > 0, best, 1)).max()))
    return worst


def sets_and_members(d2, focal_sets):
    """Return d² of the s sets of several clusters, and mean and least d² of their clusters: (n, s)."""
    first = int(focal_sets.has_empty)
    sets = [sorted(A) for A in focal_sets.sets[first:]]
    single = {A[0]: d2[:, j] for j, A in enumerate(sets) if len(A) == 1}
    several = [j for j, A in enumerate(sets) if len(A) > 1]
    members = [np.stack([single[k] for k in sets[j]]) for j in several]
    average, nearest = (np.stack([of(m, axis=0) for m in members], axis=1) for of in (np.mean, np.min))
    return d2[:, several], average, nearest


def identity_gap(d2, focal_sets):
    """Return how far the dissimilarity of a set is from the mean of those of its clusters, at most."""
    several, average, _ = sets_and_members(d2, focal_sets)
    return float(np.abs(several - average).max())


def nearest_lead(d2, focal_sets):
    """Return the share of pairs of object and set in which the set is farther than its nearest cluster."""
    several, _, nearest = sets_and_members(d2, focal_sets)
    return float((several > nearest + ROUNDING).mean())


def kinds(model):
    """Return how far simpler partitions are from what their credal form gives back; and two ends of N*.

    The crisp one are the labels, the fuzzy one the pignistic probabilities, the possibilistic one the contour
    divided by its maximum, written on nested sets.
    """
    partition, c = model.partition_, model.partition_.n_clusters
    focal_sets = FocalSets.full(c)
    labels, fuzzy = partition.labels("pignistic"), partition.pignistic
    crisp = CredalPartition.from_labels(labels, focal_sets)
    bayesian = np.zeros((len(labels), len(focal_sets)))
    bayesian[:, focal_sets.singletons] = fuzzy
    possible = partition.contour / partition.contour.max(axis=1, keepdims=True)
    vacuous = np.zeros((1, len(focal_sets)))
    vacuous[0, focal_sets.index(range(c))] = 1.0
    return {
        "crisp_gap": int((crisp.to_hard() != labels).sum()),
        "fuzzy_gap": float(np.abs(CredalPartition(bayesian, focal_sets).to_fuzzy() - fuzzy).max()),
        "possibilistic_gap": float(np.abs(nested(possible, focal_sets).to_possibilistic() - possible).max()),
        "certain": crisp.nonspecificity(),
        "between": partition.nonspecificity(),
        "vacuous": CredalPartition(vacuous, focal_sets).nonspecificity(),
    }


def nested(possible, focal_sets):
    """Return the credal partition on nested sets whose contour is `possible` (n, c), with maxima 1."""
    order = np.argsort(-possible, axis=1)
    levels = np.take_along_axis(possible, order, axis=1)
    steps = levels - np.hstack([levels[:, 1:], np.zeros((len(levels), 1))])
    masses = np.zeros((len(possible), len(focal_sets)))
    for i, clusters in enumerate(order):
        for size, step in enumerate(steps[i], start=1):
            masses[i, focal_sets.index(clusters[:size])] += step
    return CredalPartition(masses, focal_sets)

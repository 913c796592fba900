"""Literal transcription of the objective of several views: straight loops; for a dozen objects at most."""

import math


def to_center(X, i, V, A, w):
    """Squared distance of object i to the mean of the prototypes of A, attributes weighed by w."""
    total = 0.0
    for q in range(len(X[0])):
        place = sum(V[k][q] for k in A) / len(A)
        total += w[q] * (X[i][q] - place) ** 2
    return total


def to_medoids(matrices, l, i, medoids, A, gamma, eta):
    """Dissimilarity in matrix l: the object that stands for A is chosen by the sum of all matrices."""
    if len(A) == 1:
        return matrices[l][i, medoids[A[0]]]
    total = sum(matrices)
    scores = []
    for p in range(len(total)):
        far = [total[p, medoids[k]] for k in A]
        mean = sum(far) / len(A)
        scores.append(sum((t - mean) ** 2 for t in far) / len(A) + eta * mean)
    chosen = scores.index(min(scores))
    mean = sum(matrices[l][i, medoids[k]] for k in A) / len(A)
    return (matrices[l][i, chosen] + gamma * mean) / (1 + gamma)


def cost_of_view(masses, sets, d, alpha, beta, delta):
    """J_l by set: what each set adds, the empty one first; d(i, A) is a function."""
    found = []
    for j, A in enumerate(sets):
        total = 0.0
        for i in range(len(masses)):
            cost = len(A) ** alpha * d(i, A) if A else delta**2
            total += masses[i, j] ** beta * cost
        found.append(total)
    return found


def product_weights(costs):
    """Weights of product 1."""
    mean = math.prod(costs) ** (1 / len(costs))
    return [mean / cost for cost in costs]


def sum_weights(costs, s):
    """Weights of sum 1 that minimise the sum of weight^s times cost."""
    powers = [cost ** (-1 / (s - 1)) for cost in costs]
    return [power / sum(powers) for power in powers]


def entropy_weights(costs, temperature):
    """Weights of sum 1 that minimise the sum of weight times cost plus temperature times w log w."""
    powers = [math.exp(-cost / temperature) for cost in costs]
    return [power / sum(powers) for power in powers]

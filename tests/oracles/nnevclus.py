"""Literal transcription of network and loss of NN-EVCLUS [denoeux2021], unit by unit; a dozen objects."""

import numpy as np

from tests.oracles import evclus, linked_stress


def masses(layers, beta, x, h):
    """Masses of one object: `layers` of rows (bias, weights), `beta` of the gate or None, novelty score h."""
    z = list(x)
    for depth, rows in enumerate(layers):
        sums = [row[0] + sum(w * value for w, value in zip(row[1:], z)) for row in rows]
        z = sums if depth == len(layers) - 1 else [max(0.0, value) for value in sums]
    shares = [np.exp(value) / sum(np.exp(other) for other in z) for value in z]
    if beta is None:
        return shares
    eta = np.log(1 + np.exp(beta[0] + beta[1] * h))
    g = eta / (1 + eta)
    return [g * (k == 0) + (1 - g) * share for k, share in enumerate(shares)]


def loss(layers, beta, X, novelty, delta, sets, c, labels, must_link, cannot_link, nu, xi, penalty):
    """All terms; `labels` maps objects to clusters, and nu counts only where there are some."""
    n = len(X)
    M = np.array([masses(layers, beta, X[i], novelty[i]) for i in range(n)])
    nu = nu if labels else 0.0
    total = 0.0
    for i in range(n):
        for j in range(n):
            if i != j:
                residual = evclus.conflict(M[i], M[j], sets) - delta[i, j]
                total += (1 - nu) * residual**2 / (n * (n - 1))
    for i, label in labels.items():
        for k in range(c):
            plausibility = sum(mass for mass, A in zip(M[i], sets) if k in A)
            total += nu * (plausibility - (k == label)) ** 2 / (len(labels) * c)
    if must_link or cannot_link:
        total += linked_stress.cost_of_links(M, must_link, cannot_link, sets, c, xi / 2)
    return total + penalty / 2 * sum(np.mean(np.square(rows)) for rows in layers)

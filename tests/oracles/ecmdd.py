"""Literal transcription of ECMdd: straight loops of its formulas; for a dozen objects at most."""

from tests.oracles.mecm import representative


def weights(costs, psi):
    """Shares of a unit weight that minimise the sum of share^psi times cost."""
    powers = [cost ** (-1 / (psi - 1)) for cost in costs]
    return [power / sum(powers) for power in powers]


def cluster_weights(tau, masses, beta, psi):
    """Weights of the objects in each cluster: masses (n, c) of the singletons -> c lists of n."""
    n, c = masses.shape
    return [
        weights([sum(masses[i, k] ** beta * tau[i, l] for i in range(n)) for l in range(n)], psi)
        for k in range(c)
    ]


def to_cluster(tau, i, shares, psi):
    """Dissimilarity of object i to a cluster with these weights of objects."""
    return sum(share**psi * tau[i, l] for l, share in enumerate(shares))


def single(tau, i, medoids, A, gamma, eta):
    """Dissimilarity of object i to the clusters A with single medoids."""
    if len(A) == 1:
        return tau[i, medoids[A[0]]]
    mean = sum(tau[i, medoids[k]] for k in A) / len(A)
    return (tau[i, representative(tau, medoids, A, eta)] + gamma * mean) / (1 + gamma)


def several(tau, i, shares, A, gamma, eta, psi):
    """Dissimilarity of object i to the clusters A with weighted medoids, `shares` (c, n)."""
    if len(A) == 1:
        return to_cluster(tau, i, shares[A[0]], psi)
    scores = []
    for l in range(len(tau)):
        far = [to_cluster(tau, l, shares[k], psi) for k in A]
        mean = sum(far) / len(A)
        scores.append(sum((t - mean) ** 2 for t in far) / len(A) + eta * mean)
    of_set = to_cluster(tau, i, weights(scores, psi), psi)
    mean = sum(to_cluster(tau, i, shares[k], psi) for k in A) / len(A)
    return (of_set + gamma * mean) / (1 + gamma)


def objective(tau, masses, sets, d, alpha, beta, delta):
    """J of masses (n, f) on `sets`, the first of them empty, at dissimilarities d (n, f - 1)."""
    total = 0.0
    for i in range(len(tau)):
        for j, A in enumerate(sets):
            cost = len(A) ** alpha * d[i][j - 1] if A else delta**2
            total += masses[i, j] ** beta * cost
    return total

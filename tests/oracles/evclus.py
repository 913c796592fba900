"""Literal transcriptions of EVCLUS, loop by loop as printed; for a dozen objects at most."""

import numpy as np

from tests.oracles import belief


def conflict(m, other, sets):
    """Degree of conflict of two mass functions on the same focal `sets`: the double sum of Eq. (3)."""
    return belief.conflict(*(dict(zip(sets, row, strict=True)) for row in (m, other)))


def stress(M, delta, sets):
    """Eq. (12) over i < j, with its normalising constant: the pairs of each object are those above it."""
    above = [range(i + 1, len(M)) for i in range(len(M))]
    return sampled_stress(M, above, [delta[i, i + 1 :] for i in range(len(M))], sets)


def sampled_stress(M, partners, delta, sets):
    """Eqs. (22) and (23): every listed pair once, (n, k) `partners` and `delta`."""
    total, squares = 0.0, 0.0
    for i in range(len(M)):
        for r, j in enumerate(partners[i]):
            total += (conflict(M[i], M[j], sets) - delta[i][r]) ** 2
            squares += delta[i][r] ** 2
    return total / squares


def row_programme(M, i, others, targets, C):
    """Matrix and linear term of Eq. (20) for row i, its residual matrix written out."""
    rows = np.array([M[j] @ C for j in others])
    return rows.T @ rows, rows.T @ np.asarray(targets)


def stress_and_slope(parameters, delta, sets):
    """Stress of the softmax of `parameters` (n, f), Eqs. (12) and (16), and its partial derivatives."""
    n, f = parameters.shape
    M = np.array([[np.exp(a) / sum(np.exp(row)) for a in row] for row in parameters])
    eta = 1 / sum(delta[i, j] ** 2 for i in range(n) for j in range(i + 1, n))
    slope = np.zeros((n, f))
    for i in range(n):
        by_mass = np.zeros(f)
        for k in range(f):
            for j in range(n):
                if j != i:
                    residual = conflict(M[i], M[j], sets) - delta[i, j]
                    by_mass[k] += 2 * eta * residual * conflict(np.eye(f)[k], M[j], sets)
        for k in range(f):
            for p in range(f):
                slope[i, k] += by_mass[p] * M[i, p] * ((p == k) - M[i, k])
    return stress(M, delta, sets), slope


def silva_almeida(start, delta, sets, n_iter, step_range=(1e-6, 1e4)):
    """The adaptive steps of [silva1990], parameter by parameter: stress and smoothed gain of each iteration.

    Returns the parameters reached, both sequences, and how often what happened to a step.
    """
    parameters = np.array(start)
    steps = np.full(parameters.shape, 0.1)
    value, slope = stress_and_slope(parameters, delta, sets)
    gain, values, gains = 1.0, [value], [1.0]
    events = dict.fromkeys(("grown", "cut", "kept in range", "halved"), 0)
    for _ in range(n_iter):
        moved = parameters - steps * slope
        new_value, new_slope = stress_and_slope(moved, delta, sets)
        if new_value > value:
            events["halved"] += 1
            for place in np.ndindex(steps.shape):
                steps[place] = steps[place] / 2
        else:
            gain = 0.9 * gain + 0.1 * (value - new_value)
            for place in np.ndindex(steps.shape):
                same_sign = new_slope[place] * slope[place] >= 0
                events["grown" if same_sign else "cut"] += 1
                step = steps[place] * (1.2 if same_sign else 0.8)
                steps[place] = min(max(step, step_range[0]), step_range[1])
                events["kept in range"] += steps[place] != step
            parameters, value, slope = moved, new_value, new_slope
        values.append(value)
        gains.append(gain)
    return parameters, values, gains, events

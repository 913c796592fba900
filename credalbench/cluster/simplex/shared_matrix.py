r"""Many programmes on the simplex that share one matrix, as those of objects that share their partners.

For each row a of linear terms, :math:`\tfrac12 x^T G x - a^T x` is minimised over the simplex, from the row's
own start. If the start has the right *support* S, the set of its positive coordinates, the minimiser is

.. math:: x_S = Z (t - \lambda 1), \qquad Z = (G_{SS} + \rho I)^{-1}, \quad
          \lambda = \frac{1^T Z t - 1}{1^T Z 1}, \quad t = a_S + \rho x_S^{start}

with the proximal weight :math:`\rho` of ``simplex_qp``. This is the minimiser if the matrix is regular, no
coordinate is negative and none outside S has a negative multiplier. All other rows go through the active set
of ``minimise_on_simplex``. In later sweeps nearly all rows keep their support. In measurements, storing Z for
rows of equal support did not save time: 25 rows had 13 supports, of 3 coordinates each.
"""

import numpy as np

from credalbench.cluster.simplex.simplex_qp import (
    DUAL_TOLERANCE,
    FEW,
    PROXIMITY,
    minimise_on_simplex,
    row_objective,
)
from credalbench.core.kernels import kernel

REGULAR = 1e-8  # relative: with a smaller pivot the support is left to the active set


@kernel
def minimise_rows(
    G: np.ndarray, linear: np.ndarray, n_rows: int, X: np.ndarray, first: int
) -> tuple[float, float]:
    r"""Overwrite `n_rows` rows of `X` (n, f) from row `first` with the minimisers for rows of `linear`.

    Returns the sum over these rows of the decrease of :math:`x^T G x - 2 a^T x`, and of its new value.
    With the minimiser y and d = x - y, the decrease is :math:`d^T G d + 2 \rho d^T d` if supports are equal:
    no difference of large numbers. O(m^3 + f m) a row for m positive coordinates, if the support stays.

    Numbers are read by their indices, not through slices, which would cost more than the programmes.
    """
    f = X.shape[1]
    L, work = np.empty((f, f)), np.empty((f + 4, f))
    S, free = np.empty(f, np.int64), np.empty(f, np.int64)
    y, v, d = np.empty(f), np.empty(f), np.empty(f)
    fall, value, scale = 0.0, 0.0, 0.0
    for j in range(f):
        scale = max(scale, G[j, j])
    ridge = PROXIMITY * scale
    for row in range(n_rows):
        i = first + row
        m = 0
        for j in range(f):
            if X[i, j] > 0.0:
                S[m] = j
                m += 1
        accepted = m <= FEW and scale > 0.0
        if accepted:
            for r in range(m):  # G[S, S] + ridge I = L D L^T, with 1 / D on the diagonal of L
                for s in range(r):
                    t = G[S[r], S[s]]
                    for q in range(s):
                        t -= L[r, q] * L[s, q]
                    L[r, s] = t  # L D for now
                pivot = G[S[r], S[r]] + ridge
                for s in range(r):
                    t = L[r, s] * L[s, s]
                    pivot -= t * L[r, s]
                    L[r, s] = t
                accepted = accepted and pivot > REGULAR * scale
                L[r, r] = 1.0 / max(pivot, ridge)
            for r in range(m):  # y = Z t, v = Z 1
                y[r] = linear[row, S[r]] + ridge * X[i, S[r]]
                v[r] = 1.0
                for q in range(r):
                    y[r] -= L[r, q] * y[q]
                    v[r] -= L[r, q] * v[q]
            for r in range(m - 1, -1, -1):
                y[r] *= L[r, r]
                v[r] *= L[r, r]
                for q in range(r + 1, m):
                    y[r] -= L[q, r] * y[q]
                    v[r] -= L[q, r] * v[q]
            multiplier, sum_v = -1.0, 0.0
            for r in range(m):
                multiplier += y[r]
                sum_v += v[r]
            multiplier /= sum_v
            total = 0.0
            for r in range(m):
                y[r] -= multiplier * v[r]
                accepted = accepted and y[r] >= 0.0
                total += y[r]
            for j in range(f):
                if X[i, j] == 0.0:
                    slope = multiplier - linear[row, j]
                    for r in range(m):
                        slope += G[j, S[r]] * y[r]
                    accepted = accepted and slope >= -DUAL_TOLERANCE * scale
            accepted = accepted and total > 0.0
        if accepted:
            value -= multiplier
            for r in range(m):
                y[r] /= total
                d[r] = X[i, S[r]] - y[r]
                value += y[r] * (ridge * d[r] - linear[row, S[r]])
                X[i, S[r]] = y[r]
                product = G[S[r], S[r]] * d[r]
                for s in range(r):
                    product += 2.0 * G[S[r], S[s]] * d[s]
                fall += (product + 2.0 * ridge * d[r]) * d[r]
        else:
            before = row_objective(G, linear[row], X[i])
            minimise_on_simplex(G, linear[row], X[i], work, free)
            after = row_objective(G, linear[row], X[i])
            fall += before - after
            value += after
    return fall, value

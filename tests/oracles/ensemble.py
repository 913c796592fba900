"""Literal transcriptions of the ensemble paper's consensus, as printed; for a dozen objects at most."""

import numpy as np

J = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.5, 0.5, 1.0]])  # Eq. (11), rows s, not s, Theta


def matrices(sets):
    """S and C of Eqs. (20) and (21), entry by entry."""
    f = len(sets)
    S, C = np.zeros((f, f)), np.zeros((f, f))
    for k in range(f):
        for l in range(f):
            S[k, l] = k == l and len(sets[k]) == 1
            C[k, l] = not (set(sets[k]) & set(sets[l]))
    return S, C


def pair(m, other, sets):
    """The masses on s, not s and Theta of two objects: Eqs. (22a) to (22c)."""
    S, C = matrices(sets)
    same, different = m @ S @ other, m @ C @ other
    return np.array([same, different, 1 - same - different])


def stress(M, target, sets):
    """Eq. (19): `target` (n, n, 3) holds the masses that each pair should have."""
    total = 0.0
    for i in range(len(M)):
        for j in range(i + 1, len(M)):
            d = pair(M[i], M[j], sets) - target[i, j]
            total += d @ J @ d
    return total


def cost_of_row(m, i, M, target, sets):
    """Eq. (23): what row i costs if it is `m`, the others as they are."""
    total = 0.0
    for j in range(len(M)):
        if j != i:
            d = pair(m, M[j], sets) - target[i, j]
            total += d @ J @ d
    return total


def stacked(sets):
    """B of Eq. (25), of shape (3 f, f)."""
    S, C = matrices(sets)
    return np.vstack([S, C, 1 - S - C])


def row_in_matrices(m, i, M, target, sets):
    """Eq. (26), with A_j = I_3 (x) m_j' of Eq. (24)."""
    B, total = stacked(sets), 0.0
    for j in range(len(M)):
        if j != i:
            d = np.kron(np.eye(3), M[j]) @ B @ m - target[i, j]
            total += d @ J @ d
    return total


def quadratic_form(i, M, target, sets):
    """Sigma, u and c_0 of Eqs. (28a) to (28c)."""
    f, B = M.shape[1], stacked(sets)
    middle, linear, constant = np.zeros((3 * f, 3 * f)), np.zeros(3 * f), 0.0
    for j in range(len(M)):
        if j != i:
            A = np.kron(np.eye(3), M[j])
            middle += A.T @ J @ A
            linear += A.T @ J @ target[i, j]
            constant += target[i, j] @ J @ target[i, j]
    return B.T @ middle @ B, -2 * B.T @ linear, constant

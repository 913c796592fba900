"""The programme of one object as the paper writes it, matrix by matrix."""

import numpy as np

from credalbench.belief import FocalSets, RelationalMasses
from credalbench.belief.relational import pair_matrices, relational_block

#: Rows "same", "different", "either" of the Jaccard matrix [li2020_ensemble (11)].
JACCARD = FocalSets.full(2, empty=False).jaccard


def pair_vectors(relation: RelationalMasses) -> np.ndarray:
    """Return the masses on {s}, {not s} and Theta along the last axis: (..., 3)."""
    return np.stack([relation.same, relation.different, relation.ignorance], axis=-1)


def stacked(focal_sets: FocalSets) -> np.ndarray:
    """Return S, C and what is left, one below the other [li2020_ensemble (25)]: (3f, f)."""
    S, C = pair_matrices(focal_sets)
    return np.vstack([S, C, 1 - S - C])


def partner_matrices(masses: np.ndarray) -> np.ndarray:
    """Return A_j of each partner [li2020_ensemble (24)]: (n, f) -> (n, 3, 3f)."""
    return np.array([np.kron(np.eye(3), m) for m in masses])


def row_matrix(masses: np.ndarray, focal_sets: FocalSets) -> np.ndarray:
    """Return sigma of an object with these partners [li2020_ensemble (28a)]: (n, f) -> (f, f)."""
    A, B = partner_matrices(masses), stacked(focal_sets)
    return B.T @ np.einsum("jap,ab,jbq->pq", A, JACCARD, A) @ B


def row_programme(masses: np.ndarray, focal_sets: FocalSets, target: np.ndarray):
    """Return sigma, u and c_0 [li2020_ensemble (28a)] to [li2020_ensemble (28c)].

    Masses of the partners (n, f) and targets of the pairs (n, 3) -> (f, f), (f,), float.
    """
    A, B = partner_matrices(masses), stacked(focal_sets)
    linear = -2 * B.T @ np.einsum("jap,ab,jb->p", A, JACCARD, target)
    constant = float(np.einsum("ja,ab,jb->", target, JACCARD, target))
    return row_matrix(masses, focal_sets), linear, constant


def quadratic(m: np.ndarray, programme) -> float:
    """Return the cost of a row as a quadratic form [li2020_ensemble (27)]."""
    matrix, linear, constant = programme
    return float(m @ matrix @ m + linear @ m + constant)


def row_cost(m: np.ndarray, masses: np.ndarray, focal_sets: FocalSets, target: np.ndarray) -> float:
    """Return the cost of a row, pair by pair [li2020_ensemble (23)], from the masses of the pairs."""
    gaps = pair_vectors(relational_block(m, masses, focal_sets))[0] - target
    return float(np.einsum("ja,ab,jb->", gaps, JACCARD, gaps))


def smallest_eigenvalue(matrix: np.ndarray) -> float:
    """Return the smallest eigenvalue over the largest."""
    values = np.linalg.eigvalsh(matrix)
    return float(values[0] / values[-1])

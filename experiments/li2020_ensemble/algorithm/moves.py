"""What a run of the search has reached, and what small moves away from its end do."""

import numpy as np
import pandas as pd

from credalbench.belief import FocalSets, RelationalMasses
from credalbench.belief.relational import relational, relational_block

from .forms import JACCARD, pair_vectors, quadratic, row_cost, row_programme

STEPS = (1e-3, 1e-2, 1e-1)  # shares of a move towards one focal set


def squares(gaps: np.ndarray) -> np.ndarray:
    """Return d' J d of differences of pairwise masses: (..., 3) -> (...)."""
    return np.maximum(np.einsum("...a,ab,...b->...", gaps, JACCARD, gaps), 0.0)


def moves_of(found, relation: RelationalMasses) -> pd.DataFrame:
    """Return every small move from where a run ended: change of the stress, gain of the index."""
    M, target = found.partition.masses, pair_vectors(relation)
    stress = float(found.objective_trace[-1])
    changes, gains = (
        values.reshape(len(M), len(STEPS), -1)[:, 1].ravel()
        for values in small_moves(M, found.partition.focal_sets, target)
    )
    return pd.DataFrame({"stress_change": changes / stress, "rand_gain": gains})


def run_row(found, relation: RelationalMasses, n_rows: int) -> dict[str, float]:
    """Return where a run ended and how.

    ``rise``: largest rise of a sweep; ``lowest_move``: least change of the stress by a small move of one
    object, relative to the stress; ``rand_gain``: largest gain of the credal Rand index by one.
    ``quadratic_off``: largest difference of the two ways to the cost of a row, over its size.
    """
    M, focal_sets = found.partition.masses, found.partition.focal_sets
    trace, target = found.objective_trace, pair_vectors(relation)
    gaps = pair_vectors(relational(M, focal_sets)) - target
    upper = np.triu_indices(len(M), 1)
    square = squares(gaps)[upper]
    changes, gains = small_moves(M, focal_sets, target)
    return {
        "rise": float(np.diff(trace).max() / trace[0]),
        "stress": float(trace[-1]),
        "credal_rand": float(1 - np.sqrt(square / 2).mean()),
        "lowest_move": float(changes.min() / square.sum()),
        "rand_gain": float(gains.max()),
        "quadratic_off": max(quadratic_off(M, focal_sets, target, i) for i in range(n_rows)),
        "n_iter": len(trace) - 1,
        "converged": found.converged,
    }


def small_moves(M: np.ndarray, focal_sets: FocalSets, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Move every object a little towards every focal set, one at a time.

    Masses (n, f) and targets of pairs (n, n, 3) -> changes of the stress and of the credal Rand index, for
    each object, set and step: two flat arrays.
    """
    n, f = M.shape
    corners = pair_vectors(relational_block(np.eye(f), M, focal_sets))  # (f, n, 3)
    here = pair_vectors(relational_block(M, M, focal_sets))  # (n, n, 3)
    changes, gains = [], []
    for i in range(n):
        others = np.arange(n) != i
        before = (here[i] - target[i])[others]
        for step in STEPS:
            after = before + step * (corners - here[i])[:, others]
            old, new = squares(before), squares(after)
            changes.append((new - old).sum(axis=1))
            lost = np.sqrt(new / 2) - np.sqrt(old / 2)
            gains.append(-lost.sum(axis=1) / (n * (n - 1) / 2))
    return np.concatenate(changes), np.concatenate(gains)


def quadratic_off(M: np.ndarray, focal_sets: FocalSets, target: np.ndarray, i: int) -> float:
    """Return the distance of (27) to (23) for object i, over its size."""
    others = np.arange(len(M)) != i
    programme = row_programme(M[others], focal_sets, target[i][others])
    cost = row_cost(M[i], M[others], focal_sets, target[i][others])
    return abs(quadratic(M[i], programme) - cost) / max(abs(programme[2]), cost)

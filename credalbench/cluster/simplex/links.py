r"""What must-links and cannot-links add to the programme of one object, for compiled sweeps."""

from typing import NamedTuple

import numpy as np

from credalbench.core.kernels import kernel


class Network(NamedTuple):
    """Constraints as the kernels want them: for each object its other ends, and what pairs of sets cost."""

    starts: np.ndarray  # (n + 1,) the ends of object i are ends[starts[i]:starts[i + 1]]
    ends: np.ndarray  # (2 q,)
    must: np.ndarray  # (2 q,) bool: must-link, else cannot-link
    weights: np.ndarray  # (2 q,) certainties
    same: np.ndarray  # (f, f) cost of a cannot-link
    different: np.ndarray  # (f, f) cost of a must-link


class Links(NamedTuple):
    """Constraints and what each cost counts in the programme of a row, :math:`x^T G x - 2 a^T x`.

    Where there are none, kernels get None: they are compiled anew then, without a line about links.
    """

    network: Network
    strength: float


@kernel
def linear_terms(
    i: int, M: np.ndarray, network: tuple, strength: float, partners: np.ndarray, b: np.ndarray
) -> None:
    """Fill `b` (f,) with `strength` times what the constraints of object i cost for each focal set.

    `partners` (2, f) is work space: weighted masses of the objects that i must, and cannot, be with.
    """
    starts, ends, must, weights, same, different = network
    linked, parted = partners[0], partners[1]
    partners[:] = 0.0
    f = M.shape[1]
    for t in range(starts[i], starts[i + 1]):
        j = ends[t]
        if must[t]:
            for k in range(f):
                linked[k] += weights[t] * M[j, k]
        else:
            for k in range(f):
                parted[k] += weights[t] * M[j, k]
    b[:] = 0.0
    for q in range(f):  # both matrices are symmetric; masses are often zero
        if linked[q] > 0.0:
            for k in range(f):
                b[k] += linked[q] * different[q, k]
        if parted[q] > 0.0:
            for k in range(f):
                b[k] += parted[q] * same[q, k]
    for k in range(f):
        b[k] *= strength


@kernel
def is_linked(i: int, links: tuple) -> bool:
    """Return whether object i is in some constraint."""
    starts = links[0][0]
    return starts[i + 1] > starts[i]


@kernel
def charge_links(i: int, M: np.ndarray, links: tuple, work: np.ndarray, a: np.ndarray) -> None:
    """Take half of what the links of object i cost for each set from its linear term `a` (f,).

    `work` (3, f) or larger is work space.
    """
    network, strength = links
    linear_terms(i, M, network, 0.5 * strength, work[:2], work[2])
    a -= work[2]

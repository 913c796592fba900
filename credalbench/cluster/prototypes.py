r"""The prototype step of the ECM family, with every prototype written as weights over the objects.

The prototypes that minimise :math:`\sum_i \sum_A |A|^\alpha m_{iA}^\beta \|x_i - \bar v_A\|^2`, where
:math:`\bar v_A` is the mean of the prototypes of the clusters in A, solve :math:`H V = U X`: each is a
weighted mean of the objects, and the weights :math:`W = H^{-1} U` do not depend on the coordinates. With
attributes :math:`V = W X`; with a Gram matrix, inner products with the prototypes are :math:`W G`.
"""

import numpy as np


def prototype_system(masses, focal_sets, alpha, beta):
    r"""The matrices H and U of the system of the prototypes.

    ``H[k, l]`` sums :math:`|A|^{\alpha-2} m_{iA}^\beta` over the objects and the sets that contain k and l,
    [antoine2012_cecm (A.4)]. ``U[k, i]`` sums :math:`|A|^{\alpha-1} m_{iA}^\beta` over the sets that contain
    k; the right-hand side [antoine2012_cecm (A.3)] is U X.

    (n, f) -> (c, c), (c, n), in O(n f c + f c^2).
    """
    first = int(focal_sets.has_empty)
    S = focal_sets.membership[first:].astype(float)  # (f', c)
    card = focal_sets.cardinality[first:].astype(float)
    powers = masses[:, first:] ** beta
    H = S.T @ ((card ** (alpha - 2) * powers.sum(axis=0))[:, None] * S)
    U = (card ** (alpha - 1) * powers @ S).T
    return H, U


def prototype_weights(masses, focal_sets, alpha, beta):
    """Weights of the objects in each prototype, rows that sum to 1: [antoine2012_cecm (A.5)] for any X.

    (n, f) -> (c, n). A cluster without any mass has no prototype of its own; the minimum-norm solution is
    taken then, and its weights sum to less than 1.
    """
    H, U = prototype_system(masses, focal_sets, alpha, beta)
    scale = np.sqrt(np.diag(H))
    scale[scale == 0] = 1.0  # unit diagonal: a cluster of little mass does not make the system singular
    return np.linalg.lstsq(H / np.outer(scale, scale), U / scale[:, None], rcond=None)[0] / scale[:, None]

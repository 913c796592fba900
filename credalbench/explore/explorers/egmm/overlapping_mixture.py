"""Generated mixtures of given overlap."""

import numpy as np
from scipy.special import ndtri

from credalbench.core.axes import orient_axes
from credalbench.explore.sources.tables import Table, table_from_arrays

#: Ratio of the longer to the shorter axis of a cluster.
ELONGATION = 1.8
#: Distance between classes at which the orientation of the data is determined.
USUAL = 2.5
#: Trials for the position of a mean; there is room around each mean that is not enclosed by others.
TRIALS = 200


def overlapping_mixture(n: int, n_classes: int, overlap: float, draw: int) -> Table:
    r"""Draw Gaussian classes of equal size and covariance, with a given overlap of nearest neighbours.

    The overlap of two classes is the area below both densities, :math:`2 \Phi(-\Delta/2)` for means that
    are :math:`\Delta` Mahalanobis units apart. Every class overlaps its nearest neighbour by that area,
    and no other class by more. Shape and orientation come from the draw; the total spread of the objects is
    always the same, and its main axis is approximately horizontal.

    Parameters
    ----------
    n, n_classes : int
        Object i is of class i modulo n_classes, so that adding objects does not move the others.
    overlap : float
        In (0, 1].
    draw : int
        Non-negative seed. The noise is the same at every overlap, so that objects move smoothly with it.

    Returns
    -------
    Table
    """
    distance = max(-2 * ndtri(overlap / 2), 0.0)
    layout, noise = (np.random.default_rng([draw, stream]) for stream in (0, 1))
    places = _places(n_classes, layout)
    y = np.arange(n) % n_classes
    X = (distance * places[y] + noise.standard_normal((n, 2))) @ _map(places)
    spread = np.trace(_map(places).T @ _covariance(places, distance) @ _map(places)) / 2
    return table_from_arrays(
        "generated mixture",
        X=X / np.sqrt(spread),
        y=y,
        class_names=tuple(f"class {k + 1}" for k in range(n_classes)),
        feature_names=("x1", "x2"),
        n_classes=n_classes,
        note=_note(n_classes, distance),
    )


def _places(c: int, rng: np.random.Generator) -> np.ndarray:
    """Return random points (c, 2) around 0, each at distance 1 from its nearest neighbour."""
    places = [np.zeros(2)]
    for _ in range(TRIALS * c):
        if len(places) == c:
            break
        angle = rng.uniform(0, 2 * np.pi)
        new = places[rng.integers(len(places))] + [np.cos(angle), np.sin(angle)]
        if min(np.linalg.norm(new - place) for place in places) > 1 - 1e-9:  # rounding
            places.append(new)
    return np.array(places) - np.mean(places, axis=0)


def _map(places: np.ndarray) -> np.ndarray:
    """Return the linear map (2, 2) that stretches and rotates round classes; overlaps stay the same.

    Classes are stretched along the first axis; then the data are rotated until the main axis of data with
    classes `USUAL` units apart is horizontal.
    """
    stretch = np.diag([ELONGATION, 1.0])
    variances, axes = np.linalg.eigh(stretch @ _covariance(places, USUAL) @ stretch)
    return stretch @ orient_axes((axes * variances)[:, ::-1], 2) / variances[::-1]


def _covariance(places: np.ndarray, distance: float) -> np.ndarray:
    """Return the total covariance (2, 2) of round classes at a given distance of nearest means."""
    return np.eye(2) + distance**2 * places.T @ places / len(places)


def _note(n_classes: int, distance: float) -> str:
    if n_classes == 1:
        return "One Gaussian class: there is nothing to overlap with."
    return f"Neighbouring classes are {distance:.1f} standard deviations apart."

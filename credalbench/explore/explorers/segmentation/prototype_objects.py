"""Prototypes of an image as objects: their names and nearest neighbours."""

import numpy as np
from matplotlib.colors import to_hex
from sklearn.neighbors import NearestNeighbors

from credalbench.datasets.image_prototypes import ImagePrototypes
from credalbench.explore.scene.scene import Objects
from credalbench.explore.sources.nearest import NEAREST

#: Grey levels run from 0 to this.
FULL_SCALE = 255


def prototype_objects(found: ImagePrototypes) -> Objects:
    """Return names, nearest neighbours and pixels of the prototypes of an image."""
    prototypes = found.prototypes
    near = NearestNeighbors(n_neighbors=min(NEAREST, len(prototypes) - 1)).fit(prototypes)
    return Objects(
        [_name(prototype) for prototype in prototypes],
        near.kneighbors(return_distance=False).astype(np.int32),
        found.nearest,
    )


def _name(prototype: np.ndarray) -> str:
    if len(prototype) == 1:
        return f"grey level {FULL_SCALE * prototype[0]:.4g}"
    return f"colour {to_hex(prototype)}"

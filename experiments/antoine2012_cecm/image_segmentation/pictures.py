"""The pictures of the study: a public MR slice, a phantom, and an image of the user.

The brain image of the paper belongs to a hospital and was never distributed; neither were the coordinates of
the regions that its expert drew. Both pictures here stand in for it, and no result on them counts as
agreement or disagreement with the paper. Region 1 is in the lesion, region 2 outside: tissue and, since ECM
is uncertain there, the ventricles (phantom) or tissue of middle grey (MR slice).
"""

from typing import NamedTuple

import numpy as np

from credalbench.core.arguments import expect
from credalbench.datasets import load, make_brain_phantom
from credalbench.datasets.image_prototypes import read_picture
from credalbench.papers import case_seed

#: Regions 1 and 2 as (top, bottom, left, right) in shares of height and width; ours.
REGIONS = {
    "brain_mr": ((0.16, 0.48, 0.10, 0.36), (0.54, 0.90, 0.60, 0.89)),
    "phantom": ((0.26, 0.46, 0.20, 0.40), (0.40, 0.75, 0.45, 0.80)),
}
#: Every pair of regions that was tried on the MR slice, the one of the figures first: what they say differs.
TRIED_REGIONS = {
    "as drawn": REGIONS["brain_mr"],
    "other tissue": ((0.16, 0.48, 0.10, 0.36), (0.13, 0.64, 0.50, 0.92)),
    "large and mixed": ((0.10, 0.80, 0.04, 0.36), (0.13, 0.90, 0.58, 0.89)),
}
HEADLINES = {"brain_mr": "MR slice (STAND-IN)", "phantom": "phantom (STAND-IN)", "own": "image of your own"}
LONGEST_SIDE = 512  # an image of the user's own is shrunk to this


class Problem(NamedTuple):
    """A picture, the regions on it, and the pixels of the lesion where they are known."""

    image: np.ndarray  # (rows, columns, p) in [0, 1]
    regions: tuple  # two times (top, bottom, left, right)
    lesion: np.ndarray | None  # (rows, columns) bool


def problem(params, name, repetition):
    """Return the `Problem` of a picture; each repetition has a different phantom."""
    if name == "own":
        for sides in (params.region_1, params.region_2):
            expect(len(sides) == 4, "a region as (top, bottom, left, right)", sides)
        image = read_picture(params.image, colour=params.colour, max_side=LONGEST_SIDE)
        return Problem(image, (params.region_1, params.region_2), None)
    if name == "brain_mr":
        data = load("brain_mr")
    else:
        data = make_brain_phantom(case_seed(params.seed, "phantom", repetition))
    lesion = None if data.y is None else (data.y == data.class_names.index("pathology"))
    shape = data.image_shape
    return Problem(
        data.X.reshape(*shape, 1), REGIONS[name], None if lesion is None else lesion.reshape(shape)
    )

"""A drawn brain with a known lesion: the image of Figures 15 to 19 of [antoine2012_cecm] is private.

The paper describes three areas: normal tissue, dark grey; ventricles and cerebrospinal fluid, intermediate;
and the pathology, brightest. The phantom has these and nothing else. Shapes, grey levels, blur and noise are
ours.
"""

import numpy as np
from scipy.ndimage import gaussian_filter

from credalbench.core.arguments import Number, expect, expect_count
from credalbench.datasets.dataset import Dataset

TISSUE, FLUID, LESION = 0.30, 0.55, 0.82  # grey levels
LESION_AT = (0.36, 0.30)  # middle, in shares of height and width
LESION_RADII = (0.19, 0.16)
#: Middle, radii (shares of height and width) and turn (radians) of the two ventricles and of three sulci.
FLUID_ELLIPSES = (
    ((0.54, 0.52), (0.20, 0.045), -0.25),
    ((0.50, 0.68), (0.22, 0.055), 0.30),
    ((0.05, 0.55), (0.10, 0.020), 0.10),
    ((0.88, 0.30), (0.13, 0.018), 0.50),
    ((0.20, 0.93), (0.15, 0.018), -0.60),
)


def make_brain_phantom(
    random_state: int | np.random.SeedSequence | np.random.Generator | None = None,
    *,
    shape: tuple[int, int] = (156, 141),
    noise: float = 0.035,
    blur: float = 0.9,
) -> Dataset:
    """Generate an image of tissue, fluid and a bright lesion, blurred and noisy, with the true lesion.

    Parameters
    ----------
    random_state : None, int, SeedSequence or Generator, default None
        Seed of the noise and of the outline of the lesion.
    shape : (int, int), default (156, 141)
        Rows and columns, those of the paper's image; at least 16 each.
    noise : float, default 0.035
        Standard deviation of the Gaussian noise, in grey levels.
    blur : float, default 0.9
        Standard deviation, in pixels, of the blur that mixes grey levels along outlines (partial volume).

    Returns
    -------
    Dataset
        X (rows * columns, 1) grey levels in [0, 1], pixels row by row; y: 0 "pathology", 1 "rest".

    Raises
    ------
    ValueError
        If a parameter is out of range.

    References
    ----------
    [antoine2012_cecm] Section 5.2.4.

    Examples
    --------
    >>> make_brain_phantom(0, shape=(20, 16)).X.shape
    (320, 1)
    """
    expect(np.shape(shape) == (2,), "shape as (rows, columns)", shape)
    shape = tuple(expect_count(name, size, 16) for name, size in zip(("rows", "columns"), shape))
    noise, blur = (Number(low=0).read(name, value) for name, value in (("noise", noise), ("blur", blur)))
    rng = np.random.default_rng(random_state)
    levels, lesion = _areas(shape, rng)
    image = gaussian_filter(levels, blur, mode="nearest") + noise * rng.standard_normal(shape)
    return Dataset(
        name="brain_phantom",
        X=np.clip(image, 0, 1).reshape(-1, 1),
        y=np.where(lesion, 0, 1).ravel(),
        class_names=("pathology", "rest"),
        feature_names=("grey level",),
        data_type="image",
        image_shape=shape,
        description="Drawn image with the three areas that the paper describes: tissue (dark), ventricles "
        "and fluid (intermediate) and a lesion (bright), blurred and noisy. Shapes and grey levels are ours.",
        citation="none: generated",
        licence="generated",
        source="make_brain_phantom",
        status="substitute",
        substitute_for="the private brain MR image (antoine2012_cecm, Figures 15-19)",
        used_by=("antoine2012_cecm: Figures 15-19 (stand-in with known truth)",),
    )


def _areas(shape: tuple[int, int], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return grey levels before blur and noise, and the pixels of the lesion: two (rows, columns) arrays."""
    y, x = ((np.arange(size) + 0.5) / size for size in shape)
    y, x = np.meshgrid(y, x, indexing="ij")
    levels = np.full(shape, TISSUE)
    for middle, radii, turn in FLUID_ELLIPSES:
        levels[_radius(y, x, middle, radii, turn)[0] < 1] = FLUID
    radius, angle = _radius(y, x, LESION_AT, LESION_RADII, 0.0)
    waves = np.arange(2, 6)
    outline = 1 + sum(
        0.1 / k * rng.standard_normal() * np.cos(k * angle + rng.uniform(0, 2 * np.pi)) for k in waves
    )
    lesion = radius < outline
    levels[lesion] = LESION
    return levels, lesion


def _radius(
    y: np.ndarray, x: np.ndarray, middle: tuple[float, float], radii: tuple[float, float], turn: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the elliptic radius (1 on the ellipse) and the angle of every pixel."""
    down, right = y - middle[0], x - middle[1]
    u = (np.cos(turn) * down + np.sin(turn) * right) / radii[0]
    v = (np.cos(turn) * right - np.sin(turn) * down) / radii[1]
    return np.hypot(u, v), np.arctan2(v, u)

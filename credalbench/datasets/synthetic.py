"""Generators of the synthetic data of the five papers, one for each published recipe.

Each returns a :class:`~credalbench.datasets.dataset.Dataset` with one block of rows for each class. Its
``status`` and ``description`` state what the paper gives and what we assume. If the paper's values are lost,
``substitute_for`` names the data that the generator replaces. No paper states a seed.

``random_state`` is None, an integer, a SeedSequence, a Generator or a RandomState. No generator uses numpy's
global random state. The same seed gives the same bytes.

`make_brain_phantom` draws a brain with a known lesion, since the image of Figures 15 to 19 of
[antoine2012_cecm] is private. The paper describes three areas: normal tissue, dark grey; ventricles and
cerebrospinal fluid, intermediate; and the pathology, brightest. The phantom has only these areas.
"""

from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import gaussian_filter

from credalbench.core.arguments import Count, Number, expect, expect_count
from credalbench.datasets.dataset import Dataset

#: Arguments from which a generator of random numbers can be made.
Seed = int | np.random.SeedSequence | np.random.Generator | np.random.RandomState | None

_generated = partial(Dataset, feature_names=("x1", "x2"), licence="generated")


def _generator(random_state: Seed) -> np.random.Generator:
    """Return a Generator for any accepted kind of ``random_state``."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**32, size=4, dtype=np.uint32))
    return np.random.default_rng(random_state)


def _sizes(n: int, n_groups: int) -> np.ndarray:
    """Return the sizes (n_groups,) of groups of n objects in all, which differ by at most one."""
    n = Count(n_groups).read("n", n)
    return np.full(n_groups, n // n_groups) + (np.arange(n_groups) < n % n_groups)


def _gaussian_groups(
    n: int, means: ArrayLike, covariance: ArrayLike, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw Gaussian groups with one covariance. (g, 2), (2, 2) -> X (n, 2), number of the group (n,)"""
    means = np.asarray(means, dtype=float)
    group = np.repeat(np.arange(len(means)), _sizes(n, len(means)))
    root = np.linalg.cholesky(np.asarray(covariance, dtype=float))
    return means[group] + rng.standard_normal((n, 2)) @ root.T, group


def _student_groups(
    n: int, centers: ArrayLike, df: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw groups of multivariate t vectors with identity scale. (g, 2) -> X (n, 2), group (n,)"""
    expect(df > 0, "positive degrees of freedom", df)
    centers = np.asarray(centers, dtype=float)
    group = np.repeat(np.arange(len(centers)), _sizes(n, len(centers)))
    noise = rng.standard_normal((n, 2))
    if np.isfinite(df):
        # t = z / sqrt(w / df) with one w ~ chi2(df) for each vector
        noise /= np.sqrt(rng.chisquare(df, size=n) / df)[:, None]
    return centers[group] + noise, group


def make_t4(n: int = 200, random_state: Seed = None, *, df: float = 5.0) -> Dataset:
    """Generate four bivariate Student clusters: the simulated data of EVCLUS.

    Parameters
    ----------
    n : int, default 200
        Number of objects, at least 4; n/4 in each cluster (sizes differ by at most one). The paper uses 200,
        100 to 600, 2000, 10000 and 1000 to 5000.
    random_state : None, int, SeedSequence, Generator or RandomState, default None
        Seed.
    df : float, default 5
        Degrees of freedom; ``inf`` gives Gaussian clusters.

    Returns
    -------
    Dataset
        X (n, 2), y (n,) with the centres (0, 0), (0, 5), (5, 0), (5, 5).

    Notes
    -----
    Centres, degrees of freedom and sizes are the paper's. It states no scale matrix; we assume the identity.
    The authors' related set ``fourclass`` fits it, with standard deviations of 1.16 to 1.41 where sqrt(5/3) =
    1.29 is expected.

    References
    ----------
    [denoeux2016_evclus] Section 3.2, Experiment 2, Figures 8 to 19.

    Examples
    --------
    >>> make_t4(200, random_state=1).class_counts
    {'(0, 0)': 50, '(0, 5)': 50, '(5, 0)': 50, '(5, 5)': 50}
    """
    centers = (0, 0), (0, 5), (5, 0), (5, 5)
    X, y = _student_groups(n, centers, df, _generator(random_state))
    return _generated(
        name="t4",
        X=X,
        y=y,
        class_names=tuple(map(str, centers)),
        description=f"Four clusters of bivariate t vectors, {df:g} degrees of freedom, centred at (0, 0), "
        "(0, 5), (5, 0) and (5, 5). Given in the paper except the scale matrix, assumed to be the identity.",
        citation="Denoeux T., Sriboonchitta S., Kanjanatarakul O. (2016), Evidential clustering of large "
        "dissimilarity data",
        source="make_t4",
        used_by=("denoeux2016_evclus: Figures 8-19",),
    )


def make_fourclass(n: int = 400, random_state: Seed = None, *, df: float = 5.0) -> Dataset:
    """Generate four bivariate Student clusters, closer than in :func:`make_t4`: new draws of ``fourclass``.

    Parameters
    ----------
    n : int, default 400
        Number of objects, at least 4; n/4 in each class.
    random_state : None, int, SeedSequence, Generator or RandomState, default None
        Seed.
    df : float, default 5
        Degrees of freedom; ``inf`` gives the Gaussian clusters of the paper's text.

    Returns
    -------
    Dataset
        X (n, 2), y (n,) with the centres (0, 0), (0, 4), (4, 0), (4, 4).

    Notes
    -----
    The paper says Gaussian and states no parameters; the recipe is in the documentation of the R package
    evclust, whose set ``fourclass`` looks like the paper's figure, outlier included. We assume the identity
    as the scale. Use ``load("fourclass")`` to reproduce the figure.

    References
    ----------
    [li2020_ensemble] "Effect of different combination rules", Figure 1.

    Examples
    --------
    >>> make_fourclass(8, random_state=0).y
    array([0, 0, 1, 1, 2, 2, 3, 3])
    """
    centers = (0, 0), (0, 4), (4, 0), (4, 4)
    X, y = _student_groups(n, centers, df, _generator(random_state))
    return _generated(
        name="fourclass_draw",
        X=X,
        y=y,
        class_names=tuple(map(str, centers)),
        description=f"Four overlapping clusters of bivariate t vectors, {df:g} degrees of freedom, centred "
        "at (0, 0), (0, 4), (4, 0) and (4, 4): the recipe in the documentation of the R package evclust "
        "(the paper says Gaussian). Identity scale assumed.",
        citation="R package evclust, T. Denoeux; Masson M.-H., Denoeux T. (2008), Pattern Recognition "
        "41:1384-1397",
        source="make_fourclass",
        status="rebuilt",
        used_by=("li2020_ensemble: Figure 1 (the set itself is the file fourclass)",),
    )


def make_two_class_cecm(n: int = 400, random_state: Seed = None) -> Dataset:
    """Generate two classes of two Gaussians each, which can be separated only by side information.

    Parameters
    ----------
    n : int, default 400
        Number of objects, at least 4; n/4 from each Gaussian.
    random_state : None, int, SeedSequence, Generator or RandomState, default None
        Seed.

    Returns
    -------
    Dataset
        X (n, 2) and y (n,): class 0 has means (0, 0) and (0, 7), class 1 has means (7, 0) and (7, 7); the
        covariance is 2I.

    Notes
    -----
    All values are the paper's. We read "200 points were drawn from each" as 200 for each class, the only
    reading that gives the n = 400 of Table 4.

    References
    ----------
    [antoine2012_cecm] Section 5.1, Table 4, Figures 1 and 3 to 5, Table 9.

    Examples
    --------
    >>> make_two_class_cecm(8, random_state=0).y
    array([0, 0, 0, 0, 1, 1, 1, 1])
    """
    X, group = _gaussian_groups(n, ((0, 0), (0, 7), (7, 0), (7, 7)), 2 * np.eye(2), _generator(random_state))
    return _generated(
        name="two_class_cecm",
        X=X,
        y=group // 2,
        class_names=("(0, 0) or (0, 7)", "(7, 0) or (7, 7)"),
        description="Two classes, each an equal mixture of two Gaussians with covariance 2I: means (0, 0) "
        "and (0, 7), means (7, 0) and (7, 7). Given in the paper.",
        citation="Antoine V., Quost B., Masson M.-H., Denoeux T. (2012), CECM: constrained evidential "
        "c-means",
        source="make_two_class_cecm",
        used_by=("antoine2012_cecm: Table 4, Figures 1, 3-5, Table 9",),
    )


def make_half_rings(
    n: int = 400, random_state: Seed = None, *, radius: float = 5.0, noise: float = 1.0
) -> Dataset:
    """Generate two interlocked arcs with Gaussian noise: a substitute for Half-rings.

    Parameters
    ----------
    n : int, default 400
        Number of objects, at least 2; n/2 on each arc.
    random_state : None, int, SeedSequence, Generator or RandomState, default None
        Seed.
    radius : float, default 5
        Radius r of the arcs.
    noise : float, default 1
        Standard deviation of the noise on both coordinates.

    Returns
    -------
    Dataset
        X (n, 2), y (n,). Points (r sin t, r cos t) with t uniform on an arc of 1.25 pi: from pi/8 for class
        0, from -7 pi/8 for class 1, which is then shifted by -0.75 r in both coordinates.

    Notes
    -----
    The paper states neither n nor a generator nor a file. This is the generator of a set of two banana shapes
    in the documentation of the R package evclust, whose author is the paper's first; n, radius and noise of
    the figure are unknown. Another substitute is ``load("jain")``.

    References
    ----------
    [li2020_ensemble] "Effect of transitive closure with different t-norms", Figure 2.

    Examples
    --------
    >>> make_half_rings(6, random_state=0).X.shape
    (6, 2)
    """
    radius = Number(above=0).read("radius", radius)
    noise = Number(low=0).read("noise", noise)
    rng = _generator(random_state)
    y = np.repeat([0, 1], _sizes(n, 2))
    angle = np.array([1, -7])[y] * np.pi / 8 + rng.uniform(0, 1.25 * np.pi, size=n)
    X = radius * np.column_stack([np.sin(angle), np.cos(angle)]) - 0.75 * radius * y[:, None]
    return _generated(
        name="half_rings",
        X=X + noise * rng.standard_normal((n, 2)),
        y=y,
        class_names=("first arc", "second arc"),
        description=f"Two interlocked arcs of radius {radius:g} with Gaussian noise of standard deviation "
        f"{noise:g}. The generator of the paper is not stated; this one follows the documentation of the R "
        "package evclust.",
        citation="Li F., Li S., Denoeux T. (2020), Combining clusterings in the belief function framework",
        source="make_half_rings",
        status="substitute",
        substitute_for="Half-rings (li2020_ensemble, Figure 2): n, generator and file are not stated",
        used_by=("li2020_ensemble: Figure 2",),
    )


def make_egmm_two_class(n: int = 800, random_state: Seed = None) -> Dataset:
    """Generate two long oblique Gaussian classes: a calibrated substitute for the Two-class set of EGMM.

    Parameters
    ----------
    n : int, default 800
        Number of objects, at least 2; n/2 in each class.
    random_state : None, int, SeedSequence, Generator or RandomState, default None
        Seed.

    Returns
    -------
    Dataset
        X (n, 2), y (n,): means (-1.6, 1.6) and (1.6, -1.6), covariance [[4.2, 3.7], [3.7, 4.2]].

    Notes
    -----
    The paper states two classes of 400 points with one covariance; the means and the covariance are lost.
    With our values the EBIC of EGMM is near the printed one at c = 2, 3, 4, EGMM recovers the classes and ECM
    does not. The data do not reproduce the amount of ambiguity that the paper describes. Never take results
    on them for the paper's.

    References
    ----------
    [jiao2022_egmm] Section 4.1.2, Table 3, Figure 4.

    Examples
    --------
    >>> make_egmm_two_class(4, random_state=0).y
    array([0, 0, 1, 1])
    """
    means, covariance = ((-1.6, 1.6), (1.6, -1.6)), ((4.2, 3.7), (3.7, 4.2))
    X, y = _gaussian_groups(n, means, covariance, _generator(random_state))
    return _generated(
        name="egmm_two_class",
        X=X,
        y=y,
        class_names=("upper left", "lower right"),
        description="Two long oblique Gaussian classes with one covariance. The paper's means and "
        "covariance are lost; these are tuned to its printed index values.",
        citation="Jiao L. et al. (2022), an evidential version of the Gaussian mixture model",
        source="make_egmm_two_class",
        status="calibrated substitute",
        substitute_for="Two-class data (jiao2022_egmm, Table 3 and Figure 4): means and covariance are lost",
        used_by=("jiao2022_egmm: Table 3, Figure 4",),
    )


def make_egmm_four_class(n: int = 800, random_state: Seed = None) -> Dataset:
    """Generate four Gaussian classes on a square: a calibrated substitute for the Four-class set of EGMM.

    Parameters
    ----------
    n : int, default 800
        Number of objects, at least 4; n/4 in each class.
    random_state : None, int, SeedSequence, Generator or RandomState, default None
        Seed.

    Returns
    -------
    Dataset
        X (n, 2), y (n,): means (-2, -2), (-2, 2), (2, -2), (2, 2), covariance 1.75 I.

    Notes
    -----
    The paper states four classes of 200 points with one covariance; the means and the covariance are lost. A
    square of side 4 with covariance 1.75 I gives an EBIC near the printed one at c = 2, 3, 4; so do other
    values of similar overlap, and the real ones need not be spherical.

    References
    ----------
    [jiao2022_egmm] Section 4.1.3, Table 4, Figure 5.

    Examples
    --------
    >>> make_egmm_four_class(4, random_state=0).y
    array([0, 1, 2, 3])
    """
    means = ((-2, -2), (-2, 2), (2, -2), (2, 2))
    X, y = _gaussian_groups(n, means, 1.75 * np.eye(2), _generator(random_state))
    return _generated(
        name="egmm_four_class",
        X=X,
        y=y,
        class_names=tuple(map(str, means)),
        description="Four Gaussian classes at the corners of a square of side 4, covariance 1.75 I. The "
        "paper's means and covariance are lost; these are tuned to its printed index values.",
        citation="Jiao L. et al. (2022), an evidential version of the Gaussian mixture model",
        source="make_egmm_four_class",
        status="calibrated substitute",
        substitute_for="Four-class data (jiao2022_egmm, Table 4 and Figure 5): means and covariance are lost",
        used_by=("jiao2022_egmm: Table 4, Figure 5",),
    )


# The brain phantom: shapes, grey levels, blur and noise are ours.
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


GENERATORS = {
    make.__name__: make
    for make in (
        make_t4,
        make_fourclass,
        make_two_class_cecm,
        make_half_rings,
        make_egmm_two_class,
        make_egmm_four_class,
    )
}

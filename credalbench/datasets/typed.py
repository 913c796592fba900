"""Small data sets typed in from the papers, which need no file and no network."""

from functools import partial

import numpy as np

from credalbench.datasets.dataset import Dataset

# Two wings of five points, symmetric about object 6, on a grid of unit 1. Butterfly and Diamond are scalings.
_GRID = ((-3, 0), (-2, 1), (-2, 0), (-2, -1), (-1, 0), (0, 0), (1, 0), (2, -1), (2, 0), (2, 1), (3, 0))
_ATTRIBUTES = ("x1", "x2")
_IN_EVCLUST = "a published example; the same numbers are in the R package evclust (GPL-3)"

_two_clusters = partial(Dataset, expected_clusters=2)


def butterfly() -> Dataset:
    """Return Butterfly with its outlier: 12 objects, two clusters.

    The paper only draws the points. These are the coordinates in the R package evclust, in its order: objects
    1 to 11 are the wings with object 6 in the middle, object 12 at (10, 10) is the outlier.

    References
    ----------
    [denoeux2016_evclus] Figures 1 to 4.
    """
    return _two_clusters(
        name="butterfly",
        X=np.vstack([_butterfly_wings(), [(10.0, 10.0)]]),
        feature_names=_ATTRIBUTES,
        description="Two wings of points that meet in object 6, and one outlier, object 12. The paper draws "
        "the points; the coordinates are those of the R package evclust.",
        citation="Windham M.P. (1985), J. Classification 2:157-172, with one added outlier",
        licence=_IN_EVCLUST,
        source="typed in; equal to the file of butterfly_evclust",
        used_by=("denoeux2016_evclus: Figures 1-4",),
    )


def butterfly_without_outlier() -> Dataset:
    """Return the two wings of Butterfly: 11 objects, two clusters."""
    return _two_clusters(
        name="butterfly_without_outlier",
        X=_butterfly_wings(),
        feature_names=_ATTRIBUTES,
        description="Objects 1 to 11 of butterfly: two wings of points that meet in object 6.",
        citation="Windham M.P. (1985), J. Classification 2:157-172",
        licence=_IN_EVCLUST,
        source="typed in; the first 11 rows of butterfly_evclust",
    )


def _butterfly_wings() -> np.ndarray:
    """Return coordinates (11, 2) as evclust rounds them: 0, 1.67, 3.34 and 5 for 0, 1, 2 and 3 units."""
    grid = np.array(_GRID, dtype=float)
    return np.sign(grid) * np.array([0.0, 1.67, 3.34, 5.0])[np.abs(grid).astype(int)]


def egmm_diamond() -> Dataset:
    """Return Diamond: 11 objects, two clusters; rebuilt.

    The coordinates are lost with the paper's figure. On the grid of Butterfly with unit 2 the fitted EBIC is
    -55.9 at c = 2 and -63.1 at c = 3, the printed values without their minus signs. These values determine
    the product of the scales of the two axes, not each scale.

    References
    ----------
    [jiao2022_egmm] Section 4.1.1, Table 2, Figures 1 to 3.
    """
    return _two_clusters(
        name="egmm_diamond",
        X=2.0 * np.array(_GRID, dtype=float),
        feature_names=_ATTRIBUTES,
        description="Two wings of points that meet in object 6. Coordinates rebuilt: the grid of butterfly "
        "with unit 2, which gives the printed index values at two and three clusters (their minus signs are "
        "lost). The values fix only the product of the two axis scales.",
        citation="Jiao L. et al. (2022), an evidential version of the Gaussian mixture model",
        licence="a published example",
        source="typed in; rebuilt from printed index values",
        status="rebuilt",
        used_by=("jiao2022_egmm: Table 2, Figures 1-3",),
    )


# Cat-diamond. From the paper: 2, 3, 4 share attribute 1; 8, 9, 10 share attribute 1; 1, 2, 5, 6, 7, 8, 11
# share attribute 2; the figure shows attribute 2 of 6, 8, 11 (b), 9 (a), 10 (c) and 13 (f). Unique from
# there, up to the names of the categories: 1 to 11 except for the exchange of attribute 2 between 3 and 4.
# Assumed: attribute 2 of 12 (d, could be e), attribute 1 of 12 and 13 (h and i, could be exchanged). That
# neither shares a value with another object follows from the text ("far from" all others).
_CAT_DIAMOND = ("ab", "bb", "ba", "bc", "cb", "db", "eb", "fb", "fa", "fc", "gb", "hd", "if")
_CAT_DIAMOND_LEVELS = (tuple("abcdefghi"), tuple("abcdef"))


def cat_diamond() -> Dataset:
    """Return Cat-diamond: 13 objects, two categorical attributes with nine and six values; rebuilt.

    Table I of the paper prints 12 objects; text and figure have 13. The categories have no order; only
    equality of values matters.

    References
    ----------
    [djiberou2019_catecm] Table I, Figures 1 and 2.
    """
    codes = [[_CAT_DIAMOND_LEVELS[j].index(value) for j, value in enumerate(row)] for row in _CAT_DIAMOND]
    return _two_clusters(
        name="cat_diamond",
        X=codes,
        feature_names=("attribute 1", "attribute 2"),
        categories=_CAT_DIAMOND_LEVELS,
        data_type="categorical",
        description="A categorical relative of butterfly; objects 12 and 13 are far from all others. "
        "Rebuilt: values of objects 1 to 11 follow from text and figure up to the names of the categories "
        "and the exchange of objects 3 and 4; attribute 2 of object 12 and attribute 1 of objects 12 and 13 "
        "are assumed, as values that no other object has. Table I prints 12 objects; text and figure have "
        "13.",
        citation="Djiberou Mahamadou A.J. et al. (2019), Evidential clustering for categorical data",
        licence="a published example",
        source="typed in; rebuilt from text and figure",
        status="rebuilt",
        used_by=("djiberou2019_catecm: Table I, Figures 1-2",),
    )


TYPED = {
    "butterfly": butterfly,
    "butterfly_without_outlier": butterfly_without_outlier,
    "egmm_diamond": egmm_diamond,
    "cat_diamond": cat_diamond,
}

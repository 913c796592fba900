"""What these studies chose because of what [jiao2022_egmm] prints."""

from credalbench.papers import Choice

RIDGE = Choice(
    "the Gaussian mixtures have the ridge 0.01 of the EGMM program, since without it Seeds falls into more "
    "clusters than are printed",
    among="no ridge; the 0.01 of the authors' EGMM program",
    evidence="Table 8: numbers of clusters of both Gaussian mixtures on Seeds, 2.0 and 3.1",
)
CARDINALITY = Choice(
    "alpha = 2 in ECM, since with 1 its partition of Iris is not the printed one",
    among="alpha = 1 and 2",
    evidence="Table 6: ECM on Iris",
)
START = Choice(
    "ECM has sets of at most two clusters and the frame, and starts from fuzzy c-means, since with all sets "
    "and a start from k-means it finds three clusters in Seeds",
    among="sets: all, and those; starts: k-means, the best of ten, fuzzy c-means, random objects",
    evidence="Table 8: ECM finds 5.4 clusters in Seeds",
)
MOVES = Choice(
    "k-means of HCM ends with moves of single objects, since without them its NMI on Iris is lower",
    among="with and without them; seeds by k-means++ and at random",
    evidence="Table 6: NMI of HCM on Iris",
)
SMALL_RIDGE = Choice(
    "on Knowledge EGMM has a ridge of 1e-4, not the 0.01 of its program, with which it finds two clusters "
    "(erratum E5)",
    among="ridges of 0.01, 1e-3, 1e-4 and none",
    evidence="Table 7: EGMM finds 3.8 clusters",
)
STANDARDISED = Choice(
    "on Vehicle bootGMM has standardised attributes, since with raw ones it finds four clusters",
    among="raw and standardised attributes, and attributes between 0 and 1",
    evidence="Table 9: bootGMM finds 6 clusters, and their NMI and ARI",
)
READING = Choice(
    "with c unknown, NMI and ARI are read as those of all runs with the mean number of clusters, rounded",
    among="that, and each run with the number that it finds",
    evidence="Tables 6 to 10: where the mean rounds to the true number, they are those with c known",
)
UNIT = Choice(
    "the unit of the rebuilt coordinates was chosen so that EBIC is the printed one at c = 2",
    among="all units: EBIC moves with their logarithm",
    evidence="Table 2: EBIC at c = 2",
)
CALIBRATED = Choice(
    "means and covariance were chosen so that EBIC is near the printed values at c = 2, 3 and 4",
    among="means and covariances of the kind that the text describes",
    evidence="Tables 3 and 4: EBIC at c = 2, 3 and 4",
)
#: Algorithm -> the choices that its cells and comparisons with it rest on; those of one data set.
OF_METHOD = {"hcm": (MOVES,), "ecm": (CARDINALITY, START), "gmm": (RIDGE,), "gmm_shared": (RIDGE,)}
OF_CELLS = {("knowledge", "egmm"): (SMALL_RIDGE,), ("vehicle", "bootgmm"): (STANDARDISED,)}


def of_cells(dataset: str, method: str, unknown: bool) -> tuple[Choice, ...]:
    """Return the choices that cells of an algorithm on a data set rest on.

    bootGMM finds one number of clusters in all runs: how several are read does not matter.
    """
    own = OF_CELLS.get((dataset, method), OF_METHOD.get(method, ()))
    return own + (READING,) * (unknown and method != "bootgmm")


def of_comparison(*methods: str, unknown: bool = False) -> tuple[Choice, ...]:
    """Return the choices behind a comparison of EGMM with other algorithms on all data sets."""
    own = [choice for method in methods for choice in OF_METHOD.get(method, ())]
    own += [STANDARDISED] * ("bootgmm" in methods) + [SMALL_RIDGE] + [READING] * unknown
    return tuple(dict.fromkeys(own))

"""Tables with their distances and a map, from data sets, from recipes such as ``t4:400``, and from arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import make_circles
from sklearn.neighbors import NearestNeighbors

from credalbench.cluster.inputs.dissimilarities import as_dissimilarities
from credalbench.core.arguments import Count, expect
from credalbench.core.checks import standardized
from credalbench.datasets import (
    Dataset,
    list_datasets,
    load,
    make_egmm_four_class,
    make_egmm_two_class,
    make_half_rings,
    make_t4,
    make_two_class_cecm,
)
from credalbench.explore.sources import MAX_COMPARED, MAX_OBJECTS
from credalbench.plots.object_maps import classical_scaling, map_of_attributes

# -- generated data sets, with their numbers in the name -----------------------------------------------


#: Draws of recipes, by the start of the name: words, the default number of objects, the function.
DRAWS = {
    "t4": ("four t distributions", 400, make_t4),
    "two_class": ("two classes", 400, make_two_class_cecm),
    "egmm_two_class": ("two long classes", 800, make_egmm_two_class),
    "egmm_four_class": ("four classes of EGMM", 800, make_egmm_four_class),
    "half_rings": ("two half-rings", 300, make_half_rings),
}
#: Other generated data sets; the name of the first one is followed by objects and tenths.
TEMPLATES = {
    "overlapping": "two groups, a slider for their distance",
    "bridge": "two groups and a bridge",
    "far_away": "two groups and an outlier",
    "rings": "two rings",
}
GENERATED = {*DRAWS, *TEMPLATES}
#: The listed data sets; in draw 2 of the two classes, the best partition of ECM is wrong.
LISTED = ("t4:200", "t4:400", "t4:1000", "two_class:400:2", "two_class:400:0", "two_class:200:2")
LISTED += ("egmm_two_class", "egmm_four_class", "half_rings:300", "overlapping:200:30", "bridge", "far_away")
LISTED += ("rings",)
#: Words for data sets whose names say too little.
READABLE = {
    "butterfly_evclust": "butterfly of the package evclust",
    "protein_rdata": "proteins, file of R",
    "protein": "proteins",
    "iris_uci": "iris, file of UCI",
    "wine_uci": "wine, file of UCI",
    "letters_ijl": "letters I, J and L",
    "egmm_diamond": "diamond of EGMM",
    "cat_diamond": "diamond of cat-ECM",
    "soybean_small": "soybeans",
    "fourclass": "four classes",
    "breast_cancer_wisconsin": "breast cancer, Wisconsin",
    "mfeat_pix": "handwritten digits, pixels",
    "mfeat_pix_distortion": "handwritten digits, distortions",
    "digits_distortion": "digits, distortions",
    "libras": "Libras movements",
    "libras_warping": "Libras movements, time warping",
    "zongker": "digits of Zongker",
    "delft_gestures": "gestures of Delft",
    "ecoli": "E. coli proteins",
    "r15": "R15",
    "s2": "S2",
}
#: Largest distance of the means of two groups, in tenths of a standard deviation.
MAX_TENTHS = 1000


def label_of(name: str) -> str:
    """Return the words for a generated data set in a list."""
    recipe, *numbers = name.split(":")
    if recipe not in DRAWS:
        return TEMPLATES.get(recipe, name)
    n, draw = (*numbers, "", "")[:2]
    return DRAWS[recipe][0] + f", n = {n}" * bool(n) + f", draw {draw}" * bool(draw)


def generated(name: str) -> tuple[Dataset, str]:
    """Return a generated data set, and its title.

    Raises
    ------
    ValueError
        If the numbers after the colons of the name are missing or not valid.
    """
    recipe, *numbers = name.split(":")
    if recipe in DRAWS:
        words, usual, make = DRAWS[recipe]
        if len(numbers) > 2 or not all(number.isdecimal() for number in numbers):
            raise ValueError(f"expected objects and draw after colons, as in '{recipe}:400:2'; got {name!r}")
        n, draw = *map(int, numbers), *(usual, 0)[len(numbers) :]
        Count(0, MAX_OBJECTS).read("number of objects", n)  # before they are drawn
        return make(n, random_state=draw), words + f", draw {draw}" * (recipe != "t4")
    if recipe == "overlapping":
        if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
            raise ValueError(f"expected objects and tenths, as in 'overlapping:200:30'; got {name!r}")
        n, tenths = map(int, numbers)
        Count(0, MAX_OBJECTS).read("number of objects", n)
        expect(tenths <= MAX_TENTHS, f"at most {MAX_TENTHS} tenths between the means", tenths)
        (X, y), title = _two_groups(n, tenths / 10), f"two groups {tenths / 10:g} apart"
    elif recipe == "rings":
        (X, y), title = make_circles(200, factor=0.4, noise=0.05, random_state=0), TEMPLATES[recipe]
        X = 4.0 * X
    else:
        (X, y), title = _two_groups(120, 8.0), TEMPLATES[recipe]
        way = np.column_stack([np.linspace(-2.4, 2.4, 9), np.zeros(9)])  # each in the class of its side
        more = way if recipe == "bridge" else np.array([[0.0, 14.0]])  # equally far from both
        X, y = np.vstack([X, more]), np.append(y, (more[:, 0] > 0).astype(int))
    return Dataset(name=name, X=X, y=y, class_names=("1", "2"), feature_names=("x1", "x2")), title


def _two_groups(n: int, distance: float) -> tuple[np.ndarray, np.ndarray]:
    """Return objects (n, 2) of two normal distributions with unit covariance, and their classes (n,)."""
    y = np.repeat([0, 1], [n - n // 2, n // 2])
    X = np.random.default_rng(0).normal(size=(n, 2))  # the same at every distance
    X[:, 0] += np.where(y, distance / 2, -distance / 2)
    return X, y


# -- tables --------------------------------------------------------------------------------------------


#: Largest number of pairs in the Shepard diagram.
MAX_SHOWN_PAIRS = 30_000
#: Largest number of pairs for quantiles.
MAX_PAIRS = 10**6
#: Size of a block of differences between objects.
BLOCK = 10**6
#: Number of nearest objects shown.
NEAREST = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class MappedObjects:
    """Objects with a map, ready to be explored.

    Attributes
    ----------
    name : str
    positions : ndarray of shape (n, 2)
        The map.
    axis_labels : tuple of two str
    y : ndarray of int, shape (n,), or None
        True classes.
    class_names : tuple of str
    n_classes : int
        Number of classes, or expected number of clusters; by default that of `y`, and 2 if it is unknown.
    note : str
        Information about the data for the user, in one sentence.
    text : str, or None
        The file that the data were read from.
    object_names : tuple of n str
        Empty if objects are identified by their rows.
    """

    name: str
    positions: np.ndarray
    axis_labels: tuple[str, str]
    y: np.ndarray | None = None
    class_names: tuple[str, ...] = ()
    n_classes: int | None = None
    note: str = ""
    text: str | None = None
    object_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.n_classes is None:
            object.__setattr__(self, "n_classes", 2 if self.y is None else int(np.max(self.y)) + 1)

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return len(self.positions)


@dataclass(frozen=True, eq=False, kw_only=True)
class Table(MappedObjects):
    """A data set of attributes, or of dissimilarities.

    The map shows the attributes themselves, two principal components, or classical scaling.

    Attributes
    ----------
    attributes : ndarray of shape (n, p), or None
        If given, the dissimilarities are their Euclidean distances.
    dissimilarities : ndarray of shape (n, n), or None
        Given dissimilarities, if there are no attributes.
    """

    attributes: np.ndarray | None = None
    dissimilarities: np.ndarray | None = None

    @cached_property
    def D(self) -> np.ndarray:
        """Dissimilarities of all pairs, (n, n)."""
        return squareform(pdist(self.attributes)) if self.dissimilarities is None else self.dissimilarities

    @property
    def compared(self) -> np.ndarray:
        """The data by which objects are compared: attributes (n, p), or else dissimilarities (n, n)."""
        return self.dissimilarities if self.attributes is None else self.attributes

    def distances(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return the dissimilarities of m pairs of objects, (m,), without computing others."""
        if self.dissimilarities is not None:
            return self.dissimilarities[rows, columns]
        X = self.attributes
        blocks = np.array_split(np.arange(len(rows)), 1 + len(rows) * X.shape[1] // BLOCK)
        return np.concatenate([np.linalg.norm(X[rows[m]] - X[columns[m]], axis=1) for m in blocks])

    @cached_property
    def _projection(self) -> np.ndarray:
        """The linear part of the map, (p, 2), recovered from the objects: exact on their affine hull."""
        X, middle = self.attributes, self.positions.mean(axis=0)
        return np.linalg.lstsq(X - X.mean(axis=0), self.positions - middle, rcond=None)[0]

    def on_the_map(self, points: np.ndarray) -> np.ndarray:
        """Return the positions (m, 2) on the map of points (m, p) in attribute space."""
        return (points - self.attributes.mean(axis=0)) @ self._projection + self.positions.mean(axis=0)

    def moved_to(self, point: np.ndarray, place: ArrayLike) -> np.ndarray:
        """Return the point (p,) nearest to `point` (p,) whose map position is `place` (2,)."""
        shift = np.asarray(place) - self.on_the_map(point[None])[0]
        return point + shift @ np.linalg.pinv(self._projection)

    @cached_property
    def nearest(self) -> np.ndarray:
        """The nearest other objects of each object, nearest first: (n, 3), or fewer."""
        if self.dissimilarities is not None:
            return nearest_objects(self.dissimilarities, "precomputed")
        return nearest_objects(self.attributes)

    @cached_property
    def sorted_distances(self) -> np.ndarray:
        """Dissimilarities of all pairs, or of a sample of `MAX_PAIRS`, in increasing order: (m,)."""
        return np.sort(self.distances(*some_pairs(self.n_objects, MAX_PAIRS)))

    @cached_property
    def shown_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """The pairs i < j that a Shepard diagram shows: all, or a fixed sample; two arrays (m,)."""
        return some_pairs(self.n_objects, MAX_SHOWN_PAIRS)

    @cached_property
    def shown_distances(self) -> np.ndarray:
        """Dissimilarities of the pairs that are shown, (m,)."""
        return self.distances(*self.shown_pairs)

    def distance_at(self, quantile: float) -> float:
        """Return the quantile of the `sorted_distances`, interpolated linearly."""
        place = np.clip(quantile, 0, 1) * (len(self.sorted_distances) - 1)
        low = int(place)
        high = min(low + 1, len(self.sorted_distances) - 1)
        share = place - low
        return float((1 - share) * self.sorted_distances[low] + share * self.sorted_distances[high])

    def quantile_of(self, distance: float) -> float:
        """Return the quantile at which a dissimilarity lies, in [0, 1]; the inverse of `distance_at`."""
        d = self.sorted_distances
        low, high = np.searchsorted(d, distance, "left"), np.searchsorted(d, distance, "right")
        if high > low:  # if present, the middle of its ties
            place = 0.5 * (low + high - 1)
        elif low == 0 or low == len(d):
            return 0.0 if low == 0 else 1.0
        else:
            place = low - 1 + (distance - d[low - 1]) / (d[low] - d[low - 1])
        return float(place / max(len(d) - 1, 1))


def listed_datasets(data_types: Sequence[str]) -> dict[str, str]:
    """Return the labels of the data sets of some types, by name; labels mention downloads."""
    table = list_datasets()
    most = np.where(table["data_type"] == "dissimilarities", MAX_COMPARED, MAX_OBJECTS)
    fitting = table[
        table["data_type"].isin(data_types) & (table["n"] <= most) & (table["kind"] != "generator")
    ]
    labels = {}
    for name, kind, available in zip(fitting["name"], fitting["kind"], fitting["available"]):
        words = READABLE.get(name, name.replace("_", " "))
        labels[name] = words if kind != "file" or bool(available) else f"{words} (download)"
    return labels


def table_from_name(name: str) -> Table:
    """Load or generate a data set by its name.

    Raises
    ------
    ValueError, KeyError, credalbench.datasets.DataUnavailable
        If there is no such data set, or if it is not available or not supported.
    """
    if name.partition(":")[0] in GENERATED:
        return table_from_dataset(*generated(name))
    return table_from_dataset(load(name), name)


def table_from_dataset(dataset: Dataset, name: str | None = None) -> Table:
    """Prepare a `credalbench.datasets.Dataset`."""
    name = name or dataset.name
    if dataset.X is None and dataset.D is None:
        raise ValueError(f"{name} has neither attributes nor dissimilarities")
    about = {"y": dataset.y, "class_names": dataset.class_names, "n_classes": dataset.n_clusters}
    about["note"] = stand_in_note(dataset)
    if dataset.D is not None:
        return table_from_arrays(name, D=dataset.D, **about)
    return table_from_arrays(name, X=dataset.X, feature_names=dataset.feature_names, **about)


def stand_in_note(dataset: Dataset) -> str:
    """Return the note about a data set."""
    return f"Stand-in data for {dataset.substitute_for}." if dataset.substitute_for else ""


def table_from_arrays(
    name: str,
    X: ArrayLike | None = None,
    D: ArrayLike | None = None,
    *,
    feature_names: Sequence[str] = (),
    **about: object,
) -> Table:
    """Prepare attributes (n, p) or dissimilarities (n, n); `about` are further attributes of the `Table`.

    Raises
    ------
    ValueError
        If there are fewer than 3 or more than `MAX_OBJECTS` objects (`MAX_COMPARED` with D), if values
        are not finite, if D is not symmetric, non-negative and zero on the diagonal, or if all objects
        coincide.
    """
    A = np.asarray(X if D is None else D, dtype=float)
    if A.ndim != 2:
        raise ValueError(f"{name}: expected a table with rows and columns; got shape {A.shape}")
    most, what = (MAX_OBJECTS, "objects") if D is None else (MAX_COMPARED, "objects with dissimilarities")
    expect_some_objects(name, len(A), most, what)
    if not np.isfinite(A).all():
        raise ValueError(
            f"{name}: expected finite numbers; got {int((~np.isfinite(A)).sum())} missing or infinite"
        )
    if D is None:
        data, largest = {"attributes": A}, _span(A, name)
        positions, axis_labels = map_of_attributes(A, feature_names)
    else:
        try:
            D = as_dissimilarities(A)
        except ValueError as reason:
            raise ValueError(f"{name}: {reason}") from reason
        data, largest = {"dissimilarities": D}, D.max()
        positions, axis_labels = classical_scaling(D)
    if largest == 0:
        raise ValueError(f"{name}: all objects coincide, so there is nothing to cluster")
    return Table(name=name, positions=positions, axis_labels=axis_labels, **data, **about)


def expect_some_objects(name: str, n: int, most: int, what: str = "objects") -> None:
    """Raise a ValueError if there are fewer than 3 objects, or more than an explorer can show."""
    if not 3 <= n <= most:
        raise ValueError(f"{name}: an explorer takes 3 to {most} {what}; got {n}")


def _span(X: np.ndarray, name: str) -> float:
    """Return the diagonal of the box around attributes (n, p), an upper bound of their distances."""
    with np.errstate(over="ignore"):
        span = float(np.sqrt(np.square(np.ptp(X, axis=0)).sum()))
    if not np.isfinite(span):
        most = f"{np.abs(X).max():g}"
        raise ValueError(f"{name}: expected numbers whose squares are finite; got some up to {most}")
    return span


def standardized_table(table: Table) -> Table:
    """Return the table with attributes scaled by `standardized`, as `credalbench cluster` scales them.

    Raises
    ------
    ValueError
        If the table has dissimilarities and no attributes.
    """
    if table.attributes is None:
        raise ValueError(
            f"{table.name} is a matrix of dissimilarities: there are no attributes to standardise"
        )
    about = {"y": table.y, "class_names": table.class_names, "n_classes": table.n_classes}
    about |= {"note": table.note, "object_names": table.object_names}
    names = tuple(f"{label}, standardised" for label in table.axis_labels)
    return table_from_arrays(table.name, X=standardized(table.attributes), feature_names=names, **about)


def nearest_objects(A: np.ndarray, metric: str = "euclidean") -> np.ndarray:
    """Return the `NEAREST` other objects of each object, nearest first: (n, NEAREST), or fewer.

    `A` is (n, p) attributes, without computing an (n, n) matrix, or (n, n) dissimilarities with the metric
    "precomputed". Ties are broken arbitrarily.
    """
    search = NearestNeighbors(n_neighbors=min(NEAREST, len(A) - 1), metric=metric).fit(A)
    return search.kneighbors(return_distance=False).astype(np.int32)


def some_pairs(n: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return at most `most` pairs i < j of n objects: two arrays (m,), sorted by i, then j.

    The sample is the same at each call. O(n + m) memory, and 4 n² bytes if pairs are sampled.
    """
    count = n * (n - 1) // 2
    if count <= most:
        return np.triu_indices(n, 1)
    chosen = np.sort(np.random.default_rng(0).choice(count, most, replace=False))
    firsts = np.cumsum(np.arange(n, 1, -1)) - n  # for each row i, the index of the pair (i, i + 1)
    rows = np.searchsorted(firsts, chosen, "right") - 1
    return rows, chosen - firsts[rows] + rows + 1

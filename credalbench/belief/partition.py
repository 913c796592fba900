"""Credal partitions: one mass function on the clusters for every object."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from credalbench.core.arguments import MOST, Count, as_array, expect, shown
from credalbench.core.names import as_index, common_names, name_of, names_of, row_of, same_names

from . import archive, combine, decision, frames, special_partitions, transforms
from .explanation import Explanation, explain
from .focal import FocalSets, read_only
from .mass_function import MassFunction
from .profiles import ClusterProfiles, profiles
from .relational import RelationalMasses, relational
from .transforms import read_simplex

if TYPE_CHECKING:
    import pandas as pd

    from credalbench.plots.overview import ShownFigure

PLOTTING = "credalbench.plots"  # loaded by name when `plot` is called: belief itself does not draw


class RoughPartition(NamedTuple):
    """Lower and upper approximations of the clusters.

    Parameters
    ----------
    lower, upper : bool arrays of shape (n, c)
        Whether an object is surely, or possibly, in a cluster.
    """

    lower: np.ndarray
    upper: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class CredalPartition:
    """Mass functions of n objects, where n may be 0; immutable.

    Rows sum to 1 [denoeux2016_evclus (1)], [antoine2012_cecm (3)], [li2020_ensemble (1)].

    Parameters
    ----------
    masses : array-like of shape (n, f)
        Rows on the simplex: finite, at least 0 (entries down to -1e-9 count as rounding and are set to 0),
        sum 1 within 1e-6. Rows are not rescaled.
    focal_sets : FocalSets
        The f sets of the columns.
    index : pandas.Index or sequence of n names, optional
        Names of the objects. None, or a RangeIndex that counts them from 0: no names.

    Raises
    ------
    TypeError
        If `focal_sets` is not a FocalSets, or the masses are not numbers.
    ValueError
        If the shape is wrong, a row is off the simplex (the message names the first one), or the number of
        names differs from n.

    Notes
    -----
    Estimators store the index of a DataFrame here. Files, pickles and the methods that keep or select objects
    preserve it. Partitions with different names are not equal.

    Methods that divide by 1 - m(∅) treat an object with m(∅) = 1 as vacuous; ties go to the lowest index (see
    `credalbench.belief.decision`).

    `save` and `load` store a partition in a file, bit for bit; `write_credpart` and `read_credpart` exchange
    tables with R's package evclust.

    References
    ----------
    [denoeux2016_evclus]

    Examples
    --------
    >>> focal_sets = FocalSets.from_sets(3, [[], [0], [1], [2], [0, 2]])
    >>> partition = CredalPartition([[0, 0.3, 0.4, 0, 0.3]], focal_sets)
    >>> partition.contour
    array([[0.6, 0.4, 0.3]])
    >>> partition.labels(), partition.interval_dominance()
    (array([0]), array([[ True,  True, False]]))
    """

    masses: np.ndarray
    focal_sets: FocalSets
    index: pd.Index | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.focal_sets, FocalSets):
            raise TypeError(f"expected focal_sets to be a FocalSets, got {type(self.focal_sets).__name__}")
        object.__setattr__(self, "masses", read_simplex(self.masses, self.focal_sets))
        object.__setattr__(self, "index", as_index(self.index, len(self.masses)))

    # ------------------------------------------------------------------ from simpler partitions

    @classmethod
    def from_labels(cls, y: ArrayLike, focal_sets: FocalSets | int | None = None) -> CredalPartition:
        """Return a hard partition as a credal one: m({y_i}) = 1.

        Parameters
        ----------
        y : int array of shape (n,)
            Labels 0..c-1. Here and in the methods below, a Series or DataFrame keeps its names of objects.
        focal_sets : FocalSets, number of clusters c, or None
            Must contain the singletons. None: the simple focal sets of max(y) + 1 clusters.

        Returns
        -------
        CredalPartition
            Of n objects.

        Examples
        --------
        >>> CredalPartition.from_labels([0, 1]).masses
        array([[0., 1., 0., 0.],
               [0., 0., 1., 0.]])
        """
        return cls(*special_partitions.masses_of_labels(y, focal_sets), names_of(y))

    @classmethod
    def from_fuzzy(cls, U: ArrayLike) -> CredalPartition:
        """Return a fuzzy partition as a credal one: m({k}) = u_ik.

        Parameters
        ----------
        U : array-like of shape (n, c)
            Memberships; rows sum to 1.

        Returns
        -------
        CredalPartition
            With the c singletons as focal sets.
        """
        return cls(*special_partitions.masses_of_memberships(U), names_of(U))

    @classmethod
    def from_possibilistic(cls, pi: ArrayLike) -> CredalPartition:
        """Return a possibilistic partition as a credal one: nested sets, with the degrees as their contour.

        It is the inverse of `to_possibilistic` for nested sets.

        Parameters
        ----------
        pi : array-like of shape (n, c)
            Degrees in [0, 1]. One minus the largest degree of an object is its mass on the empty set.

        Returns
        -------
        CredalPartition
            With the nested sets that occur as focal sets.

        Examples
        --------
        >>> CredalPartition.from_possibilistic([[0.7, 1.0, 0.2]]).to_frame("masses").round(2).to_dict("list")
        {'{2}': [0.3], '{1,2}': [0.5], 'Ω': [0.2]}
        """
        return cls(*special_partitions.masses_of_possibilities(pi), names_of(pi))

    @classmethod
    def from_rough(cls, lower: ArrayLike, upper: ArrayLike) -> CredalPartition:
        """Return a rough partition as a credal one: m(A_i) = 1 for the clusters A_i that object i may be in.

        Parameters
        ----------
        lower, upper : bool arrays of shape (n, c)
            Approximations as `to_rough` returns them, [li2020_ensemble (8a)] and [li2020_ensemble (8b)]. The
            mass of an object in no upper approximation is on the empty set.

        Returns
        -------
        CredalPartition
            With the sets that occur as focal sets.
        """
        index = common_names([names_of(lower), names_of(upper)])
        return cls(*special_partitions.masses_of_approximations(lower, upper), index)

    # ------------------------------------------------------------------ size, identity

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return self.masses.shape[0]

    @property
    def n_clusters(self) -> int:
        """Number of clusters c."""
        return self.focal_sets.n_clusters

    def __len__(self) -> int:
        return self.n_objects

    def __getitem__(self, name: Hashable | slice) -> MassFunction | CredalPartition:
        """Return the mass function of one object, by name; by number from 0 if names are missing or text.

        A slice, such as ``partition[:3]``, always counts rows and returns the partition of these objects.

        Raises
        ------
        ValueError
            If there is no such object, or several objects have that name.
        TypeError
            If the name is an array; use `take` for several objects.
        """
        if isinstance(name, slice):
            return self.take(name)
        if isinstance(name, list | np.ndarray):
            raise TypeError(
                f"expected the name or number of one object, got {name!r}; use take for several objects"
            )
        row = row_of(name, self.index, self.n_objects)
        return MassFunction(self.masses[row], self.focal_sets, name_of(row, self.index))

    def __iter__(self) -> Iterator[MassFunction]:
        """Yield the mass functions of all objects, in order."""
        for row, masses in enumerate(self.masses):
            yield MassFunction(masses, self.focal_sets, name_of(row, self.index))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CredalPartition):
            return NotImplemented
        alike = self.focal_sets == other.focal_sets and np.array_equal(self.masses, other.masses)
        return alike and same_names(self.index, other.index)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.focal_sets, (self.masses + 0.0).tobytes()))

    def __reduce__(self) -> tuple[type[CredalPartition], tuple[np.ndarray, FocalSets, pd.Index | None]]:
        # Rebuilt rather than copied: numpy forgets the read-only flag when pickling.
        return CredalPartition, (self.masses, self.focal_sets, self.index)

    def __repr__(self) -> str:
        return (
            f"CredalPartition(n={self.n_objects}, c={self.n_clusters}, f={len(self.focal_sets)}, "
            f"nonspecificity={self.nonspecificity():.3f}, outliers={int(self.outliers().sum())})"
        )

    def _repr_html_(self) -> str:
        from .display import partition_html

        return partition_html(self)

    def take(self, rows: slice | Sequence[int] | np.ndarray) -> CredalPartition:
        """Return the partition of some of the objects.

        Parameters
        ----------
        rows : slice, sequence of int or bool array of shape (n,)
            Rows to keep, possibly none. Negative numbers count from the end.

        Returns
        -------
        CredalPartition
            On the same focal sets.

        Raises
        ------
        ValueError
            If a row does not exist.
        """
        if not isinstance(rows, slice):
            rows = as_array("rows", rows)
            expect(rows.ndim == 1, f"rows of {self.n_objects} objects", rows)
            rows = rows if len(rows) else np.empty(0, dtype=np.int64)
        try:
            masses = self.masses[rows]
        except IndexError as error:
            raise ValueError(f"expected rows of {self.n_objects} objects, got {shown(rows)}") from error
        index = None if self.index is None else self.index[rows]
        return CredalPartition(masses, self.focal_sets, index)

    def on(self, focal_sets: FocalSets) -> CredalPartition:
        """Return the same masses on other focal sets.

        Parameters
        ----------
        focal_sets : FocalSets
            Focal sets that contain every set with mass; other sets get mass 0.

        Returns
        -------
        CredalPartition
            Of the same objects.

        Raises
        ------
        ValueError
            If a set with mass is missing.
        """
        masses = transforms.rearrange(self.masses, self.focal_sets, focal_sets)
        return CredalPartition(masses, focal_sets, self.index)

    def named(self, index: Iterable | None) -> CredalPartition:
        """Return the same masses with other names of objects.

        Parameters
        ----------
        index : iterable of n names, or None
            None: no names.

        Returns
        -------
        CredalPartition
            Of the same objects.
        """
        if index is None and self.index is None:
            return self
        return CredalPartition(self.masses, self.focal_sets, index)

    # ------------------------------------------------------------------ belief functions

    @cached_property
    def contour(self) -> np.ndarray:
        """Plausibility of every cluster, read-only (n, c)."""
        return read_only(transforms.contour(self.masses, self.focal_sets))

    @cached_property
    def pignistic(self) -> np.ndarray:
        """Pignistic probabilities of the Dempster-normalised masses, read-only (n, c); 1/c where m(∅) = 1."""
        return read_only(transforms.pignistic(self.masses, self.focal_sets))

    def belief(self, A: Iterable[int] | FocalSets) -> np.ndarray:
        """Compute Bel(A) for every object [denoeux2016_evclus (2a)].

        Parameters
        ----------
        A : iterable of int, bool array of shape (c,), or FocalSets
            Cluster numbers from 0; g focal sets are evaluated at once.

        Returns
        -------
        array of shape (n,), or (n, g)
            In [0, 1].

        Examples
        --------
        >>> CredalPartition([[0.1, 0.5, 0.0, 0.4]], FocalSets.simple(2)).belief({0})
        array([0.5])
        """
        return transforms.belief(self.masses, self.focal_sets, A)

    def plausibility(self, A: Iterable[int] | FocalSets) -> np.ndarray:
        """Compute Pl(A) for every object [denoeux2016_evclus (2b)].

        Parameters
        ----------
        A : iterable of int, bool array of shape (c,), or FocalSets
            Cluster numbers from 0; g focal sets are evaluated at once.

        Returns
        -------
        array of shape (n,), or (n, g)
            In [0, 1].

        Examples
        --------
        >>> CredalPartition([[0.1, 0.5, 0.0, 0.4]], FocalSets.simple(2)).plausibility({0})
        array([0.9])
        """
        return transforms.plausibility(self.masses, self.focal_sets, A)

    def conflict(self) -> np.ndarray:
        """Compute the degrees of conflict between all objects [denoeux2016_evclus (17)].

        Returns
        -------
        array of shape (n, n)
            In [0, 1]. The diagonal is the conflict of each mass function with itself.
        """
        return combine.conflict_matrix(self.masses, self.focal_sets)

    def nonspecificity(self) -> float:
        """Compute the average nonspecificity [denoeux2016_evclus (24)].

        Returns
        -------
        float
            In [0, 1]; 0 if all masses are on single clusters.
        """
        return transforms.nonspecificity(self.masses, self.focal_sets)

    def relational(self) -> RelationalMasses:
        """Compute masses of all pairs on "same" and "different" clusters [li2020_ensemble (9a)].

        Returns
        -------
        RelationalMasses
            Arrays of shape (n, n).
        """
        return relational(self.masses, self.focal_sets)

    def normalized(self, rule: str = "dempster") -> CredalPartition:
        """Return the partition without mass on the empty set.

        Parameters
        ----------
        rule : {"dempster", "yager"}, default "dempster"
            Divide the other masses by 1 - m(∅), or move m(∅) to Omega.

        Returns
        -------
        CredalPartition
            On the same focal sets, with Omega appended if it is missing and needed. An object with m(∅) = 1
            gets m(Omega) = 1.
        """
        return CredalPartition(*combine.normalize(self.masses, self.focal_sets, rule), self.index)

    # ------------------------------------------------------------------ decisions

    def labels(self, rule: str = "pignistic", *, noise: int | None = None) -> np.ndarray:
        """Assign each object to one cluster.

        Parameters
        ----------
        rule : {"pignistic", "plausibility", "belief"}, default "pignistic"
            Function that is largest for the cluster.
        noise : int, optional
            Label of outliers, below 0, such as -1 in scikit-learn. None: outliers also get a cluster.

        Returns
        -------
        int array of shape (n,)
            Cluster numbers from 0: columns of `contour`, rows of `cluster_centers_`. Clusters without objects
            leave gaps.
        """
        labels = decision.decide(self.masses, self.focal_sets, rule)
        if noise is None:
            return labels
        return np.where(self.outliers(), Count(-MOST, -1).read("noise", noise), labels)

    def interval_dominance(self) -> np.ndarray:
        """Return the undominated clusters of each object [denoeux2016_evclus (7)].

        Returns
        -------
        bool array of shape (n, c)
            At least one True per row.
        """
        return decision.interval_dominance(self.masses, self.focal_sets)

    def hard_credal(self, allow_empty: bool = True) -> np.ndarray:
        """Assign each object to the focal set of largest mass.

        Parameters
        ----------
        allow_empty : bool, default True
            Whether the empty set may be chosen.

        Returns
        -------
        int array of shape (n,)
            Index of the focal set.
        """
        return decision.maximum_mass(self.masses, self.focal_sets, allow_empty=allow_empty)

    def outliers(self) -> np.ndarray:
        """Return the objects with strictly more mass on ∅ than on any other focal set.

        Returns
        -------
        bool array of shape (n,)
            True for outliers.
        """
        return decision.outliers(self.masses, self.focal_sets)

    def lower_approximation(
        self, rule: str = "interval_dominance", exclude_outliers: bool = True
    ) -> np.ndarray:
        """Return the objects that are surely in each cluster.

        Parameters
        ----------
        rule : {"interval_dominance", "maximum_mass"}, default "interval_dominance"
            Which clusters are chosen for an object: the undominated ones, or the focal set of largest mass.
        exclude_outliers : bool, default True
            Whether to leave outliers out.

        Returns
        -------
        bool array of shape (n, c)
            At most one True per row.
        """
        return decision.lower_approximation(
            self.masses, self.focal_sets, rule, exclude_outliers=exclude_outliers
        )

    def upper_approximation(self, rule: str = "interval_dominance") -> np.ndarray:
        """Return the objects that are possibly in each cluster; outliers are included.

        Parameters
        ----------
        rule : {"interval_dominance", "maximum_mass"}, default "interval_dominance"
            Which clusters are chosen for an object: the undominated ones, or the focal set of largest mass.

        Returns
        -------
        bool array of shape (n, c)
            Contains the lower approximations.
        """
        return decision.upper_approximation(self.masses, self.focal_sets, rule)

    # ------------------------------------------------------------------ simpler partitions

    def to_hard(self) -> np.ndarray:
        """Return the hard partition: the cluster of highest pignistic probability of every object.

        Returns
        -------
        int array of shape (n,)
            Cluster numbers from 0.
        """
        return self.labels()

    def to_fuzzy(self) -> np.ndarray:
        """Return the fuzzy partition: plausibilities divided by their sum.

        Returns
        -------
        array of shape (n, c)
            Rows sum to 1; 1/c where m(∅) = 1.
        """
        return transforms.plausibility_transform(self.masses, self.focal_sets)

    def to_possibilistic(self) -> np.ndarray:
        """Return the possibilistic partition: the plausibilities of the clusters.

        Returns
        -------
        array of shape (n, c)
            In [0, 1]; row maxima are at most 1 - m(∅).
        """
        return self.contour.copy()

    def to_rough(self, rule: str = "interval_dominance") -> RoughPartition:
        """Return the rough partition: lower and upper approximations.

        Parameters
        ----------
        rule : {"interval_dominance", "maximum_mass"}, default "interval_dominance"
            Which clusters are chosen for an object: the undominated ones, or the focal set of largest mass.

        Returns
        -------
        RoughPartition
            Two bool arrays of shape (n, c). Outliers are included: an object is in one lower approximation or
            in several upper ones (or in none, if its maximum mass is on the empty set).
        """
        return RoughPartition(
            self.lower_approximation(rule, exclude_outliers=False), self.upper_approximation(rule)
        )

    # ------------------------------------------------------------------ tables and files

    def to_frame(self, *parts: str) -> pd.DataFrame:
        """Return a table with a row for each object: masses, plausibilities of the clusters, decisions.

        Parameters
        ----------
        *parts : {"masses", "contour", "decisions"}
            Groups of columns; all by default.

        Returns
        -------
        pandas.DataFrame
            Indexed by the names of the objects, or by their numbers from 0. Columns of masses have the names
            of the sets (``∅``, ``{1}``, ``{1,2}``, ``Ω``), columns of plausibilities are ``pl({1})``, ...
            Decisions: ``cluster``, that of highest pignistic probability, from 1 as in the sets;
            ``most_mass``, the set of highest mass; ``undominated``, the set of clusters that no other
            dominates; ``outlier``.

        Raises
        ------
        ValueError
            If there is no such part.
        """
        return frames.object_frame(self, parts or frames.PARTS)

    def doubtful(self) -> pd.DataFrame:
        """Return a table of the outliers, and of the objects that may be in several clusters.

        Returns
        -------
        pandas.DataFrame
            Indexed by the names of the objects, or by their numbers from 0: first outliers, those with the
            largest mass on the empty set first; then objects whose largest mass is on several clusters, or
            for which no cluster dominates all others, the most ambiguous first. Columns: ``kind``, "outlier"
            or "ambiguous"; ``most_mass`` and ``undominated``, as in `to_frame`; ``reason``, as in `explain`.

        Examples
        --------
        >>> masses = [[0, 1, 0, 0], [0, 0.2, 0.1, 0.7]]
        >>> CredalPartition(masses, FocalSets.simple(2), ["Ann", "Ben"]).doubtful()["reason"].to_dict()
        {'Ben': 'between 1 and 2: 0.70 on Ω, 0.20 on {1}'}
        """
        return frames.doubtful_frame(self)

    def summary(self) -> pd.DataFrame:
        """Return a table with a row for each cluster and for each other set of highest mass.

        Returns
        -------
        pandas.DataFrame
            ``n_objects``, the number of objects with their highest mass on the set; ``mean_mass``, the mean
            over all objects; ``typical``, the object with the highest mass on it, by name or number from 0.
        """
        return frames.set_table(self.focal_sets, frames.set_counts(self))

    def explain(
        self,
        name: Hashable,
        X: ArrayLike | pd.DataFrame | None = None,
        *,
        D: ArrayLike | pd.DataFrame | None = None,
        n_neighbors: int = 3,
    ) -> Explanation:
        """Explain why an object is where it is.

        Parameters
        ----------
        name : hashable
            Name of the object, or its number from 0, as for ``partition[name]``.
        X : (n, p) array or DataFrame, optional
            Attributes; the explanation then contains the nearest objects by Euclidean distance.
        D : (n, n) array or DataFrame, optional
            Dissimilarities, instead of attributes.
        n_neighbors : int, default 3
            Number of nearest objects.

        Returns
        -------
        Explanation
            With ``reason``, a sentence; ``masses``; ``intervals``, belief and plausibility of each cluster;
            ``neighbours``, or None.

        Raises
        ------
        ValueError
            If there is no such object; if X or D has another shape, other names, or NaN or infinite values;
            or if you give both.

        Notes
        -----
        O(f c), and O(n p) for the neighbours.
        """
        return explain(self, name, X, D, n_neighbors)

    def profiles(
        self, X: ArrayLike | pd.DataFrame | None = None, *, supplementary: Iterable[Hashable] = ()
    ) -> ClusterProfiles:
        """Describe the clusters: sizes, distinguishing attributes, typical and ambiguous objects, outliers.

        Parameters
        ----------
        X : (n, p) DataFrame or array, optional
            Attributes: numbers in the units of the output, and categories (text, booleans, anything that is
            not a number). A column of several levels is named by all of them, "a x". None: sizes and objects
            only.
        supplementary : iterable of hashable, default ()
            Names of columns of X that were not used for the clusters. The profiles describe and mark them.

        Returns
        -------
        ClusterProfiles
            Three tables, and a sentence for each cluster.

        Raises
        ------
        ValueError
            If X has another number of objects, other names of objects, equal names of columns, infinite
            numbers, complex numbers or dates, or a supplementary column does not exist.

        Notes
        -----
        The weight of an object in a cluster is its pignistic probability before normalisation: mass on the
        empty set and outliers count for no cluster. An object without a value of an attribute is left out for
        that attribute. The effects are descriptions, not tests, since the clusters were made from these
        attributes.

        O(n p (c + log n)), and O(n c²).

        Examples
        --------
        >>> X = [[1.0, "red"], [2.0, "red"], [8.0, "red"], [9.0, "blue"], [7.0, "blue"]]
        >>> profiles = CredalPartition.from_labels([0, 0, 1, 1, 1]).profiles(X)
        >>> profiles.sentences[0].split(". ")[1]
        'It has low attribute 1 (mean 1.5, rest 8.0) and mostly attribute 2 = red (100%, rest 33%)'
        """
        return profiles(self, X, supplementary)

    def plot(self, X: ArrayLike | pd.DataFrame | None = None) -> ShownFigure:
        """Draw the partition: a map of the objects or, without `X`, their masses as bars.

        Parameters
        ----------
        X : (n, p) array or DataFrame, optional
            Attributes, or positions in the plane. Of more than two attributes the first two principal
            components are shown. Both axes have one scale if their ranges are of the same order.

        Returns
        -------
        matplotlib.figure.Figure
            A figure that a notebook displays after the last line of a cell, unless a semicolon follows. Its
            method ``show`` displays it anywhere: ``partition.plot(X).show()`` in a cell, a loop or a script.

        Raises
        ------
        ValueError
            If X has another shape, has NaN or infinite values, or holds dissimilarities.
        MissingPackage
            If matplotlib is not installed; the message names the extra.
        """
        return import_module(PLOTTING).overview(self, X)

    def save(self, path: str | os.PathLike) -> Path:
        """Write masses, focal sets and names to one .npz file of plain arrays.

        Parameters
        ----------
        path : str or path
            Target file; ".npz" is appended if it is missing. The method writes a temporary file and renames
            it, so that an interrupt does not damage an existing file.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        TypeError
            If names of objects are not numbers, times, text or tuples of numbers and text.
        """
        return archive.write(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike) -> CredalPartition:
        """Read a partition that `save` wrote, bit for bit, without executing code in the file (no pickle).

        Parameters
        ----------
        path : str or path
            The file, with or without ".npz".

        Returns
        -------
        CredalPartition
            Equal to the saved one.

        Raises
        ------
        ValueError
            If the file is not a credal partition, is damaged, or has rows off the simplex; the message names
            the file.
        FileNotFoundError
            If there is no such file.
        """
        source, contents = archive.read(path)
        try:
            return cls(*archive.unpack(contents))
        except Exception as error:  # a damaged archive may raise anything
            raise ValueError(
                f"expected a credal partition written by CredalPartition.save, got {source}: {error}"
            ) from error

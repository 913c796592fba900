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

from credalbench.arguments import MOST, Count
from credalbench.names import as_index, name_of, row_of, same_names

from . import archive, combine, decision, frames, special_partitions, transforms
from .explanation import Explanation, explain
from .focal import FocalSets
from .mass_function import MassFunction
from .relational import RelationalMasses, relational
from .simplex import read_only, read_simplex

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

PLOTTING = "credalbench.plots"  # loaded by name when `plot` is called: belief itself does not draw


class RoughPartition(NamedTuple):
    """Lower and upper approximations of the clusters, two bool arrays of shape (n, c)."""

    lower: np.ndarray
    upper: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class CredalPartition:
    """The mass functions of n objects. Immutable.

    Rows sum to 1 [denoeux2016_evclus (1)], [antoine2012_cecm (3)], [li2020_ensemble (1)].

    Parameters
    ----------
    masses : array-like of shape (n, f)
        Rows on the simplex: finite, at least 0 (down to -1e-9 is taken for rounding and set to 0), sum 1
        within 1e-6. Rows are not rescaled: the numbers stay the caller's.
    focal_sets : FocalSets
        The f sets that the columns stand for.
    index : pandas.Index or sequence of n names, optional
        Names of the objects. None, or a RangeIndex that only counts them from 0: they have none.

    Raises
    ------
    TypeError
        `focal_sets` is no FocalSets, or the masses are no numbers.
    ValueError
        Wrong shape, a row off the simplex (the message names the first one), or another number of names.

    Examples
    --------
    >>> family = FocalSets.from_sets(3, [[], [0], [1], [2], [0, 2]])
    >>> partition = CredalPartition([[0, 0.3, 0.4, 0, 0.3]], family)
    >>> partition.contour
    array([[0.6, 0.4, 0.3]])
    >>> partition.labels(), partition.interval_dominance()
    (array([0]), array([[ True,  True, False]]))

    Notes
    -----
    Estimators put the index of a DataFrame here. It survives whatever keeps objects, or takes some of them:
    `take`, `on`, `normalized`, files, pickles. Partitions with other names are not equal.

    An object with m(∅) = 1 is treated as vacuous where a division by 1 - m(∅) is called for; ties go to the
    lowest index (see `credalbench.belief.decision`).

    `save` and `load` keep a partition in a file, bit for bit; `write_credpart` and `read_credpart` are for
    R's package evclust.

    References
    ----------
    denoeux2016_evclus
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
        """A hard partition as a credal one: m({y_i}) = 1.

        Parameters
        ----------
        y : int array of shape (n,), values 0..c-1
        focal_sets : FocalSets, number of clusters c, or None
            None: the simple family on max(y) + 1 clusters. A given family must hold the singletons.
        """
        return cls(*special_partitions.masses_of_labels(y, focal_sets))

    @classmethod
    def from_fuzzy(cls, U: ArrayLike) -> CredalPartition:
        """A fuzzy partition as a credal one: m({k}) = u_ik, the memberships (n, c), rows that sum to 1."""
        return cls(*special_partitions.masses_of_memberships(U))

    @classmethod
    def from_possibilistic(cls, pi: ArrayLike) -> CredalPartition:
        """A possibilistic partition as a credal one: nested sets, with the degrees (n, c) as their contour.

        The degrees are in [0, 1]; what the largest one of an object leaves of 1 is its mass on the empty set.
        Undoes `to_possibilistic` for nested sets.

        Examples
        --------
        >>> CredalPartition.from_possibilistic([[0.7, 1.0, 0.2]]).to_frame("masses").round(2).to_dict("list")
        {'{2}': [0.3], '{1,2}': [0.5], 'Ω': [0.2]}
        """
        return cls(*special_partitions.masses_of_possibilities(pi))

    @classmethod
    def from_rough(cls, lower: ArrayLike, upper: ArrayLike) -> CredalPartition:
        """A rough partition as a credal one: m(A_i) = 1 for the clusters whose upper approximations hold i.

        `lower` and `upper` are bool arrays (n, c), as `to_rough` gives them: [li2020_ensemble (8a)] and
        [li2020_ensemble (8b)]. An object in no upper approximation has its mass on the empty set.
        """
        return cls(*special_partitions.masses_of_approximations(lower, upper))

    # ------------------------------------------------------------------ size, identity

    @property
    def n_objects(self) -> int:
        """n."""
        return self.masses.shape[0]

    @property
    def n_clusters(self) -> int:
        """c."""
        return self.focal_sets.n_clusters

    def __len__(self) -> int:
        return self.n_objects

    def __getitem__(self, name: Hashable) -> MassFunction:
        """The mass function of one object, by its name; by its number from 0 where names are none or text.

        Raises
        ------
        ValueError
            There is no such object, or several have that name.
        TypeError
            A slice or an array: `take` gives several objects.
        """
        if isinstance(name, slice | list | np.ndarray):
            raise TypeError(f"expected the name or number of one object (take gives several), got {name!r}")
        row = row_of(name, self.index, self.n_objects)
        return MassFunction(self.masses[row], self.focal_sets, name_of(row, self.index))

    def __iter__(self) -> Iterator[MassFunction]:
        """The mass functions of all objects, in their order."""
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
        """The partition of some of the objects (indices, a slice or a bool array)."""
        index = None if self.index is None else self.index[rows]
        return CredalPartition(self.masses[rows], self.focal_sets, index)

    def on(self, focal_sets: FocalSets) -> CredalPartition:
        """The same masses written on another family, which must hold every set that carries mass."""
        masses = transforms.rearrange(self.masses, self.focal_sets, focal_sets)
        return CredalPartition(masses, focal_sets, self.index)

    def named(self, index: Iterable | None) -> CredalPartition:
        """The same masses, of n objects with these names, or with none."""
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
        """Bel(A) for every object, (n,); A holds cluster numbers from 0 [denoeux2016_evclus (2a)]."""
        return transforms.belief(self.masses, self.focal_sets, A)

    def plausibility(self, A: Iterable[int] | FocalSets) -> np.ndarray:
        """Pl(A) for every object, (n,); A holds cluster numbers from 0 [denoeux2016_evclus (2b)]."""
        return transforms.plausibility(self.masses, self.focal_sets, A)

    def conflict(self) -> np.ndarray:
        """Degrees of conflict between all objects, (n, n) [denoeux2016_evclus (17)]."""
        return combine.conflict_matrix(self.masses, self.focal_sets)

    def nonspecificity(self) -> float:
        """Average nonspecificity, in [0, 1] [denoeux2016_evclus (24)]."""
        return transforms.nonspecificity(self.masses, self.focal_sets)

    def relational(self) -> RelationalMasses:
        """Masses of all pairs on "same" / "different" clusters, (n, n) each [li2020_ensemble (9a)]."""
        return relational(self.masses, self.focal_sets)

    def normalized(self, rule: str = "dempster") -> CredalPartition:
        """The partition without mass on the empty set; `rule` is "dempster" or "yager".

        The family stays the same (Omega is appended if it is missing and needed); m(∅) = 1 becomes
        m(Omega) = 1.
        """
        return CredalPartition(*combine.normalize(self.masses, self.focal_sets, rule), self.index)

    # ------------------------------------------------------------------ decisions

    def labels(self, rule: str = "plausibility", *, noise: int | None = None) -> np.ndarray:
        """One cluster per object, (n,) int, counted from 0: a column of `contour`, of `cluster_centers_`.

        Clusters without objects leave gaps. The rule is "plausibility", "pignistic" or "belief". With
        ``noise=-1`` outliers get -1, as scikit-learn has it, whatever is most plausible for them.
        """
        labels = decision.decide(self.masses, self.focal_sets, rule)
        if noise is None:
            return labels
        return np.where(self.outliers(), Count(-MOST, -1).read("noise", noise), labels)

    def interval_dominance(self) -> np.ndarray:
        """Undominated clusters, (n, c) bool [denoeux2016_evclus (7)]."""
        return decision.interval_dominance(self.masses, self.focal_sets)

    def hard_credal(self, allow_empty: bool = True) -> np.ndarray:
        """Index of the focal set with the largest mass, (n,) int."""
        return decision.maximum_mass(self.masses, self.focal_sets, allow_empty=allow_empty)

    def outliers(self) -> np.ndarray:
        """Objects with strictly more mass on ∅ than on any other focal set, (n,) bool."""
        return decision.outliers(self.masses, self.focal_sets)

    def lower_approximation(
        self, rule: str = "interval_dominance", exclude_outliers: bool = True
    ) -> np.ndarray:
        """Objects surely in each cluster, (n, c) bool; rule "interval_dominance" or "maximum_mass"."""
        return decision.lower_approximation(
            self.masses, self.focal_sets, rule, exclude_outliers=exclude_outliers
        )

    def upper_approximation(self, rule: str = "interval_dominance") -> np.ndarray:
        """Objects possibly in each cluster, (n, c) bool; outliers stay in."""
        return decision.upper_approximation(self.masses, self.focal_sets, rule)

    # ------------------------------------------------------------------ simpler partitions

    def to_hard(self) -> np.ndarray:
        """Hard partition: the most plausible cluster of every object, (n,) int."""
        return self.labels()

    def to_fuzzy(self) -> np.ndarray:
        """Fuzzy partition: plausibilities divided by their sum, (n, c); 1/c where m(∅) = 1."""
        return transforms.plausibility_transform(self.masses, self.focal_sets)

    def to_possibilistic(self) -> np.ndarray:
        """Possibilistic partition: the plausibilities themselves, (n, c); row maxima at most 1 - m(∅)."""
        return self.contour.copy()

    def to_rough(self, rule: str = "interval_dominance") -> RoughPartition:
        """Rough partition: lower and upper approximations, two (n, c) bool arrays.

        Outliers are not taken out: an object lies in one lower approximation or in several upper ones (or
        in none, by maximum mass on the empty set).
        """
        return RoughPartition(
            self.lower_approximation(rule, exclude_outliers=False), self.upper_approximation(rule)
        )

    # ------------------------------------------------------------------ tables and files

    def to_frame(self, *parts: str) -> pd.DataFrame:
        """A table with a row for each object: its masses, the plausibilities of the clusters, the decisions.

        Parameters
        ----------
        *parts : {"masses", "contour", "decisions"}
            Which columns; all by default.

        Returns
        -------
        pandas.DataFrame
            With the names of the objects as its index, or their numbers from 0. A mass stands under its
            set (``∅``, ``{1}``, ``{1,2}``, ``Ω``), a plausibility under ``pl({1})``, ... Decisions:
            ``label``, as `labels` gives it, from 0; ``most_mass``, the set of highest mass; ``undominated``,
            the set of clusters that no other dominates; ``outlier``.
        """
        return frames.object_frame(self, parts or frames.PARTS)

    def summary(self) -> pd.DataFrame:
        """A table with a row for each cluster, and each other focal set on which some object has most mass.

        Returns
        -------
        pandas.DataFrame
            ``n_objects``: how many have their highest mass on the set; ``mean_mass``: of all objects;
            ``typical``: the object with the highest mass on it, by name, or by number from 0.
        """
        return frames.set_frame(self)

    def explain(
        self,
        name: Hashable,
        X: ArrayLike | pd.DataFrame | None = None,
        *,
        D: ArrayLike | pd.DataFrame | None = None,
        n_neighbors: int = 3,
    ) -> Explanation:
        """Why an object is where it is.

        Parameters
        ----------
        name : hashable
            Of the object, or its number from 0, as for ``partition[name]``.
        X : (n, p) array or DataFrame, optional
            Attributes: the nearest objects by Euclidean distance are told, too.
        D : (n, n) array or DataFrame, optional
            Dissimilarities, in place of attributes.
        n_neighbors : int, default 3
            How many of the nearest objects.

        Returns
        -------
        Explanation
            With ``reason``, a sentence; ``masses``; ``intervals``, belief and plausibility of each cluster;
            ``neighbours``, or None.

        Raises
        ------
        ValueError
            No such object; X or D of another shape, with other names, NaN or infinite values, or both.

        Notes
        -----
        O(f c), and O(n p) for the neighbours.
        """
        return explain(self, name, X, D, n_neighbors)

    def plot(self, X: ArrayLike | pd.DataFrame | None = None) -> Figure:
        """Draw the partition: a map of the objects, or, without `X`, their masses as bars.

        Parameters
        ----------
        X : (n, p) array or DataFrame, optional
            Attributes, or positions in the plane; of more than two the first principal components are shown.

        Returns
        -------
        matplotlib.figure.Figure
            One that shows itself in a notebook.

        Raises
        ------
        ValueError
            X of another shape, with NaN or infinite values, or dissimilarities.
        """
        try:
            plots = import_module(PLOTTING)
        except ModuleNotFoundError as error:
            if error.name != "matplotlib":
                raise
            extra = "pip install credalbench[plots]"
            raise ImportError(f"expected matplotlib, got none; install it with {extra}") from error
        return plots.overview(self, X)

    def save(self, path: str | os.PathLike) -> Path:
        """Write masses, focal sets and names to one .npz file of plain arrays; returns the path.

        The name gets .npz if it has no such end. Written beside and renamed: a killed save leaves the old
        file as it was.

        Raises
        ------
        TypeError
            Names of objects that are no numbers, dates, text or tuples of these.
        """
        return archive.write(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike) -> CredalPartition:
        """Read what `save` wrote, bit for bit. Nothing in the file is executed (no pickle).

        Raises
        ------
        ValueError
            The file is no credal partition, it is damaged, or its rows are off the simplex; the message names
            it.
        FileNotFoundError
        """
        source, contents = archive.read(path)
        try:
            return cls(*archive.unpack(contents))
        except Exception as error:  # whatever a damaged archive makes of its readers
            raise ValueError(
                f"expected a credal partition written by CredalPartition.save, got {source}: {error}"
            ) from error

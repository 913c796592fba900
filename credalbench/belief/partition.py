"""Credal partitions: one mass function on the clusters for every object."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import combine, decision, special_partitions, transforms
from .focal import FocalSets
from .relational import RelationalMasses, relational

if TYPE_CHECKING:
    import pandas as pd

SUM_TOLERANCE = 1e-6  # a row may miss 1 by what printing with six digits, or a solver, leaves
NEGATIVE_TOLERANCE = 1e-9  # rounding below zero; such entries are set to 0
FORMAT = "credalbench credal partition 1"


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

    Raises
    ------
    TypeError
        `focal_sets` is no FocalSets, or the masses are no numbers.
    ValueError
        Wrong shape, or a row off the simplex (the message names the first one).

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

    def __post_init__(self) -> None:
        if not isinstance(self.focal_sets, FocalSets):
            raise TypeError(f"expected focal_sets to be a FocalSets, got {type(self.focal_sets).__name__}")
        object.__setattr__(self, "masses", _validated(self.masses, self.focal_sets))

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
        >>> CredalPartition.from_possibilistic([[0.7, 1.0, 0.2]]).to_frame().round(2).to_dict("list")
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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CredalPartition):
            return NotImplemented
        return self.focal_sets == other.focal_sets and np.array_equal(self.masses, other.masses)

    def __hash__(self) -> int:
        return hash((self.focal_sets, (self.masses + 0.0).tobytes()))

    def __reduce__(self) -> tuple[type[CredalPartition], tuple[np.ndarray, FocalSets]]:
        # Rebuilt rather than copied: numpy forgets the read-only flag when pickling.
        return CredalPartition, (self.masses, self.focal_sets)

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
        return CredalPartition(self.masses[rows], self.focal_sets)

    def on(self, focal_sets: FocalSets) -> CredalPartition:
        """The same masses written on another family, which must hold every set that carries mass."""
        return CredalPartition(transforms.rearranged(self.masses, self.focal_sets, focal_sets), focal_sets)

    # ------------------------------------------------------------------ belief functions

    @cached_property
    def contour(self) -> np.ndarray:
        """Plausibility of every cluster, read-only (n, c)."""
        return _read_only(transforms.contour(self.masses, self.focal_sets))

    @cached_property
    def pignistic(self) -> np.ndarray:
        """Pignistic probabilities of the Dempster-normalised masses, read-only (n, c); 1/c where m(∅) = 1."""
        return _read_only(transforms.pignistic(self.masses, self.focal_sets))

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
        return CredalPartition(*combine.normalize(self.masses, self.focal_sets, rule))

    # ------------------------------------------------------------------ decisions

    def labels(self, rule: str = "plausibility") -> np.ndarray:
        """One cluster per object, (n,) int; rule "plausibility", "pignistic" or "belief"."""
        return decision.decide(self.masses, self.focal_sets, rule)

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

    def to_frame(self) -> pd.DataFrame:
        """pandas.DataFrame of the masses: one row per object (from 0), one column per focal set."""
        import pandas as pd

        index = pd.RangeIndex(self.n_objects, name="object")
        return pd.DataFrame(self.masses, index=index, columns=self.focal_sets.labels)

    def save(self, path: str | os.PathLike) -> Path:
        """Write masses and focal sets to one .npz file of plain arrays; returns the path.

        The name gets .npz if it has no such end. Written beside and renamed: a killed save leaves the old
        file as it was.
        """
        target = Path(path)
        if target.suffix != ".npz":
            target = target.with_name(target.name + ".npz")
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            with open(part, "wb") as stream:
                np.savez_compressed(
                    stream, format=np.array(FORMAT), masses=self.masses, membership=self.focal_sets.membership
                )
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
        return target

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
        source = Path(path)
        if not source.exists() and source.suffix != ".npz":
            source = source.with_name(source.name + ".npz")
        contents = source.read_bytes()
        try:
            return cls(*_unpacked(contents))
        except Exception as error:  # whatever a damaged archive makes of its readers
            raise ValueError(
                f"expected a credal partition written by CredalPartition.save, got {source}: {error}"
            ) from error


def _unpacked(contents: bytes) -> tuple[np.ndarray, FocalSets]:
    """Masses and focal sets from the bytes of a file that `save` wrote; others raise many kinds of errors."""
    if contents[:2] != b"PK":
        raise ValueError("no archive of arrays")
    with np.load(BytesIO(contents), allow_pickle=False) as arrays:
        if "format" not in arrays or str(arrays["format"]) != FORMAT:
            raise ValueError(f"an archive of other arrays, without the format {FORMAT!r}")
        return arrays["masses"], FocalSets.from_membership(arrays["membership"])


def _validated(masses: ArrayLike, focal_sets: FocalSets) -> np.ndarray:
    """A read-only float copy of the masses with rows on the simplex, or an error."""
    try:
        M = np.array(masses, dtype=float, order="C")
    except (TypeError, ValueError):
        raise TypeError(
            f"expected masses as a numeric array of shape (n, f), got {type(masses).__name__}"
        ) from None
    if M.ndim != 2 or M.shape[1] != len(focal_sets) or M.shape[0] == 0:
        raise ValueError(
            f"expected masses of shape (n, {len(focal_sets)}) with n >= 1, got shape {M.shape} "
            f"for {len(focal_sets)} focal sets"
        )
    _refuse(~np.isfinite(M).all(axis=1), M, "finite masses")
    _refuse((M < -NEGATIVE_TOLERANCE).any(axis=1), M, "masses of at least 0")
    M[M <= 0] = 0.0
    _refuse(np.abs(M.sum(axis=1) - 1) > SUM_TOLERANCE, M, "masses that sum to 1")
    return _read_only(M)


def _refuse(bad: np.ndarray, M: np.ndarray, expected: str) -> None:
    if not bad.any():
        return
    row = int(bad.argmax())
    more = f" ({int(bad.sum())} such rows)" if bad.sum() > 1 else ""
    got = f"minimum {M[row].min():.6g}, sum {M[row].sum():.10g}"
    raise ValueError(f"expected {expected}, got {got} in row {row}{more}")


def _read_only(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array

"""The mass function of one object, as ``partition[name]`` returns it."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np

from . import transforms
from .focal import FocalSets, set_label

SMALLEST = 0.005  # masses that would print as 0.00 are not listed
LISTED = 8  # at most this many focal sets, those of largest mass


@dataclass(frozen=True, eq=False, repr=False)
class MassFunction:
    """Masses of one object on focal sets; made by `CredalPartition`, immutable.

    Parameters
    ----------
    masses : array of shape (f,)
        Masses in [0, 1] of sum 1; read-only.
    focal_sets : FocalSets
        The f sets.
    name : hashable
        Name of the object, or its number from 0.

    Examples
    --------
    >>> from credalbench.belief import CredalPartition
    >>> focal_sets = FocalSets.from_sets(3, [[], [0], [0, 1]])
    >>> anna = CredalPartition([[0.08, 0.3, 0.62]], focal_sets, ["Anna"])["Anna"]
    >>> anna
    MassFunction('Anna': {1,2} 0.62, {1} 0.30, ∅ 0.08)
    >>> round(anna.mass({0}), 2), round(anna.belief({0, 1}), 2), round(anna.plausibility({1}), 2)
    (0.3, 0.92, 0.62)
    """

    masses: np.ndarray
    focal_sets: FocalSets
    name: Hashable

    def mass(self, A: Iterable[int]) -> float:
        """Return m(A).

        Parameters
        ----------
        A : iterable of int, or bool array of shape (c,)
            Cluster numbers from 0; they need not form a focal set.

        Returns
        -------
        float
            In [0, 1]; 0 if A is not a focal set.
        """
        place = self.focal_sets.positions(self.focal_sets.mask_of(A))
        return float(self.masses[place]) if place >= 0 else 0.0

    def belief(self, A: Iterable[int]) -> float:
        """Return Bel(A) (see `CredalPartition.belief`).

        Parameters
        ----------
        A : iterable of int, or bool array of shape (c,)
            Cluster numbers from 0.

        Returns
        -------
        float
            In [0, 1].
        """
        return float(transforms.belief(self.masses, self.focal_sets, A))

    def plausibility(self, A: Iterable[int]) -> float:
        """Return Pl(A) (see `CredalPartition.plausibility`).

        Parameters
        ----------
        A : iterable of int, or bool array of shape (c,)
            Cluster numbers from 0.

        Returns
        -------
        float
            In [0, 1].
        """
        return float(transforms.plausibility(self.masses, self.focal_sets, A))

    def __str__(self) -> str:
        """Return the sets of largest mass: ``{1,2} 0.62, {1} 0.30, ∅ 0.08``."""
        order = np.argsort(-self.masses, kind="stable")[:LISTED]
        listed = [j for j in order if self.masses[j] >= SMALLEST]
        members, c = self.focal_sets.membership, self.focal_sets.n_clusters
        names = [set_label(np.flatnonzero(members[j]), c) for j in listed]
        words = [f"{name} {self.masses[j]:.2f}" for name, j in zip(names, listed)]
        rest = 1 - float(self.masses[listed].sum())
        return ", ".join(words if rest < SMALLEST else [*words, f"other sets {rest:.2f}"])

    def __repr__(self) -> str:
        return f"MassFunction({self.name!r}: {self})"

    def _repr_html_(self) -> str:
        from .display import mass_function_html

        return mass_function_html(self)

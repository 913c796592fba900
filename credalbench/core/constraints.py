"""Pairwise constraints: pairs of objects that must, or cannot, be in the same cluster.

A *must-link* states that two objects belong to the same cluster, a *cannot-link* that they do not
[wagstaff2001]. Each has a certainty in (0, 1]. A constraint of certainty 1 is *certain*, any other is *soft*,
as the conclusion of [antoine2012_cecm] proposes. Must-links are transitive, and a cannot-link between two
objects extends to all objects that must be in the same cluster as either (``closure``). Constraints can
therefore contradict each other through a chain. A contradiction among certain constraints raises an error
that names the chain, unless a soft method allows it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Iterable, Sized
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from credalbench.core.arguments import as_array, expect, expect_count, expect_partners
from credalbench.core.names import NUMBERED, as_index, name_of, rows_of
from credalbench.core.resources import user_stacklevel, within_cross_validation

if TYPE_CHECKING:
    import pandas as pd
    from scipy.sparse import csr_array

NO_PAIRS = np.empty((0, 2), dtype=np.int64)
CHAINS_SHOWN = 5


@dataclass(frozen=True, eq=False, repr=False)
class PairwiseConstraints:
    """Validated must-links and cannot-links between objects.

    Parameters
    ----------
    n_objects : int
        Number of objects n.
    must_link, cannot_link : (m, 2) and (q, 2) arrays, optional
        Pairs of different objects, in an array, a data frame or any collection of pairs: by their rows, in
        0..n_objects - 1, or by their names, if there is an `index`. The order within a pair does not matter.
        A repeated pair counts once, with its largest weight. The attributes are sorted, read-only int arrays
        of rows.
    must_link_weights, cannot_link_weights : (m,) and (q,) arrays, optional
        Certainty of each pair, in (0, 1]; 1 by default.
    index : pandas.Index or sequence of n names, optional
        Names of the objects. An integer is a name if names are numbers, otherwise a row.
    allow_contradictions : bool, default False
        Whether certain constraints may contradict each other; `contradictions` then names them.

    Raises
    ------
    ValueError
        If objects do not exist or are equal, several objects have the same name, weights are outside (0, 1]
        or have another length, or certain constraints contradict each other. The message then names each
        chain, as in ``cannot-link 0, 4; but must-links 0 - 2 - 4``.

    Notes
    -----
    O(n + (m + q) log(m + q)). Two instances are equal only if they are identical; compare their arrays.

    Examples
    --------
    >>> constraints = PairwiseConstraints(5, must_link=[(0, 1), (1, 2)], cannot_link=[(2, 3)])
    >>> constraints
    PairwiseConstraints(n_objects=5, 2 must-links, 1 cannot-link)
    >>> constraints.closure().cannot_link.tolist()
    [[0, 3], [1, 3], [2, 3]]
    """

    n_objects: int
    must_link: np.ndarray = None
    cannot_link: np.ndarray = None
    must_link_weights: np.ndarray = None
    cannot_link_weights: np.ndarray = None
    index: pd.Index | None = None
    allow_contradictions: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_objects", expect_count("n_objects", self.n_objects, 1))
        object.__setattr__(self, "index", as_index(self.index, self.n_objects))
        for kind in ("must_link", "cannot_link"):
            weights = getattr(self, f"{kind}_weights")
            pairs = getattr(self, kind)
            if self.index is not None and pairs is not None:
                pairs = _rows(kind, pairs, self.index)
            pairs, weights = _checked(kind, self.n_objects, pairs, weights)
            pairs.flags.writeable = weights.flags.writeable = False  # otherwise checks could be undone
            object.__setattr__(self, kind, pairs)
            object.__setattr__(self, f"{kind}_weights", weights)
        if not self.allow_contradictions:
            self._refuse_contradictions()

    @classmethod
    def of_fit(
        cls,
        n_objects: int,
        *links: Iterable | None,
        index: pd.Index | None,
        allow_contradictions: bool = False,
    ) -> PairwiseConstraints:
        """Return the constraints of a fit; in a cross-validation of scikit-learn, those among its objects.

        A fold is given all constraints. Elsewhere, a name that is not in the data is an error.

        Parameters
        ----------
        n_objects : int
            Number of objects n.
        *links : must_link, cannot_link and, optionally, the weights of both
            As in the constructor.
        index : pandas.Index or None
            Names of the objects. None: pairs are rows, and all are kept.
        allow_contradictions : bool, default False
            As in the constructor.

        Returns
        -------
        PairwiseConstraints
            Constraints of the objects of the fit.

        Warns
        -----
        UserWarning
            If pairs are left out, in a cross-validation; the message names the first.
        """
        must, cannot, must_weights, cannot_weights = (*links, None, None, None)[:4]
        if index is not None and within_cross_validation():
            must, must_weights = _present("must_link", must, must_weights, index)
            cannot, cannot_weights = _present("cannot_link", cannot, cannot_weights, index)
        return cls(n_objects, must, cannot, must_weights, cannot_weights, index, allow_contradictions)

    @classmethod
    def from_labels(cls, labels: ArrayLike, pairs: Iterable) -> PairwiseConstraints:
        """Return the constraints that true labels imply for pairs of objects.

        Parameters
        ----------
        labels : (n,) array
            Labels; equal labels give must-links, different labels cannot-links.
        pairs : (m, 2) array
            Pairs of different objects.

        Returns
        -------
        PairwiseConstraints
            All of them certain.

        Raises
        ------
        ValueError
            If labels are not an (n,) array, a label in a pair is NaN, or pairs are wrong.

        Examples
        --------
        >>> PairwiseConstraints.from_labels([0, 0, 1], [(0, 1), (1, 2)])
        PairwiseConstraints(n_objects=3, 1 must-link, 1 cannot-link)
        """
        labels = np.asarray(labels)
        expect(labels.ndim == 1, "labels of shape (n,)", labels.shape)
        pairs, _ = _checked("pairs", len(labels), pairs, None)
        unknown = pairs[labels[pairs] != labels[pairs]].tolist()
        expect(not unknown, "labels other than NaN for all objects in pairs", f"NaN for {unknown[:5]}")
        same = labels[pairs[:, 0]] == labels[pairs[:, 1]]
        return cls(len(labels), must_link=pairs[same], cannot_link=pairs[~same])

    def __len__(self) -> int:
        """Return the number of constraints, must-links and cannot-links together."""
        return len(self.must_link) + len(self.cannot_link)

    def __reduce__(self) -> tuple[Callable, tuple]:
        # Rebuild instead of copying: numpy forgets the read-only flag when copying and pickling.
        weights = (self.must_link_weights, self.cannot_link_weights)
        return _by_rows, (self.n_objects, self.must_link, self.cannot_link, *weights, self.index)

    def __repr__(self) -> str:
        counts = [
            f"{len(pairs)} {kind}{'' if len(pairs) == 1 else 's'}"
            for kind, pairs in (("must-link", self.must_link), ("cannot-link", self.cannot_link))
        ]
        return f"PairwiseConstraints(n_objects={self.n_objects}, {', '.join(counts)})"

    @property
    def constrained(self) -> np.ndarray:
        """Whether each object is in some constraint, (n,) bool."""
        inside = np.zeros(self.n_objects, dtype=bool)
        inside[self.must_link.ravel()] = inside[self.cannot_link.ravel()] = True
        return inside

    def components(self) -> np.ndarray:
        """Group the objects that the certain must-links join.

        Returns
        -------
        (n,) int array
            The group of each object.
        """
        return connected_components(self._must_link_graph(), directed=False)[1]

    def closure(self) -> PairwiseConstraints:
        """Return these constraints and all that the certain ones imply.

        The certain must-links imply all pairs within the groups that they join, a certain cannot-link implies
        all pairs between two groups: O(n^2) pairs in the worst case. Soft constraints imply nothing.

        Returns
        -------
        PairwiseConstraints
            Contains these constraints.

        Raises
        ------
        ValueError
            If certain constraints contradict each other, since contradictions imply everything.
        """
        self._refuse_contradictions()
        component = self.components()
        members = np.split(
            np.argsort(component, kind="stable"), np.cumsum(np.bincount(component))[:-1]
        )  # by group
        must = [pairs_within(group) for group in members if len(group) > 1]
        linked = component[self.cannot_link[self.cannot_link_weights == 1]]
        groups = np.unique(np.sort(linked, axis=1), axis=0)
        cannot = [pairs_between(members[a], members[b]) for a, b in groups]
        soft_must, soft_cannot = self.must_link_weights < 1, self.cannot_link_weights < 1
        must, cannot = np.vstack([NO_PAIRS, *must]), np.vstack([NO_PAIRS, *cannot])
        return _by_rows(
            self.n_objects,
            np.vstack([must, self.must_link[soft_must]]),
            np.vstack([cannot, self.cannot_link[soft_cannot]]),
            np.r_[np.ones(len(must)), self.must_link_weights[soft_must]],
            np.r_[np.ones(len(cannot)), self.cannot_link_weights[soft_cannot]],
            self.index,
        )

    def expanded(self, neighbors: ArrayLike, distances: ArrayLike) -> PairwiseConstraints:
        """Return these constraints and, for each, those between the nearest neighbours of its objects.

        For a constraint on a and b, let a' be a or a neighbour of a, and b' be b or a neighbour of b. The k
        pairs (a', b') with the smallest sums of distances from a to a' and from b to b' get the same
        constraint [li2018]. O(q k^2 log k) for q constraints.

        Parameters
        ----------
        neighbors : (n, k) int array
            Rows of the k nearest other objects of each object, as scikit-learn's
            ``NearestNeighbors.kneighbors()`` returns them.
        distances : (n, k) array
            Distances to these objects.

        Returns
        -------
        PairwiseConstraints
            Contains these constraints, and may have contradictions (see `contradictions`).

        Raises
        ------
        ValueError
            If the arrays are not (n, k), a neighbour does not exist or is the object itself, or a distance is
            negative or not finite.
        """
        neighbors, distances = np.asarray(neighbors), np.asarray(distances, dtype=float)
        n, own = self.n_objects, np.arange(self.n_objects)[:, None]
        expect(
            neighbors.ndim == 2 and neighbors.shape == distances.shape and len(neighbors) == n,
            f"neighbors and distances of shape ({n}, k)",
            (neighbors.shape, distances.shape),
        )
        expect_partners(neighbors, n)
        valid = np.isfinite(distances) & (distances >= 0)
        expect(valid.all(), "finite distances >= 0", distances[~valid][:1])
        near, far = np.hstack([own, neighbors]), np.hstack([np.zeros((n, 1)), distances])
        must = _expanded(self.must_link, self.must_link_weights, near, far)
        cannot = _expanded(self.cannot_link, self.cannot_link_weights, near, far)
        links = must[0], cannot[0], must[1], cannot[1], self.index
        return _by_rows(n, *links)

    def violated(self, labels: ArrayLike) -> PairwiseConstraints:
        """Return the constraints that a partition violates.

        Parameters
        ----------
        labels : (n,) array
            Cluster of each object.

        Returns
        -------
        PairwiseConstraints
            A subset of these constraints.

        Raises
        ------
        ValueError
            If labels have another shape.

        Examples
        --------
        >>> PairwiseConstraints(3, [(0, 1)], [(1, 2)]).violated([0, 1, 1])
        PairwiseConstraints(n_objects=3, 1 must-link, 1 cannot-link)
        """
        labels = np.asarray(labels)
        expect(labels.shape == (self.n_objects,), f"labels of shape ({self.n_objects},)", labels.shape)
        if not len(self):
            return self
        apart = labels[self.must_link[:, 0]] != labels[self.must_link[:, 1]]
        together = labels[self.cannot_link[:, 0]] == labels[self.cannot_link[:, 1]]
        return _by_rows(
            self.n_objects,
            self.must_link[apart],
            self.cannot_link[together],
            self.must_link_weights[apart],
            self.cannot_link_weights[together],
            self.index,
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a table with a row for each constraint, must-links first.

        Returns
        -------
        pandas.DataFrame
            ``constraint``, "must-link" or "cannot-link"; ``first`` and ``second``, the objects by name, or by
            row if there are no names; ``weight``, its certainty.
        """
        import pandas as pd

        pairs = np.vstack([self.must_link, self.cannot_link])
        first, second = ([name_of(i, self.index) for i in column] for column in pairs.T)
        kinds = ["must-link"] * len(self.must_link) + ["cannot-link"] * len(self.cannot_link)
        weights = np.r_[self.must_link_weights, self.cannot_link_weights]
        return pd.DataFrame({"constraint": kinds, "first": first, "second": second, "weight": weights})

    def _must_link_graph(self) -> csr_array:
        """Return the certain must-links as a sparse symmetric (n, n) graph."""
        i, j = self.must_link[self.must_link_weights == 1].T
        both = (np.ones(2 * len(i)), (np.r_[i, j], np.r_[j, i]))
        return coo_array(both, shape=(self.n_objects, self.n_objects)).tocsr()

    def contradictions(self) -> str:
        """Describe the certain cannot-links whose objects the certain must-links join.

        Returns
        -------
        str
            The first few, each with its chain, as in ``cannot-link 0, 4; but must-links 0 - 2 - 4``. Empty
            if there are none.
        """
        if not len(self.cannot_link):
            return ""
        graph = self._must_link_graph()
        component = connected_components(graph, directed=False)[1]
        certain = self.cannot_link[self.cannot_link_weights == 1]
        joined = certain[component[certain[:, 0]] == component[certain[:, 1]]]
        if not len(joined):
            return ""
        shown = ". ".join(
            f"cannot-link {name_of(i, self.index)}, {name_of(j, self.index)}; but must-links "
            + " - ".join(str(name_of(k, self.index)) for k in _chain(graph, i, j))
            for i, j in joined[:CHAINS_SHOWN]
        )
        more = f". And {len(joined) - CHAINS_SHOWN} more" if len(joined) > CHAINS_SHOWN else ""
        return shown + more

    def _refuse_contradictions(self) -> None:
        contradictions = self.contradictions()
        if contradictions:
            raise ValueError(f"expected constraints without contradiction, got: {contradictions}")


def random_pairs(n_objects: int, size: int, rng: np.random.Generator | np.random.RandomState) -> np.ndarray:
    """Draw distinct pairs of objects uniformly from all n (n - 1) / 2 pairs.

    Parameters
    ----------
    n_objects : int
        Number of objects n, at least 0.
    size : int
        Number of pairs, at most n (n - 1) / 2.
    rng : Generator or RandomState
        A Generator needs O(size) memory; a RandomState permutes all pairs, in O(n^2).

    Returns
    -------
    (size, 2) int array
        The smaller index of each pair is on the left.

    Raises
    ------
    ValueError
        If there are fewer pairs than `size`, a number is not an integer, or `rng` is a seed.

    Examples
    --------
    >>> random_pairs(1000, 3, np.random.default_rng(0)).shape
    (3, 2)
    """
    n_objects = expect_count("n_objects", n_objects, 0)
    size = expect_count("size", size, 0, n_objects * (n_objects - 1) // 2, "number of pairs")
    expect(hasattr(rng, "choice"), "rng as a numpy Generator or RandomState", rng)
    total = n_objects * (n_objects - 1) // 2
    ranks = rng.choice(total, size, replace=False)
    # pair (i, j), i < j, has rank j (j - 1) / 2 + i
    j = ((1 + np.sqrt(1.0 + 8.0 * ranks)) / 2).astype(np.int64)
    j -= j * (j - 1) // 2 > ranks  # where rounding went up,
    j += j * (j + 1) // 2 <= ranks  # or down: from about 3e7 objects on
    return np.column_stack([ranks - j * (j - 1) // 2, j])


def _by_rows(
    n_objects: int,
    must_link: np.ndarray,
    cannot_link: np.ndarray,
    must_link_weights: np.ndarray,
    cannot_link_weights: np.ndarray,
    index: pd.Index | None,
) -> PairwiseConstraints:
    """Return constraints from pairs of rows, whatever the names in the `index`."""
    links = must_link, cannot_link, must_link_weights, cannot_link_weights
    found = PairwiseConstraints(n_objects, *links, allow_contradictions=True)  # as the given ones may
    object.__setattr__(found, "index", index)
    return found


def _present(
    kind: str, pairs: Iterable | None, weights: ArrayLike | None, index: pd.Index
) -> tuple[Iterable | None, ArrayLike | None]:
    """Return pairs, and their weights, without those that name objects outside the `index`, and warn."""
    if pairs is None:
        return pairs, weights
    array = isinstance(pairs, np.ndarray) or hasattr(pairs, "to_numpy")
    if not array and isinstance(pairs, Iterable) and not isinstance(pairs, str):
        pairs = list(pairs)  # a set, zip or generator is read twice
    try:
        _rows(kind, pairs, index)
    except ValueError:  # for any reason: the remaining pairs are checked again
        listed = list(pairs.to_numpy() if hasattr(pairs, "to_numpy") else pairs)
        known = [_may_exist(pair, index) for pair in listed]
        if all(known) or (weights is not None and as_array("weights", weights).shape != (len(listed),)):
            return pairs, weights
        first = listed[known.index(False)]
        warnings.warn(
            f"{known.count(False)} of {len(listed)} pairs in {kind} are left out: they name objects that are "
            f"not in X, such as {' - '.join(map(str, first))}",
            UserWarning,
            stacklevel=user_stacklevel(),
        )
        pairs = [pair for pair, here in zip(listed, known) if here]
        weights = None if weights is None else np.asarray(weights)[known]
    return pairs, weights


def _may_exist(pair: Iterable, index: pd.Index) -> bool:
    """Return whether each item of a pair is a name in the `index`, a row number, or not a name at all."""
    named = isinstance(pair, tuple | list | np.ndarray) and len(pair) == 2
    by_number = index.inferred_type not in NUMBERED
    return not named or all(
        name in index or not isinstance(name, Hashable) or (by_number and isinstance(name, Integral))
        for name in pair
    )


def _rows(kind: str, pairs: Iterable, index: pd.Index) -> np.ndarray:
    """Return pairs of rows (m, 2) from pairs of names."""
    listed = isinstance(pairs, Iterable) and not isinstance(pairs, str) and getattr(pairs, "ndim", 2) > 0
    expect(listed, f"{kind} as an array", pairs)
    pairs = list(pairs.to_numpy() if hasattr(pairs, "to_numpy") else pairs)
    for pair in pairs:
        two = isinstance(pair, Sized) and not isinstance(pair, str) and len(pair) == 2
        expect(two, f"pairs of objects in {kind}", pair)
    try:
        rows = rows_of([name for pair in pairs for name in pair], index, len(index))
    except (TypeError, ValueError) as error:  # names of wrong type, or unknown ones
        raise ValueError(f"{error} in {kind}") from None
    return rows.reshape(-1, 2)


def _checked(
    kind: str, n: int, pairs: Iterable | None, weights: Iterable | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs as a sorted (m, 2) array without repetitions, and their weights (m,)."""
    if pairs is None and weights is None:
        return NO_PAIRS.copy(), np.empty(0)
    given = _as_array(kind, NO_PAIRS if pairs is None else pairs)
    given = NO_PAIRS if given.shape[:1] == (0,) else given
    if given.ndim != 2 or given.shape[1] != 2:
        raise ValueError(f"expected {kind} of shape (m, 2), got {given.shape}")
    if given.dtype.kind not in "iu":
        hint = "; names of objects need a DataFrame with these names" if given.dtype.kind in "OU" else ""
        raise ValueError(f"expected integer indices in {kind}, got {given.dtype}{hint}")
    unknown = given[(given < 0) | (given >= n)]
    if unknown.size:
        raise ValueError(f"expected indices 0..{n - 1} in {kind}, got {unknown[:5].tolist()}")
    equal = given[given[:, 0] == given[:, 1], 0]
    if equal.size:
        raise ValueError(f"expected pairs of different objects in {kind}, got {equal[0]} with itself")
    weights = np.ones(len(given)) if weights is None else _as_array(f"{kind}_weights", weights)
    expect(weights.size == 0 or weights.dtype.kind in "iuf", f"numbers in {kind}_weights", weights.dtype)
    if weights.shape != (len(given),):
        raise ValueError(f"expected {kind}_weights of shape ({len(given)},), got {weights.shape}")
    if not np.all((weights > 0) & (weights <= 1)):
        raise ValueError(f"expected {kind}_weights in (0, 1], got {weights.tolist()[:5]}")
    pairs, place = np.unique(np.sort(given.astype(np.int64), axis=1), axis=0, return_inverse=True)
    largest = np.zeros(len(pairs))
    np.maximum.at(largest, place.ravel(), weights)
    return pairs, largest


def _as_array(kind: str, values: Iterable) -> np.ndarray:
    """Return `values` as an array; convert objects that are all integers (pandas' nullable ones)."""
    expect(isinstance(values, Iterable) and not isinstance(values, str), f"{kind} as an array", values)
    if not hasattr(values, "__array__") and not isinstance(values, list | tuple):
        values = list(values)  # a set, zip or generator
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"expected {kind} as a regular array, got rows of different lengths") from None
    if array.dtype == object and all(isinstance(v, Integral) and not isinstance(v, bool) for v in array.flat):
        return array.astype(np.int64)
    return array


def _chain(graph: csr_array, i: int, j: int) -> list[int]:
    """Return the shortest chain of must-links from i to j."""
    before = breadth_first_order(graph, i, directed=False)[1]
    chain = [int(j)]
    while chain[-1] != i:
        chain.append(int(before[chain[-1]]))
    return chain[::-1]


def _expanded(
    pairs: np.ndarray, weights: np.ndarray, near: np.ndarray, far: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs, the k nearest pairs to each among neighbours of its objects, and all their weights."""
    width = near.shape[1]
    found = [pairs]
    for a, b in pairs.tolist():
        sums = np.add.outer(far[a], far[b]).ravel()
        order = 1 + np.argsort(sums[1:], kind="stable")[: width - 1]  # 0 is the pair itself
        found.append(np.column_stack([near[a][order // width], near[b][order % width]]))
    every = np.vstack(found)
    weights = np.concatenate([weights, np.repeat(weights, width - 1)])
    different = every[:, 0] != every[:, 1]
    return every[different], weights[different]


def pairs_within(group: np.ndarray) -> np.ndarray:
    """Return all pairs of a (k,) group of indices: (k (k - 1) / 2, 2)."""
    return group[np.column_stack(np.triu_indices(len(group), 1))]


def pairs_between(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return all pairs of an index in `first` and an index in `second`."""
    return np.column_stack([np.repeat(first, len(second)), np.tile(second, len(first))])


def warn_of_contradictions(constraints: PairwiseConstraints) -> None:
    """Warn if no partition can satisfy all certain constraints, and name the chains."""
    contradictions = constraints.contradictions()
    if contradictions:
        warnings.warn(
            f"constraints contradict each other: {contradictions}. The fit violates those that cost least",
            UserWarning,
            stacklevel=user_stacklevel(),
        )

"""Transitive closures of fuzzy relations, and of relational masses, which consist of two relations.

A relation R between objects is *T-transitive* if T(R(x, y), R(y, z)) <= R(x, z) for any three of them; its
closure is the smallest T-transitive relation that contains it. The closure joins x and z as strongly as the
strongest path between them, whose links T combines into one degree. For a reflexive and symmetric relation,
R(x, x) = 1 and R(x, z) = R(z, x), there are three algorithms, depending on the t-norm:

* the *minimum*: a path is as strong as its weakest link, and the strongest path lies in a maximal spanning
  tree. O(n^2), the size of the result [lee2001];
* any other *name*: a generator turns degrees into lengths, and the strongest path is the shortest one.
  O(n^3), in compiled loops;
* a *function*: R is composed with itself until nothing changes. O(n^3 log n), in numpy.

The closure of an intuitionistic fuzzy relation consists of two closures: that of the degrees of membership
and that of the degrees of "not surely different" [li2014].
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from credalbench.belief import RelationalMasses
from credalbench.belief.relations.t_norms import TNorm
from credalbench.belief.relations.t_norms import t_norm as as_t_norm
from credalbench.core.arguments import as_floats, expect, expect_count, expect_instance
from credalbench.core.kernels import kernel, pieces, warm_up
from credalbench.core.progress import track_step
from credalbench.core.resources import expect_memory, warn_if_slow
from credalbench.core.threads import threads

ROUNDING = 1e-9  # largest distance of a given relation from [0, 1] and from symmetry
ENTRIES = 1 << 17  # entries of a matrix in work at a time: 1 MiB
PATH_GAIN = 6  # sums and minima of the compiled loops that a core computes per multiplication of `SPEED`
CALL = 4  # approximate cost of a value of a t-norm in numpy, in multiplications
SMALLER = "the t-norm 'minimum', which takes n^2 operations, or fewer objects"
BLOCK = 64  # objects added at a time
TILE = 512  # columns at a time: 256 KiB of the panel, of which four rows and one of D lie in the first cache
SHARES = 4  # factor by which pieces are smaller than interrupts require: each thread gets some


def transitive_closure(
    R: ArrayLike, t_norm: str | TNorm | Callable = "minimum", parameter: float | None = None
) -> np.ndarray:
    """Compute the smallest T-transitive relation that contains a fuzzy relation [li2020_ensemble (13)].

    Parameters
    ----------
    R : (n, n) array
        Degrees in [0, 1], symmetric, 1 on the diagonal. Deviations of 1e-9 count as rounding.
    t_norm : str, TNorm or callable, default "minimum"
        One of `T_NORMS`, or a function of two arrays of degrees.
    parameter : float, optional
        Parameter of a t-norm that has one.

    Returns
    -------
    (n, n) array
        At least `R`, exactly symmetric, 1 on the diagonal. Under the minimum its entries are entries of `R`.

    Raises
    ------
    ValueError
        If R is not such a relation, or there is no such t-norm or parameter.
    NotEnoughMemory
        If the arrays do not fit into memory. The error is a ValueError and a MemoryError.

    Warns
    -----
    UserWarning
        If the computation is expected to take more than half a minute.

    Notes
    -----
    O(n^2) for the minimum. All other names need n^3 / 2 sums and minima, on all available threads, with the
    same result for any number of threads. A function needs n^3 log n evaluations. The memory is that of the
    result, and two more (n, n) arrays for a function or if the relation is rounded.

    References
    ----------
    [li2020_ensemble], [lee2001], [venkataraman2003]

    Examples
    --------
    >>> R = [[1.0, 0.8, 0.1], [0.8, 1.0, 0.6], [0.1, 0.6, 1.0]]
    >>> [round(float(transitive_closure(R, T)[0, 2]), 2) for T in ("minimum", "product", "lukasiewicz")]
    [0.6, 0.48, 0.4]
    """
    norm = as_t_norm(t_norm, parameter)
    R = as_relation(R)
    expect_memory(24 * R.size, f"powers of a relation of {len(R)} objects", "fewer objects")
    if norm.kind == "minimum":
        return closure_by_bottlenecks(R)
    if norm.kind == "function":
        return closure_by_squaring(R, norm)
    return closure_by_paths(R, norm)


def close_masses(
    masses: RelationalMasses, t_norm: str | TNorm | Callable = "minimum", parameter: float | None = None
) -> RelationalMasses:
    """Make relational masses transitive.

    [li2020_ensemble (17a)], [li2020_ensemble (17b)], [li2020_ensemble (17c)].

    The function closes two relations: the belief of "same cluster" and its plausibility, one minus the belief
    of "different clusters". The closures keep their order and are masses again.

    Parameters
    ----------
    masses : RelationalMasses
        Masses of all pairs, (n, n), symmetric, without mass on the empty set; "same" on the diagonal.
    t_norm : str, TNorm or callable, default "minimum"
        See `transitive_closure`.
    parameter : float, optional
        Parameter of a t-norm that has one.

    Returns
    -------
    RelationalMasses
        Symmetric (n, n) arrays. "same" does not decrease, "different" does not increase.

    Raises
    ------
    ValueError
        As in `transitive_closure`, or if there is mass on the empty set.
    NotEnoughMemory
        If the arrays do not fit into memory. The error is a ValueError and a MemoryError.

    Notes
    -----
    Twice the time of `transitive_closure`, and at most four (n, n) arrays besides the `masses`.

    References
    ----------
    [li2020_ensemble], [li2014]

    Examples
    --------
    >>> from credalbench.belief.relations import combine_partitions
    >>> close_masses(combine_partitions([[0, 0, 1], [1, 0, 0]])).same[0, 2].round(2)
    np.float64(0.5)
    """
    expect_instance("masses", masses, RelationalMasses)
    empty = float(np.max(masses.empty, initial=0.0))
    expect(empty <= ROUNDING, "normalised masses, without mass on the empty set", empty)
    n = len(masses.same)
    expect_memory(32 * n**2, f"two relations of {n} objects", "fewer objects")
    with track_step("closure"):
        believed = transitive_closure(masses.same, t_norm, parameter)
        possible = np.subtract(1.0, masses.different)
        possible = transitive_closure(np.maximum(possible, masses.same, out=possible), t_norm, parameter)
    np.maximum(possible, believed, out=possible)  # their order holds up to rounding
    return RelationalMasses(masses.empty, believed, 1.0 - possible, possible - believed)


def composition(
    R: ArrayLike, Q: ArrayLike, t_norm: str | TNorm | Callable = "minimum", parameter: float | None = None
) -> np.ndarray:
    """Compute max_z T(R(x, z), Q(z, y)) for all x and y [li2020_ensemble (12)].

    Parameters
    ----------
    R, Q : arrays of shape (a, m) and (m, b)
        Degrees in [0, 1].
    t_norm : str, TNorm or callable, default "minimum"
        See `transitive_closure`.
    parameter : float, optional
        Parameter of a t-norm that has one.

    Returns
    -------
    array of shape (a, b)
        Degrees in [0, 1].

    Raises
    ------
    ValueError
        If the shapes do not match, degrees are outside [0, 1], or there is no such t-norm.

    Notes
    -----
    O(a m b).

    Examples
    --------
    >>> composition([[0.8, 0.3]], [[0.5], [0.9]])
    array([[0.5]])
    """
    norm = as_t_norm(t_norm, parameter)
    R, Q = as_floats("R", R), as_floats("Q", Q)
    fit = R.ndim == Q.ndim == 2 and R.shape[1] == Q.shape[0]
    expect(fit, "relations (a, m) and (m, b)", (R.shape, Q.shape))
    for name, degrees in (("R", R), ("Q", Q)):
        inside = (degrees >= -ROUNDING) & (degrees <= 1.0 + ROUNDING)
        expect(inside.all(), f"degrees in [0, 1] in {name}", degrees[~inside][:1].tolist())
    composed = np.zeros((len(R), Q.shape[1]))
    step = max(1, ENTRIES // max(1, Q.shape[1]))
    for first, row in zip(R, composed):
        for begin in range(0, len(Q), step):
            joined = norm(first[begin : begin + step, None], Q[begin : begin + step])
            np.maximum(row, joined.max(axis=0), out=row)
    return composed


def strongest_path(
    R: ArrayLike, i: int, j: int, t_norm: str | TNorm | Callable = "minimum", parameter: float | None = None
) -> list[int]:
    """Return the objects of a strongest path from i to j, including both ends.

    Parameters
    ----------
    R : (n, n) array
        Relation (see `transitive_closure`).
    i, j : int
        Objects, 0 to n - 1.
    t_norm : str, TNorm or callable, default "minimum"
        See `transitive_closure`.
    parameter : float, optional
        Parameter of a t-norm that has one.

    Returns
    -------
    list of int
        The degrees of its links combine into the degree of the closure between i and j. Among equally strong
        paths, it is one whose initial parts are also strongest. The list is empty if no path joins the
        objects: their degree in the closure is 0.

    Raises
    ------
    ValueError
        As in `transitive_closure`, or if there are no such objects.

    Notes
    -----
    O(n^2), by Dijkstra's algorithm, which only requires that one more link never makes a path stronger.

    Examples
    --------
    >>> strongest_path([[1.0, 0.8, 0.1], [0.8, 1.0, 0.6], [0.1, 0.6, 1.0]], 0, 2)
    [0, 1, 2]
    """
    norm = as_t_norm(t_norm, parameter)
    R = as_relation(R)
    n = len(R)
    i, j = (expect_count(name, x, 0, n - 1, "n - 1") for name, x in (("i", i), ("j", j)))
    strength, previous = np.zeros(n), np.full(n, -1)
    strength[i] = 1.0
    is_open = np.ones(n, dtype=bool)
    while is_open[j]:
        k = int(np.where(is_open, strength, -1.0).argmax())
        is_open[k] = False
        through = norm(strength[k], R[k])
        better = is_open & (through > strength)
        strength[better], previous[better] = through[better], k
    if strength[j] == 0.0:
        return []
    path = [j]
    while path[-1] != i:
        path.append(int(previous[path[-1]]))
    return path[::-1]


# ---------------------------------------------------------------- three algorithms


def closure_by_bottlenecks(R: np.ndarray) -> np.ndarray:
    """Close a relation (n, n) under the minimum in O(n^2).

    Prim's algorithm adds the objects to a maximal spanning tree one by one. The strongest path between two
    objects is as strong as the weakest of the links by which the objects after the first one, up to the
    second one, were added.
    """
    n = len(R)
    order, links = spanning_order(R)
    closure = np.empty((n, n))
    row = np.empty(n)
    for place, x in enumerate(order):
        row[place] = 1.0
        np.minimum.accumulate(links[place + 1 :], out=row[place + 1 :])
        row[:place] = np.minimum.accumulate(links[place:0:-1])[::-1]
        closure[x, order] = row
    return closure


def spanning_order(R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the order in which Prim's algorithm adds objects to a maximal spanning tree, and their links.

    Both are (n,). The tree starts with object 0. The link of an object is its strongest to an earlier object;
    that of object 0 is 1.
    """
    n = len(R)
    order, links = np.zeros(n, dtype=np.intp), np.ones(n)
    reach, added = R[0].copy(), np.zeros(n)  # strongest links to the tree; 2 in the tree
    added[0] = 2.0
    for t in range(1, n):
        x = order[t] = np.subtract(reach, added).argmax()
        links[t] = reach[x]
        added[x] = 2.0
        np.maximum(reach, R[x], out=reach)
    return order, links


def closure_by_paths(R: np.ndarray, norm: TNorm) -> np.ndarray:
    """Close a relation (n, n) under a t-norm with a generator, by shortest paths in O(n^3).

    If the direct link is a strongest path, its degree does not change at all.
    """
    n = len(R)
    warn_if_slow(n**3 / 2 / PATH_GAIN, f"the closure of a relation of {n} objects", SMALLER)
    closure = np.empty((n, n))
    for rows in blocks(n):
        closure[rows] = norm.lengths(R[rows])
    shortest_paths(closure)
    for rows in blocks(n):
        paths, direct = closure[rows], R[rows]
        shorter = np.maximum(norm.degrees(paths), direct)
        closure[rows] = np.where(paths < norm.lengths(direct), shorter, direct)
    for rows in blocks(n):
        closure[rows, : rows.start] = closure[: rows.start, rows].T
        own = closure[rows, rows]
        closure[rows, rows] = np.triu(own) + np.triu(own, k=1).T
    return closure


def closure_by_squaring(R: np.ndarray, norm: TNorm) -> np.ndarray:
    """Close a relation (n, n) under any t-norm: square it until nothing changes."""
    n = len(R)
    doublings = max(1, (n - 1).bit_length())  # no path needs more than n - 1 links
    what = f"composing a relation of {n} objects with itself {doublings} times"
    warn_if_slow(CALL * n**3 * doublings, what, "a t-norm with a name, or fewer objects")
    closure = R.copy()
    for _ in range(doublings):
        squared = np.maximum(closure, composition(closure, closure, norm))
        squared = np.maximum(squared, squared.T)  # they differ by the rounding of the function
        if np.array_equal(squared, closure):
            break
        closure = squared
    return closure


# ---------------------------------------------------------------- shortest paths


def shortest_paths(D: np.ndarray) -> None:
    """Compute lengths of the shortest paths between all pairs, in place: the upper triangle of `D`.

    `D` (n, n) is C-contiguous and has the lengths of the direct links, at least 0, infinite without a link
    and 0 on the diagonal. The lower triangle is neither read nor written. The n^3 / 2 additions and minima
    are exact up to the rounding of sums, and the result is the same for any number of threads.

    Floyd's algorithm lets paths go through one more object at a time and passes over the whole matrix each
    time. This function adds a block of objects at a time [venkataraman2003]: it updates the rows of the
    block, its *panel*, first, and then all other pairs (i, j) at once, by

        D[i, j] <- min over k in the block of (panel[k, i] + panel[k, j]),

    which by symmetry needs no columns and only pairs i <= j. The matrix passes through memory n / BLOCK times
    instead of n times, and a tile of the panel stays in the cache for many rows. Threads share the rows; a
    minimum does not depend on the order of its terms.
    """
    n = len(D)
    with threads() as pool:
        for low in range(0, n, BLOCK):
            panel = updated_panel(D, low, min(low + BLOCK, n))
            ranges = pieces(0, n, SHARES * panel.size)
            tasks = [pool.submit(shorten_rows, begin, end, D, panel) for begin, end in ranges]
            for task in tasks:
                task.result()


@kernel
def updated_panel(D: np.ndarray, low: int, high: int) -> np.ndarray:
    """Compute shortest paths from the objects low..high-1 through these objects: (b, n), whole rows."""
    b, n = high - low, D.shape[0]
    links = np.empty((b, n))
    for r in range(b):
        i = low + r
        for j in range(i):
            links[r, j] = D[j, i]
        for j in range(i, n):
            links[r, j] = D[i, j]
    within = links[:, low:high].copy()
    for k in range(b):
        for i in range(b):
            for j in range(b):
                within[i, j] = min(within[i, j], within[i, k] + within[k, j])
    panel = links.copy()
    for left in range(0, n, TILE):
        right = min(left + TILE, n)
        for r in range(b):
            lower_to_sums(panel[r, left:right], within[r], links, left)
    return panel


@kernel(nogil=True)
def shorten_rows(begin: int, end: int, D: np.ndarray, panel: np.ndarray) -> None:
    """Let paths between i in begin..end-1 and j >= i go through the objects of the `panel` (b, n)."""
    b, n = panel.shape
    first = np.empty(b)
    for left in range(0, n, TILE):
        right = min(left + TILE, n)
        for i in range(begin, min(end, right)):
            for k in range(b):
                first[k] = panel[k, i]
            start = max(left, i)
            lower_to_sums(D[i, start:right], first, panel, start)


@kernel(nogil=True)
def lower_to_sums(row: np.ndarray, first: np.ndarray, panel: np.ndarray, left: int) -> None:
    """Lower ``row[j]`` to ``first[k] + panel[k, left + j]`` for every k. (m,), (b,), (b, n), in place.

    It processes four k at a time: a row of D is written once for four rows of the panel.
    """
    right = left + row.shape[0]
    b = first.shape[0]
    whole = b - b % 4
    for k in range(0, whole, 4):
        a0, a1, a2, a3 = first[k], first[k + 1], first[k + 2], first[k + 3]
        p0, p1 = panel[k, left:right], panel[k + 1, left:right]
        p2, p3 = panel[k + 2, left:right], panel[k + 3, left:right]
        for j in range(row.shape[0]):
            row[j] = min(row[j], a0 + p0[j], a1 + p1[j], a2 + p2[j], a3 + p3[j])
    for k in range(whole, b):
        a0, p0 = first[k], panel[k, left:right]
        for j in range(row.shape[0]):
            row[j] = min(row[j], a0 + p0[j])


@warm_up
def compile_shortest_paths() -> None:
    """Compile the kernels on three objects."""
    shortest_paths(1.0 - np.eye(3))


# ---------------------------------------------------------------- relations


def as_relation(R: ArrayLike) -> np.ndarray:
    """Return `R` as a reflexive and symmetric relation, which may be `R` itself; do not write to the result.

    Raises
    ------
    ValueError
        If R is not square or asymmetric, has degrees outside [0, 1] or NaN, or a diagonal that is not 1.
    """
    R = as_floats("a relation", R)
    square = R.ndim == 2 and R.shape[0] == R.shape[1] > 0
    expect(square, "a square matrix of degrees, for all pairs of objects", R.shape)
    low, high = float(R.min()), float(R.max())
    expect(low >= -ROUNDING and high <= 1.0 + ROUNDING, "degrees in [0, 1]", (low, high))
    diagonal = np.diag(R)
    away = float(np.abs(diagonal - 1.0).max())
    expect(away <= ROUNDING, "1 on the diagonal", diagonal)
    gap = max(float(np.abs(R[rows] - R[:, rows].T).max()) for rows in blocks(len(R)))
    expect(gap <= ROUNDING, "a symmetric relation", f"differences up to {gap:.3g}")
    if low >= 0 and high <= 1 and gap == away == 0:
        return R
    mean = R + R.T
    mean /= 2
    np.clip(mean, 0.0, 1.0, out=mean)
    np.fill_diagonal(mean, 1.0)
    return mean


def blocks(n: int) -> Iterator[slice]:
    """Yield slices of consecutive rows of an (n, n) array, with about `ENTRIES` entries each."""
    step = max(1, ENTRIES // n)
    for begin in range(0, n, step):
        yield slice(begin, min(begin + step, n))

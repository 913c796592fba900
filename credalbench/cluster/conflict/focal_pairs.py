r"""Choose the pairs of clusters that become focal sets, in two steps.

With c clusters there are c(c-1)/2 pairs, but only neighbouring clusters share ambiguous objects. A first run
on the empty set, the singletons and Omega shows which clusters are neighbours: those that are plausible
together for many objects. The pairs of mutual neighbours become focal sets of a second run that starts from
the masses of the first one.

Source: Section 5 of [denoeux2016_evclus]. The functions work for any credal partition, not only for those of
EVCLUS.

Where the paper leaves a choice
-------------------------------
* The "normalised plausibilities" of Eq. (25) are those of the masses after Dempster's normalisation,
  :math:`pl_{ij} / (1 - m_i(\emptyset))`. An object with :math:`m_i(\emptyset) = 1` has none and is left out.
  (As a vacuous object, it would add 1 to every similarity and not change their order.)
* A cluster is never its own neighbour, even if another cluster is more similar to it than it is to itself.
* If clusters are equally similar, the one with the lower number is nearer, so every cluster is in at most K
  pairs.
* Clusters that are not plausible together for any object, S = 0, are not neighbours, whatever K is.
"""

import numpy as np
import numpy.typing as npt

from credalbench.belief import BlockwisePartition, CredalPartition, FocalSets
from credalbench.belief.transforms import non_empty_mass
from credalbench.core.arguments import expect_count


def cluster_similarity(partition: CredalPartition) -> np.ndarray:
    r"""Return how much the c clusters of a partition overlap, (c, c): [denoeux2016_evclus (25)].

    .. math:: S(j, l) = \sum_{i=1}^n pl_{ij}\, pl_{il}

    with the plausibilities of the Dempster-normalised masses. Positive semi-definite, entries in [0, n]. A
    diagonal entry measures the size of a cluster; it need not be the largest of its row. O(n c (f + c)).
    """
    share = non_empty_mass(partition.masses, partition.focal_sets)[:, None]
    pl = np.divide(partition.contour, share, out=np.zeros_like(partition.contour), where=share > 0)
    return pl.T @ pl


def mutual_neighbors(similarity: npt.ArrayLike, n_neighbors: int = 1) -> list[tuple[int, int]]:
    """Return the pairs of clusters that are among each other's K most similar ones, for a (c, c) similarity.

    Pairs have the lower number first, in lexicographic order; the pairs for K are among those for K + 1. If
    clusters are equally similar to 12 digits, the one with the lower number is nearer. The diagonal is
    ignored.
    """
    nearness = np.array(similarity, dtype=float)
    c = len(nearness) if nearness.ndim else 0
    if nearness.shape != (c, c) or not np.isfinite(nearness).all():
        raise ValueError(f"expected a finite square matrix of similarities, got shape {nearness.shape}")
    n_neighbors = expect_count("n_neighbors", n_neighbors, 1, c - 1, "n_clusters - 1")
    digits, exponents = np.frexp(nearness)
    nearness = np.ldexp(np.round(digits, 12), exponents)  # ties if only rounding differs
    np.fill_diagonal(nearness, -np.inf)  # excluded from the ranking
    nearest = np.argsort(-nearness, axis=1, kind="stable")[:, :n_neighbors]
    chosen = np.zeros((c, c), dtype=bool)
    np.put_along_axis(chosen, nearest, True, axis=1)
    chosen &= nearness > 0
    return [(int(j), int(l)) for j, l in np.argwhere(np.triu(chosen & chosen.T))]


def add_pairs(partition: CredalPartition, n_neighbors: int = 1) -> CredalPartition:
    """Add the pairs of overlapping clusters to the focal sets of a partition.

    Parameters
    ----------
    partition : CredalPartition
        Usually on the empty set, the singletons and Omega; other focal sets are kept.
    n_neighbors : int, default 1
        K, between 1 and c - 1: a pair is added if each of its clusters is among the K clusters most similar
        to the other. 1 gives at most c / 2 pairs; c - 1 gives every pair that overlaps at all.

    Returns
    -------
    CredalPartition
        The same masses; the new sets have mass 0. If there is no new pair, the partition itself.

    Raises
    ------
    ValueError
        If `n_neighbors` is out of range.

    Notes
    -----
    The second step is a run from these masses on these sets. Give it the `random_state` (an integer) of the
    first run: EVCLUS draws its pairs of objects first, so it uses the same ones. With ``solver="irqp"`` and
    two-sided updates, or all pairs, the stress can then only decrease. Solvers that parametrise masses by
    softmax hardly leave a mass of 0.

    References
    ----------
    [denoeux2016_evclus], Section 5

    Examples
    --------
    >>> from credalbench.cluster import EVCLUS
    >>> from credalbench.datasets import make_t4
    >>> X = make_t4(200, 0).X
    >>> first = EVCLUS(4, n_pairs=50, random_state=0).fit(X)
    >>> richer = add_pairs(first.partition_, 2)
    >>> second = EVCLUS(
    ...     4, n_pairs=50, random_state=0, focal_sets=richer.focal_sets, init=richer.masses
    ... ).fit(X)
    >>> second.objective_ < first.objective_
    True
    """
    richer = with_pairs(partition, n_neighbors)
    return partition if richer is partition.focal_sets else partition.on(richer)


def with_pairs(partition: CredalPartition | BlockwisePartition, n_neighbors: int) -> FocalSets:
    """Return the focal sets of a partition (in blocks or not) after `add_pairs`."""
    blocks = isinstance(partition, BlockwisePartition)
    similarities = partition.map(cluster_similarity) if blocks else [cluster_similarity(partition)]
    focal_sets = partition.focal_sets
    pairs = mutual_neighbors(sum(similarities), n_neighbors)
    missing = [pair for pair in pairs if pair not in focal_sets]
    return focal_sets.union(FocalSets.from_sets(focal_sets.n_clusters, missing)) if missing else focal_sets

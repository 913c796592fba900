r"""Consensus: the credal partition whose masses of pairs are nearest to those of an ensemble.

For each pair of objects an ensemble gives its degrees of belief that both are in one cluster, s, in different
ones, ¬s, or either, Theta: normalised masses :math:`\hat m_{ij}`. The consensus consists of normalised masses
of the objects on given focal sets whose own masses of pairs :math:`m_{ij}` minimise

.. math:: S(M) = \sum_{i<j} (m_{ij} - \hat m_{ij})^T J (m_{ij} - \hat m_{ij}),
          \qquad J = \begin{pmatrix} 1 & 0 & 1/2 \\ 0 & 1 & 1/2 \\ 1/2 & 1/2 & 1 \end{pmatrix},

twice the sum of squared Jousselme distances. Three masses that sum to 1 differ by numbers that sum to 0, and
so two of them suffice:

.. math:: S(M) = \sum_{i<j} \big(m_{ij}(\{s\}) - \hat m_{ij}(\{s\})\big)^2
                 + \big(m_{ij}(\{\neg s\}) - \hat m_{ij}(\{\neg s\})\big)^2 .

That is the programme of ``pairwise/all_pairs.py`` for the relations S and C, or, if each object has only k
partners, of ``pairwise/sampled_pairs.py``: cyclic coordinate descent, one row of masses at a time, each by a
convex quadratic programme on the simplex.

Source: [li2020_ensemble], (18) to (29) and Algorithm 1. Deviations:

D1. The stopping rule uses S itself (``conflict/solvers.py``, D1 there): the sums of Algorithm 1 count each
    pair twice, except the first of them.
D2. There are several starts, and the run with the lowest stress is kept; the paper has one random start.
D3. The matrix of a row's programme is positive semi-definite, and not definite as the paper states: it is
    zero where no other object distinguishes focal sets. If there are several solutions, the one nearest to
    the previous row is taken.
D4. Minimising squares of distances does not maximise the credal Rand index (10), a sum of distances, as the
    paper states for (18) and (19); the index is reported with the stress.
D5. Pairs of objects may be sampled, as EVCLUS samples them.
D6. With three or more clusters, rotating masses about the axis of equal masses does not change the stress,
    and labels may depend on the start; the masses are therefore oriented (``starts.py``).
D7. Objects that no base distinguishes get equal labels: if their labels differ, each gets the mean of their
    masses.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from credalbench.belief import CredalPartition, FocalSets, RelationalMasses
from credalbench.belief.focal import resolve_focal_sets
from credalbench.belief.relational import pair_matrices, rand_against
from credalbench.cluster.conflict.focal_pairs import add_pairs
from credalbench.cluster.conflict.solvers import Trajectory, irqp
from credalbench.cluster.ensembles.starts import check_init, consensus_starts, is_rotatable, rotate
from credalbench.cluster.pairwise.all_pairs import PairwiseTargets
from credalbench.cluster.pairwise.sampled_pairs import SampledTargets
from credalbench.core.arguments import expect, expect_count
from credalbench.core.resources import expect_memory
from credalbench.core.threads import one_thread

BYTES_OF_ALL_PAIRS = 30  # targets, and what a start by linkage takes, for each entry of (n, n): measured
SLACK = 1e-9  # of masses above 1, by rounding
DIGITS = 9  # of masses of objects that no base distinguishes


class Search(NamedTuple):
    """One search for a consensus: its start, and the stress at the start and after each sweep.

    The stress (n_iter + 1,) never increases.
    """

    start: CredalPartition
    stress: np.ndarray


class Recovery(NamedTuple):
    """Result of `recovered`.

    Attributes
    ----------
    partition : CredalPartition
        Normalised: no mass on the empty set.
    first_partition : CredalPartition or None
        Result of the first of two runs; None if there was only one.
    searches : tuple of Search
        The runs that led to the partition, in order. The second starts at rotated masses, and the last at the
        result of the first of two runs.
    converged : bool
        Whether the last run reached its tolerance.
    credal_rand : float
        Credal Rand index of the partition and the masses of pairs, in [0, 1].
    """

    partition: CredalPartition
    first_partition: CredalPartition | None
    searches: tuple[Search, ...]
    converged: bool
    credal_rand: float

    @property
    def objective_trace(self) -> np.ndarray:
        """Stress at the start of the last run and after each of its sweeps, (n_iter + 1,)."""
        return self.searches[-1].stress


def recovered(
    relation: RelationalMasses,
    n_clusters: int,
    focal_sets: str | FocalSets = "simple",
    *,
    pair_neighbors: int | None = None,
    partners: np.ndarray | None = None,
    n_init: int = 1,
    init: str | npt.ArrayLike = "linkage",
    orient: bool = True,
    tol: float = 1e-5,
    max_iter: int = 1000,
    rng: np.random.RandomState,
) -> Recovery:
    """Find the credal partition nearest to masses of pairs [li2020_ensemble (19)] by Algorithm 1.

    Parameters
    ----------
    relation : RelationalMasses
        Normalised masses of all pairs, symmetric (n, n) arrays, n >= 2; or, with `partners`, of sampled
        pairs, (n, k) arrays. The diagonal is ignored.
    n_clusters, focal_sets
        As in `EvidentialEnsemble`; the empty set is not a focal set.
    pair_neighbors : int, optional
        K, 1 to c - 1: after a first run, pairs of clusters that are mutual K nearest neighbours become focal
        sets (``add_pairs``), and a second run continues from there. None: one run.
    partners : (n, k) int array, optional
        Other objects with which each is compared; only these pairs count.
    n_init, init
        Starts (see ``starts.py``); the run with the lowest stress is returned, the first one if several are
        equal.
    orient : bool, default True
        Whether masses on single clusters and Omega are rotated after a run until they are nearest to hard
        ones, and the run continues from there. The result is kept unless its stress is higher by more than
        the share `tol`.
    tol, max_iter
        A run stops when the smoothed relative change of the stress [li2020_ensemble (29)] falls below `tol`.
    rng : RandomState
        Source of random starts.

    Notes
    -----
    A sweep costs O(n^2 f) with all pairs, O(n k f^2) with sampled ones; memory is that of 4 (n, n) arrays, or
    of 12 (n, k) arrays, besides the relation; NotEnoughMemory is raised before the start. From linkage, the
    final stress is about as low as from the best of eight random starts.
    """
    sets = resolve_focal_sets(focal_sets, n_clusters, empty=False)
    n = _check(relation, partners, n_clusters, pair_neighbors)
    check_init(init, n, sets)
    if partners is None:
        fewer = "n_pairs=100, which compares only sampled pairs"
        expect_memory(BYTES_OF_ALL_PAIRS * n**2, f"the consensus of all pairs of {n} objects", fewer)
    rule = {"tol": tol, "max_iter": max_iter}
    first_partition = None
    with one_thread():
        starts = consensus_starts(relation.same, n_clusters, sets, init, n_init, rng)
        stress = consensus_stress(relation, sets, partners)
        runs = [_lowest(stress, starts, sets, **rule)]
        if orient and is_rotatable(sets):
            runs += _rotated(stress, runs[0], sets, **rule)
        searches = [Search(CredalPartition(run.start, sets), np.array(run.stress)) for run in runs]
        best = runs[-1]
        if pair_neighbors is not None:
            first_partition = CredalPartition(best.masses, sets)
            richer = add_pairs(first_partition, pair_neighbors)
            sets = richer.focal_sets
            stress = replace(stress, relations=np.hstack(pair_matrices(sets)))  # on the same targets
            best = _lowest(stress, [richer.masses], sets, **rule)
            searches.append(Search(richer, np.array(best.stress)))
        rand = rand_against(best.masses, sets, relation, partners)
    return Recovery(
        CredalPartition(best.masses, sets), first_partition, tuple(searches), best.converged, rand
    )


def with_equal_labels(
    found: Recovery,
    partitions: Iterable[CredalPartition | np.ndarray],
    relation: RelationalMasses,
    partners: np.ndarray | None,
) -> Recovery:
    """Give objects that no base partition distinguishes their mean masses, where their labels differ.

    `relation` and `partners` are those of the search; the last stress becomes that of the new masses.
    """
    objects = np.zeros(len(found.partition), dtype=np.int64)  # equal ones have one number
    for partition in partitions:
        rows = np.column_stack([objects, np.round(getattr(partition, "masses", partition), DIGITS)])
        distinct, objects = np.unique(rows, axis=0, return_inverse=True)
        if len(distinct) == len(objects):
            return found
    masses, sets, last = found.partition.masses.copy(), found.partition.focal_sets, found.searches[-1]
    with_labels = np.unique(np.column_stack([objects, found.partition.labels()]), axis=0)[:, 0]
    several = np.flatnonzero(np.bincount(with_labels) > 1)
    if not len(several):
        return found
    for number in several:
        masses[objects == number] = masses[objects == number].mean(axis=0)
    stress = last.stress.copy()
    stress[-1] = consensus_stress(relation, sets, partners).value(masses, sets.conflict.copy())
    return found._replace(
        partition=CredalPartition(masses, sets),
        searches=(*found.searches[:-1], Search(last.start, stress)),
        credal_rand=rand_against(masses, sets, relation, partners),
    )


def after_sweeps(start: CredalPartition, relation: RelationalMasses, count: int) -> Recovery:
    """Return the state of a run from `start` to masses of all pairs after so many sweeps, or at its end."""
    sets = start.focal_sets
    options = {"orient": False, "max_iter": count, "rng": np.random.RandomState(0)}  # which draws nothing
    return recovered(relation, sets.n_clusters, sets, init=start.masses, **options)


def consensus_stress(
    relation: RelationalMasses, focal_sets: FocalSets, partners: np.ndarray | None = None
) -> PairwiseTargets | SampledTargets:
    """Return the stress [li2020_ensemble (19)] of masses on given focal sets, in its reduced form.

    The ensemble paper writes the cost of a row, [li2020_ensemble (23)] and [li2020_ensemble (26)], with a
    matrix of each partner's masses [li2020_ensemble (24)] and one of all three masses of a pair
    [li2020_ensemble (25)]. Since the mass on Theta is the rest [li2020_ensemble (22c)], the masses on {s}
    and {not s} alone carry the same information, and S and C side by side are all that is needed.
    `relation` holds (n, n) arrays, or (n, k) with `partners`: the stress of sampled pairs is an estimate
    of that of all.
    """
    relations = np.hstack(pair_matrices(focal_sets))
    if partners is not None:
        targets = np.stack([relation.same, relation.different])
        return SampledTargets(np.ascontiguousarray(partners, np.int32), targets, relations)
    targets = np.stack([relation.same, relation.different], axis=1)
    objects = np.arange(len(targets))
    targets[objects, :, objects] = 0.0
    return PairwiseTargets(targets, relations, adds_changes=True)


def _lowest(
    stress: PairwiseTargets | SampledTargets,
    starts: Iterable[np.ndarray],
    focal_sets: FocalSets,
    *,
    tol: float,
    max_iter: int,
) -> Trajectory:
    """Return the run of lowest stress from the given starting masses."""
    conflict = focal_sets.conflict.copy()  # writable, as the kernels are compiled for
    runs = (irqp(stress, masses, conflict, has_empty=False, tol=tol, max_iter=max_iter) for masses in starts)
    return min(runs, key=lambda run: run.stress[-1])


def _rotated(
    stress: PairwiseTargets | SampledTargets,
    found: Trajectory,
    focal_sets: FocalSets,
    *,
    tol: float,
    max_iter: int,
) -> list[Trajectory]:
    """Return the run from the oriented masses of a run; none if that run itself ended lower."""
    start = rotate(found.masses, focal_sets)
    run = _lowest(stress, [start], focal_sets, tol=tol, max_iter=max_iter)
    return [run] if run.stress[-1] <= found.stress[-1] * (1 + tol) else []  # tol is what a run leaves open


def _check(
    relation: RelationalMasses, partners: np.ndarray | None, n_clusters: int, pair_neighbors: int | None
) -> int:
    """Return the number of objects of a relation, checked against the other arguments."""
    n = len(relation.same)
    expect(n >= 2, "masses of pairs of at least 2 objects", n)
    shape = (n, n) if partners is None else (n, partners.shape[1])
    for name, part in zip(relation._fields[1:], relation[1:]):
        expect(part.shape == shape, f"{name!r} of shape {shape}", part.shape)
        least, most = float(part.min()), float(part.max())
        expect(least >= 0 and most <= 1 + SLACK, f"masses {name!r} in [0, 1]", (least, most))
    if partners is not None:
        expect(partners.shape == shape, f"partners of shape {shape}", partners.shape)
    expect_count("n_clusters", n_clusters, 1, n, "n_samples")
    if pair_neighbors is not None:
        expect_count("pair_neighbors", pair_neighbors, 1, n_clusters - 1, "n_clusters - 1")
    return n

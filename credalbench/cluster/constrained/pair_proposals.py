"""Choose the pairs of objects to ask about next, from a credal partition and its prototypes.

The rule is that of Section 5.1.4 of [antoine2012_cecm]: the first object is uncertain, so the answer is
informative about it; the second is certain, so the answer is not about both at the same time.

Readings, where the text leaves a choice
----------------------------------------
R1. *First object*: the one with the largest mass on a single focal set of two clusters. Among objects that
    have none there (all of them, with ``focal_sets="simple"``), the one of highest nonspecificity; then, with
    all masses on single clusters, the one of least maximal pignistic probability; then the lowest index.
R2. *Second object*, "the nearest point from one of the centers": the object nearest to the prototype of one
    cluster of that focal set, in the metric of this cluster. Of the two clusters it is the one whose
    prototype is nearer to the first object (``"nearer"``), or the one of higher pignistic probability
    (``"plausible"``); or all clusters count, and the object that is nearest to any prototype is taken
    (``"any"``).
R3. *No question twice*: a pair that was answered, or whose answer follows from earlier ones, is skipped.
    Instead, the other cluster of the focal set is tried, then the next uncertain object, and only then the
    objects that are second nearest to the prototypes.
R4. *Several pairs at once* have different first objects.
"""

from itertools import combinations

import numpy as np
import numpy.typing as npt

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster.prototypes.prototype_step import squared_distances
from credalbench.core.arguments import Choice, expect, expect_count
from credalbench.core.checks import as_attributes, near_zero
from credalbench.core.constraints import PairwiseConstraints

SECOND_OBJECTS = ("nearer", "plausible", "any")
SECOND_OBJECT = Choice(*SECOND_OBJECTS)
TRIES = 100  # random pairs drawn before the open ones are listed


def propose_pair(
    X: npt.ArrayLike,
    partition: CredalPartition,
    centers: npt.ArrayLike,
    norm_matrices: np.ndarray | None = None,
    known: PairwiseConstraints | np.ndarray | None = None,
    *,
    second_object: str = "nearer",
) -> tuple[int, int]:
    """Return the one pair to ask about next, as two indices: `propose_pairs` for a single question.

    Raises a ValueError if every pair has been answered or follows from the answers.
    """
    pairs = propose_pairs(X, partition, centers, norm_matrices, known, second_object=second_object)
    expect(len(pairs) > 0, "a pair whose answer is open", "answers that settle all pairs")
    return int(pairs[0, 0]), int(pairs[0, 1])


def propose_pairs(
    X: npt.ArrayLike,
    partition: CredalPartition,
    centers: npt.ArrayLike,
    norm_matrices: np.ndarray | None = None,
    known: PairwiseConstraints | np.ndarray | None = None,
    n_pairs: int = 1,
    *,
    skipped: np.ndarray | None = None,
    second_object: str = "nearer",
) -> np.ndarray:
    """Return pairs (m, 2) of an uncertain and a certain object, by Section 5.1.4 of [antoine2012_cecm].

    `X` (n, p), `centers` (c, p) and `norm_matrices` (c, p, p), Euclidean when None. Constraints in
    `known` also settle the pairs whose answer they imply. First objects are on the left, all different
    while that is possible; m < `n_pairs` only if fewer pairs are open. O(n (f + c p^2)) for a proposal,
    plus the number of constraints for each object that is passed over.
    """
    second_object = SECOND_OBJECT.read("second_object", second_object)
    n_pairs = expect_count("n_pairs", n_pairs, 1)
    X = as_attributes(X, least=2)
    expect(len(X) == len(partition), f"a partition of {len(X)} objects", len(partition))
    expect(partition.n_clusters > 1, "a partition with two clusters or more", partition.n_clusters)
    settled = SettledPairs(len(X), known, skipped)
    squared = distances_to_prototypes(X, centers, norm_matrices)
    outwards = np.argsort(squared, axis=0, kind="stable")  # (n, c): column k from prototype k outwards
    firsts = most_uncertain_first(partition)
    clusters = candidate_clusters(partition, squared, second_object)
    pairs, used = [], set()
    while len(pairs) < n_pairs:
        found = _first_open(firsts, clusters, outwards, settled, used)
        if found is not None:
            pairs.append(found)
            used.add(found[0])
            settled.add(*found)
        elif used:
            used = set()  # second questions about the same objects
        else:
            break
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def propose_random_pairs(
    n_objects: int,
    n_pairs: int,
    rng: np.random.RandomState,
    known: PairwiseConstraints | np.ndarray | None = None,
    skipped: np.ndarray | None = None,
) -> np.ndarray:
    """Draw pairs uniformly among the open ones, without repetition: (m, 2), m < `n_pairs` if fewer are open.

    `known` and `skipped` as for `propose_pairs`. Open pairs are listed when most are settled: O(n^2).
    """
    settled = SettledPairs(n_objects, known, skipped)
    pairs = []
    while len(pairs) < n_pairs:
        draws = rng.randint(n_objects, size=(TRIES, 2)).tolist()
        found = next((pair for pair in draws if settled.is_open(*pair)), None)
        if found is None:  # few are open, if any
            left = [pair for pair in combinations(range(n_objects), 2) if settled.is_open(*pair)]
            pairs += [left[k] for k in rng.permutation(len(left))[: n_pairs - len(pairs)]]
            break
        pairs.append(found)
        settled.add(*found)
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def most_uncertain_first(partition: CredalPartition) -> np.ndarray:
    """Return indices (n,) of the objects in the order of the questions about them (see R1 of the module)."""
    focal_sets, masses = partition.focal_sets, partition.masses
    nonspecificity = masses @ np.log2(np.maximum(focal_sets.cardinality, 1))
    certainty = partition.pignistic.max(axis=1)
    return np.lexsort((certainty, -nonspecificity, -pair_masses(partition).max(axis=1, initial=0.0)))


def pair_masses(partition: CredalPartition) -> np.ndarray:
    """Return the masses on the focal sets of exactly two clusters: (n, number of such sets)."""
    return partition.masses[:, partition.focal_sets.cardinality == 2]


def candidate_clusters(
    partition: CredalPartition, squared: np.ndarray, second_object: str = "nearer"
) -> np.ndarray:
    """Return the clusters whose prototypes lead to each second object, best first: (n, 2) or (n, c).

    See R2 of the module; `squared` (n, c) are squared distances to the prototypes. An object without mass on
    sets of two clusters has its two most probable ones.
    """
    probable = np.argsort(-partition.pignistic, axis=1, kind="stable")
    if second_object == "any":
        overall = np.argsort(squared.min(axis=0), kind="stable")
        return np.tile(overall, (len(squared), 1))
    two = np.sort(probable[:, :2], axis=1)
    masses = pair_masses(partition)
    if masses.shape[1]:
        sets = partition.focal_sets.membership[partition.focal_sets.cardinality == 2]
        members = np.nonzero(sets)[1].reshape(-1, 2)
        two = np.where(masses.max(axis=1, keepdims=True) > 0, members[masses.argmax(axis=1)], two)
    cost = squared if second_object == "nearer" else -partition.pignistic
    order = np.argsort(np.take_along_axis(cost, two, axis=1), axis=1, kind="stable")
    return np.take_along_axis(two, order, axis=1)


def distances_to_prototypes(
    X: np.ndarray, centers: npt.ArrayLike, norm_matrices: np.ndarray | None = None
) -> np.ndarray:
    """Compute squared distances (n, c) of objects (n, p) to prototypes (c, p), each in its cluster's norm."""
    X, origin = near_zero(X)
    centers = np.asarray(centers, dtype=float) - origin
    singletons = FocalSets.simple(len(centers), empty=False, omega=False)
    return squared_distances(X, centers, singletons, norm_matrices)


class SettledPairs:
    """Pairs of n objects that need no question: asked, skipped, or implied by the answers.

    Certain constraints in `asked` settle what they imply; soft ones and plain pairs settle themselves only.
    """

    def __init__(
        self,
        n_objects: int,
        known: PairwiseConstraints | np.ndarray | None = None,
        skipped: np.ndarray | None = None,
    ) -> None:
        if not isinstance(known, PairwiseConstraints):
            skipped = np.vstack([_pairs(n_objects, known), _pairs(n_objects, skipped)])
            known = PairwiseConstraints(n_objects)
        expect(known.n_objects == n_objects, f"constraints between {n_objects} objects", known.n_objects)
        self._component = known.components()
        apart = self._component[known.cannot_link[known.cannot_link_weights == 1]]
        self._apart = {frozenset(groups) for groups in apart.tolist()}
        pairs = np.vstack([known.must_link, known.cannot_link, _pairs(n_objects, skipped)])
        self._pairs = set(map(tuple, pairs.tolist()))

    def is_open(self, i: int, j: int) -> bool:
        """Return whether an answer about i and j could be new."""
        if i == j or (min(i, j), max(i, j)) in self._pairs:
            return False
        groups = self._component[i], self._component[j]
        return groups[0] != groups[1] and frozenset(map(int, groups)) not in self._apart

    def add(self, i: int, j: int) -> None:
        """Count the pair as asked; nothing follows from it while the answer is out."""
        self._pairs.add((min(i, j), max(i, j)))


def _first_open(
    firsts: np.ndarray, clusters: np.ndarray, outwards: np.ndarray, settled: SettledPairs, used: set[int]
):
    """Return the first open pair: objects near prototypes before those further out, uncertain ones first."""
    for rank in range(len(outwards)):
        for first in firsts.tolist():
            if first in used:
                continue
            for k in clusters[first]:
                second = int(outwards[rank, k])
                if settled.is_open(first, second):
                    return first, second
    return None


def _pairs(n_objects: int, pairs: npt.ArrayLike | None):
    """Return pairs, checked, sorted, each once; none for None."""
    return PairwiseConstraints(n_objects, pairs).must_link

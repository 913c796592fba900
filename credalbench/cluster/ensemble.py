r"""Evidential clustering ensembles: the consensus of many partitions of the same objects.

Base partitions may have any numbers of clusters. Their evidence about pairs of objects is combined into one
relation (``relations/combination.py``): the beliefs that two objects are, and are not, in the same cluster.
If requested, a transitive closure joins objects that are connected through others (``relations/closure.py``),
which allows clusters of any shape. The consensus is the credal partition whose masses of pairs are nearest to
the closed relation (``ensembles/consensus.py``):

.. math:: S(M) = \sum_{i<j} \big(m_{ij}(\{s\}) - \hat m_{ij}(\{s\})\big)^2
                 + \big(m_{ij}(\{\neg s\}) - \hat m_{ij}(\{\neg s\})\big)^2 .

The masses of the bases on the empty set, which are their evidence about outliers, are left out of these
steps. They are averaged, and added at the end [li2020_ensemble (30)].

Source: [li2020_ensemble], Algorithm 1, an extension of evidence accumulation [fred2005]. Deviations and
readings, in addition to those of the three parts:

D1. In the paper, the bases' distance to the empty set is a quantile of the dissimilarities. Here it is a
    quantile of the positive ones, so that duplicates do not make all objects outliers; at most a million
    random pairs are used.
D2. The paper uses 15 clusters in its examples and does not specify other numbers. Here the default is 15, or
    the square root of n if that is less, but at least the number of clusters of the consensus.
D3. If the mean mass on the empty set is 1, (30) leaves no other mass, and the label is 0, as for every object
    that has all of its mass on the empty set.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state

from credalbench.baselines.base_partitions import (
    BaseClusterers,
    Partition,
    as_clusterers,
    base_partitions,
    n_clusters_of,
    number_range,
    seeded_in_turn,
)
from credalbench.belief import CredalPartition
from credalbench.belief.decision import labels_of
from credalbench.belief.focal import FocalSetsLike, resolve_focal_sets
from credalbench.belief.relations.closure import close_masses
from credalbench.belief.relations.combination import (
    combine_pairs,
    combine_partitions,
    denormalize,
    mean_empty_mass,
)
from credalbench.belief.relations.pairwise_evidence import read_partitions
from credalbench.belief.relations.rules import RULE
from credalbench.belief.relations.t_norms import T_NORMS, t_norm
from credalbench.cluster.conflict.pair_sampling import positive_quantile, sample_partners
from credalbench.cluster.ecm import ECM
from credalbench.cluster.ensembles.consensus import recovered, with_equal_labels
from credalbench.cluster.ensembles.starts import Init, check_init
from credalbench.cluster.inputs.new_objects import UnsupportedMethod
from credalbench.core.arguments import (
    MOST,
    Array,
    Choice,
    Count,
    Instance,
    JobCount,
    NonNegativeFloat,
    Number,
    PositiveInt,
    Seed,
    checked,
    expect,
    expect_count,
)
from credalbench.core.checks import keep_trace, read_objects
from credalbench.core.estimators import Examples
from credalbench.core.names import common_names, names_of
from credalbench.core.threads import one_blas_thread

BASE_CLUSTERS = 15  # of a base, as in both examples of the paper
BASE_NEIGHBORS = 2  # K of its informative pairs, also as in the paper
DELTA_QUANTILE = 0.2  # of the dissimilarities, for the distance to the empty set in the first example
NEW_OBJECTS = "the bases partition only the objects of the fit; fit again with the new objects included"


def paper_base(n_clusters: int, delta: float, seed: int | None = None) -> ECM:
    """Return the base clusterer of the ensemble paper, Section 4.1: ECM from random prototypes, in two runs.

    The first run has the simple focal sets, and the second also has informative pairs.
    """
    return ECM(
        n_clusters,
        beta=2.0,
        delta=delta,
        focal_sets="simple",
        pair_neighbors=min(BASE_NEIGHBORS, n_clusters - 1) or None,
        init="random",
        random_state=seed,
    )


class EvidentialEnsemble(ClusterMixin, BaseEstimator):
    r"""Consensus of many partitions as a credal partition.

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters of the consensus, between 1 and the number of objects.
    base : clusterer or list of clusterers, optional
        Clusterer of the base partitions, or several that are used in turn: an estimator with ``partition_``
        or ``membership_``, a clusterer of scikit-learn (labels -1 are outliers), or a pipeline. Each fit has
        its own seed. None: that of the paper, ECM from random prototypes with informative pairs.
    n_estimators : int, default 20
        Number N of base partitions.
    base_n_clusters : int, or (int, int), optional
        Number of clusters of a base, or a smallest and a largest number, between which it is drawn for each
        base. None: the number that a given base has; otherwise 15, or the square root of n if that is less.
    rule : {"average", "dempster", "disjunctive", "dubois_prade", "dubois_prade_sequential"}
        Rule that combines the evidence of the bases about a pair (see ``relations/rules.py``); "average" by
        default.
    t_norm : {"minimum", "product", "lukasiewicz", "hamacher", "frank", "yager"} or callable, optional
        T-norm of the transitive closure. None: no closure.
    t_norm_parameter : float, optional
        Parameter of a parametric t-norm (see ``relations/t_norms.py``).
    focal_sets : {"simple", "full", "pairs"} or FocalSets, default "simple"
        Subsets of clusters that may receive mass in the consensus, without the empty set, whose mass
        comes from the bases.
    pair_neighbors : int, optional
        K, 1 to c - 1: after a first search, pairs of clusters that are mutual K nearest neighbours become
        focal sets (`add_pairs`), and the search continues. None: one search.
    n_pairs : int, optional
        Number k of partners drawn for each object, 1 to n - 1. Only these pairs are used, and there is no
        closure. None: all pairs.
    n_init : int, default 1
        Number of starts of the search; the consensus with the lowest stress is returned.
    init : {"linkage", "random"} or (n, f) array, default "linkage"
        Starts of the search. "linkage": the first start is the clusters of an average linkage, and further
        starts are random masses. "random", which is always used for sampled pairs: all starts are random
        masses. An array contains starting masses without the empty set.
    tol : float, default 1e-5
        The search ends when the smoothed relative change of the stress falls below this value.
    max_iter : int, default 1000
        Maximum number of sweeps.
    n_jobs : int, optional
        Number of processes that fit bases. None: one; -1: one per core. The result does not depend on it.
    random_state : int, RandomState instance or None
        Seed for the seeds and numbers of clusters of the bases, the pairs and the random starts.

    Attributes
    ----------
    partition_ : CredalPartition
        The consensus; its masses on the empty set are the means over the bases.
    labels_ : (n,) int array
        Cluster with the highest pignistic probability for each object, numbered as in `partition_`. Numbers
        of empty clusters do not occur.
    objective_ : float
        S, the stress; with sampled pairs, an estimate of the stress of all pairs.
    objective_trace_ : (n_iter + 1,) array
        S at the start and after each sweep. It never increases, unless equal objects got different labels and
        were then given their mean masses.
    n_iter_ : int
        Number of sweeps.
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    credal_rand_ : float
        Credal Rand index, in [0, 1], of `closed_relation_` and the consensus before masses on the empty set
        are added.
    first_partition_ : CredalPartition
        Result of the first of two searches (only with `pair_neighbors`); the trace is that of the second.
    starts_ : list of CredalPartition
        Starts of all searches in order, without the empty set. They include searches from rotated masses, and
        from the result of the first of two searches; the trace is that of the last search.
    partitions_ : list
        The N base partitions: CredalPartition, or (n,) int arrays of labels with -1 for outliers.
    base_n_clusters_ : (N,) int array
        Their numbers of clusters.
    relation_ : RelationalMasses
        The combined evidence of the bases on all pairs, (n, n); with `n_pairs`, of the sampled ones, (n, k).
    closed_relation_ : RelationalMasses
        The relation after the closure; without a closure, `relation_` itself.
    partners_ : (n, k) int32 array or None
        The objects with which each object is compared (only with `n_pairs`).
    n_features_in_ : int
        Columns of `X` seen during fit.

    Raises
    ------
    ValueError
        On NaN or infinite values; fewer than one or more than n clusters; a parameter out of range, by itself
        or relative to the others; a base that cannot be fitted; total conflict under Dempster's rule.
    NotEnoughMemory
        Both a ValueError and a MemoryError; the message states the need, the limit and a remedy.

    Warns
    -----
    ConvergenceWarning
        The fit stopped at `max_iter`.
    UserWarning
        A cluster has no object.
        Warnings of the bases are not shown.

    Notes
    -----
    In addition to fitting the bases, computing the relation costs O(N n^2 k_b) for bases of k_b clusters. The
    closure costs O(n^2) with the minimum and O(n^3) with other t-norms, and a sweep costs O(n^2 f) for f
    focal sets. With sampled pairs, neither time nor memory is of order n^2.

    With labels as bases, the rule "average" and no closure, ``relation_.same`` is the co-association matrix
    of `EvidenceAccumulation`; the closure by the minimum corresponds to its single linkage.

    There is no `predict`, because bases give evidence only about the objects of the fit. To cluster new
    objects, fit again with all objects.

    References
    ----------
    [li2020_ensemble], [fred2005]

    Examples
    --------
    Prototypes do not separate two half rings, but the closure by the minimum does:

    >>> from credalbench.datasets import make_half_rings
    >>> from credalbench.metrics import adjusted_rand
    >>> data = make_half_rings(random_state=0)
    >>> fits = [EvidentialEnsemble(2, t_norm=t, random_state=0).fit(data.X) for t in (None, "minimum")]
    >>> [round(adjusted_rand(data.y, fit.labels_), 1) for fit in fits]
    [0.4, 0.9]
    """

    examples = Examples(
        quick={"n_estimators": 3, "base_n_clusters": 3},
        variants=({"t_norm": "minimum", "rule": "dubois_prade", "init": "random"}, {"n_pairs": 9}),
    )

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        base: BaseClusterers = None,
        n_estimators: PositiveInt = 20,
        base_n_clusters: Annotated[int | Sequence[int], Count() | Array()] | None = None,
        rule: Annotated[str, RULE] = "average",
        t_norm: Annotated[str | Callable, Choice(*T_NORMS) | Instance(Callable, noun="a callable")]
        | None = None,
        t_norm_parameter: Annotated[float, Number()] | None = None,
        focal_sets: FocalSetsLike = "simple",
        pair_neighbors: PositiveInt | None = None,
        n_pairs: PositiveInt | None = None,
        n_init: PositiveInt = 1,
        init: Init = "linkage",
        tol: NonNegativeFloat = 1e-5,
        max_iter: PositiveInt = 1000,
        n_jobs: JobCount | None = None,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.base = base
        self.n_estimators = n_estimators
        self.base_n_clusters = base_n_clusters
        self.rule = rule
        self.t_norm = t_norm
        self.t_norm_parameter = t_norm_parameter
        self.focal_sets = focal_sets
        self.pair_neighbors = pair_neighbors
        self.n_pairs = n_pairs
        self.n_init = n_init
        self.init = init
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state

    @checked
    def fit(self, X: npt.ArrayLike, y: object = None) -> Self:
        """Compute base partitions of objects with attributes, and their consensus.

        Parameters
        ----------
        X : (n, p) array or DataFrame
            Attributes of the objects.
        y : object
            Ignored, present for scikit-learn's pipelines.

        Returns
        -------
        EvidentialEnsemble
            The fitted estimator.
        """
        X = read_objects(self, X)
        self._validate(len(X))
        expect(self.n_jobs != 0, "n_jobs other than 0", self.n_jobs)
        rng, of_bases = self._generators()
        numbers = self._numbers(len(X), of_bases)
        if self.base is not None:
            clusterers = seeded_in_turn(self.base, numbers, of_bases)
        else:
            seeds = of_bases.randint(MOST, size=self.n_estimators).tolist()
            delta = positive_quantile(X, DELTA_QUANTILE, of_bases)
            clusterers = [paper_base(number, delta, seed) for number, seed in zip(numbers, seeds)]
        return self._agree(base_partitions(clusterers, X, self.n_jobs), rng)

    predict = UnsupportedMethod(NEW_OBJECTS)
    predict_partition = UnsupportedMethod(NEW_OBJECTS)
    score = UnsupportedMethod(NEW_OBJECTS)

    @checked
    def fit_from_partitions(self, partitions: Sequence[CredalPartition | npt.ArrayLike]) -> Self:
        """Compute the consensus of given partitions of the same n objects.

        The parameters of base clusterers are ignored. If `random_state` is an integer, the ``partitions_`` of
        a fit give the same consensus.

        Parameters
        ----------
        partitions : list of CredalPartition or (n,) int array
            Partitions, or labels with -1 for outliers. `CredalPartition.from_fuzzy` and similar methods
            convert fuzzy, possibilistic and rough partitions.

        Returns
        -------
        EvidentialEnsemble
            The fitted estimator.
        """
        given, partitions = partitions, read_partitions(partitions)
        n = len(partitions[0])
        expect(n >= 2, "partitions of at least 2 objects", n)
        self._index = common_names(
            one.index if isinstance(one, CredalPartition) else names_of(one) for one in given
        )
        self._validate(n)
        return self._agree(partitions, self._generators()[0])

    def _agree(self, partitions: list[Partition], rng: np.random.RandomState) -> Self:
        """Set the relation and the consensus of partitions."""
        vars(self).pop("first_partition_", None)  # of an earlier fit
        with one_blas_thread():
            if self._takes_all_pairs(len(partitions[0])):
                self.partners_, self.relation_ = None, combine_partitions(partitions, self.rule)
            else:
                self.partners_ = sample_partners(len(partitions[0]), self.n_pairs, rng)
                self.relation_ = combine_pairs(partitions, self.partners_, self.rule)
            self.closed_relation_ = self.relation_
            if self.t_norm is not None:
                self.closed_relation_ = close_masses(self.relation_, self.t_norm, self.t_norm_parameter)
            found = recovered(
                self.closed_relation_,
                self.n_clusters,
                self.focal_sets,
                pair_neighbors=self.pair_neighbors,
                partners=self.partners_,
                n_init=self.n_init,
                init=self.init,
                tol=self.tol,
                max_iter=self.max_iter,
                rng=rng,
            )
            found = with_equal_labels(found, partitions, self.closed_relation_, self.partners_)
        self.partitions_ = partitions
        self.base_n_clusters_ = np.array([n_clusters_of(partition) for partition in partitions])
        empty = mean_empty_mass(partitions)
        self.partition_ = denormalize(found.partition, empty).named(self._index)
        if found.first_partition is not None:
            self.first_partition_ = denormalize(found.first_partition, empty).named(self._index)
        self.starts_ = [search.start for search in found.searches]
        self.labels_ = labels_of(self.partition_)
        keep_trace(self, found.objective_trace.tolist(), found.converged)
        self.credal_rand_ = found.credal_rand
        return self

    def _takes_all_pairs(self, n: int):
        return self.n_pairs in (None, n - 1)

    def _generators(self):
        """Return random generators for the consensus (the same for given partitions) and for the bases."""
        rng = check_random_state(self.random_state)
        of_bases = np.random.RandomState(rng.randint(MOST))
        return rng, of_bases

    def _numbers(self, n: int, rng: np.random.RandomState):
        """Draw the numbers of clusters of the bases; None for given bases that keep their own."""
        if self.base_n_clusters is not None:
            low, high = number_range(self.base_n_clusters, n)
            return rng.randint(low, high + 1, size=self.n_estimators).tolist()
        usual = max(self.n_clusters, min(BASE_CLUSTERS, int(n**0.5)))
        return [usual if self.base is None else None] * self.n_estimators

    def _validate(self, n: int):
        """Check the parameters that depend on the number of objects or on each other."""
        expect_count("n_clusters", self.n_clusters, 1, n, "n_samples")
        focal_sets = resolve_focal_sets(self.focal_sets, self.n_clusters, empty=False, n_objects=n)
        focal_sets.expect_matrix()  # before the bases are computed
        if self.pair_neighbors is not None:
            expect_count("pair_neighbors", self.pair_neighbors, 1, self.n_clusters - 1, "n_clusters - 1")
        if self.n_pairs is not None:
            expect_count("n_pairs", self.n_pairs, 1, n - 1, "n_samples - 1")
        closes = self.t_norm is not None
        expect(closes or self.t_norm_parameter is None, "a t_norm if t_norm_parameter is given", self.t_norm)
        if closes:
            t_norm(self.t_norm, self.t_norm_parameter)
            all_pairs = self._takes_all_pairs(n)
            expect(all_pairs, "n_pairs=None for a closure, which needs all pairs", self.n_pairs)
        check_init(self.init, n, focal_sets)
        if self.base_n_clusters is not None:
            number_range(self.base_n_clusters, n)
        if self.base is not None:
            as_clusterers(self.base)

r"""NN-EVCLUS: a network that learns masses whose degrees of conflict match the distances between objects.

EVCLUS finds the masses of each object directly. Here, a network computes them from its attributes. It is
trained to minimise

.. math:: L = \frac{1}{n (n - 1)} \sum_{i \ne j} (m_i^T C m_j - \delta_{ij})^2, \qquad
          \delta_{ij} = 1 - e^{-\gamma d_{ij}^2}

plus the costs of labels, constraints and large weights (``network/training.py``). New objects therefore get
masses without comparisons with others, and training by mini-batches takes time proportional to n
(``network/training.py``). The network and its gate for novel objects are in ``network/mass_network.py``.

Source: [denoeux2021].

Deviations
----------
D1. Attributes are centred and divided by the root mean square of their coordinates before they enter the
    network, so the unit and the origin of the data do not matter.
D2. The score of the one-class support vector machine is divided by its threshold, so it has no unit and does
    not grow with n.
D3. With many objects, starts are trained on a sample, and the best start is then trained on all objects. With
    mini-batches, training stops when the loss of the sample has not decreased for five epochs.
D4. d0 is chosen from a sample of the objects, as in `EVCLUS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Self

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import pdist, squareform
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from credalbench.belief import BlockwisePartition, CredalPartition, FocalSets
from credalbench.belief.decision import labels_of
from credalbench.belief.focal import FocalSetsLike, resolve_focal_sets
from credalbench.cluster.conflict.preliminary import sample_objects, short_fit
from credalbench.cluster.conflict.transformation import d0_from_quantile, gamma_from_d0
from credalbench.cluster.constrained.linked_stress import LinkCosts
from credalbench.cluster.constrained.report import constraint_report, warn_of_outliers
from credalbench.cluster.inputs.new_objects import LabelsOfNewObjects, UnsupportedMethod, in_blocks
from credalbench.cluster.network.mass_network import MassNetwork, Novelty
from credalbench.cluster.network.training import SAMPLE, TrainingLoss, train
from credalbench.core.arguments import (
    LARGEST,
    Array,
    Choice,
    Count,
    Instance,
    NonNegativeFloat,
    NonNegativeInt,
    Number,
    PositiveInt,
    PositiveLength,
    Seed,
    checked,
    expect,
    expect_count,
)
from credalbench.core.checks import keep_trace, near_zero, read_attributes, read_objects
from credalbench.core.constraints import PairwiseConstraints, warn_of_contradictions
from credalbench.core.estimators import Examples
from credalbench.core.names import names_of
from credalbench.core.resources import expect_memory
from credalbench.core.threads import one_blas_thread

if TYPE_CHECKING:
    import pandas as pd

AUTO = "auto"  # of d0_quantile
UNKNOWN = -1  # label of an object without one
ROWS = 1 << 14  # objects whose masses are computed at a time
FOR_EMPTY_CLUSTERS = "a smaller d0 or d0_quantile, fewer clusters, or more starts (n_init)"


class NNEVCLUS(LabelsOfNewObjects, ClusterMixin, BaseEstimator):
    r"""Evidential clustering by a neural network that computes masses from attributes (NN-EVCLUS).

    Parameters
    ----------
    n_clusters : int, default 2
        Number c of clusters, between 1 and the number of objects.
    n_hidden : int or pair of ints, default 20
        Number of rectified linear units in the hidden layer, or in each of two layers.
    batch_size : int, optional
        Number of objects in a mini-batch, at least 2. None: all objects at once, with all their pairs.
    novelty : float in (0, 1), optional, default 0.2
        Share of the objects that lie outside the region of the one-class support vector machine. The gate of
        the network uses its score to give objects far from all others mass on the empty set. None: there is
        no gate, and far objects may belong to some cluster.
    d0 : float, optional
        Distance above which two objects are plausibly in different clusters, in the units of the data.
    d0_quantile : "auto" or float in (0, 1], default "auto"
        Quantile of the distances between at most 500 objects used for d0 if `d0` is None. "auto" chooses d0
        as `EVCLUS` does.
    alpha : float in (0, 1), default 0.05
        Plausibility, at d0, of belonging to the same cluster.
    focal_sets : {"simple", "full", "pairs"} or FocalSets, default "simple"
        Subsets of clusters that may receive mass; with a gate, the empty set must be among them.
    label_weight : float in [0, 1), default 0.5
        Weight :math:`\nu` of given labels against the pairs.
    xi : float >= 0, default 0.5
        Weight of the constraints.
    penalty : float >= 0, default 0
        Weight :math:`\lambda` of the squared weights of the network.
    n_init : int, default 5
        Number of random starts. With more than 500 objects, and with mini-batches, starts are trained on 500
        objects, and the one with the lowest loss is then trained on all objects.
    tol : float, default 1e-4
        With all objects at once, training stops when the smoothed decrease falls below this share of the
        loss. With mini-batches, a decrease by a smaller share does not count as a decrease.
    max_iter : int, default 1000
        Maximum number of iterations; with mini-batches, of epochs. With 0, the fit returns the masses at the
        start.
    random_state : int, RandomState instance or None
        Seed of the starting weights, samples and mini-batches.

    Attributes
    ----------
    partition_ : CredalPartition
        The credal partition.
    labels_ : (n,) int array
        Cluster with the highest pignistic probability for each object, numbered as in `partition_`. Numbers
        of empty clusters do not occur.
    objective_ : float
        Loss of all objects; with mini-batches, of the sample.
    objective_trace_ : (n_iter + 1,) array
        Loss at the start (with more than 500 objects, or with mini-batches, after training on the sample) and
        after each iteration; with mini-batches, the lowest loss so far. It never increases.
    weights_ : list of arrays
        Matrices (units, 1 + inputs) of the layers, biases in the first column.
    gate_ : (2,) array or None
        :math:`\beta` of the gate.
    constraint_cost_ : float
        Mean cost of a constraint in [0, 1], half of that in `EVCLUS`.
    constraints_ : PairwiseConstraints
        The given constraints, each pair once.
    violated_ : PairwiseConstraints
        Constraints that `labels_` violate.
    d0_ : float
        The value used, in the units of the data.
    n_iter_ : int
    converged_ : bool
        Whether `tol` was reached within `max_iter`.
    n_features_in_ : int
        Columns of `X` seen during fit.

    Raises
    ------
    ValueError
        On NaN or infinite values; fewer than one or more than n clusters; no hidden unit, or more than two
        layers; a parameter out of range; objects that are all equal; labels or constraints of unknown objects
        or clusters; a gate without the empty set.
    NotEnoughMemory
        Both a ValueError and a MemoryError; the message states the need, the limit and a remedy.

    Warns
    -----
    ConvergenceWarning
        The fit stopped at `max_iter`.
    UserWarning
        A cluster has no object. Constraints contradict each other, name objects that are not in `X`, or are
        met only because an object is an outlier.

    Notes
    -----
    An iteration over all objects costs O(n^2 f + n w) for w weights, and needs an (n, n) array. With
    mini-batches of b objects, it costs O(n (b f + w)) and needs no such array. Cluster numbers have no
    meaning without labels.

    References
    ----------
    [denoeux2021], [silva1990], [scholkopf2001]

    Examples
    --------
    >>> from credalbench.datasets import make_t4
    >>> data = make_t4(200, random_state=0)
    >>> fit = NNEVCLUS(4, random_state=0).fit(data.X)
    >>> fit.predict_partition([[50.0, 50.0]]).outliers()  # nothing is near
    array([ True])
    """

    examples = Examples(
        quick={"n_hidden": 5, "max_iter": 60},
        variants=({"n_hidden": (4, 3), "novelty": None}, {"batch_size": 10, "max_iter": 8}),
    )
    score = UnsupportedMethod("the loss compares pairs, and new objects have no partners")

    def __init__(
        self,
        n_clusters: PositiveInt = 2,
        *,
        n_hidden: Annotated[int | tuple[int, int], Count() | Instance(tuple, noun="a pair")] = 20,
        batch_size: Annotated[int | None, Count(2) | None] = None,
        novelty: Annotated[float | None, Number(above=0, below=1) | None] = 0.2,
        d0: PositiveLength | None = None,
        d0_quantile: Annotated[str | float, Number(above=0, high=1) | Choice(AUTO)] = AUTO,
        alpha: Annotated[float, Number(above=0, below=1)] = 0.05,
        focal_sets: FocalSetsLike = "simple",
        label_weight: Annotated[float, Number(low=0, below=1)] = 0.5,
        xi: NonNegativeFloat = 0.5,
        penalty: NonNegativeFloat = 0.0,
        n_init: PositiveInt = 5,
        tol: NonNegativeFloat = 1e-4,
        max_iter: NonNegativeInt = 1000,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_hidden = n_hidden
        self.batch_size = batch_size
        self.novelty = novelty
        self.d0 = d0
        self.d0_quantile = d0_quantile
        self.alpha = alpha
        self.focal_sets = focal_sets
        self.label_weight = label_weight
        self.xi = xi
        self.penalty = penalty
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @checked
    def fit(
        self,
        X: npt.ArrayLike,
        y: object = None,
        *,
        labels: npt.ArrayLike | None = None,
        must_link: npt.ArrayLike | None = None,
        cannot_link: npt.ArrayLike | None = None,
    ) -> Self:
        """Train the network and compute the credal partition of objects.

        Parameters
        ----------
        X : (n, p) array or DataFrame
            Attributes of the objects.
        y : object
            Ignored, present for scikit-learn's pipelines.
        labels : (n,) int array, optional
            Known clusters, 0 to c - 1, and -1 for objects whose cluster is unknown.
        must_link, cannot_link : (m, 2) and (q, 2) arrays, optional
            Pairs of objects, by their rows in `X`, or by the names in its index, if it is a DataFrame. If the
            names are numbers, an integer is a name.

        Returns
        -------
        NNEVCLUS
            The fitted estimator.
        """
        X, focal_sets, hidden = self._validate(X)
        n = len(X)
        labels = self._read_labels(labels, n)
        self.constraints_ = PairwiseConstraints.of_fit(
            n, must_link, cannot_link, index=self._index, allow_contradictions=True
        )
        warn_of_contradictions(self.constraints_)
        rng = check_random_state(self.random_state)
        X = self._standardise(X)
        d0 = self._find_d0(X, rng)
        self.d0_ = d0 * self._spread
        gated = self.novelty is not None
        with one_blas_thread():
            self._novelty = Novelty.of(X, self.novelty, rng) if gated else None
            self._network = MassNetwork((X.shape[1], *hidden, len(focal_sets)), gated)
            known = np.flatnonzero(labels != UNKNOWN)
            links = self.constraints_ if self.xi > 0 else PairwiseConstraints(n)
            loss = TrainingLoss(
                self._network, focal_sets, X, self._novelty.scores(X) if gated else None,
                gamma_from_d0(d0, self.alpha), known, np.eye(self.n_clusters)[labels[known]],
                links.must_link, links.cannot_link, self.label_weight, self.xi, self.penalty,
            )  # fmt: skip
            best = train(
                loss, rng, n_init=self.n_init, size=self.batch_size, tol=self.tol, max_iter=self.max_iter
            )
            self._parameters = best.parameters
            self.partition_ = CredalPartition(self._masses(X), focal_sets, self._index)
        self.labels_ = labels_of(self.partition_, FOR_EMPTY_CLUSTERS)
        self.weights_ = [V.copy() for V in self._network.matrices(best.parameters)]
        self.gate_ = best.parameters[-2:].copy() if gated else None
        keep_trace(self, [float(value) for value in best.trace], best.converged)
        costs = LinkCosts.of(self.constraints_, focal_sets, 0.5) if len(self.constraints_) else None
        self.constraint_cost_ = costs.value_and_gradient(self.partition_.masses)[0] if costs else 0.0
        self.violated_ = self.constraints_.violated(self.labels_)
        warn_of_outliers(self.constraints_, self.partition_)
        return self

    def constraint_report(self) -> pd.DataFrame:
        """Return the outcome of each constraint: met, violated, or met by an outlier.

        Returns
        -------
        pandas.DataFrame
            A table as from `CECM.constraint_report`.
        """
        check_is_fitted(self)
        return constraint_report(self.constraints_, self.partition_, self.labels_)

    @in_blocks
    def predict_partition(self, X: npt.ArrayLike) -> CredalPartition | BlockwisePartition:
        """Compute the credal partition of new objects by the network, in O(w) for each object and w weights.

        Parameters
        ----------
        X : (m, p) array or DataFrame
            Attributes of new objects.

        Returns
        -------
        CredalPartition
            Masses of the new objects on the focal sets of the fit; for data in blocks, a
            `BlockwisePartition`.
        """
        check_is_fitted(self)
        names, X = names_of(X), np.ascontiguousarray(read_attributes(self, X, reset=False))
        X = (X - self._zero - self._origin) / self._spread
        with one_blas_thread():
            return CredalPartition(self._masses(X), self.partition_.focal_sets, names)

    def _masses(self, X: np.ndarray) -> np.ndarray:
        """Return the masses (m, f) of standardised objects, slice by slice."""
        found = np.empty((len(X), self._network.sizes[-1]))
        for begin in range(0, len(X), ROWS):
            rows = slice(begin, begin + ROWS)
            novelty = self._novelty.scores(X[rows]) if self._novelty else None
            found[rows] = self._network.masses(self._parameters, X[rows], novelty)[0]
        return found

    def _standardise(self, X: np.ndarray) -> np.ndarray:
        """Return attributes about their mean, with a root mean square of 1, and set the scale (D1)."""
        X, self._zero = near_zero(X)
        self._origin = X.mean(axis=0)
        X = X - self._origin
        self._spread = float(np.sqrt(np.vdot(X, X) / X.size))
        expect(self._spread > 0, "objects that differ", "equal ones only")
        X /= self._spread
        return X

    def _find_d0(self, X: np.ndarray, rng: np.random.RandomState) -> float:
        """Return d0 for standardised objects: given, a quantile, or from short fits (D4)."""
        if self.d0 is not None:
            share = float(self.d0) / self._spread
            expect(
                1 / LARGEST < share < LARGEST, f"d0 near the spread of the data, {self._spread:.3g}", self.d0
            )
            return share
        if self.d0_quantile == AUTO:
            rows = sample_objects(len(X), self.n_clusters, rng)
            return short_fit(squareform(pdist(X[rows])), self.n_clusters, self.alpha).d0
        rows = slice(None) if len(X) <= SAMPLE else rng.choice(len(X), SAMPLE, replace=False)
        return d0_from_quantile(pdist(X[rows]), self.d0_quantile, condensed=True)

    def _read_labels(self, labels: npt.ArrayLike | None, n: int) -> np.ndarray:
        """Return the labels (n,), with `UNKNOWN` for objects without one."""
        if labels is None:
            return np.full(n, UNKNOWN)
        labels = np.asarray(Array().read("labels", labels))
        expect(labels.shape == (n,), f"labels of shape ({n},)", labels.shape)
        expect(labels.dtype.kind in "iu", "integer labels", labels.dtype)
        wrong = labels[(labels < UNKNOWN) | (labels >= self.n_clusters)]
        expect(not wrong.size, f"labels 0..{self.n_clusters - 1}, or {UNKNOWN} for unknown ones", wrong[:5])
        return labels.astype(np.int64)

    def _validate(self, X: npt.ArrayLike) -> tuple[np.ndarray, FocalSets, tuple[int, ...]]:
        X = np.ascontiguousarray(read_objects(self, X))
        expect_count("n_clusters", self.n_clusters, 1, len(X), "n_samples")
        if self.batch_size is None:
            expect_memory(16 * len(X) ** 2, f"all pairs of {len(X)} objects", "a batch_size of about 200")
        hidden = self.n_hidden if isinstance(self.n_hidden, tuple) else (self.n_hidden,)
        expect(
            1 <= len(hidden) <= 2,
            "n_hidden as the numbers of units of one or two hidden layers",
            self.n_hidden,
        )
        hidden = tuple(expect_count("n_hidden", units, 1) for units in hidden)
        focal_sets = resolve_focal_sets(self.focal_sets, self.n_clusters, n_objects=len(X))
        empty = self.novelty is None or focal_sets.has_empty
        expect(empty, "focal_sets with the empty set, which novelty needs, or novelty=None", focal_sets)
        return X, focal_sets, hidden

"""Active learning of pairwise constraints: cluster, ask about a pair of objects, cluster again.

This is the scheme of Section 5.1.4 of [antoine2012_cecm]: an object that proposes pairs (see
``pair_proposals.py``), uses the answers as constraints, and fits again. The text leaves two points open:

- *Pairs per round*: `n_pairs`, one by default.
- *Start of each fit*: the previous prototypes. With the constraints of active runs, fits ended at lower
  objectives than from one fixed start on Letters, in half of the time, and at the same objectives on Glass.
  With random constraints, they ended lower about as often as higher (study
  ``antoine2012_cecm/active_learning``). However, a fit then depends on the order of the answers; with
  ``warm_start=False``, each fit starts anew.
"""

from collections.abc import Callable
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import has_fit_parameter

from credalbench.cluster.constrained.pair_proposals import SECOND_OBJECT, propose_pairs, propose_random_pairs
from credalbench.core.arguments import SEED, Choice, Flag, expect, expect_count
from credalbench.core.checks import as_attributes
from credalbench.core.constraints import NO_PAIRS, PairwiseConstraints

STRATEGIES = ("active", "random")
Oracle = Callable[[int, int], bool | None]  # whether two objects belong together; None: not known


class Round(NamedTuple):
    """One round: the answers, and the fit with them. The first round has no answers."""

    pairs: np.ndarray  # (m, 2)
    same: np.ndarray  # (m,) bool
    constraints: PairwiseConstraints
    estimator: object  # fitted under the constraints

    @property
    def n_constraints(self) -> int:
        """Number of constraints of the fit."""
        return len(self.constraints)

    @property
    def objective(self) -> float:
        """Objective of the fit."""
        return self.estimator.objective_

    @property
    def labels(self) -> np.ndarray:
        """(n,) clusters of the fit."""
        return self.estimator.labels_


class ActiveLearner:
    """Active learning of constraints: it proposes pairs, and the answers become constraints of the next fit.

    Parameters
    ----------
    estimator : clusterer
        A clusterer such as `CECM`: ``fit(X, must_link=, cannot_link=)`` sets ``partition_`` and
        ``cluster_centers_``, and ``norm_matrices_`` if its metric adapts. It is cloned for each fit and never
        changed.
    X : (n, p) array
        Attributes of the objects.
    strategy : {"active", "random"}, default "active"
        How pairs are proposed: by the credal partition, or uniformly at random among those not yet settled.
    must_link, cannot_link : (m, 2) and (q, 2) int arrays, optional
        Constraints that are known beforehand, by the rows of `X`, whatever the names of the rows.
    second_object : {"nearer", "plausible", "any"}, default "nearer"
        The prototype near which the second object is chosen (see ``pair_proposals.py``). Random selection
        ignores it.
    warm_start : bool, default True
        Whether each fit but the first starts from the previous prototypes (the estimator's parameter `init`)
        instead of the estimator's own start.
    random_state : int, RandomState instance or None
        Source of random proposals. Active ones are deterministic.

    Attributes
    ----------
    estimator_ : clusterer
        The last fit.
    constraints_ : PairwiseConstraints
        All constraints that were known beforehand or answered.
    skipped_ : (m, 2) int array
        Pairs without a known answer; they are not proposed again.
    history_ : list of Round
        The fit without answers, then one entry per call of `answer`.

    Raises
    ------
    ValueError
        An estimator whose fit takes no constraints, or without a partition if `strategy` is "active";
        constraints for which `PairwiseConstraints` raises an error; an unknown `strategy` or `second_object`.

    Notes
    -----
    A round costs a fit and, for each pair, O(n (f + c p^2)) to propose it. A fit per round is kept in
    `history_`: O(n f) memory for each.

    References
    ----------
    [antoine2012_cecm]

    Examples
    --------
    >>> from credalbench.cluster import CECM
    >>> X = [[0, 0], [0, 1], [3, 0], [3, 1], [1.6, 0.5]]
    >>> learner = ActiveLearner(CECM(2, random_state=0), X)
    >>> first, second = learner.propose()[0]
    >>> int(first)
    4
    >>> learner.answer([(first, second)], [True]).constraints_
    PairwiseConstraints(n_objects=5, 1 must-link, 0 cannot-links)
    >>> history = learner.run([0, 0, 1, 1, 1], n_constraints=3)
    >>> [entry.n_constraints for entry in history]
    [0, 1, 2, 3]
    """

    def __init__(
        self,
        estimator: BaseEstimator,
        X: npt.ArrayLike,
        *,
        strategy: str = "active",
        must_link: npt.ArrayLike | None = None,
        cannot_link: npt.ArrayLike | None = None,
        second_object: str = "nearer",
        warm_start: bool = True,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.strategy = Choice(*STRATEGIES).read("strategy", strategy)
        self.second_object = SECOND_OBJECT.read("second_object", second_object)
        self.warm_start = Flag().read("warm_start", warm_start)
        self._rng = check_random_state(SEED.read("random_state", random_state))
        accepts = has_fit_parameter(estimator, "must_link") and has_fit_parameter(estimator, "cannot_link")
        expect(accepts, "an estimator whose fit takes must_link and cannot_link", estimator)
        self.X = as_attributes(X, least=2, copy=True)
        self.skipped_ = NO_PAIRS
        constraints = PairwiseConstraints(len(self.X), must_link, cannot_link)
        fitted = _fitted(estimator, self.X, constraints)
        evidential = strategy == "random" or hasattr(fitted, "partition_")
        expect(evidential, "an estimator with a partition_, or strategy='random'", estimator)
        self.history_ = [Round(NO_PAIRS, np.empty(0, dtype=bool), constraints, fitted)]

    @property
    def estimator_(self) -> BaseEstimator:
        """The last fit."""
        return self.history_[-1].estimator

    @property
    def constraints_(self) -> PairwiseConstraints:
        """All constraints of the last fit."""
        return self.history_[-1].constraints

    def __repr__(self) -> str:
        rounds = len(self.history_) - 1
        return f"ActiveLearner({self.estimator!r}, strategy={self.strategy!r}, {rounds} rounds answered)"

    def propose(self, n_pairs: int = 1) -> np.ndarray:
        """Return the next pairs to ask about.

        This changes nothing except, with random selection, the state of the random generator.

        Parameters
        ----------
        n_pairs : int, default 1
            Number of pairs.

        Returns
        -------
        (m, 2) int array
            Pairs, the uncertain object of each on the left; m < `n_pairs` if no more are open.
        """
        n_pairs = expect_count("n_pairs", n_pairs, 1)
        if self.strategy == "random":
            return propose_random_pairs(len(self.X), n_pairs, self._rng, self.constraints_, self.skipped_)
        fit = self.estimator_
        return propose_pairs(
            self.X,
            fit.partition_,
            fit.cluster_centers_,
            getattr(fit, "norm_matrices_", None),
            self.constraints_,
            n_pairs,
            skipped=self.skipped_,
            second_object=self.second_object,
        )

    def answer(self, pairs: npt.ArrayLike, same: npt.ArrayLike) -> Self:
        """Record whether the objects of each pair belong together, and fit again.

        Parameters
        ----------
        pairs : (m, 2) int array
            Any pairs, proposed or not.
        same : (m,) bool array
            True for a must-link, False for a cannot-link.

        Returns
        -------
        Self
            The estimator itself.

        Raises
        ------
        ValueError
            The answers contradict each other or earlier ones; the message names the chain. In this case, no
            answer of this call is recorded.
        """
        pairs, same = _checked_answers(pairs, same)
        constraints = with_answers(self.constraints_, pairs, same)
        start = self.estimator_.cluster_centers_ if self.warm_start else None
        fitted = _fitted(self.estimator, self.X, constraints, start)
        self.history_.append(Round(pairs, same, constraints, fitted))
        return self

    def skip(self, pairs: npt.ArrayLike) -> Self:
        """Exclude pairs from all proposals, because the answer is not known.

        Parameters
        ----------
        pairs : (m, 2) int array
            Pairs of rows.

        Returns
        -------
        ActiveLearner
            The learner.
        """
        pairs = PairwiseConstraints(len(self.X), pairs).must_link  # checked, sorted, each once
        self.skipped_ = np.unique(np.vstack([self.skipped_, pairs]), axis=0)
        return self

    def undo(self) -> Self:
        """Remove the last answers, with their fit.

        Returns
        -------
        ActiveLearner
            The learner.

        Raises
        ------
        ValueError
            Nothing has been answered.
        """
        expect(len(self.history_) > 1, "an answer to take back", "none")
        self.history_.pop()
        return self

    def run(self, oracle: npt.ArrayLike | Oracle, n_constraints: int, batch: int = 1) -> list[Round]:
        """Ask `oracle` until there are `n_constraints` constraints, or no pair is open; return the history.

        Parameters
        ----------
        oracle : (n,) array or callable
            True labels; or ``oracle(i, j)`` -> bool, "i and j belong together", None for "don't know".
        n_constraints : int
            Number of constraints to reach, including those known before.
        batch : int, default 1
            Pairs per round.

        Returns
        -------
        list of Round
            `history_`.
        """
        n_constraints = expect_count("n_constraints", n_constraints, 0)
        batch = expect_count("batch", batch, 1)
        answer_of = as_oracle(oracle, len(self.X))
        while len(self.constraints_) < n_constraints:
            pairs = self.propose(min(batch, n_constraints - len(self.constraints_)))
            if not len(pairs):
                break
            answers = [answer_of(int(i), int(j)) for i, j in pairs]
            known = np.array([answer is not None for answer in answers])
            self.skip(pairs[~known])
            if known.any():
                self.answer(pairs[known], [answer for answer in answers if answer is not None])
        return self.history_


def with_answers(
    constraints: PairwiseConstraints, pairs: np.ndarray, same: np.ndarray
) -> PairwiseConstraints:
    """Add the answers `same` (m,) to `pairs` (m, 2); raise an error for contradictions."""
    must, cannot = pairs[same], pairs[~same]
    return PairwiseConstraints(
        constraints.n_objects,
        np.vstack([constraints.must_link, must]),
        np.vstack([constraints.cannot_link, cannot]),
        np.r_[constraints.must_link_weights, np.ones(len(must))],
        np.r_[constraints.cannot_link_weights, np.ones(len(cannot))],
    )


def as_oracle(oracle: npt.ArrayLike | Oracle, n_objects: int) -> Oracle:
    """Return a function (i, j) -> bool or None from true labels (n,), or the callable that is given."""
    if callable(oracle):
        return oracle
    labels = np.asarray(oracle)
    expect(labels.shape == (n_objects,), f"a callable or labels of shape ({n_objects},)", labels.shape)
    expect((labels == labels).all(), "labels without NaN (a callable may answer None)", "NaN")
    return lambda i, j: bool(labels[i] == labels[j])


def _fitted(
    estimator: BaseEstimator, X: np.ndarray, constraints: PairwiseConstraints, start: np.ndarray | None = None
):
    """Return a clone of `estimator` fitted under `constraints`, from the prototypes `start` if given."""
    model = clone(estimator)
    if start is not None:
        model.set_params(init=start)
    return model.fit(X, must_link=constraints.must_link, cannot_link=constraints.cannot_link)


def _checked_answers(pairs: npt.ArrayLike, same: npt.ArrayLike):
    pairs, same = np.asarray(pairs), np.asarray(same)
    expect(pairs.ndim == 2 and pairs.shape[1] == 2, "pairs of shape (m, 2)", pairs.shape)
    expect(len(pairs) > 0, "at least one pair", pairs.shape)
    expect(pairs.dtype.kind in "iu", "integer indices in pairs", pairs.dtype)
    expect(same.dtype == bool, "answers True or False", same.dtype)
    expect(same.shape == (len(pairs),), f"answers of shape ({len(pairs)},)", same.shape)
    return pairs.astype(np.int64), same

"""Fit a range of numbers of clusters, to all objects and to random halves, and compute criteria."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_random_state

from credalbench.baselines.base_partitions import no_user_warnings
from credalbench.core.arguments import MOST, SEED, Choice, Instance, expect, expect_count

from .criteria import CRITERIA, ELBOW, OBJECTIVE, STABILITY, default_criteria, is_pairwise
from .curves import RESAMPLES, TABLE, CriterionCurves
from .elbow import elbows
from .stability import SHARE, Partition, agreement, partition_of, select_objects

NAMES = ("n_clusters", "n_components")  # names of the parameter for the number of clusters
FEWEST_OBJECTS = 4  # half of these are two


def select_n_clusters(
    estimator: BaseEstimator,
    X: npt.ArrayLike,
    n_clusters: Iterable[int] = range(2, 7),
    criteria: Sequence[str] | None = None,
    *,
    n_repeats: int = 1,
    n_resamples: int = 0,
    fit_params: Mapping[str, object] | None = None,
    random_state: int | np.random.RandomState | None = None,
    n_jobs: int | None = None,
) -> CriterionCurves:
    """Fit a clusterer with several numbers of clusters, and compute suitable criteria for each.

    Parameters
    ----------
    estimator : scikit-learn clusterer or mixture
        Estimator with a parameter `n_clusters` or `n_components`. It is cloned and not fitted itself.
    X : array-like
        Data for its `fit`.
    n_clusters : iterable of int, default range(2, 7)
        Numbers of clusters, between 1 and the number of objects. An elbow needs a number on either side: to
        find an elbow at 2, include 1.
    criteria : sequence of str, optional
        Names from `CRITERIA`. By default those that suit this kind of clusterer, such as EBIC,
        nonspecificity, or the modified partition coefficient; and stability, if there are resamples.
    n_repeats : int, default 1
        Fits with each number of clusters, from different seeds.
    n_resamples : int, default 0
        Number of random halves of the objects that are fitted as well, the same for each number of clusters.
        They give the stability of the partition (of the first repetition), and show how certain the other
        criteria are. Twenty are enough.
    fit_params : mapping, optional
        Further arguments of `fit`, such as ``must_link``; not allowed with resamples.
    random_state : int, RandomState instance or None, default None
        Source of the seeds, which are the same for each number of clusters, and of the halves. By default
        that of the estimator; a single fit then equals ``estimator.set_params(n_clusters=c).fit(X)``.
    n_jobs : int, optional
        Number of processes; one by default.

    Returns
    -------
    CriterionCurves
        Values, with the best number by each criterion, intervals, and one recommendation.

    Raises
    ------
    ValueError
        If an argument is out of range, no criterion suits the estimator, or all fits fail. (If only some
        fail, their rows of the table give the reason.)

    Notes
    -----
    The function makes ``n_repeats`` fits for each number of clusters, and ``n_resamples`` fits to half of the
    objects, whose warnings are suppressed. It compares the masses of at most 1000 objects of a resample, in
    O(n^2 f).

    References
    ----------
    [jiao2022_egmm], [satopaa2011], [levine2001], [hennig2007]

    Examples
    --------
    >>> from credalbench.baselines import FuzzyCMeans
    >>> from credalbench.datasets import load
    >>> curves = select_n_clusters(FuzzyCMeans(random_state=0), load("iris").X, n_resamples=10)
    >>> curves.best["modified_partition_coefficient"], curves.best["stability"]
    (2, 2)
    >>> curves.recommendation.n_clusters
    2
    """
    is_estimator = hasattr(estimator, "get_params") and not isinstance(estimator, type)
    expect(is_estimator, "an estimator, such as ECM()", estimator)
    listed = hasattr(X, "__len__") and not isinstance(X, type) and getattr(X, "ndim", 1) > 0
    expect(listed, "a table of objects", X)
    expect(np.iterable(n_clusters), "a list of numbers of clusters", n_clusters)
    (Instance(Mapping, noun="a mapping") | None).read("fit_params", fit_params)
    numbers = sorted({expect_count("n_clusters", c, 1, len(X), "n_samples") for c in n_clusters})
    expect(numbers, "at least one number of clusters", list(n_clusters))
    n_repeats = expect_count("n_repeats", n_repeats, 1)
    n_resamples = expect_count("n_resamples", n_resamples, 0)
    n_jobs = None if n_jobs is None else expect_count("n_jobs", n_jobs, -MOST)
    _expect_criteria(criteria, n_resamples)
    if n_resamples:
        expect(len(X) >= FEWEST_OBJECTS, f"at least {FEWEST_OBJECTS} objects for resamples", len(X))
        what = "no fit_params with resamples, since they may refer to individual objects"
        expect(not fit_params, what, fit_params)
    request = Request(criteria, dict(fit_params or {}), n_resamples > 0)
    own = estimator.get_params().get("random_state")
    rng = check_random_state(own if random_state is None else SEED.read("random_state", random_state))
    seeded = n_repeats > 1 or random_state is not None
    seeds = _seeds(estimator, n_repeats, rng) if seeded else [{}]
    fits = _fits(estimator, X, numbers, [(None, seed) for seed in seeds], request, n_jobs)
    names = next((one.names for one in fits.values() if isinstance(one, Measured)), None)
    if names is None:
        why = fits[numbers[0], 0]
        raise ValueError(f"expected a number of clusters that can be fitted, got none: {why}")
    n_empty = _fewest_empty(fits)
    if not n_resamples:
        return CriterionCurves(pd.DataFrame(_rows(fits, names), columns=TABLE), n_empty=n_empty)
    halves = [rng.permutation(len(X))[: int(SHARE * len(X))] for _ in range(n_resamples)]
    runs = list(zip(halves, _seeds(estimator, n_resamples, rng)))
    again = _fits(estimator, X, numbers, runs, request, n_jobs)
    names = names if criteria is not None else [*names, STABILITY]
    rows = _rows(fits, names, list(_stabilities(fits, again, halves)))
    resampled = _rows(again, [name for name in names if name != STABILITY])
    tables = pd.DataFrame(rows, columns=TABLE), pd.DataFrame(resampled, columns=RESAMPLES)
    return CriterionCurves(*tables, n_empty)


def _expect_criteria(criteria: Sequence[str] | None, n_resamples: int) -> None:
    expect(criteria is None or np.iterable(criteria), "a list of criteria", criteria)
    criteria = () if criteria is None else [*criteria]
    for name in criteria:
        Choice(*CRITERIA).read("each criterion", name)
    stable = STABILITY in criteria
    expect(n_resamples > 0 or not stable, "n_resamples of at least 1 for stability", n_resamples)


def _seeds(estimator: BaseEstimator, count: int, rng: np.random.RandomState) -> list[dict[str, int]]:
    """Return the parameters that seed each of several fits differently."""
    if "random_state" not in estimator.get_params():
        return [{}] * count
    return [{"random_state": seed} for seed in rng.randint(MOST, size=count).tolist()]


# ---------------------------------------------------------------- fits


class Measured(NamedTuple):
    """Results of one fit: criteria, value and reason of each, partition, and number of empty clusters.

    `partition` is None if it is not requested, and `n_empty` is None if the fit has no labels.
    """

    names: list[str]
    values: dict[str, tuple[float, str]]
    partition: Partition | None
    n_empty: int | None


Fits = dict[tuple[int, int], Measured | str]  # by number of clusters and run; a text says why there is no fit


class Request(NamedTuple):
    """Requested criteria (None: the default), arguments of `fit`, and whether to keep the partition."""

    criteria: Sequence[str] | None
    fit_params: Mapping[str, object]
    partition: bool


def _fits(
    estimator: BaseEstimator,
    X: npt.ArrayLike,
    numbers: list[int],
    runs: list[tuple[np.ndarray | None, dict[str, int]]],
    request: Request,
    n_jobs: int | None,
) -> Fits:
    """Fit each number of clusters in each run; a run has its objects (None for all) and its seed."""
    parameter = next((name for name in NAMES if name in estimator.get_params()), None)
    expect(parameter is not None, f"an estimator with one of the parameters {NAMES}", estimator)
    cases = [(c, run) for c in numbers for run in range(len(runs))]
    models = [clone(estimator).set_params(**{parameter: c}, **runs[run][1]) for c, run in cases]

    def measured(model: BaseEstimator, c: int, rows: np.ndarray | None) -> tuple:
        data = X if rows is None else select_objects(X, rows, is_pairwise(estimator))
        return delayed(_measured)(model, c, data, request, quiet=rows is not None)

    found = Parallel(n_jobs=n_jobs)(
        measured(model, c, runs[run][0]) for model, (c, run) in zip(models, cases)
    )
    return dict(zip(cases, found))


def _measured(
    model: BaseEstimator, n_clusters: int, X: npt.ArrayLike, request: Request, *, quiet: bool
) -> Measured | str:
    """Return the results of a fit, or why it failed."""
    try:
        with no_user_warnings() if quiet else nullcontext():
            fit = model.fit(X, **request.fit_params)
    except ValueError as error:
        return str(error)
    names = default_criteria(fit) if request.criteria is None else list(request.criteria)
    for name in names:
        expect(CRITERIA[name].suits(fit), f"criteria that suit {type(fit).__name__}", name)
    found = {}
    for name in {*names, OBJECTIVE} if ELBOW in names else names:
        if CRITERIA[name].value is not None:
            found[name] = _value(name, fit, X)
    partition = partition_of(fit, X) if request.partition else None
    return Measured(names, found, partition, _n_empty(fit, X, n_clusters))


def _n_empty(fit: BaseEstimator, X: npt.ArrayLike, n_clusters: int) -> int | None:
    """Count the clusters without objects; noise (-1) is not a cluster."""
    if not hasattr(fit, "labels_") and not hasattr(fit, "predict"):
        return None
    labels = np.asarray(fit.labels_ if hasattr(fit, "labels_") else fit.predict(X))
    return n_clusters - np.unique(labels[labels >= 0]).size


def _value(name: str, fit: BaseEstimator, X: npt.ArrayLike) -> tuple[float, str]:
    try:
        return float(CRITERIA[name].value(fit, X)), ""
    except ValueError as error:
        return np.nan, str(error)


def _fewest_empty(fits: Fits) -> dict[int, int]:
    """Return number of clusters -> number of empty clusters, the minimum over the repetitions."""
    found: dict[int, int] = {}
    for (c, _), one in fits.items():
        if isinstance(one, Measured) and one.n_empty is not None:
            found[c] = min(one.n_empty, found.get(c, one.n_empty))
    return found


# ---------------------------------------------------------------- rows of the tables

Row = tuple[str, int, int, float, str]
NO_VALUE = "the fit lacks an attribute that the criterion needs"


def _rows(fits: Fits, names: list[str], stability: Sequence[Row] = ()) -> list[Row]:
    """Return one row for each criterion, number of clusters and run, including failed fits."""
    rows = []
    for name in names:
        if name == STABILITY:
            rows += stability
        elif name == ELBOW:
            rows += _elbow_rows(fits)
        else:
            rows += [(name, c, run, *_value_of(one, name)) for (c, run), one in fits.items()]
    return rows


def _value_of(one: Measured | str, name: str) -> tuple[float, str]:
    return (np.nan, one) if isinstance(one, str) else one.values.get(name, (np.nan, NO_VALUE))


def _elbow_rows(fits: Fits) -> list[Row]:
    """Return rows with the elbows of the objective of each run."""
    found = {}
    for run in sorted({run for _, run in fits}):
        curve = {c: _value_of(one, OBJECTIVE)[0] for (c, of), one in fits.items() if of == run}
        found |= {(c, run): elbow for c, elbow in elbows(curve).items()}
    return [(ELBOW, c, run, *found[c, run]) for c, run in fits]


def _stabilities(fits: Fits, again: Fits, halves: list[np.ndarray]) -> Iterator[Row]:
    """Yield rows with the agreement of the partition of each half with that of all objects, repetition 0."""
    for (c, run), part in again.items():
        whole = fits[c, 0]
        failed = next((one for one in (whole, part) if isinstance(one, str)), None)
        if failed is not None:
            yield STABILITY, c, run, np.nan, failed
            continue
        try:
            yield STABILITY, c, run, agreement(whole.partition, halves[run], part.partition), ""
        except ValueError as error:
            yield STABILITY, c, run, np.nan, str(error)

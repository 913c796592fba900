"""Checks of fits. The first line of each check is the promise; its error shows the actual result."""

import copy
import pickle
import re
import warnings
from collections.abc import Callable
from unittest import SkipTest

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.validation import has_fit_parameter

from credalbench.belief import FocalSets
from credalbench.cluster.testing.problem import (
    ALL,
    GROUPS,
    NEW,
    N,
    X,
    examples_of,
    fitted,
    links_of,
    memberships,
    results,
    seeded,
    start_of,
    suited,
)
from credalbench.core.arguments import shown
from credalbench.core.progress import Progress, listen

METHODS = ("predict", "predict_membership", "predict_partition", "predict_proba", "score", "transform")
#: Values that no clusterer of 40 objects in two clusters can use, by parameter.
BAD_VALUES = {
    "n_clusters": (0, N + 1, 2.5),
    "n_init": (0,),
    "max_iter": (-1, 1.5),
    "tol": (-1.0, np.nan),
    "alpha": ("one",),
    "focal_sets": ("some", FocalSets.simple(3), FocalSets.from_sets(2, [[], [0]])),
    "init": ("somewhere",),
}
#: Columns after two clusters exchanged their numbers: of clusters, of their subsets without and with ∅.
EXCHANGED = {2: [1, 0], 3: [1, 0, 2], 4: [0, 2, 1, 3]}
ORDER = np.random.default_rng(2).permutation(N)


def expect_that(condition: bool, promise: str, got: object) -> None:
    """Raise an AssertionError with the promise and the actual result, unless `condition` holds."""
    if not condition:
        raise AssertionError(f"expected {promise}, got {shown(got)}")


def attribute_of(fit: BaseEstimator, name: str) -> object:
    """Return an attribute of a fit; the check is skipped if there is none."""
    if not hasattr(fit, name):
        raise SkipTest(f"{type(fit).__name__} has no {name}")
    return getattr(fit, name)


def parameters_of(estimator: BaseEstimator, *names: str) -> dict[str, object]:
    """Return the parameters of an estimator; the check is skipped if one of the `names` is missing."""
    parameters = estimator.get_params(deep=False)
    missing = [name for name in names if name not in parameters]
    if missing:
        raise SkipTest(f"{type(estimator).__name__} has no parameter {missing[0]}")
    return parameters


def same(first: dict[str, bytes], again: dict[str, bytes], promise: str) -> None:
    """Raise an AssertionError that names the results that differ."""
    differing = sorted(name for name in first.keys() | again.keys() if first.get(name) != again.get(name))
    expect_that(not differing, promise, f"differences in {differing}")


def answers(fit: BaseEstimator) -> dict[str, bytes]:
    """Return the predictions of a fit for new objects as bytes, by method."""
    new = suited(fit, X[::3] + 0.5)
    given = {name: getattr(fit, name)(new) for name in METHODS if hasattr(fit, name)}
    return {name: np.asarray(getattr(value, "masses", value)).tobytes() for name, value in given.items()}


# ---------------------------------------------------------------- every fit


def check_simplex(estimator: BaseEstimator) -> None:
    """Masses and memberships are not negative and sum to 1 for each object."""
    degrees = memberships(fitted(estimator))
    if degrees is None:
        raise SkipTest("neither partition_ nor membership_")
    expect_that(len(degrees) == N, f"one row for each of {N} objects", degrees.shape)
    expect_that(degrees.min() >= 0, "masses of at least 0", degrees.min())
    assert_allclose(degrees.sum(axis=1), 1, atol=1e-12, err_msg="expected rows that sum to 1")  # rounding


def check_same_seed(estimator: BaseEstimator) -> None:
    """The same seed gives the same bytes."""
    first = results(fitted(estimator))
    expect_that(len(first) > 0, "results in attributes that end in an underscore", "none")
    same(first, results(fitted(estimator)), "the same bytes from the same seed")


def check_layout(estimator: BaseEstimator) -> None:
    """The order of the numbers in memory changes the results by rounding at most."""
    model = seeded(estimator)
    data, links = suited(model, X), links_of(model)
    wide = np.zeros((2 * data.shape[0], 3 * data.shape[1]), dtype=data.dtype)
    strided = wide[::2, ::3]
    strided[:] = data
    first = memberships(clone(model).fit(data, **links))
    if first is None:
        raise SkipTest("neither partition_ nor membership_")
    for other in (np.asfortranarray(data), strided):
        again = memberships(clone(model).fit(other, **links))
        assert_allclose(
            again, first, atol=1e-12, err_msg="expected the same masses from another layout"
        )  # rounding


def check_nothing_else_is_changed(estimator: BaseEstimator) -> None:
    """A fit changes neither its parameters, nor the data and constraints, nor numpy's global generator."""
    model = seeded(estimator)
    data, links = suited(model, X).copy(), links_of(model)

    def surroundings() -> dict[str, bytes]:
        things = {"parameters": model.get_params(), "data": data, "constraints": links}
        things["numpy's global generator"] = np.random.get_state()  # noqa: NPY002
        return {name: pickle.dumps(thing) for name, thing in things.items()}

    before = surroundings()
    model.fit(data, **links)
    same(before, surroundings(), "a fit that changes nothing but itself")


def check_copies(estimator: BaseEstimator) -> None:
    """A fit that is copied or pickled gives the same results and the same answers."""
    fit = fitted(estimator)
    for way in (copy.copy, copy.deepcopy, lambda fit: pickle.loads(pickle.dumps(fit))):
        again = way(fit)
        same(results(fit), results(again), "the same results from a copy")
        same(answers(fit), answers(again), "the same answers from a copy")


def check_clone(estimator: BaseEstimator) -> None:
    """A clone of a fit has its parameters and none of its results."""
    fit = fitted(estimator)
    again = clone(fit)
    expect_that(results(again) == {}, "a clone without results", sorted(results(again)))
    expect_that(repr(again) == repr(fit), f"the parameters {fit!r}", again)


def check_names_of_a_table(estimator: BaseEstimator) -> None:
    """The row names of a DataFrame become the names of the objects, and change nothing else."""
    plain, model = fitted(estimator), seeded(estimator)
    attribute_of(plain, "partition_")
    names = [f"object {i}" for i in ALL]
    table = pd.DataFrame(suited(model, X), index=names)
    if table.shape == (N, N):  # dissimilarities, also of categories that are as many
        table.columns = names
    links = {kind: [(names[i], names[j]) for i, j in pairs] for kind, pairs in links_of(model).items()}
    fit = model.fit(table, **links)
    expect_that(plain.partition_.index is None, "no names without a table", plain.partition_.index)
    expect_that(fit.partition_.index is not None, "the names of the table", None)
    expect_that(list(fit.partition_.index) == names, "the names of the table", list(fit.partition_.index))
    explanation = fit.partition_.explain(names[3], X, n_neighbors=1)
    nearest = explanation.neighbours.index[0]
    expect_that(nearest in names[: N // 2], "the name of an object of the same group", nearest)
    # a table has another memory order: rounding
    assert_allclose(
        fit.partition_.masses, plain.partition_.masses, atol=1e-6, err_msg="expected the same masses"
    )
    if hasattr(fit, "predict_partition"):
        found = fit.predict_partition(table.iloc[5:9]).index
        expect_that(found is not None and list(found) == names[5:9], "the names of new objects", found)
        unnamed = fit.predict_partition(table.to_numpy()[5:9]).index
        expect_that(unnamed is None, "no names of new objects without a table", unnamed)


def check_labels_are_numbered_as_the_partition(estimator: BaseEstimator) -> None:
    """Labels are those of the partition, numbered as its clusters, even if clusters are empty."""
    many = {"n_clusters": 6} if "n_clusters" in estimator.get_params(deep=False) else {}
    fit = fitted(estimator, **many)
    labels = attribute_of(fit, "partition_").labels()
    expect_that(np.array_equal(fit.labels_, labels), "labels of the partition", fit.labels_)


def check_bad_parameters(estimator: BaseEstimator) -> None:
    """An invalid value raises a ValueError or TypeError that names the parameter."""
    for name in BAD_VALUES.keys() & estimator.get_params(deep=False).keys():
        for value in BAD_VALUES[name]:
            try:
                fitted(estimator, **{name: value})
            except (TypeError, ValueError) as error:
                text = str(error).replace("_", " ")
                named = name.replace("_", " ") in text or "singleton" in text or "focal set" in text
                expect_that(named, f"an error that names {name}={value!r}", error)
            else:
                raise AssertionError(f"expected {name}={value!r} to be refused, got a fit")


def check_progress(estimator: BaseEstimator) -> None:
    """A fit reports its progress up to the last iteration, and listening changes no result."""
    texts: list[str] = []

    class Recorder(list):
        def __setitem__(self, place: slice, words: list[str]) -> None:
            super().__setitem__(place, words)
            texts.extend(filter(None, self))

    progress = Progress()
    progress.levels = Recorder()
    with listen(progress):
        fit = fitted(estimator)
    if not texts:
        raise SkipTest(f"{type(fit).__name__} reports no progress")
    expect_that(progress.text() == "", "no progress after the fit", progress.text())
    if hasattr(fit, "n_iter_"):
        last = {f"iteration {fit.n_iter_}", f"iteration {fit.n_iter_ + 1}"}  # or a last look
        expect_that(bool(last & {*texts}), f"a report of iteration {fit.n_iter_}", texts[-3:])
    else:
        complete = any(re.search(r" (\d+) of \1$", text) for text in texts)
        expect_that(complete, "a report of the last of all steps", texts[-3:])
    same(results(fit), results(fitted(estimator)), "the same results without a listener")


# ---------------------------------------------------------------- starts


def check_no_iterations(estimator: BaseEstimator) -> None:
    """Without iterations the result is the start, or max_iter=0 raises an error."""
    once = {"n_init": 1} if "n_init" in parameters_of(estimator, "max_iter") else {}
    try:
        start = fitted(estimator, max_iter=0, **once)
    except ValueError as error:
        expect_that("max_iter" in str(error), "an error that names max_iter", error)
        return
    whole = fitted(estimator, **once)
    expect_that(start.n_iter_ == 0, "n_iter_ of 0", start.n_iter_)
    expect_that(not getattr(start, "converged_", False), "converged_ to be False", True)
    trace, first = start.objective_trace_.tolist(), whole.objective_trace_[0]
    expect_that(trace == [start.objective_] == [first], f"the objective {first} of the start alone", trace)


def check_convergence_warning(estimator: BaseEstimator) -> None:
    """A fit raises a ConvergenceWarning if and only if it stopped at a positive `max_iter`."""
    parameters_of(estimator, "max_iter")
    for parameters in ({}, {"max_iter": 1}, {"max_iter": 0}):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                fit = fitted(estimator, **parameters)
            except ValueError:  # an estimator may need an iteration
                continue
        warned = any(issubclass(warning.category, ConvergenceWarning) for warning in caught)
        ended = fit.max_iter > 0 and not attribute_of(fit, "converged_")
        expect_that(warned == ended, f"ConvergenceWarning to be {ended} with max_iter={fit.max_iter}", warned)


def check_start_is_repeated(estimator: BaseEstimator) -> None:
    """The start of a fit gives the same iterations again, one by one."""
    parameters_of(estimator, "n_init", "init", "max_iter")
    whole = fitted(estimator, n_init=3)
    start = attribute_of(whole, "start_")
    for k in range(min(whole.n_iter_, 3) + 1):
        stopped = fitted(estimator, n_init=3, init=start, max_iter=k)
        expect_that(stopped.n_iter_ == k, f"{k} iterations", stopped.n_iter_)
        assert_allclose(
            stopped.objective_trace_,
            whole.objective_trace_[: k + 1],
            rtol=1e-9,  # sums of masses: rounding
            err_msg=f"expected the same objective after {k} iterations",
        )


def check_renamed_clusters(estimator: BaseEstimator) -> None:
    """Clusters that exchange their numbers in the start exchange them in the result."""
    start = start_of(estimator)
    if start is None:
        raise SkipTest("examples name no start")
    if start.shape == (N, 4):
        exchanged = start[:, EXCHANGED[4]]
    else:
        exchanged = 1 - start if start.shape == (N,) else start[::-1]
    first, again = (fitted(estimator, init=init, max_iter=30) for init in (start, exchanged))
    assert_array_equal(again.labels_, 1 - first.labels_, err_msg="expected labels that are exchanged")
    degrees, others = memberships(first), memberships(again)
    if degrees is not None:
        # sums in another order: rounding
        expected = degrees[:, EXCHANGED[degrees.shape[1]]]
        assert_allclose(others, expected, atol=1e-9, err_msg="expected masses that are exchanged")


def check_sample_weight(estimator: BaseEstimator) -> None:
    """An object of weight k counts as k objects anywhere in the data; weights of 1 do nothing."""
    if not has_fit_parameter(estimator, "sample_weight"):
        raise SkipTest(f"{type(estimator).__name__} has no sample_weight")
    model = seeded(estimator)
    start, data, rng = start_of(model), suited(model, X), np.random.default_rng(6)
    weights = rng.integers(0, 4, N)
    weights[[0, -1]] = 2  # the objects of the start
    repeated = rng.permutation(np.repeat(ALL, weights))
    for init in [{}] if start is None else [{}, {"init": start}]:
        model = seeded(estimator, **init)
        for weight, places in ((weights, repeated), (np.ones(N), ALL)):
            weighted, again = clone(model).fit(data, sample_weight=weight), clone(model).fit(data[places])
            if memberships(weighted) is None:
                raise SkipTest("neither partition_ nor membership_")
            found, expected = memberships(weighted)[places], memberships(again)
            # sums of other terms: rounding
            assert_allclose(found, expected, atol=1e-9, err_msg="expected the same masses")
            values = weighted.objective_, again.objective_
            assert_allclose(*values, rtol=1e-9, err_msg="expected the same objective")
    for wrong in (weights[1:], -weights, np.full(N, np.nan), 0 * weights):
        try:
            clone(model).fit(data, sample_weight=wrong)
        except ValueError as error:
            expect_that("sample_weight" in str(error), "an error that names sample_weight", error)
        else:
            raise AssertionError(f"expected sample_weight={shown(wrong)} to be refused, got a fit")


# ---------------------------------------------------------------- the order of the objects


def check_groups_in_any_order(estimator: BaseEstimator) -> None:
    """Groups that are far apart are found in any order of the objects."""
    fit = fitted(estimator, ORDER)
    if hasattr(fit, "labels_"):
        found = adjusted_rand_score(GROUPS[ORDER], fit.labels_)
        expect_that(found == 1, "the two groups, adjusted Rand index 1", found)
    else:
        moved, usual = (one.transform(X) for one in (fit, fitted(estimator)))
        assert_allclose(moved, usual, atol=1e-9, err_msg="expected the same map in any order")  # rounding


def check_order_from_the_same_start(estimator: BaseEstimator) -> None:
    """From the same start, objects without ties give the same result in another order."""
    parameters = estimator.get_params(deep=False)
    start = start_of(estimator)
    if start is None or start.shape == (N,) or parameters.get("n_pairs"):
        raise SkipTest("no start, or the fit draws something for each place: an order of visits, or pairs")
    if parameters.get("solver") in ("gradient", "lbfgs"):
        end = {"max_iter": 5}  # all objects move at once: the same steps, and a flat valley ahead
    else:
        end = {"tol": 1e-9, "max_iter": 10_000} if "tol" in parameters else {}
    order = np.random.default_rng(3).permutation(N)
    starts = [start, start_of(estimator, np.argsort(order))]
    before = pickle.dumps(starts)
    in_turn = parameters.get("solver") == "irqp"  # under constraints, rows in turn find one of several minima
    first, again = (
        fitted(estimator, way, not in_turn, init=one, **end) for way, one in zip((None, order), starts)
    )
    expect_that(pickle.dumps(starts) == before, "the start unchanged", "another one")
    assert_array_equal(again.labels_, first.labels_[order], err_msg="expected the same labels")
    if hasattr(first, "objective_"):
        # where descent stopped
        assert_allclose(again.objective_, first.objective_, rtol=1e-6, err_msg="expected the same objective")
    if memberships(first) is not None and not in_turn:  # they end anywhere along a valley, at the same stress
        expected = memberships(first)[order]
        # where descent stopped
        assert_allclose(memberships(again), expected, atol=1e-4, err_msg="expected the same masses")


# ---------------------------------------------------------------- new objects


def predictor(estimator: BaseEstimator) -> BaseEstimator:
    """Return a fit without constraints; the check is skipped if it has no `predict_partition`."""
    if not hasattr(estimator, "predict_partition"):
        raise SkipTest(f"{type(estimator).__name__} has no predict_partition")
    model = seeded(estimator)
    return model.fit(suited(model, X))


def check_not_fitted(estimator: BaseEstimator) -> None:
    """Before a fit, methods for new objects raise NotFittedError."""
    model = clone(estimator)
    for name in METHODS:
        if not hasattr(model, name):
            continue
        try:
            getattr(model, name)(suited(model, X))
        except Exception as error:
            expected = type(error).__name__ == "NotFittedError"
            expect_that(expected, f"NotFittedError from {name}", error)
        else:
            raise AssertionError(f"expected NotFittedError from {name}, got a result")


def check_masses_of_new_objects(estimator: BaseEstimator) -> None:
    """New objects get masses on the focal sets of the fit that are at least 0 and sum to 1."""
    fit = predictor(estimator)
    partition = fit.predict_partition(suited(fit, NEW))
    sets = fit.partition_.focal_sets
    expect_that(partition.focal_sets == sets, f"the focal sets {sets!r}", partition.focal_sets)
    masses = partition.masses
    expect_that(masses.shape == (len(NEW), len(sets)), f"one row for each of {len(NEW)}", masses.shape)
    expect_that(masses.min() >= 0, "masses of at least 0", masses.min())
    assert_allclose(masses.sum(axis=1), 1, atol=1e-12, err_msg="expected rows that sum to 1")  # rounding


def check_probabilities_of_new_objects(estimator: BaseEstimator) -> None:
    """The probabilities of new objects are the pignistic ones of their masses, in a new array."""
    fit = predictor(estimator)
    new = suited(fit, NEW)
    found = attribute_of(fit, "predict_proba")(new)
    expected = fit.predict_partition(new).pignistic
    assert_allclose(found, expected, atol=examples_of(fit).rounding, err_msg="expected pignistic ones")
    expect_that(found.flags.writeable, "an array that can be written into", "a read-only one")


def check_distances_to_prototypes(estimator: BaseEstimator) -> None:
    """`transform` returns a named column of distances to each prototype; that of the group is smallest."""
    fit = fitted(estimator)
    if not hasattr(fit, "labels_"):
        raise SkipTest(f"{type(fit).__name__} has no labels_")
    data = suited(fit, X)
    found = attribute_of(fit, "transform")(data)
    expect_that(found.shape == (N, 2), "a column for each cluster", found.shape)
    expect_that(bool((found >= 0).all()), "distances of at least 0", found.min())
    assert_array_equal(found.argmin(axis=1), fit.labels_, err_msg="expected the prototype of the group")
    names = list(fit.get_feature_names_out())
    expect_that(len(names) == 2, "a name for each column", names)


def check_labels_of_new_objects(estimator: BaseEstimator) -> None:
    """New objects get the cluster of highest pignistic probability; those of the fit keep their labels."""
    fit = predictor(estimator)
    new = suited(fit, NEW)
    found, partition = fit.predict(new), fit.predict_partition(new)
    expect_that(np.array_equal(found, partition.labels()), "labels of their masses", found)
    best = fit.predict_proba(new).argmax(axis=1)
    expect_that(np.array_equal(found, best), "the largest of predict_proba", found)
    assert_array_equal(fit.predict(suited(fit, X)), fit.labels_, err_msg="expected labels_ of the fit")


def check_new_objects_are_independent(estimator: BaseEstimator) -> None:
    """The masses of a new object do not depend on the other new objects."""
    fit = predictor(estimator)
    new = suited(fit, NEW)
    together = fit.predict_partition(new).masses
    for i in (0, 17):
        alone = fit.predict_partition(new[i : i + 1]).masses[0]
        rounding = examples_of(fit).rounding
        assert_allclose(alone, together[i], atol=rounding, err_msg="expected the same masses of one alone")


def check_answers_rest_on_the_fit(estimator: BaseEstimator) -> None:
    """Predictions do not change when parameters are set, or the data overwritten, after the fit."""
    predictor(estimator)
    model = seeded(estimator)
    data = suited(model, X).copy()
    fit = model.fit(data)
    before = answers(fit)
    data[:] = 0.0
    fit.set_params(**dict.fromkeys(fit.get_params(deep=False)))
    same(before, answers(fit), "the same answers as before")


CHECKS: tuple[Callable[[BaseEstimator], None], ...] = tuple(
    thing for name, thing in list(globals().items()) if name.startswith("check_")
)

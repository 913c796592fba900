"""The contract that every estimator keeps: found by being exported, checked once."""

import pickle
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import has_fit_parameter

from credalbench import baselines, cluster, resources
from credalbench.belief import CredalPartition, FocalSets
from credalbench.metrics import adjusted_rand
from credalbench.resources import NotEnoughMemory
from tests.listening import listened

EXPORTED = [getattr(package, name) for package in (cluster, baselines) for name in package.__all__]
CLASSES = [thing for thing in EXPORTED if isinstance(thing, type) and issubclass(thing, BaseEstimator)]
#: Beside the defaults, ways through an estimator that share little with them.
VARIANTS = {
    "ECM": [{"metric": "mahalanobis"}, {"init": "k-means"}, {"init": "random"}],
    "CatECM": [{"normalize": False}, {"missing": "ignore", "focal_sets": "simple"}],
    "CECM": [{"metric": "mahalanobis"}, {"solver": "cyclic"}, {"solver": "simultaneous", "init": "random"}],
    "EVCLUS": [{"n_pairs": 5}, {"solver": "gradient"}, {"solver": "lbfgs"}],
    "EGMM": [
        {"covariance_type": "spherical", "init": "k-means++"},
        {"covariance_type": "full", "stopping": "relative"},
    ],
    "EKNNclus": [{"n_clusters": 5, "n_init": 2}],
    "COPKMeans": [{"order": "random", "init": "k-means++"}],
    "ConstrainedFuzzyCMeans": [{"metric": "mahalanobis"}],
    "FuzzyKModes": [{"centroids": "fuzzy"}],
    "MMC": [{"diagonal": True}],
    "BootGMM": [{"covariance_type": "full", "focal_sets": "full"}],
    "EvidentialEnsemble": [
        {"t_norm": "minimum", "rule": "dubois_prade", "init": "random"},
        {"n_pairs": 9},
    ],
    "EvidenceAccumulation": [{"n_clusters": None, "base_n_clusters": (3, 8)}],
}
#: Estimators that can be followed from their start.
FROM_THE_START = {"ECM", "CatECM", "CECM", "EGMM", "EVCLUS", "FuzzyCMeans", "GustafsonKessel"}
#: What scikit-learn checks and some estimators cannot keep, by tag, with the reason.
NOT_KEPT = {
    "categorical": {
        "check_clustering": "its numbers are all different: as categories, objects have nothing in common"
    }
}
#: In place of defaults with which a fit takes seconds.
QUICK = {
    "BootGMM": {"n_bootstrap": 10},
    "EvidentialEnsemble": {"n_estimators": 3, "base_n_clusters": 3},
    "EvidenceAccumulation": {"n_estimators": 20, "base_n_clusters": 5},
}


def quick(cls, **options):
    return cls(**QUICK.get(cls.__name__, {}) | options)


def seeded(cls, **options):
    estimator = quick(cls, **options)
    return estimator.set_params(random_state=0) if "random_state" in estimator.get_params() else estimator


ESTIMATORS = [seeded(cls, **options) for cls in CLASSES for options in [{}, *VARIANTS.get(cls.__name__, [])]]
every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)

N = 40  # objects: two groups, one after the other, far apart
ALL = np.arange(N)
GROUPS = ALL // (N // 2)
X = np.random.default_rng(0).normal(size=(N, 2)) + 12 * GROUPS[:, None]
LINKS = {"must_link": np.array([(0, 5), (30, 23), (8, 9)]), "cannot_link": np.array([(3, 35), (10, 31)])}


def as_categories(X):
    """Objects by what they are, roughly, in each attribute, which tells groups, and by what, less roughly."""
    return np.hstack([np.round(X / 12), np.round(X)])


def suited(estimator, X):
    """Objects as the estimator takes them."""
    return as_categories(X) if get_tags(estimator).input_tags.categorical else X


def fitted(estimator, order=ALL):
    """A clone, fitted to `X` or to its objects in another `order`, under `LINKS` if it heeds any."""
    links = {name: pairs for name, pairs in LINKS.items() if has_fit_parameter(estimator, name)}
    if order is not ALL:
        links = {name: np.argsort(order)[pairs] for name, pairs in links.items()}
    return clone(estimator).fit(suited(estimator, X if order is ALL else X[order]), **links)


def results(fit):
    """What a fit has found, but for the seconds it took, bit by bit."""
    found = {name: value for name, value in vars(fit).items() if name.endswith("_") and name != "time_trace_"}
    found |= {name: value.masses for name, value in found.items() if isinstance(value, CredalPartition)}
    return {
        name: np.asarray(value).tobytes()
        for name, value in found.items()
        if isinstance(value, np.ndarray | np.generic | float | int)
    }


def memberships(fit):
    """Degrees in which objects belong to sets or clusters: (n, f), or None where there are none."""
    return fit.partition_.masses if hasattr(fit, "partition_") else getattr(fit, "membership_", None)


# ---------------------------------------------------------------- scikit-learn's contract, and ours


def not_kept(estimator):
    return NOT_KEPT["categorical"] if get_tags(estimator).input_tags.categorical else {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=not_kept)
@pytest.mark.filterwarnings("ignore::UserWarning")  # tiny data: singular covariances, too many clusters
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


@every_estimator
def test_a_fit_tells_how_far_it_is(estimator):
    fit, told = listened(lambda: fitted(estimator))
    words = [level for levels in told for level in levels.split(", ")]
    if hasattr(fit, "n_iter_"):
        assert {f"iteration {fit.n_iter_}", f"iteration {fit.n_iter_ + 1}"} & {*words}  # or a last look
    else:
        assert f"base partition {len(fit.partitions_)} of {len(fit.partitions_)}" in words
    assert results(fit) == results(fitted(estimator))


def test_every_variant_is_one_of_an_exported_estimator():
    assert set(VARIANTS) <= {cls.__name__ for cls in CLASSES}


@every_estimator
def test_masses_and_memberships_lie_on_the_simplex(estimator):
    masses = memberships(fitted(estimator))
    if masses is None:
        pytest.skip("neither masses nor memberships")
    assert len(masses) == N
    assert masses.min() >= 0
    np.testing.assert_allclose(masses.sum(axis=1), 1, atol=1e-12)  # rounding


@every_estimator
def test_same_seed_same_bytes_and_nothing_else_is_touched(estimator):
    """Nothing else: the estimator's parameters, objects, constraints, numpy's global generator."""

    def surroundings():
        return pickle.dumps((estimator.get_params(), X, LINKS, np.random.get_state()))  # noqa: NPY002

    before = surroundings()
    first, again = fitted(estimator), fitted(estimator)
    assert len(results(first)) > 3
    assert results(first) == results(again)
    assert repr(first) == repr(estimator)
    assert surroundings() == before


@every_estimator
def test_fit_survives_pickling_and_a_clone_forgets_it(estimator):
    fit = fitted(estimator)
    again = pickle.loads(pickle.dumps(fit))
    assert results(again) == results(fit)
    for method in ("predict", "transform"):
        if hasattr(fit, method):
            same = suited(fit, X)
            np.testing.assert_array_equal(getattr(again, method)(same), getattr(fit, method)(same))
    assert results(clone(fit)) == {}
    assert repr(clone(fit)) == repr(fit)


EVIDENTIAL = [seeded(cls) for cls in CLASSES if "    partition_ : " in cls.__doc__]


@pytest.mark.parametrize("estimator", EVIDENTIAL, ids=repr)
def test_names_of_a_table_are_those_of_the_objects(estimator):
    """In partitions of the fit and of other objects, and in constraints; nothing else changes."""
    names = [f"object {i}" for i in ALL]
    table = pd.DataFrame(suited(estimator, X), index=names)
    links = {
        kind: [(names[i], names[j]) for i, j in pairs]
        for kind, pairs in LINKS.items()
        if has_fit_parameter(estimator, kind)
    }
    plain, fit = fitted(estimator), clone(estimator).fit(table, **links)
    assert plain.partition_.index is None
    assert list(fit.partition_.index) == names
    masses, wanted = fit.partition_.masses, plain.partition_.masses
    np.testing.assert_allclose(masses, wanted, atol=1e-6)  # a table has another memory order: rounding
    assert fit.partition_.explain(names[3], X, n_neighbors=1).neighbours.index[0] in names[:20]
    if hasattr(fit, "predict_partition"):
        assert list(fit.predict_partition(table.iloc[5:9]).index) == names[5:9]
        assert fit.predict_partition(table.to_numpy()[5:9]).index is None


@pytest.mark.parametrize("estimator", EVIDENTIAL, ids=repr)
@pytest.mark.filterwarnings("ignore::UserWarning")  # too many clusters: that is the point
def test_labels_are_numbered_as_in_the_partition(estimator):
    if "n_clusters" in estimator.get_params():
        estimator = clone(estimator).set_params(n_clusters=6)
    fit = fitted(estimator)
    rules = [fit.partition_.labels(rule) for rule in ("plausibility", "pignistic")]
    assert any(np.array_equal(fit.labels_, labels) for labels in rules)


MISTAKES = [
    ("n_clusters", 0, "1 <= n_clusters"),
    ("n_clusters", N + 1, f"n_clusters <= n_samples = {N}"),
    ("n_clusters", 2.5, "an integer n_clusters|n_clusters to be an integer or"),
    ("n_init", 0, "1 <= n_init"),
    ("max_iter", -1, "[01] <= max_iter"),
    ("max_iter", 1.5, "an integer max_iter"),
    ("tol", -1.0, "a finite tol >= 0"),
    ("tol", np.nan, "a finite tol >= 0"),
    ("alpha", "one", "alpha"),
    ("focal_sets", "some", "focal_sets to be FocalSets or one of"),
    ("focal_sets", FocalSets.simple(3), "focal sets over 2 clusters, got 3"),
    ("focal_sets", FocalSets.from_sets(2, [[], [0]]), "every cluster in some focal set|every singleton"),
    ("init", "somewhere", "init"),
]


@pytest.mark.parametrize(
    ("cls", "parameter", "value", "message"),
    [(cls, *mistake) for cls in CLASSES for mistake in MISTAKES if mistake[0] in cls().get_params()],
)
def test_bad_parameters_are_refused_before_work_starts(cls, parameter, value, message):
    with pytest.raises(ValueError, match=message) as refused:
        quick(cls, **{parameter: value}).fit(X)
    assert str(refused.value).startswith("expected ")


@every_estimator
def test_no_iterations_leave_the_start_or_are_refused(estimator):
    names = estimator.get_params().keys()
    if "max_iter" not in names:
        pytest.skip("no cap on iterations")
    once = clone(estimator).set_params(**{name: 1 for name in {"n_init"} & names})
    stopped = clone(once).set_params(max_iter=0)
    if type(estimator).__name__ not in FROM_THE_START:
        with pytest.raises(ValueError, match="1 <= max_iter"):
            fitted(stopped)
        return
    start, whole = fitted(stopped), fitted(once)
    assert start.n_iter_ == 0 and not start.converged_
    assert start.objective_trace_.tolist() == [start.objective_] == [whole.objective_trace_[0]]


@pytest.mark.parametrize(
    "estimator", [one for one in ESTIMATORS if "    start_ : " in type(one).__doc__], ids=repr
)
def test_a_kept_run_is_repeated_from_its_start_iteration_by_iteration(estimator):
    whole = fitted(clone(estimator).set_params(n_init=3))
    for k in range(min(whole.n_iter_, 3) + 1):
        stopped = fitted(clone(estimator).set_params(init=whole.start_, max_iter=k))
        assert stopped.n_iter_ == k
        wanted = whole.objective_trace_[: k + 1]
        np.testing.assert_allclose(stopped.objective_trace_, wanted, rtol=1e-9)  # sums of masses: rounding


@every_estimator
def test_memory_is_looked_at_before_it_is_taken(estimator, monkeypatch):
    """With less at hand than a fit takes it is refused, by name; with some times as much it goes through."""
    many = suited(estimator, np.random.default_rng(4).normal(size=(1200, 12)))
    quick = {"max_iter": 2, "n_init": 1, "xi": 0.01}
    model = clone(estimator)
    model.set_params(**{name: quick[name] for name in quick.keys() & model.get_params().keys()})
    links = {"must_link": np.arange(600).reshape(-1, 2)} if has_fit_parameter(model, "must_link") else {}

    def fit():
        return model.fit(many, **links)

    fit()  # all modules are loaded, all kernels compiled
    tracemalloc.start()
    fit()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    monkeypatch.setattr(resources, "SMALL", 0)
    monkeypatch.setattr(resources, "available_memory", lambda: (0.8 * peak, "this test has"))
    with pytest.raises(NotEnoughMemory, match=r"this test has left; got about .* for .*\d.* Instead: "):
        fit()
    monkeypatch.setattr(resources, "available_memory", lambda: (4 * peak, "this test has"))
    fit()


# ---------------------------------------------------------------- objects in another order


def prototypes(places):
    return X[[0, N - 1]]


def rows(places):
    return as_categories(X)[[0, N - 1]]


def medoids(places):
    return places[[0, N - 1]]


def masses(places):
    return np.random.default_rng(1).dirichlet(np.ones(4), N)[np.argsort(places)]


#: The start that an estimator's `init` takes, for objects at the given places.
STARTS = {
    "CECM": prototypes,
    "CatECM": rows,
    "ECM": prototypes,
    "EGMM": prototypes,
    "EVCLUS": masses,
    "MECM": medoids,
    "RECM": masses,
    "COPKMeans": prototypes,
    "ConstrainedFuzzyCMeans": prototypes,
    "FuzzyCMeans": prototypes,
    "FuzzyKModes": rows,
    "GustafsonKessel": prototypes,
    "KModes": rows,
}


@every_estimator
def test_groups_do_not_depend_on_the_order_of_the_objects(estimator):
    """Whatever the start, drawn by place or not: groups that are far apart are found."""
    order = np.random.default_rng(2).permutation(N)
    fit = fitted(estimator, order)
    if hasattr(fit, "labels_"):
        assert adjusted_rand(GROUPS[order], fit.labels_) == 1
    else:
        moved = fit.transform(X)
        np.testing.assert_allclose(moved, fitted(estimator).transform(X), atol=1e-9)  # rounding


@every_estimator
def test_objects_in_another_order_from_the_same_start_end_at_the_same_place(estimator):
    """But for ties: these objects have none. MECM, for one, takes the first of equally good medoids."""
    name = type(estimator).__name__
    if name not in STARTS or estimator.get_params().get("n_pairs"):
        pytest.skip("draws something for each place: an order of visits, or pairs")
    parameters = estimator.get_params()
    if parameters.get("solver") in ("gradient", "lbfgs"):
        end = {"max_iter": 5}  # all objects move at once: the same steps, and a flat valley ahead
    else:
        end = {"tol": 1e-9, "max_iter": 10_000} if "tol" in parameters else {}
    order = np.random.default_rng(3).permutation(N)
    starts = [STARTS[name](np.argsort(way)) for way in (ALL, order)]
    given = pickle.dumps(starts)
    models = (clone(estimator).set_params(init=start, **end) for start in starts)
    first, again = (fitted(model, way) for model, way in zip(models, (ALL, order)))
    assert pickle.dumps(starts) == given  # a start is left alone, too
    np.testing.assert_array_equal(again.labels_, first.labels_[order])
    assert again.objective_ == pytest.approx(first.objective_, rel=1e-6)  # where descent stopped
    valley = parameters.get("solver") == "irqp"  # rows in turn end anywhere along it, at the same stress
    if memberships(first) is not None and not valley:
        np.testing.assert_allclose(memberships(again), memberships(first)[order], atol=1e-4)  # the same


# ---------------------------------------------------------------- compilation

TIMED = """
from credalbench.kernels import KernelCache, compile_kernels
from tests.test_estimators import ESTIMATORS, fitted
compile_kernels()
load = KernelCache.load_overload
def told(self, signature, context):
    print(self.function.__module__, self.function.__name__, signature)
    return load(self, signature, context)
KernelCache.load_overload = told
for estimator in ESTIMATORS:
    fitted(estimator)
"""


def test_after_compile_kernels_no_fit_compiles_anything():
    """In a new process, since in this one other tests have compiled already."""
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run([sys.executable, "-c", TIMED], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""

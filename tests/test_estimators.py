"""The contract that every estimator keeps: found by being exported, checked once."""

import pickle
import subprocess
import sys
from pathlib import Path
from unittest import SkipTest

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.utils import estimator_checks, get_tags

from credalbench import baselines, cluster
from credalbench.belief import FocalSets
from credalbench.cluster import CECM, ECM, EGMM
from credalbench.cluster.testing import clusterer_checks
from credalbench.cluster.testing.problem import ALL, N, X, examples_of, links_of, seeded, suited
from credalbench.datasets import make_t4

EXPORTED = [getattr(package, name) for package in (cluster, baselines) for name in package.__all__]
EXPORTED.remove(cluster.PCCA)  # a projection that needs constraints, tested by itself
CLASSES = [thing for thing in EXPORTED if isinstance(thing, type) and issubclass(thing, BaseEstimator)]
#: What scikit-learn checks and some estimators cannot keep, by tag, with the reason.
EXPECTED_FAILURES = {
    "categorical": {
        "check_clustering": "its numbers are all different: as categories, objects have nothing in common"
    },
    "adaptive": {
        "check_sample_weight_equivalence_on_dense_data": "fewer objects than attributes: the norms, of "
        "singular covariances with a ridge of 1e-10, amplify rounding to 1e-6"
    },
}


def quick(cls, **options):
    return cls(**{**examples_of(cls).quick, **options})


DEFAULTS = [seeded(quick(cls)) for cls in CLASSES]
VARIANTS = [seeded(quick(cls, **variant)) for cls in CLASSES for variant in examples_of(cls).variants]
ESTIMATORS = DEFAULTS + VARIANTS
every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)

# ---------------------------------------------------------------- scikit-learn's contract, and ours


def expected_failures(estimator):
    if isinstance(estimator, ECM) and estimator.metric == "mahalanobis":
        return EXPECTED_FAILURES["adaptive"]
    return EXPECTED_FAILURES["categorical"] if get_tags(estimator).input_tags.categorical else {}


def checks_of_scikit_learn(estimators):
    """Mixtures get a ridge: without it they refuse the objects of some checks, which are at four places."""
    ridge = {"reg_covar": 0.01}
    estimators = [clone(one).set_params(**ridge) if isinstance(one, EGMM) else one for one in estimators]
    return estimator_checks.parametrize_with_checks(estimators, expected_failed_checks=expected_failures)


tiny_data = pytest.mark.filterwarnings("ignore::UserWarning")  # singular covariances, too many clusters


@checks_of_scikit_learn(DEFAULTS)
@tiny_data
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.long
@checks_of_scikit_learn(VARIANTS)
@tiny_data
def test_scikit_learn_estimator_checks_of_variants(estimator, check):
    check(estimator)


OF_DEFAULTS = clusterer_checks(*DEFAULTS)
OF_VARIANTS = [pytest.param(check, marks=pytest.mark.long) for check in clusterer_checks(*VARIANTS)]


@pytest.mark.parametrize("check", [*OF_DEFAULTS, *OF_VARIANTS], ids=str)
def test_checks_of_clusterers(check):
    try:
        check()
    except SkipTest:  # all of ours report their progress
        assert check.name != "check_progress"
        raise


#: Besides those of `check_bad_parameters`: ranges, and messages that name the data.
MISTAKES = [
    ("n_clusters", N + 1, f"n_clusters <= n_samples = {N}"),
    ("focal_sets", FocalSets.simple(3), "focal sets over 2 clusters, got 3"),
    (
        "focal_sets",
        FocalSets.from_sets(2, [[], [0]]),
        "focal sets that contain every cluster|every singleton",
    ),
    ("alpha", 1000.0, "alpha"),
    ("alpha", -1000.0, "alpha"),
    ("b", -1.0, "b > 0"),
    ("beta", 1.0, "beta > 1"),
    ("confidence", 1.0, "confidence < 1"),
    ("d0", 0.0, "d0 > 1e-100"),
    ("d0", -1.0, "d0 > 1e-100"),
    ("d0_quantile", 1.5, "d0_quantile"),
    ("delta", 0.0, "delta > (0|1e-100)"),
    ("delta", -1.0, "delta > (0|1e-100)"),
    ("eta", 0.0, "eta > 0"),
    ("gamma", -0.1, "gamma >= 0"),
    ("m", 1.0, "m > 1"),
    ("n_bootstrap", 0, "1 <= n_bootstrap"),
    ("n_estimators", 0, "1 <= n_estimators"),
    ("n_jobs", 0, "n_jobs other than 0"),
    ("n_neighbors", 0, "1 <= n_neighbors"),
    ("n_neighbors", N, f"n_neighbors <= n_samples - 1 = {N - 1}"),
    ("n_pairs", 0, "1 <= n_pairs"),
    ("n_pairs", N, f"n_pairs <= n_samples - 1 = {N - 1}"),
    ("n_restarts", -1, "0 <= n_restarts"),
    ("pair_neighbors", 2, "pair_neighbors <= n_clusters - 1 = 1"),
    ("q", 0.0, "q > 0"),
    ("q", 1.5, "q <= 1"),
    ("reg_covar", -1.0, "a finite reg_covar >= 0"),
    ("regularization", -1.0, "regularization >= 0"),
    ("ridge", 0.0, "ridge >= 1e-09"),
    ("weight", -1.0, "weight >= 0"),
    ("xi", -0.1, "xi >= 0"),
    ("xi", np.inf, "a finite xi"),
]
STARTS = {
    "objects": [
        (np.zeros((3, 2)), r"init of shape \(2, 2\)"),
        ([[0.0, 1.0], [np.nan, 2.0]], "finite numbers in init|finite init"),
    ],
    "masses": [(np.full((N, 4), 0.3), "sum"), (np.ones((N, 3)) / 3, "shape")],
}


@pytest.mark.parametrize("cls", CLASSES)
def test_bad_parameters_are_refused_with_what_was_expected(cls):
    starts = [] if get_tags(cls()).input_tags.categorical else STARTS.get(examples_of(cls).start, [])
    for parameter, value, message in MISTAKES + [("init", *start) for start in starts]:
        if parameter in cls().get_params():
            with pytest.raises(ValueError, match=f"^expected .*({message})"):
                quick(cls, **{parameter: value}).fit(X)


CONSTRAINED = [one for one in DEFAULTS if links_of(one)]
CONTRADICTION = {"must_link": [(0, 1), (1, 2)], "cannot_link": [(0, 2)]}


@pytest.mark.parametrize("estimator", CONSTRAINED, ids=repr)
@pytest.mark.parametrize(
    ("links", "message"),
    [
        ({"must_link": [(0, N)]}, rf"indices 0..{N - 1} in must_link, got \[{N}\]"),
        ({"cannot_link": [(4, 4)]}, "different objects in cannot_link, got 4 with itself"),
    ],
)
def test_bad_constraints_are_refused_with_the_reason(estimator, links, message):
    with pytest.raises(ValueError, match=message):
        clone(estimator).fit(X, **links)


@pytest.mark.parametrize("estimator", CONSTRAINED, ids=repr)
def test_contradictions_are_refused_unless_the_method_is_soft(estimator):
    message = "0, 2; but must-links 0 - 1 - 2"
    if not hasattr(estimator, "constraint_report"):
        with pytest.raises(ValueError, match=message):
            clone(estimator).fit(X, **CONTRADICTION)
        return
    expected = rf"contradict each other: cannot-link {message}\. The fit violates"
    with pytest.warns(UserWarning, match=expected) as warned:
        fit = clone(estimator).fit(X, **CONTRADICTION)
    assert warned[0].filename == __file__
    assert fit.constraint_report()["outcome"].tolist().count("violated") == len(fit.violated_) == 1
    assert np.diff(fit.objective_trace_).max() <= 1e-9 * fit.objective_  # rounding
    copy = pickle.loads(pickle.dumps(fit))
    assert copy.constraints_.contradictions() == f"cannot-link {message}"


@pytest.mark.parametrize("estimator", CONSTRAINED, ids=repr)
def test_misspelt_names_are_errors_and_folds_have_the_constraints_among_their_objects(estimator):
    names = np.array([f"object {i}" for i in range(N)])
    table, links = pd.DataFrame(X, index=names), links_of(estimator)
    named = {kind: names[pairs] for kind, pairs in links.items()}
    here, fits = np.flatnonzero(~np.isin(ALL, [5, 35])), []
    for kind in named:
        with pytest.raises(ValueError, match=rf"name of an object .*got 'objct 1' in {kind}"):
            clone(estimator).fit(table, **named | {kind: [("object 3", "objct 1")]})
    with pytest.raises(ValueError, match=r"name of an object .*got 'object (5|35)' in must_link"):
        clone(estimator).fit(table.iloc[here], **named)

    def kept(fit, *_):
        fits.append(fit)
        return 0.0

    with pytest.warns(UserWarning, match="1 of 3 pairs in must_link .* object 0 - object 5$") as warned:
        cross_validate(
            clone(estimator), table, params=named, cv=[(here, here)], scoring=kept, error_score="raise"
        )
    assert any("1 of 2 pairs in cannot_link" in str(one.message) for one in warned)
    frame = fits[0].constraints_.to_frame()
    expected = [named["must_link"][k] for k in (1, 2)] + [named["cannot_link"][1]]
    assert sorted(map(sorted, frame[["first", "second"]].to_numpy())) == sorted(map(sorted, expected))
    if isinstance(estimator, CECM):
        search = GridSearchCV(clone(estimator), {"xi": [0.1, 0.5]}, cv=3, error_score="raise")
        assert "xi" in search.fit(table, **named).best_params_
        with pytest.raises(ValueError, match="got 'objct 1' in must_link"):
            search.fit(table, must_link=[("object 3", "objct 1")])


def draws_for_starts_alone(estimator):
    """Not for pairs, nor for bases, refits or mini-batches."""
    names = estimator.get_params()
    others = {"n_estimators", "n_bootstrap"} & names.keys() or names.get("batch_size")
    return {"n_init", "random_state"} <= names.keys() and not others


OF_SEVERAL_STARTS = [e for e in ESTIMATORS if draws_for_starts_alone(e) and not e.get_params().get("n_pairs")]


@pytest.mark.parametrize("estimator", OF_SEVERAL_STARTS, ids=repr)
@tiny_data
def test_best_of_several_starts_is_returned(estimator):
    data, rng = suited(estimator, make_t4(80, random_state=1).X), np.random.RandomState(5)
    one = clone(estimator).set_params(n_clusters=4, n_init=1)
    if one.get_params().get("init") in ("linkage", "auto", "spread"):  # the first of several starts is chosen
        one.set_params(init="random")
    if one.get_params().get("focal_sets") == "auto":  # of four clusters, two runs: the first is the best
        one.set_params(focal_sets="simple")
    single = [one.set_params(random_state=rng).fit(data).objective_ for _ in range(6)]
    best = max if isinstance(estimator, EGMM) else min
    found = one.set_params(n_init=6, random_state=5).fit(data).objective_
    assert found == pytest.approx(best(single), rel=1e-12)  # runs may differ by rounding only


# ---------------------------------------------------------------- compilation

TIMED = """
from credalbench.core.kernels import KernelCache, compile_kernels
from credalbench.cluster.testing.problem import fitted
from tests.test_estimators import ESTIMATORS
compile_kernels()
load = KernelCache.load_overload
def reported(self, signature, context):
    print(self.function.__module__, self.function.__name__, signature)
    return load(self, signature, context)
KernelCache.load_overload = reported
for estimator in ESTIMATORS:
    fitted(estimator)
"""


def test_after_compile_kernels_no_fit_compiles_anything():
    """In a new process, since in this one other tests have compiled already."""
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run([sys.executable, "-c", TIMED], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""

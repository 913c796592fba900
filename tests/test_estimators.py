"""The contract that every estimator keeps: found by being exported, checked once."""

import subprocess
import sys
from functools import partial
from pathlib import Path
from unittest import SkipTest

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils import estimator_checks, get_tags

from credalbench import baselines, cluster
from credalbench.belief import FocalSets
from credalbench.testing import clusterer_checks
from credalbench.testing.problem import N, X, examples_of, seeded

EXPORTED = [getattr(package, name) for package in (cluster, baselines) for name in package.__all__]
CLASSES = [thing for thing in EXPORTED if isinstance(thing, type) and issubclass(thing, BaseEstimator)]
#: What scikit-learn checks and some estimators cannot keep, by tag, with the reason.
EXPECTED_FAILURES = {
    "categorical": {
        "check_clustering": "its numbers are all different: as categories, objects have nothing in common"
    }
}


def quick(cls, **options):
    return cls(**{**examples_of(cls).quick, **options})


DEFAULTS = [seeded(quick(cls)) for cls in CLASSES]
VARIANTS = [seeded(quick(cls, **variant)) for cls in CLASSES for variant in examples_of(cls).variants]
ESTIMATORS = DEFAULTS + VARIANTS
every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)

# ---------------------------------------------------------------- scikit-learn's contract, and ours


def expected_failures(estimator):
    return EXPECTED_FAILURES["categorical"] if get_tags(estimator).input_tags.categorical else {}


every_check_of_scikit_learn = partial(
    estimator_checks.parametrize_with_checks, expected_failed_checks=expected_failures
)
tiny_data = pytest.mark.filterwarnings("ignore::UserWarning")  # singular covariances, too many clusters


@every_check_of_scikit_learn(DEFAULTS)
@tiny_data
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.nightly
@every_check_of_scikit_learn(VARIANTS)
@tiny_data
def test_scikit_learn_estimator_checks_of_variants(estimator, check):
    check(estimator)


@pytest.mark.parametrize("check", clusterer_checks(*ESTIMATORS), ids=str)
def test_checks_of_clusterers(check):
    try:
        check()
    except SkipTest:  # all of ours report their progress and look at the memory
        assert check.name not in ("check_progress", "check_memory")
        raise


MISTAKES = [
    ("n_clusters", 0, "1 <= n_clusters"),
    ("n_clusters", N + 1, f"n_clusters <= n_samples = {N}"),
    ("n_clusters", 2.5, "an integer n_clusters|n_clusters to be an integer or"),
    ("n_init", 0, "1 <= n_init"),
    ("max_iter", -1, "[01] <= max_iter"),
    ("max_iter", 1.5, "an integer max_iter"),
    ("tol", -1.0, "a finite tol >= 0"),
    ("tol", float("nan"), "a finite tol >= 0"),
    ("alpha", "one", "alpha"),
    ("focal_sets", "some", "focal_sets to be FocalSets or one of"),
    ("focal_sets", FocalSets.simple(3), "focal sets over 2 clusters, got 3"),
    ("focal_sets", FocalSets.from_sets(2, [[], [0]]), "every cluster in some focal set|every singleton"),
    ("init", "somewhere", "init"),
]


@pytest.mark.parametrize("cls", CLASSES)
def test_bad_parameters_are_refused_with_what_was_expected(cls):
    for parameter, value, message in MISTAKES:
        if parameter in cls().get_params():
            with pytest.raises(ValueError, match=f"^expected .*({message})"):
                quick(cls, **{parameter: value}).fit(X)


# ---------------------------------------------------------------- compilation

TIMED = """
from credalbench.kernels import KernelCache, compile_kernels
from credalbench.testing.problem import fitted
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

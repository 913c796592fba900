"""All checks of a clusterer: at once, or one by one for pytest."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from unittest import SkipTest

import pandas as pd
from sklearn.base import BaseEstimator

from credalbench.cluster.testing.fits import CHECKS


def check_clusterer(
    estimator: BaseEstimator, *, expected_failed_checks: Mapping[str, str] | None = None
) -> pd.DataFrame:
    """Check that an estimator keeps the promises of every clusterer of credalbench.

    The estimator is fitted to 40 objects in two groups that are far apart: attributes, categories or
    dissimilarities, as its scikit-learn tags require. Checks that do not apply are skipped, with the reason.
    For the interface of scikit-learn, see `sklearn.utils.estimator_checks.check_estimator`.

    Parameters
    ----------
    estimator : BaseEstimator
        Unfitted, for two clusters, with parameters for a quick fit. A class attribute ``examples``, a
        `credalbench.core.estimators.Examples`, names the start that its `init` accepts.
    expected_failed_checks : mapping, optional
        Names of checks that the estimator does not keep, each with the reason.

    Returns
    -------
    DataFrame
        One row for each check, by its name: ``promise``, ``outcome`` ("passed", "skipped" or "expected
        failure") and ``reason``.

    Raises
    ------
    AssertionError
        A promise is not kept. The message names each one, with the actual result.

    Examples
    --------
    >>> from credalbench.cluster import ECM
    >>> report = check_clusterer(ECM(2))
    >>> report.loc["check_simplex", "outcome"]
    'passed'
    """
    expected = dict(expected_failed_checks or {})
    unknown = sorted(expected.keys() - {check.__name__ for check in CHECKS})
    if unknown:
        raise ValueError(f"expected names of checks in expected_failed_checks, got {unknown}")
    rows, failures = {}, []
    for check in clusterer_checks(estimator):
        name, outcome, reason = check.name, "passed", ""
        try:
            check()
        except SkipTest as skipped:
            outcome, reason = "skipped", str(skipped)
        except Exception as error:  # any error of an estimator is a promise that is not kept
            outcome, reason = "expected failure", expected.get(name, "")
            if name not in expected:
                failures.append(f"{name}: {check.promise}\n    {type(error).__name__}: {error}")
        rows[name] = {"promise": check.promise, "outcome": outcome, "reason": reason}
    if failures:
        whole = f"{type(estimator).__name__} does not keep {len(failures)} of {len(rows)} promises"
        raise AssertionError("\n".join([whole, *failures]))
    return pd.DataFrame.from_dict(rows, orient="index")


def clusterer_checks(*estimators: BaseEstimator) -> list[Check]:
    """Return each check of each estimator, for the parametrisation of a test.

    Parameters
    ----------
    *estimators : BaseEstimator
        As in `check_clusterer`.

    Returns
    -------
    list of Check
        Functions without arguments. Each raises an AssertionError if the promise is not kept, and
        `unittest.SkipTest`, which pytest understands, if it does not apply.

    Examples
    --------
    In a file of tests::

        @pytest.mark.parametrize("check", clusterer_checks(MyClusterer(), MyClusterer(tol=0)), ids=str)
        def test_promises(check):
            check()
    """
    return [Check(estimator, function) for estimator in estimators for function in CHECKS]


@dataclass(frozen=True)
class Check:
    """A check of one estimator; a call runs it, without the warnings that small data cause.

    Parameters
    ----------
    estimator : BaseEstimator
        As in `check_clusterer`.
    function : callable
        One of the checks of `credalbench.cluster.testing.fits`.
    """

    estimator: BaseEstimator
    function: Callable[[BaseEstimator], None]

    @property
    def name(self) -> str:
        """Name of the check."""
        return self.function.__name__

    @property
    def promise(self) -> str:
        """What the check verifies, a sentence."""
        return self.function.__doc__.splitlines()[0]

    def __call__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            self.function(self.estimator)

    def __str__(self) -> str:
        return f"{self.estimator!r}-{self.name}"

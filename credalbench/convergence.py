"""Warnings of fits that their cap on iterations ended."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

from credalbench.resources import user_stacklevel


def warn_if_not_converged(fit: BaseEstimator) -> None:
    """Warn that `max_iter` ended the best run of a fit; not where it is 0, which asks for the start.

    Parameters
    ----------
    fit : estimator
        With ``converged_`` and ``max_iter``.

    Warns
    -----
    ConvergenceWarning
        If it has not converged.
    """
    if fit.max_iter and not fit.converged_:
        end = f"{type(fit).__name__} stopped at max_iter={fit.max_iter} before it converged"
        instead = "a larger max_iter" + " or a larger tol" * hasattr(fit, "tol")
        warnings.warn(f"{end}. Instead: {instead}", ConvergenceWarning, stacklevel=user_stacklevel())


@contextmanager
def no_convergence_warnings() -> Iterator[None]:
    """Ignore in the block that `max_iter` ends fits: where that is meant, or counted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield

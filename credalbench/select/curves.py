"""Criteria against the number of clusters: fits over a range, a tidy table, the best number of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt
import pandas as pd
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_random_state

from credalbench.arguments import MOST, SEED, expect, expect_count

from .criteria import CRITERIA, usual_criteria

NAMES = ("n_clusters", "n_components")  # of the parameter that is the number of clusters
CELL = "padding:2px 10px 2px 0;text-align:right;background:transparent"


@dataclass(frozen=True, eq=False, repr=False)
class CriterionCurves:
    """What criteria say of several numbers of clusters.

    Attributes
    ----------
    table : pandas.DataFrame
        One row for each criterion, number of clusters and repetition: columns ``criterion``, ``c``,
        ``repetition``, ``value`` and ``reason``. Where there is no value, it is NaN and the reason says why;
        else the reason is empty.
    """

    table: pd.DataFrame

    @property
    def criteria(self) -> list[str]:
        """Their names, in the order of the table."""
        return self.table["criterion"].drop_duplicates().tolist()

    @property
    def means(self) -> pd.DataFrame:
        """Mean over the repetitions that have a value: one row per criterion, one column per c."""
        return self.table.pivot_table("value", "criterion", "c", "mean", dropna=False).loc[self.criteria]

    @property
    def best(self) -> dict[str, int]:
        """The number of clusters that each criterion prefers [jiao2022_egmm (30)].

        By its mean; of equal ones the fewest clusters. Criteria that are only looked at are left out, and
        those without any value.
        """
        found = {}
        for name, row in self.means.iterrows():
            better, values = CRITERIA[name].better, row.dropna()
            if better is not None and len(values):
                found[name] = int(values.idxmax() if better == "higher" else values.idxmin())
        return found

    def __repr__(self) -> str:
        best, lines = self.best, []
        for name, row in self.means.iterrows():
            shown = ", ".join(f"{c}: {value:.4g}" for c, value in row.dropna().items())
            verdict = f"c = {best[name]}" if name in best else "look for an elbow"
            lines.append(f"{name} ({_direction(name)}): {verdict}; {shown}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        means, best = self.means, self.best
        heads = "".join(f'<th scope="col" style="{CELL}">{c}</th>' for c in means.columns)
        rows = "".join(
            f'<tr><th scope="row" style="{CELL};text-align:left">{escape(name)}</th>'
            f'<td style="{CELL};text-align:left">{_direction(name)}</td>'
            + "".join(_cell(value, c == best.get(name)) for c, value in row.items())
            + "</tr>"
            for name, row in means.iterrows()
        )
        return (
            '<table style="border-collapse:collapse;color:inherit;background:transparent;font-size:90%" '
            'aria-label="Criteria by number of clusters; the best value of each has a star">'
            f'<thead><tr><th scope="col" colspan="2" style="{CELL}">clusters</th>{heads}</tr></thead>'
            f"<tbody>{rows}</tbody></table>"
        )


def _direction(name: str) -> str:
    better = CRITERIA[name].better
    return "shown only" if better is None else f"{better} is better"


def _cell(value: float, is_best: bool) -> str:
    text = "" if np.isnan(value) else f"{value:.4g}"
    return f'<td style="{CELL}">{f"<b>{text} ★</b>" if is_best else text}</td>'


def select_n_clusters(
    estimator: BaseEstimator,
    X: npt.ArrayLike,
    n_clusters: Iterable[int] = range(2, 7),
    criteria: Sequence[str] | None = None,
    *,
    n_repeats: int = 1,
    fit_params: Mapping[str, object] | None = None,
    random_state: int | np.random.RandomState | None = None,
    n_jobs: int | None = None,
) -> CriterionCurves:
    """Fit a clusterer with several numbers of clusters, and tell what suitable criteria say of each.

    Parameters
    ----------
    estimator : scikit-learn clusterer or mixture
        With a parameter `n_clusters`, or `n_components`. It is cloned, never fitted itself.
    X : array-like
        What its `fit` takes.
    n_clusters : iterable of int, default range(2, 7)
        Numbers of clusters, between 1 and the number of objects.
    criteria : sequence of str, optional
        Names out of `CRITERIA`. None: those that one would look at for this kind of clusterer, such as EBIC,
        nonspecificity, or the modified partition coefficient.
    n_repeats : int, default 1
        Fits with each number of clusters, from different seeds.
    fit_params : mapping, optional
        What `fit` takes beside `X`, such as ``must_link``.
    random_state : int, RandomState instance or None
        Source of the seeds, the same for each number of clusters. None: what the estimator itself has; a
        single fit is then the one of ``estimator.set_params(n_clusters=c).fit(X)``.
    n_jobs : int, optional
        Fits side by side, in processes. None: one.

    Returns
    -------
    CriterionCurves

    Raises
    ------
    ValueError
        An argument is out of range, no criterion suits the estimator, or no fit goes through. (Where only
        some do not, their rows of the table give the reason.)

    Examples
    --------
    >>> from credalbench.baselines import FuzzyCMeans
    >>> from credalbench.datasets import load
    >>> select_n_clusters(FuzzyCMeans(random_state=0), load("iris").X).best
    {'modified_partition_coefficient': 2, 'xie_beni': 2}

    References
    ----------
    [jiao2022_egmm]
    """
    numbers = sorted({expect_count("n_clusters", c, 1, len(X), "n_samples") for c in n_clusters})
    expect(numbers, "at least one number of clusters", list(n_clusters))
    n_repeats = expect_count("n_repeats", n_repeats, 1)
    unknown = [name for name in criteria or () if name not in CRITERIA]
    expect(not unknown, f"criteria out of {list(CRITERIA)}", unknown)
    parameter = next((name for name in NAMES if name in estimator.get_params()), None)
    expect(parameter is not None, f"an estimator with a parameter out of {NAMES}", estimator)
    seeds = _seeds(estimator, n_repeats, SEED.read("random_state", random_state))
    cases = [(c, repetition) for c in numbers for repetition in range(n_repeats)]
    models = [clone(estimator).set_params(**{parameter: c}, **seeds[repetition]) for c, repetition in cases]
    found = Parallel(n_jobs=n_jobs)(
        delayed(_measured)(model, X, criteria, dict(fit_params or {})) for model in models
    )
    return CriterionCurves(_table(cases, found))


def _seeds(
    estimator: BaseEstimator, n_repeats: int, random_state: int | np.random.RandomState | None
) -> list[dict[str, int]]:
    """The parameters that make each repetition another one."""
    own = estimator.get_params()
    if "random_state" not in own or (n_repeats == 1 and random_state is None):
        return [{}] * n_repeats
    rng = check_random_state(own["random_state"] if random_state is None else random_state)
    return [{"random_state": seed} for seed in rng.randint(MOST, size=n_repeats).tolist()]


Measured = dict[str, tuple[float, str]]  # value and reason, by criterion


def _measured(
    model: BaseEstimator, X: npt.ArrayLike, criteria: Sequence[str] | None, fit_params: dict
) -> Measured | str:
    """What the criteria say of a fit; why there is none, where there is none."""
    try:
        fit = model.fit(X, **fit_params)
    except ValueError as error:
        return str(error)
    found = {}
    for name in usual_criteria(fit) if criteria is None else criteria:
        expect(CRITERIA[name].suits(fit), f"criteria that suit {type(fit).__name__}", name)
        try:
            found[name] = float(CRITERIA[name].value(fit, X)), ""
        except ValueError as error:
            found[name] = np.nan, str(error)
    return found


def _table(cases: list[tuple[int, int]], found: list[Measured | str]) -> pd.DataFrame:
    """One row for each criterion, case and value; fits that failed have a row in each criterion."""
    names = next((list(measured) for measured in found if not isinstance(measured, str)), None)
    if names is None:
        raise ValueError(f"expected some number of clusters that can be fitted, got none: {found[0]}")
    rows = [
        (name, c, repetition, *((np.nan, one) if isinstance(one, str) else one[name]))
        for name in names
        for (c, repetition), one in zip(cases, found)
    ]
    return pd.DataFrame(rows, columns=["criterion", "c", "repetition", "value", "reason"])

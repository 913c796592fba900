"""Values of criteria for each number of clusters: table, intervals, best numbers, recommendation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from credalbench.core.arguments import expect
from credalbench.core.intervals import Estimate, mean

from .criteria import CRITERIA, STABILITY
from .recommendation import FEWEST, CriterionVote, Recommendation, criterion_vote, of_halves, recommend

if TYPE_CHECKING:
    from credalbench.plots.overview import ShownFigure

PLOTTING = "credalbench.plots"  # loaded by name when `plot` is called: select itself does not draw
TABLE = ["criterion", "c", "repetition", "value", "reason"]
RESAMPLES = ["criterion", "c", "resample", "value", "reason"]
CELL = "padding:2px 10px 2px 0;text-align:right;background:transparent"


@dataclass(frozen=True, eq=False, repr=False)
class CriterionCurves:
    """Values of criteria for several numbers of clusters.

    Parameters
    ----------
    table : pandas.DataFrame
        One row for each criterion, number of clusters and repetition: columns ``criterion``, ``c``,
        ``repetition``, ``value`` and ``reason``. If there is no value, it is NaN and ``reason`` says why;
        otherwise the reason is empty. For stability each resample is a repetition.
    resamples : pandas.DataFrame
        Values of the fits to random halves of the objects, in the same columns, with ``resample`` instead of
        ``repetition`` and without stability. Empty if there are no resamples.
    n_empty : mapping
        Number of clusters -> number of clusters without objects, in the fits to all objects (the minimum over
        the repetitions). Fits without labels have no entry.
    """

    table: pd.DataFrame
    resamples: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=RESAMPLES))
    n_empty: Mapping[int, int] = field(default_factory=dict)

    @property
    def criteria(self) -> list[str]:
        """Names of the criteria, in the order of the table."""
        return self.table["criterion"].drop_duplicates().tolist()

    @property
    def means(self) -> pd.DataFrame:
        """Means over the repetitions that have a value: one row per criterion, one column per c."""
        return self.table.pivot_table("value", "criterion", "c", "mean", dropna=False).loc[self.criteria]

    @property
    def best(self) -> dict[str, int]:
        """Number of clusters that each criterion prefers [jiao2022_egmm (30)].

        This is the number with the best mean; ties go to the smallest number. Criteria without a direction or
        without a value are left out.
        """
        found = {}
        for name, row in self.means.iterrows():
            better, values = CRITERIA[name].better, row.dropna()
            if better is not None and len(values):
                found[name] = int(values.idxmax() if better == "higher" else values.idxmin())
        return found

    @property
    def estimates(self) -> pd.DataFrame:
        """Means with their 95 % intervals: columns ``criterion``, ``c``, ``value``, ``low`` and ``high``.

        With resamples, the interval shows how the value would vary over samples of as many objects
        (`recommendation.of_halves`). Without resamples, and for stability, it is Student's interval of the
        mean over the repetitions, which is unbounded for a single repetition. Numbers of clusters without a
        value have no row.
        """
        rows = []
        for name, row in self.means.iterrows():
            for c, value in row.dropna().items():
                found = self._estimate(name, c, value)
                rows.append((name, c, found.value, found.low, found.high))
        return pd.DataFrame(rows, columns=["criterion", "c", "value", "low", "high"])

    @cached_property
    def votes(self) -> list[CriterionVote]:
        """Votes of the criteria that have a direction: the preferred number, its support and its margin."""
        return [
            criterion_vote(name, self.means.loc[name].dropna(), self._runs(name), self._has_halves(name))
            for name in self.best
        ]

    @cached_property
    def recommendation(self) -> Recommendation:
        """Recommended number of clusters with the agreement of the criteria, or no clear answer."""
        runs = "resamples" if len(self.resamples) else "repetitions"
        return recommend(self.votes, self.means.columns.tolist(), runs, self.n_empty)

    def plot(self) -> ShownFigure:
        """Draw each criterion against the number of clusters, with its intervals.

        Returns
        -------
        matplotlib.figure.Figure
            A figure that a notebook displays, as that of `CredalPartition.plot`: a panel for each criterion
            with values, a star at the number that it prefers, a dotted line at the recommended number.

        Raises
        ------
        ValueError
            If no criterion has a value.
        MissingPackage
            If matplotlib is not installed; the message names the extra.
        """
        estimates, words = self.estimates, self.recommendation.words
        expect(len(estimates), "a criterion with a value", "none")
        shown_figure = import_module(f"{PLOTTING}.overview").shown_figure
        figure = shown_figure(words, 3.0 * estimates["criterion"].nunique(), 3.2)
        chosen = self.recommendation.n_clusters
        return import_module(PLOTTING).criterion_panels(figure, estimates, self.best, chosen, title=words)

    def _has_halves(self, name: str) -> bool:
        return name != STABILITY and len(self.resamples) > 0

    def _runs(self, name: str) -> pd.DataFrame:
        """Return values (numbers, runs) of a criterion on random halves, or in repetitions."""
        table, run = (self.resamples, "resample") if self._has_halves(name) else (self.table, "repetition")
        return table[table["criterion"] == name].pivot(index="c", columns=run, values="value")

    def _estimate(self, name: str, c: int, value: float) -> Estimate:
        values = self._runs(name).loc[c].dropna()
        if not self._has_halves(name):
            return mean(values)
        if len(values) < FEWEST:
            return Estimate(value, -np.inf, np.inf, len(values))
        return of_halves(value, values, CRITERIA[name].scaling)

    def __repr__(self) -> str:
        best, lines = self.best, []
        for name, row in self.means.iterrows():
            shown = ", ".join(f"{c}: {value:.4g}" for c, value in row.dropna().items())
            without = "look for an elbow" if CRITERIA[name].better is None else "no value"
            verdict = f"c = {best[name]}" if name in best else without
            lines.append(f"{name} ({_direction(name)}): {verdict}; {shown}")
        return "\n".join([*lines, self.recommendation.words])

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
            f"<tbody>{rows}</tbody></table><p>{escape(self.recommendation.words)}</p>"
        )


def _direction(name: str) -> str:
    better = CRITERIA[name].better
    return "shown only" if better is None else f"{better} is better"


def _cell(value: float, is_best: bool) -> str:
    text = "" if np.isnan(value) else f"{value:.4g}"
    return f'<td style="{CELL}">{f"<b>{text} ★</b>" if is_best else text}</td>'

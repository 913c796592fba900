"""How many base partitions are enough. All of it is ours: the paper takes 20 and does not ask."""

from functools import partial

import pandas as pd

from credalbench.core.intervals import difference, mean, slope
from credalbench.papers import EXPECTATION, CannotBeChecked
from credalbench.papers.claims import above, below, claim, within

from ..shared.classified import NAMES, by_dataset
from ..shared.consensus_steps import PHRASES, TRIED

ARTEFACT = "ensemble-ours-02"
PAPER_SIZE = 20
SIMILAR = 0.02  # ARI that counts as the same
EXPONENT = (-0.6, -0.4)  # around that of a mean of independent bases, -1/2
EACH = [{"closure": closure, "phrase": PHRASES[closure]} for closure in TRIED]
expected = partial(claim, ARTEFACT, basis=EXPECTATION)
expected_after_each = partial(expected, each=EACH)


def gains(tables, closure: str, column: str, first: int, last: int) -> dict:
    """Return by how much a column is higher with `last` bases than with `first`, by data set."""
    found = {}
    for name, wide in by_dataset(tables["partitions"], closure, "n_estimators", column).items():
        if missing := {first, last} - {*wide.columns}:
            raise CannotBeChecked(f"no ensemble of {', '.join(map(str, sorted(missing)))} in these tables")
        found[NAMES[name]] = difference(wide[last], wide[first])
    return found


def by_size(params, tables) -> pd.DataFrame:
    """Return the mean ARI, agreement of the two ensembles and nonspecificity, by number of bases."""
    rows = tables["partitions"].replace({"closure": PHRASES, "dataset": NAMES})
    columns = ["ari", "credal_rand", "nonspecificity"]
    means = rows.groupby(["dataset", "closure", "n_estimators"], sort=False)[columns].mean().round(3)
    return means.unstack("n_estimators")


@expected(
    "the combined relations of two ensembles differ, in the root mean square, by a power of N between -0.6 "
    "and -0.4, as means of independent bases do"
)
def relations_converge(params, tables):
    slopes = {}
    for name, part in tables["relations"].groupby("dataset", sort=False):
        wide = part.pivot(index="n_estimators", columns="repetition", values="gap")
        slopes[NAMES[name]] = slope(wide.index, wide.to_numpy())
    return within(*EXPONENT, slopes, "+.2f")


@expected_after_each(
    "{phrase}, two consensus partitions agree more, by the credal Rand index, when they come from the "
    "largest ensembles than when they come from one base each"
)
def agreement_grows(params, tables, closure):
    return above(0, gains(tables, closure, "credal_rand", min(params.sizes), max(params.sizes)), "+.3f")


@expected_after_each(
    "{phrase}, the consensus of the largest ensemble has a higher ARI than that of a single base",
    explanation="where clusters are round, the borders of one base are already those of the classes",
)
def better_than_one_base(params, tables, closure):
    return above(0, gains(tables, closure, "ari", min(params.sizes), max(params.sizes)), "+.3f")


@expected_after_each(
    f"{{phrase}}, twice as many bases as the paper's {PAPER_SIZE} gain less than {SIMILAR:g} of mean ARI",
    explanation="the bases of a few repetitions decide which of two minima the consensus ends in",
)
def twenty_are_enough(params, tables, closure):
    return below(SIMILAR, gains(tables, closure, "ari", PAPER_SIZE, 2 * PAPER_SIZE), "+.3f")


@expected(
    "the nonspecificity of the consensus after the minimum closure settles: from the last but one size to "
    "the last it changes by less than 0.05, on each data set"
)
def nonspecificity_settles(params, tables):
    found = {}
    for name, wide in by_dataset(tables["partitions"], "minimum", "n_estimators", "nonspecificity").items():
        before, last = sorted(wide.columns)[-2:]
        found[NAMES[name]] = mean(wide[last] - wide[before])
    return within(-0.05, 0.05, found, "+.3f")

"""How often the rule for printed values errs, on papers whose truth is known.

    python benchmarks/judging.py [papers]

A simulated paper prints 40 values of three digits: means of m runs, and for m > 1 as many deviations. We have
100 runs of each. Runs are normal, skewed (exponential), with heavy tails (lognormal), or normal with a poor
optimum in 15 % of them.

- *false*: share of the papers without any difference in which a value is not reproduced, with its standard
  error, and share of the tails up to 5 %;
- *missed*: a tenth of the values is displaced, by 4, 8 or 16 standard deviations of the difference between
  the paper's value and ours. The columns are the shares of these that are not found to differ, and of those
  that are called reproduced.
"""

import argparse

import numpy as np
import pandas as pd

from credalbench.core.intervals import Estimate, pooled_deviation
from credalbench.papers.judging import ERRORS, smallest, with_printed
from credalbench.papers.reference import Printed

VALUES, OURS, UNIT, SPREAD = 40, 100, 0.001, 0.02
RUNS = {
    "normal": lambda rng, shape: rng.normal(0.8, SPREAD, shape),
    "skewed": lambda rng, shape: 0.8 - SPREAD * rng.exponential(size=shape),
    "heavy tails": lambda rng, shape: 0.8 - SPREAD * rng.lognormal(0, 0.75, shape),
    "poor optimum": lambda rng, shape: rng.normal(0.8, SPREAD, shape) - 0.3 * (rng.random(shape) < 0.15),
}
STATISTICS = {"mean": lambda runs: runs.mean(axis=-1), "deviation": pooled_deviation}
DISPLACED = 0.1  # share of the values


def compared(theirs: float, runs: np.ndarray, m: int, statistic):
    """Compare a value that a paper prints with our runs (1, N)."""
    printed = Printed(round(theirs / UNIT) * UNIT, UNIT / 2, "", runs=m)
    value, n = float(np.ravel(statistic(runs))[0]), runs.shape[-1]
    runs = runs if statistic is pooled_deviation else runs[0]
    return with_printed(
        printed, Estimate(value, value - 1, value + 1, n, statistic, (runs,))
    )  # some interval


def paper(rng, kind: str, m: int, displaced: float = 0.0):
    """Return the comparisons of one paper, and which of its values are displaced, (VALUES,)."""
    found, moved = [], np.arange(VALUES) < DISPLACED * VALUES * (displaced > 0)
    for k in range(VALUES):
        statistic = STATISTICS["deviation" if m > 1 and k % 2 else "mean"]
        ours, theirs = (RUNS[kind](rng, (1, n)) for n in (OURS, m))
        value = float(np.ravel(statistic(theirs))[0])
        if moved[k]:
            again = statistic(RUNS[kind](rng, (400, 1, m))), statistic(RUNS[kind](rng, (400, 1, OURS)))
            up = statistic is pooled_deviation or rng.random() < 0.5
            value += displaced * np.sqrt(sum(np.var(v) for v in again)) * (1 if up else -1)
        found.append(compared(value, ours, m, statistic))
    return found, moved


def scenario(kind: str, m: int, papers: int) -> dict:
    """Return the row of the table for one kind of runs and number of runs of the papers."""
    rng = np.random.default_rng((len(kind), m))
    cells = [paper(rng, kind, m)[0] for _ in range(papers)]
    tails = np.array([[c.tail for c in row] for row in cells])
    false = np.mean([smallest(row) > 0 for row in cells])
    error = np.sqrt(false * (1 - false) / papers)
    row = {
        "runs": kind,
        "m": m,
        "papers": f"{false:.1%} ± {error:.1%}",
        "tails": f"{(tails <= ERRORS).mean():.1%}",
    }
    for displaced in (4, 8, 16):
        outcomes = []
        for _ in range(max(papers // 10, 1)):
            found, moved = paper(rng, kind, m, displaced)
            outcomes += [c.outcome(smallest(found)) for c, there in zip(found, moved) if there]
        missed, held = (np.mean([o is not False for o in outcomes]), np.mean([o is True for o in outcomes]))
        row |= {f"missed at {displaced}": f"{missed:.0%}", f"reproduced at {displaced}": f"{held:.0%}"}
    return row


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("papers", nargs="?", type=int, default=400, help="papers without a difference, each")
    papers = parser.parse_args().papers
    rows = []
    for kind in RUNS:
        for m in (1, 10, 100):
            rows.append(scenario(kind, m, papers))
            print(rows[-1], flush=True)
    print(pd.DataFrame(rows).to_markdown(index=False))

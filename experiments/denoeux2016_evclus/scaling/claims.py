"""Power laws with intervals, tables and claims from the fits.

Table ``fits``: one row per fit; ``against`` names which of n, k and f varies. A power law is fitted by least
squares to logarithms, with one point for each value: for times, the fastest repetition, since other load on
the machine can only add to them, and for the rest, the median. Its 95 % interval (Student) says how straight
the line is, as far as so few points can say: if the law holds only in the limit, more repetitions would not
narrow the interval.
"""

from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import stats

from credalbench.core.intervals import TAILS, Estimate
from credalbench.papers import NotCheckable
from credalbench.papers.claims import above, all_of, below, claim, within
from credalbench.papers.reasons import TIMES

TIME, MEMORY = "evclus-ours-02", "evclus-ours-03"
#: Measured quantity -> its name in words, and how a value is written.
QUANTITIES = {
    "sweep_s": ("time of a sweep", lambda value: f"{plain(1e3 * value)} ms"),
    "time_s": ("time of the fit", lambda value: f"{plain(value)} s"),
    "n_iter": ("number of sweeps", lambda value: f"{value:g}"),
    "memory_bytes": ("memory of the fit", lambda value: f"{plain(value / 1e6)} MB"),
}
ALL = "n, all pairs"
VARIED = ("n", "k", "f", ALL)
BETWEEN = 1.5  # half way from linear to quadratic
ROUNDING = 1e-9  # of exponents and shares, which are about 1
LEAST_VALUES = 3  # of what varies, else there is no straight line to judge
MANY = 100_000


def plain(value) -> str:
    """Format with three digits, never as a power of ten."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def power_law(x, y) -> tuple[Estimate, float]:
    """Fit y = factor * x^exponent by least squares on logarithms: (m,), (m,) -> exponent, factor."""
    if len(x) < LEAST_VALUES:
        raise NotCheckable(f"{len(x)} values where a power law takes {LEAST_VALUES}")
    (slope, rest), covariance = np.polyfit(np.log(x), np.log(y), 1, cov=True)
    return of_a_line(slope, np.sqrt(covariance[0, 0]), len(x)), float(np.exp(rest))


def of_a_line(value: float, error: float, m: int) -> Estimate:
    """Read a value off a straight line through m points, with Student's interval.

    It is exact where the points lie on the line up to rounding, which differs from processor to processor.
    """
    reach = stats.t.ppf(TAILS[1], m - 2) * error if error > ROUNDING else 0.0
    return Estimate(value, value - reach, value + reach, m)


def curve(fits: pd.DataFrame, against: str, quantity: str) -> tuple[np.ndarray, np.ndarray]:
    """Return values of what varies, in order, and the quantity at each: (m,), (m,).

    Times are the fastest of the repetitions, other quantities their median.
    """
    groups = fits.loc[fits["against"] == against].groupby("n" if against == ALL else against)[quantity]
    column = groups.min() if quantity.endswith("_s") else groups.median()
    return column.index.to_numpy(dtype=float), column.to_numpy(dtype=float)


def between_neighbours(x, y) -> str:
    """Return the exponents between neighbouring values, in words."""
    return ", ".join(f"{step:.2f}" for step in np.diff(np.log(y)) / np.diff(np.log(x)))


def exponents(params, tables) -> pd.DataFrame:
    """Tabulate exponents by quantity and what varies: overall, between neighbours, and the ends."""
    rows = {}
    for quantity, (name, write) in QUANTITIES.items():
        for against in VARIED:
            x, y = curve(tables["fits"], against, quantity)
            rows[name, against] = {
                "from": plain(x[0]),
                "to": plain(x[-1]),
                "exponent (95 % interval)": f"{power_law(x, y)[0]:.2f}" if len(x) >= LEAST_VALUES else "",
                "between neighbours": between_neighbours(x, y),
                "at the smallest": write(y[0]),
                "at the largest": write(y[-1]),
            }
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index.names = ["quantity", "against"]
    return table


def fitted(params, tables) -> pd.DataFrame:
    """Tabulate the fastest times of the repetitions, and medians of the rest, by setting."""
    groups = tables["fits"].groupby(["against", "n", "k", "c", "f"], sort=False)
    return pd.DataFrame(
        {
            "fits": groups.size(),
            "time of the fit (s)": groups["time_s"].min().round(3),
            "time of a sweep (ms)": (1e3 * groups["sweep_s"].min()).round(2),
            "sweeps": groups["n_iter"].median(),
            "met the cap": groups["converged"].agg(lambda converged: int((~converged.astype(bool)).sum())),
            "memory of the fit (MB)": (groups["memory_bytes"].median() / 1e6).round(1),
            "peak of the process (MB)": (groups["peak_bytes"].median() / 1e6).round(0),
            "ARI": groups["ari"].median().round(3),
        }
    )


# ---------------------------------------------------------------- claims

BUSY = "; on a machine that does other things, too, times say little"
CACHE = (
    "the number of operations is proportional to n. But the rows of M C take 64 bytes an object: up to some "
    "ten thousand objects they lie in the processor's near caches, later in the far one, and at half a "
    "million every row of a random partner comes from memory. An exponent above 1 comes from this "
    "transition, and should vanish where everything comes from memory; from 50 000 objects on, a sweep also "
    "goes block by "
    "block, which takes a little more work on one thread"
) + BUSY
FIXED = (
    "each row also solves its quadratic programme, whatever k is: the smaller k, the more this fixed part "
    "weighs. The claim on that part takes the two apart"
) + BUSY
IN_F = (
    "the sums over partners take f^2 / 2 products, the gathering of their rows f, and a row has a fixed "
    "cost: the exponent rises from step to step. Quadratic programmes of many masses take more than f^2"
) + BUSY
IN_PAIRS = "for a moment, memory holds what the pairs are made of, too: random numbers, distances"


def order(artefact, quantity, against, low, explanation, sentence) -> dict:
    """Return what a claim on an exponent needs: it is nearer to 1 than to 2, or above the given lower end."""
    power = {None: "a power nearer to 1 than to 2", 0: "a power above 0"}.get(
        low, "a power nearer to 2 than to 1"
    )
    return {
        "artefact": artefact,
        "statement": f"the {QUANTITIES[quantity][0]} grows with {against} to {power}",
        "explanation": explanation,
        "sentence": sentence,
        "quantity": quantity,
        "against": against,
        "low": low,
        "caveat": TIMES if artefact == TIME else "",
    }


def exponent_of(tables, quantity, against):
    """Return the exponent of a quantity, and from what it is read, in words."""
    x, y = curve(tables["fits"], against, quantity)
    write, name = QUANTITIES[quantity][1], against[0]
    ends = ", ".join(f"{write(y[i])} at {name} = {plain(x[i])}" for i in (0, -1))
    return power_law(x, y)[0], f"{ends}; between neighbours: {between_neighbours(x, y)}"


def judged(finding, note):
    """Return the finding without the hint at more runs: they would not straighten a line."""
    if finding.holds is not None:
        return finding
    return replace(finding, note=f"open: the line is not straight enough to decide; {note}")


@claim(
    "{artefact}",
    "{statement}",
    sentence="{sentence}",
    explanation="{explanation}",
    caveat="{caveat}",
    each=[
        order(TIME, "time_s", "n", None, CACHE, "S02"),
        order(TIME, "sweep_s", "n", None, CACHE, "S38"),
        order(TIME, "sweep_s", "k", None, FIXED, "S38"),
        order(TIME, "sweep_s", ALL, BETWEEN, "small matrices take less than their share" + BUSY, "S04"),
        order(TIME, "sweep_s", "f", 0, IN_F, "S69"),
        order(MEMORY, "memory_bytes", "n", None, IN_PAIRS, "S02 S78"),
        order(MEMORY, "memory_bytes", "k", None, IN_PAIRS, "S78"),
        order(MEMORY, "memory_bytes", ALL, BETWEEN, IN_PAIRS, "S04"),
    ],
)
def order_of_growth(params, tables, quantity, against, low):
    exponent, note = exponent_of(tables, quantity, against)
    compare, bound = (below, BETWEEN) if low is None else (above, low)
    return judged(compare(bound, {"exponent": exponent}, ".2f", note), note)


@claim(
    MEMORY,
    f"every fit of {MANY} objects or more meets its threshold, in less memory than half the matrix of "
    "distances takes",
    sentence="S81",
    explanation="now and then the stress of a run goes up and down: one-sided updates need not lower it",
)
def many_objects_are_clustered(params, tables):
    fits = tables["fits"].query("against == 'n' and n >= @MANY")
    if fits.empty:
        raise NotCheckable(f"no fit has {MANY} objects")
    shares = fits["peak_bytes"] / (4.0 * fits["n"] ** 2)
    met_the_cap = int((~fits["converged"].astype(bool)).sum())
    listed = ", ".join(f"n = {n}" for n in sorted(fits["n"].unique()))
    return all_of(
        within(0, 0, {"runs that met the cap": met_the_cap}, ".0f", listed),
        below(1, {"largest peak over half the matrix": shares.max()}, ".3g"),
    )

"""What `scaling.py` concludes from its fits: power laws with intervals, and the questions.

Table ``fits``: one row per fit; ``against`` says which of n, k and f varies. A power law is fitted by least
squares to logarithms, one point for each value of what varies: of times the fastest repetition, since
whatever else the machine does can only add to them, and of the rest the median. Its 95 % interval (Student)
says how straight the line is, as far as so few points can say: where the law holds in the limit only, more
repetitions would not narrow it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import t as student

from credalbench.runner import Claim, Finding

from .shared.paired_runs import OURS

TIME, MEMORY = "evclus-ours-02", "evclus-ours-03"
#: Measured quantity -> its name in words, and how a value is written.
QUANTITIES = {
    "sweep_s": ("time of a sweep", lambda value: f"{plain(1e3 * value)} ms"),
    "time_s": ("time of the fit", lambda value: f"{plain(value)} s"),
    "sweeps": ("number of sweeps", lambda value: f"{value:g}"),
    "memory_bytes": ("memory of the fit", lambda value: f"{plain(value / 1e6)} MB"),
}
VARIED = ("n", "k", "f")
LEAST_VALUES = 3  # of what varies, else there is no straight line to judge
LARGEST_MEMORY = 3 * 2**30
LEAST_ARI = 0.84


def plain(value) -> str:
    """Three digits, and never a power of ten."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


class Law(NamedTuple):
    """y = factor * x^exponent, with the interval of the exponent."""

    exponent: float
    low: float
    high: float
    factor: float


def power_law(x, y) -> Law:
    """Least squares on logarithms, for at least three points: (m,), (m,) -> Law."""
    log_x, log_y = np.log(x), np.log(y)
    if len(log_x) < LEAST_VALUES:
        raise ValueError(f"expected at least {LEAST_VALUES} points to fit a power law, got {len(log_x)}")
    centred = log_x - log_x.mean()
    exponent = centred @ log_y / (centred @ centred)
    residuals = log_y - log_y.mean() - exponent * centred
    freedom = len(log_x) - 2
    error = np.sqrt(residuals @ residuals / freedom / (centred @ centred))
    reach = student.ppf(0.975, freedom) * error
    factor = np.exp(log_y.mean() - exponent * log_x.mean())
    return Law(*map(float, (exponent, exponent - reach, exponent + reach, factor)))


def curve(fits: pd.DataFrame, against: str, quantity: str) -> tuple[np.ndarray, np.ndarray]:
    """Values of what varies, in order, and the quantity at each: (m,), (m,).

    Times are the fastest of the repetitions, other quantities their median.
    """
    groups = fits.loc[fits["against"] == against].groupby(against)[quantity]
    column = groups.min() if quantity.endswith("_s") else groups.median()
    return column.index.to_numpy(dtype=float), column.to_numpy(dtype=float)


def steps(x, y) -> np.ndarray:
    """Exponents between neighbouring values: (m,), (m,) -> (m - 1,)."""
    return np.diff(np.log(y)) / np.diff(np.log(x))


def in_words(law: Law) -> str:
    return f"{law.exponent:.2f} ({law.low:.2f} to {law.high:.2f})"


def listed(x, y) -> str:
    return ", ".join(f"{step:.2f}" for step in steps(x, y))


def exponents(fits: pd.DataFrame) -> pd.DataFrame:
    """One row per quantity and what varies: its exponent, those between neighbours, and the ends."""
    rows = {}
    for quantity, (name, write) in QUANTITIES.items():
        for against in VARIED:
            x, y = curve(fits, against, quantity)
            rows[name, against] = {
                "from": plain(x[0]),
                "to": plain(x[-1]),
                "exponent (95 % interval)": in_words(power_law(x, y)) if len(x) >= LEAST_VALUES else "",
                "between neighbours": listed(x, y),
                "at the smallest": write(y[0]),
                "at the largest": write(y[-1]),
            }
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index.names = ["quantity", "against"]
    return table


def fitted(fits: pd.DataFrame) -> pd.DataFrame:
    """One row per setting: the fastest times of the repetitions, and medians of the rest."""
    groups = fits.groupby(["against", "n", "k", "c", "f"], sort=False)
    return pd.DataFrame(
        {
            "fits": groups.size(),
            "time of the fit (s)": groups["time_s"].min().round(3),
            "time of a sweep (ms)": (1e3 * groups["sweep_s"].min()).round(2),
            "sweeps": groups["sweeps"].median(),
            "met the cap": groups["converged"].agg(lambda converged: int((~converged.astype(bool)).sum())),
            "memory of the fit (MB)": (groups["memory_bytes"].median() / 1e6).round(1),
            "peak of the process (MB)": (groups["peak_bytes"].median() / 1e6).round(0),
            "ARI": groups["ari"].median().round(3),
        }
    )


# ---------------------------------------------------------------- claims


def grows_like(quantity: str, against: str, low: float, high: float):
    """Check: the fitted exponent lies within the range."""

    def check(params, tables):
        x, y = curve(tables["fits"], against, quantity)
        if len(x) < LEAST_VALUES:
            return too_few(against, x)
        law = power_law(x, y)
        write = QUANTITIES[quantity][1]
        note = f"between neighbouring {against}: {listed(x, y)}"
        if law.low < low or law.high > high:
            note = f"the interval reaches out of this range; {note}"
        at = [f"{write(value)} at {against} = {plain(place)}" for place, value in zip(x, y)]
        ends = f"from {at[0]} to {at[-1]}"
        return Finding(low <= law.exponent <= high, f"exponent {in_words(law)}, {ends}", note)

    return check


def too_few(against: str, values) -> Finding:
    return Finding(None, "", f"{len(values)} values of {against}, of {LEAST_VALUES} that a law takes")


def check_largest(params, tables):
    """The fit of the largest size stays below 3 GiB and finds the classes."""
    fits = tables["fits"]
    at_n = fits[fits["against"] == "n"]
    row = at_n.loc[at_n["n"].idxmax()]
    ours = (
        f"n = {row['n']}: peak {row['peak_bytes'] / 2**30:.2f} GiB, ARI {row['ari']:.3f}, "
        f"{row['time_s']:.1f} s on one thread, {row['sweeps']} sweeps"
    )
    return Finding(row["peak_bytes"] < LARGEST_MEMORY and row["ari"] > LEAST_ARI, ours)


def check_fixed_part(params, tables):
    """A straight line of the time of a sweep in k: what remains at k = 0 is less than half at the fixed k."""
    x, y = curve(tables["fits"], "k", "sweep_s")
    if len(x) < LEAST_VALUES:
        return too_few("k", x)
    slope, rest = np.polyfit(x, y, 1, w=1 / y)  # relative errors
    share = rest / (rest + slope * params.k)
    each = 1e9 / params.n_for_k
    ours = f"{100 * share:.0f} %: {each * rest:.0f} ns a row and {each * slope:.1f} ns a pair"
    return Finding(share < 0.5, ours)


BUSY = "; on a machine that does other things, too, times say little"
CACHE = (
    "the number of operations is proportional to n. But the rows of M C take 64 bytes an object: up to some "
    "ten thousand objects they lie in the processor's near caches, later in the far one, and at a million "
    "every row of a random partner comes from memory. An exponent above 1 is that passage, and should end "
    "where everything comes from memory; from 50 000 objects on, a sweep also goes block by block, which "
    "takes a little more work on one thread"
) + BUSY
FIXED = (
    "each row also solves its quadratic programme, whatever k is: the smaller k, the more this fixed part "
    "weighs. The next question takes the two apart"
) + BUSY
IN_F = (
    "the sums over partners take f^2 / 2 products, the gathering of their rows f, and a row has a fixed "
    "cost: the exponent rises from step to step. Quadratic programmes of many masses take more than f^2"
) + BUSY
IN_PAIRS = "for a moment, memory holds what the pairs are made of, too: random numbers, distances"


def question(artefact, statement, check, explanation="") -> Claim:
    return Claim(artefact, statement, OURS, check, explanation=explanation)


CLAIMS = (
    question(
        TIME,
        "Does the time of a sweep grow with n to the power 1, within 0.15?",
        grows_like("sweep_s", "n", 0.85, 1.15),
        CACHE,
    ),
    question(
        TIME,
        "Does the number of sweeps to convergence stay the same as n grows (exponent within 0.1 of 0)?",
        grows_like("sweeps", "n", -0.1, 0.1),
        "the number differs from data set to data set, with the start and the local minimum",
    ),
    question(
        TIME,
        "Does the time of the whole fit grow with n to the power 1, within 0.15?",
        grows_like("time_s", "n", 0.85, 1.15),
        CACHE,
    ),
    question(
        TIME,
        "Does the time of a sweep grow with k to the power 1, within 0.15?",
        grows_like("sweep_s", "k", 0.85, 1.15),
        FIXED,
    ),
    question(
        TIME,
        "Does the part of a sweep that does not depend on k take less than half of it, at the fixed k?",
        check_fixed_part,
        "k is small for the number of focal sets, or n so small that pairs cost next to nothing" + BUSY,
    ),
    question(
        TIME,
        "Does the time of a sweep grow with f to a power between 1 and 2?",
        grows_like("sweep_s", "f", 1.0, 2.0),
        IN_F,
    ),
    question(
        MEMORY,
        "Does the memory of the fit grow with n to the power 1, within 0.1?",
        grows_like("memory_bytes", "n", 0.9, 1.1),
        IN_PAIRS,
    ),
    question(
        MEMORY,
        "Does the memory of the fit grow with k to the power 1, within 0.15?",
        grows_like("memory_bytes", "k", 0.85, 1.15),
        IN_PAIRS + "; masses and their products do not depend on k",
    ),
    question(
        MEMORY,
        "Does the memory of the fit grow with f to a power below 1?",
        grows_like("memory_bytes", "f", 0.0, 1.0),
        "masses and their products take f words an object, pairs none",
    ),
    question(
        MEMORY,
        "At the largest n, does the process stay below 3 GiB and find the classes with an ARI above 0.84?",
        check_largest,
        "now and then a run ends in a local minimum with two clusters merged",
    ),
)

"""Claims that Figures 6, 7, 9 and 10 share: IRQP against another optimiser, from the same random starts."""

from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

from credalbench.core.intervals import Estimate, difference, ratio
from credalbench.papers import Claim, Printed, printed_values
from credalbench.papers.claims import agrees, below, claim
from credalbench.papers.reasons import OURS, TIMES

from .clock import milliseconds
from .paired_runs import SOLVERS, by_start, shown

PRINTED = printed_values(__file__, "optimisers")
STATISTICS = {
    "median": np.median,
    "standard deviation": partial(np.std, ddof=1),
    "interquartile range": stats.iqr,
}
RULE = (
    "Gradient stops by a gain smoothed over ten iterations, IRQP by one smoothed over two (21); neither rule "
    "watches the distance to the minimum"
)
TIMES_EXPLAINED = (
    "a ratio of times depends on the programs as much as on the algorithms: an iteration of the gradient "
    "takes of the order of f^3 n^2 operations in the authors' program (Section 2.4), here of f n^2, as a "
    "sweep of IRQP does; " + RULE
)


def faster(artefact: str, printed: Printed, sentence: str) -> Claim:
    """Compare how much sooner IRQP stops than Gradient with what is printed."""

    @claim(
        artefact,
        f"IRQP converges more than {printed.value:g} times faster than Gradient (median times)",
        sentence=sentence,
        published=printed,
        explanation=TIMES_EXPLAINED,
        cause=OURS,
        caveat=TIMES,
    )
    def faster_than_gradient(params, tables):
        runs = shown(tables["runs"])
        names = {solver: SOLVERS[solver] for solver in ("gradient", "irqp")}
        medians = runs.groupby("solver")["time_s"].median()
        note = ", ".join(f"{name} {milliseconds(medians[s])}" for s, name in names.items())
        return agrees(printed, {" / ".join(names.values()): saved(runs, "time_s")}, ".1f", f"medians: {note}")

    return faster_than_gradient


def saved(runs: pd.DataFrame, column: str, opponent: str = "gradient") -> Estimate:
    """Divide the median of a column for the opponent by that for IRQP."""
    values = by_start(runs, column)
    return ratio(values[opponent], values["irqp"])


def final_stress(tables) -> pd.DataFrame:
    """Return the stress at convergence: a row per paired run of the figures, a column per solver."""
    return by_start(shown(tables["runs"]), "stress")


def lower_in_every_run(artefact: str, sentence: str, explanation: str) -> Claim:
    """Check that IRQP ends below Gradient in each paired run."""
    statement = f"from the same start, IRQP ends at a lower stress than {SOLVERS['gradient']}, in every run"

    @claim(artefact, statement, sentence=sentence, explanation=explanation)
    def ends_lower(params, tables):
        stress = final_stress(tables)
        excess = stress["irqp"] - stress["gradient"]
        note = f"in {(excess < 0).sum()} of {len(excess)} paired runs"
        return below(0, {"largest excess of IRQP": excess.max()}, ".1e", note)

    return ends_lower


def lower(artefact: str, statistics: tuple[str, ...], sentence: str, explanation: str) -> Claim:
    """Check that statistics of IRQP's final stress are below those of Gradient."""
    statement = (
        f"the {' and the '.join(statistics)} of IRQP's final stress {'are' if statistics[1:] else 'is'}"
    )

    @claim(artefact, f"{statement} below Gradient's", sentence=sentence, explanation=explanation)
    def statistics_are_lower(params, tables):
        stress = final_stress(tables)
        gaps, notes = {}, []
        for name in statistics:
            of = STATISTICS[name]
            gaps[f"{name}, IRQP - Gradient"] = difference(stress["irqp"], stress["gradient"], of)
            notes += [f"{SOLVERS[s]} {of(stress[s], axis=0):.3g}" for s in ("irqp", "gradient")]
        return below(0, gaps, ".1e", ", ".join(notes))

    return statistics_are_lower

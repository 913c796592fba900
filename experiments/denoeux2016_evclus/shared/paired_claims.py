"""Claims that Figures 6, 7, 9 and 10 share: IRQP against another optimiser, from the same random starts."""

from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

from credalbench.core.intervals import Estimate, difference, ratio
from credalbench.papers import EXPECTATION, Claim, Printed, printed_values
from credalbench.papers.claims import above, agrees, below, claim, within
from credalbench.papers.reasons import OURS

from .clock import milliseconds
from .paired_runs import NEAR, SOLVERS, arrival_times, by_start, shown

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
    "a ratio of times belongs to the programs as much as to the algorithms: an iteration of the gradient "
    "takes of the order of f^3 n^2 operations in the authors' program (Section 2.4), here of f n^2, as a "
    "sweep of IRQP does; " + RULE
)


def faster(artefact: str, printed: Printed, sentence: str) -> tuple[Claim, ...]:
    """Compare how much sooner IRQP stops than Gradient: as printed, and in evaluations of the stress."""

    @claim(
        artefact,
        f"IRQP converges more than {printed.value:g} times faster than Gradient (median times)",
        sentence=sentence,
        published=printed,
        explanation=TIMES_EXPLAINED,
        cause=OURS,
    )
    def faster_than_gradient(params, tables):
        runs = shown(tables["runs"])
        names = {solver: SOLVERS[solver] for solver in ("gradient", "irqp")}
        medians = runs.groupby("solver")["time_s"].median()
        note = ", ".join(f"{name} {milliseconds(medians[s])}" for s, name in names.items())
        return agrees(printed, {" / ".join(names.values()): saved(runs, "time_s")}, ".1f", f"medians: {note}")

    @claim(
        artefact,
        f"Gradient takes more than {printed.value:g} times as many evaluations of the stress as IRQP",
        EXPECTATION,
        explanation=RULE,
        cause=OURS,
    )
    def fewer_evaluations(params, tables):
        runs = shown(tables["runs"])
        others = {f"{SOLVERS[s]} / IRQP": saved(runs, "n_evaluations", s) for s in SOLVERS if s != "irqp"}
        first, *rest = others
        note = "; ".join(f"{label} {others[label]:.1f}" for label in rest)
        return above(printed.value, {first: others[first]}, ".1f", note)

    return faster_than_gradient, fewer_evaluations


def saved(runs: pd.DataFrame, column: str, opponent: str = "gradient") -> Estimate:
    """Divide the median of a column for the opponent by that for IRQP."""
    values = by_start(runs, column)
    return ratio(values[opponent], values["irqp"])


def arrives_earlier(artefact: str) -> Claim:
    """Compare the way down alone, without the tail in which the stopping rule waits."""
    statement = f"IRQP comes within {100 * NEAR:g} % of the lowest stress earlier than Gradient (medians)"

    @claim(artefact, statement, EXPECTATION)
    def earlier(params, tables):
        times = arrival_times(shown(tables["traces"]))
        medians = ", ".join(f"{SOLVERS[s]} {milliseconds(times[s].median())}" for s in ("gradient", "irqp"))
        never = int(np.isinf(times["gradient"]).sum())
        note = f"medians: {medians}; of {len(times)} runs of Gradient, never there: {never}"
        return above(1, {"Gradient / IRQP": ratio(times["gradient"], times["irqp"])}, ".1f", note)

    return earlier


def final_stress(tables) -> pd.DataFrame:
    """Return the stress at convergence: a row per paired run of the figures, a column per solver."""
    return by_start(shown(tables["runs"]), "stress")


def lower_in_every_run(
    artefact: str, opponent: str, basis: str, sentence: str = "", explanation: str = ""
) -> Claim:
    """Check that IRQP ends below the opponent in each paired run."""
    name = SOLVERS[opponent]
    statement = f"from the same start, IRQP ends at a lower stress than {name}, in every run"

    @claim(artefact, statement, basis, sentence=sentence, explanation=explanation)
    def ends_lower(params, tables):
        stress = final_stress(tables)
        excess = stress["irqp"] - stress[opponent]
        note = f"in {(excess < 0).sum()} of {len(excess)} paired runs"
        return below(0, {"largest excess of IRQP": excess.max()}, ".1e", note)

    return ends_lower


def lower(artefact: str, statistics: tuple[str, ...], sentence: str, explanation: str) -> Claim:
    """Check that statistics of IRQP's final stress are below Gradient's."""
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


def all_converged(artefact: str, methods: dict[str, str], column: str = "solver") -> Claim:
    """Check that no run of any method (key in `column` -> name) meets the cap on iterations."""
    statement = (
        f"every run of {', '.join(methods.values())} reaches the tolerance before the cap on iterations"
    )
    explanation = "runs that meet the cap stay in all tables and figures, with what they had then"

    @claim(artefact, statement, EXPECTATION, explanation=explanation)
    def none_meets_the_cap(params, tables):
        runs = tables["runs"]
        capped = runs.loc[~runs["converged"].astype(bool), column].value_counts()
        counts = {name: int(capped.get(key, 0)) for key, name in methods.items()}
        return within(0, 0, counts, ".0f", f"runs that met the cap, of {len(runs)} in all")

    return none_meets_the_cap

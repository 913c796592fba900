"""Claims that Figures 6, 7, 9 and 10 share: IRQP beside another optimiser, from the same random starts."""

from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

from credalbench.intervals import difference, ratio
from credalbench.runner import EXPECTATION, TOLERANCE_OURS, Claim, Finding, printed_values
from credalbench.runner.claims import above, below, claim, within

from .clock import milliseconds
from .paired_runs import NEAR, SLACK, SOLVERS, arrival_times, by_start, shown

PRINTED = printed_values(__file__, "optimisers")
FACTOR = PRINTED["speed_ratio"].value
STATISTICS = {"median": np.median, "variance": partial(np.var, ddof=1), "interquartile range": stats.iqr}

TIMES_EXPLAINED = (
    "a ratio of times belongs to the programs as much as to the algorithms. The paper prints neither step "
    "control nor machine, and puts its gradient at O(f^3 n^2) operations (Section 2.4); written with "
    "matrices it takes of the order of f n^2 here, as does a sweep of IRQP. All three stop by the same rule "
    "(21), which watches the relative change of the stress and not the distance to the minimum"
)


def faster(traces: str, boxes: str) -> tuple[Claim, ...]:
    """How much sooner IRQP stops, and arrives near the lowest stress; for the figures of traces and boxes."""

    @claim(
        "{artefact}",
        f"IRQP is more than {FACTOR:g} times faster than Gradient (median times)",
        TOLERANCE_OURS,
        published=f"more than {FACTOR:g} times faster",
        explanation=TIMES_EXPLAINED,
        each=[{"artefact": traces}, {"artefact": boxes}],
    )
    def faster_than_gradient(params, tables):
        return above_factor(by_start(shown(tables["runs"]), "time_s"), "gradient")

    @claim(
        boxes,
        f"IRQP is more than {FACTOR:g} times faster than L-BFGS (median times)",
        EXPECTATION,
        explanation=f"the paper does not run L-BFGS: the factor of {FACTOR:g} is its statement on its own "
        "gradient, used as the same yardstick",
    )
    def faster_than_lbfgs(params, tables):
        return above_factor(by_start(shown(tables["runs"]), "time_s"), "lbfgs")

    @claim(
        traces,
        f"IRQP comes within {100 * NEAR:g} % of the lowest stress of all runs more than {FACTOR:g} times "
        "earlier than {name} (medians)",
        EXPECTATION,
        explanation="the tail in which the stopping rule waits is left out; what remains is the way down",
        each=[{"opponent": solver, "name": SOLVERS[solver]} for solver in ("gradient", "lbfgs")],
    )
    def arrives_earlier(params, tables, opponent):
        return above_factor(arrival_times(shown(tables["traces"])), opponent)

    return *faster_than_gradient, faster_than_lbfgs, *arrives_earlier


def above_factor(times: pd.DataFrame, opponent: str) -> Finding:
    """Whether the opponent's median time is more than the printed multiple of IRQP's."""
    names = {solver: SOLVERS[solver] for solver in (opponent, "irqp")}
    medians = ", ".join(f"{name} {milliseconds(times[s].median())}" for s, name in names.items())
    late = ", ".join(f"{name} in {n}" for s, name in names.items() if (n := np.isinf(times[s]).sum()))
    note = f"medians: {medians}" + (f"; of {len(times)} runs, never there: {late}" if late else "")
    return above(FACTOR, {" / ".join(names.values()): ratio(times[opponent], times["irqp"])}, ".1f", note)


def final_stress(tables) -> pd.DataFrame:
    """Stress at convergence, one row per paired run that the figures show, one column per solver."""
    return by_start(shown(tables["runs"]), "stress")


def lower_in_every_run(artefact: str, opponent: str, basis: str, explanation: str) -> Claim:
    """IRQP ends at least as low as the opponent in each paired run."""
    name = SOLVERS[opponent]
    statement = (
        f"from the same start, IRQP's stress ends at most at that of {name} (+{SLACK:g}), in every run"
    )

    @claim(artefact, statement, basis, explanation=explanation)
    def ends_as_low(params, tables):
        stress = final_stress(tables)
        excess = stress["irqp"] - stress[opponent]
        note = f"in {(excess < SLACK).sum()} of {len(excess)} paired runs"
        return below(SLACK, {"largest excess of IRQP": excess.max()}, ".1e", note)

    return ends_as_low


def lower(
    artefact: str, statistic: str, opponent: str, basis: str, explanation: str, margin: float = 0
) -> Claim:
    """A statistic of IRQP's final stress is below the opponent's, or at most `margin` above it."""
    of, name = STATISTICS[statistic], SOLVERS[opponent]
    relation = f"at most that of {name} (+{margin:g})" if margin else f"below that of {name}"

    @claim(artefact, f"the {statistic} of IRQP's final stress is {relation}", basis, explanation=explanation)
    def statistic_is_lower(params, tables):
        stress = final_stress(tables)
        note = ", ".join(f"{SOLVERS[s]} {of(stress[s], axis=0):.3g}" for s in ("irqp", opponent))
        return below(
            margin, {f"IRQP - {name}": difference(stress["irqp"], stress[opponent], of)}, ".1e", note
        )

    return statistic_is_lower


def all_converged(artefact: str, methods: dict[str, str], column: str = "solver") -> Claim:
    """No run of any method (key in `column` -> name) meets the cap on iterations."""
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

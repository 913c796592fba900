"""What R's ``cecm`` says of Tables 5, 6 and 8. All of it is ours; the printed tables are the measure.

The checks read the stored runs, if those made here are the same. Without R, what they find there is no
verdict, but the reason shown with "cannot be checked".
"""

import functools
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from credalbench.core.intervals import Estimate, deviation, difference, mean, without_rounding
from credalbench.papers import EXPECTATION, CannotBeChecked, Finding
from credalbench.papers.claims import agrees, claim, within
from credalbench.papers.reasons import AUTHORS_PROGRAM, OPEN_SETTING

from ...rscript import confirms, from_stored
from ..conventions.claims import INTERIOR_MASSES as INTERIOR
from ..conventions.variants import PROGRAM
from ..rand_tables.claims import METRICS, NAMES, printed_cell
from ..times.claims import PRINTED as PRINTED_TIMES

ARTEFACT = "cecm-ours-03"
STORED = Path(__file__).parents[1] / "reference" / "stored" / "authors_program.csv"
RUN = ["part", "dataset", "metric", "n_constraints", "repetition", "xi", "program"]
IN_R, OURS = "R", "ours"
SAME = 0.01  # the last digit of the printed Rand indices
expected = partial(claim, ARTEFACT, basis=EXPECTATION)
EACH_SET = [{"dataset": dataset, "name": name} for dataset, name in NAMES.items()]


# ---------------------------------------------------------------- reading the runs


def runs_of(tables) -> pd.DataFrame:
    """Return the stored runs; those of these tables, where R or ours gave other values here."""
    stored = pd.read_csv(STORED)
    same = "runs" not in tables or confirms(tables["runs"], stored, RUN, ["ri", "n_iter"])
    return stored if same else tables["runs"]


def with_r(check: Callable) -> Callable:
    """Return the check, where R was run; else the reason, with what it finds in the stored runs."""

    @functools.wraps(check)
    def judged(params, tables, **case):
        runs = runs_of(tables)
        found = check(params, {"runs": runs}, **case)
        if "runs" in tables:
            return found
        raise from_stored(found, runs)

    return judged


def rand_indices(tables, dataset: str, program: str) -> dict[int, np.ndarray]:
    """Return the Rand indices under constraints, in the order of the draws, by number of constraints."""
    runs = tables["runs"]
    runs = runs[(runs["part"] == "rand") & (runs["xi"] > 0) & (runs["dataset"] == dataset)]
    found = runs[runs["program"] == program].sort_values("repetition").groupby("n_constraints")["ri"]
    return {C: values.to_numpy() for C, values in found}


def with_printed_cells(printed: dict, estimates: dict[str, Estimate]) -> Finding:
    """Judge as printed cells are judged, without a verdict on the cells: R's program is not ours."""
    known = {key: value for key, value in printed.items() if value}
    if not known:
        raise CannotBeChecked("no such cell of the paper's tables was run")
    found = agrees(known, {key: estimates[key] for key in known}, ".3f")
    return Finding(found.holds, found.ours, found.note)


def by_program(params, tables) -> pd.DataFrame:
    """Tabulate mean ± standard deviation of the Rand index: printed, R, ours and what lies between."""
    tables, rows = {"runs": runs_of(tables)}, {}
    for dataset in METRICS:
        for program in (IN_R, PROGRAM, INTERIOR, OURS):
            for C, ri in rand_indices(tables, dataset, program).items():
                row = rows.setdefault((NAMES[dataset], C), {})
                mean_, sd = (printed_cell(q, dataset, C, params.xi) for q in ("ri", "sd"))
                row["printed"] = f"{mean_.value:.2f} ± {sd.value:.2f}" if mean_ else ""
                row["draws"] = len(ri)
                row[program] = f"{np.nanmean(ri):.3f} ± {np.nanstd(ri, ddof=1):.3f}"
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index.names = ["data set", "C"]
    return table


# ---------------------------------------------------------------- claims

NOT_THE_SAME = (
    "R's function is a later one than that of the paper; its scaling of the data and its start are ours"
)


@expected(
    "{name}: at xi = 0.5, R's mean Rand index is the printed one for each number of constraints",
    explanation=NOT_THE_SAME,
    cause=AUTHORS_PROGRAM,
    each=EACH_SET,
)
@with_r
def means_in_r(params, tables, dataset):
    ri = rand_indices(tables, dataset, IN_R)
    estimates = {f"C = {C}": mean(without_rounding(values)) for C, values in ri.items()}
    return with_printed_cells({f"C = {C}": printed_cell("ri", dataset, C, params.xi) for C in ri}, estimates)


@expected(
    "{name}: at xi = 0.5, the standard deviation in R is the printed one for each number of constraints",
    explanation=NOT_THE_SAME,
    cause=AUTHORS_PROGRAM,
    each=EACH_SET,
)
@with_r
def deviations_in_r(params, tables, dataset):
    ri = rand_indices(tables, dataset, IN_R)
    estimates = {f"C = {C}": deviation(without_rounding(values)) for C, values in ri.items()}
    return with_printed_cells({f"C = {C}": printed_cell("sd", dataset, C, params.xi) for C in ri}, estimates)


@expected(
    "{name}: without constraints, R's mean Rand index is the printed one",
    explanation=NOT_THE_SAME,
    cause=AUTHORS_PROGRAM,
    each=EACH_SET,
)
@with_r
def free_means_in_r(params, tables, dataset):
    runs = tables["runs"].query("part == 'rand' and xi == 0 and dataset == @dataset and program == @IN_R")
    found = mean(without_rounding(runs["ri"]))
    return with_printed_cells({"xi = 0": printed_cell("ri", dataset, 20, 0.0)}, {"xi = 0": found})


@expected(
    "{name}: what separates ours from R is the end of the mass step and the means of must- and cannot-links: "
    f"with both as in R, the mean over the same draws is R's within {SAME}, for each number of constraints",
    explanation="it moves its start at random, and has norms from its first mass step on",
    cause=AUTHORS_PROGRAM,
    each=EACH_SET,
)
@with_r
def two_changes_give_r(params, tables, dataset):
    there, here, own = (rand_indices(tables, dataset, p) for p in (IN_R, PROGRAM, OURS))
    gaps = {f"C = {C}": difference(here[C], there[C]) for C in there}
    plain = ", ".join(f"C = {C}: {np.nanmean(own[C] - there[C]):+.3f}" for C in there)
    return within(-SAME, SAME, gaps, "+.3f", f"ours minus R {plain}")


@expected(
    "from random objects, with 100 constraints, R's mean number of iterations is that of Table 8 on Iris, "
    "Wine and Glass in both metrics",
    explanation="R's function stops at 0.001 of a coordinate; that of the paper is open",
    cause=OPEN_SETTING,
)
@with_r
def iterations_in_r(params, tables):
    runs = tables["runs"].query("part == 'iterations' and n_constraints == 100")
    printed, found = {}, {}
    for (dataset, metric), part in runs.groupby(["dataset", "metric"], sort=False):
        key = f"{NAMES[dataset].split(',')[0]}, {metric}"
        printed[key] = PRINTED_TIMES["iter", dataset, f"cecm_{metric[:4].replace('maha', 'mah')}"]
        found[key] = mean(part["n_iter"])
    return with_printed_cells(printed, found)

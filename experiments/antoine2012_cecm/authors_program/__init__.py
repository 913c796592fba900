"""The authors' own program: ``cecm`` of the R package evclust against Tables 5, 6 and 8, and against ours.

The tables were computed by a program in Matlab that is not published. Two of the authors later wrote the
function ``cecm`` in R. Its runs on the draws, starting prototypes and delta of our own studies are stored
(``reference/stored/authors_program.csv``, written by ``python tools/store_programs.py``). Where R has
evclust, the first draws are made again, and the stored runs are judged if these are the same; without it the
cases are left out, and claims show the stored runs.

Why does it give other values than ours? On the same draws run, one change at a time:

- *ours*: ``CECM``. Its masses rest in a minimum that continuation finds.
- *interior-point masses*: as in Tables 5 and 6. They end on the way to a minimum
  (``shared/interior_point.py``), and the iterations where no coordinate of a prototype moves by more than
  0.001.
- *..., averaged apart*: must-links are averaged by their own number, cannot-links by theirs, as R does.
  Equation (20) averages over both together.

R's function moves the masses that a mass step starts from at random, gives the empty set a cost of its own in
must-links, and has norms from ECM's masses before the first step. This is what is left between the last of
ours and R.

Not run: Letters and Table 9, where R sets up square matrices of 1816 and 6400 rows.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from credalbench.cluster import CECM
from credalbench.metrics import rand_index
from credalbench.papers import case_random_state, case_rng, declare, knob

from ...rscript import RScript
from ..conventions.variants import CONVENTIONS, PROGRAM, links_of, weighed
from ..rand_tables.claims import METRICS
from ..shared.interior_point import InteriorPoint
from ..shared.paths import RESTS, cecm_path, settled_labels
from ..shared.protocol import draw_constraints, prepared, starting_prototypes
from .claims import ARTEFACT, IN_R, INTERIOR, OURS, by_program

CECM_IN_R = RScript(Path(__file__).with_name("cecm.R"), "6ccdc289dfa3")
SEEDS = 2**31 - 1  # what R takes
MOVED = 0.1  # deviation of the random step from an object to a starting prototype, of R's function


@dataclass(frozen=True)
class Parameters:
    """Sizes and weights are the paper's; how many draws is ours."""

    n_constraints: tuple[int, ...] = knob((20, 50, 100, 200), "constraints C (Tables 5 and 6)", low=1)
    xi: float = knob(
        0.5, "weight of the constraints, 0 to 1 (the middle of Tables 5 and 6)", low=0.01, high=0.99
    )
    n_trials: int = knob(2, "draws for Tables 5 and 6 that are made here (the paper has 100)", low=2)
    n_free_trials: int = knob(2, "runs without constraints, which R moves at random", low=2)
    n_iteration_trials: int = knob(2, "draws for counting iterations (Table 8 has 20)", low=2)
    n_iteration_constraints: int = knob(100, "random constraints of the iterations (Table 8)", low=1)
    chunk: int = knob(5, "draws in one case", low=1)
    seed: int = knob(0, "seed of constraints and starts", low=0)


def cases(params):
    """Return one case per data set, part and chunk of draws; parts are ``rand`` and ``iterations``."""
    found = []
    for dataset, C in ((d, C) for C in params.n_constraints for d in METRICS):
        found += [
            case("rand", dataset, METRICS[dataset], C, chunk) for chunk in chunks(params, params.n_trials)
        ]
    for dataset, metric in ((d, m) for d in METRICS for m in ("euclidean", "mahalanobis")):
        C, n_trials = params.n_iteration_constraints, params.n_iteration_trials
        found += [case("iterations", dataset, metric, C, chunk) for chunk in chunks(params, n_trials)]
    return found


def case(part: str, dataset: str, metric: str, n_constraints: int, chunk: int) -> dict:
    return {
        "part": part,
        "dataset": dataset,
        "metric": metric,
        "n_constraints": n_constraints,
        "chunk": chunk,
    }


def chunks(params, n_trials: int) -> range:
    return range(-(-n_trials // params.chunk))


def compute(params, case):
    """Run R and ours on some draws: table ``runs``, a row per program and draw."""
    part, dataset, C = case["part"], case["dataset"], case["n_constraints"]
    problem, first = prepared(dataset), case["chunk"] * params.chunk
    most = params.n_trials if part == "rand" else params.n_iteration_trials
    draws = []
    for trial in range(first, min(first + params.chunk, most)):
        rng = case_rng(params.seed, dataset, C, trial)
        links = draw_constraints(problem.y, C, rng)
        start = starting_prototypes(dataset)
        if part == "iterations":  # random objects, moved a little as R does: at an object its masses are NaN
            start = problem.X[rng.choice(len(problem.X), problem.n_clusters, replace=False)]
            start = start + MOVED * rng.standard_normal(start.shape)
        draws.append((trial, links, start))
    free = part == "rand" and case["chunk"] == 0 and min(params.n_constraints) == C
    rows = [*in_r(params, problem, case, draws, free)]
    for trial, links, start in draws if part == "rand" else ():
        for program, labels in ours(params, problem, case["metric"], links, start).items():
            ri = rand_index(problem.y, labels)
            rows.append({"repetition": trial, "xi": params.xi, "program": program, "ri": ri})
    return {"runs": pd.DataFrame(rows)}


def in_r(params, problem, case, draws, free: bool):
    """Yield the rows of R's function on the draws; if `free`, also without weight, from several seeds."""
    tasks = [(k + 1, params.xi, trial) for k, (trial, _, _) in enumerate(draws)]
    if free:
        tasks += [(1, 0.0, trial) for trial in range(params.n_free_trials)]
    seeds = [
        case_random_state(params.seed, case["part"], case["dataset"], case["n_constraints"], trial) % SEEDS
        for _, _, trial in tasks
    ]
    table = pd.DataFrame(tasks, columns=["draw", "xi", "repetition"]).assign(
        seed=seeds,
        n_clusters=problem.n_clusters,
        delta=problem.delta,
        adaptive=int(case["metric"] == "mahalanobis"),
        tol=RESTS,
    )
    links = [
        (k + 1, kind, *(pair + 1))
        for k, (_, constraints, _) in enumerate(draws)
        for kind, pairs in (("must", constraints.must_link), ("cannot", constraints.cannot_link))
        for pair in pairs
    ]
    runs, labels = CECM_IN_R.run(
        X=problem.X,
        tasks=table,
        starts=np.vstack([start for _, _, start in draws]),
        links=pd.DataFrame(links, columns=["draw", "kind", "first", "second"]),
    )
    for task, run, found in zip(table.itertuples(), runs.itertuples(), labels.T):
        if not found.any():
            raise RuntimeError(f"cecm stopped in R: {run.reason}")
        yield {
            "repetition": task.repetition,
            "xi": task.xi,
            "program": IN_R,
            "ri": rand_index(problem.y, found),
            "n_iter": run.n_iter,
            "time_s": run.time_s,
            "version": run.version,
        }


def ours(params, problem, metric: str, links, start) -> dict[str, np.ndarray]:
    """Return the labels (n,) of ours and, one change at a time, of what comes near R's function."""
    model = CECM(problem.n_clusters, xi=params.xi, delta=problem.delta, metric=metric, init=start)
    labels = {OURS: model.fit(problem.X, **links_of(links)).labels_}
    for name in (INTERIOR, PROGRAM):
        weighted, xi = weighed(links, params.xi, CONVENTIONS[name])
        path = cecm_path(problem, start, weighted, metric, xi, InteriorPoint)
        labels[name] = settled_labels(path, start)
    return labels


experiment = declare(
    __name__,
    title="CECM: the authors' program in R against Tables 5, 6 and 8, and against ours",
    artefacts={ARTEFACT: "R's cecm on the draws of Tables 5, 6 and 8"},
    summaries=(by_program,),
    smoke={"n_constraints": (20,), "n_trials": 2, "n_free_trials": 2, "n_iteration_trials": 2, "chunk": 2},
    data=("iris_uci", "glass"),
)

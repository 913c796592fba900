"""A small study to run the runner on: no algorithm, a few numbers, one of everything that can happen."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from credalbench.core.intervals import mean
from credalbench.papers import ARITHMETIC, PAPER, Choice, Experiment, Finding, case_rng, knob
from credalbench.papers.claims import NotCheckable, above, agrees, below, claim, claims_of
from credalbench.papers.reasons import OURS
from credalbench.papers.reference import Axis, Printed, PrintedTable


class NoData(RuntimeError):
    """As a data set that cannot be had here says it."""

    leaves_out = True


@dataclass(frozen=True)
class Parameters:
    n_runs: int = knob(6, "repetitions", low=1)
    scale: float = knob(2.0, "spread of the draws", low=0.0)
    name: str = knob("toy", "data set", choices=("toy", "other"))
    centre: bool = knob(True, "subtract the mean")
    sizes: tuple[int, ...] = knob((5, 10), "objects")
    fail: tuple[int, ...] = knob((), "repetitions that fail")
    pause_s: float = knob(0.0, "seconds to sleep in each case", low=0.0)


def cases(params):
    return [{"size": size, "repetition": r} for size in params.sizes for r in range(params.n_runs)]


def compute(params, case):
    if log := os.environ.get("TOY_LOG"):
        with Path(log).open("a") as file:
            file.write(f"{os.getpid()} {case['size']} {case['repetition']}\n")
    time.sleep(params.pause_s)
    if case["repetition"] in params.fail and "TOY_HEALED" not in os.environ:
        if "TOY_ABSENT" in os.environ:
            raise NoData(f"data set {case['repetition']} needs a file:\n  details")
        raise FloatingPointError(f"repetition {case['repetition']} diverged")
    values = case_rng(3, params.name, case["size"], case["repetition"]).normal(
        scale=params.scale, size=case["size"]
    )
    if params.centre:
        values = values - values.mean()
    curve = pd.DataFrame({"step": range(case["size"]), "value": values})
    return {"curves": curve, "summary": pd.DataFrame({"mean": [values.mean()], "status": ["ok"]})}


def draw(params, tables):
    figure = Figure(figsize=(3, 2))
    figure.subplots().plot(tables["curves"]["value"])
    return {"toy-fig-01": figure}


CENTRED = Choice("the mean is subtracted", among="with and without the mean", evidence="Figure 1")


@claim("toy-fig-01", "the means vanish", PAPER, sentence="S01", published="0", fitted=CENTRED)
def centred(params, tables):
    return below(1e-12, tables["summary"]["mean"].abs().max(), ".1e")


@claim("toy-fig-01", "every run is there", ARITHMETIC)
def every_run(params, tables):
    expected = params.n_runs * len(params.sizes)
    if len(tables["summary"]) < expected:
        raise KeyError("missing repetitions")
    return Finding(True, f"{expected} runs")


SPREAD = Printed(5, 0, "Table 1", quantity="spread", artefact="toy-fig-02")


@claim("toy-fig-02", "the spread is 5", PAPER, published=SPREAD, explanation="ours is a toy", cause=OURS)
def spread(params, tables):
    return agrees(SPREAD, params.scale, ".1f")


@claim("toy-fig-02", "private data agree", PAPER, sentence="S02", published="yes", stand_in=True)
def private(params, tables):
    return Finding(True, "yes")


@claim("toy-fig-02", "the draws lie above 0", PAPER, sentence="S02 S03")
def positive(params, tables):
    return above(0, mean(tables["curves"]["value"]))


@claim("toy-fig-02", "the weather is fine", PAPER)
def weather(params, tables):
    raise NotCheckable("the paper prints none")


#: How the paper of the toy prints its one value.
LAYOUT = PrintedTable(
    rows={"what": Axis("what", {"spread": "spread of the draws"})},
    columns={"unit": Axis("", {"": "value"})},
    values=("{what}",),
    printed={"spread": SPREAD},
)


def means(params, tables):
    """Return the mean of each size."""
    return tables["summary"].groupby("size")["mean"].mean().reset_index()


experiment = Experiment(
    paper="toy_paper",
    study="toy_study",
    title="A toy study",
    artefacts={"toy-fig-01": "Curves of the toy", "toy-fig-02": "Numbers of the toy"},
    parameters=Parameters,
    cases=cases,
    compute=compute,
    draw=draw,
    claims=claims_of(__name__),
    summaries=(means,),
    smoke={"n_runs": 2, "sizes": (4,)},
)

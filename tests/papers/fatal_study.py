"""A study one case of which kills the worker that computes it."""

import os
import signal
from dataclasses import dataclass

import pandas as pd

from credalbench.papers import Experiment, knob


@dataclass(frozen=True)
class Parameters:
    n: int = knob(4, "cases")


def compute(params, case):
    print(f"computing case {case['repetition']}", flush=True)
    if case["repetition"] == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"table": pd.DataFrame({"value": [1]})}


experiment = Experiment(
    paper="toy_paper",
    study="fatal_study",
    title="A fatal study",
    artefacts=("fatal-fig-01",),
    parameters=Parameters,
    cases=lambda params: [{"repetition": r} for r in range(params.n)],
    compute=compute,
    draw=lambda params, tables: {},
)

"""A study one case of which kills the process that computes it, or the Dask worker above that process."""

import os
import signal
from dataclasses import dataclass

import pandas as pd

from credalbench.papers import Experiment, knob


@dataclass(frozen=True)
class Parameters:
    whom: str = knob("itself", "which process dies", choices=("itself", "parent"))


def compute(params, case):
    print(f"computing case {case['repetition']}", flush=True)
    if case["repetition"] == 1:
        os.kill(os.getpid() if params.whom == "itself" else os.getppid(), signal.SIGKILL)
        signal.pause()  # until the end of the parent is noticed
    return {"table": pd.DataFrame({"value": [1]})}


experiment = Experiment(
    paper="toy_paper",
    study="fatal_study",
    title="A fatal study",
    artefacts=("fatal-fig-01",),
    parameters=Parameters,
    cases=lambda params: [{"repetition": r} for r in range(4)],
    compute=compute,
    draw=lambda params, tables: {},
)

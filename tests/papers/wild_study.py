"""A study that misbehaves, in the way that its parameter says."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import pandas as pd

from credalbench.papers import Experiment, knob

WAYS = ("not", "leave", "die", "hold", "print", "complain", "eat")
SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


@dataclass(frozen=True)
class Parameters:
    how: str = knob("not", "how it misbehaves", choices=WAYS)


def leave_processes():
    """Three that would live on for ten minutes: one a copy of this process, one in a session of its own."""
    if os.fork() == 0:  # holds every descriptor that this process has, the worker's answer included
        time.sleep(600)
        os._exit(0)
    subprocess.Popen(SLEEP)
    subprocess.Popen(SLEEP, start_new_session=True)


def compute(params, case):
    if params.how in ("leave", "die", "hold"):
        leave_processes()
    if params.how == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if params.how == "hold":
        time.sleep(600)
    eaten = []
    while params.how == "eat":
        eaten.append(b"a" * 50_000_000)
        time.sleep(0.02)
    while params.how == "print":
        print("wild " * 1000)
    return {"table": pd.DataFrame({"value": [1]})}


def draw(params, tables):
    if params.how == "complain":
        raise RuntimeError("wild " * 50_000)
    return {}


experiment = Experiment(
    paper="toy_paper",
    study="wild_study",
    title="A wild study",
    artefacts=("wild-fig-01",),
    parameters=Parameters,
    cases=lambda params: [{"repetition": 0}],
    compute=compute,
    draw=draw,
)

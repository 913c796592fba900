"""Declare, run, store, judge and report experiments; knows no algorithm and no paper.

A study module declares an :class:`Experiment` (data and four functions without side effects)::

    experiment = Experiment(paper=..., study=..., title=..., artefacts={"evclus-fig-06": "Stress against
    time"},
                            parameters=Parameters, cases=cases, compute=compute, draw=draw, claims=CLAIMS,
                            smoke={"n_runs": 3})

and anybody runs it::

    result = run_study(experiment, profile="smoke", n_runs=4)
    result.tables["runs"], result.figure("evclus-fig-06"), result.verdicts
"""

from .execute import load_study, run_study
from .experiment import BASES, PAPER_BASES, PROFILES, Claim, Experiment, Finding
from .parameters import knob
from .result import Picture, RunResult
from .seeds import case_random_state, case_rng, case_seed

__all__ = [
    "BASES",
    "PAPER_BASES",
    "PROFILES",
    "Claim",
    "Experiment",
    "Finding",
    "Picture",
    "RunResult",
    "case_random_state",
    "case_rng",
    "case_seed",
    "knob",
    "load_study",
    "run_study",
]

"""Declare, run, store, judge and report experiments; independent of algorithms and papers.

The module of a study has ``Parameters``, the functions ``cases``, ``compute`` and ``draw`` without side
effects, claims (see `claims`), and last its :class:`Experiment`::

    experiment = declare(
        __name__, title=..., artefacts={"evclus-fig-06": "Stress against time"}, smoke={"n_runs": 3}
    )

Run it and read its result::

    result = run_study(experiment, profile="smoke", n_runs=4)
    result.tables["runs"], result.figure("evclus-fig-06"), result.verdicts
"""

from .claims import NotCheckable
from .execute import load_study, run_study
from .experiment import PROFILES, Experiment, declare
from .parameters import knob
from .reasons import Choice
from .reference import Printed, printed_values
from .result import Picture, RunResult
from .seeds import case_random_state, case_rng, case_seed
from .statement import ARITHMETIC, BASES, PAPER, Claim, Finding

__all__ = [
    "ARITHMETIC",
    "BASES",
    "PAPER",
    "PROFILES",
    "Choice",
    "Claim",
    "Experiment",
    "Finding",
    "NotCheckable",
    "Picture",
    "Printed",
    "RunResult",
    "case_random_state",
    "case_rng",
    "case_seed",
    "declare",
    "knob",
    "load_study",
    "printed_values",
    "run_study",
]

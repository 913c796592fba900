"""Compiled loops in pieces: an interrupt is heard during each of them, and no bit of a result changes."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from credalbench.baselines import ConstrainedFuzzyCMeans
from credalbench.belief import FocalSets
from credalbench.belief.relational import relational, relational_of_partners
from credalbench.cluster import CECM, EVCLUS, BootGMM, EKNNclus
from credalbench.cluster.conflict import threaded_sweep
from credalbench.cluster.conflict.pair_sampling import both_directions, pair_dissimilarities, sample_partners
from credalbench.cluster.conflict.row_sweeps import aligned_product
from credalbench.cluster.conflict.stress import SampledPairs
from credalbench.cluster.ensembles.consensus import recovered
from credalbench.core import kernels
from credalbench.core.progress import Cancelled, Progress, listen
from credalbench.datasets.stand_ins import directed_distortion, time_warping
from credalbench.select import select_by_silhouette
from credalbench.tables import gower_dissimilarities

#: Three loops that would run for longer than the test waits, were they not in pieces.
LOOPS = """
import signal, sys, time
import numpy as np
from credalbench.baselines.constrained_fcm import sweep
from credalbench.cluster.conflict.row_sweeps import aligned_product, sweep_pairs
from credalbench.datasets.stand_ins import time_warping

def rows(n_updates):  # of k-EVCLUS
    partners, delta = np.tile([1, 2, 3] * 20, 4), np.full(240, 0.5)
    M, C = np.full((4, 6), 1 / 6), 1 - np.eye(6)
    starts = np.arange(5) * 60
    sweep_pairs(np.zeros(n_updates, np.int64), starts, partners, delta, M, aligned_product(M, C), C, 0)

def memberships(c):  # of constrained fuzzy c-means
    U, none, starts = np.full((5000, c), 1 / c), np.zeros(0, np.int32), np.zeros(5001, np.int32)
    sweep(U, np.ones((5000, c)), 1.0, starts, none, starts, none)

def paths(n):
    time_warping(np.random.default_rng(0).random((n, 500, 2)))

signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of shells start without it
for loop, small, large in ((rows, 1, 10**7), (memberships, 2, 2000), (paths, 2, 300)):
    loop(small)  # compiled, or loaded
    try:
        print("begins", flush=True)
        loop(large)
        print("has ended", flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def test_an_interrupt_stops_long_loops():
    with subprocess.Popen([sys.executable, "-c", LOOPS], stdout=subprocess.PIPE, text=True) as process:
        for _ in range(3):
            assert process.stdout.readline() == "begins\n"
            time.sleep(0.3)  # s; into the loop
            process.send_signal(signal.SIGINT)
            began = time.monotonic()
            assert process.stdout.readline() == "interrupted\n"
            assert time.monotonic() - began < 4  # s; two are promised, on a machine that does nothing else


def blobs(n=60):
    return np.random.default_rng(0).normal(size=(n, 2)) + np.arange(n)[:, None] % 3 * 4.0


def pairs():
    return {"must_link": [(0, 3), (3, 9), (1, 4)], "cannot_link": [(0, 1), (2, 6), (5, 7)]}


def masses(estimator, **options):
    fit = estimator.fit(blobs(), **options)
    return fit.partition_.masses, fit.objective_trace_


def threaded():
    partners = sample_partners(60, 10, np.random.default_rng(0))
    lists = SampledPairs(partners, pair_dissimilarities(blobs(), partners)).row_lists
    C, M = FocalSets.simple(3).conflict.copy(), np.random.default_rng(0).dirichlet(np.ones(5), size=60)
    A = aligned_product(M, C)
    return (
        M,
        A,
        threaded_sweep.sweep_in_threads(*lists, M, A, C, 1),
        threaded_sweep.residuals_in_threads(*lists, M, A),
    )


def agreed(k):
    """Consensus on the masses of pairs of a credal partition: of all, or of k partners of each object."""
    rng, subsets = np.random.default_rng(0), FocalSets.full(4, empty=False)
    M = rng.dirichlet(np.ones(15), 40)
    partners = None if k is None else sample_partners(40, k, rng)
    relation = relational(M, subsets) if k is None else relational_of_partners(M, subsets, partners)
    found = recovered(relation, 3, partners=partners, init="random", rng=np.random.RandomState(0))
    return found.partition.masses, found.objective_trace


def memberships():
    fit = ConstrainedFuzzyCMeans(3, random_state=0).fit(blobs(), **pairs())
    return fit.membership_, fit.objective_trace_


INDEPENDENT = {"pair_sampling": "independent"}
PUBLISHED = INDEPENDENT | {"pair_updates": "one-sided"}
COMPUTATIONS = {
    "EVCLUS": lambda: masses(EVCLUS(3, random_state=0)),
    "k-EVCLUS": lambda: masses(EVCLUS(3, n_pairs=10, random_state=0)),
    "k-EVCLUS on independent pairs": lambda: masses(EVCLUS(3, n_pairs=10, **INDEPENDENT, random_state=0)),
    "k-EVCLUS, one-sided": lambda: masses(EVCLUS(3, n_pairs=10, **PUBLISHED, random_state=0)),
    "threaded": threaded,
    "lists": lambda: both_directions(np.array([[1], [2], [0]], np.int32), np.ones((3, 1))),
    "EK-NNclus": lambda: masses(EKNNclus(n_neighbors=8, random_state=0)),
    "BootGMM": lambda: masses(BootGMM(3, n_bootstrap=5, random_state=0)),
    "consensus": lambda: agreed(None),
    "consensus, sampled pairs": lambda: agreed(6),
    "CECM": lambda: masses(CECM(3, random_state=0), **pairs()),
    "CECM, together": lambda: masses(CECM(3, solver="simultaneous", random_state=0), **pairs()),
    "constrained fuzzy c-means": memberships,
    "time warping": lambda: time_warping(np.random.default_rng(0).random((7, 9, 2))),
    "image distortion": lambda: directed_distortion(np.random.default_rng(0).random((7, 6, 5))),
}


@pytest.mark.parametrize("name", COMPUTATIONS)
def test_pieces_change_no_bit(name, monkeypatch):
    monkeypatch.setattr(threaded_sweep, "BATCH_ROWS", 32)
    whole = COMPUTATIONS[name]()
    monkeypatch.setattr(kernels, "PIECE", 1)
    found = COMPUTATIONS[name]()
    for ours, theirs in zip(whole, found, strict=True):
        assert np.asarray(ours).tobytes() == np.asarray(theirs).tobytes()


def test_pieces_are_consecutive_and_leave_nothing_out():
    assert list(kernels.pieces(3, 10, kernels.PIECE / 4)) == [(3, 7), (7, 10)]
    assert list(kernels.pieces(0, 2, 10 * kernels.PIECE)) == [(0, 1), (1, 2)]
    assert list(kernels.pieces(5, 5, 1.0)) == []


@pytest.mark.parametrize("compute", [gower_dissimilarities, select_by_silhouette])
def test_pages_and_programs_can_cancel_what_has_no_kernel(compute):
    progress = Progress()
    progress.cancel()
    with listen(progress), pytest.raises(Cancelled):
        compute(blobs())

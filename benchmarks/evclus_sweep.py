"""One one-sided sweep of k-EVCLUS: the compiled kernel against what one would pick instead.

Same data (t4, n = 2000, k = 100 sampled partners, c = 4, simple focal sets), same start, one process, one
thread. The opponents run the very same sweep: row after row, each row from its own k partners.

* scipy: ``scipy.optimize.nnls`` on each row, the sum of the masses enforced by a heavy extra equation.
* evclust: ``kevclus`` of the Python package evclust (extra `peers`), whose rows are not constrained to be
  mass functions. Its call does more than sweep, so that a sweep is half the difference between calls with
  three sweeps and with one.

Prints medians and ratios. Run it with ``make bench`` or ``python benchmarks/evclus_sweep.py``.
"""

import time

import numpy as np
from scipy.optimize import nnls
from threadpoolctl import threadpool_limits

from credalbench.belief import FocalSets
from credalbench.cluster.conflict.pair_sampling import pair_dissimilarities, sample_partners
from credalbench.cluster.conflict.row_sweeps import sweep_pairs
from credalbench.cluster.conflict.stress import SampledPairs
from credalbench.cluster.conflict.transformation import d0_from_quantile, gamma_from_d0, phi
from credalbench.core.kernels import compile_kernels
from credalbench.datasets import make_t4

N, K, C_CLUSTERS = 2000, 100, 4
REPEATS = 7
SUM_WEIGHT = 1e4  # weight of the equation sum(m) = 1 for nnls


def seconds(call, *args):
    """Wall time of one call."""
    began = time.perf_counter()
    call(*args)
    return time.perf_counter() - began


def scipy_sweep(M, partners, delta, C):
    """The same sweep on scipy.optimize.nnls; returns the new masses."""
    M = M.copy()
    system = np.full((K + 1, len(C)), SUM_WEIGHT)
    target = np.full(K + 1, SUM_WEIGHT)
    for i in range(len(M)):
        system[:K] = M[partners[i]] @ C
        target[:K] = delta[i]
        M[i] = nnls(system, target)[0]
    return M


def our_sweep(stress, M, C):
    """The compiled sweep; returns the new masses."""
    M = M.copy()
    sweep_pairs(np.arange(len(M)), *stress.row_lists, M, M @ C, C, 1)
    return M


def evclust_seconds(d, partners, M):
    """A sweep of the peer, or None where it is not installed."""
    try:
        from evclust.kevclus import kevclus
    except ImportError as reason:
        print(f"evclust is left out ({reason}); to add it: python -m pip install --no-deps evclust seaborn")
        return None

    def call(sweeps):
        # its loop runs while the counter is <= maxit, from 0
        kevclus(
            D=d, J=partners, c=C_CLUSTERS, type="simple", m0=M.copy(), epsi=0.0, maxit=sweeps - 1, disp=False
        )

    return (seconds(call, 3) - seconds(call, 1)) / 2


def main():
    """Time the three sweeps in turn, several times over."""
    rng = np.random.default_rng(0)
    X = make_t4(N, random_state=0).X
    partners = sample_partners(N, K, rng)
    d = pair_dissimilarities(X, partners)
    delta = phi(d, gamma_from_d0(d0_from_quantile(d, 0.9)))
    C = FocalSets.simple(C_CLUSTERS).conflict.copy()
    M = rng.random((N, C_CLUSTERS + 2))
    M /= M.sum(axis=1, keepdims=True)
    stress = SampledPairs(partners, delta, two_sided=False)
    compile_kernels()
    # a sweep from the start is the hardest one; later sweeps find the right support at once
    later = M
    for _ in range(3):
        later = our_sweep(stress, later, C)
    with threadpool_limits(1):
        agreement = abs(our_sweep(stress, M, C) - scipy_sweep(M, partners, delta, C)).max()
        runs = [
            (
                np.median([seconds(our_sweep, stress, M, C) for _ in range(5)]),
                np.median([seconds(our_sweep, stress, later, C) for _ in range(5)]),
                seconds(scipy_sweep, M, partners, delta, C),
                seconds(scipy_sweep, later, partners, delta, C),
                evclust_seconds(d, partners, M),
            )
            for _ in range(REPEATS)
        ]
    first, fourth, scipy_first, scipy_fourth, peer = zip(*runs, strict=True)
    print(f"n={N}, k={K}, f={C_CLUSTERS + 2}, one-sided; medians of {REPEATS} paired repetitions")
    print(f"largest difference of the masses after a sweep, ours against scipy: {agreement:.1e}")
    rows = [("credalbench, first sweep", first, None), ("credalbench, fourth sweep", fourth, None)]
    rows += [("scipy.optimize.nnls, first sweep", scipy_first, first)]
    rows += [("scipy.optimize.nnls, fourth sweep", scipy_fourth, fourth)]
    if None not in peer:
        rows += [("evclust.kevclus, second and third sweep", peer, fourth)]
    for name, times, ours in rows:
        ratio = "" if ours is None else f"   {np.median(np.divide(times, ours)):7.0f} times ours"
        print(f"{name:42s} {1e3 * np.median(times):9.2f} ms{ratio}")


if __name__ == "__main__":
    main()

"""Measure the consensus of an ensemble: seconds of a sweep and of a run against n, all and sampled pairs.

The ensemble is the average of 20 hard partitions of t4 by k-means, k = 15; c = 4, simple focal sets; one
process, one thread. With all pairs a sweep is O(n^2 f), and with k = 100 partners of each object O(n k f^2).
The program prints a sweep (median), a run from linkage, or from random masses if pairs are sampled, and the
fitted exponents in n. Run it with ``make bench`` or ``python benchmarks/consensus.py``.
"""

import time

import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from credalbench.belief import FocalSets, RelationalMasses
from credalbench.cluster.conflict.pair_sampling import sample_partners
from credalbench.cluster.conflict.row_sweeps import aligned_product
from credalbench.cluster.ensembles.consensus import consensus_stress, recovered
from credalbench.core.kernels import compile_kernels
from credalbench.datasets import make_t4

C_CLUSTERS, N_BASES, BASE_CLUSTERS, K = 4, 20, 15, 100
ALL_PAIRS, SAMPLED_PAIRS = (250, 500, 1000, 2000, 4000), (2000, 5000, 10000, 20000)
REPEATS = 7


def base_labels(n):
    """Return the labels of the bases, (20, n)."""
    X = make_t4(n, random_state=0).X
    runs = (KMeans(BASE_CLUSTERS, n_init=1, random_state=b).fit(X) for b in range(N_BASES))
    return np.array([run.labels_ for run in runs])


def averaged(labels, partners=None):
    """Return the masses of all pairs, or of the sampled pairs."""
    others = labels[:, None, :] if partners is None else labels[:, partners]
    same = sum((own[:, None] == other).astype(float) for own, other in zip(labels, others)) / N_BASES
    return RelationalMasses(np.zeros_like(same), same, 1 - same, np.zeros_like(same))


def seconds(call, *args, **options):
    """Return the wall time of one call, and its result."""
    began = time.perf_counter()
    result = call(*args, **options)
    return time.perf_counter() - began, result


def sweep_seconds(relation, partners):
    """Return the median seconds of a sweep from random masses that have been swept once."""
    focal_sets = FocalSets.simple(C_CLUSTERS, empty=False)
    stress, C = consensus_stress(relation, focal_sets, partners), focal_sets.conflict.copy()
    M = np.random.default_rng(0).dirichlet(np.ones(len(focal_sets)), len(relation.same))
    A, value = aligned_product(M, C), stress.value(M, C)
    taken = [seconds(stress.sweep, M, A, C, 0, value)[0] for _ in range(REPEATS + 1)]
    return np.median(taken[1:])


def main():
    """Measure both forms, every size once."""
    compile_kernels()
    for title, sizes, k in (("all pairs", ALL_PAIRS, None), (f"{K} partners", SAMPLED_PAIRS, K)):
        rows = []
        for n in sizes:
            partners = None if k is None else sample_partners(n, k, np.random.default_rng(0))
            relation = averaged(base_labels(n), partners)
            rng = np.random.RandomState(0)
            whole, found = seconds(recovered, relation, C_CLUSTERS, partners=partners, rng=rng)
            rows.append((sweep_seconds(relation, partners), whole))
            sweeps = len(found.objective_trace) - 1
            print(
                f"{title}, n = {n:5d}: sweep {1e3 * rows[-1][0]:8.2f} ms, run {rows[-1][1]:7.3f} s, "
                f"{sweeps:3d} sweeps, stress {found.objective_trace[-1]:.4g}"
            )
        exponents = np.polyfit(np.log(sizes[1:]), np.log(rows[1:]), 1)[0]
        print(f"{title}: exponents in n {exponents[0]:.2f} and {exponents[1]:.2f}")


if __name__ == "__main__":
    with threadpool_limits(1):
        main()

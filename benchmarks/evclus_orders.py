"""Measure how many orders k-EVCLUS on tiles needs, and what tiles cost compared with independent pairs.

    python benchmarks/evclus_orders.py [--runs 6]

Paired runs have the same data, d0 and start. The program prints the mean ARI for each number of orders s at k
= 96, from random starts and from the linkage. For some k, it compares tiles of four orders with partners
drawn one by one: the change of J on pairs that no fit has seen, the difference of ARI and the ratio of
processor times. Two-sided updates, epsilon = 1e-5. The files of S2 and of the proteins are needed.
"""

import argparse
import time

import numpy as np
import pandas as pd

from credalbench.baselines.base_partitions import no_user_warnings
from credalbench.cluster import EVCLUS
from credalbench.cluster.conflict.pair_sampling import pair_dissimilarities, sample_partners
from credalbench.cluster.conflict.solvers import irqp
from credalbench.cluster.conflict.stress import SampledPairs
from credalbench.cluster.conflict.tile_dissimilarities import filler, transformed_tiles
from credalbench.cluster.conflict.tile_graph import draw_tiles
from credalbench.cluster.conflict.tile_pairs import TilePairs
from credalbench.cluster.conflict.transformation import transformed
from credalbench.core.intervals import difference, mean
from credalbench.datasets import load, make_t4
from credalbench.metrics import adjusted_rand
from credalbench.papers import case_random_state, case_rng, case_seed
from experiments.denoeux2016_evclus.shared.clock import warm_up
from experiments.denoeux2016_evclus.shared.nonmetric_runs import at_hand, dissimilarities

ALPHA, JUDGED = 0.05, 200
ORDERS = (1, 2, 3, 4, 8, 16, 32)
COMPARED = {"t4:10000": (30, 100), "s2": (30, 100), "digits": (100,), "protein": (100,)}


class Problem:
    """A data set with d0, the starts and the pairs on which all its fits are evaluated."""

    def __init__(self, name, run):
        self.data = make_t4(int(name[3:]), case_seed(0, name, run)) if name.startswith("t4:") else None
        if self.data is None:
            self.data = dissimilarities(at_hand("zongker").name, 100) if name == "digits" else load(name)
        given = self.data.X is None
        self.X, self.metric = (self.data.D, "precomputed") if given else (self.data.X, "euclidean")
        self.n, self.axes = self.data.n_objects, (0, name, run)
        options = {"n_pairs": min(100, self.n - 1), "metric": self.metric, "max_iter": 0}
        with no_user_warnings():
            seed = case_random_state(*self.axes, "start")
            start = EVCLUS(self.data.n_clusters, random_state=seed, **options).fit(self.X)
        rng = case_rng(*self.axes, "judged")
        self.d0, self.focal_sets = start.d0_, start.partition_.focal_sets
        self.judge = self.sampled(sample_partners(self.n, min(JUDGED, self.n - 1), rng))
        masses = rng.random(start.start_.shape)
        self.starts = {"linkage": start.start_, "random": masses / masses.sum(axis=1, keepdims=True)}

    def sampled(self, partners):
        delta = pair_dissimilarities(self.X, partners, self.metric)
        return SampledPairs(partners, transformed(delta, self.d0, ALPHA))

    def fit(self, k, way, orders, start):
        """Return ARI, J on unseen pairs and processor seconds of one fit."""
        k = min(k, (self.n - 2) // 2)
        axis = "blocks" if way == "tiles" else way  # of the seeds of the recorded numbers
        rng, conflict = case_rng(*self.axes, axis, k, orders), self.focal_sets.conflict.copy()
        began = time.process_time()
        if way == "tiles":
            graph = draw_tiles(self.n, k, rng, orders)
            fill = filler(self.X, self.metric, graph)
            stress = TilePairs(graph, transformed_tiles(graph, fill, lambda _: self.d0, ALPHA)[0])
        else:
            stress = self.sampled(sample_partners(self.n, k, rng))
        found = irqp(stress, self.starts[start], conflict, has_empty=True, tol=1e-5, max_iter=200)
        seconds = time.process_time() - began
        labels = (found.masses @ self.focal_sets.membership.astype(float)).argmax(axis=1)
        return adjusted_rand(self.data.y, labels), self.judge.value(found.masses, conflict), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=6, help="paired runs for each data set")
    warm_up()
    for name, ks in COMPARED.items():
        problems = [Problem(name, run) for run in range(parser.parse_args().runs)]
        if name in ("t4:10000", "s2"):
            for start in ("random", "linkage"):
                ari = {s: np.mean([p.fit(96, "tiles", s, start)[0] for p in problems]) for s in ORDERS}
                print(f"{name}, from {start}, ARI by orders:", pd.Series(ari).round(2).to_dict(), flush=True)
        for k in ks:
            ways = ("tiles", "independent")
            ours, other = (np.array([p.fit(k, way, 4, "linkage") for p in problems]).T for way in ways)
            change, ari = mean(100 * (ours[1] / other[1] - 1)), difference(ours[0], other[0])
            times = np.median(ours[2]) / np.median(other[2])
            print(f"{name}, k = {k}: J {change:+.1f} %, ARI {ari:+.3f}, time {times:.2f}", flush=True)


if __name__ == "__main__":
    main()

"""Beyond the paper: how many base partitions does an ensemble need?

The paper takes N = 20. Here two ensembles without a common base grow side by side, from one base on,
each smaller one being the beginning of the larger ones. At each size the combined relations of the two are
compared, and then, without closure and after the minimum closure, their consensus partitions: with each other
and with the classes.

Table ``relations``
    Root mean square difference of m({s}) of the two combined relations, over all pairs of objects.
Table ``partitions``
    Mean ARI and nonspecificity of the two consensus partitions, and their credal Rand index (10) with each
    other.

Bases are those of Section 4.1 but for their second step: ECM with 15 clusters, delta a quantile of the
distances. The consensus has as many clusters as there are classes. Each repetition draws new bases, and
the generated data sets anew, too.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.belief.relations.combination import combine_partitions
from credalbench.metrics import adjusted_rand, credal_rand
from credalbench.papers import declare, knob

from ..shared.base_kinds import two_ensembles
from ..shared.classified import repeated_cases
from ..shared.consensus_steps import TRIED, closed, recover
from .claims import ARTEFACT, by_size


@dataclass(frozen=True)
class Parameters:
    """Bases are the paper's (Section 4.1); the rest is ours."""

    datasets: tuple[str, ...] = knob(("half_rings", "fourclass", "flame"), "data sets")
    n_generated: int = knob(200, "objects of the generated data sets", low=20)
    sizes: tuple[int, ...] = knob((1, 2, 5, 10, 20, 40), "base partitions N, growing (paper: 20)", low=1)
    base_n_clusters: int = knob(15, "clusters of a base partition", low=2)
    n_init: int = knob(2, "starts of each consensus, the first by linkage", low=1)
    n_repetitions: int = knob(6, "pairs of ensembles for each data set", low=2)
    seed: int = knob(0, "seed of draws, bases and starts", low=0)


cases = repeated_cases


def compute(params, case):
    data, seeds, bases = two_ensembles(params, case, max(params.sizes))
    relations, partitions = [], []
    for size in params.sizes:
        pair = [combine_partitions(some[:size]) for some in bases]
        gap = np.sqrt(np.mean(np.square(pair[0].same - pair[1].same)))
        relations.append({"n_estimators": size, "gap": gap})
        for closure in TRIED:
            row = {"n_estimators": size, "closure": closure}
            both = [closed(relation, closure) for relation in pair]
            partitions.append(row | consensus_row(params, data, both, seeds))
    return {"relations": pd.DataFrame(relations), "partitions": pd.DataFrame(partitions)}


def consensus_row(params, data, relations, seeds) -> dict[str, float]:
    """Return the consensus partitions of two relations, compared with the classes and with each other."""
    first, second = (
        recover(relation, data.n_classes, params.n_init, seed).partition
        for relation, seed in zip(relations, seeds)
    )
    return {
        "ari": np.mean([adjusted_rand(data.y, partition.labels()) for partition in (first, second)]),
        "nonspecificity": np.mean([partition.nonspecificity() for partition in (first, second)]),
        "credal_rand": credal_rand(first, second),
    }


experiment = declare(
    __name__,
    title="How the consensus grows with the number of base partitions",
    artefacts={ARTEFACT: "The consensus against the number N of base partitions"},
    summaries=(by_size,),
    smoke={
        "datasets": ("fourclass",),
        "n_generated": 60,
        "sizes": (1, 2, 4),
        "base_n_clusters": 6,
        "n_init": 1,
        "n_repetitions": 3,
    },
    data=("flame",),
)

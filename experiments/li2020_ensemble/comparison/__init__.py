"""Table 3: ECM, evidence accumulation and the ensemble with four closures, on data sets with known classes.

Printed (Section 4.2): ECM with the empty set and single clusters, delta = 100 and the true number of classes;
evidence accumulation from 100 hard c-means, cut at the true number; ours from 20 base partitions by ECM with
informative pairs (K = 2), averaged, closed with the minimum, the product, the Łukasiewicz t-norm or not at
all, and recovered with the true number of clusters, first on single clusters and the frame ("simple"), then
with informative pairs ("pairs"). The bases have few, a random number of, or many clusters: cases 1 to 3.
Partitions are made hard by maximal plausibility; 10 repetitions.

The body of Table 3 is lost in the text at hand, and with it every number: what remains are the sentences that
order the methods. What is not printed either, and what we took:

- *Data sets, their preparation, numbers of clusters of the bases*: see ``shared/problems.py``. Attributes
  stay as they are; Wine and Seeds are run standardised as well, and Spiral with twice as many clusters in the
  bases as in case 3, since evidence accumulation does not find the spirals from fewer.
- *Bases*: delta is the 0.2-quantile of the distances, as for Fourclass; see ``shared/ensembles.py``.
- *ECM alone* starts from the centres of k-means, hard c-means from random objects.
- *Starts of the consensus*: average linkage, and random masses as in Algorithm 1; the lower stress counts.

All variants of a repetition share their base partitions, which cost most of the time. Differences between
closures are therefore taken within a repetition.
"""

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.baselines import EvidenceAccumulation
from credalbench.belief import FocalSets
from credalbench.belief.relations.combination import combine_partitions
from credalbench.cluster import ECM
from credalbench.cluster.ensembles.consensus import recovered
from credalbench.metrics import adjusted_rand
from credalbench.papers import case_random_state, declare, knob, printed_values

from ..shared.consensus_steps import closed
from ..shared.ensembles import CLOSURES, ecm_bases, possible
from ..shared.problems import BASE_CASES, DATASETS, base_sizes, problem
from .cells import FOCAL_SETS, LARGER
from .summaries import closures, table_3

PRINTED = {name: value.value for name, value in printed_values(__file__).items()}


@dataclass(frozen=True)
class Parameters:
    """The protocol of Section 4.2; what is lost is ours."""

    datasets: tuple[str, ...] = knob(tuple(DATASETS), "data sets that the paper names (Table 1)")
    standardised: tuple[str, ...] = knob(("wine", "seeds"), "those that are also run standardised (ours)")
    larger: tuple[str, ...] = knob(("spiral",), "those run with twice the clusters in the bases, too (ours)")
    n_repetitions: int = knob(int(PRINTED["n_repetitions"]), "repetitions (Section 4.2)", low=2)
    n_own_repetitions: int = knob(4, "repetitions where preparation or sizes are ours", low=2)
    n_estimators: int = knob(int(PRINTED["n_estimators"]), "number N of base partitions (Section 4.2)", low=1)
    n_accumulated: int = knob(
        int(PRINTED["n_accumulated"]), "base partitions of evidence accumulation (Section 4.2)", low=1
    )
    pair_neighbors: int = knob(
        int(PRINTED["pair_neighbors"]),
        "nearest clusters K whose pairs become focal sets (Section 4.1.1)",
        low=1,
    )
    delta_quantile: float = knob(0.2, "delta of the bases, a quantile (Section 4.1)", low=0.01, high=1.0)
    ecm_delta: float = knob(PRINTED["ecm_delta"], "delta in ECM alone (Section 4.2)", low=0.01)
    init: str = knob("linkage", "first start (Algorithm 1: random)", choices=("random", "linkage"))
    n_init: int = knob(2, "starts, of which the lowest stress counts (not stated)", low=1)
    tol: float = knob(1e-5, "threshold of the consensus (not stated)", low=0.0)
    seed: int = knob(0, "seed of all starts (not stated)", low=0)


def cases(params):
    """Return one case for each data set, case of Table 2, method and repetition; ECM alone has no bases."""
    few, all_cases = min(params.n_own_repetitions, params.n_repetitions), (0, *BASE_CASES)
    plan = [(name, False, all_cases, params.n_repetitions) for name in params.datasets]
    plan += [(name, True, all_cases, few) for name in params.standardised]
    plan += [(name, False, (LARGER,), few) for name in params.larger]
    return [
        {
            "dataset": name,
            "standardised": standardised,
            "base_case": base_case,
            "method": method,
            "repetition": number,
        }
        for name, standardised, base_cases, count in plan
        for base_case in base_cases
        for method in (("eac", "ensemble") if base_case else ("ecm",))
        for number in range(count)
    ]


def compute(params, case):
    """Compute the table ``runs``: one row of ECM and of evidence accumulation, eight of the ensemble."""
    data, base_case = problem(case["dataset"], case["standardised"]), case["base_case"]
    sizes = n_clusters_of_bases(base_case, data) if base_case else None
    seed = case_random_state(params.seed, case["dataset"], base_case, case["repetition"])
    return {"runs": pd.DataFrame(ROWS[case["method"]](params, data, sizes, seed))}


def n_clusters_of_bases(base_case, data):
    """Return the least and largest number of clusters: a case of Table 2, or twice the largest of them."""
    if base_case == LARGER:
        return tuple(2 * k for k in base_sizes(max(BASE_CASES), len(data.X), data.n_clusters))
    return base_sizes(base_case, len(data.X), data.n_clusters)


def ecm_row(params, data, sizes, seed):
    """Compute the row of ECM alone, with the true number of clusters."""
    focal_sets = FocalSets.simple(data.n_clusters, omega=False)
    options = {"delta": params.ecm_delta, "focal_sets": focal_sets, "init": "k-means"}
    model = ECM(data.n_clusters, random_state=seed, **options).fit(data.X)
    yield {"ari": adjusted_rand(data.y, model.partition_.labels()), "converged": model.converged_}


def accumulation_row(params, data, sizes, seed):
    """Compute the row of evidence accumulation from hard c-means, cut at the true number of clusters."""
    options = {"n_estimators": params.n_accumulated, "base_n_clusters": sizes, "random_state": seed}
    model = EvidenceAccumulation(data.n_clusters, **options)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "[0-9]+ instead of", UserWarning)  # ties: counted in n_clusters
        labels = model.fit(data.X).labels_
    yield {"ari": adjusted_rand(data.y, labels), "n_clusters": model.n_clusters_}


def ensemble_rows(params, data, sizes, seed):
    """Recover the same base partitions under each closure, without pairs of clusters and with them."""
    bases = ecm_bases(data.X, sizes, params.n_estimators, params.delta_quantile, seed, params.pair_neighbors)
    relation, pairs = combine_partitions(bases), possible(params.pair_neighbors, data.n_clusters)
    for closure in CLOSURES:
        found = recovered(
            closed(relation, closure),
            data.n_clusters,
            pair_neighbors=pairs,
            n_init=params.n_init,
            init=params.init,
            tol=params.tol,
            rng=np.random.RandomState(seed),
        )
        first = found.partition if pairs is None else found.first_partition
        stress = found.objective_trace[[0 if pairs else -1, -1]]  # the second run starts where the first ends
        for focal_sets, partition, reached in zip(FOCAL_SETS, (first, found.partition), stress):
            labels = partition.labels()
            row = {"closure": closure, "focal_sets": focal_sets, "ari": adjusted_rand(data.y, labels)}
            yield row | {"stress": reached, "nonspecificity": partition.nonspecificity()}


ROWS = {"ecm": ecm_row, "eac": accumulation_row, "ensemble": ensemble_rows}

experiment = declare(
    __name__,
    title="ECM, evidence accumulation and the ensemble on data sets with known classes",
    artefacts={"ensemble-tab-3": "Adjusted Rand indices"},
    summaries=(table_3, closures),
    smoke={
        "datasets": ("flame", "seeds"),
        "standardised": ("seeds",),
        "larger": ("seeds",),
        "n_repetitions": 2,
        "n_estimators": 3,
        "n_accumulated": 8,
    },
    data=tuple(named.file for named in DATASETS.values()),
)

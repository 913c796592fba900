"""Table 3: ECM, evidence accumulation and the ensemble with four closures, on data sets with known classes.

Printed (Section 4.2): ECM with the empty set and single clusters, delta = 100 and the true number of classes;
evidence accumulation from 100 hard c-means, cut at the true number; ours from 20 base partitions by ECM with
informative pairs (K = 2), averaged, closed with the minimum, the product, the Łukasiewicz t-norm or not at
all, and recovered with the true number of clusters, first on single clusters and the frame ("simple"), then
with informative pairs ("pairs"). The bases have few, a random number of, or many clusters: cases 1 to 3.
Partitions are made hard by maximal plausibility; 10 repetitions.

The body of Table 3 is missing from the text that we have, and with it every number; only the sentences that
order the methods remain. What is not printed either, and our settings:

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
from credalbench.core.intervals import mean
from credalbench.metrics import adjusted_rand
from credalbench.papers import case_random_state, declare, knob, printed_values
from credalbench.plots import new_figure
from credalbench.plots.style import FAINT, INK, LABEL_SIZE, MUTED, TICK_SIZE, colour, marker, style_axes

from ..shared.consensus_steps import closed
from ..shared.ensembles import CLOSURES, TITLES, ecm_bases, possible
from ..shared.problems import BASE_CASES, DATASETS, base_sizes, problem
from .cells import FOCAL_SETS, LARGER, accumulated, closures, problems, single, table_3, variants
from .claims import ARTEFACT

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
    model = ECM(data.n_clusters, beta=2.0, random_state=seed, **options).fit(data.X)
    yield {
        "ari": adjusted_rand(data.y, model.partition_.labels("plausibility")),
        "converged": model.converged_,
    }


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
            labels = partition.labels("plausibility")
            row = {"closure": closure, "focal_sets": focal_sets, "ari": adjusted_rand(data.y, labels)}
            yield row | {"stress": reached, "nonspecificity": partition.nonspecificity()}


ROWS = {"ecm": ecm_row, "eac": accumulation_row, "ensemble": ensemble_rows}

# ---------------------------------------------------------------- drawing


COLUMNS = 3
STEP = 0.085  # between markers of one case


def draw(params, tables):
    return {ARTEFACT: draw_panels(tables, problems(params))}


def draw_panels(tables, shown):
    """Draw one panel for each data set, in rows of three."""
    n_columns = min(COLUMNS, len(shown))
    n_rows = -(-len(shown) // n_columns)
    figure = new_figure(10.6, 2.7 * n_rows + 0.5)
    panels = figure.subplots(n_rows, n_columns, sharey=True, squeeze=False).ravel()
    for ax, (title, which) in zip(panels, shown.items()):
        draw_problem(ax, tables, which, title)
    for ax in panels[len(shown) :]:
        ax.set_axis_off()
    for ax in panels[::n_columns]:
        ax.set_ylabel("adjusted Rand index", fontsize=LABEL_SIZE, color=INK)
    legend_below(figure, panels[0])
    return figure


def draw_problem(ax, tables, which, title):
    """Draw a line for ECM, in each case a cross for evidence accumulation, and markers for ours."""
    ours, theirs, alone = variants(tables, *which), accumulated(tables, *which), single(tables, *which)
    ax.axhline(alone.mean(), color=MUTED, linewidth=1.1, linestyle="--", zorder=1)
    for place, case in enumerate(BASE_CASES):
        ax.axvspan(place - 0.42, place + 0.42, color=FAINT, alpha=0.25, zorder=0, linewidth=0)
        dots = [(theirs.loc[case], "X", INK, INK)]
        for k, closure in enumerate(CLOSURES):
            for focal_sets in FOCAL_SETS:
                fill = colour(k) if focal_sets == "simple" else "white"
                dots.append((ours.loc[case, closure, focal_sets], marker(k), colour(k), fill))
        for at, (values, sign, edge, fill) in enumerate(dots):
            draw_mean(ax, place + STEP * (at - (len(dots) - 1) / 2), values, sign, edge, fill)
    style_axes(ax, title=title)
    ax.set_xticks(range(len(BASE_CASES)), [f"case {case}" for case in BASE_CASES])
    ax.set_ylim(-0.08, 1.05)


def draw_mean(ax, at, values, sign, edge, fill):
    found = mean(values)
    reach = np.nan_to_num(found.high - found.value, posinf=0.0)
    look = {"color": edge, "markeredgecolor": edge, "markerfacecolor": fill, "elinewidth": 1.0}
    ax.errorbar(at, found.value, reach, fmt=sign, ms=5.0, zorder=3, **look)


def legend_below(figure, ax):
    """Draw one entry for each closure, both kinds of focal sets, evidence accumulation and ECM."""
    plain = {"linestyle": "none", "markersize": 6}
    handles = [
        ax.plot([], [], marker(k), color=colour(k), label=TITLES[closure], **plain)[0]
        for k, closure in enumerate(CLOSURES)
    ]
    handles += ax.plot([], [], "o", color=INK, label="simple", **plain)
    handles += ax.plot([], [], "o", color=INK, markerfacecolor="white", label="pairs", **plain)
    handles += ax.plot([], [], "X", color=INK, label="evidence accumulation", **plain)
    handles += ax.plot([], [], linestyle="--", color=MUTED, label="ECM")
    figure.legend(handles=handles, loc="outside lower center", frameon=False, fontsize=TICK_SIZE, ncols=8)


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

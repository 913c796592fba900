"""Beyond the paper: one-sided row updates, as published, against two-sided ones.

k-EVCLUS draws k partners for every object and minimises the stress J_k over these nk pairs, Eq. (22) of
[denoeux2016_evclus], one row of masses after the other. As published, the update of object i looks at the k
pairs that were drawn *for* i. But the row of i also stands in the pairs that were drawn for others and hit i,
k of them on average, and the update of i changes those terms, too. So a one-sided update may raise J_k, and
where it ends is no minimum of J_k in general. A two-sided update looks at all pairs in which i occurs: it is
coordinate descent on J_k, with about twice the pairs to look at.

Does it matter? Paired runs: the same data, pairs, start, d0 and stopping rule (21), watching J_k; only the
rule of the update differs. Settings are the paper's for each data set: d0 = 0.9-quantile for t4 (Section
4.1), the largest dissimilarity for protein (Section 3.2), the 0.2-quantile for S2 (Example 5), here of the
sampled pairs; empty set, singletons and Omega; epsilon = 1e-5. Ours: 20 runs, each with its own pairs and
start (and its own sample of t4), k = 10, 30 and 100, the cap on sweeps.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from credalbench.cluster import EVCLUS
from credalbench.cluster.evclus_solvers import Trajectory
from credalbench.cluster.pair_sampling import pair_dissimilarities, sample_partners
from credalbench.cluster.stress import SampledPairs
from credalbench.cluster.transformation import phi
from credalbench.datasets import load, make_t4
from credalbench.metrics.external import adjusted_rand
from credalbench.plots import new_figure, stress_traces
from credalbench.plots.style import INK, LABEL_SIZE, MUTED, colour, dress, log_axis, marker
from credalbench.runner import Claim, Experiment, Finding, case_random_state, case_rng, case_seed, knob

from .paired_runs import OURS, RESAMPLES

D0_QUANTILE = {"t4": 0.9, "protein": 1.0, "s2": 0.2}  # Sections 4.1 and 3.2, Example 5
UPDATES = ("one-sided", "two-sided")
RISE = 1e-6  # share of J_k that counts as a rise: a tenth of epsilon, above all rounding
SIMILAR = 0.03  # ARI that counts as the same
LEAST_FALL = 0.01  # share of J_k that one more sweep must gain where there is no minimum
#: What is compared -> its axis label; J_k and J relative to one-sided.
MEASURES = {
    "stress": "change of $J_k$ (%)",
    "judged_stress": "change of $J$ (%)",
    "ari": "difference of ARI",
    "sweeps": "difference of sweeps",
}


@dataclass(frozen=True)
class Parameters:
    """All ours: the paper has the one-sided update only."""

    data_sets: tuple[str, ...] = knob(("t4", "protein", "s2"), "data sets: t4, protein, s2")
    n_t4: int = knob(2000, "objects of the simulated data (as in Section 4.1)", low=8)
    pair_numbers: tuple[int, ...] = knob((10, 30, 100), "partners k drawn for each object", low=1)
    n_runs: int = knob(20, "paired runs for each data set and k", low=2)
    n_judged: int = knob(
        2000, "partners of each object for the stress J afterwards; n - 1, all pairs, where fewer", low=1
    )
    tol: float = knob(1e-5, "epsilon of the stopping rule (21), as in the paper", low=0.0)
    max_sweeps: int = knob(200, "cap on sweeps", low=1)
    seed: int = knob(0, "seed of samples, pairs and starts", low=0)


def cases(params):
    """One case per data set, run and k; k last, because the cases of one sample share their judged pairs."""
    if unknown := set(params.data_sets) - set(D0_QUANTILE):
        raise ValueError(f"expected data_sets among {tuple(D0_QUANTILE)}, got {sorted(unknown)}")
    return [
        {"dataset": name, "run": run, "k": k}
        for name in params.data_sets
        for run in range(params.n_runs)
        for k in params.pair_numbers
    ]


@lru_cache(maxsize=1)
def problem(name: str, sample: int, n_t4: int, n_judged: int, seed: int):
    """A data set, and the pairs on which both results are judged: (data, partners, their dissimilarities)."""
    data = make_t4(n_t4, case_seed(seed, name, sample)) if name == "t4" else load(name)
    partners = sample_partners(
        data.n_objects, min(n_judged, data.n_objects - 1), case_rng(seed, name, sample, "judged")
    )
    X, metric = attributes(data)
    return data, partners, pair_dissimilarities(X, partners, metric)


def attributes(data):
    """What a clusterer is given, and its metric."""
    return (data.D, "precomputed") if data.X is None else (data.X, "euclidean")


def compute(params, case):
    """Both updates on the same pairs from the same start: tables ``runs`` and ``traces``."""
    name, run, k = case["dataset"], case["run"], case["k"]
    sample = run if name == "t4" else 0
    data, partners, d = problem(name, sample, params.n_t4, params.n_judged, params.seed)
    fits = paired_fits(params, data, min(k, data.n_objects - 1), case_random_state(params.seed, name, run, k))
    judge = SampledPairs(partners, phi(d, fits["one-sided"].gamma_))
    traces = [
        pd.DataFrame({"updates": u, "sweep": range(fit.n_iter_ + 1), "stress": fit.objective_trace_})
        for u, fit in fits.items()
    ]
    rows = [{"updates": u, **outcome(params, data, fit, judge)} for u, fit in fits.items()]
    return {"runs": pd.DataFrame(rows), "traces": pd.concat(traces, ignore_index=True)}


def paired_fits(params, data, k, random_state) -> dict[str, EVCLUS]:
    """EVCLUS with one-sided and with two-sided updates, of the same pairs and from the same start.

    Raises
    ------
    RuntimeError
        The two differ in their pairs or their start: then nothing can be compared.
    """
    X, metric = attributes(data)
    options = {"n_pairs": k, "d0_quantile": D0_QUANTILE[data.name], "metric": metric, "tol": params.tol}
    options |= {"max_iter": params.max_sweeps, "random_state": random_state}
    fits = {u: EVCLUS(data.n_clusters, pair_updates=u, **options).fit(X) for u in UPDATES}
    one, two = fits.values()
    same_pairs = k == data.n_objects - 1 or np.array_equal(
        one.conflict_pairs_.partners, two.conflict_pairs_.partners
    )
    if not (same_pairs and np.isclose(one.objective_trace_[0], two.objective_trace_[0], rtol=1e-9)):
        raise RuntimeError("expected the same pairs and the same start for both updates, got different ones")
    return fits


def outcome(params, data, fit, judge) -> dict:
    """What is compared, of one fit; `judge` knows the stress J, over all pairs or a large sample of them."""
    X, _ = attributes(data)
    masses, family = fit.partition_.masses.copy(), fit.partition_.focal_sets
    further = EVCLUS(**fit.get_params()).set_params(pair_updates="two-sided", init=masses, max_iter=1).fit(X)
    relative = np.diff(fit.objective_trace_) / fit.objective_trace_[:-1]
    return {
        "stress": fit.objective_,
        "judged_stress": judge.value(masses, family.conflict.copy()),
        "ari": adjusted_rand(data.y, fit.partition_.labels()),
        "sweeps": fit.n_iter_,
        "converged": fit.converged_,
        "n_rises": int((relative > RISE).sum()),
        "largest_rise": float(max(relative.max(), 0.0)),
        "further_fall": 1 - further.objective_ / further.objective_trace_[0],
        "sweeps_by_running_sums": sweeps_by_running_sums(fit, params.tol),
    }


def sweeps_by_running_sums(fit, tol: float) -> float:
    """The sweep at which rule (21) stops when it watches the sums of Algorithm 1 instead; NaN: never."""
    watched = Trajectory(fit.partition_.masses)
    for sweep, value in enumerate([fit.objective_trace_[0], *fit.running_sums_]):
        if watched.record(value, tol):
            return float(sweep)
    return np.nan


# ---------------------------------------------------------------- reading the tables


def differences(runs: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Two-sided minus one-sided, one row per paired run: columns dataset, k, run, value.

    In per cent of the one-sided value for the two stresses. Data sets in the order of the runs.
    """
    axes = ["dataset", "k", "run"]
    wide = runs.pivot(index=axes, columns="updates", values=measure).astype(float)
    wide = wide.reindex(runs["dataset"].drop_duplicates(), level="dataset")
    value = wide["two-sided"] - wide["one-sided"]
    if measure in ("stress", "judged_stress"):
        value *= 100 / wide["one-sided"]
    return value.rename("value").reset_index()


def interval(values) -> tuple[float, float, float]:
    """Mean of paired differences with its 95 % bootstrap interval over runs: mean, low, high."""
    values = np.asarray(values)
    draws = case_rng(0, "bootstrap").integers(len(values), size=(RESAMPLES, len(values)))
    low, high = np.quantile(values[draws].mean(axis=1), [0.025, 0.975])
    return float(values.mean()), float(low), float(high)


def in_words(values, measure: str) -> str:
    """Mean and interval: ``-12.1 (-13.0 to -11.2) %``."""
    digits, unit = {"ari": (3, ""), "sweeps": (1, "")}.get(measure, (1, " %"))
    mean, low, high = (f"{value:+.{digits}f}" for value in interval(values))
    return f"{mean} ({low} to {high}){unit}"


def effects(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per data set and k: mean paired differences, two-sided minus one-sided, with intervals."""
    columns = {}
    for measure, label in MEASURES.items():
        groups = differences(runs, measure).groupby(["dataset", "k"], sort=False)["value"]
        columns[label.replace("$", "")] = groups.agg(lambda values, m=measure: in_words(values, m))
    return pd.DataFrame(columns)


def behaviour(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per data set, k and update: what the runs did on their way, and where they ended."""
    groups = runs.groupby(["dataset", "k", "updates"], sort=False)
    largest, fall = 100 * groups["largest_rise"].max(), 100 * groups["further_fall"].median()
    return pd.DataFrame(
        {
            "runs": groups.size(),
            "met the cap": groups["converged"].agg(lambda converged: int((~converged.astype(bool)).sum())),
            "median sweeps": groups["sweeps"].median(),
            "sweeps that raised J_k, mean": groups["n_rises"].mean().round(1),
            "largest rise (%)": largest.round(2),
            "fall in one more two-sided sweep (%), median": fall.round(2),
            "median J_k": groups["stress"].median().round(5),
            "median J": groups["judged_stress"].median().round(5),
            "median ARI": groups["ari"].median().round(3),
        }
    )


# ---------------------------------------------------------------- drawing


def draw(params, tables):
    """Above: J_k against sweeps, for the middle k. Below: all paired differences with their means."""
    runs, traces = tables["runs"], tables["traces"]
    names = list(runs["dataset"].drop_duplicates())  # without what was left out
    middle = sorted(params.pair_numbers)[len(params.pair_numbers) // 2]
    heights = [3.6, 0.9 + 0.34 * len(names) * len(params.pair_numbers)]
    figure = new_figure(11, sum(heights))
    above, below = figure.subfigures(2, 1, height_ratios=heights)
    for j, (ax, name) in enumerate(zip(above.subplots(1, len(names), squeeze=False)[0], names)):
        part = traces[(traces["dataset"] == name) & (traces["k"] == middle)]
        stress_traces(ax, part, by="updates", x="sweep", log_time=True)
        log_axis(ax.yaxis)
        dress(ax, title=f"({'abc'[j]}) {name}, k = {middle}", xlabel="sweeps", ylabel="" if j else "$J_k$")
        if j:
            ax.get_legend().remove()
    axes = below.subplots(1, len(MEASURES), sharey=True)
    for ax, letter, (measure, label) in zip(axes, "defg", MEASURES.items()):
        draw_differences(ax, differences(runs, measure), names)
        dress(ax, title=f"({letter})", xlabel=label, grid="x")
    caption = "two-sided minus one-sided: each dot a paired run, black the mean with its 95 % interval"
    below.supxlabel(caption, fontsize=LABEL_SIZE, color=INK)
    return {"evclus-ours-01": figure}


def draw_differences(ax, table, names):
    """One line of dots per data set and k, from above, with mean and interval; zero means no effect."""
    groups = list(table.groupby(["dataset", "k"], sort=False)["value"])
    ax.axvline(0, color=MUTED, linewidth=1.0)
    for place, ((name, _), values) in enumerate(groups):
        look = {"color": colour(names.index(name) + 2), "alpha": 0.55, "ms": 4, "markeredgewidth": 0}
        ax.plot(values, place + 0.22 + 0 * values, marker(names.index(name) + 2), **look)
        mean, low, high = interval(values)
        ax.plot([low, high], [place - 0.12] * 2, color=INK, linewidth=2)
        ax.plot([mean], [place - 0.12], "o", color=INK, ms=4.5)
    ax.set_yticks(range(len(groups)), [f"{name}, k = {k}" for (name, k), _ in groups])
    ax.set_ylim(len(groups) - 0.5, -0.5)


# ---------------------------------------------------------------- claims


def values_by_k(params, tables, name: str, measure: str) -> dict[int, np.ndarray]:
    """Paired differences of a data set for each k.

    Raises
    ------
    LookupError
        There are none.
    """
    table = differences(tables["runs"], measure)
    table = table[table["dataset"] == name]
    if table.empty:
        raise LookupError(f"no run on {name}")
    return {k: table.loc[table["k"] == k, "value"].to_numpy() for k in sorted(params.pair_numbers)}


def unanswered(params, tables, name: str) -> Finding | None:
    """Why a question on a data set has no answer: not asked for, or not to be had. None where it has one."""
    if name not in params.data_sets:
        return Finding(None, "", f"{name} is not among the data sets asked for")
    failures = tables.get("failures", pd.DataFrame(columns=["dataset", "reason"]))
    reasons = failures.loc[failures["dataset"] == name, "reason"]
    if (tables["runs"]["dataset"] == name).any() or reasons.empty:
        return None
    return Finding(None, "", f"left out: {reasons.iloc[0].splitlines()[0].rstrip(':')}")


def changes(name: str, measure: str, sign: int):
    """Check: for every k, the interval of the mean difference lies on the side of `sign`."""

    def check(params, tables):
        if finding := unanswered(params, tables, name):
            return finding
        values = values_by_k(params, tables, name, measure)
        ends = {k: sorted(sign * bound for bound in interval(v)[1:]) for k, v in values.items()}
        opposite = [str(k) for k, (_, high) in ends.items() if high < 0]
        undecided = [str(k) for k, (low, high) in ends.items() if low <= 0 <= high]
        notes = [f"undecided (the interval includes 0) at k = {', '.join(undecided)}"] if undecided else []
        notes += [f"the other way round at k = {', '.join(opposite)}"] if opposite else []
        ours = "; ".join(f"k = {k}: {in_words(v, measure)}" for k, v in values.items())
        return Finding(not opposite and not undecided, ours, "; ".join(notes))

    return check


def same_ari(name: str):
    """Check: at the largest k, the interval of the mean difference of ARI lies within +-0.03."""

    def check(params, tables):
        if finding := unanswered(params, tables, name):
            return finding
        k, values = max(values_by_k(params, tables, name, "ari").items())
        _, low, high = interval(values)
        return Finding(max(-low, high) < SIMILAR, f"k = {k}: {in_words(values, 'ari')}")

    return check


def of(runs: pd.DataFrame, updates: str) -> pd.DataFrame:
    return runs[runs["updates"] == updates]


def check_two_sided_never_rises(params, tables):
    """No sweep of two-sided updates raised J_k."""
    runs = of(tables["runs"], "two-sided")
    return Finding((runs["n_rises"] == 0).all(), f"{int(runs['n_rises'].sum())} rises in {len(runs)} runs")


def check_one_sided_rises(params, tables):
    """One-sided sweeps raise J_k, in more than half of the runs on each data set."""
    runs = of(tables["runs"], "one-sided")
    share = (runs["n_rises"] > 0).groupby(runs["dataset"], sort=False).agg(["sum", "size"])
    listed = ", ".join(f"{name}: {row['sum']} of {row['size']} runs" for name, row in share.iterrows())
    return Finding(
        (share["sum"] > share["size"] / 2).all(),
        listed,
        f"largest rise in one sweep {100 * runs['largest_rise'].max():.1f} %",
    )


def check_one_sided_converges(params, tables):
    """Every run of one-sided updates met the tolerance."""
    runs = of(tables["runs"], "one-sided")
    capped = ~runs["converged"].astype(bool)
    counts = capped.groupby([runs["dataset"], runs["k"]], sort=False).agg(["sum", "size"])
    listed = ", ".join(
        f"{name}, k = {k}: {row['sum']} of {row['size']}"
        for (name, k), row in counts.iterrows()
        if row["sum"]
    )
    by_sums = int(runs.loc[capped, "sweeps_by_running_sums"].notna().sum())
    note = (
        f"watching the sums of Algorithm 1 instead, {by_sums} of these {int(capped.sum())} would have stopped"
        if capped.any()
        else ""
    )
    return Finding(not capped.any(), f"met the cap of {params.max_sweeps} sweeps: {listed or 'none'}", note)


def check_no_minimum(params, tables):
    """From every one-sided end, one two-sided sweep lowers J_k by more than 1 %."""
    falls = {u: of(tables["runs"], u)["further_fall"] for u in UPDATES}
    one = falls["one-sided"]
    ours = f"{int((one > LEAST_FALL).sum())} of {len(one)} runs; median fall {100 * one.median():.1f} %"
    return Finding(
        (one > LEAST_FALL).all(),
        ours,
        f"after two-sided runs: at most {100 * falls['two-sided'].max():.2g} %",
    )


ARTEFACT = "evclus-ours-01"


MINIMA = (
    "from the same start, the two need not arrive in the same local minimum, and a run in a poorer one "
    "weighs more in the mean than what the exact update gains: the dots of such a group form two heaps"
)
OVERFITTING = (
    "J_k is the stress of the drawn pairs only. Where few are drawn, and few of these lie below d0 (S2, k = "
    "10: fifteen clusters, d0 = 0.2-quantile), the better a method fits them, the worse it fits the others: "
    "k is then too small for either update. Elsewhere it is the local minimum that decides"
)
CLASSES = (
    "the stress knows nothing of the classes. Where both updates end near each other, it is chance which "
    "side a few objects, or a whole cluster in a poorer local minimum, fall on; where k is too small (S2, k "
    "= 10), neither update finds the classes"
)
SWEEPS = (
    "rule (21) needs at least 17 sweeps for epsilon = 1e-5, since its running mean starts at 1 and at most "
    "halves; where both updates arrive early, they stop together. Runs at the cap count with the cap"
)
NO_END = (
    "a one-sided update also changes terms that it does not look at: nothing forces J_k to settle, and it "
    "goes on up and down by more than epsilon. A higher cap does not end it: of 15 runs tried with 500 "
    "sweeps (protein at every k, S2 at k = 10 and 30), none stopped"
)


def questions(name: str) -> list[Claim]:
    """The five questions on one data set."""

    def ask(statement, check, explanation):
        return Claim(ARTEFACT, f"{name}: {statement}", OURS, check, explanation=explanation)

    return [
        ask(
            "does the two-sided update end with a lower J_k, at every k?", changes(name, "stress", -1), MINIMA
        ),
        ask(
            "does it end with a lower stress J over all pairs, too, at every k?",
            changes(name, "judged_stress", -1),
            OVERFITTING,
        ),
        ask("is its adjusted Rand index higher, at every k?", changes(name, "ari", +1), CLASSES),
        ask("does it need fewer sweeps, at every k?", changes(name, "sweeps", -1), SWEEPS),
        ask(
            "at the largest k, is the mean adjusted Rand index the same within 0.03?", same_ari(name), MINIMA
        ),
    ]


CLAIMS = (
    Claim(
        ARTEFACT,
        "Does a sweep of two-sided updates never raise J_k (by more than a millionth of it)?",
        "mathematical property",
        check_two_sided_never_rises,
    ),
    Claim(
        ARTEFACT,
        "Do one-sided sweeps raise J_k, in more than half of the runs on each data set?",
        OURS,
        check_one_sided_rises,
        explanation="nothing forces J_k to rise: that it may is what the mathematics says",
    ),
    Claim(
        ARTEFACT,
        "Does every one-sided run reach the tolerance before the cap on sweeps?",
        OURS,
        check_one_sided_converges,
        explanation=NO_END,
    ),
    Claim(
        ARTEFACT,
        "Does one two-sided sweep lower J_k by more than 1 % from the end of every one-sided run?",
        OURS,
        check_no_minimum,
        explanation="a run whose end one more exact sweep hardly improves has found a minimum of J_k by luck",
    ),
    *questions("t4"),
    *questions("protein"),
    *questions("s2"),
)

experiment = Experiment(
    paper="denoeux2016_evclus",
    study="pair_updates",
    title="Row updates from an object's own pairs, as published, and from all pairs that it occurs in",
    artefacts={ARTEFACT: "Beyond the paper: one-sided and two-sided row updates"},
    parameters=Parameters,
    cases=cases,
    compute=compute,
    draw=draw,
    claims=CLAIMS,
    smoke={"n_t4": 300, "pair_numbers": (10,), "n_runs": 3, "n_judged": 300, "max_sweeps": 40},
)

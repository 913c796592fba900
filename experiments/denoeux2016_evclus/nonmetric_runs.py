"""Two non-metric data sets, or their stand-ins: k-EVCLUS against k, RECM and EK-NNclus beside it.

What Section 4.2 of [denoeux2016_evclus] does with the Zongker digits and the Delft gestures. Both files are
distributed by their owners only. Where the user has put one into the folder that CREDALBENCH_DATA names, the
study uses it; otherwise it computes the documented stand-in. Then every claim is marked as one on stand-in
data, and asks whether what the paper found on its data is found on others of the same kind.

Section 4.2 leaves open how RECM was set, beyond its default parameters:

- *Focal sets.* The empty set, the singletons and the frame, as for EVCLUS: with 10 or 20 clusters, nothing
  much larger was possible.
- *Threshold.* 1e-5, that of Section 3.2, on the Frobenius norm of the change of the masses divided by n f. At
  n = 2000 it is met after two iterations, hardly away from the random start, so RECM is run a second time
  with a threshold 1000 times smaller.
- *Squares.* RECM takes squared distances: the dissimilarities are squared. Or they are taken for squares.
- *What is not Euclidean* is left as it is, or made Euclidean by the spectral shift. The paper puts RECM's
  poor results down to it ("probably because of the non-metric nature of the dissimilarities").

EK-NNclus starts from 1000 labels, as in Section 4.1; here the number is not given.
"""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pandas as pd

from credalbench.cluster import RECM, EKNNclus
from credalbench.cluster.compilation import compile_kernels
from credalbench.cluster.recm import gram_matrix
from credalbench.datasets import Dataset, load
from credalbench.datasets.image_distortion import digit_dissimilarities, first_of_each_class
from credalbench.datasets.time_warping import gesture_dissimilarities
from credalbench.metrics import adjusted_rand
from credalbench.plots import box_by, new_figure
from credalbench.runner import Claim, Finding, case_random_state

from .k_curves import faster_than_all_pairs, k_run
from .t4_map import mean_with_interval

#: Method beside k-EVCLUS -> its name in the figure; the order of figures and tables.
OTHERS = {
    "recm": "RECM",
    "recm_goes_on": "RECM\nto the end",
    "recm_unsquared": "RECM\nnot squared",
    "recm_shifted": "RECM\nmade Euclidean",
    "eknnclus": "EK-NNclus",
}
FINER = 1e-3  # of the published threshold, where RECM goes on
TRIANGLE_OBJECTS = 300  # the triangle inequality is tried on all triples of so many objects
OURS = "own expectation, not in paper"


@dataclass(frozen=True)
class Subject:
    """A data set under study: its name in ``load``, how titles call it, and its size."""

    name: str
    title: str
    n: int
    n_clusters: int
    stands_in_for: str = ""

    def n_used(self, per_class: int) -> int:
        """Number of objects with so many of each class (0: all of them)."""
        return per_class * self.n_clusters if per_class else self.n

    def headline(self, per_class: int) -> str:
        """The first line of every figure: a stand-in is called one."""
        title = f"{self.title}, n = {self.n_used(per_class)}"
        return f"STAND-IN for {self.stands_in_for}:\n{title}" if self.stands_in_for else title


@cache
def dissimilarities(name: str, per_class: int) -> Dataset:
    """The data, computed or read once in a process; with the first objects of each class, or all (0)."""
    take = per_class or None
    if name == "libras_warping":
        return gesture_dissimilarities(load("libras"), take)
    if name.endswith("_distortion"):
        return digit_dissimilarities(load(name.removesuffix("_distortion")), take)
    data = load(name)
    rows = first_of_each_class(data.y, take)
    return Dataset(name, D=data.D[np.ix_(rows, rows)], y=data.y[rows], data_type="dissimilarities")


# ---------------------------------------------------------------- computing


def cases_of(subject: Subject, params) -> list[dict]:
    """The methods take turns within a repetition: k-EVCLUS for each k, then the others (k = 0: none)."""
    n = subject.n_used(params.per_class)
    partners = sorted({min(k, n - 1) for k in params.k})
    methods = [("k-EVCLUS", k) for k in partners] + [(method, 0) for method in OTHERS]
    runs = [
        {"data": subject.name, "method": method, "k": k, "repetition": repetition}
        for repetition in range(params.n_runs)
        for method, k in methods
    ]
    return [{"data": subject.name, "method": "none", "k": 0, "repetition": 0}, *runs]


def compute_case(params, case) -> dict[str, pd.DataFrame]:
    """One run of one method: tables ``runs`` (k-EVCLUS), ``others``, and ``facts`` about the data."""
    data = dissimilarities(case["data"], params.per_class)
    if case["method"] == "none":
        return {"facts": facts(data)}
    if case["method"] != "k-EVCLUS":
        seed = case_random_state(params.seed, data.name, "others", case["repetition"])
        return {"others": pd.DataFrame([other_run(case["method"], data, params, seed)])}
    runs, _ = k_run(
        data.D,
        data.y,
        case["k"],
        seed=params.seed,
        axes=(data.name, data.n_objects),
        repetition=case["repetition"],
        metric="precomputed",
        pair_updates=params.pair_updates,
        d0_quantile=params.d0_quantile,
        tol=params.tol,
        max_iter=params.max_iter,
    )
    return {"runs": runs}


def facts(data: Dataset) -> pd.DataFrame:
    """How far the dissimilarities are from being distances, in one row."""
    D, n = data.D, data.n_objects
    eigenvalues = np.linalg.eigvalsh(gram_matrix(D**2))
    some = D[np.ix_(*[np.linspace(0, n - 1, min(n, TRIANGLE_OBJECTS)).astype(int)] * 2)]
    slack = 1e-9 * D.max()  # sums that differ by rounding are equal
    broken = sum(int((some[:, [k]] + some[[k], :] < some - slack).sum()) for k in range(len(some)))
    others = D + np.diag(np.full(n, np.inf))
    row = {
        "n": n,
        "n_clusters": len(np.unique(data.y)),
        "negative_eigenvalues": int((eigenvalues < -1e-9 * eigenvalues[-1]).sum()),
        "share_of_negative_eigenvalues": -eigenvalues[eigenvalues < 0].sum() / np.abs(eigenvalues).sum(),
        "broken_triangles": broken / (len(some) * (len(some) - 1) * (len(some) - 2)),
        "nearest_neighbour_error": (data.y[others.argmin(axis=1)] != data.y).mean(),
    }
    return pd.DataFrame([row])


def model_of(method: str, data: Dataset, params, seed: int):
    """The estimator of a method, with the paper's parameters."""
    c = len(np.unique(data.y))
    if method == "eknnclus":
        return EKNNclus(
            n_neighbors=neighbours(params, data), q=params.q, metric="precomputed", random_state=seed
        )
    finer = method in ("recm_goes_on", "recm_shifted")
    return RECM(
        c,
        alpha=1.0,
        beta=1.5,
        focal_sets="simple",
        metric="precomputed",
        square=method != "recm_unsquared",
        spectral_shift=method == "recm_shifted",
        tol=params.tol * (FINER if finer else 1),
        random_state=seed,
    )


def neighbours(params, data: Dataset) -> int:
    """K: the paper's share of the mean class size, at least 1."""
    class_size = data.n_objects / len(np.unique(data.y))
    return max(1, round(params.n_neighbors * class_size / params.class_size))


def other_run(method: str, data: Dataset, params, seed: int) -> dict:
    """One timed run of RECM or EK-NNclus. ``time_s`` is the whole call, from the matrix to the partition."""
    compile_kernels()
    model = model_of(method, data, params, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # not Euclidean: that is the point, and it is counted
        begin = time.perf_counter()
        model.fit(data.D)
        seconds = time.perf_counter() - begin
    return {
        "ari": adjusted_rand(data.y, model.labels_),
        "time_s": seconds,
        "nonspecificity": np.nan if model.partition_ is None else model.partition_.nonspecificity(),
        "clusters_found": int(model.labels_.max()) + 1,
        "n_iter": model.n_iter_,
        "converged": model.converged_,
        "negative_distances": int(np.sum(getattr(model, "negative_distances_", 0))),
    }


# ---------------------------------------------------------------- reading and drawing


def comparison(tables) -> pd.DataFrame:
    """One row per method: ARI, clusters found, nonspecificity, time of the whole call, iterations."""
    runs = tables["runs"].rename(columns={"time_s": "solver_s", "fit_time_s": "time_s"})
    largest = runs[runs["k"] == runs["k"].max()]
    parts = {"k-EVCLUS, all pairs": largest}
    for method, name in OTHERS.items():
        parts[name.replace("\n", ", ")] = tables["others"][
            lambda table, method=method: table["method"] == method
        ]
    rows = {}
    for name, part in parts.items():
        found = part["clusters_found"] if "clusters_found" in part else pd.Series(dtype=float)
        rows[name] = {
            "runs": len(part),
            "mean ARI": round(part["ari"].mean(), 3),
            "median ARI": round(part["ari"].median(), 3),
            "highest ARI": round(part["ari"].max(), 3),
            "clusters found": f"{found.min()} to {found.max()}" if len(found) else "given",
            "mean nonspecificity": round(part["nonspecificity"].mean(), 4),
            "mean time of the call (s)": round(part["time_s"].mean(), 2),
            "median iterations": int(part["n_iter"].median()),
            "not converged": int((~part["converged"]).sum()),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("method")


def draw_comparison(tables, headline: str, from_k: int):
    """Box plots of the ARI: k-EVCLUS at two k, RECM as published and varied, EK-NNclus."""
    runs = tables["runs"]
    listed = sorted(runs["k"].unique())
    few = next((k for k in listed if k >= from_k), listed[-1])
    names = {few: f"k-EVCLUS\nk = {few}", listed[-1]: "k-EVCLUS\nall pairs"}
    ours = runs[runs["k"].isin(names)]
    ours = ours.assign(shown=ours["k"].map(names))
    others = tables["others"].assign(shown=tables["others"]["method"].map(OTHERS))
    order = [*dict.fromkeys(names.values()), *OTHERS.values()]
    table = pd.concat([ours, others])[["shown", "ari"]].rename(columns={"ari": "adjusted Rand index"})
    figure = new_figure(9.5, 4.0)
    ax = box_by(figure.subplots(), table, "adjusted Rand index", "shown", order=order, title=headline)
    ax.set_ylim(bottom=min(0, table["adjusted Rand index"].min()))
    return figure


# ---------------------------------------------------------------- claims


def values_of(tables, method: str, column: str = "ari") -> pd.Series:
    others = tables["others"]
    return others.loc[others["method"] == method, column]


def in_words(values) -> str:
    """``0.250 (95 % interval 0.220 to 0.280)``: the mean of the runs."""
    mean, low, high = mean_with_interval(values)
    return f"{mean:.3f} (95 % interval {low:.3f} to {high:.3f})"


def not_metric(artefact: str, substitute: bool) -> Claim:
    """The data are not Euclidean distances."""

    def check(params, tables):
        row = tables["facts"].iloc[0]
        ours = (
            f"{row['negative_eigenvalues']:.0f} of {row['n']:.0f} eigenvalues are negative, "
            f"{100 * row['share_of_negative_eigenvalues']:.1f} % of the sum of all absolute values"
        )
        note = f"triangle inequality broken in {100 * row['broken_triangles']:.2g} % of the triples tried"
        return Finding(row["negative_eigenvalues"] > 0, ours, note)

    statement = "The dissimilarities are not Euclidean distances: their Gram matrix has negative eigenvalues"
    published = "non metric, i.e., not Euclidean distances"
    return Claim(artefact, statement, "paper", check, published, substitute=substitute)


def faster(artefact: str, k: int, published: str, substitute: bool) -> Claim:
    """The general claim of ``k_curves`` with a factor of one, in plainer words."""
    claim = faster_than_all_pairs(artefact, k=k, factor=1, published=published, substitute=substitute)
    return replace(claim, statement=f"The median time at k = {k} is below that at the largest k")


def every_run_arrives(artefact: str, substitute: bool) -> Claim:
    """No run of k-EVCLUS meets the cap on sweeps."""

    def check(params, tables):
        runs = tables["runs"]
        capped = runs[~runs["converged"]].groupby("k").size()
        found = ", ".join(f"{count} at k = {k}" for k, count in capped.items()) or "none"
        ours = f"runs that met the cap of {params.max_iter} sweeps: {found}, of {params.n_runs} for each k"
        why = "with few pairs, one-sided row updates circle: they are no descent of the stress J_k"
        return Finding(capped.empty, ours, why if len(capped) and params.pair_updates == "one-sided" else "")

    statement = "Every run of k-EVCLUS meets its threshold before the cap on sweeps"
    return Claim(artefact, statement, OURS, check, substitute=substitute)


def in_this_order(artefact: str, published: str, substitute: bool) -> Claim:
    """RECM < EK-NNclus < k-EVCLUS."""

    def check(params, tables):
        recm, neighbours = values_of(tables, "recm"), values_of(tables, "eknnclus")
        runs = tables["runs"]
        evclus = runs.loc[runs["k"] == runs["k"].max(), "ari"].median()
        ours = f"RECM {in_words(recm)}, EK-NNclus {in_words(neighbours)}, k-EVCLUS {evclus:.3f}"
        return Finding(recm.mean() < neighbours.mean() < evclus, ours, going_on(tables))

    statement = (
        "The mean ARI of RECM is below that of EK-NNclus, and that below the median ARI of k-EVCLUS with all "
        "pairs"
    )
    return Claim(artefact, statement, "paper", check, published, substitute=substitute)


def going_on(tables) -> str:
    return f"RECM with a threshold 1000 times smaller: {in_words(values_of(tables, 'recm_goes_on'))}"


def recm_is_sure(artefact: str, printed, substitute: bool) -> Claim:
    """RECM's nonspecificity is close to 0, though its clusters are wrong."""

    def check(params, tables):
        values = values_of(tables, "recm", "nonspecificity")
        return Finding(abs(values.mean() - printed.value) <= printed.precision, f"{values.mean():.4f}")

    statement = f"The mean nonspecificity of RECM is within {printed.precision:g} of {printed.value:g}"
    return Claim(
        artefact, statement, "paper, tolerance ours", check, f"{printed.value:g}", substitute=substitute
    )


def clusters_found(artefact: str, printed, true_number: int, substitute: bool) -> Claim:
    """EK-NNclus finds about the right number of clusters."""

    def check(params, tables):
        found = values_of(tables, "eknnclus", "clusters_found")
        ours = f"{found.min()} to {found.max()}, mean {found.mean():.1f}, of {true_number}"
        return Finding(abs(found.mean() - true_number) <= printed.precision, ours)

    statement = (
        f"The mean number of clusters that EK-NNclus finds is within {printed.precision:g} of the true number"
    )
    return Claim(artefact, statement, "paper, tolerance ours", check, printed.source, substitute=substitute)


def threshold_does_not_matter(artefact: str, substitute: bool) -> Claim:
    """RECM has arrived when it stops."""

    def check(params, tables):
        early, late = values_of(tables, "recm"), values_of(tables, "recm_goes_on")
        first, last = (values_of(tables, method, "n_iter").median() for method in ("recm", "recm_goes_on"))
        ours = f"{in_words(early)} after {first:g} iterations, {in_words(late)} after {last:g}"
        same = abs(early.mean() - late.mean()) <= 0.05
        why = "the change of the masses is divided by n f: the more objects, the earlier the threshold is met"
        return Finding(same, ours, "" if same else why)

    statement = "RECM with a threshold 1000 times smaller has the same mean ARI, within 0.05"
    return Claim(artefact, statement, OURS, check, substitute=substitute)


def non_euclidean_is_the_reason(artefact: str, substitute: bool) -> Claim:
    """Made Euclidean, the same data are no trouble for RECM."""

    def check(params, tables):
        as_is, shifted = values_of(tables, "recm_goes_on"), values_of(tables, "recm_shifted")
        negative = int(values_of(tables, "recm_goes_on", "negative_distances").sum())
        ours = f"{in_words(as_is)} as they are, {in_words(shifted)} made Euclidean"
        note = (
            f"{negative} negative squared distances in all runs as they are; the shift is so large that all "
            "objects are nearly equally far from each other"
        )
        return Finding(shifted.mean() > as_is.mean(), ours, note)

    statement = (
        "RECM, run to the end, has a higher mean ARI on the dissimilarities made Euclidean by a spectral "
        "shift than on the dissimilarities as they are"
    )
    published = "RECM does not perform well, probably because of the non-metric nature of the dissimilarities"
    return Claim(artefact, statement, OURS, check, published, substitute=substitute)

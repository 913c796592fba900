"""Two non-metric data sets, or their stand-ins: k-EVCLUS against k, RECM and EK-NNclus.

What Section 4.2 of [denoeux2016_evclus] does with the Zongker digits and the Delft gestures. Both files are
distributed only by their owners. If the user has put one into the folder that CREDALBENCH_DATA names, the
cases are those of the original; otherwise, they are those of the documented stand-in. The tables say which,
in the column ``dataset``, and a claim that is checked on a stand-in is marked as such: it asks whether what
the paper found on its data also holds on other data of the same kind.

Section 4.2 leaves open how RECM was set, beyond its default parameters:

- *Focal sets.* The empty set, the singletons and the frame, as for EVCLUS: with 10 or 20 clusters, nothing
  much larger was possible.
- *Threshold.* 1e-5, that of Section 3.2, on the Frobenius norm of the change of the masses divided by n f. At
  n = 2000 it is met after two iterations, close to the random start, so RECM is run a second time with a
  threshold 1000 times smaller.
- *Squares.* RECM takes squared distances: the dissimilarities are either squared, or taken as squares.
- *Non-Euclidean dissimilarities* are left as they are, or made Euclidean by the spectral shift. The paper
  explains RECM's poor results by them ("probably because of the non-metric nature of the dissimilarities").

EK-NNclus starts from 1000 labels, as in Section 4.1; here the number is not given.
"""

import time
import warnings
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from credalbench.cluster import RECM, EKNNclus
from credalbench.cluster.recm import gram_matrix
from credalbench.core.kernels import compile_kernels
from credalbench.datasets import Dataset, load
from credalbench.datasets.disdatasets import ORIGINALS, find_original
from credalbench.datasets.download import find_file, registry
from credalbench.datasets.stand_ins import digit_dissimilarities, first_of_each_class, gesture_dissimilarities
from credalbench.metrics import adjusted_rand
from credalbench.papers import case_random_state, knob
from credalbench.plots import box_plot, new_figure

from .k_curves import PAIR_UPDATES, Plateau, draw_curves, k_run, redundancy, summary

#: Method other than k-EVCLUS -> its name in the figure; the order of figures and tables.
OTHERS = {
    "recm": "RECM",
    "recm_goes_on": "RECM\nto the end",
    "recm_unsquared": "RECM\nnot squared",
    "recm_shifted": "RECM\nmade Euclidean",
    "eknnclus": "EK-NNclus",
}
FINER = 1e-3  # of the published threshold, where RECM goes on
TRIANGLE_OBJECTS = 300  # the triangle inequality is tried on all triples of so many objects


@dataclass(frozen=True)
class SharedParameters:
    """What Section 4.2 sets alike for both data sets; the cap on sweeps and the seed are ours."""

    n_runs: int = knob(10, "runs of each method and k (Section 4.2)", low=2)
    n_neighbors: int = knob(50, "K of EK-NNclus for classes of class_size objects", low=1)
    pair_updates: str = knob("one-sided", "row update; one-sided is the published one", choices=PAIR_UPDATES)
    tol: float = knob(1e-5, "threshold of k-EVCLUS and RECM (that of Section 3.2)", low=0.0)
    max_iter: int = knob(300, "cap on the sweeps of k-EVCLUS (ours: the paper has none)", low=1)
    seed: int = knob(0, "seed of the pairs and the random starts (not stated)", low=0)


@dataclass(frozen=True)
class Subject:
    """A data set under study: its name in ``load``, how titles call it, and its size."""

    name: str
    title: str
    n: int
    n_clusters: int
    stands_in_for: str = ""

    def n_used(self, per_class: int) -> int:
        """Return the number of objects with so many of each class (0: all of them)."""
        return per_class * self.n_clusters if per_class else self.n

    def headline(self, per_class: int) -> str:
        """Return the first line of every figure: a stand-in is called one."""
        title = f"{self.title}, n = {self.n_used(per_class)}"
        return f"STAND-IN for {self.stands_in_for}:\n{title}" if self.stands_in_for else title


ZONGKER, DELFT = "the Zongker digits", "the Delft gestures"
SUBJECTS = {
    subject.name: subject
    for subject in (
        Subject("zongker", "Zongker digits", 2000, 10),
        Subject("mfeat_pix_distortion", "image distortion of the UCI digits mfeat-pix", 2000, 10, ZONGKER),
        Subject("digits_distortion", "image distortion of scikit-learn's digits", 1797, 10, ZONGKER),
        Subject("delft_gestures", "Delft gestures", 1500, 20),
        Subject("libras_warping", "time warping of Libras movements", 360, 15, DELFT),
    )
}


def at_hand(original: str) -> Subject:
    """Load the original if the user has its file, otherwise the closest stand-in without a download."""
    if find_original(original):
        return SUBJECTS[original]
    if original == "zongker" and find_file(registry()["mfeat_pix"])[1] == "ok":
        return SUBJECTS["mfeat_pix_distortion"]
    return SUBJECTS[ORIGINALS[original].stand_in]


def subject_of(tables) -> Subject:
    """Return what the tables are about."""
    return SUBJECTS[tables["runs"]["dataset"].iloc[0]]


def stands_in(params, tables) -> bool:
    """Return whether the tables are about a stand-in."""
    return bool(subject_of(tables).stands_in_for)


@cache
def dissimilarities(name: str, per_class: int) -> Dataset:
    """Return the data, made once in a process; with the first objects of each class, or all (0)."""
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
    """Let methods take turns within a repetition: k-EVCLUS for each k, then the others (k = 0: none)."""
    n = subject.n_used(params.per_class)
    partners = sorted({min(k, n - 1) for k in params.k})
    methods = [("k-EVCLUS", k) for k in partners] + [(method, 0) for method in OTHERS]
    runs = [
        {"dataset": subject.name, "method": method, "k": k, "repetition": repetition}
        for repetition in range(params.n_runs)
        for method, k in methods
    ]
    return [{"dataset": subject.name, "method": "none", "k": 0, "repetition": 0}, *runs]


def compute_case(params, case) -> dict[str, pd.DataFrame]:
    """Run one method once: tables ``runs`` (k-EVCLUS), ``others``, and ``facts`` about the data."""
    data = dissimilarities(case["dataset"], params.per_class)
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
    """Return how far the dissimilarities are from being distances, in one row."""
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
        "redundancy": redundancy(D),
        "nearest_neighbour_error": (data.y[others.argmin(axis=1)] != data.y).mean(),
    }
    return pd.DataFrame([row])


def model_of(method: str, data: Dataset, params, seed: int):
    """Return the estimator of a method, with the paper's parameters."""
    c = len(np.unique(data.y))
    if method == "eknnclus":
        return EKNNclus(
            n_neighbors=neighbours(params, data),
            q=params.q,
            metric="precomputed",
            init="random",
            random_state=seed,
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
    """Return K: the paper's share of the mean class size, at least 1."""
    class_size = data.n_objects / len(np.unique(data.y))
    return max(1, round(params.n_neighbors * class_size / params.class_size))


def other_run(method: str, data: Dataset, params, seed: int) -> dict:
    """Time one run of RECM or EK-NNclus; ``time_s`` is the whole call, from the matrix to the partition."""
    compile_kernels()
    model = model_of(method, data, params, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # not Euclidean: that is the point, and it is counted
        begin = time.process_time()
        model.fit(data.D)
        seconds = time.process_time() - begin
    labels = model.labels_ if method == "eknnclus" else model.partition_.labels("plausibility")
    return {
        "ari": adjusted_rand(data.y, labels),
        "time_s": seconds,
        "nonspecificity": np.nan if model.partition_ is None else model.partition_.nonspecificity(),
        "n_clusters": len(np.unique(labels)),
        "n_iter": model.n_iter_,
        "converged": model.converged_,
        "negative_distances": int(np.sum(getattr(model, "negative_distances_", 0))),
    }


# ---------------------------------------------------------------- reading and drawing


def by_k(params, tables) -> pd.DataFrame:
    """Tabulate medians and quartiles of k-EVCLUS for each k."""
    return summary(tables["runs"])


def comparison(params, tables) -> pd.DataFrame:
    """Tabulate ARI, clusters found, nonspecificity, time of the whole call and iterations, by method."""
    runs, others = tables["runs"].assign(time_s=tables["runs"]["fit_time_s"]), tables["others"]
    parts = {"k-EVCLUS, all pairs": runs[runs["k"] == runs["k"].max()]}
    for method, name in OTHERS.items():
        parts[name.replace("\n", ", ")] = others[others["method"] == method]
    rows = {}
    for name, part in parts.items():
        found = part["n_clusters"] if "n_clusters" in part else pd.Series(dtype=float)
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


def draw_all(params, tables, curve_figures, text: str, plateau: Plateau) -> dict:
    """Draw the curves against k, and the comparison with the other methods where the plateau begins."""
    subject = subject_of(tables)
    headline, n = subject.headline(params.per_class), subject.n_used(params.per_class)
    all_pairs = [k for k in params.k if k >= n - 1]
    figures = draw_curves(
        tables["runs"], curve_figures, headline, n_objects=n, all_pairs=all_pairs, plateau=plateau
    )
    return figures | {text: draw_comparison(tables, headline, plateau.from_k)}


def draw_comparison(tables, headline: str, from_k: int):
    """Draw box plots of the ARI: k-EVCLUS at two k, RECM as published and varied, EK-NNclus."""
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
    ax = box_plot(figure.subplots(), table, "adjusted Rand index", "shown", order=order, title=headline)
    ax.set_ylim(bottom=min(0, table["adjusted Rand index"].min()))
    return figure

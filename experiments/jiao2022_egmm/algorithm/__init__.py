"""Algorithm 1 step by step, and what Sections 3.2 to 3.4 say of it: likelihood, start, parameters.

Each run follows EM, beyond the stopping rule, and records the log-likelihood (18) after each maximisation. It
starts as in Section 3.4, from the centres of k-means and the average covariance of its clusters, and from
random objects with the covariance of the data. The first maximisation is also compared with many small moves
away from its parameters: none may raise Q, Eq. (22). Where objects are tied, the covariance may become
singular, and the likelihood has no maximum. From some starts EM converges to such points, so "guaranteed to
converge to a maximum" does not hold there; `EGMM` raises an error. On Diamond this is frequent with many
clusters and without the ridge.

The box of the algorithm is missing from the text that we have; the equations are reconstructed.
"""

import warnings
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from sklearn.mixture import GaussianMixture

from credalbench.belief import FocalSets
from credalbench.cluster import EGMM
from credalbench.cluster.mixture.covariance_types import COVARIANCE_TYPES, Mixture
from credalbench.cluster.mixture.em import Model, maximised, memberships, moments, start_covariance
from credalbench.cluster.prototypes.prototype_step import barycentres
from credalbench.datasets import load, make_egmm_four_class
from credalbench.papers import case_random_state, declare, knob
from credalbench.plots import new_figure
from credalbench.plots.style import colour, legend_outside, line_style, style_axes

from ..shared.starts import k_means
from .claims import ALG, DATASETS

MAX_ITERATIONS = 500  # of a run that goes on gaining
SMALL = 1e-3  # gain of the log-likelihood at which the authors' program stops


@dataclass(frozen=True)
class Parameters:
    """Runs of the algorithm."""

    datasets: tuple[str, ...] = knob(tuple(DATASETS), "names of the data sets")
    n_starts: int = knob(40, "starts of each kind on each data set", low=2)
    n_iterations: int = knob(60, "iterations of each run, and on until less than 0.001 is gained", low=2)
    n_moves: int = knob(100, "small moves away from the maximum of Q", low=1)
    degenerate_clusters: tuple[int, ...] = knob((2, 4, 6), "c of the runs on Diamond without a ridge", low=1)
    counted_clusters: tuple[int, ...] = knob((2, 3, 4, 6, 8, 10), "c whose parameters are counted", low=1)
    seed: int = knob(0, "seed of the starts", low=0)


def cases(params):
    starts = product(params.datasets, range(params.n_starts))
    runs = [{"part": "runs", "dataset": name, "repetition": start} for name, start in starts]
    ends = [{"part": "ends", "dataset": "Diamond", "repetition": c} for c in params.degenerate_clusters]
    return [*runs, *ends, {"part": "counts", "dataset": "", "repetition": 0}]


def compute(params, case):
    if case["part"] == "counts":
        return {"counts": counts(params)}
    if case["part"] == "ends":
        return {"ends": ends_without_ridge(params, case["repetition"])}
    X, c = data_of(case["dataset"])
    seed = case_random_state(params.seed, case["dataset"], case["repetition"])
    model, first = model_of(X, c), starts(X, c, seed)
    rows, traces = [], []
    for kind, start in first.items():
        trace = follow(X, start, model, params.n_iterations)
        traces.append(pd.DataFrame({"start": kind, "iteration": np.arange(len(trace)), "objective": trace}))
        rows.append({"start": kind} | run_row(trace))
    q = gains_of_moves(X, first["k-means"], model, params.n_moves, seed)
    apart = difference_to_gaussian_mixture(X, c, first["k-means"])
    steps = {"highest_gain_of_q": q.max(), "gmm_difference": apart}
    return {
        "runs": pd.DataFrame(rows),
        "traces": pd.concat(traces, ignore_index=True),
        "steps": pd.DataFrame([steps]),
    }


def data_of(name):
    """Return objects (n, p) and the number of clusters."""
    file, c = DATASETS[name]
    return (load(file) if file else make_egmm_four_class(800, 0)).X, c


def model_of(X, c):
    """Return what all iterations share: all non-empty sets, one covariance, and no ridge."""
    ridge = np.zeros((X.shape[1], X.shape[1]))
    return Model(FocalSets.full(c, empty=False), COVARIANCE_TYPES["tied"], ridge)


def starts(X, c, seed):
    """Return the start of Section 3.4, and random objects with the covariance of the data."""
    f = 2**c - 1
    centres = k_means(X, c, seed)
    objects = X[np.random.RandomState(seed).choice(len(X), c, replace=False)]
    return {
        "k-means": Mixture(
            np.full(f, 1 / f), centres.cluster_centers_, start_covariance(X, centres.labels_, c)
        ),
        "random objects": Mixture(np.full(f, 1 / f), objects, np.cov(X.T)),
    }


def follow(X, mixture, model, n_iterations):
    """Return the log-likelihood [jiao2022_egmm (18)] of a start and after each iteration.

    There are at least `n_iterations`, and more until one gains less than 0.001.
    """
    trace = []
    while len(trace) <= MAX_ITERATIONS:
        now = moments(X, mixture, model)
        trace.append(now.log_likelihood)
        if len(trace) > n_iterations and trace[-1] - trace[-2] < SMALL:
            break
        mixture = maximised(now, mixture, model)
    return np.array(trace)


def run_row(trace):
    """Return the largest fall of a step, the end, and after how many iterations 0.001 was not gained."""
    gains = np.diff(trace)
    reached = np.flatnonzero(gains < SMALL)
    return {
        "fall": -gains.min() / abs(trace[0]),
        "log_likelihood": trace[-1],
        "n_iter": int(reached[0]) + 1 if len(reached) else len(gains),
    }


def gains_of_moves(X, start, model, n_moves, seed):
    """Return by how much Q rises, relatively, when its maximising parameters are moved a little: (n_moves,).

    The masses are those of the start; every move changes mixing probabilities, means and covariance at once.
    """
    masses = memberships(X, start, model)[0]
    best = maximised(moments(X, start, model), start, model)
    at_best, rng = q_function(X, masses, best, model), np.random.default_rng(seed)
    root, found = np.linalg.cholesky(best.covariances), []
    for _ in range(n_moves):
        size = 10.0 ** rng.uniform(-4, -1)
        weights = best.weights * np.exp(size * rng.standard_normal(len(best.weights)))
        centers = best.centers + size * rng.standard_normal(best.centers.shape) @ root.T
        turn = np.eye(len(root)) + size * np.tril(rng.standard_normal(root.shape))
        moved = Mixture(weights / weights.sum(), centers, root @ turn @ turn.T @ root.T)
        found.append((q_function(X, masses, moved, model) - at_best) / abs(at_best))
    return np.array(found)


def q_function(X, masses, mixture, model):
    """Return the expected log-likelihood of complete data at given masses (n, f) [jiao2022_egmm (22)]."""
    means, p = barycentres(mixture.centers, model.focal_sets), X.shape[1]
    root = np.linalg.inv(np.linalg.cholesky(mixture.covariances))
    squared = np.sum(((X[:, None] - means) @ root.T) ** 2, axis=2)
    logs = np.log(mixture.weights) + np.log(np.diag(root)).sum() - 0.5 * (squared + p * np.log(2 * np.pi))
    return float(np.sum(masses * logs))


def difference_to_gaussian_mixture(X, c, start):
    """Return the relative difference of the log-likelihoods of two mixtures after as many iterations.

    These are EGMM on single clusters and a Gaussian mixture with one covariance.
    """
    single = FocalSets.up_to(c, 1, empty=False, omega=False)
    ours = EGMM(c, focal_sets=single, noise=False, init=start.centers, tol=0.0, max_iter=20).fit(X)
    theirs = GaussianMixture(
        c,
        covariance_type="tied",
        means_init=start.centers,
        precisions_init=np.linalg.inv(start_covariance(X, nearest(X, start.centers), c)),
        weights_init=np.full(c, 1 / c),
        reg_covar=0.0,
        tol=0.0,
        max_iter=ours.n_iter_,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # not converged: the iterations are counted
        theirs.fit(X)
    log_likelihood = theirs.score(X) * len(X)
    return abs(ours.log_likelihood_ - log_likelihood) / abs(log_likelihood)


def nearest(X, centres):
    """Return the nearest centre of each object: (n,)."""
    return np.linalg.norm(X[:, None] - centres, axis=2).argmin(axis=1)


def ends_without_ridge(params, c):
    """Return where the starts of EGMM end on Diamond without a ridge: regular, or rejected as degenerate."""
    X, rows = load("egmm_diamond").X, []
    for start in range(params.n_starts):
        seed = case_random_state(params.seed, "ends", c, start)
        model = EGMM(c, focal_sets="full", noise=False, init=k_means(X, c, seed).cluster_centers_)
        try:
            row = {"status": "ok", "reason": "", "log_likelihood": model.fit(X).log_likelihood_}
        except ValueError as error:
            row = {"status": "failed", "reason": str(error), "log_likelihood": np.nan}
        rows.append({"start": start, **row})
    return pd.DataFrame(rows)


def counts(params):
    """Count the focal sets by c and kind."""
    rows = []
    for c in params.counted_clusters:
        for kind, focal_sets in (
            ("all non-empty sets", FocalSets.full(c, empty=False)),
            ("at most two clusters, and the frame", FocalSets.up_to(c, min(c, 2), empty=False)),
        ):
            rows.append({"c": c, "focal_sets": kind, "n_sets": len(focal_sets)})
    return pd.DataFrame(rows)


def draw(params, tables):
    """Draw the log-likelihood of a few runs from each start, less the highest of all runs."""
    figure = new_figure(10.0, 5.6)
    names = [name for name in DATASETS if name in set(tables["traces"]["dataset"])]
    axes = np.ravel(figure.subplots(2, 2))
    for ax, name in zip(axes, names):
        traces = tables["traces"].query("dataset == @name and repetition < 6")
        for k, (kind, runs) in enumerate(traces.groupby("start", sort=False)):
            for number, run in runs.groupby("repetition"):
                label = f"from {kind}" if number == 0 else None
                look = {"color": colour(k), "linestyle": line_style(k), "linewidth": 1.2, "alpha": 0.8}
                ax.plot(run["iteration"], run["objective"], label=label, **look)
        style_axes(ax, title=name, xlabel="iteration", ylabel="log-likelihood", grid="both")
    for ax in axes[len(names) :]:
        ax.set_visible(False)
    legend_outside(axes[0], ncols=1, bbox_to_anchor=(0.45, 0.45))
    return {"egmm-alg-1": figure}


experiment = declare(
    __name__,
    title="Algorithm 1, step by step",
    artefacts={ALG: "EM for an evidential mixture"},
    smoke={"n_starts": 4, "n_iterations": 20, "n_moves": 50},
    data=("iris_uci", "wine_uci"),
)

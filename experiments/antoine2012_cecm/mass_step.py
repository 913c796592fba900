"""Beyond the paper: where the mass step of CECM ends, by which way, and from which start.

The masses of CECM solve a quadratic programme that is not convex. The paper hands it to an interior-point
method made for convex ones [ye1989] and starts from random prototypes; the optimum that is reached depends on
both. A user without class labels can judge a result by its objective (21) alone. So: which way and which
start end lowest, and is a lower objective a better partition?

Two parts, on the data, constraints and settings of Tables 5 and 6 at xi = 0.5.

``step``
    One mass step alone, on a third of the draws, at the prototypes of k-means and identity metrics. The ways
    of the library from the masses of ECM (``cyclic``, ``simultaneous``) and from equal masses
    (``continuation``); cyclic sweeps from masses that all must-linked objects share (``components``) and from
    the best of 20 random starts (``best of 20``); and solvers of scipy, all masses at once: the
    interior-point method ``trust-constr`` from equal masses, and L-BFGS on squared variables from ECM's
    masses. Both of these are then settled by cyclic sweeps, to compare end points and not tolerances.
``fit``
    Whole runs of CECM: each way from k-means prototypes, from one random start and from the best of ten
    random starts by objective; and continuation with the objects in another order, which its sweeps follow.
"""

import warnings
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, minimize

from credalbench.belief import FocalSets
from credalbench.cluster import CECM
from credalbench.cluster.constrained.masses import (
    SOLVERS,
    constrained_masses,
    constraint_terms,
    scaled_objective,
    settle,
)
from credalbench.cluster.prototypes.adaptive_metric import squared_distances
from credalbench.cluster.prototypes.mass_update import focal_costs, masses_from_costs
from credalbench.metrics import rand_index
from credalbench.plots import new_figure
from credalbench.plots.style import colour, dress, legend_outside, log_axis, marker
from credalbench.runner import Experiment, case_random_state, case_rng, knob

from .mass_step_claims import ARTEFACT, CLAIMS, FIT_WAYS, STEP_WAYS, excess
from .shared.protocol import draw_constraints, prepared, starting_prototypes

METRIC = {"iris": "mahalanobis", "wine": "euclidean", "glass": "mahalanobis"}  # of Tables 5 and 6
RANDOM_STARTS = 20  # of the mass step


@dataclass(frozen=True)
class Parameters:
    """Data, constraints and xi are the paper's (Tables 5 and 6); the rest is ours."""

    data_sets: tuple[str, ...] = knob(tuple(METRIC), "data sets: iris, wine, glass")
    sizes: tuple[int, ...] = knob((20, 50, 100, 200), "numbers of constraints", low=1)
    n_trials: int = knob(30, "draws of constraints for each data set and number", low=2)
    chunk: int = knob(5, "draws in one case", low=1)
    n_init: int = knob(10, "random starts of the arms that take the best", low=1)
    xi: float = knob(0.5, "weight of the constraints, as in the paper", low=0.0, high=0.99)
    n_step_trials: int = knob(10, "of these draws, how many for single mass steps (scipy is slow)", low=1)
    seed: int = knob(0, "of constraints and starts", low=0)


def cases(params):
    if unknown := set(params.data_sets) - set(METRIC):
        raise ValueError(f"expected data_sets among {tuple(METRIC)}, got {sorted(unknown)}")
    return [
        {"dataset": name, "constraints": size, "chunk": first // params.chunk}
        for name in params.data_sets
        for size in params.sizes
        for first in range(0, params.n_trials, params.chunk)
    ]


def compute(params, case):
    """Tables ``steps`` and ``fits``, one row per trial and way."""
    name, size = case["dataset"], case["constraints"]
    problem = prepared(name)
    first = case["chunk"] * params.chunk
    steps, fits = [], []
    for trial in range(first, min(first + params.chunk, params.n_trials)):
        constraints = draw_constraints(problem.y, size, case_rng(params.seed, name, size, trial))
        seed = case_random_state(params.seed, name, size, trial, "starts")
        if trial < params.n_step_trials:
            steps += [{"trial": trial, **row} for row in mass_steps(params, name, constraints, seed)]
        fits += [{"trial": trial, **row} for row in whole_fits(params, name, constraints, seed)]
    tables = {"fits": pd.DataFrame(fits)}
    return tables | {"steps": pd.DataFrame(steps)} if steps else tables


# ---------------------------------------------------------------- whole runs


def whole_fits(params, name, constraints, seed):
    """CECM by each way from each start: objective, Rand index, iterations, seconds."""
    problem = prepared(name)
    order = np.random.default_rng(seed).permutation(len(problem.X))
    for way, start in FIT_WAYS:
        centres = starting_prototypes(name)
        model = CECM(
            problem.n_clusters,
            xi=params.xi,
            delta=problem.delta,
            metric=METRIC[name],
            solver=way,
            init="random" if "random" in start else centres,
            n_init=params.n_init if start == "best of random" else 1,
            random_state=seed,
        )
        begin = perf_counter()
        labels = fitted_labels(model, problem.X, constraints, order if start == "other order" else None)
        yield {
            "way": way,
            "start": start,
            "objective": model.objective_,
            "rand": rand_index(problem.y, labels),
            "violated": len(model.violated_),
            "n_iter": model.n_iter_,
            "converged": model.converged_,
            "time_s": perf_counter() - begin,
        }


def fitted_labels(model, X, constraints, order=None):
    """Fit `model` and return its labels (n,), the objects standing in another `order` (n,) if given."""
    order = np.arange(len(X)) if order is None else order
    place = np.argsort(order)
    links = {"must_link": place[constraints.must_link], "cannot_link": place[constraints.cannot_link]}
    with warnings.catch_warnings():  # from random prototypes, a cluster of Glass may be nearly empty
        warnings.filterwarnings("ignore", "the covariance of cluster", UserWarning)
        model.fit(X[order], **links)
    return model.labels_[place]


# ---------------------------------------------------------------- one mass step


def mass_steps(params, name, constraints, seed):
    """Each way to the masses at the prototypes of k-means: its scaled objective and seconds."""
    problem = prepared(name)
    focal_sets = FocalSets.full(problem.n_clusters)
    costs = focal_costs(
        squared_distances(problem.X, starting_prototypes(name), focal_sets), focal_sets, 1.0, problem.delta
    )
    terms = constraint_terms(constraints, focal_sets, params.xi)
    rng = np.random.default_rng(seed)
    ways = {way: lambda way=way: constrained_masses(costs, terms, solver=way) for way in SOLVERS}
    ways["components"] = lambda: settle(costs, component_masses(costs, terms), terms)
    ways["best of 20"] = lambda: best_of_random(costs, terms, rng)
    ways["interior point"] = lambda: settle(costs, interior_point(costs, terms), terms)
    ways["L-BFGS"] = lambda: settle(costs, squared_variables(costs, terms), terms)
    for way in STEP_WAYS:
        begin = perf_counter()
        masses = ways[way]()
        seconds = perf_counter() - begin
        yield {"way": way, "objective": scaled_objective(masses, costs, terms), "time_s": seconds}


def component_masses(costs, terms):
    """ECM's masses (n, f), shared by all objects that must-links join: their costs are averaged."""
    group = terms.constraints.components()
    sums = np.zeros((group.max() + 1, costs.shape[1]))
    np.add.at(sums, group, costs)
    return masses_from_costs(sums / np.bincount(group)[:, None], 2)[group]


def best_of_random(costs, terms, rng):
    """The lowest end of cyclic sweeps from masses drawn uniformly on the simplex: (n, f)."""
    best, lowest = None, np.inf
    for _ in range(RANDOM_STARTS):
        masses = masses_from_costs(costs, 2)
        masses[terms.objects] = rng.dirichlet(np.ones(costs.shape[1]), len(terms.objects))
        masses = settle(costs, masses, terms)
        if (value := scaled_objective(masses, costs, terms)) < lowest:
            best, lowest = masses, value
    return best


def interior_point(costs, terms):
    """The whole programme by scipy's trust-region interior-point method, from equal masses: (n, f)."""
    masses, H = masses_from_costs(costs, 2), hessian(costs, terms)
    m, f = len(terms.objects), costs.shape[1]
    found = minimize(
        lambda x: x @ (H @ x) / 2,
        np.full(m * f, 1 / f),
        jac=lambda x: H @ x,
        hess=lambda x: H,
        method="trust-constr",
        bounds=Bounds(0, 1),
        constraints=[LinearConstraint(sparse.kron(sparse.eye_array(m), np.ones((1, f))).tocsr(), 1, 1)],
        options={"maxiter": 300, "gtol": 1e-6},
    )
    on_simplex = np.maximum(found.x.reshape(m, f), 0)
    masses[terms.objects] = on_simplex / on_simplex.sum(axis=1, keepdims=True)
    return masses


def squared_variables(costs, terms):
    """The whole programme by L-BFGS on z with masses z^2 / sum z^2, from the masses of ECM: (n, f)."""
    masses, H = masses_from_costs(costs, 2), hessian(costs, terms)
    shape = (len(terms.objects), costs.shape[1])

    def value_and_gradient(z):
        z = z.reshape(shape)
        total = np.sum(z * z, axis=1, keepdims=True)
        x = z * z / total
        slope = (H @ x.ravel()).reshape(shape)
        gradient = 2 * z / total * (slope - np.sum(slope * x, axis=1, keepdims=True))
        return x.ravel() @ (H @ x.ravel()) / 2, gradient.ravel()

    start = np.sqrt(masses[terms.objects]).ravel()
    found = minimize(value_and_gradient, start, jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    z = found.x.reshape(shape)
    masses[terms.objects] = z * z / np.sum(z * z, axis=1, keepdims=True)
    return masses


def hessian(costs, terms):
    """Second derivatives of the objective in the masses of the m constrained objects, sparse (m f, m f).

    Divided by the mean of its diagonal, for the tolerances of solvers.
    """
    place = np.full(len(costs), -1)
    place[terms.objects] = np.arange(len(terms.objects))
    m, links = len(terms.objects), terms.constraints
    H = sparse.diags_array(2 * costs[terms.objects].ravel())
    scale = H.diagonal().mean()
    for pairs, weights, matrix in (
        (links.must_link, links.must_link_weights, terms.network.different),
        (links.cannot_link, links.cannot_link_weights, terms.network.same),
    ):
        graph = sparse.coo_array((terms.strength * weights, tuple(place[pairs].T)), shape=(m, m))
        H = H + sparse.kron(graph + graph.T, matrix)
    return (H / scale).tocsr()


# ---------------------------------------------------------------- drawing


def draw(params, tables):
    """Excess of the objective over the lowest of the trial, by way and start; Rand index against it."""
    figure = new_figure(10.5, 4.6)
    left, right = figure.subplots(1, 2, width_ratios=[1, 1.1])
    draw_excess(left, excess(tables["fits"]))
    draw_rand(right, excess(tables["fits"]))
    return {ARTEFACT: figure}


def draw_excess(ax, fits):
    """Share of trials that end within a given excess of the lowest objective, one line per arm."""
    for k, ((way, start), part) in enumerate(fits.groupby(["way", "start"], sort=False)):
        values = np.sort(np.maximum(part["excess"], 1e-6))
        share = np.arange(1, len(values) + 1) / len(values)
        points = max(len(values) // 8, 1)
        ax.plot(values, share, color=colour(k), marker=marker(k), markevery=points, label=f"{way}, {start}")
    log_axis(ax.xaxis)
    ax.set_ylim(0, 1.02)
    dress(
        ax,
        title="How near the lowest objective",
        xlabel="excess over the lowest objective of the trial",
        ylabel="share of trials",
        grid="both",
    )
    legend_outside(ax)


def draw_rand(ax, fits):
    """Mean Rand index of the runs that end about as high above the lowest objective, by data set."""
    edges = [-1, 1e-3, 1e-2, 1e-1, np.inf]
    names = ["< 0.1 %", "0.1 to 1 %", "1 to 10 %", "> 10 %"]
    band = pd.cut(fits["excess"], edges, labels=range(4)).astype(int)
    for k, (name, part) in enumerate(fits.groupby("dataset", sort=False)):
        groups = part["rand"].groupby(band[part.index])
        mean, error = groups.mean(), 1.96 * groups.sem()
        look = {"color": colour(k), "marker": marker(k), "capsize": 3, "label": name}
        ax.errorbar(mean.index + 0.08 * (k - 1), mean, yerr=error, **look)
    ax.set_xticks(range(4), names)
    dress(
        ax,
        title="Is lower better?",
        xlabel="excess over the lowest objective of the trial",
        ylabel="Rand index, mean with 95 % interval",
        grid="y",
    )
    ax.legend(frameon=False)


experiment = Experiment(
    paper="antoine2012_cecm",
    study="mass_step",
    title="CECM: where the mass step ends, by way and start",
    artefacts={ARTEFACT: "Beyond the paper: ways through the mass step, judged by the objective"},
    parameters=Parameters,
    cases=cases,
    compute=compute,
    draw=draw,
    claims=CLAIMS,
    smoke={"sizes": (20, 50), "n_trials": 2, "chunk": 2, "n_init": 2, "n_step_trials": 1},
)

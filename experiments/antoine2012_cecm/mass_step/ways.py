"""One mass step of CECM by every way that was tried: those of the library, and of all objects at once."""

from time import perf_counter

import numpy as np
from scipy.optimize import minimize

from credalbench.belief import FocalSets
from credalbench.cluster.constrained.masses import (
    SOLVERS,
    constrained_masses,
    constraint_terms,
    scaled_objective,
    settle,
)
from credalbench.cluster.prototypes.mass_update import focal_costs, masses_from_costs
from credalbench.cluster.prototypes.prototype_step import squared_distances

from ..shared.interior_point import InteriorPoint, hessian
from ..shared.protocol import prepared, starting_prototypes

WAYS = (*SOLVERS, "components", "best of 20", "interior point", "L-BFGS")
RANDOM_STARTS = 20


def mass_steps(params, name, constraints, seed):
    """Compute the masses at the prototypes of k-means in each way: scaled objective and seconds."""
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
    ways["interior point"] = lambda: settle(costs, InteriorPoint(terms)(costs), terms)
    ways["L-BFGS"] = lambda: settle(costs, squared_variables(costs, terms), terms)
    for way in WAYS:
        begin = perf_counter()
        masses = ways[way]()
        seconds = perf_counter() - begin
        yield {"way": way, "objective": scaled_objective(masses, costs, terms), "time_s": seconds}


def component_masses(costs, terms):
    """Compute ECM's masses (n, f), shared by all objects that must-links join: their costs are averaged."""
    group = terms.constraints.components()
    sums = np.zeros((group.max() + 1, costs.shape[1]))
    np.add.at(sums, group, costs)
    return masses_from_costs(sums / np.bincount(group)[:, None], 2)[group]


def best_of_random(costs, terms, rng):
    """Return the lowest end of cyclic sweeps from masses drawn uniformly on the simplex: (n, f)."""
    best, lowest = None, np.inf
    for _ in range(RANDOM_STARTS):
        masses = masses_from_costs(costs, 2)
        masses[terms.objects] = rng.dirichlet(np.ones(costs.shape[1]), len(terms.objects))
        masses = settle(costs, masses, terms)
        if (value := scaled_objective(masses, costs, terms)) < lowest:
            best, lowest = masses, value
    return best


def squared_variables(costs, terms):
    """Return the whole programme by L-BFGS on z with masses z^2 / sum z^2, from the masses of ECM: (n, f)."""
    H = hessian(costs, terms)
    H = H / H.diagonal().mean()  # the tolerances of L-BFGS are for numbers about 1

    def value_and_gradient(z):
        z = z.reshape(costs.shape)
        total = np.sum(z * z, axis=1, keepdims=True)
        x = z * z / total
        slope = (H @ x.ravel()).reshape(costs.shape)
        gradient = 2 * z / total * (slope - np.sum(slope * x, axis=1, keepdims=True))
        return x.ravel() @ (H @ x.ravel()) / 2, gradient.ravel()

    start = np.sqrt(masses_from_costs(costs, 2)).ravel()
    found = minimize(value_and_gradient, start, jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    z = found.x.reshape(costs.shape)
    return z * z / np.sum(z * z, axis=1, keepdims=True)

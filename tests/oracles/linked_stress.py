"""Literal transcription of what constraints cost in CEVCLUS, [antoine2014] and [li2018]; a dozen objects."""

import numpy as np

from credalbench.cluster.simplex.simplex_qp import solve_simplex_qp
from tests.oracles import cecm, evclus


def cost_of_link(m_i, m_j, must, sets, c):
    """Plausibility of what the constraint excludes, plus one minus that of what it says."""
    joint = cecm.joint_masses(m_i, m_j, sets)
    same, different = cecm.same_cluster(c), cecm.different_clusters(c)
    wrong, right = (different, same) if must else (same, different)
    return cecm.joint_plausibility(joint, wrong) + 1 - cecm.joint_plausibility(joint, right)


def cost_of_links(M, must_link, cannot_link, sets, c, xi):
    """xi over the number of constraints, times the plausibilities that speak against them."""
    costs = [cost_of_link(M[i], M[j], True, sets, c) for i, j in must_link]
    costs += [cost_of_link(M[i], M[j], False, sets, c) for i, j in cannot_link]
    return xi * sum(costs) / len(costs)


def one_sided_sweep(M, partners, delta, sets, c, must_link, cannot_link, xi, ridge=0.0):
    """Each row from its own k pairs and all its constraints, of which half counts, as of its pairs.

    `ridge` is added to the matrix of each programme, whose stress is normalised: 1e-8 in the R package.
    """
    M, f = M.copy(), len(sets)
    C = np.array([[evclus.conflict(a, b, sets) for b in np.eye(f)] for a in np.eye(f)])
    eta = 1 / np.sum(np.square(delta))
    for i in range(len(M)):
        G, a = evclus.row_programme(M, i, partners[i], delta[i], C)
        linear = np.zeros(f)
        for pairs, must in ((must_link, True), (cannot_link, False)):
            for j in [k for pair in pairs if i in pair for k in pair if k != i]:
                linear += [cost_of_link(m, M[j], must, sets, c) for m in np.eye(f)]
        share = xi / (len(must_link) + len(cannot_link)) / 2
        M[i] = solve_simplex_qp(eta * G + ridge * np.eye(f), eta * a - share * linear / 2, M[i])
    return M

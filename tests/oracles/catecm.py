"""Literal transcriptions of cat-ECM, loop by loop as printed; for a dozen objects at most.

`X` is a list of rows, `domains` a list of the values of each attribute, `w[k][l][t]` the weight of value t of
attribute l in cluster k; `sets` are frozensets of clusters from 0, the empty set first; `M` has one column
per set. The objective is that of ECM, in ``tests/oracles/recm.py``.
"""

from itertools import product

import numpy as np

from . import recm

SAME = 1e-9  # frequencies that differ by less, as a share, tie: they are sums in different orders


def set_weight(w, A, l, t):
    """[djiberou2019_catecm (8)]."""
    return sum(w[k][l][t] for k in A) / len(A)


def differing(row, l, domains):
    """The values of attribute l other than the object's."""
    return [t for t, value in enumerate(domains[l]) if value != row[l]]


def dissimilarity(row, w, A, domains, normalize=True):
    """[djiberou2019_catecm (10)] with [djiberou2019_catecm (11)]; without 1/p if not `normalize`."""
    p = len(domains)
    total = sum(set_weight(w, A, l, t) for l in range(p) for t in differing(row, l, domains))
    return total / p if normalize else total


def dissimilarities(X, w, sets, domains, normalize=True):
    """Of all objects and sets; 0 in the column of the empty set, which nobody looks at."""
    return np.array([[dissimilarity(x, w, A, domains, normalize) if A else 0.0 for A in sets] for x in X])


def masses(d2, sets, alpha, beta, delta):
    """Those of ECM; where some distances are zero, which is 0/0 there, equal shares of the sets at zero."""
    M = []
    for row in d2:
        zero = [bool(A) and d == 0 for A, d in zip(sets, row)]
        if any(zero):
            M.append([float(z) / sum(zero) for z in zero])
        else:
            M.append(recm.masses([row], sets, alpha, beta, delta)[0])
    return np.array(M)


def frequency(X, M, sets, k, l, value, alpha, beta, normalize=True):
    """[djiberou2019_catecm (15)]."""
    total = 0.0
    for j, A in enumerate(sets):
        if k in A:
            for i, row in enumerate(X):
                if row[l] == value:
                    total += len(A) ** (alpha - 1.0) * M[i][j] ** beta
    return total / len(X[0]) if normalize else total


def weights(X, M, sets, c, domains, alpha, beta, normalize=True):
    """[djiberou2019_catecm (14)]."""
    w = []
    for k in range(c):
        w.append([])
        for l, values in enumerate(domains):
            f = [frequency(X, M, sets, k, l, value, alpha, beta, normalize) for value in values]
            tied = [f_t >= max(f) * (1 - SAME) for f_t in f]
            w[k].append([1 / sum(tied) if most else 0.0 for most in tied])
    return w


def all_hard_weights(c, domains):
    """Every way to put the weight of each attribute in each cluster on one value."""
    objects = list(product(*(range(len(values)) for values in domains)))
    for chosen in product(objects, repeat=c):
        yield [
            [[float(t == s) for t in range(len(domains[l]))] for l, s in enumerate(prototype)]
            for prototype in chosen
        ]

"""Profiles of clusters as their definitions print them: loops over objects, focal sets and values."""

from math import inf, sqrt


def shares(masses, sets, k):
    """The share of every object that is in cluster k: the mass of each set, divided among its members."""
    return [sum(m / len(A) for m, A in zip(row, sets) if k in A) for row in masses]


def mean(weights, values):
    return sum(w * x for w, x in zip(weights, values)) / sum(weights)


def number(masses, sets, c, k, x):
    """Mean, mean of the rest, Cohen's d and point-biserial correlation of a number, None where missing."""
    rows = [i for i, value in enumerate(x) if value is not None]
    x = [x[i] for i in rows]
    w = [shares(masses, sets, k)[i] for i in rows]
    r = [sum(shares(masses, sets, l)[i] for l in range(c) if l != k) for i in rows]
    inside, outside = mean(w, x), mean(r, x)
    squares = sum(u * (value - inside) ** 2 for u, value in zip(w, x))
    squares += sum(u * (value - outside) ** 2 for u, value in zip(r, x))
    s = sqrt(squares / (sum(w) + sum(r)))
    d = (inside - outside) / s if s > 0 else inf
    # correlation of x with the indicator of the cluster: each object stands once inside, once outside
    u, values = w + r, x + x
    indicator = [1] * len(x) + [0] * len(x)
    mx, mi = mean(u, values), mean(u, indicator)
    covariance = mean(u, [(a - mx) * (b - mi) for a, b in zip(values, indicator)])
    spread = mean(u, [(a - mx) ** 2 for a in values]) * mean(u, [(b - mi) ** 2 for b in indicator])
    return inside, outside, d, abs(covariance) / sqrt(spread)


def category(masses, sets, c, k, x):
    """Shares of each value in the cluster and in the rest, and Cramér's V, from expected counts."""
    values = sorted({value for value in x if value is not None})
    w = shares(masses, sets, k)
    r = [sum(shares(masses, sets, l)[i] for l in range(c) if l != k) for i in range(len(x))]
    table = [[sum(u[i] for i in range(len(x)) if x[i] == value) for value in values] for u in (w, r)]
    total = sum(map(sum, table))
    chi2 = 0.0
    for row in table:
        for j, observed in enumerate(row):
            expected = sum(row) * (table[0][j] + table[1][j]) / total
            chi2 += (observed - expected) ** 2 / expected if expected > 0 else 0.0
    inside, outside = ([count / sum(row) for count in row] for row in table)
    return dict(zip(values, zip(inside, outside))), sqrt(chi2 / total)

"""Section 5.1.4 of [antoine2012_cecm] word by word, in loops: which pair to ask about."""

from tests.oracles.baselines import distances
from tests.oracles.belief import pignistic


def proposal(X, masses, sets, V, norms, must_link, cannot_link, second_object="nearer"):
    """The pair to ask about, or None: sets as frozensets of clusters, links as lists of pairs."""
    n, c = len(X), len(V)
    together, apart = closure(n, must_link, cannot_link)
    scores = []
    for i in range(n):
        two = {A: masses[i][j] for j, A in enumerate(sets) if len(A) == 2}
        scores.append(max(two.items(), key=lambda item: item[1]))
    firsts = sorted(range(n), key=lambda i: -scores[i][1])
    squared = distances(X, V, norms)
    outwards = [sorted(range(n), key=lambda i, k=k: squared[i][k]) for k in range(c)]
    for rank in range(n):
        for i in firsts:
            if second_object == "any":
                clusters = sorted(range(c), key=lambda k: min(squared[j][k] for j in range(n)))
            elif second_object == "nearer":
                clusters = sorted(scores[i][0], key=lambda k: squared[i][k])
            else:
                clusters = sorted(scores[i][0], key=lambda k: -pignistic(dict(zip(sets, masses[i])), k))
            for k in clusters:
                j = outwards[k][rank]
                if i != j and (i, j) not in together and (i, j) not in apart:
                    return i, j
    return None


def closure(n, must_link, cannot_link):
    """All ordered pairs that must, or cannot, be together: chains followed until nothing is new."""
    together = {(i, i) for i in range(n)}
    together |= {pair for i, j in must_link for pair in ((i, j), (j, i))}
    while True:
        more = {(i, k) for i, j in together for j2, k in together if j == j2}
        if more <= together:
            break
        together |= more
    apart = set()
    for i, j in cannot_link:
        for a, b in ((i, j), (j, i)):
            apart |= {(x, y) for x in range(n) for y in range(n) if (x, a) in together and (b, y) in together}
    return together, apart

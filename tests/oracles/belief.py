"""Belief functions written as the papers print them: dictionaries from frozensets to masses, and loops.

Slow and plain on purpose. A mass function is a dict {frozenset: mass}; a frame is a frozenset.
"""

from itertools import chain, combinations
from math import log, log2, sqrt


def mass_functions(M, focal_sets):
    """Rows of an (n, f) array as dicts."""
    return [dict(zip(focal_sets.sets, map(float, row))) for row in M]


def subsets(frame):
    """All subsets of a frame."""
    members = sorted(frame)
    every = chain.from_iterable(combinations(members, r) for r in range(len(members) + 1))
    return [frozenset(A) for A in every]


def belief(m, A):
    return sum(v for B, v in m.items() if B and B <= A)


def plausibility(m, A):
    return sum(v for B, v in m.items() if B & A)


def commonality(m, A):
    return sum(v for B, v in m.items() if A <= B)


def implicability(m, A):
    return sum(v for B, v in m.items() if B <= A)


def pignistic(m, k):
    inside = sum(v for A, v in m.items() if A)
    return sum(v / len(A) for A, v in m.items() if k in A) / inside


def conflict(m1, m2):
    return sum(v * w for A, v in m1.items() for B, w in m2.items() if not A & B)


def combine(m1, m2, rule, frame):
    """Unnormalised combination of two mass functions by one of four rules."""
    out = {}
    for B, v in m1.items():
        for C, w in m2.items():
            A = B & C
            if rule == "disjunctive" or (rule == "dubois_prade" and not A):
                A = B | C
            elif rule == "yager" and not A:
                A = frozenset(frame)
            out[A] = out.get(A, 0.0) + v * w
    return out


def dempster_normalised(m):
    inside = sum(v for A, v in m.items() if A)
    return {A: v / inside for A, v in m.items() if A}


def jaccard(A, B):
    return 1.0 if A == B else len(A & B) / len(A | B)


def jousselme(m1, m2):
    sets = set(m1) | set(m2)
    d = {A: m1.get(A, 0.0) - m2.get(A, 0.0) for A in sets}
    return sqrt(max(0.0, sum(d[A] * jaccard(A, B) * d[B] for A in sets for B in sets) / 2))


def undominated(m, frame):
    out = set()
    for k in frame:
        if all(belief(m, frozenset([l])) <= plausibility(m, frozenset([k])) for l in frame):
            out.add(k)
    return out


def nonspecificity(ms, c):
    total = 0.0
    for m in ms:
        total += sum(v * log2(len(A)) if A else v * log2(c) for A, v in m.items())
    return total / (len(ms) * log2(c))


def relational(m1, m2, frame):
    """(m(empty), m({s}), m({not s}), m(Theta)) of two objects, as (9a) to (9d) are printed."""
    none = frozenset()
    e1, e2 = m1.get(none, 0.0), m2.get(none, 0.0)
    empty = e1 + e2 - e1 * e2
    same = sum(m1.get(frozenset([k]), 0.0) * m2.get(frozenset([k]), 0.0) for k in frame)
    different = conflict(m1, m2) - empty
    ignorance = sum(v * w for A, v in m1.items() for B, w in m2.items() if A & B) - same
    return empty, same, different, ignorance


def credal_rand(ms1, frame1, ms2, frame2):
    """1 minus the mean Jousselme distance of the relational mass functions over all pairs."""
    names = (frozenset(), frozenset("s"), frozenset("d"), frozenset("sd"))
    n, total = len(ms1), 0.0
    for i in range(n):
        for j in range(i + 1, n):
            r1 = dict(zip(names, relational(ms1[i], ms1[j], frame1)))
            r2 = dict(zip(names, relational(ms2[i], ms2[j], frame2)))
            total += jousselme(r1, r2)
    return 1 - total / (n * (n - 1) / 2)


def misclassified(y_true, y_pred):
    """Fewest errors over all one-to-one matchings, by trying them all."""
    from itertools import permutations

    classes, clusters = sorted(set(y_true)), sorted(set(y_pred))
    width = max(len(classes), len(clusters))
    best = len(y_true)
    for order in permutations(range(width)):
        wrong = 0
        for t, p in zip(y_true, y_pred):
            wrong += order[clusters.index(p)] != classes.index(t)
        best = min(best, wrong)
    return best


def purity(y_true, y_pred):
    """[jiao2022_egmm (34)]."""
    right = 0
    for cluster in set(y_pred):
        members = [t for t, p in zip(y_true, y_pred) if p == cluster]
        right += max(members.count(t) for t in set(members))
    return right / len(y_true)


def nmi(y_true, y_pred):
    """[jiao2022_egmm (35)], with the mean of the two entropies below; 1 where both are 0."""

    def entropy(labels):
        shares = [labels.count(label) / len(labels) for label in set(labels)]
        return -sum(share * log(share) for share in shares)

    first, second = entropy(list(y_true)), entropy(list(y_pred))
    information = first + second - entropy(list(zip(y_true, y_pred)))
    return information / ((first + second) / 2) if first + second else 1.0


def adjusted_rand(y_true, y_pred):
    """[jiao2022_egmm (36)], from the four kinds of pairs; 1 where it is 0/0."""
    tp = tn = fp = fn = 0
    for i in range(len(y_true)):
        for j in range(i):
            together, found = y_true[i] == y_true[j], y_pred[i] == y_pred[j]
            tp += together and found
            tn += not together and not found
            fp += found and not together
            fn += together and not found
    below = (tp + fn) * (fn + tn) + (tp + fp) * (fp + tn)
    return 2 * (tp * tn - fn * fp) / below if below else 1.0

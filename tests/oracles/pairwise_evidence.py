"""Combination of evidence as the rules are printed: dictionaries, and all choices of one set each."""

from functools import reduce
from itertools import product
from math import prod

from . import belief

SAME, DIFFERENT = frozenset("s"), frozenset("d")
BOTH = SAME | DIFFERENT


def evidence(s, d):
    return {SAME: s, DIFFERENT: d, BOTH: 1 - s - d}


def combined(evidences, rule):
    """Mass functions on {s, d}, combined: a dict."""
    if rule == "average":
        return {A: sum(m[A] for m in evidences) / len(evidences) for A in (SAME, DIFFERENT, BOTH)}
    if rule == "dempster":
        return belief.dempster_normalised(in_turn(evidences, "conjunctive"))
    if rule == "dubois_prade":
        return dubois_prade_of_all(evidences)
    return in_turn(evidences, {"dubois_prade_sequential": "dubois_prade"}.get(rule, rule))


def in_turn(evidences, rule):
    return reduce(lambda m1, m2: belief.combine(m1, m2, rule, BOTH), evidences)


def dubois_prade_of_all(evidences):
    """Of all choices of one set in each opinion: the intersection, or the union where that is empty."""
    out = {}
    for sets in product(*evidences):
        A = frozenset.intersection(*sets) or frozenset.union(*sets)
        out[A] = out.get(A, 0.0) + prod(m[B] for m, B in zip(evidences, sets))
    return out

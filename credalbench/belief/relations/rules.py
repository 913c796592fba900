r"""Rules that combine N mass functions on "same cluster" and "different clusters" into one.

The *evidence* of source b about a pair of objects has masses :math:`s_b` on {s}, :math:`d_b` on {not s} and
:math:`t_b` on {s, not s}, its ignorance, and none on the empty set. With

.. math:: q_s = \prod_b (s_b + t_b), \qquad q_d = \prod_b (d_b + t_b), \qquad q_t = \prod_b t_b

the evidence of N sources is combined into

=========================  ============================  ============================
rule                       same                          different
=========================  ============================  ============================
average                    mean of the s_b               mean of the d_b
dempster                   (q_s - q_t) / K               (q_d - q_t) / K
disjunctive                product of the s_b            product of the d_b
dubois_prade               q_s - q_t                     q_d - q_t
dubois_prade_sequential    one source after the other, in order
=========================  ============================  ============================

with :math:`K = q_s + q_d - q_t`; the rest is ignorance. The binary rule of Dubois and Prade is not
associative. There are therefore two versions: the rule for N sources, which all count equally [dubois1988],
and the binary rule applied from the first source to the last, whose result depends on their order.

Sources are processed one after the other and not stored. A literal oracle is in
``tests/oracles/pairwise_evidence.py``.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

import numpy as np

from credalbench.belief import RelationalMasses
from credalbench.core.arguments import Choice, expect, expect_instance

ROUNDED = 8 * np.finfo(float).eps  # ignorance computed as 1 - s - d is rounding up to this value

Masses = tuple[np.ndarray, ...]  # arrays of one shape


class Rule(NamedTuple):
    """Three functions: start from evidence (s, d, t), combine it with more, and return s and d."""

    start: Callable[[np.ndarray, np.ndarray, np.ndarray], Masses]
    combine: Callable[[Masses, Masses], Masses]
    finish: Callable[[Masses, int], Masses]


def each(ufunc: np.ufunc, current: Masses, more: Masses) -> Masses:
    """Apply `ufunc` array by array; write into the arrays of `current`."""
    return tuple(ufunc(a, b, out=a) for a, b in zip(current, more))


def specific(s: np.ndarray, d: np.ndarray, t: np.ndarray) -> Masses:
    """Return the masses that are not ignorance."""
    return s, d


def factors(s: np.ndarray, d: np.ndarray, t: np.ndarray) -> Masses:
    """Return the factors of q_s, q_d and q_t: plausibilities of "same" and "different", and ignorance."""
    return s + t, d + t, t


def log_factors(s: np.ndarray, d: np.ndarray, t: np.ndarray) -> Masses:
    """Return logarithms of `factors`, since products of many factors underflow."""
    with np.errstate(divide="ignore"):
        return tuple(np.log(factor) for factor in factors(s, d, t))


def dempster(logs: Masses, n_sources: int) -> Masses:
    """Combine by Dempster's rule for N sources [li2020_ensemble (4)]; NaN for total conflict.

    References
    ----------
    [li2020_ensemble]
    """
    largest = np.maximum(logs[0], logs[1])
    with np.errstate(invalid="ignore"):  # both products are zero
        q_s, q_d, q_t = (np.exp(log - largest) for log in logs)
    K = q_s + q_d - q_t
    return np.maximum(q_s - q_t, 0.0) / K, np.maximum(q_d - q_t, 0.0) / K  # rounding of logarithms


def dubois_prade(products: Masses, n_sources: int) -> Masses:
    """Combine N sources by the rule of Dubois and Prade: intersections, or ignorance if they are empty."""
    q_s, q_d, q_t = products
    return q_s - q_t, q_d - q_t


def dubois_prade_of_two(current: Masses, more: Masses) -> Masses:
    """Combine two sources by the rule of Dubois and Prade [li2020_ensemble (5)].

    References
    ----------
    [li2020_ensemble], [dubois1988]
    """
    (s, d, t), (s2, d2, t2) = current, more
    return s * (s2 + t2) + t * s2, d * (d2 + t2) + t * d2, t * t2 + s * d2 + d * s2


PROCEDURES = {
    "average": Rule(specific, partial(each, np.add), lambda sums, n: (sums[0] / n, sums[1] / n)),
    "dempster": Rule(log_factors, partial(each, np.add), dempster),
    "disjunctive": Rule(specific, partial(each, np.multiply), lambda products, n: products),
    "dubois_prade": Rule(factors, partial(each, np.multiply), dubois_prade),
    "dubois_prade_sequential": Rule(
        lambda *masses: masses, dubois_prade_of_two, lambda masses, n: masses[:2]
    ),
}
RULES = tuple(PROCEDURES)
RULE = Choice(*RULES)


def apply_rule(evidence: Iterable[Masses], rule: str, n_sources: int) -> Masses:
    """Combine the evidence of N sources, one after the other, and return s and d.

    They are NaN for total conflict under Dempster's rule; the caller must check for it.
    """
    procedure, current = PROCEDURES[rule], None
    for s, d in evidence:
        more = procedure.start(s, d, ignorance(s, d))
        current = tuple(map(np.array, more)) if current is None else procedure.combine(current, more)
    return procedure.finish(current, n_sources)


def ignorance(s: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return 1 - s - d, or 0 where it is rounding."""
    t = 1.0 - s - d
    return np.where(t > ROUNDED, t, 0.0)


def combine_evidence(evidence: RelationalMasses, rule: str = "average") -> RelationalMasses:
    """Combine the evidence of N sources about the same pairs.

    Parameters
    ----------
    evidence : RelationalMasses
        Arrays of shape (N, ...) without mass on the empty set, as `evidence_of_pair` returns them.
    rule : str, default "average"
        One of `RULES` (see the module).

    Returns
    -------
    RelationalMasses
        Arrays of shape (...).

    Raises
    ------
    ValueError
        If there is no such rule, no source, or total conflict under Dempster's rule.

    References
    ----------
    [li2020_ensemble], [dubois1988]

    Examples
    --------
    >>> same, unknown = np.array([0.6, 0.0]), np.array([0.4, 0.5])
    >>> evidence = RelationalMasses(np.zeros(2), same, 1 - same - unknown, unknown)
    >>> [round(float(combine_evidence(evidence, rule).same), 3) for rule in ("average", "dempster")]
    [0.3, 0.429]
    """
    expect_instance("evidence", evidence, RelationalMasses)
    rule, n_sources = RULE.read("rule", rule), len(evidence.same)
    expect(n_sources > 0, "at least one source", n_sources)
    s, d = apply_rule(zip(evidence.same, evidence.different), rule, n_sources)
    expect(not np.isnan(s).any(), "evidence that Dempster's rule can combine", "total conflict")
    return RelationalMasses(np.zeros_like(s), s, d, ignorance(s, d))

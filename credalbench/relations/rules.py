r"""Rules that combine opinions: N mass functions on "same cluster" and "different clusters" into one.

An *opinion* of a pair of objects has masses :math:`s_b` on {s}, :math:`d_b` on {not s} and :math:`t_b` on
both, its ignorance, and none on the empty set. With

.. math:: q_s = \prod_b (s_b + t_b), \qquad q_d = \prod_b (d_b + t_b), \qquad q_t = \prod_b t_b

N opinions become

=========================  ============================  ============================
rule                       same                          different
=========================  ============================  ============================
average                    mean of the s_b               mean of the d_b
dempster                   (q_s - q_t) / K               (q_d - q_t) / K
disjunctive                product of the s_b            product of the d_b
dubois_prade               q_s - q_t                     q_d - q_t
dubois_prade_sequential    two opinions after the other, in their order
=========================  ============================  ============================

with :math:`K = q_s + q_d - q_t`; the rest is ignorance. The binary rule of Dubois and Prade is not
associative. So there are two of them: the rule for N opinions, which all count alike [dubois1988], and the
binary one applied from the first opinion to the last, whose result depends on their order.

Opinions come one after the other and are not kept. Literal oracle: ``tests/oracles/opinions.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

import numpy as np

from credalbench.arguments import Choice, expect
from credalbench.belief import RelationalMasses

ROUNDED = 8 * np.finfo(float).eps  # of ignorance, the rest of 1: up to this, there is none

Masses = tuple[np.ndarray, ...]  # arrays of one shape


class Rule(NamedTuple):
    """What a rule keeps of an opinion (s, d, t), how it joins more to it, and the s and d it comes to."""

    kept: Callable[[np.ndarray, np.ndarray, np.ndarray], Masses]
    joined: Callable[[Masses, Masses], Masses]
    concluded: Callable[[Masses, int], Masses]


def each(ufunc: np.ufunc, kept: Masses, more: Masses) -> Masses:
    """Join what is kept of two opinions, array by array, in the arrays of the first."""
    return tuple(ufunc(a, b, out=a) for a, b in zip(kept, more))


def specific(s: np.ndarray, d: np.ndarray, t: np.ndarray) -> Masses:
    """What is not ignorance."""
    return s, d


def factors(s: np.ndarray, d: np.ndarray, t: np.ndarray) -> Masses:
    """Those of q_s, q_d and q_t: the plausibilities of "same" and of "different", and the ignorance."""
    return s + t, d + t, t


def log_factors(s: np.ndarray, d: np.ndarray, t: np.ndarray) -> Masses:
    """Their logarithms: products of many factors leave the range of floating point."""
    with np.errstate(divide="ignore"):
        return tuple(np.log(factor) for factor in factors(s, d, t))


def dempster(logs: Masses, n_opinions: int) -> Masses:
    """Dempster's rule for N opinions [li2020_ensemble (4)]; NaN where they are in total conflict.

    References
    ----------
    li2020_ensemble
    """
    largest = np.maximum(logs[0], logs[1])
    with np.errstate(invalid="ignore"):  # both products are zero
        q_s, q_d, q_t = (np.exp(log - largest) for log in logs)
    K = q_s + q_d - q_t
    return np.maximum(q_s - q_t, 0.0) / K, np.maximum(q_d - q_t, 0.0) / K  # rounding of logarithms


def dubois_prade(products: Masses, n_opinions: int) -> Masses:
    """The rule of Dubois and Prade for N opinions: what all admit, and ignorance where nothing is."""
    q_s, q_d, q_t = products
    return q_s - q_t, q_d - q_t


def dubois_prade_of_two(kept: Masses, more: Masses) -> Masses:
    """The rule of Dubois and Prade for two opinions [li2020_ensemble (5)].

    References
    ----------
    li2020_ensemble, dubois1988
    """
    (s, d, t), (s2, d2, t2) = kept, more
    return s * (s2 + t2) + t * s2, d * (d2 + t2) + t * d2, t * t2 + s * d2 + d * s2


PROCEDURES = {
    "average": Rule(specific, partial(each, np.add), lambda sums, n: (sums[0] / n, sums[1] / n)),
    "dempster": Rule(log_factors, partial(each, np.add), dempster),
    "disjunctive": Rule(specific, partial(each, np.multiply), lambda products, n: products),
    "dubois_prade": Rule(factors, partial(each, np.multiply), dubois_prade),
    "dubois_prade_sequential": Rule(
        lambda *opinion: opinion, dubois_prade_of_two, lambda opinion, n: opinion[:2]
    ),
}
RULES = tuple(PROCEDURES)
RULE = Choice(*RULES)


def concluded(opinions: Iterable[Masses], rule: str, n_opinions: int) -> Masses:
    """The s and d that a rule comes to from those of N opinions, taken one after the other.

    NaN where Dempster's rule meets total conflict: for the caller to refuse.
    """
    procedure, kept = PROCEDURES[rule], None
    for s, d in opinions:
        more = procedure.kept(s, d, ignorance(s, d))
        kept = tuple(map(np.array, more)) if kept is None else procedure.joined(kept, more)
    return procedure.concluded(kept, n_opinions)


def ignorance(s: np.ndarray, d: np.ndarray) -> np.ndarray:
    """The rest of 1, or 0 where it is rounding."""
    t = 1.0 - s - d
    return np.where(t > ROUNDED, t, 0.0)


def combine_evidence(opinions: RelationalMasses, rule: str = "average") -> RelationalMasses:
    """N opinions of the same pairs, combined.

    Parameters
    ----------
    opinions : RelationalMasses with arrays of shape (N, ...)
        Without mass on the empty set, as `opinions.evidence_of_pair` gives them.
    rule : {"average", "dempster", "disjunctive", "dubois_prade", "dubois_prade_sequential"}

    Returns
    -------
    RelationalMasses with arrays of shape (...)

    Raises
    ------
    ValueError
        No such rule, no opinion, or total conflict under Dempster's rule.

    Examples
    --------
    >>> same, ignorance = np.array([0.6, 0.0]), np.array([0.4, 0.5])
    >>> opinions = RelationalMasses(np.zeros(2), same, 1 - same - ignorance, ignorance)
    >>> [round(float(combine_evidence(opinions, rule).same), 3) for rule in ("average", "dempster")]
    [0.3, 0.429]

    References
    ----------
    li2020_ensemble, dubois1988
    """
    rule, n_opinions = RULE.read("rule", rule), len(opinions.same)
    expect(n_opinions > 0, "at least one opinion", n_opinions)
    s, d = concluded(zip(opinions.same, opinions.different), rule, n_opinions)
    expect(not np.isnan(s).any(), "opinions that Dempster's rule can combine", "some in total conflict")
    return RelationalMasses(np.zeros_like(s), s, d, ignorance(s, d))

"""The language of claims: which side an estimate lies on, what is said of it, and how claims are declared."""

import sys
import types

import numpy as np
import pandas as pd
import pytest

from credalbench.core.intervals import Estimate, bootstrap, mean, ratio
from credalbench.papers import PAPER, Claim, Finding, NotCheckable, Printed
from credalbench.papers.claims import LISTED, above, agrees, all_of, below, claim, claims_of, within
from credalbench.papers.verdicts import judge_claim

ONE_RUN = Estimate(3.0, -np.inf, np.inf, 1)


def between(low, high, n=20):
    return Estimate((low + high) / 2, low, high, n)


@pytest.mark.parametrize(
    ("comparison", "estimate", "holds"),
    [
        (lambda e: above(1, e), between(1.1, 1.5), True),
        (lambda e: above(1, e), between(0.5, 0.9), False),
        (lambda e: above(1, e), between(0.9, 1.3), None),
        (lambda e: above(1, e), between(0.5, 1.0), False),  # at most the bound is not above it
        (lambda e: above(1, e), 1.0, False),
        (lambda e: above(1, e), 1.1, True),
        (lambda e: above(1, e), ONE_RUN, None),
        (lambda e: above(1, e), Estimate(np.inf, 2.0, np.inf, 9), True),
        (lambda e: below(1, e), between(0.5, 0.9), True),
        (lambda e: below(1, e), between(1.1, 1.5), False),
        (lambda e: below(1, e), between(0.9, 1.3), None),
        (lambda e: below(1, e), between(1.0, 1.5), False),
        (lambda e: below(1, e), 1.0, False),
        (lambda e: below(1, e), np.float64(0.9), True),
        (lambda e: below(1, e), ONE_RUN, None),
        (lambda e: within(1, 2, e), between(1.1, 1.5), True),
        (lambda e: within(1, 2, e), between(0.2, 0.9), False),
        (lambda e: within(1, 2, e), between(2.1, 2.9), False),
        (lambda e: within(1, 2, e), between(0.9, 1.5), None),
        (lambda e: within(1, 2, e), between(0.5, 2.5), None),
        (lambda e: within(1, 2, e), 2.0, True),
        (lambda e: within(0.1, 0.3, e), 0.1 + 0.2, True),  # up to rounding
        (lambda e: within(1, 2, e), 2.001, False),
        (lambda e: within(1, 2, e), ONE_RUN, None),
        (lambda e: agrees(Printed(0.86, 0.005, "Table 5"), e), between(0.857, 0.863), True),
        (lambda e: agrees(Printed(0.86, 0.005, "Table 5"), e), between(0.87, 0.88), False),
        (lambda e: agrees(Printed(0.86, 0.005, "Table 5"), e), between(0.82, 0.92), None),
        (lambda e: agrees(Printed(0.3, 0, "Table 1"), e), 0.1 + 0.2, True),
        (lambda e: agrees(Printed(3, 0, "Table 1"), e), 4, False),
    ],
)
def test_a_comparison_is_reproduced_not_reproduced_or_open(comparison, estimate, holds):
    found = comparison(estimate)
    assert found.holds is holds and comparison({"a": estimate}).holds is holds
    assert bool(found.note or found.compared) == (holds is None or bool(found.compared))


def test_our_value_is_shown_with_its_interval_and_label():
    assert above(0, mean([1.0, 2.0, 3.0]), ".2f", "as drawn") == Finding(
        None, "2.00 (-0.48 to 4.48)", above(0, mean([1.0, 2.0, 3.0]), note="as drawn").note
    )
    found = below(2, {"iris": 1.0, "wine": 1.5}, ".1f", "as drawn")
    assert (found.ours, found.note) == ("iris: 1.0; wine: 1.5", "as drawn")
    assert above(0, 0.25, ".0%").ours == "25%"


def test_several_hold_when_each_does():
    low, high, open_ = between(0.5, 0.9), between(1.1, 1.5), between(0.9, 1.2)
    assert above(1, {"a": high, "b": high}).holds is True
    assert above(1, {"a": high, "b": open_, "c": low}).holds is False
    found = above(1, {"a": high, "b": open_})
    assert found.holds is None and found.note.startswith("b: open")


FOUR_TIMES = "about 4 times as many runs would decide, if the value stays"


def test_many_are_counted_and_the_deviants_named():
    values = {f"n = {n}": float(n) for n in range(1, LISTED + 2)}
    assert above(0, values).ours == f"9 of 9; 1 to {LISTED + 1}"
    found = above(1.5, {**values, "n = 5": between(1, 3)}, note="ours")
    assert found.holds is False and found.ours == "7 of 9; 1 to 9"
    assert found.note == "; ".join(["ours", "not reproduced: n = 1: 1", f"n = 5: open: {FOUR_TIMES}"])
    undecided = above(1.5, {n: between(1, 3) for n in range(LISTED + 1)})
    assert undecided.note.startswith("open: 0: 2 (1 to 3), 1: 2 (1 to 3), ")


@pytest.mark.parametrize(
    ("found", "note"),
    [
        (above(1, between(0.9, 1.3)), "open: about 4 times as many runs"),  # (0.2 / 0.1)^2
        (below(1.16, between(0.9, 1.3)), "open: about 12 times"),  # (0.2 / 0.06)^2 = 11.1
        (within(1, 3, between(0.9, 1.9)), "open: about 2 times"),  # (0.5 / 0.4)^2, rounded up
        (above(1, between(0.9, 1.13)), "open: about 59 times"),  # (0.115 / 0.015)^2 = 58.8
        (above(1, between(0.5, 1.5)), "open: the interval includes the bound"),
        (above(1, between(0.9, 1.1 + 1e-9)), "open: the interval includes the bound"),
        (above(1, Estimate(1.2, -1e200, 1e200, 9)), "open: the interval includes the bound"),
        (above(1, Estimate(np.inf, 0.5, np.inf, 9)), "open: the interval includes the bound"),
        (above(1, ONE_RUN), "open: one run has no interval"),
    ],
)
def test_what_would_decide(found, note):
    assert found.holds is None and found.note.startswith(note)


def test_as_many_more_runs_do_decide():
    """The note's promise, kept on draws whose spread and mean stay."""
    values = np.array([-0.2, 1.0] * 8)  # mean 0.4
    first = above(0.3, mean(values))
    times = int(first.note.split("about ")[1].split()[0])
    assert first.holds is None and above(0.3, mean(np.tile(values, times))).holds is True


def test_agreement_with_several_printed_values():
    printed = {1: Printed(0.86, 0.005, "Table 5"), 2: Printed(0.7, 0.05, "Table 5")}
    found = agrees(printed, {1: 0.864, 2: 0.66}, ".3f", "trials are ours")
    assert (found.holds, found.ours) == (True, "ours minus printed -0.040 to +0.004")
    assert found.note == "trials are ours" and [c.label for c in found.compared] == ["1", "2"]
    assert agrees(printed, {1: 0.87, 2: 0.7}).holds is False
    assert agrees(printed, {1: 0.86, 2: between(0.5, 0.8)}).holds is None


def test_printed_values_and_estimates_must_match():
    printed = {"a": Printed(1, 0, "p. 1"), "b": Printed(2, 0, "p. 1")}
    with pytest.raises(NotCheckable, match="no value in these tables for b"):
        agrees(printed, {"a": 1})
    with pytest.raises(ValueError, match="a printed value for every estimate, got none for c"):
        agrees(printed, {"a": 1, "b": 2, "c": 3})


@pytest.mark.parametrize("holds", [True, False, None])
def test_all_of_is_three_valued(holds):
    yes, other = Finding(True, "1"), Finding(holds, "2", "why")
    assert all_of(yes, other) == Finding(holds, "1; 2", "why")
    assert all_of(other, Finding(None, "", "why")).holds is (False if holds is False else None)
    assert all_of(Finding(False, "3"), other).holds is False


@pytest.mark.parametrize(
    "comparison",
    [lambda e: above(0, e), lambda e: agrees(Printed(0, 1, "p. 1"), e), lambda e: within(0, 1, e)],
)
def test_nothing_to_compare_cannot_be_checked(comparison):
    with pytest.raises(NotCheckable, match="nothing to compare"):
        comparison({})
    with pytest.raises(NotCheckable, match=r"^no value in these tables"):
        comparison(float("nan"))
    with pytest.raises(NotCheckable, match="n = 5: no value in these tables"):
        comparison({"n = 4": 0.5, "n = 5": ratio([np.inf, np.inf], [np.inf, np.inf])})


def test_all_of_nothing_cannot_be_checked():
    with pytest.raises(NotCheckable):
        all_of()


def declared(name="a_study", **values):
    """A module with these values, in their order."""
    module = types.ModuleType(name)
    vars(module).update(values)
    return module


def test_a_claim_is_declared_where_it_is_checked():
    printed = Printed(0.863, 0.0005, "Table 5, p. 12")

    @claim("fig-1", "m({1}) is above 0", published=printed, explanation="{as is}", stand_in=True)
    def positive(params, tables):
        return above(params, tables["t"])

    assert isinstance(positive, Claim) and positive.basis == PAPER
    assert positive.statement == "m({1}) is above 0" and positive.explanation == "{as is}"
    assert positive.published == "0.863 (Table 5, p. 12)" and positive.stand_in
    assert positive(0, {"t": 1.0}) == Finding(True, "1")


def test_one_check_for_several_claims():
    @claim(
        "{artefact}",
        "{dataset}: m({{1}}) is above {bound}",
        PAPER,
        published="about {bound}",
        each=[{"artefact": f"tab-{i}", "dataset": d, "bound": i} for i, d in enumerate(("iris", "wine"))],
    )
    def positive(params, tables, dataset, bound, form=".1f"):
        return above(bound, tables[dataset], form)

    assert [c.artefact for c in positive] == ["tab-0", "tab-1"]
    assert [c.statement for c in positive] == ["iris: m({1}) is above 0", "wine: m({1}) is above 1"]
    assert [c.published for c in positive] == ["about 0", "about 1"]
    assert [c(None, {"iris": 1, "wine": 1}).holds for c in positive] == [True, False]
    assert positive[0].check.__wrapped__.__name__ == "positive"
    assert positive[1](None, {"wine": 2}).ours == "2.0"


def test_an_argument_that_no_entry_has_is_refused_at_once():
    with pytest.raises(TypeError, match="expected 'bound' in every entry of `each`, got dataset"):

        @claim("a", "b", PAPER, each=[{"dataset": "iris"}])
        def check(params, tables, dataset, bound):
            return above(bound, tables[dataset])


def test_claims_come_in_the_order_of_declaration_each_once(monkeypatch):
    a, b, c, d = (Claim("x", name, PAPER, above) for name in "abcd")
    first = declared(zeta=a, helper=len, family=(b, c), empty=(), numbers=(1, 2), alpha=d)
    second = declared(again=(a, b), other=Claim("x", "e", PAPER, above))
    monkeypatch.setitem(sys.modules, "first_of_a_test", first)
    monkeypatch.setitem(sys.modules, "second_of_a_test", second)
    assert [c.statement for c in claims_of("first_of_a_test")] == list("abcd")
    both = claims_of("first_of_a_test", "second_of_a_test")
    assert [c.statement for c in both] == list("abcde")


def judged(error, tables=None):
    def check(params, tables):
        raise error

    return judge_claim(Claim("a", "b", PAPER, check, explanation="unused"), None, tables or {})


def test_what_cannot_be_checked_has_its_reason_and_is_no_error():
    found = judged(NotCheckable("only at n = 200"))
    assert (found.verdict, found.explanation, found.error) == ("not checkable", "only at n = 200", "")
    assert judged(NotCheckable()).explanation == "no reason given"
    failures = pd.DataFrame({"status": ["left out"], "reason": ["data set digits:\nfetch it"]})
    assert judged(NotCheckable("no runs"), {"failures": failures}).explanation == (
        "left out: data set digits; no runs"
    )


def test_any_other_exception_is_kept_as_an_error():
    found = judged(KeyError("ari"))
    assert found.verdict == "not checkable" and found.error == "KeyError: 'ari'"
    assert "KeyError: 'ari'" in found.explanation
    failures = pd.DataFrame({"status": ["failed"], "reason": ["diverged"]})
    assert judged(KeyError("ari"), {"failures": failures}).explanation.startswith("1 failed case(s); ")


def test_an_estimate_made_by_hand_compares_like_the_others():
    values = np.random.default_rng(0).normal(5, 1, 30)
    assert above(4, bootstrap(lambda v: np.quantile(v, 0.9, axis=-1), values)).holds

"""Claims: the statements of a paper that a study checks against its tables.

A claim is declared as a decorator of its check. The check compares estimates with bounds or printed values;
verdict, our value in words and note follow from the comparison::

    @claim("evclus-txt-01", "MECM is slower than IRQP (medians)", sentence="S35")
    def mecm_slower(params, tables):
        return above(1, {f"n = {n}": ratio(*times(tables, n, "mecm", "irqp")) for n in (100, 200)})

An order is *reproduced* if the 95 % interval lies on the stated side, *not reproduced* if it lies on the
other side, and *open* if it has parts on both; a printed value is compared with what our program would print
(see `judging`). Several comparisons are reproduced if each is, and not reproduced if one differs by more than
their number explains. A check that the tables cannot answer raises `NotCheckable`.
"""

import functools
import inspect
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from credalbench.core.intervals import Estimate, exact

from .judging import Comparison, conjunction, judge_together, smallest, with_printed, with_range
from .reasons import Choice
from .reference import Printed
from .statement import PAPER, Claim, Finding

Estimates = Estimate | float | Mapping[str, Estimate | float]
#: More estimates than this are counted in words, not listed.
LISTED = 8


class NotCheckable(Exception):
    """A claim that these tables cannot answer.

    Parameters
    ----------
    reason : str, default=""
        What is missing.
    printed : iterable of Printed, optional
        The printed values that the claim is about.
    """

    def __init__(self, reason: str = "", printed: Iterable[Printed] = ()) -> None:
        super().__init__(reason)
        self.printed = tuple(printed)


# ---------------------------------------------------------------- declaring


def claim(
    artefact: str,
    statement: str,
    basis: str = PAPER,
    *,
    sentence: str = "",
    published: str | Printed = "",
    explanation: str = "",
    cause: str = "",
    fitted: str | Choice | tuple[Choice, ...] = (),
    stand_in: bool | Callable = False,
    caveat: str = "",
    by_definition: bool = False,
    each: Iterable[Mapping[str, Any]] | None = None,
) -> Callable:
    """Declare the function below as the check of a `Claim` (see there for the parameters).

    Parameters
    ----------
    basis : str
        One of `BASES`; without one, the statement is the paper's.
    each : iterable of dict, optional
        Declare one claim for every entry: the texts are formatted with it (``"{dataset}: ..."``), and the
        check, or a callable `stand_in`, gets the entries that it has arguments for. A literal brace is
        then doubled, ``"m({{1}})"``; without `each` it is not.
    fitted : Choice, tuple of Choice or str
        With `each` also the name of the entry that has the choices, ``"{fitted}"``.
    """
    fields = {
        "artefact": artefact,
        "statement": statement,
        "basis": basis,
        "sentence": sentence,
        "published": str(published),
        "explanation": explanation,
        "cause": cause,
        "fitted": fitted,
        "stand_in": stand_in,
        "caveat": caveat,
        "by_definition": by_definition,
    }

    def declare(check: Callable) -> Claim | tuple[Claim, ...]:
        fields["check"] = check
        if each is None:
            return Claim(**fields)
        return tuple(Claim(**_of_entry(fields, case)) for case in each)

    return declare


def claims_of(*modules: str) -> tuple[Claim, ...]:
    """Return every claim that modules declare, in the order of declaration; ``claims_of(__name__)``."""
    found = []
    for module in modules:
        for value in vars(sys.modules[module]).values():
            values = value if isinstance(value, tuple) else (value,)
            found += values if values and all(isinstance(one, Claim) for one in values) else []
    return tuple(dict.fromkeys(found))


def _of_entry(fields: Mapping[str, Any], case: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the claim for one entry of `each`."""
    chosen = fields["fitted"]
    found = {name: _of_case(value, case) for name, value in fields.items() if name != "fitted"}
    found["fitted"] = case[chosen.strip("{}")] if isinstance(chosen, str) else chosen
    return found | ({} if found["explanation"] else {"cause": ""})  # some entries need no explanation


def _of_case(value: Any, case: Mapping[str, Any]) -> Any:
    """Return a field of a claim for one entry of `each`: format texts, give functions their arguments."""
    if isinstance(value, str):
        return value.format(**case)
    return _for_case(value, case) if callable(value) else value


def _for_case(function: Callable, case: Mapping[str, Any]) -> Callable:
    """Return a function of parameters and tables that gets the entries of `case` it has arguments for."""
    arguments = _arguments(list(inspect.signature(function).parameters.values())[2:], case)

    @functools.wraps(function)
    def with_arguments(params: Any, tables: Mapping) -> Any:
        return function(params, tables, **arguments)

    return with_arguments


def _arguments(parameters: list[inspect.Parameter], case: Mapping[str, Any]) -> dict[str, Any]:
    for parameter in parameters:
        if parameter.name not in case and parameter.default is parameter.empty:
            raise TypeError(f"expected {parameter.name!r} in every entry of `each`, got {', '.join(case)}")
    return {parameter.name: case[parameter.name] for parameter in parameters if parameter.name in case}


# ---------------------------------------------------------------- comparing


def above(bound: float, estimates: Estimates, form: str = ".3g", note: str = "") -> Finding:
    """Judge whether every estimate is above `bound`; `form` is the format of the numbers."""
    return _in_range(estimates, form, note, low=bound)


def below(bound: float, estimates: Estimates, form: str = ".3g", note: str = "") -> Finding:
    """Judge whether every estimate is below `bound`."""
    return _in_range(estimates, form, note, high=bound)


def within(low: float, high: float, estimates: Estimates, form: str = ".3g", note: str = "") -> Finding:
    """Judge whether every estimate is in `low` to `high`, both included up to rounding."""
    return _in_range(estimates, form, note, low=low, high=high, closed=True)


def agrees(
    printed: Printed | Mapping[str, Printed], estimates: Estimates, form: str = ".3g", note: str = ""
) -> Finding:
    """Judge whether our program, run as the paper ran it, would print every value.

    If a bound is printed, judge whether the estimate is on the printed side. Several printed values have the
    keys of the estimates; the finding has a verdict on each. A printed value without an estimate cannot be
    checked; an estimate without a printed value raises ValueError.
    """
    several = not isinstance(printed, Printed)
    try:
        ours = _named(estimates)
    except NotCheckable as reason:
        raise NotCheckable(str(reason), printed.values() if several else [printed]) from None
    values = {str(k): v for k, v in printed.items()} if several else dict.fromkeys(ours, printed)
    if missing := [key for key in values if key not in ours]:
        raise NotCheckable(f"no value in these tables for {', '.join(missing)}", values.values())
    if unknown := [key for key in ours if key not in values]:
        raise ValueError(f"expected a printed value for every estimate, got none for {', '.join(unknown)}")
    compared = [with_printed(values[key], e, form=form, label=key) for key, e in ours.items()]
    words = "; ".join(labelled(c.label, c.ours) for c in compared)
    if several:
        gaps = [c.estimate.value - c.printed.value for c in compared]
        words = f"ours minus printed {format(min(gaps), f'+{form}')} to {format(max(gaps), f'+{form}')}"
    return Finding(judge_together(compared), words, note, tuple(compared), rest=True)


def all_of(*findings: Finding) -> Finding:
    """Combine findings: the result holds if all hold, and does not hold if one does not."""
    if not findings:
        raise NotCheckable("there is nothing to compare in these tables")
    compared = tuple(c for f in findings for c in f.compared)
    return Finding(
        conjunction(f.holds for f in findings),
        "; ".join(f.ours for f in findings if f.ours),
        sentences(*(f.note for f in findings)),
        compared,
        conjunction(f.rest if f.compared else f.holds for f in findings),
    )


def _in_range(estimates: Estimates, form: str, note: str, **bounds: float) -> Finding:
    """Return the finding on orders; few are listed, many counted."""
    compared = [with_range(e, form=form, label=k, **bounds) for k, e in _named(estimates).items()]
    holds = judge_together(compared)
    if len(compared) <= LISTED:
        ours = "; ".join(labelled(c.label, c.ours) for c in compared)
    else:
        low, high = (format(end(c.estimate.value for c in compared), form) for end in (min, max))
        ours = f"{sum(c.outcome() is True for c in compared)} of {len(compared)}; {low} to {high}"
    return Finding(holds, ours, sentences(note, *exceptions(compared, smallest(compared))))


def _named(estimates: Estimates) -> dict[str, Estimate]:
    named = estimates if isinstance(estimates, Mapping) else {"": estimates}
    if not named:
        raise NotCheckable("there is nothing to compare in these tables")
    found = {str(key): e if isinstance(e, Estimate) else exact(e) for key, e in named.items()}
    for label, estimate in found.items():
        if math.isnan(estimate.value):
            raise NotCheckable(labelled(label, "no value in these tables"))
    return found


def exceptions(compared: Iterable[Comparison], threshold: float) -> list[str]:
    """Describe which of several comparisons are not reproduced, and which are open and why."""
    compared = list(compared)
    differing = [labelled(c.label, c.ours) for c in compared if c.outcome(threshold) is False]
    still_open = [c for c in compared if c.outcome(threshold) is None]
    if len(still_open) <= LISTED:
        undecided = [labelled(c.label, f"open: {c.what_decides}") for c in still_open]
    else:
        undecided = [f"open: {', '.join(labelled(c.label, c.ours) for c in still_open)}"]
    return [f"not reproduced: {', '.join(differing)}"] * (len(compared) > 1 and bool(differing)) + undecided


def labelled(label: str, text: str) -> str:
    """Return a text with its label, if it has one."""
    return f"{label}: {text}" if label else text


def sentences(*parts: str) -> str:
    """Join what is said, each once."""
    return "; ".join(dict.fromkeys(part.strip() for part in parts if part.strip()))

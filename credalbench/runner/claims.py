"""The language of claims: how a study states what a paper argues with, and how its tables answer.

A claim is declared where it is checked. The check compares estimates with bounds or printed values, and the
verdict, our value in words and the note come from the comparison::

    @claim("evclus-txt-01", "MECM is slower than IRQP (medians)", PAPER, published="much slower")
    def mecm_slower(params, tables):
        return above(1, {f"n = {n}": ratio(*times(tables, n, "mecm", "irqp")) for n in (100, 200)})

A comparison *holds* where the 95 % interval lies on the stated side, *differs* where it lies on the other,
and is *undecided* where it has parts on both; the note then says how many runs would decide. A statement
about several estimates holds when it holds for each, and differs when it differs for one. What cannot be
answered raises `CannotBeChecked` with the reason.
"""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from credalbench.intervals import Estimate, exact

from .experiment import Claim, Finding
from .printed import ROUNDING, Printed

Estimates = Estimate | float | Mapping[str, Estimate | float]
#: More estimates than this are counted in words, not listed.
LISTED = 8
#: Nobody can make more than so many times as many runs.
MOST_TIMES = 1000


class CannotBeChecked(Exception):
    """A claim that these tables cannot answer; the message says what is missing."""


# ---------------------------------------------------------------- declaring


def claim(
    artefact: str,
    statement: str,
    basis: str,
    *,
    published: str | Printed = "",
    explanation: str = "",
    substitute: bool | Callable = False,
    each: Iterable[Mapping[str, Any]] | None = None,
) -> Callable:
    """Declare the function below as the check of a `Claim` (see there for the parameters).

    Parameters
    ----------
    each : iterable of dict, optional
        Declares one claim for every entry: the texts are formatted with it (``"{dataset}: ..."``), and the
        check, or a callable `substitute`, is given the entries that it has arguments for. A brace that is
        meant is then doubled, ``"m({{1}})"``; without `each`, braces are braces.
    """
    texts = {"artefact": artefact, "statement": statement, "published": published, "explanation": explanation}

    def declare(check: Callable) -> Claim | tuple[Claim, ...]:
        if each is None:
            return Claim(basis=basis, check=check, substitute=substitute, **_as_texts(texts))
        return tuple(
            Claim(
                basis=basis,
                check=_for_case(check, case),
                substitute=_for_case(substitute, case) if callable(substitute) else substitute,
                **{name: text.format(**case) for name, text in _as_texts(texts).items()},
            )
            for case in each
        )

    return declare


def claims_of(*modules: str) -> tuple[Claim, ...]:
    """Every claim that modules declare, in the order of declaration; ``claims_of(__name__)``."""
    found = []
    for module in modules:
        for value in vars(sys.modules[module]).values():
            found += [value] if isinstance(value, Claim) else value if _is_family(value) else []
    return tuple(dict.fromkeys(found))


def _is_family(value: object) -> bool:
    return isinstance(value, tuple) and len(value) > 0 and all(isinstance(v, Claim) for v in value)


def _as_texts(texts: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(text) for name, text in texts.items()}


def _for_case(function: Callable, case: Mapping[str, Any]) -> Callable:
    """The function of parameters and tables, given the entries of `case` that it has arguments for."""
    arguments = _arguments(list(inspect.signature(function).parameters.values())[2:], case)

    @functools.wraps(function)
    def with_arguments(params: Any, tables: Mapping) -> Any:
        return function(params, tables, **arguments)

    return with_arguments


def _arguments(wanted: list[inspect.Parameter], case: Mapping[str, Any]) -> dict[str, Any]:
    for parameter in wanted:
        if parameter.name not in case and parameter.default is parameter.empty:
            raise TypeError(f"expected {parameter.name!r} in every entry of `each`, got {', '.join(case)}")
    return {parameter.name: case[parameter.name] for parameter in wanted if parameter.name in case}


# ---------------------------------------------------------------- comparing


def above(bound: float, estimates: Estimates, form: str = ".3g", note: str = "") -> Finding:
    """Every estimate lies above `bound`; `form` is the format of the numbers."""
    return _compare(
        estimates, form, note, lambda e: _side(e.low > bound, e.high <= bound), lambda e: e.value - bound
    )


def below(bound: float, estimates: Estimates, form: str = ".3g", note: str = "") -> Finding:
    """Every estimate lies below `bound`."""
    return _compare(
        estimates, form, note, lambda e: _side(e.high < bound, e.low >= bound), lambda e: bound - e.value
    )


def within(low: float, high: float, estimates: Estimates, form: str = ".3g", note: str = "") -> Finding:
    """Every estimate lies from `low` to `high`, both included up to rounding."""

    def place(e: Estimate) -> bool | None:
        inside = low - ROUNDING <= e.low and e.high <= high + ROUNDING
        return _side(inside, e.high < low - ROUNDING or e.low > high + ROUNDING)

    return _compare(estimates, form, note, place, lambda e: min(abs(e.value - low), abs(e.value - high)))


def agrees(
    printed: Printed | Mapping[str, Printed], estimates: Estimates, form: str = ".3g", note: str = ""
) -> Finding:
    """Every estimate is the printed value within its precision; with several, both have the same keys."""
    if isinstance(printed, Printed):
        return within(
            printed.value - printed.precision, printed.value + printed.precision, estimates, form, note
        )
    ours, printed = _named(estimates), {str(key): value for key, value in printed.items()}
    if missing := [key for key in printed if key not in ours]:
        raise CannotBeChecked(f"no value in these tables for {', '.join(missing)}")
    if unknown := [key for key in ours if key not in printed]:
        raise ValueError(f"expected a printed value for every estimate, got none for {', '.join(unknown)}")
    parts = {key: agrees(printed[key], estimate, form) for key, estimate in ours.items()}
    gaps = [estimate.value - printed[key].value for key, estimate in ours.items()]
    low, high = format(min(gaps), f"+{form}"), format(max(gaps), f"+{form}")
    words = f"{_counted(parts)}; ours minus printed {low} to {high}"
    return Finding(_and(f.holds for f in parts.values()), words, _sentences(note, *_notes_by_label(parts)))


def all_of(*findings: Finding) -> Finding:
    """Several comparisons as one: it holds when all hold, and differs when one differs."""
    if not findings:
        raise CannotBeChecked("there is nothing to compare in these tables")
    return Finding(
        _and(f.holds for f in findings),
        "; ".join(f.ours for f in findings if f.ours),
        _sentences(*(f.note for f in findings)),
    )


def _compare(estimates: Estimates, form: str, note: str, place: Callable, clearance: Callable) -> Finding:
    """One finding from where each estimate lies (`place`) and how far it is from the bound (`clearance`)."""
    named = _named(estimates)
    parts = {}
    for label, estimate in named.items():
        side = place(estimate)
        what = _what_decides(estimate, clearance(estimate)) if side is None else ""
        parts[label] = Finding(side, format(estimate, form), what)
    if len(named) > LISTED:
        values = [e.value for e in named.values()]
        ours = f"{_counted(parts)}; {min(values):{form}} to {max(values):{form}}"
        return Finding(_and(f.holds for f in parts.values()), ours, _sentences(note, *_notes_by_label(parts)))
    ours = "; ".join(_labelled(label, finding.ours) for label, finding in parts.items())
    undecided = [_labelled(label, f.note) for label, f in parts.items() if f.holds is None]
    return Finding(_and(f.holds for f in parts.values()), ours, _sentences(note, *undecided))


def _what_decides(estimate: Estimate, clearance: float) -> str:
    """What would decide a comparison whose interval has parts on both sides of a bound."""
    reach = (estimate.high - estimate.low) / 2
    if estimate.n == 1 and math.isinf(reach):
        return "undecided: one run has no interval"
    excess = abs(reach / clearance) if clearance else math.inf
    if not 1 <= excess <= math.sqrt(MOST_TIMES):
        return "undecided: the interval includes the bound"
    return (
        f"undecided: about {max(math.ceil(excess**2), 2)} times as many runs would decide, if the value stays"
    )


def _named(estimates: Estimates) -> dict[str, Estimate]:
    named = estimates if isinstance(estimates, Mapping) else {"": estimates}
    if not named:
        raise CannotBeChecked("there is nothing to compare in these tables")
    found = {str(key): e if isinstance(e, Estimate) else exact(e) for key, e in named.items()}
    for label, estimate in found.items():
        if math.isnan(estimate.value):
            raise CannotBeChecked(_labelled(label, "no value in these tables"))
    return found


def _counted(parts: Mapping[str, Finding]) -> str:
    return f"{sum(f.holds is True for f in parts.values())} of {len(parts)}"


def _notes_by_label(parts: Mapping[str, Finding]) -> list[str]:
    """Which estimates differ or are undecided, by label, the former first."""
    differ = [_labelled(label, f.ours) for label, f in parts.items() if f.holds is False]
    open_ = [_labelled(label, f.ours) for label, f in parts.items() if f.holds is None]
    return [
        f"{word}: {', '.join(found)}" for word, found in (("differ", differ), ("undecided", open_)) if found
    ]


def _labelled(label: str, text: str) -> str:
    return f"{label}: {text}" if label else text


def _side(holds: bool, differs: bool) -> bool | None:
    return True if holds else False if differs else None


def _and(outcomes: Iterable[bool | None]) -> bool | None:
    """Three-valued conjunction: False before None before True."""
    outcomes = list(outcomes)
    return False if False in outcomes else None if None in outcomes else True


def _sentences(*parts: str) -> str:
    return "; ".join(dict.fromkeys(part for part in parts if part))

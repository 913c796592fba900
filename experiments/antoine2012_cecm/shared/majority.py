"""A statement about most of several differences: how many lie above 0, and how sure that number is."""

from collections.abc import Mapping

from credalbench.intervals import Estimate
from credalbench.runner import Finding
from credalbench.runner.claims import above


def number_above(differences: Mapping[str, Estimate]) -> Estimate:
    """How many `differences` lie above 0: at least those whose interval does, at most those where it may."""
    value, low, high = (
        sum(getattr(d, end) > 0 for d in differences.values()) for end in ("value", "low", "high")
    )
    return Estimate(value, low, high, min(d.n for d in differences.values()))


def mostly_above(differences: Mapping[str, Estimate], form: str = "+.3f") -> Finding:
    """Whether more than half of the `differences` lie above 0; the note lists them."""
    note = ", ".join(f"{label}: {d.value:{form}}" for label, d in differences.items())
    n = len(differences)
    return above(n / 2, {f"of {n} differences, above 0": number_above(differences)}, ".0f", note)

"""A statement about most of several differences."""

from collections.abc import Mapping

from credalbench.core.intervals import Estimate, count_above
from credalbench.papers import Finding
from credalbench.papers.claims import above


def mostly_above(differences: Mapping[str, Estimate]) -> Finding:
    """Return whether more than half of the `differences` lie above 0; the note lists them."""
    note = ", ".join(f"{label}: {d.value:+.3f}" for label, d in differences.items())
    n = len(differences)
    return above(n / 2, {f"of {n} differences, above 0": count_above(differences)}, ".0f", note)

"""Values printed in the papers: one CSV per study in ``experiments/<paper>/reference``.

Each row says what is printed, where, and how precisely: ``artefact, quantity, published, precision, source``.
``precision`` is the half-width within which ours counts as the same value: 0 for an exact result, half a unit
of the last printed digit, or what the paper's words allow ("about 0.8"), then said in ``source``."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

ROUNDING = 1e-12  # what a handful of floating-point operations on numbers below 1 may leave


@dataclass(frozen=True)
class Printed:
    """One printed value."""

    value: float
    precision: float
    source: str

    def agrees(self, ours: float) -> bool:
        """Whether `ours` is this value within its precision."""
        return bool(abs(ours - self.value) <= self.precision + ROUNDING)

    def __str__(self) -> str:
        return f"{self.value:g} ({self.source})"


def printed_values(paper: str, study: str) -> dict[str, Printed]:
    """Quantity -> printed value, out of ``experiments/<paper>/reference/<study>.csv``.

    Raises
    ------
    ValueError
        A quantity stands twice.
    """
    path = Path(__file__).parent / paper / "reference" / f"{study}.csv"
    rows = pd.read_csv(path, dtype={"published": float, "precision": float})
    if not rows["quantity"].is_unique:
        raise ValueError(f"expected every quantity once, got duplicates in {path.name}")
    return {row.quantity: Printed(row.published, row.precision, row.source) for row in rows.itertuples()}

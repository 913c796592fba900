"""Values printed in the papers: one CSV per study in the folder ``reference`` beside the studies.

Each row says what is printed, where, and how precisely: ``artefact, quantity, published, precision, source``.
``precision`` is the half-width within which ours counts as the same value: 0 for an exact result, half a unit
of the last printed digit, or what the paper's words allow ("about 0.8"), then said in ``source``.
"""

from __future__ import annotations

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

    def __str__(self) -> str:
        return f"{self.value:g} ({self.source})"


def printed_values(module: str, study: str | None = None) -> dict[str, Printed]:
    """Quantity -> printed value, out of the reference file of a study.

    Parameters
    ----------
    module : str
        ``__file__`` of the study, or of a module in the study's folder.
    study : str, optional
        Name of the reference file, if it is not the study's.

    Raises
    ------
    FileNotFoundError
        No such reference file above the module.
    ValueError
        A quantity stands twice.
    """
    path = _reference(Path(module), study)
    rows = pd.read_csv(path, dtype={"published": float, "precision": float})
    if not rows["quantity"].is_unique:
        raise ValueError(f"expected every quantity once, got duplicates in {path.name}")
    return {row.quantity: Printed(row.published, row.precision, row.source) for row in rows.itertuples()}


def _reference(module: Path, study: str | None) -> Path:
    for folder in module.parents:
        if (folder / "reference").is_dir():
            return (
                folder / "reference" / f"{study or module.relative_to(folder).with_suffix('').parts[0]}.csv"
            )
    raise FileNotFoundError(f"expected a folder named reference above {module}, found none")

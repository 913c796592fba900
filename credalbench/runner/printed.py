"""What is printed in the papers: values, one CSV per study, and sentences, in the folder ``reference``.

Each row of ``<study>.csv`` is one printed value:
``artefact, quantity, relation, published, precision, runs, sd, source``.

- ``relation``: ``=`` for a result, ``>`` or ``<`` for a bound ("more than 10 times"), ``setting`` for what
  the protocol gives (numbers of objects, parameters): no result, and not judged.
- ``precision``: half a unit of the last printed digit, 0 for an exact result, or what the paper's words allow
  ("about 0.8"), then said in ``source``.
- ``runs``, ``sd``: the repetitions behind the value and their printed standard deviation; empty where there
  are none.

Each row of ``sentences.csv`` is one statement that the paper makes, in our words: ``sentence, place, says``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from credalbench.intervals import TAILS, Estimate

ROUNDING = 1e-12  # what a handful of floating-point operations on numbers below 1 may leave
RELATIONS = ("=", ">", "<")
SETTING = "setting"
SENTENCES = "sentences"
_MISSING = {"relation": "=", "runs": 0, "sd": np.nan}


@dataclass(frozen=True)
class Printed:
    """One printed value; `quantity` and `artefact` are its name in the reference file."""

    value: float
    precision: float
    source: str
    relation: str = "="
    runs: int = 0
    sd: float | None = None
    quantity: str = ""
    artefact: str = ""

    def __str__(self) -> str:
        sign = "" if self.relation in ("=", SETTING) else f"{self.relation} "
        return f"{sign}{self.value:g} ({self.source})"

    @property
    def text(self) -> str:
        """As it is printed: 0.90 where half a unit of the last digit is 0.005."""
        sign = "" if self.relation in ("=", SETTING) else f"{self.relation} "
        short = f"{self.value:g}"
        if not self.precision or "e" in short:
            return f"{sign}{short}"
        digits = max(round(-math.log10(2 * self.precision)), len(short.partition(".")[2]))
        return f"{sign}{self.value:.{digits}f}"

    def error(self, ours: Estimate) -> float:
        """Half the 95 % interval that the paper's own repetitions leave.

        From the printed standard deviation of a mean; else they spread as ours do, and the width goes with
        the root of the numbers of runs. Nothing where the value is no statistic.
        """
        if not self.runs or ours.is_exact:
            return 0.0
        if self.sd is not None:
            return float(stdtrit(self.runs - 1, TAILS[1]) * self.sd / np.sqrt(self.runs))
        reach = (ours.high - ours.low) / 2
        return float(reach * np.sqrt(ours.n / self.runs)) if np.isfinite(reach) else 0.0


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
        A quantity stands twice, or a relation is unknown.
    """
    folder = _folder(Path(module))
    own = Path(module).relative_to(folder.parent).with_suffix("").parts[0]
    return read_values(folder / f"{study or own}.csv")


def read_values(path: Path) -> dict[str, Printed]:
    """Quantity -> printed value of one reference file; raises as `printed_values` does."""
    rows = pd.read_csv(path, dtype={"published": float, "precision": float, "sd": float})
    rows = rows.assign(**{name: value for name, value in _MISSING.items() if name not in rows})
    rows = rows.fillna({"relation": "=", "runs": 0})
    if not rows["quantity"].is_unique:
        raise ValueError(f"expected every quantity once, got duplicates in {path.name}")
    if unknown := set(rows["relation"]) - {*RELATIONS, SETTING}:
        raise ValueError(f"expected a relation among {', '.join((*RELATIONS, SETTING))}, got {unknown}")
    return {
        row.quantity: Printed(
            row.published,
            row.precision,
            row.source,
            row.relation,
            int(row.runs),
            None if np.isnan(row.sd) else row.sd,
            row.quantity,
            row.artefact,
        )
        for row in rows.itertuples()
    }


def read_sentences(paper: Path) -> Mapping[str, str]:
    """Sentence -> what it says and where, of the paper in a folder; empty where the list is missing."""
    path = paper / "reference" / f"{SENTENCES}.csv"
    if not path.is_file():
        return {}
    rows = pd.read_csv(path, dtype=str).set_index("sentence")
    return {name: f"{row['says']} ({row['place']})" for name, row in rows.iterrows()}


def _folder(module: Path) -> Path:
    for folder in module.parents:
        if (folder / "reference").is_dir():
            return folder / "reference"
    raise FileNotFoundError(f"expected a folder named reference above {module}, found none")

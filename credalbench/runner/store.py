"""Where results lie: ``results/<paper>/<study>/<key>/``, written so that a kill at any moment does no harm.

A case is one folder, written under a temporary name and renamed when it is whole. A study counts as
finished only when its ``status.json`` says so, which is written last, in one step. The key is a hash of the
experiment, its parameters and the code that computes: other parameters or a changed algorithm get another
folder, never an overwrite.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import shutil
import subprocess
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from .experiment import Experiment
from .parameters import as_dict
from .sources import COMPUTING_PACKAGES, compute_hash, repository_root, versions
from .tables import read_table, write_table

FAILURES = "failures"
LEFT_OUT = (
    "left out"  # status of a case whose error says, by ``leaves_out``, that its data cannot be had here
)


def results_root() -> Path:
    """``CREDALBENCH_RESULTS``, or ``results`` in the checkout (never relative to the working directory)."""
    return Path(os.environ.get("CREDALBENCH_RESULTS") or repository_root() / "results").resolve()


def digest(value: Any, length: int = 16) -> str:
    """Shortened sha256 of a plain JSON value."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def write_text(path: Path, text: str) -> None:
    """Write a file in one step: whoever reads sees the old text or the new one, never half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        part.write_text(text, "utf-8")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_json(path: Path, value: Any) -> None:
    """Plain JSON in one step."""
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def read_json(path: Path) -> Any:
    """The JSON value in a file, or None where there is no such file."""
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None


@dataclass(frozen=True)
class StudyFolder:
    """The folder of one study with one set of parameters under the present code."""

    path: Path

    @classmethod
    def of(cls, experiment: Experiment, params: Any) -> StudyFolder:
        """The folder that belongs to these parameters; nothing is created."""
        key = digest([experiment.name, as_dict(params), compute_hash(experiment)])
        return cls(results_root() / experiment.paper / experiment.study / key)

    @property
    def status(self) -> dict | None:
        """``{"complete": True, "cases": n, "failed": k, "seconds": s}`` once a run has ended, else None."""
        return read_json(self.path / "status.json")

    @property
    def is_finished(self) -> bool:
        """A run has ended, possibly with failed cases."""
        return bool((self.status or {}).get("complete"))

    @property
    def is_complete(self) -> bool:
        """A run has ended and no case failed, so that there is nothing left to compute."""
        return self.is_finished and self.status["failed"] == 0

    def clear(self) -> None:
        """Forget everything; the status goes first, so that an interruption leaves no lie."""
        (self.path / "status.json").unlink(missing_ok=True)
        (self.path / "notebook.json").unlink(missing_ok=True)
        shutil.rmtree(self.path, ignore_errors=True)

    def case_path(self, case: dict) -> Path:
        """The folder of one finished case."""
        return self.path / "cases" / digest(case)

    def n_stored(self, cases: list[dict]) -> int:
        """How many of the cases are stored."""
        return sum(self.case_path(case).is_dir() for case in cases)

    def store_case(self, case: dict, tables: dict[str, pd.DataFrame], seconds: float) -> None:
        """Write the tables of one finished case, whole or not at all."""
        final = self.case_path(case)
        part = final.with_name(f".part-{final.name}-{uuid.uuid4().hex[:8]}")
        part.mkdir(parents=True)
        try:
            for name, table in tables.items():
                write_table(identified(table, case, name), part / f"{name}.csv")
            write_json(
                part / "case.json", {"case": case, "tables": list(tables), "seconds": round(seconds, 4)}
            )
            with contextlib.suppress(OSError):  # another run of the same study was faster: the same tables
                os.rename(part, final)
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def assemble(self, cases: list[dict], failures: list[dict]) -> dict[str, pd.DataFrame]:
        """The study's tables: those of the stored cases one below the other, in the order of ``cases``."""
        pieces: dict[str, list[pd.DataFrame]] = {}
        for case in cases:
            folder = self.case_path(case)
            for name in (read_json(folder / "case.json") or {"tables": []})["tables"]:
                pieces.setdefault(name, []).append(read_table(folder / f"{name}.csv"))
        tables = {name: _stacked(frames) for name, frames in pieces.items()}
        columns = dict.fromkeys([c for case in cases for c in case] + ["status", "error", "reason"])
        tables[FAILURES] = pd.DataFrame(failures, columns=list(columns)).infer_objects()
        return tables

    def seconds(self, cases: list[dict]) -> float:
        """Seconds of computing in the stored cases, summed over the runs that it took."""
        stored = (read_json(self.case_path(case) / "case.json") for case in cases)
        return sum(record["seconds"] for record in stored if record)

    def finish(
        self, experiment: Experiment, params: Any, cases: list[dict], tables: dict[str, pd.DataFrame]
    ) -> None:
        """Write tables, parameters, provenance and, last, the status that marks the study as finished."""
        for name, table in tables.items():
            folder = self.path / "tables"
            folder.mkdir(parents=True, exist_ok=True)
            write_table(table, folder / f"{name}.csv")
        write_json(self.path / "params.json", as_dict(params))
        seconds, failed = round(self.seconds(cases), 3), len(tables[FAILURES])
        write_json(self.path / "provenance.json", provenance(experiment, params) | {"seconds": seconds})
        status = {
            "complete": True,
            "cases": len(cases),
            "failed": failed,
            "seconds": seconds,
            "tables": list(tables),
        }
        write_json(self.path / "status.json", status)

    def load_tables(self) -> dict[str, pd.DataFrame]:
        """The tables of a finished study."""
        return {name: read_table(self.path / "tables" / f"{name}.csv") for name in self.status["tables"]}


def identified(table: pd.DataFrame, case: dict, name: str) -> pd.DataFrame:
    """The table with the case's identifying columns first.

    Raises
    ------
    ValueError
        The table has such a column already, with another value.
    """
    if not isinstance(table, pd.DataFrame):
        raise TypeError(f"table {name!r}: expected a pandas DataFrame, got {type(table).__name__}")
    if name == FAILURES:
        raise ValueError(f"a study cannot write the table {FAILURES!r}: the runner does")
    for column, value in case.items():
        if column in table and not (table[column] == value).all():
            raise ValueError(f"table {name!r}: column {column!r} differs from the case's {value!r}")
    front = pd.DataFrame({column: [value] * len(table) for column, value in case.items()}, index=table.index)
    rest = table[[column for column in table.columns if column not in case]]
    return pd.concat([front, rest], axis=1).reset_index(drop=True)


def provenance(experiment: Experiment, params: Any) -> dict[str, Any]:
    """What it takes to judge or repeat a result; no host name and no path."""
    packages = (*COMPUTING_PACKAGES, "pandas", "matplotlib", "joblib", "credalbench")
    return {
        "experiment": experiment.name,
        "profile": experiment.profile_of(params),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        **git_state(),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "versions": versions(packages),
    }


def git_state() -> dict[str, Any]:
    """Commit of the checkout and whether tracked files differ from it; None where there is no git."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(repository_root()), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()

    try:
        return {"commit": git("rev-parse", "HEAD"), "dirty": bool(git("status", "--porcelain", "-uno"))}
    except (OSError, subprocess.SubprocessError):
        return {"commit": None, "dirty": None}


def _stacked(frames: list[pd.DataFrame]) -> pd.DataFrame:
    """Concatenation that keeps an integer column integer when an empty table takes part."""
    filled = [frame for frame in frames if len(frame)] or frames[:1]
    return pd.concat(filled, ignore_index=True)

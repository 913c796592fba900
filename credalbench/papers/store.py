"""The store of results, ``results/<paper>/<study>/<key>/``, which survives a kill at any moment.

A case is a folder, written under a temporary name and renamed when complete. A study is finished when it
has a ``status.json``, which is written last, in one step. Both carry their proofs: a case has the rows
and checksums of its tables; the status has those of the study's tables, and the seals of its cases. Only a
file that does not fit its proof is reported and made anew. The key is a hash of the experiment, its
parameters and the code that computes: other parameters or a changed algorithm get another folder and
overwrite nothing.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from .experiment import Experiment
from .left_out import FAILURES
from .parameters import as_dict
from .sealed import (
    Damaged,
    checksum,
    read_checked,
    read_sealed,
    remove,
    seal,
    storing,
    sweep,
    temporary,
    write_sealed,
)
from .sources import COMPUTING_PACKAGES, compute_hash, repository_root, versions
from .tables import check_table, read_table, write_table

CASE, STATUS, PARAMS, PROVENANCE = "case.json", "status.json", "params.json", "provenance.json"
NOTEBOOK, SHOWN = "notebook.ipynb", "shown.json"


def results_root() -> Path:
    """Return ``$CREDALBENCH_RESULTS``, or ``results`` in the checkout, whatever the working directory is."""
    return Path(os.environ.get("CREDALBENCH_RESULTS") or repository_root() / "results").resolve()


def digest(value: Any, length: int = 16) -> str:
    """Return the shortened SHA-256 checksum of a plain JSON value."""
    return seal(value)[:length]


@dataclass(frozen=True)
class StudyFolder:
    """The folder of one study with one set of parameters under the present code.

    Methods that read raise :class:`.Damaged` if a file is not what was written. Methods that write raise
    :class:`.StoreError` if the file system fails.
    """

    path: Path

    @classmethod
    def of(cls, experiment: Experiment, params: Any) -> StudyFolder:
        """Return the folder that belongs to these parameters; nothing is created."""
        key = digest([experiment.name, as_dict(params), compute_hash(experiment)])
        return cls(cls.place(experiment) / key)

    @staticmethod
    def place(experiment: Experiment) -> Path:
        """Return the folder of all results of a study."""
        return results_root() / experiment.paper / experiment.study

    # ------------------------------------------------------------------- how far it is

    @property
    def status(self) -> dict | None:
        """The status that the last run wrote at its end, or None.

        ``complete``, ``cases`` and ``failed`` (numbers), ``seconds``; ``tables``: the proof of each table;
        ``seals``: those of the stored cases, by name of their folder.
        """
        return read_sealed(self.path / STATUS)

    @property
    def is_finished(self) -> bool:
        """Whether a run has ended, possibly with failed cases."""
        return bool((self.status or {}).get("complete"))

    def is_complete(self, cases: list[dict]) -> bool:
        """Return whether a run has ended with just these cases, none of which failed.

        The cases may change with the data files that are at hand, for instance if one replaces a stand-in.
        """
        return self.is_finished and self.status["seals"].keys() == {self.case_path(c).name for c in cases}

    @property
    def shown(self) -> dict | None:
        """The record of how the result was last shown, or None.

        ``view``: hash of the code that judges and draws; ``report``: what was found; ``seconds``;
        ``notebook`` and ``checksum``: hash of the notebook that was executed and checksum of the executed
        one, or None.
        """
        record = read_sealed(self.path / SHOWN)
        if record is not None and record["notebook"]:
            read_checked(self.path / NOTEBOOK, record["checksum"])
        return record

    @property
    def has_notebook(self) -> bool:
        """Whether the folder has an executed notebook that shows this result."""
        return bool((self.shown or {}).get("notebook"))

    def case_path(self, case: dict) -> Path:
        """Return the folder of one finished case."""
        return self.path / "cases" / digest(case)

    def n_stored(self, cases: list[dict]) -> int:
        """Return how many of the cases are stored, by the names of their folders only."""
        return sum(self.case_path(case).is_dir() for case in cases)

    # ------------------------------------------------------------------ what is damaged

    def damages(self, cases: list[dict]) -> list[str]:
        """Describe every file that has changed since it was written, and what must be made anew.

        All that is stored is read once: well below a second for a thousand cases.
        """
        return [damage for damage, _ in self._damaged(cases)]

    def repair(self, cases: list[dict]) -> list[str]:
        """Forget what is damaged and what follows from it, so that the next run makes it anew; list it.

        What killed runs left under temporary names is removed without a message.
        """
        for folder in (self.path.parent, self.path, self.path / "cases", self.path / "tables"):
            sweep(folder)
        found = []
        for damage, forget in self._damaged(cases):
            forget()
            found.append(damage)
        return found

    def clear(self) -> None:
        """Forget everything, in one step."""
        aside = temporary(self.path)
        with storing(self.path), contextlib.suppress(FileNotFoundError):
            os.rename(self.path, aside)
        shutil.rmtree(aside, ignore_errors=True)  # what may be left of it is swept later

    def _damaged(self, cases: list[dict]) -> Iterator[tuple[str, Callable[[], None]]]:
        for look, forget, follows in self._parts(cases):
            try:
                look()
            except Damaged as damage:
                yield f"{damage.below(self.path)}: {follows}", forget

    def _parts(self, cases: list[dict]) -> Iterator[tuple[Callable, Callable, str]]:
        """Yield for each part that should exist: how to check it, how to forget it, and what follows."""
        sealed = _seals_in(self.path / STATUS)
        for case in cases:
            path = self.case_path(case)
            if path.exists() or path.name in sealed:
                words = ", ".join(f"{name} {value}" for name, value in case.items())
                yield partial(self._case, case), partial(self._forget_case, case), f"computed anew ({words})"
        yield self._check_status, self._forget_status, "tables put together anew"
        yield lambda: self.shown, partial(remove, self.path / SHOWN), "notebook executed anew"

    def _case(self, case: dict) -> dict:
        """Return the record of a stored case, after checking all its files."""
        folder = self.case_path(case)
        record = _record(folder / CASE)
        if digest(record["case"]) != folder.name:
            raise Damaged(folder / CASE, "belongs to another case")
        for name, written in record["tables"].items():
            check_table(folder / f"{name}.csv", written)
        return record

    def _check_status(self) -> None:
        """Check all files of a finished study except its cases."""
        status = self.status
        if status is None:
            return
        for name in (PARAMS, PROVENANCE):
            _record(self.path / name)
        for name, written in status["tables"].items():
            check_table(self.path / "tables" / f"{name}.csv", written)
        for name, expected in status["seals"].items():
            if _seal_of(self.path / "cases" / name / CASE) not in (None, expected):
                raise Damaged(self.path / STATUS, f"belongs to another run of case {name}")

    def _forget_case(self, case: dict) -> None:
        self._forget_status()
        remove(self.case_path(case))

    def _forget_status(self) -> None:
        """Forget that the study is finished and was shown."""
        for name in (STATUS, SHOWN):
            remove(self.path / name)

    # ------------------------------------------------------------------------- writing

    def store_case(self, case: dict, tables: dict[str, pd.DataFrame], seconds: float) -> None:
        """Write the tables of one finished case, all or none."""
        with self._part(case) as part:
            written = {
                name: write_table(identified(table, case, name), part / f"{name}.csv")
                for name, table in tables.items()
            }
            write_sealed(part / CASE, {"case": case, "tables": written, "seconds": round(seconds, 4)})

    def case_files(self, case: dict) -> dict[str, bytes]:
        """Return the files of a stored case, by name; none if it is not stored."""
        folder = self.case_path(case)
        return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}

    def store_files(self, case: dict, files: Mapping[str, bytes]) -> None:
        """Write the files of a case that another store has (`case_files`), all or none."""
        with self._part(case) as part:
            for name, content in files.items():
                (part / name).write_bytes(content)

    @contextlib.contextmanager
    def _part(self, case: dict) -> Iterator[Path]:
        """Give a folder to write the files of a case into; afterwards it is the folder of the case."""
        final = self.case_path(case)
        part = temporary(final)
        with storing(final):
            part.mkdir(parents=True)
            try:
                yield part
                self._place(part, case)
            finally:
                shutil.rmtree(part, ignore_errors=True)

    def _place(self, part: Path, case: dict) -> None:
        try:
            os.rename(part, self.case_path(case))
        except OSError as error:
            try:
                self._case(case)  # another run of the same study was faster: the same tables
            except Damaged:
                raise error from None

    def finish(
        self, experiment: Experiment, params: Any, cases: list[dict], failed: Mapping[Path, dict]
    ) -> None:
        """Concatenate the tables of the cases; write them, parameters, provenance and, last, the status.

        `failed` has rows of the table of failures, by the path of the case. All other cases must be stored
        and as they were written; else `Damaged` is raised, and the study is not finished.
        """
        stored = {
            self.case_path(case): self._case(case) for case in cases if self.case_path(case) not in failed
        }
        tables = _assembled(stored)
        columns = dict.fromkeys([c for case in cases for c in case] + ["status", "error", "reason"])
        tables[FAILURES] = pd.DataFrame([*failed.values()], columns=list(columns)).infer_objects()
        seconds = round(sum(record["seconds"] for record in stored.values()), 3)
        status = {
            "complete": True,
            "cases": len(cases),
            "failed": len(failed),
            "seconds": seconds,
            "seals": {path.name: seal(record) for path, record in stored.items()},
        }
        self._reopen(status)
        folder = self.path / "tables"
        status["tables"] = {
            name: write_table(table, folder / f"{name}.csv") for name, table in tables.items()
        }
        write_sealed(self.path / PARAMS, as_dict(params))
        write_sealed(self.path / PROVENANCE, provenance(experiment, params) | {"seconds": seconds})
        write_sealed(self.path / STATUS, status)

    def _reopen(self, status: dict) -> None:
        """Forget that the study was finished, unless it was with the same cases, which give the same tables.

        Two runs of one study that end at the same time thus disturb neither each other nor readers.
        """
        with contextlib.suppress(Damaged):
            found = self.status
            if found is None or (found["failed"] == 0 and found["seals"] == status["seals"]):
                remove(self.path / SHOWN)
                return
        self._forget_status()

    def seal_shown(self, view: str, notebook: str | None, seconds: float, report: dict[str, Any]) -> None:
        """Record that the result was shown, and the checksum of the executed notebook if there is one."""
        proof = None
        if notebook:
            with storing(self.path / NOTEBOOK):
                proof = checksum((self.path / NOTEBOOK).read_bytes())
        record = {"view": view, "notebook": notebook, "checksum": proof}
        write_sealed(self.path / SHOWN, {**record, "seconds": round(seconds, 1), "report": report})

    # ------------------------------------------------------------------------- reading

    def load_tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables of a finished study."""
        status = _record(self.path / STATUS)
        return {
            name: read_table(self.path / "tables" / f"{name}.csv", written)
            for name, written in status["tables"].items()
        }


def _record(path: Path) -> dict:
    """Return a record that must exist."""
    record = read_sealed(path)
    if record is None:
        raise Damaged(path, "is missing")
    return record


def _seals_in(path: Path) -> dict[str, str]:
    """Return the seals of the cases that a study was finished with; none if that cannot be read."""
    try:
        return (read_sealed(path) or {}).get("seals", {})
    except Damaged:
        return {}


def _seal_of(path: Path) -> str | None:
    """Return the seal of the record of a case, or None if it cannot be read, which damages the case."""
    try:
        return seal(_record(path))
    except Damaged:
        return None


def _assembled(stored: Mapping[Path, dict]) -> dict[str, pd.DataFrame]:
    """Return the tables of the stored cases, concatenated."""
    pieces: dict[str, list[pd.DataFrame]] = {}
    for folder, record in stored.items():
        for name, written in record["tables"].items():
            pieces.setdefault(name, []).append(read_table(folder / f"{name}.csv", written))
    return {name: _stacked(frames) for name, frames in pieces.items()}


def identified(table: pd.DataFrame, case: dict, name: str) -> pd.DataFrame:
    """Return the table with the identifying columns of the case first; other values in them are an error."""
    if not isinstance(table, pd.DataFrame):
        raise TypeError(f"table {name!r}: expected a pandas DataFrame, got {type(table).__name__}")
    if name == FAILURES:
        raise ValueError(f"a study cannot write the table {FAILURES!r}, which the runner writes")
    for column, value in case.items():
        if column in table and not (table[column] == value).all():
            raise ValueError(f"table {name!r}: column {column!r} differs from the case's {value!r}")
    front = pd.DataFrame({column: [value] * len(table) for column, value in case.items()}, index=table.index)
    rest = table[[column for column in table.columns if column not in case]]
    return pd.concat([front, rest], axis=1).reset_index(drop=True)


def provenance(experiment: Experiment, params: Any) -> dict[str, Any]:
    """Return what is needed to judge or repeat a result; no host name and no path."""
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
    """Return the commit of the checkout and whether tracked files differ; None if there is no git."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(repository_root()), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()

    try:
        return {"commit": git("rev-parse", "HEAD"), "dirty": bool(git("status", "--porcelain", "-uno"))}
    except (OSError, subprocess.SubprocessError):
        return {"commit": None, "dirty": None}


def _stacked(frames: list[pd.DataFrame]) -> pd.DataFrame:
    """Concatenate tables; an empty one does not turn integers into floats."""
    filled = [frame for frame in frames if len(frame)] or frames[:1]
    return pd.concat(filled, ignore_index=True)

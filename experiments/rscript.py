"""Call programs of the papers' authors, scripts in R, if ``credalbench run --with-r`` asks for it.

A script is in the folder of its study. It is called as ``Rscript programs.R FOLDER``, reads the CSV files
that are its inputs in that folder and writes ``runs.csv``, a row for each task, and ``labels.csv``, a column
for each. It ends with the exit code 3 if R lacks a package. No study needs R: the runs of a machine that had
it are stored, with their seeds (``python tools/store_programs.py``), and the claims are judged by them. With
``--with-r``, they are judged by the new runs where all are repeated; where a few are, the stored runs are
judged if the new ones are the same.
"""

import dataclasses
import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from credalbench.papers import Finding

WITH_R = "CREDALBENCH_WITH_R"  # the environment variable that `credalbench run --with-r` sets
MISSING = 3  # exit code of a script when R lacks a package


class ProgramUnavailable(RuntimeError):
    """R was not asked for, or Rscript or one of its packages is not installed."""

    #: The runner reports the case as left out, not as failed, and tries it again in the next run.
    leaves_out = True


@dataclass(frozen=True)
class RScript:
    """A script in R, and the first hexadecimal digits of its SHA-256.

    The constant that holds them belongs to the key of a result; the script does not, because it is not
    Python.
    """

    path: Path
    digest: str

    def run(self, **inputs: np.ndarray | pd.DataFrame) -> tuple[pd.DataFrame, np.ndarray]:
        """Run it once, on one thread; an array is written without a head, a table with one.

        The table of the runs has a row for each task; the labels (n, tasks) are clusters from 1, 0 where a
        function gave nothing. ProgramUnavailable: R was not asked for, no Rscript is on the
        PATH, or R lacks a package. RuntimeError: the script stopped, or is not the one with this digest.
        """
        found = hashlib.sha256(self.path.read_bytes()).hexdigest()[: len(self.digest)]
        if found != self.digest:
            raise RuntimeError(
                f"expected {self.path.name} with the digest {self.digest}, got {found}: write it in the "
                "study, too"
            )
        if not os.environ.get(WITH_R):
            raise ProgramUnavailable("the stored runs in R are judged; `credalbench run --with-r` runs R")
        rscript = shutil.which("Rscript")
        if rscript is None:
            raise ProgramUnavailable("R is not here: no Rscript on the PATH")
        with tempfile.TemporaryDirectory() as folder:
            for name, table in inputs.items():
                _write(table, Path(folder, f"{name}.csv"))
            done = subprocess.run(
                [rscript, "--vanilla", self.path, folder], env=_one_thread(), capture_output=True, text=True
            )
            if done.returncode == MISSING:
                raise ProgramUnavailable(f"R is here, a package is not: {done.stderr.strip()}")
            if done.returncode:
                raise RuntimeError(f"Rscript stopped with exit code {done.returncode}: {done.stderr.strip()}")
            labels = pd.read_csv(Path(folder, "labels.csv")).to_numpy(dtype=int)
            return pd.read_csv(Path(folder, "runs.csv")), labels


def confirms(here: pd.DataFrame, stored: pd.DataFrame, run: list[str], values: list[str]) -> bool:
    """Return whether each run made here is stored, with the same values to 4 digits; `run` identifies one."""
    both = here.merge(stored, on=run, how="left", suffixes=("", "_stored"))
    pairs = (both[[name, f"{name}_stored"]].to_numpy(dtype=float).T for name in values)
    return all(np.allclose(a, b, rtol=0, atol=1e-4, equal_nan=True) for a, b in pairs)


def from_stored(found: Finding, runs: pd.DataFrame) -> Finding:
    """Return what was found in stored `runs`, with a note on their origin.

    These have the columns date, version (empty where a run is not R's) and platform.
    """
    last = runs.dropna(subset="version").iloc[-1]
    origin = f"stored runs of {last['date']}: {last['version']}, {last['platform']}"
    return dataclasses.replace(found, note="; ".join(filter(None, [found.note, origin])))


def _write(table: np.ndarray | pd.DataFrame, path: Path) -> None:
    if isinstance(table, pd.DataFrame):
        table.to_csv(path, index=False)
    else:
        np.savetxt(path, table, delimiter=",", fmt="%.17g")


def _one_thread() -> dict[str, str]:
    """Return the environment, with one thread for whatever library R multiplies matrices with."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return os.environ | threads

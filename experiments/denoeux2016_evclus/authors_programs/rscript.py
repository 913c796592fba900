"""Calling functions of the R package evclust, where R and the package are found."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

SCRIPT = Path(__file__).with_name("programs.R")
#: What belongs to the key of a result; programs.R does not, being no Python.
DIGEST = "3a709a47ac12"
MISSING = 3  # exit code of the script when R lacks the package


class ProgramUnavailable(RuntimeError):
    """Rscript or the package evclust is not here."""

    #: The runner reports the case as left out, not as failed, and tries it again in the next run.
    leaves_out = True


def run_in_r(X: np.ndarray, tasks: pd.DataFrame) -> tuple[pd.DataFrame, np.ndarray]:
    """Make the calls of `tasks` on the attributes `X`, one after another, in one process of R.

    Returns
    -------
    runs : DataFrame
        method, time_s (processor seconds of the call), peak_bytes, version; one row per task.
    labels : (n, number of tasks) int array
        Clusters from 1; 0 where the function gave nothing.

    Raises
    ------
    ProgramUnavailable
        No Rscript on the PATH, or no evclust in R; the message says which.
    RuntimeError
        The script stopped, or is not the one whose `DIGEST` stands here.
    """
    if (found := hashlib.sha256(SCRIPT.read_bytes()).hexdigest()[: len(DIGEST)]) != DIGEST:
        raise RuntimeError(
            f"expected {SCRIPT.name} with the digest {DIGEST}, got {found}: write it here, too"
        )
    rscript = shutil.which("Rscript")
    if rscript is None:
        raise ProgramUnavailable("R is not here: no Rscript on the PATH")
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(Path(folder, "X.csv"), X, delimiter=",", fmt="%.17g")
        tasks.to_csv(Path(folder, "tasks.csv"), index=False)
        done = subprocess.run(
            [rscript, "--vanilla", SCRIPT, folder], env=_one_thread(), capture_output=True, text=True
        )
        if done.returncode == MISSING:
            raise ProgramUnavailable(f"R is here, its package evclust is not: {done.stderr.strip()}")
        if done.returncode:
            raise RuntimeError(f"Rscript stopped with exit code {done.returncode}: {done.stderr.strip()}")
        labels = pd.read_csv(Path(folder, "labels.csv")).to_numpy(dtype=int)
        return pd.read_csv(Path(folder, "runs.csv")), labels


def _one_thread() -> dict[str, str]:
    """Return the environment, with one thread for whatever library R multiplies matrices with."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return os.environ | threads

"""Kernels: compiled once, cached, never stale, and announced when it takes time."""

import os
import subprocess
import sys
import time

import pytest

from credalbench.cluster.compiled import compilation

FIT = "from credalbench.cluster import EVCLUS; EVCLUS(2, random_state=0).fit([[0.], [1.], [5.], [6.]])"


def run(cache):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", FIT], env=environment, capture_output=True, text=True, check=True
    )


@pytest.mark.slow
def test_first_fit_on_a_machine_says_that_it_compiles_and_the_next_is_silent(tmp_path):
    assert "compiling" in run(tmp_path).stderr
    assert run(tmp_path).stderr == ""


@pytest.mark.slow
def test_kernels_compiled_from_other_sources_are_discarded(tmp_path):
    run(tmp_path)
    cached = sorted(tmp_path.rglob("*.nbi"))
    for stamp in tmp_path.rglob("*.kernels.sha256"):
        stamp.write_text("the digest of yesterday")
    before = {path: path.stat().st_mtime_ns for path in cached}
    assert "compiling" in run(tmp_path).stderr
    assert all(path.stat().st_mtime_ns > before[path] for path in before)


def test_notice_appears_only_when_patience_runs_out(capsys):
    with compilation._notice("slow", 0.01):
        time.sleep(0.3)
    with compilation._notice("quick", 30):
        pass
    assert capsys.readouterr().err == "slow\n"

"""Fits to data in blocks on clusters of this machine: bytes, killed workers, interrupts, memory.

A cluster starts in seconds; what needs several, or kills workers, is long.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from credalbench.cluster import ECM
from credalbench.core.progress import Cancelled, listen
from tests.cluster.test_blocks import Recorded, as_frame, assert_same, planted

distributed = pytest.importorskip("distributed")
dask_dataframe = pytest.importorskip("dask.dataframe")

pytestmark = pytest.mark.slow
N_BLOCKS = 12
STATUS = Path("/proc/self/status")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Parquet files of twelve blocks."""
    folder = tmp_path_factory.mktemp("parquet")
    X, _ = planted(8, n=3000, c=4)
    for k, part in enumerate(np.array_split(X, N_BLOCKS)):
        as_frame(part).to_parquet(folder / f"{k:03}.parquet")
    return folder


def read(folder):
    return dask_dataframe.read_parquet(folder, aggregate_files=False, split_row_groups=False)


def cluster(n_workers, threads=1, processes=True):
    return distributed.LocalCluster(
        n_workers=n_workers,
        threads_per_worker=threads,
        processes=processes,
        host="127.0.0.1" if processes else None,
        dashboard_address="127.0.0.1:0",
    )


def slowly(frame, seconds, place=None):
    """Wait while a partition is read, and note its worker in a folder."""
    time.sleep(seconds)
    if place is not None:
        (place / str(os.getpid())).touch()
    return frame


def fitted_bytes(X):
    fit = ECM(4, random_state=0).fit(X)
    masses = np.concatenate(list(fit.partition_.map(lambda partition: partition.masses)))
    return fit.cluster_centers_.tobytes(), fit.objective_trace_.tobytes(), masses.tobytes()


def test_workers_give_the_fit_of_one_process(folder):
    expected = ECM(4, random_state=0).fit(read(folder))
    with cluster(2, processes=False) as local, distributed.Client(local) as client:
        recorded = Recorded()
        with listen(recorded):
            fit = ECM(4, random_state=0).fit(read(folder))
        assert fit.cluster_centers_.tobytes() == expected.cluster_centers_.tobytes()
        assert_same(fit, ECM(4, random_state=0).fit(read(folder).compute().reset_index(drop=True)))
        assert f"iteration 1, dashboard {client.dashboard_link}, block 2 of {N_BLOCKS}" in recorded.texts
        with pytest.raises(ValueError, match=r"block 7 .*got NaN in row 3, column 'x1'"):
            fit.fit(read(folder).map_partitions(with_nan, meta=read(folder)._meta))
        text = f"dashboard {client.dashboard_link}, block 3 of {N_BLOCKS}"
        with listen(Recorded(text)), pytest.raises(Cancelled):
            fit.fit(read(folder).map_partitions(slowly, 0.2, meta=read(folder)._meta))
        deadline = time.monotonic() + 60
        while client.processing() and any(client.processing().values()) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not any(client.processing().values())  # nothing is left to do, and the cluster is there
        assert client.submit(sum, [1, 2]).result() == 3


WITHOUT = """
import sys
sys.modules["credalbench"] = None
from distributed.cli.dask_worker import main
main(sys.argv[1:])
"""


def test_a_worker_without_the_package_is_named_before_any_work(folder):
    with cluster(0) as local, distributed.Client(local) as client:
        flags = ["--no-nanny", "--nthreads", "1", "--host", "127.0.0.1", "--no-dashboard"]
        worker = subprocess.Popen([sys.executable, "-c", WITHOUT, local.scheduler_address, *flags])
        try:
            client.wait_for_workers(1, timeout=120)
            expected = r"credalbench .* on each worker, got .*tcp://127\.0\.0\.1:\d+': .*credalbench"
            with pytest.raises(ValueError, match=expected):
                ECM(4, random_state=0).fit(read(folder))
        finally:
            worker.kill()
            worker.wait()


def with_nan(frame, partition_info=None):
    frame = frame.copy()
    if partition_info and partition_info["number"] == 7:
        frame.iloc[3, 1] = np.nan
    return frame


@pytest.mark.long
def test_a_fit_waits_for_the_first_worker(folder):
    expected = ECM(4, random_state=0).fit(read(folder))
    with cluster(0) as local, distributed.Client(local):
        timer = threading.Timer(2, local.scale, [1])
        timer.start()
        fit = ECM(4, random_state=0).fit(read(folder))
        timer.join()
    assert fit.cluster_centers_.tobytes() == expected.cluster_centers_.tobytes()


@pytest.mark.long
def test_bytes_do_not_depend_on_workers_or_threads(folder):
    expected = fitted_bytes(read(folder))
    for settings in ((1, 1, True), (2, 1, True), (1, 2, True), (1, 3, False)):
        with cluster(*settings) as local, distributed.Client(local):
            assert fitted_bytes(read(folder)) == expected, settings


@pytest.mark.long
def test_a_killed_worker_changes_no_byte(folder, tmp_path):
    expected = fitted_bytes(read(folder))

    def kill_one():
        while not list(tmp_path.iterdir()):
            time.sleep(0.05)
        time.sleep(1)
        os.kill(int(next(tmp_path.iterdir()).name), signal.SIGKILL)

    with cluster(2) as local, distributed.Client(local) as client:
        before = set(client.scheduler_info()["workers"])
        killer = threading.Thread(target=kill_one)
        killer.start()
        X = read(folder).map_partitions(slowly, 0.05, tmp_path, meta=read(folder)._meta)
        assert fitted_bytes(X) == expected
        killer.join()
        assert set(client.scheduler_info()["workers"]) != before


class Killer(Recorded):
    """Kills a worker when the iterations are under way, so that blocks that it kept are lost."""

    def __init__(self, worker):
        super().__init__()
        self.worker = worker

    def check(self):
        super().check()
        if self.worker is not None and self.text().startswith("iteration 3"):
            os.kill(self.worker, signal.SIGKILL)
            self.worker = None


@pytest.mark.long
def test_kept_blocks_of_a_killed_worker_are_made_anew(folder):
    expected = fitted_bytes(read(folder))
    with cluster(2) as local, distributed.Client(local) as client:
        killer = Killer(next(iter(client.run(os.getpid).values())))
        with listen(killer):
            assert fitted_bytes(read(folder)) == expected
        assert killer.worker is None


@pytest.mark.long
def test_nothing_is_kept_after_a_fit(folder):
    """Neither keys of dask nor open files; while a fit is under way there are some."""
    with cluster(1) as local, distributed.Client(local) as client:
        with listen(Recorded("iteration 3")), pytest.raises(Cancelled):
            ECM(4, random_state=0).fit(read(folder))
        fit = ECM(4, random_state=0).fit(read(folder))
        deadline = time.monotonic() + 60
        while any(client.run(kept_files).values()) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not any(client.run(kept_files).values()) and not any(client.has_what().values())
        assert fit.partition_.n_objects == 3000


def kept_files():
    import gc

    from credalbench.core.kept_arrays import SPOOLS

    gc.collect()
    return len(SPOOLS)


@pytest.mark.long
@pytest.mark.skipif(not STATUS.exists(), reason="this system does not report the peak of a process")
def test_workers_hold_a_constant_number_of_blocks(tmp_path):
    """Peak memory of a worker at eight times the data: less than four blocks more, of 112."""
    import dask.array

    def peak(n_blocks):
        rows, p = 250_000, 4  # 8 MB
        blocks = [dask.array.from_delayed(made(k, rows, p), (rows, p), float) for k in range(n_blocks)]
        with cluster(1) as local, distributed.Client(local) as client:
            fit = ECM(2, delta=20.0, init=np.array([[0.0] * p, [9.0] * p]), max_iter=2).fit(
                dask.array.concatenate(blocks)
            )
            assert fit.partition_.hard_credal().shape == (rows * n_blocks,)
            return max(client.run(peak_memory).values())

    few, many = peak(16), peak(128)
    assert many - few < 4 * 8e6


def made(k, rows, p):
    from dask import delayed

    return delayed(make)(k, rows, p)


def make(k, rows, p):
    rng = np.random.default_rng(k)
    return rng.normal(size=(rows, p)) + 9.0 * rng.integers(2, size=rows)[:, None]


def peak_memory():
    """Return the largest resident set of this process; that of `resource` may be its parent's."""
    return 1024 * int(STATUS.read_text().partition("VmHWM:")[2].split()[0])

"""Cases on a Dask cluster: the same bytes as here, whatever is killed, and refused where it would differ."""

import dataclasses
import importlib.metadata
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from credalbench.cli import main
from credalbench.core.extras import MissingPackage
from credalbench.datasets import verify
from credalbench.papers import engine, load_study, run_study, studies
from credalbench.papers.batch import prepare, run_batch
from credalbench.papers.engine import ClusterError, Engine
from credalbench.papers.store import StudyFolder

from . import fatal_study, toy_study
from .clusters import START_S, Cluster
from .conftest import n_stored, together

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills processes by signals")

COMMAND = """\
import credalbench.papers.batch as batch
from credalbench import cli
from tests.papers.only import only
from tests.papers import fatal_study, toy_study, wild_study
found = {m.experiment.study: m.experiment for m in (fatal_study, toy_study, wild_study)}
only({"toy_paper": found})
batch.notebook_path = lambda experiment: None
cli.main()
"""
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def cluster(tmp_path):
    """A scheduler without workers."""
    (tmp_path / "cluster").mkdir()
    found = Cluster(tmp_path / "cluster", DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="2")
    yield found
    found.end()


@pytest.fixture
def client(cluster):
    """A client of a cluster of two workers."""
    cluster.work()
    cluster.work()
    with distributed.Client(cluster.address, timeout=START_S, set_as_default=False) as found:
        found.wait_for_workers(2, timeout=START_S)
        yield found


def command(*words, code=COMMAND, **options):
    environment = {**os.environ, "COLUMNS": "200"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", code, *words], env=environment, **(pipes | options))


def answer(process):
    """Exit code and words of a command, with single spaces."""
    out, errors = process.communicate(timeout=6 * START_S)
    return process.returncode, " ".join(f"{out} {errors}".split())


def tables(root):
    """Bytes of all stored tables below a folder, of cases and of studies."""
    found = {path.relative_to(root): path.read_bytes() for path in Path(root).rglob("*.csv")}
    return {path: content for path, content in found.items() if path.name != "verdicts.csv"}


def wait_until(true, process=None):
    deadline = time.monotonic() + START_S
    while not true():
        assert (process is None or process.poll() is None) and time.monotonic() < deadline
        time.sleep(0.02)


# ------------------------------------------------------------------- the same bytes


@pytest.mark.long
def test_a_cluster_gives_the_bytes_of_this_machine_from_other_processes(client, cluster, store, computed_by):
    here = tables(run_study(toy_study.experiment, profile="smoke").path)
    there = together(toy_study.experiment, scheduler=cluster.address, force=True)
    assert tables(there.path) == here and len(here) == 2 * 2 + 3
    assert os.getpid() in computed_by()[:2] and os.getpid() not in computed_by()[2:]
    assert not [path for path in store.rglob("*") if "part-" in path.name]


THREE = (
    "denoeux2016_evclus/butterfly",
    "djiberou2019_catecm/cat_diamond",
    "denoeux2016_evclus/belief_examples",
)
STUDIES = f"""\
from credalbench import cli
from credalbench.papers import studies
found = [studies.get_study(name) for name in {THREE}]
cli.runs.select = lambda name: found
cli.main()
"""


@pytest.mark.long
@pytest.mark.parametrize("killed", [False, True])
def test_three_studies_on_a_cluster_are_those_of_this_machine(killed, cluster, tmp_path, monkeypatch):
    words = ("run", "--profile", "smoke", "--no-notebook")
    code, printed = answer(command(*words, "--jobs", "2", code=STUDIES))
    assert code == 0, printed
    monkeypatch.setenv("CREDALBENCH_RESULTS", str(tmp_path / "there"))
    workers = [cluster.work(), cluster.work()]
    process = command(*words, "--scheduler", cluster.address, code=STUDIES)
    if killed:
        wait_until(lambda: len(list((tmp_path / "there").glob("*/*/*/cases/*/manifest.json"))) > 2, process)
        workers[0].kill()
    code, printed = answer(process)
    assert code == 0, printed
    here = tables(tmp_path / "results")
    assert len(here) > 30 and tables(tmp_path / "there") == here


@pytest.mark.long
def test_a_worker_that_is_killed_in_a_case_costs_no_result(client, cluster, computed):
    words = {"n_runs": 6, "sizes": (4,), "pause_s": 1.0}

    def kill():
        wait_until(lambda: computed() > 2)
        cluster.workers[0].kill()

    killer = threading.Thread(target=kill)
    killer.start()
    there = together(toy_study.experiment, "paper", cluster.address, **words)
    killer.join()
    assert there.folder.status["failed"] == 0 and computed() > 6
    here = tables(there.path)
    assert tables(run_study(toy_study.experiment, force=True, **words).path) == here


# ----------------------------------------------------------- what is killed and stopped

SLOW = ("-p", "n_runs=8", "-p", "sizes=(4,)", "-p", "pause_s=1")


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_after_the_client_has_ended_its_work_ends_and_the_next_run_computes_the_rest(
    number, client, cluster, processes, computed
):
    words = ("run", "toy_paper/toy_study", *SLOW, "--scheduler", cluster.address)
    params = toy_study.experiment.resolve("paper", {"n_runs": 8, "sizes": (4,), "pause_s": 1.0})
    folder, cases = StudyFolder.of(toy_study.experiment, params), toy_study.experiment.case_list(params)
    process = command(*words)
    wait_until(lambda: n_stored(folder, cases) > 2, process)
    process.send_signal(number)
    code, printed = answer(process)
    assert code == (-number if number == signal.SIGKILL else 128 + number)
    assert number == signal.SIGKILL or "Stopped. Finished cases are stored" in printed
    wait_until(lambda: not any(client.processing().values()))
    stored = n_stored(folder, cases)
    assert 2 < stored < 8 and [worker.poll() for worker in cluster.workers] == [None, None]
    code, printed = answer(command(*words))
    assert code == 0 and folder.status["failed"] == 0, printed
    assert computed() <= 2 * 8 - stored


@pytest.mark.long
def test_a_study_over_its_time_ends_on_the_cluster(client, cluster, processes):
    where = ("--scheduler", cluster.address, "--time-limit", "10")
    code, printed = answer(command("run", "toy_paper/toy_study", "-p", "pause_s=600", *where))
    assert code == 1 and "stopped after 10 s; finished cases are kept" in printed
    client.wait_for_workers(2, timeout=START_S)
    assert client.submit(abs, -1).result(timeout=START_S) == 1  # the workers are free again


@pytest.mark.long
def test_a_case_that_kills_its_worker_three_times_is_named_and_the_rest_goes_on(client, cluster):
    code, printed = answer(command("run", "toy_paper/fatal_study", "--scheduler", cluster.address))
    assert code == 1 and "WorkerDied: 3 workers died while they computed this case" in printed
    found = load_study(fatal_study.experiment)
    assert found.tables["table"]["repetition"].tolist() == [0, 2, 3]
    assert found.failures["repetition"].tolist() == [1]
    log = (found.path / "run.log").read_text()
    assert [log.count(f"computing case {r}") for r in (0, 2, 3)] == [1, 1, 1]


@pytest.mark.long
def test_failures_of_cases_are_rows_and_a_lost_scheduler_is_named(client, cluster, computed):
    words = {"n_runs": 2, "sizes": (4,), "fail": (1,)}
    found = together(toy_study.experiment, "paper", cluster.address, **words).failures
    assert found["reason"].tolist() == ["repetition 1 diverged"]
    process = command("run", "toy_paper/toy_study", *SLOW, "--scheduler", cluster.address)
    wait_until(lambda: computed() > 3, process)
    cluster.scheduler.kill()
    code, printed = answer(process)
    assert code == 1 and "the scheduler was lost; finished cases are kept" in printed


# --------------------------------------------------------------- refused before work starts


def without_package(folder):
    """Return how Python starts ``dask`` where all is installed but credalbench."""
    folder.mkdir()
    for place in {Path(distributed.__file__).parents[1], Path(pytest.__file__).parents[1]}:
        for path in place.iterdir():
            if "credalbench" not in path.name and not (folder / path.name).exists():
                (folder / path.name).symlink_to(path)
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); from dask.__main__ import main; main()"
    return ["-S", "-c", code]


def another_version(folder, package):
    """Return a folder that, first on the path of Python, makes a package one of version 0.0.1."""
    place = folder / f"{package}-0.0.1.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.0.1\n")
    return f"{folder}:{ROOT}"


def refusal(cluster, study, n_workers):
    """Return the lines in which a cluster is refused."""
    with distributed.Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(n_workers, timeout=START_S)
        with pytest.raises(ClusterError) as refused:
            together(study, scheduler=cluster.address)
    head, *lines = str(refused.value).splitlines()
    assert head == "these workers would not compute what this machine does:"
    return lines


@pytest.mark.long
def test_a_worker_without_the_package_or_with_another_version_is_named(cluster, tmp_path, computed):
    cluster.work()
    cluster.work(python=without_package(tmp_path / "others"), PYTHONPATH="")
    cluster.work(PYTHONPATH=another_version(tmp_path / "old", "credalbench"))
    lines = refusal(cluster, toy_study.experiment, 3)
    here = importlib.metadata.version("credalbench")
    other, missing = sorted((line.partition(": ")[2] for line in lines), reverse=True)
    assert other == f"credalbench 0.0.1, on this machine {here}"
    assert "No module named 'credalbench'" in missing
    assert computed() == 0


@pytest.mark.long
def test_data_files_versions_and_code_that_differ_on_one_worker_are_named(cluster, tmp_path):
    study = studies.get_study("li2020_ensemble/combination_rules")
    [data] = study.data
    if verify(data)["status"].tolist() != ["ok"]:
        pytest.skip(f"the file of {data} is not here")
    (tmp_path / "empty").mkdir()
    nowhere = {"CREDALBENCH_DATA": str(tmp_path / "empty"), "XDG_CACHE_HOME": str(tmp_path / "empty")}
    cluster.work()
    cluster.work(PYTHONPATH=another_version(tmp_path / "old", "numpy"), **nowhere)
    version, code, file = refusal(cluster, study, 2)  # one worker fits
    assert version.endswith(f": numpy 0.0.1, on this machine {importlib.metadata.version('numpy')}")
    assert f": code of {study.module} " in code
    assert f": data {data}, file " in file and file.endswith(" missing, on this machine ok")


@pytest.mark.long
def test_a_worker_of_several_threads_is_named(cluster, computed):
    cluster.work(threads=2)
    assert "start it with --nthreads 1 --nworkers 2" in refusal(cluster, toy_study.experiment, 1)[0]
    assert computed() == 0


@pytest.mark.long
def test_cases_that_measure_time_run_on_this_machine(cluster, tmp_path):
    """And the notebooks, too: there is no worker elsewhere that could."""
    timed = dataclasses.replace(toy_study.experiment, timed=True)
    cluster.work()
    task = prepare(timed, "smoke", {}, use_notebook=False)
    nobody = {"TOY_LOG": str(tmp_path / "there")}
    cluster.work(**nobody)
    [outcome] = run_batch([task], scheduler=cluster.address, write=lambda line: None)
    assert outcome.error == "" and not (tmp_path / "there").exists()


def test_what_a_cluster_cannot_do_is_refused_before_it_is_asked(computed):
    printed = CliRunner().invoke(main, ["run", "jiao2022_egmm", "--scheduler", "tcp://a:1", "--jobs", "2"])
    assert printed.exit_code == 2 and "the cluster at tcp://a:1 has its own workers" in printed.output
    assert computed() == 0


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch):
    monkeypatch.setattr(engine, "CONNECT_S", 0.2)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"no Dask scheduler answers at {address}"):
            Engine(scheduler=address).__enter__()


def test_dask_is_loaded_where_cases_run_and_the_error_names_the_extra(monkeypatch):
    code = "import sys, credalbench.cli.runs, credalbench.papers.batch, credalbench.papers.engine"
    loaded = subprocess.run([sys.executable, "-c", f"{code}; print(*sys.modules)"], capture_output=True)
    assert not {b"dask", b"distributed"} & set(loaded.stdout.split()) and loaded.returncode == 0
    monkeypatch.setattr("credalbench.core.extras.find_spec", lambda name: None)
    with pytest.raises(MissingPackage, match=r"pip install '\.\[papers\]'"):
        Engine()

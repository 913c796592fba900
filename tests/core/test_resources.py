"""Available memory, as the system reports it, and the errors and warnings that depend on it."""

import math
import subprocess
import sys

import numpy as np
import pytest

from credalbench.cluster import CECM, ECM, EVCLUS, MECM, RECM
from credalbench.core import resources
from credalbench.core.resources import NotEnoughMemory, available_memory, expect_memory, warn_if_slow

GIB = 2**30


@pytest.fixture
def system(tmp_path, monkeypatch):
    """A system of our own: ``system(path, text)`` writes its reports, under "proc" and "groups"."""
    monkeypatch.setattr(resources, "PROCESSES", tmp_path / "proc")
    monkeypatch.setattr(resources, "GROUPS", tmp_path / "groups")
    monkeypatch.setattr(resources, "_left_of_address_space", lambda: math.inf)

    def write(path, text):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    write("proc/meminfo", f"MemTotal: 1 kB\nMemAvailable:   {8 * GIB // 1024} kB\nHugePages_Total:  0\n")
    return write


def test_free_memory_of_the_machine_counts(system):
    assert available_memory() == (8 * GIB, "the machine has")


def test_a_system_without_reports_refuses_nothing(system, monkeypatch, tmp_path):
    monkeypatch.setattr(resources, "PROCESSES", tmp_path / "nowhere")
    monkeypatch.delattr("os.sysconf")
    assert available_memory()[0] == math.inf
    expect_memory(1e300, "a matrix", "none is needed")


@pytest.mark.parametrize(
    ("own", "around", "left"),
    [
        (f"{4 * GIB}", "max", 3),  # what the own group has used is gone
        (f"{4 * GIB}", f"{2 * GIB}", 1),  # a group around it is tighter
        ("max", "max", 8),  # no limit: the machine's
        (f"{GIB // 2}", "max", 0),  # over its limit already: nothing is left, not less
    ],
)
def test_control_groups_count_with_those_around_them(system, own, around, left):
    system("proc/self/cgroup", "0::/outer/inner\n")
    system("groups/outer/inner/memory.max", own + "\n")
    system("groups/outer/memory.max", around + "\n")
    for group in ("outer", "outer/inner"):
        system(f"groups/{group}/memory.current", f"{GIB}\n")
    assert available_memory()[0] == left * GIB


def test_file_contents_that_can_be_dropped_are_at_hand(system):
    system("proc/self/cgroup", "0::/\n")
    system("groups/memory.max", f"{4 * GIB}")
    system("groups/memory.current", f"{4 * GIB}")
    system("groups/memory.stat", f"anon 12\ninactive_file {2 * GIB}\n")
    assert available_memory() == (2 * GIB, "the control group of this process has")


def test_control_groups_of_version_1_and_a_container_that_sees_its_own_as_the_root(system):
    system("proc/self/cgroup", "5:cpu,cpuacct:/box\n4:memory:/box/of/a/container\n")
    system("groups/memory/memory.limit_in_bytes", f"{3 * GIB}")
    system("groups/memory/memory.usage_in_bytes", f"{GIB}")
    assert available_memory()[0] == 2 * GIB


def test_the_limit_on_the_address_space_counts_what_is_taken():
    code = (
        "import resource; from credalbench.core.resources import available_memory; "
        "resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30)); print(*available_memory())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    left, limit = done.stdout.split(maxsplit=1)
    assert 0 < float(left) < 2**30
    assert "ulimit" in limit


def test_a_refusal_names_need_limit_and_way_out(system):
    with pytest.raises(NotEnoughMemory, match=r"at most 8\.0 GiB.*the machine has.*9\.0 GiB for a.*fewer"):
        expect_memory(9 * GIB, "a matrix", "fewer objects")
    for kind in (ValueError, MemoryError):
        with pytest.raises(kind):
            expect_memory(9 * GIB, "a matrix", "fewer objects")
    expect_memory(8 * GIB, "a matrix", "fewer objects")


def test_long_work_is_warned_of_with_its_seconds_and_the_way_out(recwarn):
    warn_if_slow(29e9, "a sweep", "fewer objects")
    assert not recwarn
    with pytest.warns(UserWarning, match="a sweep takes about 60 s. Quicker: fewer objects"):
        warn_if_slow(60e9, "a sweep", "fewer objects")


@pytest.mark.parametrize(
    ("estimator", "slow"),
    [
        (EVCLUS(2), ["a sweep over 8 objects and 4 focal sets"]),
        (EVCLUS(2, n_pairs=3), ["a sweep over 8 objects and 4 focal sets"]),
        (ECM(2), ["an iteration over 8 objects and 4 focal sets"]),
        (CECM(2), ["an iteration over 8 objects", "a mass step of 2 constrained objects"]),
        (RECM(2), ["an iteration over 8 objects and 4 focal sets"]),
        (RECM(2, metric="cityblock"), ["telling whether", "an iteration", "finding the eigenvalues of 8"]),
        (MECM(2), ["an iteration over 8 objects and 4 focal sets"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_estimator_warns_of_long_work_and_blames_the_line_that_called_it(estimator, slow, monkeypatch):
    """Each step that grows faster than n f: with its sizes, and another setting or method."""
    monkeypatch.setattr(resources, "LONG", 0.0)
    X = np.random.default_rng(0).normal(size=(8, 2))
    links = {"must_link": [(0, 1)]} if isinstance(estimator, CECM) else {}
    with pytest.warns(UserWarning) as warned:
        estimator.set_params(max_iter=1, random_state=0).fit(X, **links)
    warned = [warning for warning in warned if "Quicker: " in str(warning.message)]
    assert len(warned) == len(slow)
    for warning, what in zip(warned, slow):
        assert str(warning.message).startswith(what)
        assert warning.filename == __file__


def test_moderate_sizes_are_not_warned_of(recwarn):
    X = np.random.default_rng(0).normal(size=(300, 2))
    for estimator in (EVCLUS(3), ECM(3), RECM(3), RECM(3, metric="chebyshev", spectral_shift=True), MECM(3)):
        estimator.set_params(max_iter=1, random_state=0).fit(X)
    assert not [warning for warning in recwarn if "Quicker: " in str(warning.message)]

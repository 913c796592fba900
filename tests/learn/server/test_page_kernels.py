"""Kernels end with their pages, however these end; and with the server, however that ends."""

import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import psutil
import pytest
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager

from credalbench.core.locked_tempdir import LockedTempDir
from credalbench.learn.server import page_kernels
from credalbench.learn.server.page_kernels import OF_A_PAGE, OPENING_S, PageKernels
from tests.core.test_processes import runs
from tests.learn.server.served import explore

PAGE, NOTEBOOK = {"env": {OF_A_PAGE: "http://..."}}, {"env": {}}
PATIENCE_S = 180


@pytest.fixture
def clock(monkeypatch):
    """A clock that tests set."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(page_kernels, "monotonic", lambda: clock.now)
    return clock


@pytest.fixture
def kernels(monkeypatch, clock):
    """A manager of kernels that are not processes."""

    async def start(self, **options):
        kernel = f"kernel {len(self._kernels)}"
        self._kernels[kernel] = SimpleNamespace(execution_state="starting")
        self._kernel_connections[kernel] = 0
        return kernel

    async def shut_down(self, kernel_id):
        del self._kernels[kernel_id]

    monkeypatch.setattr(AsyncMappingKernelManager, "start_kernel", start)
    monkeypatch.setattr(AsyncMappingKernelManager, "shutdown_kernel", shut_down)
    manager = PageKernels(gone_s=60)
    monkeypatch.setattr(manager, "_looks", SimpleNamespace())
    return manager


def left(kernels, clock, *times):
    """Look at some times; return the kernels that are left after each."""
    found = []
    for clock.now in times:
        asyncio.run(kernels.end_abandoned())
        found.append(len(kernels))
    return found


def test_a_connected_page_keeps_its_kernel_until_a_minute_after_it_is_gone(kernels, clock):
    kernel = asyncio.run(kernels.start_kernel(**PAGE))
    kernels.notify_connect(kernel)
    kernels.notify_connect(kernel)
    kernels.get_kernel(kernel).execution_state = "busy"
    clock.now = 500
    kernels.notify_disconnect(kernel)
    assert left(kernels, clock, 1000) == [1]  # its other connection
    kernels.notify_disconnect(kernel)
    clock.now = 1050
    kernels.notify_connect(kernel)  # it came back
    assert left(kernels, clock, 1100) == [1]
    kernels.notify_disconnect(kernel)
    assert left(kernels, clock, 1159, 1160) == [1, 0]  # even if a fit runs
    assert left(kernels, clock, 2000) == [0] and kernels._pages == {}


def test_a_page_that_was_given_up_keeps_its_kernel_a_minute_after_its_cells_have_run(kernels, clock):
    kernel = asyncio.run(kernels.start_kernel(**PAGE))
    assert left(kernels, clock, 100) == [1]
    kernels.get_kernel(kernel).execution_state = "busy"
    assert left(kernels, clock, 200) == [1]
    kernels.get_kernel(kernel).execution_state = "idle"
    assert left(kernels, clock, 259, 260) == [1, 0]


def test_cells_that_never_end_keep_no_kernel(kernels, clock):
    asyncio.run(kernels.start_kernel(**PAGE))
    assert left(kernels, clock, OPENING_S - 1, OPENING_S + 30, OPENING_S + 60) == [1, 1, 0]


def test_the_last_line_of_the_compiling_process_counts(kernels):
    assert kernels.compiled == (0, 0)
    read, write = os.pipe()
    os.set_blocking(read, False)
    kernels._compiling = SimpleNamespace(stdout=os.fdopen(read, "rb"))
    assert kernels.compiled == (0, 0)
    os.write(write, b"0 11\n1 11\n")
    assert kernels.compiled == kernels.compiled == (1, 11)
    os.write(write, b"11 11\n")
    os.close(write)
    assert kernels.compiled == kernels.compiled == (11, 11)


def test_the_compiling_process_counts_all_groups_of_loops():
    code = page_kernels.COMPILE.replace("warm_up()", "pass")
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = [tuple(map(int, line.split())) for line in found.stdout.splitlines()]
    assert lines[-1][1] > 5 and [done for done, _ in lines] == [*range(lines[-1][1] + 1)]


def test_a_notebook_in_jupyterlab_keeps_its_kernel(kernels, clock):
    asyncio.run(kernels.start_kernel(**NOTEBOOK))
    kernels.notify_connect("kernel 0")
    kernels.notify_disconnect("kernel 0")
    assert left(kernels, clock, timedelta(days=1).total_seconds()) == [1]


def processes(process, words):
    """Return the processes that a process has started, by words of their command."""
    found = []
    for child in process.children(recursive=True):
        try:
            found += [child] if words in " ".join(child.cmdline()) else []
        except psutil.Error:  # it has just ended
            continue
    return found


def kernels_of(process):
    """Return the kernels among the processes that a process has started: forked, or started as usual."""
    started, warm = (
        processes(process, "ipykernel"),
        processes(process, "credalbench.learn.server.warm_process"),
    )
    numbers = {one.pid for one in warm}
    for one in warm:
        with suppress(psutil.Error):  # it has just ended
            started += [one] if one.ppid() in numbers else []
    return started


def wait_for(condition):
    deadline = time.monotonic() + PATIENCE_S
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert condition()


def request_page(address):
    """Ask for the page of an explorer, and return the connection."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc)
    connection.request("GET", f"/voila/render/originals/explore/ecm.ipynb?{parts.query}")
    return connection


@pytest.mark.long
@pytest.mark.parametrize("words", [["--class", "--most", "2"], []], ids=["class", "one user"])
def test_pages_that_are_given_up_and_servers_that_are_killed_leave_nothing(tmp_path, words):
    pytest.importorskip("voila", reason="Voila is not installed")
    settings = tmp_path / "jupyter_config_path" / "jupyter_server_config.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"PageKernels": {"gone_s": 5}}))
    with explore(tmp_path, *words) as (process, address):
        command = psutil.Process(process.pid)
        for connection in [request_page(address), request_page(address)]:
            connection.sock.close()
            connection.close()
        wait_for(lambda: kernels_of(command))
        wait_for(lambda: not kernels_of(command))
        wait_for(lambda: request_page(address).getresponse().status == 200)  # the places are free
        started = command.children(recursive=True)
        [server] = command.children()
        folder = Path(server.environ()["JUPYTER_RUNTIME_DIR"]).parent
        os.kill(process.pid, signal.SIGKILL)
        wait_for(lambda: not any(runs(child.pid) for child in started))
        LockedTempDir().remove()  # as the next start does
        assert not folder.exists()

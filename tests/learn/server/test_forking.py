"""Kernels of pages are forked from one process; each is on its own in all but memory."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from tempfile import TemporaryDirectory

import psutil
import pytest
from jupyter_client.provisioning import LocalProvisioner
from traitlets.config import Config

from credalbench.learn.server import forking, page_kernels
from credalbench.learn.server.forking import CAN_FORK, ForkProvisioner, WarmProcess
from credalbench.learn.server.page_kernels import OF_A_PAGE, PageKernels
from credalbench.learn.server.warm_process import imports
from tests.core.test_processes import runs

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not CAN_FORK, reason="kernels are forked on Linux only")]

HERE = os.path.dirname(__file__)
PATIENCE_S = 180
EXPLORER = "from credalbench.explore import explore_ecm; explorer = explore_ecm('t4:400')"


class Page:
    """A kernel and a client of it."""

    def __init__(self, pages, kernel_id):
        self.pages, self.id = pages, kernel_id
        self.manager = pages.manager.get_kernel(kernel_id)
        self.client = self.manager.client()
        self.client.start_channels()
        pages.wait(self.client.wait_for_ready(timeout=PATIENCE_S))

    @property
    def process(self):
        return psutil.Process(self.manager.provisioner.pid)

    async def _run(self, code):
        found = []
        reply = await self.client.execute_interactive(code, output_hook=found.append, timeout=PATIENCE_S)
        return reply["content"], [one["content"] for one in found if one["msg_type"] != "status"]

    def run(self, code):
        """Run code, and return the answer and all messages."""
        return self.pages.wait(self._run(code))

    def printed(self, code):
        """Run code, and return what it prints."""
        reply, outputs = self.run(code)
        assert reply["status"] == "ok", reply
        return "".join(one.get("text", "") for one in outputs).strip()

    def ended(self):
        """Wait for the end of the process, and return its exit code."""

        async def poll():
            while (code := await self.manager.provisioner.poll()) is None:
                await asyncio.sleep(0.05)
            return code

        return self.pages.wait(asyncio.wait_for(poll(), PATIENCE_S))


class Pages:
    """A manager of kernels with an event loop of its own."""

    def __init__(self, folder):
        self.loop = asyncio.new_event_loop()
        config = Config({"KernelManager": {"transport": "ipc", "autorestart": False}})
        self.manager = PageKernels(connection_dir=str(folder), gone_s=1e6, config=config)

    def wait(self, coroutine):
        return self.loop.run_until_complete(coroutine)

    def open(self, **env):
        return self.open_notebook(**{OF_A_PAGE: "http://...", **env})

    def open_notebook(self, **env):
        """As JupyterLab does, not Voila."""
        env = {**os.environ, **env}
        return Page(self, self.wait(self.manager.start_kernel(env=env, cwd=HERE)))

    def close(self):
        self.wait(self.manager.shutdown_all(now=True))
        warm = self.manager._warm
        if warm is not None:
            warm.process.kill()
            warm.process.wait()
        self.loop.close()


@contextmanager
def opened():
    with TemporaryDirectory() as folder:  # the names of sockets must be short
        pages = Pages(folder)
        try:
            yield pages
        finally:
            pages.close()


@pytest.fixture(scope="module")
def pages():
    """Pages that share a warm process."""
    with opened() as pages:
        yield pages


def wait_for(condition):
    deadline = time.monotonic() + PATIENCE_S
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert condition()


def test_the_memory_of_imports_is_shared(pages):
    first, second = pages.open(), pages.open()
    for page in (first, second):
        page.printed(EXPLORER)
    memory = second.process.memory_full_info()
    assert memory.uss < 0.45 * memory.rss
    assert second.process.ppid() == pages.manager.warm_process().process.pid


def test_the_warm_process_has_one_thread_and_only_imports(pages):
    page = pages.open()
    assert psutil.Process(page.process.ppid()).num_threads() == 1


def test_random_streams_differ(pages):
    code = (
        "import random, numpy as np, numba, scipy.stats as s, uuid\n"
        "@numba.njit\ndef compiled(): return np.random.random()\n"
        "print(random.random(), np.random.random(), compiled(), np.random.default_rng().random(),"
        " s.norm.rvs(), uuid.uuid4(), sep='\\n')"
    )
    one, other = (pages.open().printed(code).split() for _ in range(2))
    assert len(one) == 6 and not set(one) & set(other)


def test_a_page_finds_nothing_of_another(pages):
    one = pages.open()
    assert (
        one.printed("import numpy, os; numpy.mine = os.environ['MINE'] = 'mine'; print(numpy.mine)") == "mine"
    )
    code = "import numpy, os; print(hasattr(numpy, 'mine'), 'MINE' in os.environ)"
    assert one.printed(code) == "True True" and pages.open().printed(code) == "False False"


def test_a_page_has_the_environment_folder_and_path_of_a_kernel_that_is_started_as_usual(pages):
    code = (
        "import os, sys; print(os.environ.get('ONE'), os.getcwd(), sys.path, sys.argv[1], sys.stdin.read())"
    )
    usual = pages.open_notebook(ONE="1")
    forked = pages.open(ONE="1")
    assert usual.printed(code).replace(usual.id, forked.id) == forked.printed(code)
    assert pages.open().printed(code).startswith(f"None {HERE}")


def test_the_browser_can_reach_the_widgets_of_a_page(pages):
    code = "import comm, ipywidgets; print(sorted(comm.get_comm_manager().targets))"
    found = pages.open().printed(code)
    assert "jupyter.widget.control" in found and found == pages.open_notebook().printed(code)


def test_figures_are_shown_in_the_page(pages):
    _, outputs = pages.open().run("import matplotlib.pyplot as plt; plt.plot([1, 2]);")
    assert any("image/png" in one.get("data", {}) for one in outputs)


def test_a_page_is_interrupted_and_goes_on(pages):
    page = pages.open()

    async def interrupted():
        running = asyncio.ensure_future(page._run("print('begun')\nwhile True: pass"))
        await asyncio.sleep(1)
        await page.manager.interrupt_kernel()
        return await running

    reply, _ = pages.wait(interrupted())
    assert reply["ename"] == "KeyboardInterrupt"
    assert page.printed("print(1 + 1)") == "2"


@pytest.mark.parametrize(
    ("crash", "code"),
    [
        ("import os; os.kill(os.getpid(), 9)", -signal.SIGKILL),
        ("import ctypes; ctypes.string_at(0)", -signal.SIGSEGV),
        ("import os; os._exit(3)", 3),
    ],
)
def test_a_page_that_crashes_harms_no_other(pages, crash, code):
    page, other = pages.open(), pages.open()
    warm = pages.manager.warm_process()
    page.client.execute(crash)
    assert page.ended() == code
    assert other.printed("print(1)") == "1" and pages.open().printed("print(2)") == "2"
    assert pages.manager.warm_process() is warm and not runs(page.manager.provisioner.pid)


def test_a_page_that_is_closed_ends_in_good_order(pages):
    page = pages.open()
    process = page.process
    pages.wait(pages.manager.shutdown_kernel(page.id))
    assert page.id not in pages.manager and not runs(process.pid)


@pytest.mark.long
def test_pages_outlive_the_warm_process_and_the_next_has_a_new_one():
    with opened() as pages:
        page = pages.open()
        before = pages.manager.warm_process()
        before.process.kill()
        before.process.wait()
        assert page.printed("print(1)") == "1"
        assert pages.open().printed("print(2)") == "2"
        assert pages.manager.warm_process() is not before
        page.client.execute("import os; os._exit(3)")
        assert page.ended() == -signal.SIGKILL  # its exit code has no reader


SERVER = f"""
import sys, time
from tests.learn.server.test_forking import Pages
pages = Pages({{folder!r}})
for page in (pages.open(), pages.open()):
    page.client.execute("while True: pass")
    print(page.process.pid, page.process.ppid(), flush=True)
time.sleep({PATIENCE_S})
"""


def test_a_server_that_is_killed_leaves_no_page():
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-c", SERVER.format(folder=folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            started = [int(one) for _ in range(2) for one in server.stdout.readline().split()]
            assert len(set(started)) == 3 and all(map(runs, started))
            server.kill()
        wait_for(lambda: not any(map(runs, started)))


def test_kernels_of_notebooks_and_on_other_systems_are_started_as_usual(monkeypatch):
    with opened() as pages:
        notebook = pages.open_notebook()
        monkeypatch.setattr(page_kernels, "CAN_FORK", False)
        for page in (notebook, pages.open()):
            assert type(page.manager.provisioner) is LocalProvisioner
        assert pages.manager._warm is None


def test_a_page_without_a_warm_process_is_started_as_usual(monkeypatch):
    def ends(*_, **__):
        return subprocess.Popen([sys.executable, "-c", ""])

    monkeypatch.setattr(forking, "subprocess", type("", (), {"Popen": ends, "DEVNULL": subprocess.DEVNULL}))
    with opened() as pages:
        page = pages.open()
        assert page.printed("print(1)") == "1"
        assert isinstance(page.manager.provisioner, ForkProvisioner)
        assert page.process.ppid() == os.getpid()


def test_a_warm_process_ends_with_its_socket():
    warm = WarmProcess()
    warm._socket.close()
    warm.process.wait(PATIENCE_S)


def test_imports_of_a_notebook_are_found():
    cells = [
        {"cell_type": "code", "source": ["import numpy as np, math\n", "from pathlib import Path, PurePath"]},
        {"cell_type": "markdown", "source": "import nothing"},
        {"cell_type": "code", "source": "x = 1"},
    ]
    found = list(imports({"cells": cells}))
    assert found == [("numpy", []), ("math", []), ("pathlib", ["Path", "PurePath"])]

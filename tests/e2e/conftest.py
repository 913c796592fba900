"""A JupyterLab server and a real browser for the end-to-end tests; skipped with the reason where missing."""

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest

STARTUP_S = 60
CONNECTED = """() => {
  const panel = window.jupyterapp?.shell?.currentWidget;
  return panel?.context?.sessionContext?.session?.kernel?.connectionStatus === 'connected';
}"""
SETTINGS = {
    "@jupyterlab/apputils-extension/notification": {
        "checkForUpdates": False,
        "fetchNews": "false",
        "doNotDisturbMode": True,
    },
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
}


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def lab_server(tmp_path_factory):
    """A JupyterLab on 127.0.0.1 with folders of its own: its folder of notebooks, its address, its token."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    home = tmp_path_factory.mktemp("lab")
    work = home / "work"
    work.mkdir()
    port, token = _free_port(), secrets.token_hex(16)
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--expose-app-in-browser", "--allow-root"]
    command += ["--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0"]
    command += [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={work}"]
    with open(home / "lab.log", "wb") as log:
        server = subprocess.Popen(
            command,
            cwd=work,
            env=_environment(home),
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _wait_until_ready(server, f"http://127.0.0.1:{port}/api?token={token}", home / "lab.log")
            yield work, f"http://127.0.0.1:{port}", token
        finally:
            _stop(server)


def _environment(home):
    environment = dict(os.environ)
    folders = ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    for name in (*folders, "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR", "MPLCONFIGDIR"):
        environment[name] = str(home / name.lower())
        Path(environment[name]).mkdir()
    for plugin, values in SETTINGS.items():
        path = Path(environment["JUPYTERLAB_SETTINGS_DIR"]) / f"{plugin}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    return environment


@pytest.fixture
def lab(lab_server, tmp_path):
    """A function from a notebook's path to its address in JupyterLab; its kernel ends with the test."""
    work, server, token = lab_server

    def address(notebook):
        own = work / tmp_path.name  # the tracked file is never opened, so never autosaved
        own.mkdir(exist_ok=True)
        shutil.copy(notebook, own)
        return f"{server}/doc/tree/{own.name}/{Path(notebook).name}?reset&token={token}"

    yield address
    with urllib.request.urlopen(f"{server}/api/kernels?token={token}") as answer:
        kernels = json.load(answer)
    for kernel in kernels:
        url = f"{server}/api/kernels/{kernel['id']}?token={token}"
        urllib.request.urlopen(urllib.request.Request(url, method="DELETE")).close()


def _wait_until_ready(server, url, log):
    deadline = time.monotonic() + STARTUP_S
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest.fail(f"JupyterLab ended with exit status {server.returncode}:\n{log.read_text()[-3000:]}")
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"JupyterLab was not ready after {STARTUP_S} s:\n{log.read_text()[-3000:]}")


def _stop(server):
    """End the server, which ends its kernels; only if it does not, end its own process group."""
    server.terminate()
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait(10)


@pytest.fixture
def page(browser):
    """A page that talks to this machine only; ``page.refused`` lists other requests."""
    page = browser.new_page(viewport={"width": 1440, "height": 1180})
    page.set_default_timeout(60_000)
    page.refused = []
    page.route("**/*", lambda route: _local_only(route, page.refused))
    yield page
    page.close()


def _local_only(route, refused):
    address = urlsplit(route.request.url)
    if address.scheme in ("data", "blob", "file") or address.hostname == "127.0.0.1":
        route.continue_()
    else:
        refused.append(route.request.url)
        route.abort()


@pytest.fixture
def run_notebook(page, lab):
    """A function that opens a notebook in the page and runs its cells."""

    def run(notebook):
        page.goto(lab(notebook))
        page.wait_for_function("() => window.jupyterapp !== undefined")
        page.wait_for_function(CONNECTED)
        page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")

    return run

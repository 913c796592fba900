"""The command that opens the explorers."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from credalbench.cli import main
from credalbench.explore import explorers

NOTEBOOKS = Path(__file__).parents[2] / "notebooks" / "explore"


def test_every_explorer_is_listed_with_what_it_is():
    words = CliRunner().invoke(main, ["explore", "--help"]).output
    for name, about in explorers().items():
        assert f"{name} " in words and about in words


def test_without_a_name_the_list_comes_first_and_the_folder_is_opened(monkeypatch):
    commands = []
    monkeypatch.setattr("credalbench.cli._serve", lambda command: commands.append(command) or 0)
    result = CliRunner().invoke(main, ["explore", "--no-browser"])
    assert result.exit_code == 0
    assert result.output.index("segmentation") < result.output.index("Starting JupyterLab on explore")
    assert str(NOTEBOOKS) in commands[0]


@pytest.mark.slow
def test_a_signal_to_the_command_ends_the_server(tmp_path):
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    own = {name: str(tmp_path) for name in names}
    command = [sys.executable, "-m", "credalbench", "explore", "--no-browser", f"--port={port}"]
    process = subprocess.Popen(command, env={**os.environ, **own}, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60  # s; JupyterLab starts slowly on a busy machine
    while not listens(port):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.1)
    process.terminate()
    assert process.wait(15) == 128 + signal.SIGTERM
    assert not listens(port)


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

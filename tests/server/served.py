"""The command `credalbench explore`, run as users run it, in folders of its own."""

import os
import re
import subprocess
import sys
from contextlib import contextmanager

FOLDERS = ("START", "JUPYTER_DATA_DIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR", "IPYTHONDIR")
FOLDERS = (*FOLDERS, "MPLCONFIGDIR", "CREDALBENCH_EXPLORATIONS", "JUPYTER_CONFIG_PATH")
#: One for each process of tests: of two servers that find a port free at the same time one gives up.
FIRST_PORT = 8888 + 100 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])


@contextmanager
def explore(folder, *words):
    """Run the command until the block ends: yields the process and the address that it prints."""
    own = {name: str(folder / name.lower()) for name in FOLDERS}
    process = subprocess.Popen(
        [sys.executable, "-m", "credalbench", "explore", "--no-browser", f"--port={FIRST_PORT}", *words],
        env={**os.environ, **own},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        said = iter(process.stdout.readline, "")
        yield process, next(match[0] for line in said if (match := re.search(r"http://127\S+", line)))
    finally:
        process.terminate()
        process.wait(120)
        process.stdout.close()

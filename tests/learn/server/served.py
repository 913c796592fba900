"""Run the command `credalbench explore` in temporary folders."""

import os
import re
import subprocess
import sys
from contextlib import contextmanager

from matplotlib import get_configdir

FOLDERS = ("HOME", "JUPYTER_DATA_DIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR", "IPYTHONDIR")
FOLDERS = (*FOLDERS, "CREDALBENCH_EXPLORATIONS", "JUPYTER_CONFIG_PATH")
#: A port for each test process, because two servers may find the same port free.
FIRST_PORT = 8888 + 100 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])


@contextmanager
def explore(folder, *words):
    """Run the command until the block ends; yield the process and the printed address."""
    own = {name: str(folder / name.lower()) for name in FOLDERS}
    process = subprocess.Popen(
        [sys.executable, "-m", "credalbench", "explore", "--no-browser", f"--port={FIRST_PORT}", *words],
        env={**os.environ, **own, "MPLCONFIGDIR": get_configdir()},  # its list of fonts takes seconds to make
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        lines = iter(process.stdout.readline, "")
        yield process, next(match[0] for line in lines if (match := re.search(r"http://127\S+", line)))
    finally:
        process.terminate()
        process.wait(120)
        process.stdout.close()

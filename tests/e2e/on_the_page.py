"""What the end-to-end tests read from a page, and do there."""

import os
import shutil
from pathlib import Path

import pytest
from jupyter_core.paths import jupyter_path

#: A canvas is there when a scene has been drawn on it.
CANVAS_DRAWN = "() => Number(document.querySelector('.credalbench-canvas')?.dataset.drawn ?? 0) > 0"
#: All that the explorer says, in words.
WORDS = "() => [...document.querySelectorAll('[role=status]')].map(e => e.textContent).join(' ')"
SAYS = f"wanted => ({WORDS})().includes(wanted)"


def open_canvas(page, run_notebook, notebook):
    """Open an explorer that draws in the browser."""
    folders = jupyter_path("labextensions")
    if not any((Path(folder) / "anywidget" / "package.json").is_file() for folder in folders):
        pytest.fail(f"the JupyterLab extension of anywidget, a dependency, is in none of {folders}")
    run_notebook(notebook)
    page.wait_for_function(CANVAS_DRAWN)


def keep_screenshot(page, path):
    """Take a screenshot, which is no blank page; a copy goes to the folder $CREDALBENCH_SCREENSHOTS."""
    page.screenshot(path=path)
    assert path.stat().st_size > 20_000  # a blank page of this size has about 5 kB
    if folder := os.environ.get("CREDALBENCH_SCREENSHOTS"):
        shutil.copy(path, folder)

"""One store of results for all tests, kept between runs; long files first, and tests of studies by study.

What one test process has computed, the others read, and so do later runs, those of fresh clones, too: the
key of a result holds the code that computes it. The store is not the one of the checkout.
"""

import gc
import os
import platform
import re
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest

STORE = "CREDALBENCH_TEST_RESULTS"  # names the folder of the store; default: in the user's cache
MOST_DAYS = 7  # age of a result that is kept
LONG_S = 20  # what a slow test, or one in a browser, counts for; any other counts for one


def pytest_configure(config):
    """Name the store to the tests, in whichever process they are."""
    gc.disable()  # until the tests are collected, which makes nothing but what stays
    if "PYTEST_XDIST_WORKER" in os.environ:
        return  # the process above has named it
    folder = os.environ.get(STORE) or _cached() or _temporary(config)
    _forget_old(Path(folder))
    os.environ["CREDALBENCH_RESULTS"] = str(folder)


def _cached():
    """Return a folder for this machine and this Python, or None where it cannot be written."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "credalbench" / "tests" / f"{platform.node()}-python{platform.python_version()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _temporary(config):
    folder = tempfile.mkdtemp(prefix="credalbench-results-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    return folder


def _forget_old(store):
    """Remove the results of more than a week ago: their keys belong to code of the past."""
    for result in store.glob("*/*/*"):
        if result.is_dir() and time.time() - result.stat().st_mtime > MOST_DAYS * 86_400:
            shutil.rmtree(result, ignore_errors=True)


def pytest_collection_modifyitems(items):
    """Begin with the files that take longest, so that no process waits for another at the end."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        seconds = Counter()
        for item in items:
            is_long = item.get_closest_marker("slow") or item.get_closest_marker("e2e")
            seconds[item.path] += LONG_S if is_long else 1
        items.sort(key=lambda item: -seconds[item.path])


@pytest.hookimpl(optionalhook=True)  # without xdist there is no such hook
def pytest_xdist_make_scheduler(config, log):
    """Share tests out by file, those of studies by study: one process computes it for all of them."""
    config.option.loadscopereorder = False  # the order is that of the items
    from xdist.scheduler import LoadFileScheduling

    class ByFileOrStudy(LoadFileScheduling):
        def _split_scope(self, nodeid):
            path, _, test = nodeid.partition("::")
            study = re.search(r"\w+/\w+", test) if path.startswith("tests/experiments/") else None
            return study[0] if study else path

    return ByFileOrStudy(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_collection_finish():
    """Modules and tests stay to the end: the garbage collector need not walk them again and again."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish():
    """Pytest collects garbage once more, though the process ends."""
    gc.freeze()

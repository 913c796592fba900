"""Fixtures that several test folders share."""

import json
import os
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings

from credalbench.datasets import DataUnavailable

# No deadline: a law holds on a slow machine, too. The same examples in every run, so that a change is
# judged by itself; CREDALBENCH_EXAMPLES=2000 searches longer, among others, and `make test-all` tries 60.
EXAMPLES = os.environ.get("CREDALBENCH_EXAMPLES")
settings.register_profile("laws", deadline=None, max_examples=int(EXAMPLES or 25), derandomize=not EXAMPLES)
settings.load_profile("laws")

ROOT = Path(__file__).resolve().parents[1]
LOCAL_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"  # no page of a test reaches elsewhere


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    with skipped_without_data():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    with skipped_without_data():
        return (yield)


@contextmanager
def skipped_without_data():
    """Skip a test whose data file is missing and cannot be downloaded; a corrupt file is a failure."""
    try:
        yield
    except DataUnavailable as error:
        if not error.leaves_out:
            raise
        pytest.skip(str(error).partition("\n")[0])


def oracle_folder() -> Path:
    """Folder of the outputs of the R package: $CREDALBENCH_ORACLE, or ../shared/oracle by the repository."""
    named = os.environ.get("CREDALBENCH_ORACLE")
    return Path(named) if named else ROOT.parent / "shared" / "oracle"


@pytest.fixture
def oracle():
    """A function from a case name to its parsed JSON; the test is skipped where the case is absent."""

    def read(case: str):
        path = oracle_folder() / f"{case}.json"
        if not path.is_file():
            pytest.skip(
                f"no outputs of the R package here ({path.name}; set CREDALBENCH_ORACLE to their folder)"
            )
        return json.loads(path.read_text(encoding="utf-8"))

    return read


@pytest.fixture(scope="module")  # its event loop must be gone when tests of other files start theirs
def browser():
    """Headless Chromium; tests are skipped, with the reason, where something is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright (extra e2e) is not installed")
    executable = find_chromium()
    if executable is None:
        pytest.skip("Chromium is missing: neither $CREDALBENCH_CHROMIUM nor /usr/bin/chromium is a file")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable, args=["--no-sandbox", LOCAL_ONLY])
        try:
            yield browser
        finally:
            browser.close()


def find_chromium():
    """Return the path of Chromium: $CREDALBENCH_CHROMIUM, else Debian's, else one on the path, else None."""
    chosen = os.environ.get("CREDALBENCH_CHROMIUM")
    candidates = [chosen] if chosen else ["/usr/bin/chromium", shutil.which("chromium")]
    return next((path for path in candidates if path and Path(path).is_file()), None)

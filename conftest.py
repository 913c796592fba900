"""One store of results for a whole run of the tests: what one of its processes has computed, others read.

It lies in a temporary folder, so that no test finds or leaves anything among the results of the checkout.
"""

import os
import shutil
import tempfile


def pytest_configure(config):
    """Name the store to the tests, in whichever process they are."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return  # a worker finds the name that the process above it gave
    folder = tempfile.mkdtemp(prefix="credalbench-results-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ["CREDALBENCH_RESULTS"] = folder

"""The smoke run of any study, once per session, stored in a folder of its own."""

from functools import cache

import pytest

from credalbench.runner import run_study
from credalbench.studies import get_study


@pytest.fixture(scope="session")
def smoke_result(tmp_path_factory):
    """``smoke_result("paper/study")``; a study whose data cannot be had here is skipped with its reason."""
    patch = pytest.MonkeyPatch()
    folder = str(tmp_path_factory.mktemp("results"))

    @cache
    def run(name):
        with patch.context() as environment:
            environment.setenv("CREDALBENCH_RESULTS", folder)
            return run_study(get_study(name), profile="smoke")

    def result(name):
        found = run(name)
        if found.left_out:
            pytest.skip(f"left out: {found.left_out}")
        return found

    return result

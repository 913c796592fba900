"""The smoke run of any study, computed once per session."""

from functools import cache

import pytest

from credalbench.runner import run_study
from credalbench.studies import get_study


@pytest.fixture(scope="session")
def smoke_result():
    """``smoke_result("paper/study")``; a study whose data cannot be had here is skipped with its reason."""
    run = cache(lambda name: run_study(get_study(name), profile="smoke"))

    def result(name):
        found = run(name)
        if found.left_out:
            pytest.skip(f"left out: {found.left_out}")
        return found

    return result

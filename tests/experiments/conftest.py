"""The smoke run of any study, computed once per session."""

from functools import cache

import pytest

from credalbench.datasets import DataUnavailable, fetch
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


@pytest.fixture
def needs_files():
    """``needs_files("iris_uci", "wine")`` skips the test where a data set cannot be had here."""

    def needs(*names):
        try:
            for name in names:
                fetch(name)
        except DataUnavailable as reason:
            pytest.skip(str(reason).splitlines()[0])

    return needs

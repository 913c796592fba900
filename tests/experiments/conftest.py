"""The smoke run of any study, computed once per session; programs in R run among the long tests only."""

import os
from functools import cache

import pytest

from credalbench.papers import run_study
from credalbench.papers.studies import get_study
from experiments.rscript import MISSING


@pytest.fixture(scope="session", autouse=True)
def no_r_unless_long(request, tmp_path_factory):
    """Put a Rscript without packages on the PATH, unless a long test was chosen: R takes minutes."""
    if not any(item.get_closest_marker("long") for item in request.session.items):
        script = tmp_path_factory.mktemp("r") / "Rscript"
        script.write_text(f"#!/bin/sh\necho 'programs in R are run by make test-all' >&2\nexit {MISSING}\n")
        script.chmod(0o755)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PATH", str(script.parent), prepend=os.pathsep)
            yield
    else:
        yield


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

"""Fixtures that several test folders share."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import settings

# No deadline: a law holds on a slow machine, too. CREDALBENCH_EXAMPLES=2000 searches longer.
settings.register_profile("laws", deadline=None, max_examples=int(os.environ.get("CREDALBENCH_EXAMPLES", 60)))
settings.load_profile("laws")

ROOT = Path(__file__).resolve().parents[1]


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

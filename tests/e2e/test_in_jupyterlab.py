"""In JupyterLab in a real browser: every explorer does what it should, and what only it has."""

import pytest

from credalbench.explore import explorers
from tests.e2e.acts import acts_of
from tests.e2e.gestures import gestures_of
from tests.e2e.opened import open_in_jupyterlab

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("nothing_tracked_changes")]

OPEN = open_in_jupyterlab
ACTS = [(name, act) for name in explorers() for act in (*acts_of(name), *gestures_of(name))]


@pytest.mark.parametrize(("name", "act"), ACTS, ids=[f"{name}-{act.__name__}" for name, act in ACTS])
def test_every_explorer(opened, name, act, tmp_path):
    with opened(name) as page:
        act(page, name, tmp_path)

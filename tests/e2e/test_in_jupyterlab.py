"""In JupyterLab in a real browser: two explorers do what all do on the server."""

import pytest

from tests.e2e.acts import acts_of
from tests.e2e.opened import open_in_jupyterlab

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("nothing_tracked_changes")]

OPEN = open_in_jupyterlab
ACTS = [(name, act) for name in ("ecm", "evclus") for act in acts_of(name)]


@pytest.mark.parametrize(("name", "act"), ACTS, ids=[f"{name}-{act.__name__}" for name, act in ACTS])
def test_explorer(opened, name, act, tmp_path):
    with opened(name) as page:
        act(page, name, tmp_path)

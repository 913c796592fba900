"""In JupyterLab in a real browser: explorers do what they do on the server."""

import pytest

from credalbench.explore import list_explorers
from tests.e2e.acts import acts_of
from tests.e2e.opened import open_in_jupyterlab

pytestmark = [pytest.mark.e2e, pytest.mark.long, pytest.mark.usefixtures("nothing_tracked_changes")]

OPEN = open_in_jupyterlab
ACTS = [
    pytest.param(name, act, id=f"{name}-{act.__name__}") for name in list_explorers() for act in acts_of(name)
]


@pytest.mark.parametrize(("name", "act"), ACTS)
def test_explorer(opened, name, act, tmp_path):
    with opened(name) as page:
        act(page, name, tmp_path)

"""What the tests of the explorers share."""

import pytest

from tests.explore.declared import NAMES, model_class


@pytest.fixture(params=NAMES)
def Model(request):
    """The model of each explorer."""
    return model_class(request.param)


@pytest.fixture
def count(model):
    """A list that grows by one with every new fit."""
    fits = []
    model.observe(lambda change: fits.append(change["new"]), "fitted")
    return fits

"""What the tests of the models share."""

import pytest


@pytest.fixture
def count(model):
    """A list that grows by one with every new fit."""
    fits = []
    model.observe(lambda change: fits.append(change["new"]), "fitted")
    return fits

"""The studies of [antoine2012_cecm] without repeated trials: examples and data sets."""

import pytest

from credalbench.papers import NotCheckable
from experiments.antoine2012_cecm import data_sets


@pytest.fixture
def examples(smoke_result):
    return smoke_result("antoine2012_cecm/constraint_examples")


@pytest.fixture
def sizes(smoke_result):
    return smoke_result("antoine2012_cecm/data_sets")


# ---------------------------------------------------------------- examples and sizes


def test_tables_1_to_3_hold(examples):
    """Every printed cell: masses, and [antoine2012_cecm (18)], [antoine2012_cecm (19)] of the pairs."""
    assert (examples.verdicts["verdict"] == "reproduced").all()
    plausibilities = examples.tables["plausibilities"]
    assert plausibilities["pl_same"].tolist() == [1, 0, 1]
    assert plausibilities["pl_different"].tolist() == [0, 1, 1]


def test_table_4_agrees(sizes):
    assert (sizes.verdicts["verdict"] == "reproduced").all()
    table = sizes.tables["sizes"].set_index("dataset")
    assert table.loc["iris", "delta"] ** 2 == pytest.approx(1000, rel=1e-12)  # a root squared
    assert table.loc["glass", "class_sizes"] == "163 + 51"


def test_table_4_cannot_be_checked_without_all_data_sets(sizes):
    with pytest.raises(NotCheckable, match="left out of this run: iris, wine"):
        data_sets.sizes_as_printed(sizes.params, {"sizes": sizes.tables["sizes"].iloc[2:]})

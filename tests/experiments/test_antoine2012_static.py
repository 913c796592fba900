"""The studies of [antoine2012_cecm] without repeated trials: examples, data sets, steps of the algorithms."""

import pytest

from credalbench.papers import CannotBeChecked
from experiments.antoine2012_cecm import algorithms, data_sets


@pytest.fixture
def examples(smoke_result):
    return smoke_result("antoine2012_cecm/constraint_examples")


@pytest.fixture
def sizes(smoke_result):
    return smoke_result("antoine2012_cecm/data_sets")


@pytest.fixture
def steps(smoke_result):
    return smoke_result("antoine2012_cecm/algorithms")


# ---------------------------------------------------------------- examples and sizes


def test_tables_1_to_3_hold(examples):
    """Every printed cell: masses, and [antoine2012_cecm (18)], [antoine2012_cecm (19)] of the pairs."""
    assert (examples.verdicts["verdict"] == "holds").all()
    plausibilities = examples.tables["plausibilities"]
    assert plausibilities["pl_same"].tolist() == [1, 0, 1]
    assert plausibilities["pl_different"].tolist() == [0, 1, 1]


def test_table_4_agrees(sizes):
    assert (sizes.verdicts["verdict"] == "holds").all()
    table = sizes.tables["sizes"].set_index("dataset")
    assert table.loc["iris", "delta"] ** 2 == pytest.approx(1000, rel=1e-12)  # a root squared
    assert table.loc["glass", "class_sizes"] == "163 + 51"


def test_table_4_cannot_be_checked_without_all_data_sets(sizes):
    with pytest.raises(CannotBeChecked, match="left out of this run: iris, wine"):
        data_sets.sizes_as_printed(sizes.params, {"sizes": sizes.tables["sizes"].iloc[2:]})


# ---------------------------------------------------------------- algorithms


def test_a_rise_is_noticed_in_its_algorithm_and_not_in_the_other(steps):
    table = steps.tables["steps"].copy()
    table.loc[5, "objective"] *= 1.01
    tables = steps.tables | {"steps": table}
    risen = algorithms.ARTEFACT[table.loc[5, "metric"]]
    for claim in algorithms.no_step_rises:
        assert claim(steps.params, tables).holds is (claim.artefact != risen)


def test_steps_of_the_boxes_follow_each_other(steps):
    table = steps.tables["steps"]
    run = table.query("metric == 'mahalanobis' and c == 2 and repetition == 0")
    assert run["step"].tolist()[:6] == ["masses", "prototypes", "norms"] * 2
    assert set(table.loc[table["metric"] == "euclidean", "step"]) == {"masses", "prototypes"}

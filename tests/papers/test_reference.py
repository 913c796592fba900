"""What is printed: values beside the study or its folder, and tables that are laid out by a file."""

import pandas as pd
import pytest

from credalbench.papers.reference import (
    AS_GIVEN,
    NOT_AS_GIVEN,
    NOT_COMPARED,
    NOT_JUDGED,
    ComparedValue,
    Printed,
    printed_values,
    read_tables,
)

VALUES = """\
artefact,quantity,relation,published,precision,source
toy-tab-01,ri_iris_20,=,0.9,0.005,Table 1
toy-tab-01,sd_iris_20,=,0.02,0.005,Table 1
toy-tab-01,ri_wine_20,=,0.95,0.005,Table 1
toy-tab-01,ri_iris_50,>,1,0,Table 1
toy-tab-01,ri_both,=,1,0,text before Table 1
toy-tab-02,iris_n,setting,150,0,Table 2
toy-tab-02,wine_n,setting,178,0,Table 2
"""
LAYOUTS = """\
[axes.dataset]
title = "data set"
names = { iris = "Iris", wine = "Wine" }
[axes.C]
title = "constraints"
names = ["20", "50"]
[axes.size]
title = "number of"
names = { n = "objects" }
[tables.toy-tab-01]
rows = ["C"]
columns = ["dataset"]
values = ["ri_{dataset}_{C}", "sd_{dataset}_{C}"]
in_text = ["ri_both"]
[tables.toy-tab-02]
rows = ["dataset"]
columns = ["size"]
values = ["{dataset}_{size}"]
ours = { table = "sizes", column = "{size}" }
"""


@pytest.fixture
def paper(tmp_path):
    """``paper(layouts)``: a paper's folder with these layouts of two printed tables."""

    def write(layouts):
        (tmp_path / "reference").mkdir()
        (tmp_path / "reference" / "study.csv").write_text(VALUES)
        (tmp_path / "reference" / "sentences.csv").write_text("sentence,place,says\n")
        (tmp_path / "reference" / "tables.toml").write_text(layouts)
        return tmp_path

    return write


def test_each_value_is_in_its_cell_with_ours(paper):
    layout = read_tables(paper(LAYOUTS))["toy-tab-01"]
    judged = {"ri_iris_20": ("0.91", "not reproduced"), "sd_iris_20": ("0.02", "reproduced")}
    table = layout.fill(judged, {})
    assert (table.titles, table.heads, table.has_deviations) == (("constraints",), ("Iris", "Wine"), True)
    first, second = table.rows
    both = (ComparedValue("0.90", "0.91", "not reproduced"), ComparedValue("0.02", "0.02", "reproduced"))
    assert first == (("20",), (both, (ComparedValue("0.95", "", NOT_JUDGED),)))
    assert second == (("50",), ((ComparedValue("> 1", "", NOT_JUDGED),), ()))  # nothing is printed for Wine
    assert set(layout.placed) | set(layout.in_text) == set(layout.printed)


def test_settings_are_compared_with_the_table_of_the_study(paper):
    layout = read_tables(paper(LAYOUTS))["toy-tab-02"]
    sizes = pd.DataFrame({"dataset": ["iris", "wine", "wine"], "n": [150, 170, 170], "run": [0, 0, 1]})
    (_, (iris,)), (_, (wine,)) = layout.fill({}, {"sizes": sizes}).rows
    assert iris == (ComparedValue("150", "150", AS_GIVEN),) and wine == (
        ComparedValue("178", "170", NOT_AS_GIVEN),
    )
    (_, (iris,)), (_, (wine,)) = layout.fill({}, {"sizes": sizes[:1]}).rows
    assert iris[0].outcome == AS_GIVEN and wine[0].outcome == NOT_COMPARED  # left out of this run


def test_a_study_that_has_nothing_of_a_table_does_not_show_it(paper):
    for layout in read_tables(paper(LAYOUTS)).values():
        assert layout.fill({}, {}) is None


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ('rows = ["C"]', 'rows = ["c"]', "toy-tab-01: unknown axis 'c'"),
        ('columns = ["dataset"]', 'columns = ["datasett"]', "did you mean 'dataset'"),
        ('["ri_both"]', '["ri_booth"]', "'ri_booth' is not printed; did you mean 'ri_both'"),
        ('["{dataset}_{size}"]', '["{size}"]', "expected names of printed values, got {size}"),
    ],
)
def test_a_layout_of_something_else_is_refused(paper, right, wrong, message):
    with pytest.raises(ValueError, match=message):
        read_tables(paper(LAYOUTS.replace(right, wrong)))


def test_a_paper_without_layouts_has_no_tables(tmp_path):
    assert read_tables(tmp_path) == {}


@pytest.mark.parametrize(
    ("value", "precision", "relation", "text"),
    [
        (0.9, 0.005, "=", "0.90"),
        (7.16332, 0.000005, "=", "7.16332"),
        (5.0, 0.5, "=", "5"),
        (0.85, 0.05, "=", "0.85"),  # "about 0.85": the words allow more than the digits do
        (150.0, 0.0, "setting", "150"),
        (10.0, 0.0, ">", "> 10"),
        (1e-5, 0.0, "=", "1e-05"),
    ],
)
def test_values_have_the_digits_that_are_printed(value, precision, relation, text):
    printed = Printed(value, precision, "Table 1", relation)
    assert printed.text == text
    assert relation != ">" or str(printed) == f"{text} (Table 1)"


ROW = {"artefact": "fig-1", "quantity": "q", "published": 0.5, "precision": 0.05, "source": "Section 1"}


@pytest.fixture
def folder(tmp_path):
    """A paper's folder with the reference file of ``study``."""
    (tmp_path / "reference").mkdir()
    pd.DataFrame([ROW]).to_csv(tmp_path / "reference" / "study.csv", index=False)
    return tmp_path


@pytest.mark.parametrize("module", ["study.py", "study/__init__.py", "study/claims.py"])
def test_reference_file_is_that_of_the_study(folder, module):
    expected = {"q": Printed(0.5, 0.05, "Section 1", quantity="q", artefact="fig-1")}
    assert printed_values(str(folder / module)) == expected
    assert str(expected["q"]) == "0.5 (Section 1)"


def test_another_reference_file_can_be_named(folder):
    assert printed_values(str(folder / "shared" / "claims.py"), "study")["q"].value == 0.5


def test_quantity_printed_twice_is_refused(folder):
    pd.DataFrame([ROW, ROW]).to_csv(folder / "reference" / "study.csv", index=False)
    with pytest.raises(ValueError, match=r"every quantity once, got duplicates in study\.csv"):
        printed_values(str(folder / "study.py"))


def test_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="a folder named reference above"):
        printed_values(str(tmp_path / "study.py"))

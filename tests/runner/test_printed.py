"""Printed values: found beside the study or its folder, each quantity once."""

import pandas as pd
import pytest

from credalbench.runner import printed_values

ROW = {"artefact": "fig-1", "quantity": "q", "published": 0.5, "precision": 0.05, "source": "Section 1"}


@pytest.fixture
def paper(tmp_path):
    """A paper's folder with the reference file of ``study``."""
    (tmp_path / "reference").mkdir()
    pd.DataFrame([ROW]).to_csv(tmp_path / "reference" / "study.csv", index=False)
    return tmp_path


@pytest.mark.parametrize("module", ["study.py", "study/__init__.py", "study/claims.py"])
def test_reference_file_is_that_of_the_study(paper, module):
    assert str(printed_values(str(paper / module))["q"]) == "0.5 (Section 1)"


def test_another_reference_file_can_be_named(paper):
    assert printed_values(str(paper / "shared" / "claims.py"), "study")["q"].value == 0.5


def test_quantity_printed_twice_is_refused(paper):
    pd.DataFrame([ROW, ROW]).to_csv(paper / "reference" / "study.csv", index=False)
    with pytest.raises(ValueError, match="once"):
        printed_values(str(paper / "study.py"))


def test_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="reference"):
        printed_values(str(tmp_path / "study.py"))

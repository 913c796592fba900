"""The guide to user tables: its script runs and prints what the guide states."""

import io
import re
from contextlib import chdir, redirect_stdout
from pathlib import Path

import pytest

from credalbench.belief import CredalPartition
from credalbench.report import suitable_methods

from .tables import table

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "own_data.md").read_text("utf-8")
[SCRIPT] = re.findall(r"```python\n(.*?)```", GUIDE, flags=re.DOTALL)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return the output of the script of the guide, its variables, and its folder."""
    folder, names, printed = tmp_path_factory.mktemp("guide"), {}, io.StringIO()
    with chdir(folder), redirect_stdout(printed):
        exec(SCRIPT, names)
    return printed.getvalue(), names, folder


def test_the_script_is_short():
    assert len(SCRIPT.splitlines()) < 40


def test_from_missing_values_to_outliers_by_name(run):
    printed, names, _ = run
    assert "left out for missing values: rows 'wine 4', 'wine 90'" in printed
    assert names["c"] == names["curves"].recommendation.n_clusters == 3
    partition = names["partition"]
    [listed] = re.findall(r"outliers: (\[.*\])", printed)
    assert eval(listed) == partition.index[partition.outliers()].tolist()
    assert abs(partition.outliers().mean() - 0.02) < 0.01  # the requested share, up to one or two objects
    assert re.search(r"wine 122: outlier: 0\.\d\d on ∅", printed)


def test_constraints_and_new_objects_have_names(run):
    printed, names, _ = run
    report = names["fit"].constraint_report()
    assert report["outcome"].tolist() == ["met", "met by an outlier"]
    assert re.search(r"must-link +wine 60 +wine 62", printed) and "met by an outlier" in printed
    assert re.search(r"^wine 177 +1 ", printed, flags=re.MULTILINE) and "wine 178" in printed


def test_the_saved_partition_and_the_page(run):
    _, names, folder = run
    assert CredalPartition.load(folder / "wines.npz") == names["fit"].partition_
    page = (folder / "wines.html").read_text("utf-8")
    assert "wine 122" in page and "read_user_table(&#39;wines.csv&#39;)" in page
    assert (folder / "wines-partition.csv").exists()


def test_the_guide_names_the_methods_of_each_kind_of_table():
    for kind in ("numbers", "categories", "mixed"):
        assert all(method.name in GUIDE for method in suitable_methods(table(kind), 2))

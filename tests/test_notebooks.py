"""Notebooks in the repository are clean and thin, and their knobs are those of their study.

That they run is tested here for explorers, in `tests/experiments/test_every_study.py` for studies, in
`tests/learn` for lessons; `make test-all` runs each lesson in a kernel of its own by nbval.
"""

import ast
import re
from pathlib import Path

import nbformat
import pytest

from credalbench.papers.execute import read_cells
from credalbench.papers.studies import discover
from tests.notebook_cells import forms, shown_by

ROOT = Path(__file__).resolve().parents[1] / "notebooks"
EVERY = sorted(path for path in ROOT.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
STUDIES = [experiment for studies in discover().values() for experiment in studies.values()]
EXPLORERS = sorted((ROOT / "explore").glob("*.ipynb"))
THICK = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.AsyncFor, ast.While)


def reproduction(experiment) -> Path:
    return ROOT / "reproduce" / experiment.paper / f"{experiment.study}.ipynb"


def code(notebook) -> list[str]:
    """Sources of the code cells, without lines for the shell or IPython."""
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return [re.sub(r"^\s*[%!].*$", "pass", source, flags=re.M) for source in sources]


@pytest.mark.parametrize("path", EVERY, ids=lambda path: str(path.relative_to(ROOT)))
def test_notebooks_are_clean(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    spec = notebook.metadata.get("kernelspec", {})
    assert spec.get("name") == "python3", "JupyterLab connects no kernel without this kernelspec"
    assert "widgets" not in notebook.metadata and "papermill" not in notebook.metadata
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    for cell in notebook.cells:
        assert cell.cell_type != "code" or (cell.outputs == [] and cell.execution_count is None), cell.id
    assert notebook.cells[0].cell_type == "markdown" and notebook.cells[0].source.startswith("# ")


@pytest.mark.parametrize("path", EVERY, ids=lambda path: str(path.relative_to(ROOT)))
def test_notebooks_are_thin(path):
    for source in code(nbformat.read(path, as_version=4)):
        thick = [type(node).__name__ for node in ast.walk(ast.parse(source)) if isinstance(node, THICK)]
        assert not thick, f"{thick} belongs into the package:\n{source}"


@pytest.mark.parametrize("experiment", STUDIES, ids=lambda experiment: experiment.name)
def test_every_knob_is_typed_and_explained(experiment):
    [source] = [source for _, source, tags in read_cells(reproduction(experiment)) if "parameters" in tags]
    for node in ast.parse(source).body:
        line = source.splitlines()[node.end_lineno - 1]
        assert isinstance(node, ast.AnnAssign), f"papermill shows no type for: {line}"
        assert "|" not in ast.unparse(node.annotation), (
            f"papermill sees only plain types (n: int = None): {line}"
        )
        assert "#" in line, f"no comment: {line}"


def test_reproduction_notebooks_belong_to_a_study():
    known = {reproduction(experiment) for experiment in STUDIES}
    assert {path for path in EVERY if "reproduce" in path.parts} <= known


@pytest.mark.parametrize("path", EXPLORERS, ids=lambda path: path.stem)
def test_the_notebook_of_an_explorer_shows_it(path):
    [explorer] = shown_by(path)
    assert forms(explorer) == {"application/vnd.jupyter.widget-view+json"}
    assert not explorer.model.is_error, explorer.model.message

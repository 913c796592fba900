"""Parameters that papermill sets are known to the notebook, or rejected."""

import nbformat
import papermill
import pytest

from credalbench.core.injected import expect_known_parameters, unknown_parameters

DECLARED = "seed: int = 0  # seed of the starts\nn = 3"


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["", DECLARED, "# Parameters\nseed = 3\n"], []),
        (
            ["", DECLARED, "# Parameters\nseeed = 3\n"],
            ["'seeed'; did you mean 'seed'? (expected one of: seed, n)"],
        ),
        (["", "# Parameters\nalpha = 3\n", "alpha = 2"], ["'alpha' (the notebook has no parameters)"]),
        (["", "%matplotlib inline", "x[0] = 1", "n = 1"], []),
    ],
)
def test_a_name_that_no_cell_above_assigns_is_unknown(cells, message):
    assert unknown_parameters(cells) == [f"unknown parameter {one}" for one in message]


def test_nothing_is_checked_outside_notebooks():
    expect_known_parameters()


CELLS = {
    "learn": 'from credalbench.learn import lesson\nlesson("mixtures")',
    "explore": "from credalbench.explore import explore_ecm\nexplore_ecm('butterfly')",
    "reproduce": "from credalbench.papers.studies import reproduce\nreproduce('paper/study', globals())",
}


@pytest.mark.parametrize("kind", CELLS)
def test_papermill_refuses_a_misspelt_parameter(kind, tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELLS[kind])])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path = tmp_path / "notebook.ipynb"
    nbformat.write(notebook, path)
    with pytest.raises(papermill.PapermillExecutionError, match="unknown parameter 'random_state'"):
        papermill.execute_notebook(path, tmp_path / "out.ipynb", {"random_state": 3}, progress_bar=False)

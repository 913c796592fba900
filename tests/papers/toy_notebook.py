"""The toy study's notebook, written where a test wants it."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

PARAMETERS = """\
profile: str = "smoke"  # or "paper"
n_runs: int = 2  # repetitions
scale: float = 2.0  # spread of the draws
sizes: list = [4]  # objects
fail: list = []  # repetitions that fail
pause_s: float = 0.0  # seconds to sleep
"""
RUN = """\
knobs = dict(n_runs=n_runs, scale=scale, sizes=sizes, fail=fail, pause_s=pause_s)
result = run_study(experiment, profile=profile, **knobs)
result"""


def write_notebook(path, run=RUN):
    cells = [
        new_markdown_cell("# A toy\n\nSee [the site](https://example.org/toy) and $x^2$."),
        new_code_cell(PARAMETERS, metadata={"tags": ["parameters"]}),
        new_code_cell(
            "from credalbench.papers import run_study\nfrom tests.papers.toy_study import experiment"
        ),
        new_code_cell(run),
        new_code_cell('result.figure("toy-fig-01")'),
        new_code_cell("result.verdicts"),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    spec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": spec}), path)
    return path

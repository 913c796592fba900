"""Write the ``parameters`` cell of every reproduction notebook from the parameters that its study declares.

Usage::

    python tools/notebooks.py            # rewrite the cells that differ
    python tools/notebooks.py --check    # only say which differ; the exit code is 1 then
"""

import argparse
import sys
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from credalbench.papers.execute import notebook_path, parameters_source
from credalbench.papers.studies import discover


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail where a cell differs")
    check, differ = parser.parse_args().check, []
    for experiment in (e for studies in discover().values() for e in studies.values()):
        path = notebook_path(experiment)
        if path is None:
            sys.exit(
                f"expected notebooks/reproduce/{experiment.name}.ipynb: copy and change that of another study"
            )
        notebook = nbformat.read(path, as_version=4)
        [cell] = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
        if cell.source == parameters_source(experiment):
            continue
        differ.append(path.name)
        if not check:
            cell.source = parameters_source(experiment)
            nbformat.write(notebook, path)
    print(f"{'differ' if check else 'rewritten'}: {', '.join(differ) or 'none'}")
    return 1 if check and differ else 0


if __name__ == "__main__":
    sys.exit(main())

"""What this installation would compute studies with, as ``python -m credalbench.papers.inventory``.

It reads a list of modules and parameters of studies as JSON, and writes JSON. Machines with equal inventories
compute the same tables, up to the rounding of their processors.
"""

import importlib
import json
import platform
import sys
from collections.abc import Iterable
from typing import Any

from credalbench.core.extras import require
from credalbench.papers.sources import COMPUTING_PACKAGES, versions
from credalbench.papers.store import StudyFolder

require("papermill", "psutil", "matplotlib", extra="papers", purpose="credalbench.papers.inventory")


def inventory(studies: Iterable[tuple[str, dict[str, Any]]]) -> dict[str, str]:
    """Return what the tables of some studies, (module, parameters), depend on, on this machine.

    Subjects are versions of Python and packages, the key of each study's results, and the state of each data
    file ("ok", "missing", "corrupt" or "unverified").
    """
    from credalbench.datasets import verify

    found = {"Python": ".".join(platform.python_version_tuple()[:2])}
    found |= versions(("credalbench", *COMPUTING_PACKAGES, "pandas"))
    names: set[str] = set()
    for module, params in studies:
        try:
            experiment = importlib.import_module(module).experiment
            key = StudyFolder.of(experiment, experiment.resolve("paper", params)).path.name
            names |= set(experiment.data)
        except Exception as error:
            key = f"{type(error).__name__}: {error}"
        found[f"code of {module}"] = key
    for row in verify(sorted(names)).to_dict("records") if names else ():
        found[f"data {row['name']}, file {row['file']}"] = row["status"]
    return found


if __name__ == "__main__":
    json.dump(inventory(json.load(sys.stdin)), sys.stdout)

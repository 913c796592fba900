"""Checks of ``credalbench doctor``: all that must fit together before an experiment or explorer runs."""

import importlib.metadata
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from credalbench.papers.places import experiments_folder, notebooks_folder, results_root


@dataclass(frozen=True)
class Check:
    """The result of one check: ``state`` is "ok", "note" (works with less) or "broken"."""

    subject: str
    state: str
    finding: str


def checks() -> Iterator[Check]:
    """Run every check in turn; a check that raises counts as broken, and the others still run."""
    subjects: dict[str, Callable[[], tuple[str, str]]] = {
        "Python": _python,
        "packages": _packages,
        "Jupyter kernel python3": _kernel,
        "widgets": _widgets,
        "compiled kernels": _numba,
        "results": _results,
        "data": _data,
        "browser for end-to-end tests": _chromium,
        "experiments": _experiments,
        "data of the studies": look_for_data,
    }
    for subject, look in subjects.items():
        try:
            yield Check(subject, *look())
        except Exception as error:
            yield Check(subject, "broken", f"{type(error).__name__}: {error}")


def _python() -> tuple[str, str]:
    found = ".".join(map(str, sys.version_info[:3]))
    return ("ok", found) if sys.version_info >= (3, 11) else ("broken", f"{found}; expected 3.11 or newer")


def _packages() -> tuple[str, str]:
    """Compare installed versions with the bounds of the project's metadata."""
    from packaging.requirements import Requirement

    wrong, absent, fine = [], [], []
    for line in importlib.metadata.requires("credalbench") or []:
        need = Requirement(line)
        extras = ("", "plots", "explore", "papers")
        extra = next((e for e in extras if not need.marker or need.marker.evaluate({"extra": e})), None)
        if extra is None:
            continue
        try:
            version = importlib.metadata.version(need.name)
        except importlib.metadata.PackageNotFoundError:
            if extra:
                absent.append(f"{need.name} is missing: pip install '.[{extra}]'")
            else:
                wrong.append(f"{need.name} is missing")
            continue
        fits = need.specifier.contains(version, prereleases=True)
        (fine if fits else wrong).append(
            f"{need.name} {version}" + ("" if fits else f" (needs {need.specifier})")
        )
    if wrong:
        return "broken", f"{', '.join(wrong)}; run: python -m pip install -e ."
    return ("note" if absent else "ok"), ", ".join(dict.fromkeys(absent + fine))


def _kernel() -> tuple[str, str]:
    from jupyter_client.kernelspec import KernelSpecManager

    command = KernelSpecManager().get_kernel_spec("python3").argv[0]
    if command.startswith("python") or Path(command).absolute() == Path(sys.executable).absolute():
        return "ok", "runs this Python"
    same = Path(command).exists() and Path(command).resolve().parent == Path(sys.executable).resolve().parent
    return ("ok", "runs this Python") if same else ("broken", f"runs {command}, not {sys.executable}")


def _widgets() -> tuple[str, str]:
    """Check that the Lab extension and the Python package have matching major versions in one environment."""
    from jupyter_core.paths import jupyter_path

    python, extension = (importlib.metadata.version(name) for name in ("ipywidgets", "jupyterlab_widgets"))
    manifest = Path("labextensions/@jupyter-widgets/jupyterlab-manager/package.json")
    folders = [Path(sys.base_prefix, "share/jupyter"), *map(Path, jupyter_path())]
    place = next((folder / manifest for folder in folders if (folder / manifest).exists()), None)
    pair = f"ipywidgets {python}, jupyterlab_widgets {extension}"
    if place is None:
        return "broken", f"{pair}, but JupyterLab's extension is not installed in this environment"
    served = json.loads(place.read_text("utf-8"))["version"]
    expected = {"8": "3", "7": "1"}.get(python.split(".")[0])
    if extension.split(".")[0] != expected or served.split(".")[0] != str(int(expected) + 2):
        return (
            "broken",
            f"{pair}, extension {served} do not match: pip install -U ipywidgets jupyterlab_widgets",
        )
    return "ok", f"{pair}, extension {served}"


def _numba() -> tuple[str, str]:
    """Compile a line and check that the cache of compiled code can be written."""
    import numba

    start = time.perf_counter()
    answer = numba.njit(lambda x: x + 1)(1)
    seconds = time.perf_counter() - start
    cache = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(__file__).parents[1])
    if answer != 2:
        return "broken", f"numba {numba.__version__} computed 1 + 1 = {answer}"
    if not os.access(cache, os.W_OK):
        return "note", f"numba {numba.__version__} compiles, but {cache} is read-only: set NUMBA_CACHE_DIR"
    return "ok", f"numba {numba.__version__} compiles ({seconds:.1f} s for one line) and can cache"


def _results() -> tuple[str, str]:
    root = results_root()
    parent = next(p for p in (root, *root.parents) if p.exists())
    if not os.access(parent, os.W_OK):
        return "broken", f"{root} cannot be written; set CREDALBENCH_RESULTS"
    free = shutil.disk_usage(parent).free / 1e9
    return ("ok" if free > 1 else "note"), f"{root}, {free:.0f} GB free"


def _data() -> tuple[str, str]:
    folder = os.environ.get("CREDALBENCH_DATA")
    if not folder:
        return "note", "CREDALBENCH_DATA is not set: downloads go to the user's cache folder (this is fine)"
    if not Path(folder).is_dir():
        return "note", f"CREDALBENCH_DATA is {folder}, which does not exist yet"
    return "ok", f"CREDALBENCH_DATA is {folder}"


def _chromium() -> tuple[str, str]:
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        return "note", "none found; only `make test`'s end-to-end part needs it"
    try:
        return "ok", f"{found}, playwright {importlib.metadata.version('playwright')}"
    except importlib.metadata.PackageNotFoundError:
        return "note", f"{found}, but playwright is missing: pip install -e '.[e2e]'"


def _experiments() -> tuple[str, str]:
    studies, notebooks = experiments_folder(), notebooks_folder() / "reproduce"
    n_papers, n_notebooks = len([*studies.glob("*/reference")]), len([*notebooks.glob("*/*.ipynb")])
    if not n_papers or not n_notebooks:
        return (
            "broken",
            f"no studies in {studies} or no notebooks in {notebooks}; is the installation complete?",
        )
    return "ok", f"{n_papers} papers, {n_notebooks} notebooks of studies"


def look_for_data() -> tuple[str, str]:
    """Check whether the data files of all studies are here.

    The state is "note" if files are missing and "broken" if one is corrupt; the finding names the
    studies that are left out unless the missing ones can be downloaded.
    """
    from credalbench.datasets import verify
    from credalbench.papers.studies import discover

    needed = {e.name: e.data for studies in discover().values() for e in studies.values() if e.data}
    found = verify({name for names in needed.values() for name in names})
    if corrupt := sorted(found.loc[found["status"] == "corrupt", "where"]):
        return "broken", f"not the published files: {', '.join(corrupt)}; run credalbench data verify"
    missing = set(found.loc[found["status"] == "missing", "name"])
    lines = [
        f"\n    {study} needs {', '.join(name for name in names if name in missing)}"
        for study, names in needed.items()
        if missing.intersection(names)
    ]
    if not lines:
        return "ok", f"the files of {len(needed)} studies are here"
    return "note", (
        f"{len(lines)} studies need files that are not here. Where these cannot be downloaded, the studies "
        "are left out, in whole or in part. Run credalbench data fetch, or name a folder with the files in "
        f"CREDALBENCH_DATA{''.join(lines)}"
    )

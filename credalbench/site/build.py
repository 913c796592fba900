"""From stored results to ``results/site``: pages as text, Sphinx over them, the old site replaced whole."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from credalbench.runner.reproduction import Paper
from credalbench.runner.sealed import storing, sweep, temporary
from credalbench.runner.store import results_root

from .pages import write_pages

#: Modules of the extra ``site``, without which there is no HTML.
NEEDED = ("sphinx", "myst_nb", "numpydoc", "pydata_sphinx_theme", "sphinx_design", "math_core")


class SiteError(RuntimeError):
    """The site could not be built, or Sphinx had something to say about its pages."""


def write_site(papers: list[Paper], profile: str, folder: Path | None = None) -> Path:
    """Build the site into ``results/site`` (replaced in one step) and return its ``index.html``.

    Parameters
    ----------
    papers : list of Paper
        What :func:`credalbench.runner.reproduction.collect` gives.
    profile : {"paper", "smoke"}
        The profile of the results, which the pages name.
    folder : Path, optional
        Where to put it instead.

    Raises
    ------
    SiteError
        The extra ``site`` is not installed; or Sphinx warned of something, in which case the site stands
        and the message says where to look.
    StoreError
        The folder cannot be written.
    """
    absent = ", ".join(name for name in NEEDED if importlib.util.find_spec(name) is None)
    if absent:
        raise SiteError(f"expected the extra 'site', got no {absent}: pip install 'credalbench[site]'")
    folder = folder or results_root() / "site"
    sweep(folder.parent)
    part = temporary(folder)
    try:
        with storing(folder):
            write_pages(papers, profile, part / "pages")
            warnings = _sphinx(part / "pages", part / "html", part / "doctrees")
            _replace_folder(part / "html", folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    if warnings:
        raise SiteError(f"the site stands at {folder}, but its pages have mistakes:\n{warnings}")
    return folder / "index.html"


def _sphinx(pages: Path, html: Path, doctrees: Path) -> str:
    """Run Sphinx in a process of its own, since it changes global state; returns its warnings.

    Raises
    ------
    SiteError
        It stopped before the end.
    """
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going"]
    command += ["-d", str(doctrees), str(pages), str(html)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode and not (html / "index.html").is_file():
        raise SiteError(f"Sphinx stopped with code {run.returncode}:\n{run.stderr.strip()}")
    return run.stderr.replace(f"{pages}{os.sep}", "").strip()


def _replace_folder(part: Path, folder: Path) -> None:
    old = temporary(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    if folder.exists():
        os.rename(folder, old)
    os.rename(part, folder)
    shutil.rmtree(old, ignore_errors=True)

"""Build the site: write the pages, run Sphinx, and replace the old site in one step."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from credalbench.explore.live import PAGES, write_live_page
from credalbench.papers.places import results_root
from credalbench.papers.reproduction import Paper
from credalbench.papers.store import storing, sweep, temporary

from .pages import write_pages


class SiteError(RuntimeError):
    """Raised if the site cannot be built, or if Sphinx warns about its pages."""


def write_site(papers: list[Paper], profile: str, folder: Path | None = None) -> Path:
    """Build the site from stored results.

    Parameters
    ----------
    papers : list of Paper
        Papers with their results, from :func:`credalbench.papers.reproduction.collect`.
    profile : {"paper", "smoke"}
        Profile of the results, which the pages name.
    folder : Path, optional
        Target folder, by default ``results/site``.

    Returns
    -------
    Path
        Path of the first page, ``index.html``.

    Raises
    ------
    SiteError
        If Sphinx fails or warns; if it only warns, the site is still written.
    StoreError
        If the folder cannot be written.
    """
    folder = folder or results_root() / "site"
    sweep(folder.parent)
    part = temporary(folder)
    try:
        with storing(folder):
            write_pages(papers, profile, part / "pages")
            warnings = _sphinx(part / "pages", part / "html", part / "doctrees")
            for name in PAGES:
                write_live_page(name, part / "html" / f"{name}.html")
            _replace_folder(part / "html", folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    if warnings:
        raise SiteError(f"the site is in {folder}, but Sphinx warned about its pages:\n{warnings}")
    return folder / "index.html"


def _sphinx(pages: Path, html: Path, doctrees: Path) -> str:
    """Run Sphinx in a process of its own, since it changes global state; return warnings, or raise."""
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going"]
    command += ["-d", str(doctrees), str(pages), str(html)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode and not (html / "index.html").is_file():
        raise SiteError(f"Sphinx failed with code {run.returncode}:\n{run.stderr.strip()}")
    return run.stderr.replace(f"{pages}{os.sep}", "").strip()


def _replace_folder(part: Path, folder: Path) -> None:
    old = temporary(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    if folder.exists():
        os.rename(folder, old)
    os.rename(part, folder)
    shutil.rmtree(old, ignore_errors=True)

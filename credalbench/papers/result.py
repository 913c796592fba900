"""The result of a study: tables, figures drawn on first use, verdicts; a notebook displays all of them."""

from __future__ import annotations

import contextlib
import html
import importlib.metadata
import inspect
import io
import json
import os
import platform
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from .experiment import Experiment
from .keys import COMPUTING_PACKAGES, view_key
from .parameters import as_dict, suggestion
from .places import repository_root, results_root
from .store import SHOWN, TABLES, Damaged, StudyFolder, storing
from .tables import FAILURES, LEFT_OUT, LeftOut, Tables
from .verdicts import Judgement, VerdictTable, chip, counts, judge

if TYPE_CHECKING:
    from IPython.display import Code
    from matplotlib.figure import Figure

PNG_DPI = 150
#: Files of figures, without what would differ each time.
FORMATS = {".png": ("Software",), ".pdf": ("CreationDate", "Creator", "Producer")}


def provenance(experiment: Experiment, params: Any) -> dict[str, Any]:
    """Return what is needed to judge or repeat a result; no host name and no path."""
    packages = (*COMPUTING_PACKAGES, "pandas", "matplotlib", "joblib", "credalbench")
    return {
        "experiment": experiment.name,
        "profile": experiment.profile_of(params),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        **git_state(),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "versions": {package: importlib.metadata.version(package) for package in packages},
    }


def git_state() -> dict[str, Any]:
    """Return the commit of the checkout and whether tracked files differ; None if there is no git."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(repository_root()), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()

    try:
        return {"commit": git("rev-parse", "HEAD"), "dirty": bool(git("status", "--porcelain", "-uno"))}
    except (OSError, subprocess.SubprocessError):
        return {"commit": None, "dirty": None}


class DrawingError(RuntimeError):
    """The figures of a study cannot be drawn, for instance because its cases failed."""


class Picture:
    """A figure that shows itself in any notebook, with an alternative text.

    IPython displays a bare matplotlib ``Figure`` only after pyplot has been imported.

    Parameters
    ----------
    alt : str
        Alternative text.
    content : callable
        ``content(".png")`` and ``content(".pdf")`` return the bytes of the two files.
    """

    def __init__(self, alt: str, content: Callable[[str], bytes]) -> None:
        self.alt, self._content = alt, content

    @cached_property
    def png(self) -> bytes:
        """PNG bytes."""
        return self._content(".png")

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches."""
        return tuple(int.from_bytes(self.png[at : at + 4], "big") / PNG_DPI for at in (16, 20))

    def save(self, path: Path) -> Path:
        """Write the figure to a file.

        Parameters
        ----------
        path : Path
            The suffix is ``.png`` or ``.pdf``.

        Returns
        -------
        Path
            The same path.
        """
        content = self.png if path.suffix == ".png" else self._content(path.suffix)
        with storing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return path

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> tuple[dict, dict]:
        width, height = (round(inches * 96) for inches in self.size)
        data = {"image/png": self.png, "text/plain": repr(self)}
        return data, {"image/png": {"alt": self.alt, "width": width, "height": height}}

    def __repr__(self) -> str:
        return f"<Picture: {self.alt}>"


def _read(path: Path, ending: str) -> bytes:
    return path.with_name(path.name + ending).read_bytes()


def file_of(figure: Figure, ending: str) -> bytes:
    """Return a matplotlib figure as a file, the same bytes each time: it has no date and no version."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format=ending[1:], dpi=PNG_DPI, metadata=dict.fromkeys(FORMATS[ending]))
    return buffer.getvalue()


@dataclass(frozen=True)
class Report:
    """What a run found: claims by verdict, errors, failed cases, why cases were left out."""

    verdicts: Mapping[str, int]
    errors: Sequence[str]
    failed: int
    left_out: str


class RunResult:
    """The result of one study with one set of parameters.

    Parameters
    ----------
    experiment : Experiment
        The study.
    params : object
        Its parameters.
    folder : StudyFolder
        Folder of the stored result.
    """

    def __init__(self, experiment: Experiment, params: Any, folder: StudyFolder) -> None:
        self.experiment, self.params, self.folder = experiment, params, folder
        self.profile = experiment.profile_of(params)

    @property
    def path(self) -> Path:
        """Folder of the stored result."""
        return self.folder.path

    def changes(self, profile: str) -> dict[str, tuple[Any, Any]]:
        """Compare the parameters with those of a profile.

        Parameters
        ----------
        profile : {"paper", "smoke"}
            The profile.

        Returns
        -------
        dict of str to tuple
            Parameter that differs -> its value here, and in the profile.
        """
        here, there = as_dict(self.params), as_dict(self.experiment.resolve(profile))
        return {name: (value, there[name]) for name, value in here.items() if value != there[name]}

    @cached_property
    def tables(self) -> Tables:
        """Tidy tables by name; ``failures`` has a row for every case that failed."""
        return Tables(self.folder.load_tables())

    @property
    def failures(self) -> pd.DataFrame:
        """The cases that failed, with error and reason."""
        return self.tables[FAILURES]

    @cached_property
    def figures(self) -> dict[str, Picture]:
        """Artefact id -> `Picture`: stored if the present code has drawn it, otherwise drawn on first use."""
        if stored := self._stored_figures():
            return stored
        try:
            figures = self.experiment.draw(self.params, dict(self.tables))
        except Exception as error:
            failed = f"; {len(self.failures)} case(s) failed, see .failures" if len(self.failures) else ""
            what = f"{type(error).__name__}: {error}"
            raise DrawingError(f"{self.experiment.name}: drawing stopped with {what}{failed}") from error
        for artefact in figures:
            self._check_artefact(artefact)
        return {name: self._picture(name, partial(file_of, figure)) for name, figure in figures.items()}

    def _stored_figures(self) -> dict[str, Picture]:
        """Return the stored figures, or none if they are damaged or other code has drawn them."""
        shown, folder = None, self.path / SHOWN / "figures"
        with contextlib.suppress(Damaged):
            shown = self.folder.shown
        names = [
            name for name in self.experiment.artefacts if shown and f"figures/{name}.png" in shown["files"]
        ]
        if not names or shown["view"] != view_key(self.experiment):
            return {}
        return {name: self._picture(name, partial(_read, folder / name)) for name in names}

    def _picture(self, artefact: str, content: Callable[[str], bytes]) -> Picture:
        return Picture(f"{artefact}: {self.experiment.title_of(artefact)}", content)

    @property
    def drawing_error(self) -> str:
        """Why there are no figures, or empty."""
        try:
            self.figures  # noqa: B018
        except DrawingError as error:
            return str(error)
        return ""

    def figure(self, artefact: str) -> Picture | LeftOut:
        """Return the figure of one artefact.

        Parameters
        ----------
        artefact : str
            One of the study's artefacts.

        Returns
        -------
        Picture or LeftOut
            It shows itself as the last line of a notebook cell.

        Raises
        ------
        ValueError
            If the study has no such artefact, or draws no figure for it.
        """
        self._check_artefact(artefact)
        if self.left_out and (self.drawing_error or artefact not in self.figures):
            return LeftOut(self.left_out)
        if artefact not in self.figures:
            drawn = ", ".join(self.figures) or "none"
            raise ValueError(f"{self.experiment.name} draws no figure for {artefact!r} (it draws: {drawn})")
        return self.figures[artefact]

    def summary(self, name: str) -> pd.DataFrame | LeftOut:
        """Return one of the study's summaries.

        Parameters
        ----------
        name : str
            Name of the function that makes it.

        Returns
        -------
        DataFrame or LeftOut
            The table.

        Raises
        ------
        ValueError
            If the study has no such summary.
        """
        known = {function.__name__: function for function in self.experiment.summaries}
        if name not in known:
            hint = suggestion(name, known)
            raise ValueError(f"unknown summary {name!r}{hint} (this study has: {', '.join(known) or 'none'})")
        try:
            return known[name](self.params, dict(self.tables))
        except Exception:
            if not self.left_out:
                raise
            return LeftOut(self.left_out)

    @property
    def source(self) -> Code:
        """Source code of the study's ``compute``."""
        from IPython.display import Code

        return Code(inspect.getsource(self.experiment.compute), language="python")

    def _check_artefact(self, artefact: str) -> None:
        known = self.experiment.artefacts
        if artefact not in known:
            hint = suggestion(artefact, known)
            raise ValueError(f"unknown artefact {artefact!r}{hint} (this study has: {', '.join(known)})")

    @cached_property
    def judgements(self) -> list[Judgement]:
        """The verdict on every claim, with the error if a check stopped."""
        return judge(self.experiment, self.params, dict(self.tables))

    @property
    def verdicts(self) -> VerdictTable:
        """One row per claim: artefact, claim, basis, published, ours, verdict, explanation."""
        return VerdictTable.of(self.judgements)

    @property
    def left_out(self) -> str:
        """Why cases were left out because their data are missing, or empty; `failures` has the details."""
        return self.tables.reason

    @property
    def errors(self) -> list[str]:
        """The errors: failed cases, and checks and drawings that stopped.

        A claim that is not reproduced is not an error. Neither is a consequence of cases that were left out.
        """
        failed = self.failures[self.failures["status"] != LEFT_OUT].to_dict("records")
        errors = [f"case failed: {row['error']}: {row['reason']}" for row in failed]
        if not self.left_out:
            errors += [f"check stopped: {j.claim.artefact}: {j.error}" for j in self.judgements if j.error]
            errors += [self.drawing_error] if self.drawing_error else []
        return errors

    @property
    def provenance(self) -> dict:
        """Commit, versions, platform, date and seconds of the run that computed the tables."""
        known = json.loads((self.path / TABLES / "provenance.json").read_text("utf-8"))
        return known | {"seconds": self.folder.status["seconds"]}

    def save(self, folder: Path) -> Report:
        """Judge and draw once; write ``verdicts.csv``, and each figure as PNG and as PDF.

        Parameters
        ----------
        folder : Path
            The figures are ``figures/<artefact>`` in it.

        Returns
        -------
        Report
            What was found.
        """
        for artefact, picture in ({} if self.drawing_error else self.figures).items():
            for ending in FORMATS:
                picture.save(folder / "figures" / f"{artefact}{ending}")
        with storing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            text = self.verdicts.to_csv(index=False, lineterminator="\n")
            (folder / "verdicts.csv").write_text(text, "utf-8")
        return Report(counts(self.verdicts), self.errors, len(self.failures), self.left_out)

    def __repr__(self) -> str:
        found = ", ".join(f"{n} {verdict}" for verdict, n in counts(self.verdicts).items() if n)
        return f"<RunResult {self.experiment.name}, {self.profile} profile: {found or 'no claims'}>"

    def _repr_html_(self) -> str:
        chips = " ".join(f"{chip(v)} {n}" for v, n in counts(self.verdicts).items() if n) or "no claims"
        knobs = ", ".join(
            f"{html.escape(k)} = {html.escape(str(v))}" for k, v in as_dict(self.params).items()
        )
        status = self.folder.status
        lines = [
            f"<strong>{html.escape(self.experiment.title)}</strong>",
            f"{self.experiment.name}, {self.profile} profile; "
            f"{status['cases']} cases, {status['failed']} failed",
            f"<small>{knobs}</small>",
            chips,
            f"<small>tables in results/{self._place()}</small>",
        ]
        return "<br>".join(lines)

    def _place(self) -> str:
        place = self.path
        return str(place.relative_to(results_root()) if place.is_relative_to(results_root()) else place.name)

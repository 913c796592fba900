"""The store of results, ``results/<paper>/<study>/<key>/``, which survives a kill at any moment.

- ``cases/<case>/``: the tables of one case;
- ``tables/``: the tables of all cases, ``params.json``, ``provenance.json``;
- ``shown/``: figures, ``verdicts.csv``, the executed ``notebook.ipynb``.

Each of these folders is written under a temporary name, last its ``manifest.json`` with the checksums of its
files, and then moved into place at once. A file that is missing or altered raises :class:`Damaged` with its
name; only what follows from it is made anew. Other parameters or other code have another key (`keys`).
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import platform
import shutil
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import psutil

from .experiment import Experiment
from .keys import digest, study_key
from .places import results_root
from .tables import ENDINGS, FAILURES, read_table, stacked, table_files

MANIFEST, SEAL = "manifest.json", "sha256"
CASES, TABLES, SHOWN, NOTEBOOK = "cases", "tables", "shown", "shown/notebook.ipynb"
ADVICE = dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "free some space")
ADVICE |= dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), "make it writable")


class StoreError(RuntimeError):
    """The store cannot be written or is damaged; the message names the path and what to do."""


class Damaged(StoreError):
    """A file of the store that is missing or not what was written."""

    def __init__(self, path: Path, found: str) -> None:
        super().__init__(f"{path} {found}")
        self.path, self.found = path, found


@contextlib.contextmanager
def storing(path: Path) -> Iterator[None]:
    """Raise :class:`StoreError` for errors of the file system while ``path`` is written."""
    try:
        yield
    except OSError as error:
        where, cause = error.filename or path, error.strerror or str(error)
        way_out = ADVICE.get(error.errno, "move aside what is in the way")
        elsewhere = "or name another folder in CREDALBENCH_RESULTS, and run again to continue"
        raise StoreError(f"cannot store {where}: {cause}; {way_out} {elsewhere}") from error


def write_text(path: Path, text: str) -> None:
    """Write a file in one step."""
    part = temporary(path)
    with storing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_text(text, "utf-8")
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)


def temporary(path: Path) -> Path:
    """Return a temporary name in the folder of ``path``, with the machine and the process that writes."""
    return path.with_name(f".part-{digest(platform.node())}-{os.getpid()}-{uuid.uuid4().hex[:8]}-{path.name}")


def sweep(folder: Path) -> None:
    """Remove what processes of this machine left under temporary names when they were killed."""
    for path in folder.glob(f".part-{digest(platform.node())}-*"):
        if not psutil.pid_exists(int(path.name.split("-")[2])):
            with contextlib.suppress(StoreError):  # it does no harm
                remove(path)


def remove(path: Path) -> None:
    """Remove a file or a folder in one step, if there is one; raise StoreError if that fails."""
    aside = temporary(path)
    with storing(path), contextlib.suppress(FileNotFoundError):
        os.rename(path, aside)
        shutil.rmtree(aside, ignore_errors=True) if aside.is_dir() else aside.unlink()


def write_folder(path: Path, files: Mapping[str, bytes], record: Mapping[str, Any]) -> None:
    """Write a folder of files and its manifest, with a record in it; a whole folder that is there stays.

    Raise StoreError if that fails: the disk is full, a damaged folder is in the way.
    """
    part, checksums = temporary(path), {name: _checksum(content) for name, content in files.items()}
    manifest = {**record, "folder": path.name, "files": checksums}
    text = json.dumps({**manifest, SEAL: _checksum(manifest)}, indent=1, ensure_ascii=False)
    with storing(path):
        try:
            for name, content in {**files, MANIFEST: text.encode()}.items():
                (part / name).parent.mkdir(parents=True, exist_ok=True)
                (part / name).write_bytes(content)
            os.rename(part, path)
        except OSError as error:
            with contextlib.suppress(Damaged):
                if check_folder(path):  # another run was faster
                    return
            raise error
        finally:
            shutil.rmtree(part, ignore_errors=True)


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """Return the manifest of a folder, or None if there is no such folder; raise Damaged if it is none."""
    path = folder / MANIFEST
    if not folder.is_dir():
        return None
    try:
        content = _read(path)
        manifest = json.loads(content.decode())
        expected = manifest.pop(SEAL)
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise Damaged(path, f"is not a complete manifest ({len(content)} bytes)") from error
    if expected != _checksum(manifest) or manifest["folder"] != folder.name:
        raise Damaged(path, "does not fit the checksum in it, or belongs to another folder")
    return {**manifest, SEAL: expected}


def check_folder(folder: Path) -> dict[str, Any] | None:
    """Return the manifest of a folder, as `read_manifest` does, after checking all its files."""
    manifest = read_manifest(folder)
    for name, expected in (manifest or {"files": {}})["files"].items():
        if _checksum(content := _read(folder / name)) != expected:
            raise Damaged(folder / name, f"does not fit its checksum ({len(content)} bytes)")
    return manifest


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Damaged(path, "is missing" if not path.exists() else f"cannot be read: {error}") from error


def _checksum(content: bytes | Mapping[str, Any]) -> str:
    content = content if isinstance(content, bytes) else json.dumps(content, sort_keys=True).encode()
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True)
class StudyFolder:
    """The folder of one study with one set of parameters under the present code."""

    path: Path

    @classmethod
    def of(cls, experiment: Experiment, params: Any) -> StudyFolder:
        """Return the folder that belongs to these parameters; nothing is created."""
        return cls(results_root() / experiment.paper / experiment.study / study_key(experiment, params))

    def case_path(self, case: dict) -> Path:
        """Return the folder of one case."""
        return self.path / CASES / digest(case)

    @property
    def status(self) -> dict[str, Any] | None:
        """Once a run has ended: ``cases``, ``failed``, ``seconds``, and in ``made_of`` the seals of cases."""
        return read_manifest(self.path / TABLES)

    @property
    def shown(self) -> dict[str, Any] | None:
        """How the result was shown: ``view`` (key), ``notebook`` (hash or None), ``report``; or None."""
        return check_folder(self.path / SHOWN)

    def is_complete(self, cases: list[dict]) -> bool:
        """Return whether a run has ended with just these cases, none of which failed."""
        made_of = (self.status or {"made_of": {}})["made_of"]
        return bool(made_of) and made_of.keys() == {self.case_path(case).name for case in cases}

    def store_case(self, case: dict, files: Mapping[str, bytes], seconds: float) -> None:
        """Store the files of one case."""
        write_folder(self.case_path(case), files, {"case": case, "seconds": round(seconds, 4)})

    def store_tables(
        self, cases: list[dict], failed: Mapping[Path, dict], documents: Mapping[str, Any]
    ) -> None:
        """Put the tables of stored cases together, and store them; `failed` has rows of the other cases.

        Tables that are made of the same cases stay. A case that is neither stored nor failed raises Damaged.
        """
        paths = [self.case_path(case) for case in cases]
        stored = {path: whole_folder(path) for path in paths if path not in failed}
        made_of = {path.name: manifest[SEAL] for path, manifest in stored.items()}
        with contextlib.suppress(Damaged):
            found = check_folder(self.path / TABLES)
            if found and not failed and found["made_of"] == made_of:
                return
        pieces: dict[str, list[pd.DataFrame]] = {}
        for path, manifest in stored.items():
            for name, table in tables_in(path, manifest).items():
                pieces.setdefault(name, []).append(table)
        columns = dict.fromkeys([c for case in cases for c in case] + ["status", "error", "reason"])
        rows = [failed[path] for path in paths if path in failed]
        pieces[FAILURES] = [pd.DataFrame(rows, columns=list(columns)).infer_objects()]
        files = {f"{name}.json": json.dumps(value, indent=1).encode() for name, value in documents.items()}
        for name, frames in pieces.items():
            files |= table_files(name, stacked(frames))
        seconds = round(sum(manifest["seconds"] for manifest in stored.values()), 3)
        remove(self.path / SHOWN)
        remove(self.path / TABLES)
        record = {"cases": len(cases), "failed": len(rows), "seconds": seconds, "made_of": made_of}
        write_folder(self.path / TABLES, files, record)

    def store_shown(self, files: Mapping[str, bytes], record: Mapping[str, Any]) -> None:
        """Store what shows the result, in place of what is stored."""
        remove(self.path / SHOWN)
        write_folder(self.path / SHOWN, files, record)

    def load_tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables of a finished study."""
        return tables_in(self.path / TABLES, whole_folder(self.path / TABLES))

    def repair(self, cases: list[dict]) -> list[str]:
        """Forget what is damaged and what follows from it, and what killed runs left; list the damages."""
        [sweep(folder) for folder in (self.path.parent, self.path, self.path / CASES)]
        found = self.damages(cases)
        for folder in {folder for folders in found.values() for folder in folders}:
            remove(folder)
        return [*found]

    def damages(self, cases: list[dict]) -> dict[str, tuple[Path, ...]]:
        """Describe each file that is missing or altered, and what must be made anew: text -> its folders."""
        tables, shown, made_of, found = self.path / TABLES, self.path / SHOWN, {}, {}
        with contextlib.suppress(Damaged):
            made_of = (read_manifest(tables) or {"made_of": {}})["made_of"]
        both = (tables, shown)
        parts = [(tables, "tables put together anew", both), (shown, "notebook executed anew", (shown,))]
        for case in cases:
            words = ", ".join(f"{name} {value}" for name, value in case.items())
            parts.append((path := self.case_path(case), f"computed anew ({words})", (path, tables, shown)))
        for path, follows, folders in parts:
            try:
                manifest = whole_folder(path) if path.name in made_of else check_folder(path)
                if manifest and made_of.get(path.name, manifest[SEAL]) != manifest[SEAL]:
                    found[f"{TABLES} belong to another run of {path.name}: put together anew"] = both
            except Damaged as damage:
                found[f"{damage.path.relative_to(self.path).as_posix()} {damage.found}: {follows}"] = folders
        return found


def whole_folder(folder: Path) -> dict[str, Any]:
    """Return the manifest of a folder that must exist, after checking all its files."""
    manifest = check_folder(folder)
    if manifest is None:
        raise Damaged(folder / MANIFEST, "is missing")
    return manifest


def tables_in(folder: Path, manifest: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Return the tables in a folder, by name."""
    names = [name.removesuffix(".csv") for name in manifest["files"] if name.endswith(".csv")]
    return {name: read_table(*(_read(folder / f"{name}{end}") for end in ENDINGS)) for name in names}

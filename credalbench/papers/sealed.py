"""Files with checksums, written in one step; one error for all failures of a disk.

A sealed record is a JSON object with a SHA-256 checksum of its file's name and of its other items. It holds
the checksums of the other files of its folder, tables or a notebook. A file that is missing, empty, cut or
altered raises :class:`Damaged` with its name. Its contents are never used, and it stops only what needs it.
"""

import contextlib
import errno
import hashlib
import json
import os
import platform
import shutil
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

SEAL = "sha256"
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM}


class StoreError(RuntimeError):
    """The store cannot be written or is damaged; the message names the path and what to do."""


class Damaged(StoreError):
    """A file of the store that is missing or not what was written."""

    def __init__(self, path: Path, found: str) -> None:
        super().__init__(path, found)
        self.path, self.found = path, found

    def __str__(self) -> str:
        return f"{self.path} {self.found}"

    def below(self, folder: Path) -> str:
        """Return the message with the path relative to a folder above it."""
        return f"{self.path.relative_to(folder).as_posix()} {self.found}"


@contextlib.contextmanager
def storing(path: Path) -> Iterator[None]:
    """Raise :class:`StoreError` for errors of the file system while ``path`` is written."""
    try:
        yield
    except OSError as error:
        where, cause = error.filename or path, error.strerror or str(error)
        raise StoreError(f"cannot store {where}: {cause}; {_way_out(error)}") from error


def _way_out(error: OSError) -> str:
    elsewhere = "name another folder in CREDALBENCH_RESULTS, and run again to continue"
    if error.errno in _FULL:
        return f"free some space or {elsewhere}"
    if error.errno in _CLOSED:
        return f"make it writable or {elsewhere}"
    return f"move aside what is in the way or {elsewhere}"


# ------------------------------------------------------------------------- writing


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file in one step: readers see the old content or the new one, never a part of it.

    Raise StoreError if that fails: the disk is full, the folder is read-only.
    """
    part = temporary(path)
    with storing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_bytes(content)
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write text in one step; for errors see :func:`write_bytes`."""
    write_bytes(path, text.encode())


def write_sealed(path: Path, record: dict[str, Any]) -> None:
    """Write a record with its seal, in one step; raises as :func:`write_bytes` does."""
    proved = {**record, SEAL: seal([path.name, record])}
    write_text(path, json.dumps(proved, indent=1, ensure_ascii=False) + "\n")


def temporary(path: Path) -> Path:
    """Return a temporary name in the folder of ``path``, with the machine and the process that writes."""
    return path.with_name(f".part-{_machine()}-{os.getpid()}-{uuid.uuid4().hex[:8]}-{path.name}")


def sweep(folder: Path) -> None:
    """Remove temporary files that processes of this machine left in a folder when they were killed."""
    for path in folder.glob(f".part-{_machine()}-*"):
        pid = path.name.split("-")[2]
        if pid.isdigit() and not _is_alive(int(pid)):
            with contextlib.suppress(StoreError):  # it does no harm
                remove(path)


def remove(path: Path) -> None:
    """Remove a file, or a folder with its files; do nothing if there is none.

    Raise StoreError if that fails.
    """
    with storing(path), contextlib.suppress(FileNotFoundError):
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def _machine() -> str:
    return checksum(platform.node().encode())[:8]


def _is_alive(pid: int) -> bool:
    """Return whether a process exists; outside POSIX a signal would end it, so it is taken to exist."""
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


# ------------------------------------------------------------------------- reading


def checksum(content: bytes) -> str:
    """Return the SHA-256 checksum of the bytes of a file."""
    return hashlib.sha256(content).hexdigest()


def seal(value: Any) -> str:
    """Return the SHA-256 checksum of a plain JSON value, whatever its layout is."""
    return checksum(json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode())


def read_sealed(path: Path) -> dict[str, Any] | None:
    """Return the record that :func:`write_sealed` wrote, or None if there is no such file.

    A file that is not such a record, or does not fit its seal, is `Damaged`.
    """
    content = _content(path)
    if content is None:
        return None
    try:
        record = json.loads(content.decode())
        expected = record.pop(SEAL, None) if isinstance(record, dict) else None
        if expected and expected == seal([path.name, record]):
            return record
        found = "does not fit the checksum in it" if expected else "has no checksum in it"
    except ValueError:  # neither UTF-8 nor JSON
        found = "is not a complete JSON file"
    raise Damaged(path, f"{found} ({len(content)} bytes)")


def read_checked(path: Path, expected: str) -> bytes:
    """Return the content of a file; raise `Damaged` if there is no such file, or its checksum differs."""
    content = _content(path)
    if content is None:
        raise Damaged(path, "is missing")
    if checksum(content) != expected:
        raise Damaged(path, f"does not fit its checksum ({len(content)} bytes)")
    return content


def shortened(texts: Sequence[str], most: int = 3) -> str:
    """Return the first few of many messages, and the number of the others."""
    more = f"; and {len(texts) - most} more" if len(texts) > most else ""
    return "; ".join(texts[:most]) + more


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Damaged(path, f"cannot be read: {error.strerror or error}") from error

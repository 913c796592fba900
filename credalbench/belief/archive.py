"""Credal partitions in files, as archives of plain arrays. Reading a file never executes code."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from credalbench.core.arguments import expect_instance, shown
from credalbench.core.names import pack_index, unpack_index

from .focal import FocalSets

if TYPE_CHECKING:
    import pandas as pd

    from .partition import CredalPartition

FORMAT = "credalbench credal partition 1"
ENDING = ".npz"
COUNT = slice(-12, -10)  # position of the number of members in a zip file
NAMES = ("index", "index_names", "index_zone")
ARRAYS = {"format", "masses", "membership", *NAMES}


def write(partition: CredalPartition, path: str | os.PathLike) -> Path:
    """Write masses, focal sets and names to one file and return its path; see `CredalPartition.save`."""
    target = Path(path)
    if target.suffix != ENDING:
        target = target.with_name(target.name + ENDING)
    names = {} if partition.index is None else pack_index(partition.index)
    arrays = {"masses": partition.masses, "membership": partition.focal_sets.membership}
    with replacing(target) as part, part.open("wb") as stream:
        np.savez_compressed(stream, format=np.array(FORMAT), **arrays, **names)
    return target


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Yield the path of a file that replaces `target` when it is complete; a failure leaves no file."""
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        yield part
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def read(path: str | os.PathLike) -> tuple[Path, bytes]:
    """Return the path of a file, with its ending added if needed, and its contents.

    Raises
    ------
    ValueError
        If the file is a pipe or a device, which may have no end.
    FileNotFoundError
        If there is no such file.
    """
    expect_instance("path", path, str, os.PathLike)
    source = Path(path)
    try:
        if not source.exists() and source.suffix != ENDING:
            source = source.with_name(source.name + ENDING)
        if source.exists() and not source.is_file() and not source.is_dir():
            raise ValueError(f"expected a regular file, got {source}")
    except OSError as error:  # a name of thousands of characters
        raise FileNotFoundError(error.errno, f"no file can have this name: {shown(str(path))}") from error
    return source, source.read_bytes()


def unpack(contents: bytes) -> tuple[np.ndarray, FocalSets, pd.Index | None]:
    """Return masses, focal sets and names from the bytes of a file; other bytes raise errors of any kind."""
    if contents[:2] != b"PK":
        raise ValueError("not an archive of arrays")
    with np.load(BytesIO(contents), allow_pickle=False) as arrays:
        if "format" not in arrays or str(arrays["format"]) != FORMAT:
            raise ValueError(f"an archive of other arrays, without the format {FORMAT!r}")
        count = int.from_bytes(contents[COUNT], "little")  # a damaged directory may hide arrays
        if not {*arrays.files} <= ARRAYS or len(arrays.files) != count:
            raise ValueError(f"an archive of {count} arrays, of which {sorted(arrays.files)} can be read")
        names = [arrays[name] for name in NAMES if name in arrays]
        index = unpack_index(*names) if names else None
        return arrays["masses"], FocalSets.from_membership(arrays["membership"]), index

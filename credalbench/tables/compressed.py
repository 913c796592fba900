"""Compressed text files: read as a stream, only as far as requested."""

import gzip
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO

FAULTS = (ValueError, EOFError, RuntimeError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile)
BLOCK = 1 << 20  # bytes that are decompressed at a time


def _open_member(path: Path) -> BinaryIO:
    """Open the only file in an archive."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        if len(names) != 1:
            raise ValueError(f"{len(names)} files")
        return archive.open(names[0])  # keeps the archive open


OPEN = {".gz": gzip.open, ".zip": _open_member}


def is_compressed(path: Path) -> bool:
    """Return whether the suffix of a path is that of a compressed text file."""
    return path.suffix.lower() in OPEN


def open_compressed(path: Path) -> BinaryIO:
    """Open a compressed file; reading it decompresses it."""
    return OPEN[path.suffix.lower()](path)


def decompressed_size(path: Path, most: float) -> int:
    """Return the number of bytes in a compressed file, or the first one counted that is above `most`.

    The file is decompressed once, without keeping it: the size that an archive states may be wrong.

    Raises
    ------
    ValueError
        If the file is not of its format, is damaged or encrypted, or if an archive has several files.
    """
    try:
        with open_compressed(path) as stream:
            size = 0
            while size <= most and (block := stream.read(BLOCK)):
                size += len(block)
            return size
    except FAULTS as error:
        kind = path.suffix[1:].lower()
        raise ValueError(f"{path.name}: expected a {kind} file with one table; got {error}") from error

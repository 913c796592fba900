"""Files that are not plain text: tables of other programs, read by pandas, and compressed files."""

import gzip
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from credalbench.extras import require

#: Packages that pandas needs for a format.
READERS = {".parquet": "pyarrow", ".feather": "pyarrow", ".xlsx": "openpyxl"}


def read_format(path: Path) -> pd.DataFrame | np.ndarray | bytes | None:
    """Return the table in a file, or the contents of a compressed text file; None for other files.

    Parameters
    ----------
    path : Path
        Its suffix names the format: parquet, feather, xlsx (the first sheet), npy, json, gz or zip.

    Raises
    ------
    ValueError
        If the file is none of its format, or if an archive has several files.
    MissingPackage
        If the package that reads the format is not installed.
    """
    read = FORMATS.get(path.suffix.lower())
    if read is None:
        return None
    if path.suffix.lower() in READERS:
        require(READERS[path.suffix.lower()], extra="files", purpose=path.name)
    try:
        return read(path)
    except (
        ValueError,
        TypeError,
        KeyError,
        EOFError,
        zlib.error,
        gzip.BadGzipFile,
        zipfile.BadZipFile,
    ) as error:
        raise ValueError(
            f"{path.name}: expected a {path.suffix[1:]} file with one table; got {error}"
        ) from error


def _unzip(path: Path) -> bytes:
    """Return the contents of the only file in an archive."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        if len(names) != 1:
            raise ValueError(f"{len(names)} files")
        return archive.read(names[0])


def _load_array(path: Path) -> np.ndarray:
    return np.load(path, allow_pickle=False)


FORMATS: dict[str, Callable[[Path], pd.DataFrame | np.ndarray | bytes]] = {
    ".parquet": pd.read_parquet,
    ".feather": pd.read_feather,
    ".xlsx": pd.read_excel,
    ".npy": _load_array,
    ".json": pd.read_json,
    ".gz": lambda path: gzip.decompress(path.read_bytes()),
    ".zip": _unzip,
}

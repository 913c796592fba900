"""Files of other programs: tables that pandas or numpy reads, if they fit into memory."""

import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from credalbench.core.extras import require
from credalbench.core.resources import NotEnoughMemory, expect_memory

#: Errors of readers for files that are not of their format; those of XML are SyntaxErrors.
FAULTS = (ValueError, TypeError, KeyError, EOFError, SyntaxError, zipfile.BadZipFile)
#: Rows of a parquet file that are in memory at a time when a sample is drawn.
BATCH = 1 << 16


class Format(NamedTuple):
    """How a format is read.

    Parameters
    ----------
    read : callable
        Function that returns the table in the file of a path.
    need : callable
        Function that estimates the bytes that `read` needs at its peak, without reading the table.
    package : str, optional
        Package that pandas needs.
    """

    read: Callable[[Path], pd.DataFrame | np.ndarray]
    need: Callable[[Path], float]
    package: str | None = None


def read_format(path: Path) -> pd.DataFrame | np.ndarray | None:
    """Return the table in a file; None for files of other formats.

    Parameters
    ----------
    path : Path
        Its suffix names the format: parquet, feather, xlsx (the first sheet), npy or json.

    Raises
    ------
    ValueError
        If the file is not of its format.
    MissingPackage
        If the package that reads the format is not installed.
    NotEnoughMemory
        If the table does not fit into memory.
    """
    known = FORMATS.get(path.suffix.lower())
    if known is None:
        return None
    if known.package:
        require(known.package, extra="files", purpose=path.name)
    advice = "a text file such as CSV, or parquet, from which max_objects draws a sample"
    try:
        expect_memory(known.need(path), f"the table in {path.name}", advice)
        return known.read(path)
    except NotEnoughMemory:
        raise
    except FAULTS as error:
        raise _faulty(path, error) from error


def is_parquet(path: Path) -> bool:
    """Return whether the suffix of a path is that of a parquet file, which can be sampled."""
    return path.suffix.lower() == ".parquet"


def parquet_size(path: Path) -> tuple[int, int]:
    """Return the numbers of rows and columns of a parquet file, which is not read.

    Raises
    ------
    ValueError
        If the file is not a parquet file.
    MissingPackage
        If the package that reads it is not installed.
    """
    require(FORMATS[".parquet"].package, extra="files", purpose=path.name)
    from pyarrow.parquet import read_metadata

    try:
        metadata = read_metadata(path)
    except FAULTS as error:
        raise _faulty(path, error) from error
    return metadata.num_rows, metadata.num_columns


def read_parquet_rows(path: Path, positions: Sequence[int]) -> pd.DataFrame:
    """Return the rows of a parquet file at positions in ascending order, reading it batch by batch."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    kept, begin, positions = [], 0, np.asarray(positions)
    with ParquetFile(path) as file:
        for batch in file.iter_batches(BATCH):
            low, high = np.searchsorted(positions, [begin, begin + len(batch)])
            kept.append(batch.take(pa.array(positions[low:high] - begin)))
            begin += len(batch)
        return pa.Table.from_batches(kept, file.schema_arrow).to_pandas()


def _faulty(path: Path, error: Exception) -> ValueError:
    return ValueError(f"{path.name}: expected a {path.suffix[1:]} file with one table; got {error}")


# ------------------------------------------------------------------------- needs

# Measured peaks of `read_user_table`, in bytes for each cell of words; numbers take half as many.
BYTES_PER_CELL = 160
BYTES_PER_NUMBER = 60
TIMES_JSON, TIMES_XLSX = 16, 5  # of the text in the file


def _need_of_parquet(path: Path) -> float:
    rows, columns = parquet_size(path)
    return BYTES_PER_CELL * rows * columns


def _need_of_feather(path: Path) -> float:
    from pyarrow.ipc import open_file

    with open_file(str(path)) as file:  # all batches but the last one are as long as the first one
        batches = file.num_record_batches
        rows = batches * len(file.get_batch(0)) if batches else 0
        return BYTES_PER_CELL * rows * len(file.schema)


def _need_of_xlsx(path: Path) -> float:
    with zipfile.ZipFile(path) as archive:
        return TIMES_XLSX * sum(part.file_size for part in archive.infolist())


FORMATS = {
    ".parquet": Format(pd.read_parquet, _need_of_parquet, "pyarrow"),
    ".feather": Format(pd.read_feather, _need_of_feather, "pyarrow"),
    ".xlsx": Format(pd.read_excel, _need_of_xlsx, "openpyxl"),
    ".npy": Format(
        partial(np.load, allow_pickle=False),
        lambda path: BYTES_PER_NUMBER * np.load(path, mmap_mode="r", allow_pickle=False).size,
    ),
    ".json": Format(pd.read_json, lambda path: TIMES_JSON * path.stat().st_size),
}

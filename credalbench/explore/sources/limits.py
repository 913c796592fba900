"""Limits on the size of user files, which are checked before a file is parsed or decoded."""

from pathlib import Path

from credalbench.tables import Limits

MAX_MEGABYTES = 64
#: An explorer refits while a slider moves.
MAX_OBJECTS = 5000
#: Limit for dissimilarities: all are in memory, and their map takes n³ steps.
MAX_COMPARED = 2500
#: Columns of a matrix of dissimilarities with a column of names.
MAX_COLUMNS = MAX_COMPARED + 1
MAX_CELL_LENGTH = 10_000
#: Names of columns and classes are shown at axes and in legends.
MAX_NAME_LENGTH = 100
LIMITS = Limits(MAX_COLUMNS, MAX_CELL_LENGTH, MAX_NAME_LENGTH)
#: Each pixel needs about 60 bytes until the image is shrunk.
MAX_PIXELS = 16_000_000

TABLE_HELP = (
    f"at most {MAX_MEGABYTES} MB, {MAX_COLUMNS} columns, {MAX_CELL_LENGTH} characters in a cell and "
    f"{MAX_NAME_LENGTH} in a name; of more than {MAX_OBJECTS} objects, or {MAX_COMPARED} with "
    "dissimilarities, some are drawn"
)
IMAGE_HELP = f"at most {MAX_MEGABYTES} MB and {MAX_PIXELS // 10**6} million pixels"


def expect_few_bytes(source: str | Path | bytes, name: str | None = None) -> None:
    """Raise a ValueError if a file is too large to be read; missing files pass.

    Parameters
    ----------
    source : path or bytes
        Path or contents of the file.
    name : str, optional
        Name of the data for the message; the name of the file by default.

    Raises
    ------
    ValueError
    """
    if isinstance(source, bytes | bytearray | memoryview):
        size, own = memoryview(source).nbytes, "your data"
    else:
        path = Path(source)
        size, own = path.stat().st_size if path.is_file() else 0, path.name
    if size > 1e6 * MAX_MEGABYTES:
        got = f"{size / 1e6:.1f} MB"
        raise ValueError(f"{name or own}: expected a file of at most {MAX_MEGABYTES} MB; got {got}")

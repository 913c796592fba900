"""How large an own file may be: checked before anything of it is parsed or decoded, told at the button."""

from __future__ import annotations

from pathlib import Path

from credalbench.tables import Limits

MAX_MEGABYTES = 64
#: An explorer refits while a slider moves.
MAX_OBJECTS = 5000
#: Of dissimilarities that are no distances of attributes: all are in memory, and their map takes n³ steps.
MAX_COMPARED = 2500
#: Those of a matrix of dissimilarities with a column of names.
MAX_COLUMNS = MAX_COMPARED + 1
MAX_CELL_LENGTH = 10_000
#: Names of columns and classes stand beside axes and in legends.
MAX_NAME_LENGTH = 100
LIMITS = Limits(MAX_COLUMNS, MAX_CELL_LENGTH, MAX_NAME_LENGTH)
#: Each takes some 60 bytes on its way to an image of a few hundred rows.
MAX_PIXELS = 16_000_000

TABLE_HELP = (
    f"at most {MAX_MEGABYTES} MB, {MAX_COLUMNS} columns, {MAX_CELL_LENGTH} characters in a cell and "
    f"{MAX_NAME_LENGTH} in a name; of more than {MAX_OBJECTS} objects, or {MAX_COMPARED} with "
    "dissimilarities, some are drawn"
)
IMAGE_HELP = f"at most {MAX_MEGABYTES} MB and {MAX_PIXELS // 10**6} million pixels"


def expect_few_bytes(source: str | Path | bytes, name: str | None = None) -> None:
    """Refuse a file that is too large to be read; one that is absent passes.

    Parameters
    ----------
    source : path or bytes
        Where the file lies, or what is in it.
    name : str, optional
        Of the data, for the message; the file's own by default.

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

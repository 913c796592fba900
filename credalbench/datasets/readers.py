"""Read the bytes of a file as arrays of a :class:`~credalbench.datasets.dataset.Dataset`.

One reader follows the ``format`` of a registry entry; data sets have no code of their own.

=====================  ============================================================================
key of ``format``      meaning
=====================  ============================================================================
reader                 "table" (text), "png" (an image) or "none" (kept for reference, not readable)
gzip                   true if the text is compressed
delimiter              a character, or "whitespace": any run of blanks and tabs
header_lines           number of lines before the data
feature_columns        first and last attribute column, counted from 0, both included
label_column           column of the class
label_runs             classes in row order as [label, how many times], if the file has none
name_column            column of the names of the objects
missing                text of a missing value
content                "categorical" or "dissimilarities"; attributes if it is absent
first_column_missing   true if a matrix of dissimilarities lacks its first column
channel, crop_*        colour channel and [from, to) rows and columns of an image
=====================  ============================================================================

``classes`` of the entry maps each label in the file to the name of its class. Several spellings or types of
one class have the same name.
"""

import gzip
import io
from dataclasses import dataclass

import numpy as np

from credalbench.core.arguments import expect
from credalbench.core.extras import require


@dataclass(frozen=True)
class Table:
    """Rows of a text file: ``values`` (n, columns) floats, ``labels`` and ``names`` as in the file."""

    values: np.ndarray | None
    labels: list[str]
    names: list[str]


def read_lines(content: bytes, form: dict) -> list[list[str]]:
    """Split a text file into cells.

    The result does not depend on Windows line ends, a byte-order mark, blank lines at the end, doubled tabs
    or quotation marks around a cell.
    """
    text = (gzip.decompress(content) if form.get("gzip") else content).decode("utf-8-sig")
    lines = [line for line in text.splitlines()[form["header_lines"] :] if line.strip()]
    delimiter = None if form["delimiter"] == "whitespace" else form["delimiter"]
    return [[cell.strip().strip("\"'") for cell in line.split(delimiter)] for line in lines]


def _numbers(rows: list[list[str]], first: int, last: int, missing: str | None, where: str) -> np.ndarray:
    """Return cells of columns ``first`` to ``last`` as floats (n, last - first + 1), NaN for ``missing``."""
    values = np.empty((len(rows), last - first + 1))
    for i, row in enumerate(rows):
        cells = row[first : last + 1]
        if missing is not None:
            cells = ["nan" if cell == missing else cell for cell in cells]
        try:
            values[i] = [float(cell) for cell in cells]
        except ValueError:
            expected = f"expected {values.shape[1]} numbers in data row {i + 1}"
            raise ValueError(f"{where}: {expected}, got {cells}") from None
    return values


def read_table(content: bytes, form: dict, where: str = "file") -> Table:
    """Read a delimited text file in the format ``form``, the ``format`` of a registry entry.

    Raises
    ------
    ValueError
        If a row has too few cells or a cell that is not a number; the message names the file (`where`) and
        the row.
    """
    rows = read_lines(content, form)
    values = None
    if "feature_columns" in form:
        values = _numbers(rows, *form["feature_columns"], form.get("missing"), where)
    labels, names = [], []
    try:
        if "label_column" in form:
            labels = [row[form["label_column"]] for row in rows]
        if "name_column" in form:
            names = [row[form["name_column"]] for row in rows]
    except IndexError:
        raise ValueError(f"{where}: expected a label in every row, got a row with too few cells") from None
    if "label_runs" in form:
        labels = [label for label, times in form["label_runs"] for _ in range(times)]
    as_many = f"{len(labels)} rows in {where}, one for each label"
    expect(not labels or len(labels) == len(rows), as_many, len(rows))
    return Table(values, labels, names)


def complete_matrix(values: np.ndarray) -> np.ndarray:
    """Return the symmetric matrix (n, n) with zero diagonal from its columns after the first, (n, n - 1)."""
    n, columns = values.shape
    expect(columns == n - 1, "n rows and n - 1 columns", values.shape)
    D = np.zeros((n, n))
    D[:, 1:] = values
    D[1:, 0] = values[0]  # by symmetry the lost first column is the first row
    return D


def encode_labels(labels: list[str], classes: dict[str, str], where: str = "file") -> np.ndarray:
    """Return class numbers 0, 1, ... (n,) of the labels, in the order of ``classes``."""
    order = {name: k for k, name in enumerate(class_names(classes))}
    try:
        return np.array([order[classes[label]] for label in labels], dtype=np.intp)
    except KeyError as error:
        raise ValueError(f"{where}: expected a label in {sorted(classes)}, got {error}") from None


def class_names(classes: dict[str, str]) -> tuple[str, ...]:
    """Return the names of the classes in order, each once."""
    return tuple(dict.fromkeys(classes.values()))


def read_image(content: bytes, form: dict) -> np.ndarray:
    """Return one channel (rows, columns) of the cropped 8-bit image, scaled to [0, 1]."""
    require("PIL", extra="plots", purpose="Reading an image")
    from PIL import Image

    with Image.open(io.BytesIO(content)) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    rows, columns = slice(*form["crop_rows"]), slice(*form["crop_columns"])
    return pixels[rows, columns, form["channel"]] / 255.0


def read_arrays(content: bytes, entry: dict) -> dict:
    """Return the keyword arguments of ``Dataset`` from a verified file and its registry entry.

    They are those of X or D, y, object_names, data_type and image_shape that the entry has.
    """
    form, where = entry["format"], entry["file"]
    if form["reader"] == "png":
        picture = read_image(content, form)
        return {"X": picture.reshape(-1, 1), "image_shape": picture.shape, "data_type": "image"}
    table = read_table(content, form, where)
    arrays = {"object_names": tuple(table.names), "data_type": form.get("content", "attributes")}
    if table.values is None:
        arrays["data_type"] = "labels"
    elif arrays["data_type"] == "dissimilarities":
        arrays["D"] = complete_matrix(table.values) if form.get("first_column_missing") else table.values
    else:
        arrays["X"] = table.values
    if table.labels:
        arrays["y"] = encode_labels(table.labels, entry["classes"], where)
    return arrays

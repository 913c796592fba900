"""Open the files that users have: text, also compressed, and the tables of other programs."""

import bz2
import codecs
import gzip
import io
import json
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import pandas as pd
from charset_normalizer import from_bytes

from credalbench.core.arguments import shown
from credalbench.core.extras import require
from credalbench.core.progress import track
from credalbench.core.resources import NotEnoughMemory, expect_memory, size_text

FAULTS = (
    ValueError,
    TypeError,
    KeyError,
    EOFError,
    RuntimeError,
    SyntaxError,  # of XML
    zlib.error,
    lzma.LZMAError,
    OSError,
    zipfile.BadZipFile,
)
BLOCK = 1 << 20  # bytes that are in memory at a time
BEGIN = 1 << 16  # bytes that decide whether a file is text
MOST_EXPANSION, BOMB = 200, 1 << 29  # a file that becomes so many times as large, and larger than this
#: First bytes of files that are not text, with their kind.
NOT_TEXT = {
    b"PK\x03\x04": "a spreadsheet or an archive",
    b"\xd0\xcf\x11\xe0": "a spreadsheet of the old format xls; save it as xlsx or CSV",
    b"\x1f\x8b": "a compressed file; give it a name that ends in .gz",
    b"BZh": "a compressed file; give it a name that ends in .bz2",
    b"\xfd7zXZ": "a compressed file; give it a name that ends in .xz",
    b"\x89PNG": "an image",
    b"%PDF": "a PDF",
    b"PAR1": "a parquet file; give it a name that ends in .parquet",
}
HTML = re.compile(rb"\s*<(!doctype html|html|table|\?xml)", re.IGNORECASE)
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
#: Encodings of files that are neither UTF-8 nor UTF-16; the first is taken if nothing speaks for another.
ENCODINGS = ("cp1252", "cp1250", "cp1251", "cp1253", "cp932", "gb18030", "big5", "cp949", "koi8_r")
CONTROLS = [chr(code) for code in (*range(9), *range(14, 32))]  # characters that no text file contains


# ---------------------------------------------------------------- text


def _open_member(path: Path) -> BinaryIO:
    """Open the only file in an archive."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        if len(names) != 1:
            raise ValueError(f"{len(names)} files")
        return archive.open(names[0])  # keeps the archive open


OPEN = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open, ".zip": _open_member}


def is_file(path: Path) -> bool:
    """Return whether a path leads to a file; False also if the system does not accept the path."""
    try:
        return path.is_file()
    except OSError:  # a name of thousands of characters
        return False


def open_bytes(source: str | Path | bytes) -> BinaryIO:
    """Open a file, given by path or contents; a compressed one is decompressed as it is read."""
    if isinstance(source, bytes | bytearray | memoryview):
        return io.BytesIO(source)
    if not is_file(path := Path(source)):
        raise ValueError(f"expected a readable file; got {shown(str(path))}, which does not exist")
    opening = OPEN.get(path.suffix.lower())
    return path.open("rb") if opening is None else opening(path)


class Survey(NamedTuple):
    """A text file before its cells are read: encoding, size of its text in bytes, first bytes."""

    encoding: str
    size: int
    begin: bytes


def survey(source: str | Path | bytes, name: str, encoding: str | None, most: float) -> Survey:
    """Read a text file once, block by block, and return its encoding and its size.

    A byte order mark decides, then zeros of UTF-16, then whether all bytes are UTF-8; the encoding of other
    files is guessed from the lines that are not ASCII.
    """
    compressed = isinstance(source, str | Path) and Path(source).suffix.lower() in OPEN
    packed = Path(source).stat().st_size if compressed and is_file(Path(source)) else None
    try:
        with open_bytes(source) as stream:
            begin = block = stream.read(BEGIN)
            found = _first_guess(begin, name, encoding)
            decoder, size = codecs.getincrementaldecoder("utf-8")(), 0
            while block and size <= most:
                size += len(block)
                if packed and size > max(BOMB, MOST_EXPANSION * packed):
                    raise _bomb(name, packed)
                if found is None:
                    try:
                        decoder.decode(block)
                    except UnicodeDecodeError:
                        found = _guess(block)
                block = stream.read(BLOCK)
            if found is None and decoder.getstate()[0] and size <= most:  # ends within a character
                found = _guess(begin)
    except FAULTS as error:
        if not compressed or isinstance(error, NotEnoughMemory) or str(error).startswith(name):
            raise
        kind = Path(source).suffix[1:].lower()
        raise ValueError(f"{name}: expected a {kind} file with one table; got {error}") from error
    return Survey(found or "utf-8", size, begin)


def _bomb(name: str, packed: int) -> NotEnoughMemory:
    times = f"more than {MOST_EXPANSION} times its size"
    return NotEnoughMemory(f"{name}: expected a table; got {size_text(packed)} that become {times}")


def _first_guess(begin: bytes, name: str, encoding: str | None) -> str | None:
    """Return the encoding that the first bytes show or that is given, or None."""
    for mark, what in NOT_TEXT.items():
        if begin.startswith(mark):
            raise ValueError(f"{name}: expected a text file such as CSV; got {what}")
    if HTML.match(begin):
        raise ValueError(
            f"{name}: expected a text file such as CSV; got a page of HTML or XML; open it with a "
            "spreadsheet program and save it as CSV"
        )
    if encoding is not None:
        try:
            return codecs.lookup(encoding) and encoding
        except LookupError as error:
            raise wrong_encoding(name, encoding, error) from error
    for mark, found in BYTE_ORDER_MARKS.items():
        if begin.startswith(mark):
            return found
    zeros = begin[0::2].count(0), begin[1::2].count(0)
    if max(zeros) > len(begin) / 4 and min(zeros) < len(begin) / 8:
        return "utf-16-le" if zeros[1] > zeros[0] else "utf-16-be"
    return None


def _guess(block: bytes) -> str:
    """Return the encoding of a text that is not UTF-8."""
    lines = b"\n".join(line for line in block.splitlines() if not line.isascii())[:BEGIN]
    found = sorted(  # short texts fit several code pages equally well
        (round(one.chaos, 1), -round(one.coherence, 1), ENCODINGS.index(encoding))
        for one in from_bytes(lines, cp_isolation=list(ENCODINGS))
        for encoding in one.could_be_from_charset
    )
    for guess in [*(ENCODINGS[place] for *_, place in found), ENCODINGS[0]]:
        try:
            block.decode(guess, errors="strict")
            return guess
        except UnicodeDecodeError:
            continue
    return "latin-1"  # which decodes all bytes


def wrong_encoding(name: str, encoding: str | None, reason: object) -> ValueError:
    """Return the error for contents that are not text in an encoding."""
    return ValueError(f"{name}: expected text in {encoding or 'UTF-8, UTF-16 or a code page'}; got {reason}")


def text_blocks(source: str | Path | bytes, found: Survey, name: str, encoding: str | None) -> Iterator[str]:
    r"""Yield the text of a file in blocks of whole lines, which end in ``\n``."""
    n_lines = 0
    with io.TextIOWrapper(open_bytes(source), encoding=found.encoding) as text:
        for number in track(range(found.size // BLOCK + 2), f"reading {name}, part"):
            try:
                block = text.read(BLOCK)
                block += "" if block.endswith("\n") else text.readline()
            except UnicodeError as error:
                raise wrong_encoding(name, encoding, error) from error
            if not block:
                return
            if control := next((one for one in CONTROLS if one in block), None):
                line = n_lines + block.count("\n", 0, block.index(control)) + 1
                raise wrong_encoding(name, encoding, f"the character {control!r} in line {line}")
            n_lines += block.count("\n")
            yield block if number else block.removeprefix("\ufeff")


# ---------------------------------------------------------------- tables of other programs


class Format(NamedTuple):
    """How a format is read.

    Parameters
    ----------
    read : callable
        Function that returns the table in the file of a path.
    need : callable
        Function that estimates the bytes that `read` needs, without reading the table.
    package : str, optional
        Package that pandas needs.
    """

    read: Callable[[Path], pd.DataFrame | np.ndarray]
    need: Callable[[Path], float]
    package: str | None = None


def read_format(path: Path) -> pd.DataFrame | np.ndarray | None:
    """Return the table in a file; None for files of other formats."""
    known = FORMATS.get(path.suffix.lower())
    if known is None:
        return None
    if known.package:
        require(known.package, extra="files", purpose=path.name)
    advice = "a text file such as CSV, or parquet, from which max_objects draws a sample"
    with _naming(path):
        need = known.need(path)
        if need > max(2 * BOMB, MOST_EXPANSION * path.stat().st_size):
            raise _bomb(path.name, path.stat().st_size)
        expect_memory(need, f"the table in {path.name}", advice)
        return known.read(path)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Turn the errors of a reader into one that names the file."""
    try:
        yield
    except NotEnoughMemory:
        raise
    except FAULTS as error:
        suffix = path.suffix[1:].lower()
        raise ValueError(f"{path.name}: expected a {suffix} file with one table; got {error}") from error


def parquet_size(path: Path) -> tuple[int, int]:
    """Return the numbers of rows and columns of a parquet file, which is not read."""
    require("pyarrow", extra="files", purpose=path.name)
    from pyarrow.parquet import read_metadata

    with _naming(path):
        metadata = read_metadata(path)
    return metadata.num_rows, metadata.num_columns


FEW_ROWS, MOST_BATCH = 64, 1 << 26  # rows from which the size of others is estimated, and bytes of a batch
BATCH = 1 << 16  # rows of a parquet file that are in memory at a time, if they are short


def read_parquet_rows(path: Path, positions: Sequence[int]) -> pd.DataFrame:
    """Return the rows of a parquet file at positions in ascending order, reading it batch by batch."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    kept, begin, positions = [], 0, np.asarray(positions)
    strings = _strings_of(path)
    with _naming(path), ParquetFile(path, read_dictionary=strings) as file:
        rows = min(BATCH, int(MOST_BATCH / (1 + _bytes_of_first_rows(path))) + 1)
        for batch in file.iter_batches(rows):
            low, high = np.searchsorted(positions, [begin, begin + len(batch)])
            kept.append(batch.take(pa.array(positions[low:high] - begin)))
            begin += len(batch)
        frame = pa.Table.from_batches(kept, kept[0].schema if kept else file.schema_arrow).to_pandas()
    if isinstance(frame.index, pd.CategoricalIndex):
        frame.index = frame.index.astype(frame.index.categories.dtype)
    return frame.astype({name: object for name in strings if name in frame})


def _strings_of(path: Path) -> list[str]:
    from pyarrow.parquet import read_schema

    return [field.name for field in read_schema(path) if str(field.type) in ("string", "large_string")]


def _bytes_of_first_rows(path: Path) -> float:
    """Return the bytes of a row of a parquet file, from its first ones, of which strings are repeated."""
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path, read_dictionary=_strings_of(path)) as file:
        batch = next(file.iter_batches(FEW_ROWS), None)
        if batch is None or not len(batch):
            return 0.0
        whole = sum(
            column.dictionary_decode().nbytes if hasattr(column, "dictionary") else column.nbytes
            for column in batch.columns
        )
        return whole / len(batch)


# Measured peaks of `read_user_table`, in bytes for each cell of words; numbers take half as many.
BYTES_PER_CELL = 160
BYTES_PER_NUMBER = 60
TIMES_JSON, TIMES_XLSX = 40, 5  # of the text in the file
CELL = re.compile(rb'<c [^>]*?r="([A-Z]{1,3})(\d{1,7})"')
DIMENSION = re.compile(rb'<dimension ref="[^":]*:([A-Z]{1,3})(\d{1,7})"')


def _need_of_parquet(path: Path) -> float:
    rows, columns = parquet_size(path)
    return rows * max(BYTES_PER_CELL * columns, 2 * _bytes_of_first_rows(path))


def _need_of_feather(path: Path) -> float:
    from pyarrow.ipc import open_file

    with open_file(str(path)) as file:  # all batches but the last one are as long as the first one
        batches = file.num_record_batches
        rows = batches * len(file.get_batch(0)) if batches else 0
        return BYTES_PER_CELL * rows * len(file.schema)


def _need_of_xlsx(path: Path) -> float:
    """Return the bytes that a workbook needs: for its text, and for the rectangle of each sheet's cells."""
    with zipfile.ZipFile(path) as archive:
        text = sum(part.file_size for part in archive.infolist())
        if text > max(BOMB, MOST_EXPANSION * path.stat().st_size):
            raise _bomb(path.name, path.stat().st_size)
        sheets = [part for part in archive.namelist() if part.startswith("xl/worksheets/sheet")]
        return max([TIMES_XLSX * text, *(BYTES_PER_CELL * _cells_of_sheet(archive, one) for one in sheets)])


def _cells_of_sheet(archive: zipfile.ZipFile, sheet: str) -> int:
    rows = columns = 1
    with archive.open(sheet) as stream:
        tail = b""
        while block := stream.read(BLOCK):
            found = [*DIMENSION.findall(tail + block), *CELL.findall(tail + block)]
            rows = max([rows, *(int(row) for _, row in found)])
            columns = max([columns, *(_column_number(letters) for letters in {one for one, _ in found})])
            tail = block[-64:]
    return rows * columns


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number


def _read_json(path: Path) -> pd.DataFrame:
    """Read records, or one object a line; numbers stay numbers and text stays text."""
    text = path.read_text(encoding="utf-8-sig")
    lines = text.lstrip().startswith("{") and _is_object(text.lstrip().splitlines()[0])
    return pd.read_json(io.StringIO(text), lines=lines, dtype=False)


def _is_object(line: str) -> bool:
    """Return whether a line is a complete object, as in JSON lines, that is not a table by itself."""
    try:
        return not any(isinstance(value, dict | list) for value in json.loads(line).values())
    except ValueError:
        return False


_JSON = Format(_read_json, lambda path: TIMES_JSON * path.stat().st_size)
FORMATS = {
    ".parquet": Format(pd.read_parquet, _need_of_parquet, "pyarrow"),
    ".feather": Format(pd.read_feather, _need_of_feather, "pyarrow"),
    ".xlsx": Format(partial(pd.read_excel, keep_default_na=False), _need_of_xlsx, "openpyxl"),
    ".npy": Format(
        partial(np.load, allow_pickle=False),
        lambda path: BYTES_PER_NUMBER * np.load(path, mmap_mode="r", allow_pickle=False).size,
    ),
    ".json": _JSON,
    ".jsonl": _JSON,
    ".ndjson": _JSON,
}

"""Own files that are too large: refused before they are parsed or decoded, with the limit and what came."""

import struct
import tracemalloc
import zlib

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from credalbench.explore import EVCLUSModel, SegmentationModel
from credalbench.explore import sources as limits
from credalbench.explore.sources import (
    LIMITS,
    MAX_CELL_LENGTH,
    MAX_COLUMNS,
    MAX_MEGABYTES,
    MAX_NAME_LENGTH,
    MAX_OBJECTS,
    MAX_PIXELS,
    expect_few_bytes,
)
from credalbench.explore.sources.images import image_from_picture
from credalbench.tables.files import BLOCK
from credalbench.tables.layout import split_rows
from tests.explore.declared import table_from_csv
from tests.explore.test_user_tables import ROWS, table

LARGE = 10**6 * MAX_MEGABYTES + 1


# ---------------------------------------------------------------- tables


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (table(*[",".join("1" * (MAX_COLUMNS + 1))] * 3), "at most 2501 columns; got 2502 in line 1"),
        (table(*["\t".join("1" * (MAX_COLUMNS + 1))] * 3), "at most 2501 columns; got 2502 in line 1"),
        (table("1 2", *["1  2 \t" * MAX_COLUMNS] * 3), "at most 2501 columns; got 2502 in line 2"),
        (table("u,v", "1,2", "3," + "4" * 10_001), "at most 10000 characters in a cell; got 10001 in line 3"),
        (table("u,v", '1,"' + "a,b" * 2500, "c" * 5000 + '"', "2,3"), "in a cell; got 125.. in line 2"),
        (table("u,v", "1,2", "3," + "4" * 200_000), "at most 10000 characters in a cell; got more than"),
    ],
)
def test_a_large_table_is_refused_before_anything_is_made_of_it(contents, message, monkeypatch):
    monkeypatch.setattr(pd, "DataFrame", None)
    with pytest.raises(ValueError, match=f"mine.csv: expected .*{message}"):
        table_from_csv(contents, "mine.csv")


@pytest.mark.parametrize(("line", "count"), [("\n", 10**6), (" \n", 10**6), ("\r\n", 10**6), ("1\n", 30_000)])
def test_lines_without_end_take_little_more_memory_than_the_file(line, count):
    """Blank ones are not rows; of others no more are kept than are drawn, and a block of those that pass."""
    contents = (line * count).encode()
    tracemalloc.start()
    with pytest.raises(ValueError, match=r"at least 3 lines; got 0|got 'column 1' \(one value\)"):
        table_from_csv(contents, "mine.csv")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    rows = 500 * MAX_OBJECTS + 32 * BLOCK  # those that are kept, and the lines of a block
    assert peak < 3 * len(contents) + rows  # the text, once more with ends of lines of one kind


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_blank_lines_and_all_ends_of_lines_are_read(end):
    rows = ["u,v", *ROWS]
    expected = table_from_csv(table(*rows)).attributes
    spread = (end * 5000).join(["", *rows, " \t"]).encode()
    assert (table_from_csv(spread).attributes == expected).all()
    assert (table_from_csv(end.join(rows).encode()).attributes == expected).all()


def test_a_table_at_the_limits_passes():
    widest = ",".join("1" * MAX_COLUMNS)
    longest = "1," + "2" * MAX_CELL_LENGTH
    rows = "\n".join([widest, longest])
    assert [len(row.cells) for row in split_rows(rows.splitlines(), ",", "mine.csv", LIMITS)] == [
        MAX_COLUMNS,
        2,
    ]
    [row] = split_rows(["1 \t 2 " * 1250], " ", "mine.csv", LIMITS)
    assert row.cells == ["1", "2"] * 1250
    name = "n" * MAX_NAME_LENGTH
    subject = table_from_csv(table(f"{name},v,class", *(f"{row},{name}" for row in ROWS)))
    assert subject.axis_labels[0] == name and subject.class_names == (name,)


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["n" * 101 + ",v", *ROWS], "column"),
        (["u,v,class", *(f"{row},{'n' * 101}" for row in ROWS)], "class"),
    ],
)
def test_names_that_no_picture_could_show_are_refused(lines, what):
    message = f"at most 100 characters in the name of a {what}; got 101 in 'nnnnnnnnnnnnnnnnnnnn'"
    with pytest.raises(ValueError, match=message):
        table_from_csv(table(*lines))


@pytest.mark.parametrize("read", [table_from_csv, image_from_picture])
def test_a_large_file_is_not_read(read, tmp_path):
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.truncate(LARGE)
    for source in (path, bytes(LARGE)):
        with pytest.raises(ValueError, match=r"expected a file of at most 64 MB; got 64\.0 MB"):
            read(source)
    expect_few_bytes(memoryview(bytes(10)), "small")


# ---------------------------------------------------------------- images


def png_header(rows, columns):
    """A PNG file that promises so many pixels and holds none."""
    chunks = {b"IHDR": struct.pack(">IIBBBBB", columns, rows, 8, 0, 0, 0, 0), b"IDAT": b"", b"IEND": b""}
    contents = b"\x89PNG\r\n\x1a\n"
    for kind, body in chunks.items():
        contents += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return contents


@pytest.mark.parametrize("side", [4001, 30_000])
def test_a_large_image_is_refused_before_it_is_decoded(side, monkeypatch):
    """The second is one that Pillow does not open either."""
    monkeypatch.setattr(Image.Image, "load", None)
    monkeypatch.setattr("PIL.ImageFile.ImageFile.load", None)
    model = SegmentationModel("phantom")
    fitted = model.fitted
    model.load_file(png_header(side, side), "large.png")
    assert model.is_error and model.fitted is fitted
    assert "Expected an image of at most 16000000 pixels, got" in model.message
    assert f"{side} x {side}" in model.message or str(side**2) in model.message


def test_a_large_array_in_a_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.npy"
    with path.open("wb") as file:
        header = {"descr": "|u1", "fortran_order": False, "shape": (4001, 4000)}
        np.lib.format.write_array_header_1_0(file, header)
        file.truncate(file.tell() + 4001 * 4000)
    with pytest.raises(ValueError, match=f"at most {MAX_PIXELS} pixels, got '4001 x 4000'"):
        image_from_picture(path)
    path.write_bytes(path.read_bytes()[:200])  # promises more than there is
    with pytest.raises(ValueError, match="greater than file size"):
        image_from_picture(path)


# ---------------------------------------------------------------- telling


@pytest.mark.parametrize(
    ("model", "numbers"), [(EVCLUSModel, (64, 5000, 2500, 2501, 10_000, 100)), (SegmentationModel, (64, 16))]
)
def test_the_button_states_the_limits(model, numbers):
    _, tooltip, _ = model().source.FILES
    assert all(f" {limit} " in tooltip for limit in numbers)
    assert (limits.TABLE_HELP in tooltip) != (limits.IMAGE_HELP in tooltip)

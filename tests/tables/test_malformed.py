"""Randomly damaged files: each is read or rejected with a reason."""

import numpy as np
import pytest

from credalbench.tables import UserTable, read_user_table

SAMPLES = (
    "u;v;class\n1,5;2;a\n3,5;;a\n5,1;6;b\n7,7;8;b\n",
    '"id","day","note","k"\n1,2026-01-02,"a ""b""",1\n2,2026-02-02,"c\nd",0\n3,2026-03-05,e,1\n4,,f,0\n',
    ",a,b,c\na,0,1.5,2\nb,1.5,0,3\nc,2,3,0\n",
    "1\n5\n4.5\n6\n3\n2\n",
    "5.1 1.4 x\n4.9 1.3 x\n7.0 4.7 y\n6.4 4.5 y\n",
)
BITS = ['"', ",", ";", "\t", "\n", "\r", " ", "NA", "1e999", "-", "\x00", "é", "<b>", "1.234", "0", "inf", ""]


def damaged(rng):
    """Return a sample with changed characters, in any encoding, possibly truncated."""
    text = list(SAMPLES[rng.integers(len(SAMPLES))])
    for _ in range(rng.integers(1, 8)):
        text[rng.integers(len(text))] = BITS[rng.integers(len(BITS))]
    contents = "".join(text).encode(["utf-8", "utf-16", "latin-1", "utf-16-le"][rng.integers(4)])
    return contents[: rng.integers(len(contents) + 1)] if rng.random() < 0.2 else contents


@pytest.mark.parametrize("block", range(4))
def test_damaged_files_give_a_table_or_a_reason(block):
    rng = np.random.default_rng(block)
    for _ in range(20):
        contents = damaged(rng)
        try:
            table = read_user_table(contents, missing=(None, "rows", "skip")[rng.integers(3)])
        except ValueError as reason:
            assert "table: " in str(reason), contents
            continue
        assert isinstance(table, UserTable) and table.name in repr(table), contents
        for data in ("X", "D"):
            try:
                values = getattr(table, data).to_numpy(float)
            except ValueError as reason:
                assert str(reason), contents
            else:
                assert np.isfinite(values).all(), contents


@pytest.mark.parametrize("delimiter", [",", ";", " "])
def test_an_open_quotation_mark_is_rejected(delimiter):
    rows = ["u,v", "1.5,a", '2.5,"b', "3.5,a", "4.5,b"]
    text = "\n".join(rows).replace(",", delimiter)
    with pytest.raises(ValueError, match="got a quotation mark that is not closed, from line 3"):
        read_user_table(text.encode())
    for closed in (text.replace('"b', '"b"'), text.replace('"b', 'b"'), text + '"'):
        read_user_table(closed.encode(), columns={"v": "category"})

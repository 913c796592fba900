"""Files as people upload them by mistake: damaged, of another kind, or a table that is none."""

import io
import json
import zipfile

import numpy as np
from PIL import Image

TABLES = (
    "u;v;class\n1,5;2;a\n3,5;;a\n5,1;6;b\n7,7;8;b\n",
    '"id","day","note","k"\n1,2026-01-02,"a ""b""",1\n2,2026-02-02,"c\nd",0\n3,2026-03-05,e,1\n4,,f,0\n',
    ",a,b,c\na,0,1.5,2\nb,1.5,0,3\nc,2,3,0\n",
    "0\n1 0\n5 5 0\n4 3 2 0\n",
    "1\n5\n4.5\n6\n3\n2\n",
    "5.1 1.4 x\n4.9 1.3 x\n7.0 4.7 y\n6.4 4.5 y\n",
    "u,v\n1,-999\n2,n.d.\n3,4\n5,6\n7,9\n",
    "hair,legs,class\nyes,4,m\nno,2,b\nyes,4,m\nno,0,f\n",
)
#: What takes the place of a character, or of a cell.
BITS = ('"', ",", ";", "\t", "\n", "\r", " ", "NA", "1e999", "-", "\x00", "é", "<b>", "1.234", "0", "inf", "")
BITS += (
    "-999",
    "1e308",
    "=A1+1",
    "'; --",
    "\u202e",
    "\U0001f600",
    "9" * 400,
    "n" * 120,
    "\ufeff",
    "2026-13-40",
)
ENCODINGS = ("utf-8", "utf-16", "latin-1", "utf-16-le", "cp1252", "utf-32")
OTHER_KINDS = (
    b"",
    b"\n\n\n",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"u,v,w\n",
    b",,,\n,,,\n,,,\n,,,\n",
    b"u,u,u\n1,1,1\n1,1,1\n1,1,1\n",
    b"%PDF-1.7\n1 0 obj\n",
    b"\x1f\x8b\x08\x00" + bytes(40),
    b"\x89PNG\r\n\x1a\n" + bytes(60),
    b"GIF89a" + bytes(30),
    b"<!DOCTYPE html><html><body><table><tr><td>1</td><td>2</td></tr></table></body></html>",
    json.dumps({"u": [1, 2, 3], "v": [4.5, 6, 7]}, indent=1).encode(),
    b'{"data": "butterfly", "own": 5}',
    b"@relation iris\n@attribute u numeric\n@data\n1,2\n3,4\n",
    ("a" * 20_000 + ",1\n").encode() * 4,
    (",".join(["1"] * 2600) + "\n").encode() * 3,
    b"1,2\n3,4\n" + b"5,6," * 200,
    b"x\n" * 3000,
    b"1e308,-1e308\n-1e308,1e308\n1e308,1e308\n0,0\n",
    b"5e-324,0\n0,5e-324\n0,0\n5e-324,5e-324\n",
    b"1e200,1\n2e200,2\n5e200,4\n7e200,7\n",
    b"0,1,2\n1,0,\n2,,0\n",
    b"1,.5,.2\n.5,1,.1\n.2,.1,1\n",
    b"0,nan,1\nnan,0,2\n1,2,0\n",
)


def image_of(rng, kind):
    """Return the contents of a small image file."""
    buffer = io.BytesIO()
    Image.fromarray(rng.integers(0, 256, (9, 11, 3), dtype=np.uint8)).save(buffer, kind)
    return buffer.getvalue()


def archive():
    """Return the contents of a zip file, as a spreadsheet is one."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("xl/worksheets/sheet1.xml", "<worksheet/>")
    return buffer.getvalue()


def damaged(rng, contents):
    """Change, lose or cut off some bytes of the contents."""
    data = bytearray(contents)
    for _ in range(rng.integers(1, 6)):
        if data:
            data[rng.integers(len(data))] = rng.integers(256)
    return bytes(data[: rng.integers(len(data) + 1)] if rng.random() < 0.5 else data)


def mistyped(rng, text):
    """Replace some characters or cells of a table, and encode it."""
    pieces = list(text) if rng.random() < 0.5 else text.replace("\n", ",\n,").split(",")
    joint = "" if len(pieces) == len(text) else ","
    for _ in range(rng.integers(1, 5)):
        pieces[rng.integers(len(pieces))] = BITS[rng.integers(len(BITS))]
    encoding = ENCODINGS[rng.integers(len(ENCODINGS))]
    return joint.join(pieces).replace(",\n,", "\n").encode(encoding, errors="replace")


def malformed(rng):
    """Return the contents of a malformed upload."""
    kind = rng.choice(["mistyped", "damaged", "other", "image", "noise"], p=[0.45, 0.2, 0.2, 0.1, 0.05])
    if kind == "mistyped":
        return mistyped(rng, TABLES[rng.integers(len(TABLES))])
    if kind == "damaged":
        return damaged(rng, TABLES[rng.integers(len(TABLES))].encode())
    if kind == "other":
        others = (*OTHER_KINDS, archive())
        return others[rng.integers(len(others))]
    if kind == "image":
        return damaged(rng, image_of(rng, ("PNG", "JPEG", "BMP", "GIF")[rng.integers(4)]))
    return rng.bytes(rng.integers(1, 200))

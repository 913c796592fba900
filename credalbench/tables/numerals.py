"""Read numbers as people write them: decimal marks, thousands, signs, currencies, percent, units, limits."""

import re
from typing import NamedTuple

import numpy as np
import pandas as pd

#: Cells on which a reading is tried before all are read.
TRIED = 500
MINUS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u2010": "-", "\ufe63": "-", "\uff0d": "-"})
BLANKS = "\u00a0\u202f\u2009\u2007 "
GROUPS = re.compile(rf"(?<=\d)[{BLANKS}'\u2019](?=\d{{3}}(?!\d))")
CURRENCIES = "$€£¥₹₽₩₺₫₴₪฿₱¢"
CODES = "USD|EUR|GBP|JPY|CHF|CNY|INR|AUD|CAD|SEK|NOK|DKK|PLN|CZK|BRL|MXN|ZAR|NZD|Fr\\.|kr|zł|R\\$"
BEFORE = re.compile(rf"^(?P<sign>[-+]?)(?P<unit>[{CURRENCIES}]|(?:{CODES}))\s*(?=[-+(]?[\d.,])")
NUMERAL = r"[-+]?(?:\d[\d.,]*|[.,]\d+)(?:[eE][-+]?\d+)?"
AFTER = re.compile(rf"^(?P<number>{NUMERAL})\s*(?P<unit>[^\d\s.,;:+()_-][^\d\s,;:()]{{0,11}}[²³]?)$")
PARENTHESES = re.compile(r"^\((?P<number>[^()]*\d[^()]*)\)$")
LIMIT = re.compile(r"^(?P<sign><=|>=|[<>≤≥])\s*(?P<number>[\d.,]+(?:[eE][-+]?\d+)?)$")
#: What to take for a number below or above a limit of detection, such as ``<0.5``.
BEYOND = ("limit", "half", "missing")


class Numbers(NamedTuple):
    """Cells read as numbers."""

    values: pd.Series  # NaN where a cell is not a number
    decimal_comma: bool = False
    alternative: str = ""  # another possible reading of commas or points
    unit: str = ""  # of all numbers: percent sign, currency or another
    thousands: bool = False  # whether points between thousands were removed
    beyond: np.ndarray | None = None  # cells that are a limit, such as ``<0.5``


def parse_numbers(cells: pd.Series, decimal: str | None = None, beyond: str | None = None) -> Numbers:
    """Read cells as numbers, with one decimal mark and one unit."""
    if pd.api.types.is_numeric_dtype(cells):
        return Numbers(cells.astype(float))
    plain = pd.to_numeric(cells, errors="coerce").astype(float)
    if (plain.notna() | cells.isna()).all() and decimal != ",":
        return _with_points(cells, plain) if decimal is None else Numbers(plain)
    texts, unit = _without_marks(cells)
    limits = None
    if texts is not cells:
        signs = texts.str.extract(LIMIT)
        if 0 < signs["number"].notna().sum() <= 0.5 * cells.notna().sum():
            limits = signs["sign"].notna().to_numpy()
            texts = texts.where(signs["number"].isna(), signs["number"])
    found = _with_commas(texts, decimal)
    if limits is not None:
        below = (limits & signs["sign"].str.startswith(("<", "≤"), na=False)).to_numpy()
        factor = {"half": 0.5, "missing": np.nan}.get(beyond, 1.0)
        found = found._replace(values=found.values.mask(below, found.values * factor))
    return found._replace(unit=unit, beyond=limits)


def _without_marks(cells: pd.Series) -> tuple[pd.Series, str]:
    """Return cells without signs that surround a number, and the unit that all of them have.

    If the first cells do not become numbers, the cells are returned as they are.
    """
    known = cells.dropna()
    first = known.iloc[:TRIED]
    if not first.str.contains(r"\d").mean() > 0.5:
        return cells, ""
    bare = known.str.translate(MINUS).str.strip()
    inside = bare.str.extract(PARENTHESES)["number"]
    negative = inside.notna()
    bare = bare.where(~negative, inside)
    before = bare.str.extract(BEFORE)
    bare = bare.str.replace(BEFORE, lambda found: found["sign"], regex=True)
    bare = bare.str.replace(GROUPS, "", regex=True)
    after = bare.str.extract(AFTER)
    units = before["unit"].fillna(after["unit"])
    common = units.dropna().unique()
    enough = len(common) == 1 and units.notna().sum() > 0.5 * len(known)
    plain = pd.to_numeric(bare.str.replace(",", ".", regex=False), errors="coerce")
    enough &= bool((units.notna() | plain.notna()).mean() > 0.9)
    if enough and not before["unit"].notna().any():
        bare = bare.where(after["unit"].isna(), after["number"])
    elif len(common) > 1 or (len(common) == 1 and not enough):
        return cells, ""
    bare = bare.where(~negative, "-" + bare)
    bare = bare.reindex(cells.index).astype(object).where(cells.notna(), None)
    return bare, str(common[0]) if enough else ""


def _with_points(cells: pd.Series, plain: pd.Series) -> Numbers:
    """Read points as marks between thousands if all that occur are followed by three digits.

    This is likely only if other numbers below 1000 have no point: as decimals, some of them would have one.
    """
    first = cells.dropna().iloc[:TRIED]
    if not first.str.contains(".", regex=False).any() or (first.str.contains(".", regex=False)).all():
        return Numbers(plain)
    known = cells.dropna()
    grouped = known.str.fullmatch(r"[-+]?[1-9]\d{0,2}(\.\d{3})+").astype(bool)
    whole = known.str.fullmatch(r"[-+]?[1-9]\d{0,2}").astype(bool)
    zero = known.str.fullmatch(r"[-+]?0").astype(bool)
    if grouped.sum() < 2 or not whole.any() or not (grouped | whole | zero).all():
        return Numbers(plain)
    values = pd.to_numeric(cells.str.replace(".", "", regex=False), errors="coerce").astype(float)
    return Numbers(values, False, "decimal points", thousands=True)


def _with_commas(cells: pd.Series, decimal: str | None) -> Numbers:
    """Read numbers with decimal points or commas; the other mark may only separate thousands."""
    plain = pd.to_numeric(cells, errors="coerce").astype(float)
    if decimal is None and (plain.notna() | cells.isna()).all():
        return _with_points(cells, plain)
    commas = bool(cells.str.contains(",", regex=False, na=False).any())
    groups = not commas and cells.str.fullmatch(r"[-+]?[1-9]\d{0,2}(\.\d{3}){2,}", na=False).any()
    if groups and decimal is None:  # such as 1.024.311
        return Numbers(_with_mark(cells, ","), thousands=True)
    if not (decimal or commas):
        return Numbers(plain)
    read = {mark: _with_mark(cells, mark) for mark in ([decimal] if decimal else [",", "."])}
    mark = max(read, key=lambda mark: read[mark].notna().sum())  # a comma if both parse equally many cells
    either = decimal is None and (read[","].notna() & read["."].notna()).equals(cells.notna())
    alternative = "commas between thousands" if either and mark == "," else ""
    return Numbers(read[mark], mark == ",", alternative)


def _with_mark(cells: pd.Series, decimal: str) -> pd.Series:
    """Parse cells with a given decimal mark."""
    other = "." if decimal == "," else ","
    thousands = rf"[-+]?[1-9]\d{{0,2}}(\{other}\d{{3}})+(\{decimal}\d*)?"
    grouped = cells.str.fullmatch(thousands, na=False).astype(bool)
    texts = cells.where(~grouped, cells.str.replace(other, "", regex=False))
    if decimal == ",":
        texts = texts.str.translate(str.maketrans({".": "?", ",": "."}))
    return pd.to_numeric(texts, errors="coerce").astype(float)

"""What the columns of a table are taken for, and what has to be asked about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import pandas as pd

from credalbench.arguments import Choice, Instance, expect
from credalbench.tables.cells import first_few
from credalbench.tables.columns import Contents

ROLES = ("number", "category", "classes", "names", "left out")
#: What columns of a role are taken for, in words.
MEANT = {
    "number": "numbers",
    "category": "categories",
    "classes": "the true classes",
    "names": "the names of the objects",
}
#: What a column is taken for by what it holds, unless there is more to say.
USUAL = {
    "numbers": "number",
    "codes": "number",
    "words": "category",
    "names": "left out",
    "record numbers": "left out",
    "nearly unique words": "left out",
    "dates": "left out",
    "one value": "left out",
    "nothing": "left out",
    "numbers and words": "left out",
}
#: What may be asked of a column by what it holds: the roles that answer it.
ASKED = {
    "record numbers": ("names", "number", "left out"),
    "codes": ("classes", "category", "number"),
    "words": ("category", "classes"),
    "names": ("names", "left out", "category"),
    "nearly unique words": ("left out", "category"),
    "dates": ("left out", "number"),
}
#: What was found, in words, where it is asked about.
FOUND = {"codes": "few whole numbers", "names": "words that may be numbers with units"}
#: A column of one of these names holds the true classes, even if they are whole numbers.
CLASS_COLUMNS = ("class", "label", "labels", "target", "species", "cluster", "true_class")


@dataclass(frozen=True)
class Column:
    """What a column is taken for.

    Attributes
    ----------
    name : str
    holds : str
        What is in it: "numbers", "codes" (few whole numbers), "record numbers", "dates", "words", "names"
        (another word for each object), "nearly unique words", "numbers and words", "one value" or "nothing".
    role : {"number", "category", "classes", "names", "left out"}
    n_missing : int
        Objects without a value.
    """

    name: str
    holds: str
    role: str
    n_missing: int = 0


class UnknownColumn(ValueError):
    """Something was said of a column that the table does not have."""


@dataclass(frozen=True)
class Question:
    """What only the owner of a table knows.

    Attributes
    ----------
    about : {"kind", "header", "decimal mark", "columns", "missing values", "scale"}
    text : str
        What was found, and how it is taken until the question is answered.
    ways : tuple of dict
        The arguments of `read_user_table` that answer it, one way or another.
    blocking : bool
        Whether there is no reading until it is answered.
    """

    about: str
    text: str
    ways: tuple[dict[str, object], ...]
    blocking: bool = False

    @property
    def answers(self) -> tuple[str, ...]:
        """The arguments that answer it, as they are written in a call."""
        return tuple(", ".join(f"{name}={value!r}" for name, value in way.items()) for way in self.ways)

    def __str__(self) -> str:
        return f"{self.text}: {' or '.join(self.answers)}"


def expect_roles(columns: object, labels: Sequence[str]) -> dict[str, str]:
    """Return what was said of columns, by their names.

    Raises
    ------
    UnknownColumn
    ValueError
        No such role; several columns of names, or of classes.
    """
    Instance(Mapping, noun="roles by the names of columns").read("columns", columns)
    for label, role in columns.items():
        if label not in labels:
            close = get_close_matches(str(label), labels, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else f"; there are {first_few(labels)}"
            raise UnknownColumn(f"expected names of columns in columns, got {label!r}{hint}")
        Choice(*ROLES).read(f"columns[{label!r}]", role)
    for role in ("names", "classes"):
        several = [label for label in columns if columns[label] == role]
        expect(len(several) < 2, f"one column of {role}", several)
    return dict(columns)


def roles(found: Sequence[Contents], said: Mapping[str, str], named: bool = False) -> dict[str, str]:
    """What each column is taken for, by its name: as it was `said`, else by what it holds.

    Notes
    -----
    Names of the objects are the first column of words that all differ, else the first of record numbers,
    unless they are `named` already. Classes are the first column of a telling name (`CLASS_COLUMNS`), else
    the only column of words beside numbers, else the only column of codes, if it is the first or last one
    and some number has a fraction.
    """
    taken = {column.label: said.get(column.label, USUAL.get(column.holds, "number")) for column in found}
    free = [column for column in found if column.label not in said]
    if not named and "names" not in taken.values():
        names = [c for kind in ("names", "record numbers") for c in free if c.holds == kind]
        taken |= {column.label: "names" for column in names[:1]}
    if "classes" not in taken.values() and (classes := _class_column(found, free)) is not None:
        taken[classes] = "classes"
    return taken


def _class_column(found: Sequence[Contents], free: Sequence[Contents]) -> str | None:
    for column in free:
        if is_class_column(column.label) and _may_be_classes(column):
            return column.label
    words = [column for column in found if column.holds == "words"]
    codes = [column for column in found if column.holds == "codes"]
    numbers = [column for column in found if column.holds == "numbers"]
    if len(words) == 1 and numbers and words[0] in free:
        return words[0].label
    alone = len(codes) == 1 and numbers and not words and codes[0] in free
    if alone and codes[0] in (found[0], found[-1]) and not all(map(_whole, numbers)):
        return codes[0].label
    return None


def is_class_column(label: str) -> bool:
    """Whether a column of this name holds true classes."""
    return label.strip().lower() in CLASS_COLUMNS


def _may_be_classes(column: Contents) -> bool:
    return column.holds in ("words", "codes", "nearly unique words", "numbers and words", "one value") or (
        column.holds == "numbers" and _whole(column)
    )


def _whole(column: Contents) -> bool:
    known = column.values.dropna()
    return pd.api.types.is_numeric_dtype(known) and bool((known % 1 == 0).all())


def questions_about(
    found: Sequence[Contents], taken: Mapping[str, str], said: Mapping[str, str]
) -> list[Question]:
    """What is to be asked of the columns that nothing was said of; one question for those alike."""
    groups = {}
    for column in found:
        if column.holds in ASKED and column.label not in said and not _is_clear(column, taken):
            groups.setdefault((column.holds, taken[column.label]), []).append(column.label)
    return [_question(holds, role, labels) for (holds, role), labels in groups.items()]


def _is_clear(column: Contents, taken: Mapping[str, str]) -> bool:
    if column.holds == "names":
        return not column.doubt
    return taken[column.label] == "classes" and is_class_column(column.label)


def _question(holds: str, role: str, labels: Sequence[str]) -> Question:
    several = len(labels) > 1
    columns, hold, are = ("columns", "hold", "are") if several else ("column", "holds", "is")
    taken = "left out" if role == "left out" else f"taken for {MEANT[role]}"
    kind = FOUND.get(holds, holds)
    others = [role, *(other for other in ASKED[holds] if other != role)]
    said = [
        dict.fromkeys(labels, role) | {label: other for label in _sharing(other, labels)} for other in others
    ]
    text = f"{columns} {first_few(labels)} {hold} {kind}, and {are} {taken}"
    return Question("columns", text, tuple({"columns": answer} for answer in said))


def _sharing(role: str, labels: Sequence[str]) -> Sequence[str]:
    """Which of several columns may have a role: all of them, or the last as one that does."""
    return labels[-1:] if role in ("names", "classes") else labels

"""Roles of the columns of a table, and the questions that they raise."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase

import pandas as pd

from credalbench.core.arguments import Choice, Instance, expect
from credalbench.tables.cells import first_few
from credalbench.tables.columns import ParsedColumn, is_identifier, numbers_rows

NUMERIC = ("number", "count")
ROLES = (*NUMERIC, "category", "classes", "names", "left out")
#: What a column is read as, by its role.
ROLE_NOUNS = {
    "number": "numbers",
    "count": "counts, by their square roots",
    "category": "categories",
    "classes": "true classes",
    "names": "names of the objects",
}
#: Default role by the content of a column; columns of other contents are left out.
DEFAULT_ROLES = {
    "numbers": "number",
    "counts": "count",
    "codes": "number",
    "ordered words": "number",
    "words": "category",
}
#: Possible roles by the content of a column, if the content is ambiguous.
ROLE_OPTIONS = {
    "record numbers": ("names", "left out", "number"),
    "identifiers": ("names", "left out", "number", "category"),
    "counts": ("count", "number"),
    "codes": ("number", "category", "classes"),
    "ordered words": ("number", "category"),
    "words": ("category", "classes"),
    "names": ("names", "left out", "category"),
    "nearly unique words": ("left out", "category"),
    "dates": ("left out", "number"),
}
#: Content of a column in a question, if other words are clearer.
CONTENT_NOUNS = {
    "counts": "skewed whole numbers",
    "codes": "few whole numbers",
    "names": "words that may be numbers with units",
    "ordered words": "answers in an order",
}
#: Names of columns that hold the true classes, even as whole numbers.
CLASS_COLUMN = re.compile(
    "class(es)?|labels?|target|species|clusters?|true[_ ](class|label)|ground[_ ]truth|variety|diagnosis|y"
)


@dataclass(frozen=True)
class Column:
    """A column of a user table: its content and its role.

    Parameters
    ----------
    name : str
        Name of the column.
    content : str
        Content: "numbers", "counts" (skewed whole numbers of at least 0), "codes" (few whole numbers),
        "record numbers", "identifiers", "dates", "words", "ordered words" (answers in a known order), "names"
        (a different word for each object), "nearly unique words", "numbers and words", "one value" or
        "nothing".
    role : {"number", "count", "category", "classes", "names", "left out"}
        Use of the column.
    n_missing : int, default=0
        Number of objects without a value.
    """

    name: str
    content: str
    role: str
    n_missing: int = 0


class UnknownColumn(ValueError):
    """Error for an argument that names a column which the table does not have."""


@dataclass(frozen=True)
class Question:
    """A question about a table that only the user can answer.

    Parameters
    ----------
    about : {"kind", "header", "decimal mark", "columns", "missing values", "scale", "limits"}
        Subject of the question.
    text : str
        What was found, and how it is read until the question is answered.
    options : tuple of dict
        Possible answers, each as arguments of `read_user_table`.
    blocking : bool, default=False
        Whether the data cannot be used before the question is answered.
    likely : dict, optional
        The answer to use if nobody is asked; None if no answer is a sensible default.
    """

    about: str
    text: str
    options: tuple[dict[str, object], ...]
    blocking: bool = False
    likely: dict[str, object] | None = None

    @property
    def answers(self) -> tuple[str, ...]:
        """The possible answers as Python code."""
        return tuple(", ".join(f"{name}={value!r}" for name, value in each.items()) for each in self.options)

    def __str__(self) -> str:
        return f"{self.text}: {' or '.join(self.answers)}"


#: The kind of the argument `columns`.
BY_NAME = Instance(Mapping, noun="roles by the names of columns")


def expect_roles(columns: object, labels: Sequence[str]) -> dict[str, str]:
    """Return the roles that were given, by the names of the columns.

    A name may be a pattern with ``*``, ``?`` and ``[...]``, as for file names. The name of a column takes
    precedence over a pattern, and a later pattern over an earlier one. The words of a scale in their order,
    such as "low < high", are a role, too.
    """
    BY_NAME.read("columns", columns)
    roles = {}
    for label, role in columns.items():
        matching = [one for one in labels if fnmatchcase(one, str(label)) and one not in columns]
        roles |= dict.fromkeys(matching if label not in labels else [label], role)
        if label not in labels and not matching:
            close = get_close_matches(str(label), labels, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else f"; the columns are {first_few(labels)}"
            raise UnknownColumn(f"expected names of columns in the argument columns; got {label!r}{hint}")
        expect_role(f"columns[{label!r}]", role)
    for role in ("names", "classes"):
        several = [label for label in roles if roles[label] == role]
        expect(len(several) < 2, f"one column of {role}", several)
    return roles


def expect_role(what: str, role: object) -> None:
    """Raise an error if `role` is not one of `ROLES` and not a scale such as "low < high"."""
    if not (isinstance(role, str) and "<" in role and all(step.strip() for step in role.split("<"))):
        Choice(*ROLES).read(what, role)


def assign_roles(
    parsed: Sequence[ParsedColumn], given: Mapping[str, str], named: bool = False
) -> dict[str, str]:
    """Return the role of each column by its name: the `given` one, or one that fits its content.

    Names of the objects are the first column of unique words, or the first one of identifiers or record
    numbers, unless the objects are `named` otherwise. Classes are the first column with a name of
    `CLASS_COLUMN`.
    """
    given = {label: "number" if "<" in role else role for label, role in given.items()}
    assigned = {c.label: given.get(c.label, DEFAULT_ROLES.get(c.content, "left out")) for c in parsed}
    free = [column for column in parsed if column.label not in given]
    if not named and "names" not in assigned.values():
        kinds = ("names", "identifiers", "record numbers")
        names = [c for content in kinds for c in free if c.content == content and _may_be_names(c)]
        assigned |= {column.label: "names" for column in names[:1]}
    if named or "names" in assigned.values():  # then sorted numbers are not numbers of the rows
        rest = [c for c in free if c.content == "record numbers" and assigned[c.label] == "left out"]
        assigned |= {column.label: "number" for column in rest if not numbers_rows(column.label)}
    if not {*assigned.values()} & {*NUMERIC, "category"}:
        rest = [c for c in free if c.content == "record numbers" and assigned[c.label] == "left out"]
        assigned |= {c.label: "number" for c in rest if not is_identifier(c.label, weak=True)}
    if "classes" not in assigned.values():
        classes = [c.label for c in free if is_class_column(c.label) and _may_be_classes(c)]
        assigned |= {label: "classes" for label in classes[:1]}
    return assigned


def _may_be_names(column: ParsedColumn) -> bool:
    return bool(column.values.is_unique and not column.missing.any())


def is_class_column(label: str) -> bool:
    """Return whether a column of this name holds true classes."""
    return CLASS_COLUMN.fullmatch(label.strip().lower()) is not None


def _may_be_classes(column: ParsedColumn) -> bool:
    words = ("words", "codes", "nearly unique words", "numbers and words", "one value", "ordered words")
    known = column.values.dropna()
    whole = column.content in ("numbers", "counts") and pd.api.types.is_numeric_dtype(known)
    if column.label.lower() == "y":  # also the name of a coordinate
        return column.content == "words"
    return column.content in words or (whole and bool((known % 1 == 0).all()))


def role_questions(
    parsed: Sequence[ParsedColumn], assigned: Mapping[str, str], given: Mapping[str, str]
) -> list[Question]:
    """Return questions about columns of ambiguous role; one for all columns of the same content and role."""
    groups = {}
    for column in parsed:
        if column.content in ROLE_OPTIONS and column.label not in given and not _is_clear(column, assigned):
            groups.setdefault((column.content, assigned[column.label]), []).append(column.label)
    return [_question(content, role, labels) for (content, role), labels in groups.items()]


def _is_clear(column: ParsedColumn, assigned: Mapping[str, str]) -> bool:
    role = assigned[column.label]
    if column.content == "names":
        return not column.alternative
    if column.content == "identifiers":
        return role == "names" and is_identifier(column.label)
    return role == "classes" and is_class_column(column.label)


def _question(content: str, role: str, labels: Sequence[str]) -> Question:
    several = len(labels) > 1
    columns, hold, are = ("columns", "hold", "are") if several else ("column", "holds", "is")
    use = "left out" if role == "left out" else f"read as {ROLE_NOUNS[role]}"
    options = [
        dict.fromkeys(labels, role)
        | dict.fromkeys(labels[-1:] if other in ("names", "classes") else labels, other)  # one has the role
        for other in (role, *(other for other in ROLE_OPTIONS[content] if other != role))
    ]
    text = f"{columns} {first_few(labels)} {hold} {CONTENT_NOUNS.get(content, content)} and {are} {use}"
    answers = tuple({"columns": option} for option in options)
    return Question("columns", text, answers, likely=answers[0])

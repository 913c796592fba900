"""Readings of a user table: the table, the questions about it and the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from credalbench.explore.sources.source import MAX_OBJECTS
from credalbench.tables import Question, UserTable
from credalbench.tables.roles import ROLE_NOUNS

#: Arguments stored in a saved state, which contains the decoded text of the table.
SAVED = (
    "columns",
    "missing",
    "na_values",
    "kind",
    "delimiter",
    "decimal",
    "header",
    "max_objects",
    "random_state",
)
#: Arguments whose values are merged.
MERGED = ("columns", "na_values")
#: Labels of answers, by argument and value.
LABELS = {
    ("missing", "rows"): "leave out these objects",
    ("missing", "columns"): "leave out these columns",
    ("missing", "impute"): "fill in the median or the most frequent category",
    ("missing", "skip"): "skip them in the dissimilarities",
    ("kind", "attributes"): "columns are attributes",
    ("kind", "dissimilarities"): "numbers are dissimilarities",
    ("header", True): "the first line has names",
    ("header", False): "the first line is an object",
    ("decimal", ","): "commas are decimal marks",
    ("decimal", "."): "commas separate thousands",
    ("standardize", True): "standardise attributes",
    ("standardize", False): "leave scales as they are",
}

Way = dict[str, object]


@dataclass(frozen=True, eq=False)
class Reading:
    """A table of the user, the questions about it and the answers.

    Attributes
    ----------
    table : UserTable
        The table as last read.
    read : callable
        Reads the table again: ``read(missing="rows", ...)``, with arguments of `read_user_table`.
    answers : tuple of (Question, dict or None)
        The questions so far with the chosen answers; None for open questions.
    arguments : dict
        Further arguments of `read`.
    """

    table: UserTable
    read: Callable[..., UserTable]
    answers: tuple[tuple[Question, Way | None], ...]
    arguments: Way = field(default_factory=dict)

    @classmethod
    def first(cls, read: Callable[..., UserTable], **arguments: object) -> Reading:
        """Read a table for the first time."""
        table = read(**arguments)
        return cls(table, read, tuple((question, None) for question in table.questions), arguments)

    @property
    def open(self) -> tuple[Question, ...]:
        """Questions without an answer."""
        return tuple(question for question, way in self.answers if way is None)

    @property
    def pending(self) -> bool:
        """Whether a question must be answered before the table can be used."""
        return any(question.blocking for question in self.open)

    def answered(self, question: Question, way: Way | None) -> Reading:
        """Read again with an answer to a question; None withdraws the answer."""
        key = key_of(question)
        answers = [(other, way if key_of(other) == key else old) for other, old in self._changed(way or {})]
        return self._again(answers, _without(self.arguments, way or {}))

    def extended(self, **arguments: object) -> Reading:
        """Read again with further arguments; roles of columns are merged."""
        return self._again(self._changed(arguments), together([self.arguments, arguments]))

    def _changed(self, latest: Way) -> list[tuple[Question, Way | None]]:
        """Return the answers, changed if they contradict the latest one."""
        return [(question, way and _with(way, latest)) for question, way in self.answers]

    def _again(self, answers: Iterable[tuple[Question, Way | None]], arguments: Way) -> Reading:
        closed = [(question, way) for question, way in answers if way is not None]
        table = self.read(**together([*(way for _, way in closed), arguments]))
        known = {key_of(question) for question, _ in closed}
        new = [(question, None) for question in table.questions if key_of(question) not in known]
        return replace(self, table=table, answers=(*closed, *new), arguments=arguments)

    def scaled(self, standardize: bool) -> Reading:
        """Return the reading with the question about scales answered, if any, without reading again."""
        way = {"standardize": standardize}
        answers = [(question, way if question.about == "scale" else old) for question, old in self.answers]
        return replace(self, answers=tuple(answers))

    @property
    def is_sample(self) -> bool:
        """Whether the objects are a random sample of the table."""
        return self.table.n_rows > (self.table.arguments.get("max_objects") or MAX_OBJECTS)

    @property
    def saved(self) -> Way:
        """The arguments for a saved state, as JSON values."""
        arguments = {name: self.table.arguments.get(name) for name in SAVED}
        plain = {
            name: list(value) if isinstance(value, tuple) else value for name, value in arguments.items()
        }
        usual = {"max_objects": MAX_OBJECTS}
        return {
            name: value
            for name, value in plain.items()
            if (value or value is False) and value != usual.get(name)
        }


def key_of(question: Question) -> tuple:
    """Return a key of a question that does not depend on numbers in its text."""
    way = question.options[0]
    return (question.about, *sorted(way), *sorted(way.get("columns", ())))


def together(ways: Iterable[Mapping[str, object]]) -> Way:
    """Return the merged arguments of several answers, except for scales, which are a parameter."""
    arguments: Way = {}
    for way in ways:
        for name, value in way.items():
            if name == "columns":
                value = {**arguments.get(name, {}), **value}
            elif name == "na_values":
                value = tuple(dict.fromkeys([*arguments.get(name, ()), *value]))
            arguments[name] = value
    arguments.pop("standardize", None)
    return arguments


def _with(way: Way, latest: Way) -> Way:
    """Return an answer, with the values of the latest answer for the arguments that both set."""
    changed = way | {name: latest[name] for name in way if name in latest and name not in MERGED}
    if "columns" in way:
        roles = latest.get("columns", {})
        changed["columns"] = {label: roles.get(label, role) for label, role in way["columns"].items()}
    return changed


def _without(arguments: Way, latest: Way) -> Way:
    """Return the arguments that the latest answer does not set."""
    others = {name: value for name, value in arguments.items() if name not in latest or name in MERGED}
    if "columns" in others:
        roles = latest.get("columns", {})
        others["columns"] = {label: role for label, role in others["columns"].items() if label not in roles}
    return others


def answer_label(way: Mapping[str, object]) -> str:
    """Return the label of an answer."""
    return "; ".join(_label(name, value) for name, value in way.items())


def _label(name: str, value: object) -> str:
    if name == "na_values":
        return f"missing values: {', '.join(map(str, value))}"
    if name != "columns":
        return LABELS[name, value]
    roles = {}
    for label, role in value.items():
        roles.setdefault(role, []).append(label)
    return ", ".join(f"{'/'.join(labels)}: {ROLE_NOUNS.get(role, role)}" for role, labels in roles.items())

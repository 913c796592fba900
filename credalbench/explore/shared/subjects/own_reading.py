"""An own table as it was read, with what is asked about it and what was answered: it knows no widget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from credalbench.explore.shared.subjects.limits import MAX_OBJECTS
from credalbench.tables import Question, UserTable
from credalbench.tables.roles import ROLE_NOUNS

#: Arguments that a saved state keeps beside the text of a table; that text has no encoding any more.
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
#: Answers in words, by argument and value.
WORDS = {
    ("missing", "rows"): "leave out these objects",
    ("missing", "columns"): "leave out these columns",
    ("missing", "impute"): "put in the median, or the commonest category",
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
class OwnReading:
    """A table and the dialogue about it.

    Attributes
    ----------
    own : UserTable
        As it was read last.
    read : callable
        Reads it again: ``read(missing="rows", ...)``, with arguments of `read_user_table`.
    answers : tuple of (Question, dict or None)
        What was asked so far, with the way that was chosen; None where it is open.
    said : dict
        Arguments that nobody asked for.
    """

    own: UserTable
    read: Callable[..., UserTable]
    answers: tuple[tuple[Question, Way | None], ...]
    said: Way = field(default_factory=dict)

    @classmethod
    def begun(cls, read: Callable[..., UserTable], **said: object) -> OwnReading:
        """Read a table for the first time."""
        own = read(**said)
        return cls(own, read, tuple((question, None) for question in own.questions), said)

    @property
    def open(self) -> tuple[Question, ...]:
        """Questions that wait for an answer."""
        return tuple(question for question, way in self.answers if way is None)

    @property
    def pending(self) -> bool:
        """Whether there is no reading before a question is answered."""
        return any(question.blocking for question in self.open)

    def answered(self, question: Question, way: Way | None) -> OwnReading:
        """Read once more with a question answered in one of its ways, or open again for None."""
        asked = [(other, way if key_of(other) == key_of(question) else old) for other, old in self.answers]
        return self._again(asked, self.said)

    def told(self, **said: object) -> OwnReading:
        """Read once more with arguments beside the answers; roles of columns are added to those before."""
        return self._again(self.answers, together([self.said, said]))

    def _again(self, asked: Iterable[tuple[Question, Way | None]], said: Way) -> OwnReading:
        kept = [(question, way) for question, way in asked if way is not None]
        own = self.read(**together([*(way for _, way in kept), said]))
        known = {key_of(question) for question, _ in kept}
        new = [(question, None) for question in own.questions if key_of(question) not in known]
        return replace(self, own=own, answers=(*kept, *new), said=said)

    def scaled(self, standardize: bool) -> OwnReading:
        """The same with the question about scales answered, if there is one: nothing is read for that."""
        way = {"standardize": standardize}
        asked = [(question, way if question.about == "scale" else old) for question, old in self.answers]
        return replace(self, answers=tuple(asked))

    @property
    def is_drawn(self) -> bool:
        """Whether the objects are some of those of the table, drawn by chance."""
        return self.own.n_rows > (self.own.arguments.get("max_objects") or MAX_OBJECTS)

    @property
    def saved(self) -> Way:
        """What a saved state needs beside the text of the table, as values of JSON."""
        told = {name: self.own.arguments.get(name) for name in SAVED}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()}
        usual = {"max_objects": MAX_OBJECTS}
        return {
            name: value
            for name, value in plain.items()
            if (value or value is False) and value != usual.get(name)
        }


def key_of(question: Question) -> tuple:
    """What makes two questions the same one, whatever numbers are in their texts."""
    way = question.options[0]
    return (question.about, *sorted(way), *sorted(way.get("columns", ())))


def together(ways: Iterable[Mapping[str, object]]) -> Way:
    """Arguments of several answers as those of one call; scales are a parameter of the explorers."""
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


def words_of(way: Mapping[str, object]) -> str:
    """Return an answer in words."""
    return "; ".join(_words(name, value) for name, value in way.items())


def _words(name: str, value: object) -> str:
    if name == "na_values":
        return f"missing values: {', '.join(map(str, value))}"
    if name != "columns":
        return WORDS[name, value]
    roles = {}
    for label, role in value.items():
        roles.setdefault(role, []).append(label)
    return ", ".join(f"{'/'.join(labels)}: {ROLE_NOUNS.get(role, role)}" for role, labels in roles.items())

"""User tables that are read again with each answer to a question: readings, and their source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import traitlets as t

from credalbench.core.arguments import Count
from credalbench.explore.program import Program, literal
from credalbench.explore.sources import MAX_OBJECTS, Source, Subject, expect_few_bytes
from credalbench.tables import Question, UserTable, answer_questions
from credalbench.tables.roles import ROLE_NOUNS

if TYPE_CHECKING:
    from credalbench.explore.model import ExplorerModel

# -- readings ------------------------------------------------------------------------------------------


#: Arguments stored in a saved state, which contains the decoded text of the table.
SAVED = ("columns", "missing", "na_values", "kind", "delimiter", "decimal", "header")
SAVED += ("max_objects", "random_state")
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
        if arguments["max_objects"] == MAX_OBJECTS:
            del arguments["max_objects"]
        given = {name: value for name, value in arguments.items() if value or value is False}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}


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


# -- the source ----------------------------------------------------------------------------------------


class UserTableSource(Source):
    """A `Source` that reads user tables, and reads the last one again when a question is answered.

    Attributes
    ----------
    reading : Reading or None
        The last reading, shown or waiting for an answer.
    """

    #: Reads a file, its bytes, or a data frame: ``read(source, name, **arguments)``.
    read: Callable[..., UserTable]
    #: Returns a user table as a subject; raises a ValueError if a question has to be answered first.
    from_table: Callable[[UserTable], Subject]
    #: Return an array, or a `Dataset`, as a subject.
    from_array: Callable[[object], Subject]
    from_dataset: Callable[[object], Subject]

    reading = t.Instance(Reading, allow_none=True)

    def __init__(self, model: ExplorerModel) -> None:
        super().__init__(model)
        self._used: tuple[str, Reading] | None = None  # name of the data and reading that were shown last

    def limited(self, reading: Reading) -> Reading:
        """Return a reading of at most as many objects as the explorer can show."""
        return reading

    def ways(self, question: Question) -> tuple[Way, ...]:
        """Return the answers to a question that the explorer can use."""
        return question.options

    # -- data as subjects -------------------------------------------------------------------------------

    def from_data(self, data: object) -> Subject:
        if isinstance(data, UserTable):
            many = data.n_objects > MAX_OBJECTS and data.source is not None
            return self._start(partial(_read_again, data), **({"max_objects": MAX_OBJECTS} if many else {}))
        if isinstance(data, pd.DataFrame):
            return self._start(partial(self.read, data, None))
        return self.from_dataset(data) if hasattr(data, "n_objects") else self.from_array(data)

    def from_file(self, source: str | Path | bytes, name: str | None) -> Subject:
        expect_few_bytes(source, name)
        return self._start(partial(self.read, source, name))

    def from_text(self, text: str, name: str, answers: Mapping[str, object]) -> Subject:
        Count(3, MAX_OBJECTS).read("max_objects", answers.get("max_objects", MAX_OBJECTS))
        return self._start(partial(self.read, text.encode(), name), **answers)

    def _start(self, read: Callable[..., UserTable], **arguments: object) -> Subject:
        """Read another table, and return it as a subject."""
        table = read(**arguments)
        asked = tuple((question, None) for question in table.questions)
        return self._use(Reading(table, read, asked, arguments))

    def _use(self, reading: Reading) -> Subject:
        """Return a reading as a subject; if it is refused, restore the last reading."""
        reading = self.limited(reading)
        before, self.reading = self.reading, reading
        try:
            subject = self.accept(self.from_table(reading.table))
        except Exception:
            if not reading.pending:
                self.reading = before
            raise
        self._used = subject.name, reading
        return subject

    @property
    def used(self) -> Reading | None:
        """The reading of the data that are shown, if they are a user table."""
        name, reading = self._used or ("", None)
        return reading if name == self.model.data else None

    def state(self) -> dict[str, object]:
        saved = super().state()
        if saved and self.used is not None and self.used.saved:
            saved["answers"] = self.used.saved
        return saved

    # -- answers ----------------------------------------------------------------------------------------

    def answer(self, **arguments: object) -> None:
        """Read the table again with further arguments of `read_user_table`, and fit."""
        self._read_again(lambda reading: reading.extended(**arguments))

    def answer_question(self, question: Question, way: Mapping[str, object] | None) -> None:
        """Answer a question, or withdraw the answer with None; read again and fit.

        The answer about scales sets the parameter `standardize` of the model without reading again.
        """
        if question.about == "scale" and way is not None and self.reading is not None:
            self.scale(way["standardize"])
            self.model.standardize = way["standardize"]
        else:
            self._read_again(lambda reading: reading.answered(question, way))

    def scale(self, standardize: bool) -> None:
        """Use the parameter `standardize` of the model as the answer to the question about scales."""
        if self.reading is not None:
            self.reading = self.reading.scaled(standardize)

    def _read_again(self, change: Callable[[Reading], Reading]) -> None:
        def action() -> None:
            if self.reading is None:
                raise ValueError("there is no user table with open questions")
            self.model.show_subject(self._use(change(self.reading)))

        self.model.guarded(action)

    # -- code -------------------------------------------------------------------------------------------

    def write_reading(self, program: Program, module: str, read: str) -> bool:
        """Write code that reads the table as `own`; return False if the data are not a user table."""
        reading = self.used
        if reading is None or self.model.data not in self.own:
            return False
        source = reading.table.source
        path = literal(str(source) if isinstance(source, str | Path) else self.model.data)
        if isinstance(source, pd.DataFrame):
            path = "frame"
            program.add("# frame: the data frame that the explorer was given.")
        elif isinstance(source, bytes):
            program.add("# The path of your table, without its folder.")
        many = {"max_objects": MAX_OBJECTS} if reading.table.n_rows > MAX_OBJECTS else {}
        arguments = [f"{key}={literal(value)}" for key, value in (many | reading.saved).items()]
        program.use(module, read)
        program.add_call(f"own = {read}(", [path, *arguments])
        return True


def _read_again(table: UserTable, **arguments: object) -> UserTable:
    """Return the table, read again if there are arguments."""
    return answer_questions(table, **arguments) if arguments else table

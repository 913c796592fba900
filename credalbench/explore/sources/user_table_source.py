"""The source of user tables, which are read again with each answer to a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import traitlets as t

from credalbench.core.arguments import Count
from credalbench.explore.program import Program, literal
from credalbench.explore.sources import Subject
from credalbench.explore.sources.reading import Reading, Way
from credalbench.explore.sources.source import MAX_OBJECTS, Source, expect_few_bytes
from credalbench.tables import Question, UserTable, answer_questions

if TYPE_CHECKING:
    from credalbench.explore.model import ExplorerModel


class UserTableSource(Source):
    """A `Source` that reads user tables.

    Attributes
    ----------
    user_table : UserTableReader
    """

    def __init__(self, model: ExplorerModel) -> None:
        super().__init__(model)
        self.user_table = UserTableReader(self)

    def read(self, source: object, name: str | None, **arguments: object) -> UserTable:
        """Read a file, its bytes, or a data frame."""
        raise NotImplementedError

    def from_table(self, table: UserTable) -> Subject:
        """Return a user table as a subject; raise a ValueError if a question has to be answered first."""
        raise NotImplementedError

    def from_array(self, data: object) -> Subject:
        """Return an array as a subject."""
        raise NotImplementedError

    def from_dataset(self, data: object) -> Subject:
        """Return a `Dataset` as a subject."""
        raise NotImplementedError

    def limited(self, reading: Reading) -> Reading:
        """Return a reading of at most as many objects as the explorer can show."""
        return reading

    def ways(self, question: Question) -> tuple[Way, ...]:
        """Return the answers to a question that the explorer can use."""
        return question.options

    def from_data(self, data: object) -> Subject:
        if isinstance(data, UserTable):
            return self.user_table.take(data)
        if isinstance(data, pd.DataFrame):
            return self.user_table.start(partial(self.read, data, None))
        return self.from_dataset(data) if hasattr(data, "n_objects") else self.from_array(data)

    def from_file(self, source: str | Path | bytes, name: str | None) -> Subject:
        expect_few_bytes(source, name)
        return self.user_table.start(partial(self.read, source, name))

    def from_text(self, text: str, name: str, answers: Mapping[str, object]) -> Subject:
        Count(3, MAX_OBJECTS).read("max_objects", answers.get("max_objects", MAX_OBJECTS))
        return self.user_table.start(partial(self.read, text.encode(), name), **answers)

    def state(self) -> dict[str, object]:
        saved, used = super().state(), self.user_table.used
        if "own" in saved and used is not None and used.saved:
            saved["answers"] = used.saved
        return saved


class UserTableReader(t.HasTraits):
    """The last user table, which is read again when a question is answered.

    Parameters
    ----------
    source : UserTableSource

    Attributes
    ----------
    reading : Reading or None
        The last reading, shown or waiting for an answer.
    """

    reading = t.Instance(Reading, allow_none=True)

    def __init__(self, source: UserTableSource) -> None:
        super().__init__()
        self.source, self.model = source, source.model
        self._used: tuple[str, Reading] | None = None  # name of the data and reading that were shown last

    @property
    def used(self) -> Reading | None:
        """The reading of the data that are shown, if they are a user table."""
        name, reading = self._used or ("", None)
        return reading if name == self.model.data else None

    def take(self, table: UserTable) -> Subject:
        """Return a table that is already read as a subject, sampled if it is too large."""
        many = table.n_objects > MAX_OBJECTS and table.source is not None
        return self.start(partial(_read_again, table), **({"max_objects": MAX_OBJECTS} if many else {}))

    def start(self, read: Callable[..., UserTable], **arguments: object) -> Subject:
        """Read another table, and return it as a subject."""
        return self._use(Reading.first(read, **arguments))

    def _use(self, reading: Reading) -> Subject:
        """Return a reading as a subject; if it is refused, restore the last reading."""
        reading = self.source.limited(reading)
        before, self.reading = self.reading, reading
        try:
            subject = self.source.accept(self.source.from_table(reading.table))
        except Exception:
            if not reading.pending:
                self.reading = before
            raise
        self._used = subject.name, reading
        return subject

    # -- answers ----------------------------------------------------------------------------------------

    def ways(self, question: Question) -> tuple[Way, ...]:
        """Return the answers to a question that the explorer can use."""
        return self.source.ways(question)

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

    def write(self, program: Program, module: str, read: str) -> bool:
        """Write code that reads the table as `own`; return False if the data are not a user table."""
        reading = self.used
        if reading is None or self.model.data not in self.source.own:
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

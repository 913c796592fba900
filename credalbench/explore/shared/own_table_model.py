"""Models of explorers whose own data are tables: what was read, and answers to what is asked about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pandas as pd
import traitlets as t

from credalbench.explore.shared.clustering_model import ClusteringModel
from credalbench.explore.shared.program import Program, literal
from credalbench.explore.shared.subjects import Subject
from credalbench.explore.shared.subjects.limits import MAX_OBJECTS, expect_few_bytes
from credalbench.explore.shared.subjects.own_reading import OwnReading, Way
from credalbench.tables import Question, UserTable, answer_questions


class OwnTableModel(ClusteringModel):
    """A `ClusteringModel` that reads own tables, and again when a question about them is answered.

    Attributes
    ----------
    reading : OwnReading or None
        The last own table, whether it is shown or waits for an answer.
    """

    reading = t.Instance(OwnReading, allow_none=True)
    _restored: Way | None = None
    _used: tuple[str, OwnReading] | None = None  # the last one that was shown, by the name of its data

    # -- for the kind of data ---------------------------------------------------------------------------

    def _read(self, source: object, name: str | None, **arguments: object) -> UserTable:
        """Read a file, its bytes, or a data frame."""
        raise NotImplementedError

    def _of_own(self, own: UserTable) -> Subject:
        """Return an own table as a subject; raise where a question keeps it from being one."""
        raise NotImplementedError

    def ways(self, question: Question) -> tuple[Way, ...]:
        """Return the answers to a question that this explorer can do something with."""
        return question.options

    # -- reading ----------------------------------------------------------------------------------------

    def _of_file(self, source: str | Path | bytes, name: str | None) -> Subject:
        expect_few_bytes(source, name)
        return self._begun(partial(self._read, source, name))

    def _of_text(self, text: str, name: str) -> Subject:
        return self._begun(partial(self._read, text.encode(), name), **(self._restored or {}))

    def _of_own_table(self, own: UserTable) -> Subject:
        """Take a table that was read; of too many objects some are drawn."""
        said = {"max_objects": MAX_OBJECTS} if own.n_objects > MAX_OBJECTS and own.source is not None else {}
        return self._begun(partial(_once_more, own), **said)

    def _begun(self, read: Callable[..., UserTable], **said: object) -> Subject:
        return self._use(OwnReading.begun(read, **said))

    def _use(self, reading: OwnReading) -> Subject:
        """Make a subject of what was read; where that is refused, the last reading is shown again."""
        before, self.reading = self.reading, reading
        try:
            subject = self._accepted(self._of_own(reading.own))
        except Exception:
            if not reading.pending:
                self.reading = before
            raise
        self._used = subject.name, reading
        return subject

    # -- answers ----------------------------------------------------------------------------------------

    def answer(self, **arguments: object) -> None:
        """Read the own table again with these further arguments of `read_user_table`, and fit."""
        self._read_again(lambda reading: reading.told(**arguments))

    def answer_question(self, question: Question, way: Mapping[str, object] | None) -> None:
        """Answer a question in one of its ways, or take the answer back with None; read again and fit."""
        self._read_again(lambda reading: reading.answered(question, way))

    def _read_again(self, change: Callable[[OwnReading], OwnReading]) -> None:
        def action() -> None:
            if self.reading is None:
                raise ValueError("there is no own table that was asked about")
            self._show_own(self._use(change(self.reading)))

        self._guarded(action)

    # -- code -------------------------------------------------------------------------------------------

    def _write_own(self, program: Program, module: str, read: str) -> bool:
        """Write how the own table is read again, as `own`; False where it was no table that was read."""
        name, reading = self._used or ("", None)
        if name != self.data or self.data not in self._own:
            return False
        source = reading.own.source
        path = literal(str(source) if isinstance(source, str | Path) else name)
        if isinstance(source, pd.DataFrame):
            path = "frame"
            program.add("# frame: the data frame that the explorer was given.")
        elif isinstance(source, bytes):
            program.add("# The path of the own table: put this program beside it, or the folder before it.")
        many = {"max_objects": MAX_OBJECTS} if reading.own.n_rows > MAX_OBJECTS else {}
        arguments = [f"{key}={literal(value)}" for key, value in (many | reading.saved).items()]
        program.use(module, read)
        program.add_call(f"own = {read}(", [path, *arguments])
        return True

    # -- state ------------------------------------------------------------------------------------------

    def state(self) -> dict[str, object]:
        """Return the exploration as a dictionary of plain values (JSON), own data and answers included."""
        values = super().state()
        name, reading = self._used or ("", None)
        if "own" in values and name == self.data and reading.saved:
            values["answers"] = reading.saved
        return values

    def set_state(self, state: Mapping[str, object]) -> None:
        """Return to an exploration that `state()` described; what cannot be restored becomes `message`."""
        state = dict(state)
        self._restored = state.pop("answers", None)
        super().set_state(state)
        self._restored = None


def _once_more(own: UserTable, **arguments: object) -> UserTable:
    """The table itself, as long as nothing else is said of it."""
    return answer_questions(own, **arguments) if arguments else own

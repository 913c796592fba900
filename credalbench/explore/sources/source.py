"""Data sources: the data that a model can show, by name, from files and from Python objects."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from credalbench.explore.program import Program
from credalbench.explore.sources import Subject

if TYPE_CHECKING:
    from credalbench.explore.model import ExplorerModel


class Source:
    """The data of one kind that a model can show.

    Attributes
    ----------
    model : ExplorerModel
    own : dict of str -> Subject
        The most recent data that are not a named data set, by name.
    loaded : str
        Name of the data that are shown.
    """

    #: Label and tooltip of the button for user files, and the accepted file types.
    FILES = ("your file", "", "")

    def __init__(self, model: ExplorerModel) -> None:
        self.model = model
        self.own: dict[str, Subject] = {}
        self.loaded = ""

    # -- for the kind of data ---------------------------------------------------------------------------

    def names(self) -> Mapping[str, str]:
        """Return the labels of the named data sets, by name."""
        raise NotImplementedError

    def named(self, name: str) -> Subject:
        """Return a data set by name."""
        raise NotImplementedError

    def from_data(self, data: object) -> Subject:
        """Return a `Dataset`, a user table, a frame or an array as a subject."""
        raise NotImplementedError

    def from_file(self, source: str | Path | bytes, name: str | None) -> Subject:
        """Read a user file, given by its path or its bytes."""
        raise NotImplementedError

    def from_text(self, text: str, name: str, answers: Mapping[str, object]) -> Subject:
        """Return the subject with this `text`, read with the `answers` of the user."""
        raise NotImplementedError

    def write(self, program: Program) -> str:
        """Write code that loads the data; return their name in the program."""
        raise NotImplementedError

    def accept(self, subject: Subject) -> Subject:
        """Return the subject, or raise a ValueError if the explorer cannot show it."""
        return subject

    def prepare(self, subject: Subject) -> Subject:
        """Return the subject as used by the fit."""
        return subject

    # -- the data that are shown ------------------------------------------------------------------------

    def hold(self, subject: Subject) -> None:
        """Make a subject available by its name, replacing the last one."""
        self.own = {subject.name: self.accept(subject)}

    def subject(self, name: str) -> Subject:
        """Return the subject of a name: user data, or a named data set; a name is never read as a path."""
        return self.own[name] if name in self.own else self.accept(self.named(name))

    def state(self) -> dict[str, object]:
        """Return the user's data for a saved state."""
        own = self.own.get(self.model.data)
        return {} if own is None or own.text is None else {"own": own.text}

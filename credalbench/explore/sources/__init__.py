"""The sources of data: what a model can show, by name, from files and from Python objects.

The size of a user file is checked before the file is parsed or decoded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import traitlets as t

from credalbench.explore.program import Program
from credalbench.tables import Limits

if TYPE_CHECKING:
    from credalbench.explore.model import ExplorerModel

#: Name of a table of drawn points.
DRAWN = "drawn"
MAX_MEGABYTES = 64
#: An explorer refits while a slider moves.
MAX_OBJECTS = 5000
#: Limit for dissimilarities: all are in memory, and their map takes n³ steps.
MAX_COMPARED = 2500
#: Columns of a matrix of dissimilarities with a column of names.
MAX_COLUMNS = MAX_COMPARED + 1
MAX_CELL_LENGTH = 10_000
#: Names of columns and classes are shown at axes and in legends.
MAX_NAME_LENGTH = 100
LIMITS = Limits(MAX_COLUMNS, MAX_CELL_LENGTH, MAX_NAME_LENGTH)
#: Each pixel needs about 60 bytes until the image is shrunk.
MAX_PIXELS = 16_000_000

TABLE_HELP = (
    f"at most {MAX_MEGABYTES} MB, {MAX_COLUMNS} columns, {MAX_CELL_LENGTH} characters in a cell and "
    f"{MAX_NAME_LENGTH} in a name; if there are more than {MAX_OBJECTS} objects, or {MAX_COMPARED} with "
    "dissimilarities, a sample is drawn"
)
IMAGE_HELP = f"at most {MAX_MEGABYTES} MB and {MAX_PIXELS // 10**6} million pixels"


class Subject(Protocol):
    """Interface of all kinds of data.

    Attributes
    ----------
    name : str
    note : str
        Information about the data for the user, in one sentence.
    text : str or None
        The data as text, for a saved state; None if only the name can be saved.
    """

    name: str
    note: str
    text: str | None


def called(names: Sequence[str], i: int) -> str:
    """Return the name of the object in row i or, without names, its number, from 1 as in the papers."""
    return names[i] if names else f"object {i + 1}"


def expect_few_bytes(source: str | Path | bytes, name: str | None = None) -> None:
    """Raise a ValueError if a file is too large to be read; missing files pass.

    Parameters
    ----------
    source : path or bytes
        Path or contents of the file.
    name : str, optional
        Name of the data for the message; the name of the file by default.

    Raises
    ------
    ValueError
    """
    if isinstance(source, bytes | bytearray | memoryview):
        size, own = memoryview(source).nbytes, "your data"
    else:
        path = Path(source)
        size, own = path.stat().st_size if path.is_file() else 0, path.name
    if size > 1e6 * MAX_MEGABYTES:
        got = f"{size / 1e6:.1f} MB"
        raise ValueError(f"{name or own}: expected a file of at most {MAX_MEGABYTES} MB; got {got}")


class Source(t.HasTraits):
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
        super().__init__()
        self.model = model
        self.own: dict[str, Subject] = {}
        self.loaded = ""

    # -- for the kind of data ---------------------------------------------------------------------------

    def names(self) -> Mapping[str, str]:
        """Return the labels of the named data sets, by name."""
        raise NotImplementedError

    def label(self, name: str) -> str:
        """Return the label of data that are not in the list."""
        return name or "(none)"

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

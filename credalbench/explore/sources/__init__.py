"""The kinds of data that explorers look at, each prepared once and then kept."""

from typing import Protocol


class Subject(Protocol):
    """What every kind has."""

    @property
    def name(self) -> str:
        """What the data are called."""

    @property
    def note(self) -> str:
        """What a user should know about the data, in a sentence."""

    @property
    def text(self) -> str | None:
        """The data as text, for a saved state; None where only the name can be saved."""

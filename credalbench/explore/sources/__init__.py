"""The kinds of data of the explorers."""

from typing import Protocol


class Subject(Protocol):
    """Interface of all kinds of data."""

    @property
    def name(self) -> str:
        """Name of the data."""

    @property
    def note(self) -> str:
        """Information about the data for the user, in one sentence."""

    @property
    def text(self) -> str | None:
        """The data as text, for a saved state; None if only the name can be saved."""

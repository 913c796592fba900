"""What is reported of the progress while something is computed."""

from collections.abc import Callable

from credalbench.core.progress import Progress, listen


class NotedLevels(list):
    """The levels of a progress, whose words are noted each time that they change."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[str] = []

    def __setitem__(self, place: slice, words: list[str]) -> None:
        super().__setitem__(place, words)
        self.noted.append(", ".join(filter(None, self)))


def listened(compute: Callable[[], object]) -> tuple[object, list[str]]:
    """Return what is computed, and all progress texts reported meanwhile."""
    progress = Progress()
    progress.levels = levels = NotedLevels()
    with listen(progress):
        result = compute()
    assert progress.text() == ""  # all loops are left
    return result, levels.noted

"""Check that every printed result and every sentence of the papers has a verdict, and nothing else.

    python tools/completeness.py

Compares ``experiments/<paper>/reference`` with docs/REPRODUCTION.md in both directions, prints the
numbers, and names what is missing on either side; the exit code is then 1.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from credalbench.runner.reference import (  # noqa: E402
    SENTENCES,
    SETTING,
    read_sentences,
    read_values,
)
from credalbench.studies import headings  # noqa: E402


@dataclass(frozen=True)
class Rows:
    """What REPRODUCTION.md judges of one paper: (artefact, printed value), and sentences."""

    printed: Counter
    sentences: Counter


def judged(text: str) -> dict[str, Rows]:
    """Return what is judged of each paper, by its heading."""
    found: dict[str, Rows] = {}
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        heading, _, body = section.partition("\n")
        printed, sentences, last = Counter(), Counter(), None
        for artefact, row in _table_rows(body):
            if match := re.match(r"\| `([^`]+)` \|", row):
                value = artefact, match[1]
                printed[value] += value != last  # one number may be printed for several columns
                last = value
            elif artefact is None and (match := re.match(r"\| (S\d+) \|", row)):
                sentences[match[1]] += "| not judged |" not in row
        found[heading] = Rows(printed, sentences)
    return found


def _table_rows(body: str) -> Iterator[tuple[str | None, str]]:
    """Yield the rows of the tables with their artefact; None before the first."""
    artefact = None
    for line in body.splitlines():
        if match := re.match(r"`([^`]+)` · ", line):
            artefact = match[1]
        elif line.startswith("| "):
            yield artefact, line


def problems(paper: Path, rows: Rows) -> list[str]:
    """Return what is listed and not judged, judged twice, or judged and not listed."""
    listed = listed_values(paper)
    sentences = set(read_sentences(paper))
    return [
        *(f"{a} {q}: printed, not judged" for a, q in sorted(listed - set(rows.printed))),
        *(f"{a} {q}: judged, not on the list" for a, q in sorted(set(rows.printed) - listed)),
        *(f"{a} {q}: judged {n} times" for (a, q), n in sorted(rows.printed.items()) if n > 1),
        *(f"{s}: listed, not judged" for s in sorted(sentences) if not rows.sentences[s]),
        *(f"{s}: judged, not on the list" for s in sorted(set(rows.sentences) - sentences)),
    ]


def listed_values(paper: Path) -> set[tuple[str, str]]:
    """Return (artefact, quantity) of every printed result of a paper, without settings."""
    return {
        (value.artefact, value.quantity)
        for path in sorted((paper / "reference").glob("*.csv"))
        if path.stem != SENTENCES
        for value in read_values(path).values()
        if value.relation != SETTING
    }


def main() -> int:
    """Print the numbers and the problems; return 1 if there are any."""
    found, failed = judged((ROOT / "docs" / "REPRODUCTION.md").read_text("utf-8")), False
    for key, heading in headings().items():
        rows = found.get(heading, Rows(Counter(), Counter()))
        print(f"{heading}: {len(rows.printed)} printed results and {len(rows.sentences)} sentences judged")
        for problem in problems(ROOT / "experiments" / key, rows):
            failed = True
            print(f"  {problem}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

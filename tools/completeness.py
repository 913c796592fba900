"""Check that every printed result and every sentence of the papers has a verdict, and nothing else.

    python tools/completeness.py

Compares ``experiments/<paper>/reference`` with docs/reproduction/<paper>.csv in both directions, prints the
numbers, and names what is missing on either side, and each claim that is not reproduced and names no cause;
the exit code is then 1.
"""

import csv
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from credalbench.papers.paper_pages import CLAIM, RESULT, SENTENCE  # noqa: E402
from credalbench.papers.reasons import CAUSES  # noqa: E402
from credalbench.papers.reference import (  # noqa: E402
    SENTENCES,
    SETTING,
    read_sentences,
    read_values,
)
from credalbench.papers.studies import headings  # noqa: E402
from credalbench.papers.verdicts import NOT_REPRODUCED  # noqa: E402

LISTS = ROOT / "docs" / "reproduction"


@dataclass(frozen=True)
class Rows:
    """What a list judges: (artefact, printed value), sentences, and differences without a cause."""

    printed: Counter
    sentences: Counter
    without_cause: list[str]


def judged(path: Path) -> Rows:
    """Read the list of a paper."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    not_reproduced = [row for row in rows if row["verdict"] == NOT_REPRODUCED]
    return Rows(
        Counter((row["artefact"], row["item"]) for row in rows if row["kind"] == RESULT),
        Counter(r["item"] for r in rows if r["kind"] == SENTENCE and r["verdict"] != "not judged"),
        [
            f"{row['artefact']}: {row['item']}"
            for row in not_reproduced
            if row["kind"] == CLAIM and row["cause"] not in CAUSES
        ],
    )


def problems(paper: Path, rows: Rows) -> list[str]:
    """Return what is listed and not judged, judged twice, or judged and not listed; and missing causes."""
    listed = listed_values(paper)
    sentences = set(read_sentences(paper))
    return [
        *(f"{a} {q}: printed, not judged" for a, q in sorted(listed - set(rows.printed))),
        *(f"{a} {q}: judged, not on the list" for a, q in sorted(set(rows.printed) - listed)),
        *(f"{a} {q}: judged {n} times" for (a, q), n in sorted(rows.printed.items()) if n > 1),
        *(f"{s}: listed, not judged" for s in sorted(sentences) if not rows.sentences[s]),
        *(f"{s}: judged, not on the list" for s in sorted(set(rows.sentences) - sentences)),
        *(f"{claim}: not reproduced, and names no cause" for claim in rows.without_cause),
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
    failed = False
    for key, heading in headings().items():
        path = LISTS / f"{key}.csv"
        if not path.is_file():
            print(f"{heading}: no {path.relative_to(ROOT)}; credalbench site --reproduction writes it")
            failed = True
            continue
        rows = judged(path)
        print(f"{heading}: {len(rows.printed)} printed results and {len(rows.sentences)} sentences judged")
        for problem in problems(ROOT / "experiments" / key, rows):
            failed = True
            print(f"  {problem}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

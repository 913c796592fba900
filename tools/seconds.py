"""Write how long the cases of each study take, for the time left that `credalbench run` prints.

    python -P tools/seconds.py

Writes ``credalbench/papers/seconds.csv`` from the store: seconds of one process, in both profiles. A study
that is not stored keeps its numbers.
"""

import csv
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from credalbench.papers import PROFILES, load_study  # noqa: E402
from credalbench.papers.studies import discover  # noqa: E402

FILE = ROOT / "credalbench" / "papers" / "seconds.csv"


def main() -> None:
    """Write the file."""
    with FILE.open(encoding="utf-8", newline="") as file:
        known = {row["study"]: row for row in csv.DictReader(file)}
    rows = []
    for experiment in (study for studies in discover().values() for study in studies.values()):
        row = known.get(experiment.name, {})
        found = {profile: load_study(experiment, profile=profile) for profile in PROFILES}
        seconds = {p: f"{r.folder.status['seconds']:.1f}" if r else row.get(p, "") for p, r in found.items()}
        rows.append({"study": experiment.name, **seconds})
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["study", *PROFILES], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()

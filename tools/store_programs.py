"""Keep the last run of the study ``authors_programs`` that had R, for machines that have none.

    python tools/store_programs.py

Reads the stored result of the paper profile and writes
``experiments/denoeux2016_evclus/reference/stored/authors_programs.csv``: the runs of both programs, with the
date, the kind of machine and the versions.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from credalbench.runner import load_study  # noqa: E402
from credalbench.studies import get_study  # noqa: E402

STUDY = "denoeux2016_evclus/authors_programs"
DIGITS = {"time_s": 4, "ari": 4}
COLUMNS = (
    "part",
    "n",
    "dataset",
    "program",
    "method",
    "time_s",
    "peak_bytes",
    "ari",
    "n_clusters",
    "version",
)


def main() -> int:
    """Write the file; 1 where there is no complete result."""
    result = load_study(get_study(STUDY))
    if result is None or len(result.failures):
        print(f"no complete result: run `credalbench run {STUDY}` where R has evclust", file=sys.stderr)
        return 1
    runs = result.tables["runs"][list(COLUMNS)].round(DIGITS)
    runs["peak_bytes"] = runs["peak_bytes"].round(-5).astype("Int64")
    runs = runs.assign(date=result.provenance["date"][:10], platform=result.provenance["platform"])
    path = ROOT / "experiments" / Path(STUDY).parent / "reference" / "stored" / f"{Path(STUDY).name}.csv"
    path.parent.mkdir(exist_ok=True)
    runs.to_csv(path, index=False, lineterminator="\n")
    print(f"{path.relative_to(ROOT)}: {len(runs)} runs of {runs['date'].iloc[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

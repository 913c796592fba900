"""Keep the last runs of the authors' programs in R, for machines that have none.

    python tools/store_programs.py [PAPER/STUDY ...]

Reads the stored results of the paper profile, by default of every study below, and writes
``experiments/<paper>/reference/stored/<study>.csv``: the runs, with the date, the kind of machine and the
versions. What R could not run is not written.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from credalbench.runner import load_study  # noqa: E402
from credalbench.studies import get_study  # noqa: E402

RUN = ("part", "n", "dataset", "program", "method", "time_s", "peak_bytes", "ari", "n_clusters", "version")
FIT = ("dataset", "method", "repetition", "c", "status", "reason", "index", "chosen", "model")
FIT += ("purity", "nmi", "ari", "time_s", "version")
CECM = ("part", "dataset", "metric", "n_constraints", "repetition", "xi", "program", "ri", "n_iter", "time_s")
CECM += ("version",)
#: Study -> its table, and the columns that are kept.
STUDIES = {
    "denoeux2016_evclus/authors_programs": ("runs", RUN),
    "jiao2022_egmm/real_data": ("fits", FIT),
    "antoine2012_cecm/authors_program": ("runs", CECM),
}
DIGITS = {"ri": 4, "time_s": 4, "ari": 4, "nmi": 4, "purity": 4, "index": 2}


def main(names: Sequence[str] = ()) -> int:
    """Write the files; 1 where a study has no complete result."""
    stored = [store(name) for name in names or STUDIES]
    return 0 if all(stored) else 1


def store(name: str) -> bool:
    """Write the file of one study; return whether there is a complete result."""
    result = load_study(get_study(name))
    if result is None or len(result.failures):
        print(f"no complete result: run `credalbench run {name}` where R has evclust", file=sys.stderr)
        return False
    runs = runs_in_r(result.tables, *STUDIES[name])
    runs = runs.assign(date=result.provenance["date"][:10], platform=result.provenance["platform"])
    path = ROOT / "experiments" / Path(name).parent / "reference" / "stored" / f"{Path(name).name}.csv"
    path.parent.mkdir(exist_ok=True)
    runs.to_csv(path, index=False, lineterminator="\n")
    print(f"{path.relative_to(ROOT)}: {len(runs)} runs of {runs['date'].iloc[0]}")
    return True


def runs_in_r(tables: dict[str, pd.DataFrame], name: str, columns: tuple[str, ...]) -> pd.DataFrame:
    """Return the runs of a table in short numbers: those of R, and of ours where they are its pairs."""
    runs = tables[name]
    if "program" not in runs:
        runs = runs[runs["version"].notna()]
    runs = runs[list(columns)].round(DIGITS)
    if "peak_bytes" in runs:
        runs["peak_bytes"] = runs["peak_bytes"].round(-5).astype("Int64")
    return runs


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

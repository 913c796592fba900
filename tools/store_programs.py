"""Run the authors' programs in R and store what they give, for machines that have none, or little time.

    python tools/store_programs.py [PAPER/STUDY ...] [--again]

Writes ``experiments/<paper>/reference/stored/<study>.csv``, by default of every study below: the runs, with
the date, the kind of machine and the versions. Runs that are stored already are kept, unless ``--again``, and
the first runs of all data sets come first: stop it when there are enough. Studies that measure time are
stored from their last result.
"""

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from datetime import date
from importlib import import_module
from pathlib import Path

import pandas as pd
from joblib import Parallel, delayed

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from credalbench.papers import load_study  # noqa: E402
from credalbench.papers.studies import get_study  # noqa: E402

RUN = ("part", "n", "dataset", "program", "method", "time_s", "peak_bytes", "ari", "n_clusters", "version")
FIT = ("dataset", "method", "repetition", "c", "status", "reason", "index", "chosen", "model")
FIT += ("purity", "nmi", "ari", "time_s", "version")
TIMED = "denoeux2016_evclus/authors_programs"
DATASETS = ("iris", "knowledge", "seeds", "vehicle", "wine")
#: Study -> its table, the columns that are kept, and the parameters of the stored runs.
STUDIES = {
    TIMED: ("runs", RUN, {}),
    "jiao2022_egmm/real_data": ("fits", FIT, {"n_boot_runs": 40, "boot_datasets": DATASETS}),
}
DIGITS = {"time_s": 4, "ari": 4, "nmi": 4, "purity": 4, "index": 2}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files; 1 where a study that measures time has no complete result."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("studies", nargs="*", metavar="PAPER/STUDY", default=[*STUDIES])
    parser.add_argument("--again", action="store_true", help="run again what is stored")
    options = parser.parse_args(arguments)
    os.environ["CREDALBENCH_WITH_R"] = "1"
    stored = [store_last(n) if n == TIMED else store_new(n, options.again) for n in options.studies]
    return 0 if all(stored) else 1


def store_last(name: str) -> bool:
    """Write the runs of the last result; return whether it is complete."""
    result = load_study(get_study(name))
    if result is None or len(result.failures):
        print(
            f"no complete result: run `credalbench run {name} --with-r` where R has evclust", file=sys.stderr
        )
        return False
    write(name, with_origin(result.tables[STUDIES[name][0]], name, result.provenance["date"][:10]))
    return True


def store_new(name: str, again: bool) -> bool:
    """Run the cases in R that are not stored, two at a time, and write all after each ten; return True."""
    study, (table, _, parameters) = get_study(name), STUDIES[name]
    module = import_module(f"experiments.{name.replace('/', '.')}")
    params = study.resolve("paper", parameters)
    runs = pd.DataFrame() if again or not file_of(name).exists() else pd.read_csv(file_of(name))
    cases = [
        c for c in study.cases(params) if is_in_r(c) and not is_stored(c, getattr(params, "chunk", 1), runs)
    ]
    cases.sort(key=lambda case: case["chunk"])
    print(f"{name}: {len(cases)} cases to run")
    for first in range(0, len(cases), 10):
        some = cases[first : first + 10]
        found = Parallel(n_jobs=2)(delayed(module.compute)(params, case) for case in some)
        new = [tables[table].assign(**case) for case, tables in zip(some, found)]
        runs = pd.concat([runs, *(with_origin(one, name, f"{date.today()}") for one in new)])
        write(name, runs)
    return True


def is_in_r(case: dict) -> bool:
    """Return whether a case runs R: all but those of other methods."""
    return case.get("method", "bootgmm") in ("bootgmm", "bootgmm_standardised")


def is_stored(case: dict, runs_in_case: int, runs: pd.DataFrame) -> bool:
    """Return whether the last run of a case is among the stored ones."""
    if runs.empty:
        return False
    chunk, keys = case["chunk"], [key for key in case if key != "chunk"]
    last = (chunk + 1) * runs_in_case - 1
    same = (runs[keys] == pd.Series(case)[keys]).all(axis=1)
    return bool((same & (runs["repetition"] == last)).any())


def with_origin(runs: pd.DataFrame, name: str, day: str) -> pd.DataFrame:
    """Return the runs of R, and of ours where they are its pairs, in short numbers, with date and machine."""
    runs = runs if "program" in runs else runs[runs["version"].notna()]
    runs = runs[list(STUDIES[name][1])].round(DIGITS)
    if "peak_bytes" in runs:
        runs["peak_bytes"] = runs["peak_bytes"].round(-5).astype("Int64")
    return runs.assign(date=day, platform=f"{platform.system()} {platform.machine()}")


def file_of(name: str) -> Path:
    """Return where the runs of a study are stored."""
    return ROOT / "experiments" / Path(name).parent / "reference" / "stored" / f"{Path(name).name}.csv"


def write(name: str, runs: pd.DataFrame) -> None:
    """Write the file of one study, without what was run twice."""
    run = [column for column in runs if column in ("part", "n", "dataset", "method", "c")]
    run += [c for c in ("repetition", "program") if c in runs]
    runs = runs.drop_duplicates(run, keep="last")
    file_of(name).parent.mkdir(exist_ok=True)
    runs.to_csv(file_of(name), index=False, lineterminator="\n")
    print(f"{file_of(name).relative_to(ROOT)}: {len(runs)} runs")


if __name__ == "__main__":
    sys.exit(main())

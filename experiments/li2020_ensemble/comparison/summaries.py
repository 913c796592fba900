"""Table 3 as ours, in the paper's layout, and the closures side by side."""

import pandas as pd

from ..shared.ensembles import TITLES
from ..shared.problems import BASE_CASES, DATASETS
from .cells import FOCAL_SETS, accumulated, of_closures, single, variants


def in_words(values) -> str:
    """Return the mean (standard deviation)."""
    return f"{values.mean():.2f} ({values.std(ddof=1):.2f})"


def problems(params) -> dict[str, tuple[str, bool]]:
    """Return each data set, and whether it is standardised, by title."""
    found = {DATASETS[name].title: (name, False) for name in params.datasets}
    return found | {f"{DATASETS[name].title}, standardised": (name, True) for name in params.standardised}


def table_3(params, tables) -> pd.DataFrame:
    """Tabulate ARI, mean (standard deviation): ECM, evidence accumulation, ours by closure and focal sets."""
    rows = {}
    for title, which in problems(params).items():
        ours, theirs, alone = variants(tables, *which), accumulated(tables, *which), single(tables, *which)
        for case in BASE_CASES:
            cells = {("ECM", ""): in_words(alone), ("EAC", ""): in_words(theirs.loc[case])}
            for closure, name in TITLES.items():
                for focal_sets in FOCAL_SETS:
                    cells[name, focal_sets] = in_words(ours.loc[case, closure, focal_sets])
            rows[title, f"case {case}"] = cells
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(index=["data set", "bases"])


def closures(params, tables) -> pd.DataFrame:
    """Tabulate ARI of each closure, mean (standard deviation) over repetitions of the mean over cells."""
    rows = {}
    for name in params.datasets:
        means = of_closures(tables, name)
        rows[DATASETS[name].title] = {title: in_words(means.loc[c]) for c, title in TITLES.items()}
    return pd.DataFrame.from_dict(rows, orient="index")

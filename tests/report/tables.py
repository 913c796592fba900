"""Small tables for the tests of reports: two groups, an object between them, one far away."""

import numpy as np
import pandas as pd

from credalbench.tables import read_user_table


def plants(n: int = 24) -> pd.DataFrame:
    """Two attributes of n plants: n / 2 - 1 in either group, "between" and "far", the last ones."""
    rng = np.random.default_rng(0)
    half = n // 2 - 1
    groups = [rng.normal(at, 0.6, (half, 2)) for at in (0.0, 6.0)]
    X = np.vstack([*groups, [[3.0, 3.0], [12.0, -6.0]]])
    names = [f"plant {i}" for i in range(2 * half)] + ["between", "far"]
    return pd.DataFrame(X, index=pd.Index(names, name="plant"), columns=["height", "width"])


def table(kind: str):
    """`plants` as numbers, categories, both, or dissimilarities; no question is open."""
    frame = plants()
    if kind == "dissimilarities":
        D = np.linalg.norm(frame.to_numpy()[:, None] - frame.to_numpy(), axis=2)
        return read_user_table(pd.DataFrame(D, index=frame.index, columns=frame.index), name=kind)
    words = pd.DataFrame(
        {
            "leaf": np.where(frame["height"] > 3, "round", "flat"),
            "root": np.where(frame["width"] > 3, "deep", "thin"),
            "bark": np.where(np.arange(len(frame)) % 5 == 0, "rough", "smooth"),
        },
        index=frame.index,
    )
    parts = {"numbers": [frame], "categories": [words], "mixed": [frame, words]}[kind]
    roles = dict.fromkeys(words, "category") if kind != "numbers" else {}
    return read_user_table(pd.concat(parts, axis=1), name=kind, columns=roles, standardize=False)

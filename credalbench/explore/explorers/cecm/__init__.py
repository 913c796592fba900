"""The CECM explorer: pairs of objects, constrained by clicking on them."""

from credalbench.explore.declaration import Declaration, Latency

_LINKED = """from credalbench.core.constraints import random_pairs
from credalbench.explore.sources.tables import table_from_name
y = table_from_name("two_class:{n}:2").y
pairs = random_pairs({n}, 20, np.random.default_rng(0)).tolist()
links = tuple((i, j, "must-link" if y[i] == y[j] else "cannot-link") for i, j in pairs)
explorer = explore_cecm("two_class:{n}:2", metric="mahalanobis", links=links)"""

EXPLORER = Declaration(
    about="constrain pairs of objects by clicking on them, and see ECM become CECM",
    public={"CECMModel": "model", "CecmExplorer": "view", "explore_cecm": "view"},
    small="two_class:24:2",
    values={
        "links": [(), ((0, 1, "must-link"), (0, 14, "cannot-link"), (2, 3, "must-link"))],
        "n_clusters": [2, 3],
        "n_init": [1, 2],
    },
    examples={"links": ((0, 1, "cannot-link"),)},
    long={"data": "two_class:2000:2", "n_clusters": 6, "n_init": 1000},
    latency=[Latency(_LINKED, ["weight ξ"])],
)

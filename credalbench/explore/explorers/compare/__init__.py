"""The comparing explorer: two methods, settings or starts side by side, on the same objects."""

from credalbench.explore.declaration import Declaration, Latency, Noise

EXPLORER = Declaration(
    about="compare two methods, settings or starts side by side, and see where they differ",
    public={"CompareModel": "model", "CompareExplorer": "view", "explore_compare": "view"},
    small="t4:24",
    values={"n_clusters": [2, 3]},
    examples={"left_method": "ecm"},
    long={
        "data": "noise",
        "own": Noise(5000, 2),
        "comparing": "starts",
        "n_clusters": 6,
        "left_method": "evclus",
        "left_focal_sets": "full",
    },
    latency=[Latency('explorer = explore_compare("t4:{n}")', ["right m, β"])],
)

"""The ECM explorer: prototypes to drag, and the iterations that follow."""

from credalbench.explore.declaration import Declaration, Latency, Noise

EXPLORER = Declaration(
    about="drag prototypes, and see ECM continue from there, step by step",
    public={"ECMModel": "model", "EcmExplorer": "view", "explore_ecm": "view"},
    small="t4:24",
    values={"iteration": [0, 1, 3, 1000]},
    examples={"start": ((0.0, 0.0), (0.5, 5.0), (5.0, 0.5), (0.5, 0.5))},
    long={
        "data": "noise",
        "own": Noise(2500, 300),
        "n_clusters": 6,
        "focal_sets": "full",
        "metric": "mahalanobis",
        "delta": 1000,
        "start": [],
    },
    latency=[Latency('explorer = explore_ecm("t4:{n}")', ["exponent α"])],
)

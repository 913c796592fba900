"""The BPEC explorer: belief peaks to choose in a graph, and the masses around them."""

from credalbench.explore.declaration import Declaration, Latency, Noise

EXPLORER = Declaration(
    about="choose belief peaks as prototypes in a graph, and see the masses around them",
    public={"BPECModel": "model", "BpecExplorer": "view", "explore_bpec": "view"},
    small="t4:24",
    values={
        "iteration": [0, 1, 3, 1000],
        "prototypes": [(0, 11, 14), (0, 1), (19,)],
        "n_neighbors": [2, 5, 9],
        "n_clusters": [1, 2, 3, 5],
        "least_delta": [0.5, 2.0, 4.0],
        "least_belief": [0.1, 0.4],
    },
    examples={"prototypes": (0, 11, 14, 19)},
    long={
        "data": "noise",
        "own": Noise(2500, 300),
        "by": "number",
        "n_clusters": 6,
        "n_neighbors": 50,
        "focal_sets": "full",
        "delta": 1000,
        "prototypes": [],
    },
    latency=[Latency('explorer = explore_bpec("t4:{n}")', ["nearest K", "exponent α"])],
)

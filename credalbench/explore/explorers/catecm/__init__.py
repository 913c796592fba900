"""The cat-ECM explorer: tables of categories, their prototypes, and ambiguous objects."""

from credalbench.explore.declaration import Declaration, Latency, Noise

EXPLORER = Declaration(
    about="cluster a table of categories with cat-ECM, and read its prototypes",
    public={"CatECMModel": "model", "CatecmExplorer": "view", "explore_catecm": "view"},
    small=Noise(24, 3, "words"),
    values={"n_init": [1, 2, 3], "n_clusters": [2, 3]},
    long={"n_init": 100_000, "n_clusters": 8},
    latency=[
        Latency(
            "explorer = explore_catecm(np.random.default_rng(0).integers(0, 4, ({n}, 12)), n_clusters=3)",
            ["exponent α"],
        )
    ],
)

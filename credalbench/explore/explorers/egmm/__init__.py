"""The EGMM explorer: mixtures with components for sets of clusters, and the number of clusters."""

from credalbench.explore.declaration import Declaration, Latency, Noise

EXPLORER = Declaration(
    about="let clusters overlap, and see EGMM's components and how many clusters EBIC chooses",
    public={"EGMMModel": "model", "EgmmExplorer": "view", "explore_egmm": "view"},
    small="mixture",
    values={"n_objects": [40, 50], "n_clusters": [1, 2, 3]},
    long={"data": "noise", "own": Noise(4000, 60), "n_clusters": 6, "covariance_type": "full"},
    latency=[Latency('explorer = explore_egmm("mixture", n_objects={n})', ["ridge"])],
)

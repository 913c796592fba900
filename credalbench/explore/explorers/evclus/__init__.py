"""The EVCLUS explorer: dissimilarities, their transformation, and the masses that fit them."""

from credalbench.explore.declaration import Declaration, Latency

EXPLORER = Declaration(
    about="move sliders, and see EVCLUS refit the dissimilarities",
    public={"EVCLUSModel": "model", "EvclusExplorer": "view", "explore_evclus": "view"},
    small="two_class:16:2",
    examples={"links": ((0, 1, "cannot-link"),)},
    values={
        "links": [(), ((0, 1, "must-link"), (0, 9, "cannot-link"))],
        "n_pairs": [None, 5, 12],
        "n_clusters": [2, 3],
    },
    long={"data": "t4:600", "n_clusters": 7, "focal_sets": "full"},
    latency=[Latency('explorer = explore_evclus("t4:{n}")', ["d₀, quantile"])],
)

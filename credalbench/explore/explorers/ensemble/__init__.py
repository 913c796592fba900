"""The ensemble explorer: pairwise evidence of many partitions, its closure, and the consensus."""

from credalbench.explore.declaration import Declaration, Latency

_AFRESH = """explorer = explore_ensemble("half_rings:{n}", n_estimators=20)
explorer.model.observe(lambda _: explorer.model.forget(), "fitted")"""

EXPLORER = Declaration(
    about="combine partitions, close their relation by a t-norm, and see the consensus change",
    public={"EnsembleModel": "model", "EnsembleExplorer": "view", "explore_ensemble": "view"},
    small="half_rings:30",
    values={
        "n_estimators": [2, 3],
        "base_from": [3, 4],
        "base_to": [5],
        "n_clusters": [2, 3, 4],
        "t_norm_parameter": [0.5, 2.0],
    },
    examples={"t_norm": "hamacher"},
    long={"data": "half_rings:1000", "n_estimators": 3000, "n_clusters": 8, "focal_sets": "pairs"},
    latency=[
        Latency('explorer = explore_ensemble("half_rings:{n}", n_estimators=3)', ["partitions N"]),
        Latency(
            _AFRESH,
            ["partitions N", "clusters c", "rule", "t-norm"],
            sizes=[300],
            aims=(150, float("inf")),
            aimed_at=300,
        ),
    ],
)

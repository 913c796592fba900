"""The segmentation explorer: regions of an image, constrained by painting them."""

from credalbench.explore.declaration import Declaration, Latency, Noise

EXPLORER = Declaration(
    about="paint regions on an image, and see CECM segment it",
    public={"SegmentationModel": "model", "SegmentationExplorer": "view", "explore_segmentation": "view"},
    small=Noise(16, 18, "image"),
    values={
        "strokes": [
            [],
            [
                {"tool": 1, "radius": 2.0, "path": [[2.0, 2.0], [4.0, 4.0]]},
                {"tool": 2, "rectangle": [9, 9, 13, 14]},
            ],
        ],
        "n_prototypes": [20, 30],
    },
    examples={
        "strokes": [{"tool": 1, "rectangle": [45, 30, 70, 55]}, {"tool": 2, "rectangle": [62, 63, 117, 113]}]
    },
    long={
        "data": "noise",
        "own": Noise(256, 256, "image"),
        "colour": True,
        "n_prototypes": 20_000,
        "n_clusters": 4,
        "metric": "mahalanobis",
        "alpha": 0.0,
        "strokes": [{"tool": 1, "rectangle": [5, 5, 60, 60]}, {"tool": 2, "rectangle": [62, 62, 118, 118]}],
    },
    latency=[Latency('explorer = explore_segmentation("phantom")', ["exponent α"], sizes=[400])],
)

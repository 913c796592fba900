"""Settings of each explorer for tests: data, and values of parameters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Noise:
    """Random data without clusters: `rows` objects or pixels, `columns` attributes or pixels.

    `kind` is "numbers", "words" or "image".
    """

    rows: int
    columns: int
    kind: str = "numbers"


@dataclass(frozen=True)
class Settings:
    """Settings of an explorer for tests.

    Attributes
    ----------
    small : str or Noise
        Data for fits that take milliseconds: a name, or noise.
    values : mapping of str -> sequence
        Values to try for parameters without a range, or with a range that takes long.
    examples : mapping of str -> object
        Values other than the default, for parameters without a range or choices, or on which others depend.
    long : mapping of str -> object
        Settings whose fit takes tens of seconds; the key "own" holds the data as `Noise`.
    """

    small: str | Noise
    values: Mapping[str, Sequence] = field(default_factory=dict)
    examples: Mapping[str, object] = field(default_factory=dict)
    long: Mapping[str, object] = field(default_factory=dict)


#: The settings, by explorer.
SETTINGS = {
    "bpec": Settings(
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
    ),
    "catecm": Settings(
        small=Noise(24, 3, "words"),
        values={"n_init": [1, 2, 3], "n_clusters": [2, 3]},
        long={"n_init": 100_000, "n_clusters": 8},
    ),
    "cecm": Settings(
        small="two_class:24:2",
        values={
            "links": [(), ((0, 1, "must-link"), (0, 14, "cannot-link"), (2, 3, "must-link"))],
            "n_clusters": [2, 3],
            "n_init": [1, 2],
        },
        examples={"links": ((0, 1, "cannot-link"),)},
        long={"data": "two_class:2000:2", "n_clusters": 6, "n_init": 1000},
    ),
    "compare": Settings(
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
    ),
    "ecm": Settings(
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
    ),
    "egmm": Settings(
        small="mixture",
        values={"n_objects": [40, 50], "n_clusters": [1, 2, 3]},
        long={"data": "noise", "own": Noise(4000, 60), "n_clusters": 6, "covariance_type": "full"},
    ),
    "ensemble": Settings(
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
    ),
    "evclus": Settings(
        small="two_class:16:2",
        values={
            "links": [(), ((0, 1, "must-link"), (0, 9, "cannot-link"))],
            "n_pairs": [None, 5, 12],
            "n_clusters": [2, 3],
        },
        examples={"links": ((0, 1, "cannot-link"),)},
        long={"data": "t4:600", "n_clusters": 7, "focal_sets": "full"},
    ),
    "recm": Settings(
        small="t4:24",
        values={"n_clusters": [2, 3]},
        long={
            "data": "noise",
            "own": Noise(2500, 300),
            "n_clusters": 6,
            "focal_sets": "full",
            "alpha": -1.0,
            "delta": 1000,
        },
    ),
    "segmentation": Settings(
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
            "strokes": [
                {"tool": 1, "rectangle": [45, 30, 70, 55]},
                {"tool": 2, "rectangle": [62, 63, 117, 113]},
            ]
        },
        long={
            "data": "noise",
            "own": Noise(256, 256, "image"),
            "colour": True,
            "n_prototypes": 20_000,
            "n_clusters": 4,
            "metric": "mahalanobis",
            "alpha": 0.0,
            "strokes": [
                {"tool": 1, "rectangle": [5, 5, 60, 60]},
                {"tool": 2, "rectangle": [62, 62, 118, 118]},
            ],
        },
    ),
}

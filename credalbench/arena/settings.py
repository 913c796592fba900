"""The settings that are tried besides the defaults, the same for all methods, by the name of a parameter.

A method is tried with each value of each parameter of `GRID` that it has and takes, one at a time, the
others at their defaults. The setting whose labels have the highest mean silhouette is its tuned one, and the
defaults where none is higher. So no class is looked at. The silhouette is that of the dissimilarities of the
objects, and likes compact clusters: on other shapes it may choose the poorer setting.
"""

from collections.abc import Mapping

from .methods import Entrant

GRID: Mapping[str, tuple] = {
    "metric": ("euclidean", "mahalanobis"),
    "covariance_type": ("spherical", "diag", "tied", "full"),
    "m": (1.5, 2.0, 3.0),
    "d0_quantile": ("auto", 0.5, 0.9),
    "q": (0.5, 0.9),
    "focal_sets": ("simple", "pairs"),
}


def settings_of(entrant: Entrant, kind: str) -> list[dict[str, object]]:
    """Return the settings that a method is tried with on one kind of data, the defaults first."""
    needed = entrant.kinds[kind]
    defaults = entrant.estimator.get_params(deep=False)
    return [{}] + [
        {name: value}
        for name, values in GRID.items()
        for value in values
        if name not in needed and entrant.accepts(name, value) and value != defaults[name]
    ]


def in_words(setting: Mapping[str, object]) -> str:
    """Return a setting as text: ``"metric=mahalanobis"``, or ``"defaults"``."""
    return ", ".join(f"{name}={value}" for name, value in setting.items()) or "defaults"

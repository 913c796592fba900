r"""Profiles of clusters: sizes, distinguishing attributes, and typical and ambiguous objects.

The weight of object i in cluster k is its share of the mass, the pignistic probability before normalisation,

.. math:: w_{ik} = \sum_{A \ni k} m_i(A) / |A|,

and its weight in the rest is the sum of its other shares. Its mass on the empty set counts for neither, and
outliers count for no cluster. For a hard partition the results are ordinary counts, means and medians.

==============  ===============================  =====================================================
attribute       effect                           strength, in [0, 1]
==============  ===============================  =====================================================
number          (mean − mean of the rest) / s    absolute correlation with "in the cluster"
category        share − share of the rest        Cramér's V of values and "in the cluster"
==============  ===============================  =====================================================

s is the standard deviation within the cluster and the rest, pooled by their weights. The effect of a number
is thus Cohen's d; it is infinite if neither group varies. Strengths of numbers and categories are on one
scale, since both are correlations with "in the cluster".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from credalbench.core.arguments import as_array, expect
from credalbench.core.names import names_of, same_names

from . import transforms
from .frames import object_index

if TYPE_CHECKING:
    import pandas as pd

    from .partition import CredalPartition

MAX_ATTRIBUTES = 3  # at most this many attributes in a sentence
LEAST_EFFECTS = {True: 0.3, False: 0.15}  # of a number and of a category that distinguishes a cluster
N_TYPICAL = 3
N_NAMED = 5  # at most this many ambiguous objects and outliers in a sentence
ROUNDING = 1e-9  # relative to the range of an attribute, and to a sum of weights
MAX_DIGITS = 9  # of a number that is not written with an exponent
#: Columns of `ClusterProfiles.frame` that are computed from the values.
STATISTICS = (
    "mean", "median", "lower_quartile", "upper_quartile", "rest_mean", "rest_median", "effect", "strength",
    "overall_mean", "overall_std",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class ClusterProfiles:
    """Descriptions of the clusters, as `CredalPartition.profiles` returns them; ``str`` gives the sentences.

    Parameters
    ----------
    sizes : pandas.DataFrame
        A row for each cluster, `{1}`, `{2}`, ...: `sure`, the size of the lower approximation; `possible`,
        the size of the upper approximation without outliers; `mean_belief`, the mean belief in the cluster of
        the objects that are possibly in it.
    frame : pandas.DataFrame
        A row for each cluster and attribute, for categories a row for each value. Columns: `cluster`;
        `attribute`; `value`, None for numbers; `supplementary`; `mean`, for categories the share of the
        value; `median`, `lower_quartile` and `upper_quartile` of numbers; `rest_mean` and `rest_median` of
        the rest; `effect`; `strength`; `missing`, the share of the cluster without a value; `overall_mean`
        and `overall_std` of all clusters together.
    objects : pandas.DataFrame
        Columns: `cluster`; `kind`, which is "typical" (largest mass on the cluster), "ambiguous" (possibly
        but not surely in the cluster, the most ambiguous first) or "outlier" (with the label of the
        cluster; the largest mass on the empty set first); `object`, its name or its number from 0; `belief`
        and `plausibility` of the cluster.
    sentences : tuple of str
        A description of each cluster.
    """

    sizes: pd.DataFrame
    frame: pd.DataFrame
    objects: pd.DataFrame
    sentences: tuple[str, ...]

    def distinguishing(self, cluster: str, *, supplementary: bool = False) -> list[Hashable]:
        """Return the attributes that distinguish a cluster from the rest, the strongest first.

        Parameters
        ----------
        cluster : str
            Name of the cluster, such as `{1}`.
        supplementary : bool, default False
            Whether to return supplementary attributes instead of the others.

        Returns
        -------
        list of hashable
            At most three attributes, each at least half as strong as the strongest. The mean of a number
            differs by at least 0.3 standard deviations from that of the rest, the share of a value of a
            category by at least 15 percentage points.
        """
        return _distinguishing(self.frame[self.frame["cluster"] == cluster], supplementary)

    def __repr__(self) -> str:
        outliers = self.objects.loc[self.objects["kind"] == "outlier", "object"]
        return "\n".join([*self.sentences, *_naming("Outliers, which are in no cluster", outliers)])


def profiles(
    partition: CredalPartition,
    X: ArrayLike | pd.DataFrame | None = None,
    supplementary: Iterable[Hashable] = (),
) -> ClusterProfiles:
    """Return what `CredalPartition.profiles` returns; arguments and errors are the same."""
    table = _read(X, partition)
    listed = isinstance(supplementary, Iterable) and not isinstance(supplementary, str)
    expect(listed, "supplementary columns as a list", supplementary)
    supplementary = [_one_name(name) for name in supplementary]
    unknown = [name for name in supplementary if not isinstance(name, Hashable) or name not in table]
    expect(not unknown, f"supplementary columns among {list(table)}", unknown)
    frame = _attributes(table, partition, supplementary)
    sizes, objects = _sizes(partition), _objects(partition)
    named = dict(iter(objects.groupby(["cluster", "kind"], sort=False)["object"]))
    sentences = tuple(_sentence(name, sizes, frame, named) for name in sizes.index)
    return ClusterProfiles(sizes, frame, objects, sentences)


def _one_name(name: Hashable):
    """Return the name of a column; one of several levels as text: "a x" for ("a", "x")."""
    return " ".join(map(str, name)) if isinstance(name, tuple) else name


def _names(partition: CredalPartition) -> list[str]:
    return [f"{{{k + 1}}}" for k in range(partition.n_clusters)]


def _read(X: ArrayLike | pd.DataFrame | None, partition: CredalPartition) -> pd.DataFrame:
    """Return attributes as a DataFrame (n, p); those of an array are named ``attribute 1``, ..."""
    import pandas as pd

    n = partition.n_objects
    if X is None:
        return pd.DataFrame(index=range(n))
    if isinstance(X, pd.DataFrame):
        table = X.set_axis([_one_name(name) for name in X.columns], axis=1)
    else:
        expect(as_array("X", X).ndim in (1, 2), f"attributes X of {n} objects as a table", X)
        table = pd.DataFrame(X).infer_objects()
        table.columns = [f"attribute {j + 1}" for j in range(table.shape[1])]
    expect(len(table) == n, f"attributes X of {n} objects", len(table))
    expect(table.columns.is_unique, "attributes X with distinct names", list(table))
    given = names_of(X)
    same = given is None or partition.index is None or same_names(given, partition.index)
    expect(same, "X with the names of the objects, in the same order", given)
    return table


# ---------------------------------------------------------------- attributes


def _attributes(table: pd.DataFrame, partition: CredalPartition, supplementary: list) -> pd.DataFrame:
    """Return the table of attributes (see `ClusterProfiles`)."""
    import pandas as pd

    weights = transforms.pignistic(partition.masses, partition.focal_sets, normalize=False)
    weights = np.where(partition.outliers()[:, None], 0.0, weights)
    rest = weights @ (1 - np.eye(weights.shape[1]))
    parts = []
    for name, column in table.items():
        known = column.notna().to_numpy()
        used = known & weights.any(axis=1)  # a number of an outlier may be far out of range
        of_attribute = {
            "cluster": _names(partition),
            "attribute": name,
            "value": None,
            "supplementary": name in supplementary,
            "missing": _ratio(weights[~known].sum(axis=0), weights.sum(axis=0)),
        }
        given = column[used], weights[used], rest[used]
        described = _of_numbers(*given) if _is_number(column) else _of_categories(*given)
        parts += [pd.DataFrame(of_attribute | one) for one in described]
    columns = ["cluster", "attribute", "value", "supplementary", *STATISTICS, "missing"]
    if not parts:
        return pd.DataFrame(columns=columns)
    frame = pd.concat(parts, ignore_index=True)
    order = np.argsort(pd.Index(_names(partition)).get_indexer(frame["cluster"]), kind="stable")
    return frame.reindex(columns=columns).iloc[order].reset_index(drop=True)


def _is_number(column: pd.Series) -> bool:
    from pandas.api import types

    kinds = types.is_complex_dtype, types.is_datetime64_any_dtype, types.is_timedelta64_dtype
    expect(
        not any(kind(column.dtype) for kind in kinds),
        f"numbers or categories in column {column.name!r}",
        str(column.dtype),
    )
    return types.is_numeric_dtype(column.dtype) and not types.is_bool_dtype(column.dtype)


def _of_numbers(column: pd.Series, W: np.ndarray, R: np.ndarray) -> Iterator[dict[str, np.ndarray]]:
    """Yield the statistics of a number; its weights in the clusters and in the rest of each are (n, c)."""
    x = column.to_numpy(float)
    expect(bool(np.isfinite(x).all()), f"finite numbers in column {column.name!r}", "infinity")
    low, high = (float(x.min()), float(x.max())) if len(x) else (0.0, 0.0)
    half = high / 2 - low / 2  # the range itself may overflow
    u = (x / 2 - low / 2) / half if half > 0 else np.zeros(len(x))  # in [0, 1]; exactly 0 where constant
    total, total_rest = W.sum(axis=0), R.sum(axis=0)
    mean, rest_mean = _ratio(u @ W, total), _ratio(u @ R, total_rest)
    squares = _squares(u, W, mean) + _squares(u, R, rest_mean)
    within = np.sqrt(_ratio(squares, total + total_rest))
    everything = W.sum(axis=1)
    centre = _ratio(u @ everything, everything.sum())
    spread = np.sqrt(_ratio(everything @ (u - np.nan_to_num(centre)) ** 2, everything.sum()))
    difference = mean - rest_mean
    difference[np.abs(difference) < ROUNDING] = 0.0
    share = _ratio(total, total + total_rest)
    between = np.sqrt(share * (1 - share)) * np.abs(difference)
    quartiles = _quantiles(u, W, (0.25, 0.5, 0.75))

    def unscaled(v: np.ndarray) -> np.ndarray:
        return 2 * (low / 2 + half * v)

    yield {
        "mean": unscaled(mean),
        "median": unscaled(quartiles[1]),
        "lower_quartile": unscaled(quartiles[0]),
        "upper_quartile": unscaled(quartiles[2]),
        "rest_mean": unscaled(rest_mean),
        "rest_median": unscaled(_quantiles(u, R, (0.5,))[0]),
        "effect": _effect(difference, within),
        "strength": np.nan_to_num(_ratio(between, np.hypot(between, within))),
        "overall_mean": unscaled(centre),
        "overall_std": 2 * (half * spread),
    }


def _squares(u: np.ndarray, W: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Return the weighted sums of squared deviations from the means (c,)."""
    return np.sum(W * (u[:, None] - np.nan_to_num(mean)) ** 2, axis=0)


def _effect(difference: np.ndarray, within: np.ndarray) -> np.ndarray:
    """Return differences in standard deviations: 0 without a difference, infinite without variation."""
    constant = within < ROUNDING
    endless = np.where(difference == 0, 0.0, np.copysign(np.inf, difference))
    effect = np.where(constant, endless, difference / np.where(constant, 1.0, within))
    return np.where(np.isnan(difference), np.nan, effect)


def _quantiles(u: np.ndarray, W: np.ndarray, levels: Iterable[float]) -> list[np.ndarray]:
    """Return weighted quantiles of u (n,), a (c,) array for each level; the mean if two qualify."""
    order = np.argsort(u, kind="stable")
    u, sums = u[order], np.cumsum(W[order], axis=0)
    found = []
    for level in levels:
        values = np.full(W.shape[1], np.nan)
        for k in np.flatnonzero(W.sum(axis=0) > 0):
            target = level * sums[-1, k]
            ends = target * (1 - ROUNDING), target * (1 + ROUNDING)
            first, last = np.searchsorted(sums[:, k], ends[0]), np.searchsorted(sums[:, k], ends[1])
            values[k] = (u[first] + u[last]) / 2
        found.append(values)
    return found


def _of_categories(column: pd.Series, W: np.ndarray, R: np.ndarray) -> Iterator[dict[str, np.ndarray]]:
    """Yield the statistics of each value of a category, in the order of their texts."""
    import pandas as pd

    try:
        codes, values = pd.factorize(column.to_numpy(object))
    except TypeError as error:
        raise ValueError(f"expected hashable values in column {column.name!r}: {error}") from error
    indicator = codes == np.arange(len(values))[:, None]
    counts, rests = indicator @ W, indicator @ R  # (values, c)
    shares, rest_shares = _ratio(counts, counts.sum(axis=0)), _ratio(rests, rests.sum(axis=0))
    everything = W.sum(axis=1)
    overall = _ratio(indicator @ everything, everything.sum())
    strength = _cramer(counts, rests)
    for v in sorted(range(len(values)), key=lambda v: (str(values[v]), type(values[v]).__name__)):
        yield {
            "value": [values[v]] * W.shape[1],
            "mean": shares[v],
            "rest_mean": rest_shares[v],
            "effect": shares[v] - rest_shares[v],
            "strength": strength,
            "overall_mean": overall[v],
            "overall_std": np.sqrt(overall[v] * (1 - overall[v])),
        }


def _cramer(counts: np.ndarray, rests: np.ndarray) -> np.ndarray:
    """Return Cramér's V (c,) of values and "in the cluster", from their weights (values, c); 0 if undefined.

    It is the square root of chi-squared divided by the sum of the table, since the smaller of the numbers of
    rows and columns, minus 1, is 1.
    """
    rows, inside, outside = counts + rests, counts.sum(axis=0), rests.sum(axis=0)
    total = inside + outside
    squares = sum(
        np.nan_to_num(_ratio((observed * total - rows * part) ** 2, rows * part * total**2)).sum(axis=0)
        for observed, part in ((counts, inside), (rests, outside))
    )
    return np.sqrt(np.minimum(squares, 1.0))


def _ratio(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a / b, NaN where b is 0."""
    a, b = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(b, dtype=float))
    return np.divide(a, b, out=np.full(a.shape, np.nan), where=b > 0)


# ---------------------------------------------------------------- sizes and objects


def _sizes(partition: CredalPartition) -> pd.DataFrame:
    import pandas as pd

    sure, possible = _approximations(partition)
    belief = transforms.singleton_belief(partition.masses, partition.focal_sets)
    columns = {
        "sure": sure.sum(axis=0),
        "possible": possible.sum(axis=0),
        "mean_belief": _ratio((belief * possible).sum(axis=0), possible.sum(axis=0)),
    }
    return pd.DataFrame(columns, index=pd.Index(_names(partition), name="cluster"))


def _approximations(partition: CredalPartition) -> tuple[np.ndarray, np.ndarray]:
    """Return the objects surely and possibly in each cluster, (n, c) each, without outliers."""
    upper = partition.upper_approximation() & ~partition.outliers()[:, None]
    return partition.lower_approximation(), upper


def _objects(partition: CredalPartition) -> pd.DataFrame:
    """Return the typical, the ambiguous and the outlying objects of each cluster (see `ClusterProfiles`)."""
    import pandas as pd

    sure, possible = _approximations(partition)
    belief = transforms.singleton_belief(partition.masses, partition.focal_sets)
    contour, labels, outlying = partition.contour, partition.labels(), partition.outliers()
    ordered = np.sort(np.column_stack([np.zeros(len(labels)), contour]), axis=1)
    lead = ordered[:, -1] - ordered[:, -2]
    names, parts = object_index(partition), []
    for k, cluster in enumerate(_names(partition)):
        typical = np.flatnonzero(sure[:, k])
        kinds = {
            "typical": typical[np.argsort(-belief[typical, k], kind="stable")[:N_TYPICAL]],
            "ambiguous": np.flatnonzero(possible[:, k] & ~sure[:, k]),
            "outlier": np.flatnonzero(outlying & (labels == k)),
        }
        keys = {"typical": -belief[:, k], "ambiguous": lead, "outlier": contour.max(axis=1)}
        for kind, rows in kinds.items():
            rows = rows[np.argsort(keys[kind][rows], kind="stable")]
            columns = {
                "object": pd.Series(names[rows].tolist(), dtype=object),
                "belief": belief[rows, k],
                "plausibility": contour[rows, k],
            }
            parts.append(pd.DataFrame({"cluster": cluster, "kind": kind} | columns))
    return pd.concat(parts, ignore_index=True)


# ---------------------------------------------------------------- words


def _distinguishing(frame: pd.DataFrame, supplementary: bool) -> list[Hashable]:
    """Return the names of the attributes that distinguish a cluster (see `ClusterProfiles`)."""
    least = frame["value"].isna().map(LEAST_EFFECTS)
    found = frame[(frame["supplementary"] == supplementary) & (frame["effect"].abs() >= least)]
    found = found.drop_duplicates("attribute").sort_values("strength", ascending=False, kind="stable")
    strong = found["strength"] >= found["strength"].max() / 2
    return found.loc[strong, "attribute"].tolist()[:MAX_ATTRIBUTES]


def _sentence(
    cluster: str, sizes: pd.DataFrame, frame: pd.DataFrame, named: dict[tuple[str, str], pd.Series]
) -> str:
    """Return the description of a cluster; `named` are the objects of clusters and kinds."""
    sure, possible, belief = sizes.loc[cluster]
    number = cluster.strip("{}")
    if not possible:
        return f"Cluster {number}: no objects."
    surely = f"{sure:.0f} object{'s' * (sure != 1)} surely"
    parts = [f"Cluster {number}: {surely}, {possible:.0f} possibly, with a mean belief of {belief:.2f}."]
    frame = frame[frame["cluster"] == cluster]
    used, unused = (
        [_difference(frame[frame["attribute"] == name]) for name in _distinguishing(frame, supplementary)]
        for supplementary in (False, True)
    )
    if used:
        parts.append(f"It has {_listed(used)}.")
    elif len(sizes) > 1 and not frame["supplementary"].all():
        parts.append("Its means and shares are near those of the rest.")
    if unused:
        parts.append(f"Not used for the clusters: {_listed(unused)}.")
    for kind in ("typical", "ambiguous"):
        parts += _naming(kind.capitalize(), named.get((cluster, kind), ()))
    return " ".join(parts)


def _difference(rows: pd.DataFrame) -> str:
    """Describe how a cluster differs from the rest in one attribute."""
    one = rows.loc[rows["effect"].idxmax()]  # for a category, the value with the largest effect
    if one["value"] is None:
        level = "high" if one["effect"] > 0 else "low"
        mean, rest = (number_text(one[name], one["overall_std"]) for name in ("mean", "rest_mean"))
        return f"{level} {one['attribute']} (mean {mean}, rest {rest})"
    often = "mostly" if one["mean"] > 0.5 else "often"
    return f"{often} {one['attribute']} = {one['value']} ({one['mean']:.0%}, rest {one['rest_mean']:.0%})"


def number_text(value: float, spread: float) -> str:
    """Return a number as text, with two digits of the spread of its attribute.

    >>> number_text(2014.26, 3.7), number_text(-0.001, 0.4), number_text(3.2e12, 1e11)
    ('2014.3', '0.00', '3.2e+12')
    """
    if not (isfinite(value) and isfinite(spread) and spread > 0):
        return f"{value:.4g}"
    decimals = max(0, 1 - floor(log10(spread)))
    if decimals >= MAX_DIGITS or abs(value) >= 10**MAX_DIGITS:
        return f"{value:.4g}"
    return f"{round(value, decimals) + 0.0:.{decimals}f}"  # no minus before a zero


def _listed(words: list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _naming(title: str, names: Sequence[Hashable]) -> list[str]:
    """Return a list of one sentence with the first of some names, or an empty list without names."""
    shown, more = ", ".join(map(str, names[:N_NAMED])), len(names) - N_NAMED
    return [f"{title}: {shown}{f' and {more} more' if more > 0 else ''}."] if len(names) else []

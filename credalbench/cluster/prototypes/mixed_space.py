"""Tables of numbers and categories for clusterers: units of the numbers, weight of the categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from credalbench.cluster.prototypes.category_pass import CodedTable
from credalbench.cluster.prototypes.clusterer import centred_with_spread
from credalbench.cluster.prototypes.mixed_pass import MixedTable, prototype_distances
from credalbench.core.arguments import LARGEST, expect
from credalbench.core.categories import Domain, read_table
from credalbench.core.checks import as_attributes, expect_scale, near_zero, trimmed_limits

if TYPE_CHECKING:
    import pandas as pd


class Rows(NamedTuple):
    """Objects without missing values, which can be prototypes."""

    numbers: np.ndarray  # (m, q), in the units of the data
    codes: np.ndarray | None  # (m, p - q)

    def take(self, places: npt.ArrayLike) -> Rows:
        """Return some of the objects."""
        return Rows(self.numbers[places], None if self.codes is None else self.codes[places])


@dataclass(frozen=True, eq=False)
class MixedSpace:
    """Units, weights and values that the objects of a fit determine, also for new objects.

    Parameters
    ----------
    is_category : (p,) bool array
        Which columns contain categories.
    missing : {"error", "category", "ignore"}
        Treatment of missing values.
    domain : Domain or None
        The values of the categorical attributes.
    medians : (q,) array
        Of the numbers, in the units of the data; for prototypes that lack numbers.
    zero : (q,) array
        Subtracted from the numbers first (see `near_zero`).
    units : (q,) array
        Divisors of the numbers, after that.
    origin : (q,) array
        Their mean, after that.
    spread : float
        Their root mean square distance to the mean.
    weight : float
        Factor of the mismatches of categories.
    scatter : (p,) array
        Variance of each number, and Gini index of each category times `weight`.
    attribute_weights : (p,) array or None
        Factors of the squared distances of each attribute; None: all are 1.
    """

    is_category: np.ndarray
    missing: str
    domain: Domain | None
    medians: np.ndarray
    zero: np.ndarray
    units: np.ndarray
    origin: np.ndarray
    spread: float
    weight: float
    scatter: np.ndarray
    attribute_weights: np.ndarray | None = None

    def weighted(self, attribute_weights: np.ndarray) -> MixedSpace:
        """Return the space in which attributes have weights (p,)."""
        of_numbers = ~self.is_category
        before, after = (np.sum(w * self.scatter[of_numbers]) for w in (1, attribute_weights[of_numbers]))
        spread = self.spread * np.sqrt(after / before) if before > 0 else self.spread
        return replace(self, attribute_weights=attribute_weights, spread=float(spread))

    @property
    def variance(self) -> float:
        """Sum of the variances of all attributes, as they count."""
        return float(np.sum(self.scatter if self.attribute_weights is None else self.weights * self.scatter))

    @property
    def weights(self) -> np.ndarray:
        """Weights of the attributes: (p,)."""
        w = self.attribute_weights
        return np.ones(len(self.is_category)) if w is None else w

    def read_new(self, frame: pd.DataFrame) -> MixedTable:
        """Read new objects: (m, p) -> MixedTable."""
        numbers = read_numbers(frame.loc[:, ~self.is_category], self.missing)
        codes = None
        if self.domain is not None:
            codes = self.domain.encode_new(frame.loc[:, self.is_category])
        return self.table(numbers, codes)

    def read_prototypes(self, init: pd.DataFrame, n_clusters: int) -> Rows:
        """Read an `init` of rows like those of the data: (c, p) -> Rows."""
        shape = n_clusters, len(self.is_category)
        expect(init.shape == shape, f"init of shape {shape}", init.shape)
        codes = None
        if self.domain is not None:
            codes = self.domain.encode_prototypes(init.loc[:, self.is_category], n_clusters)
        return Rows(read_numbers(init.loc[:, ~self.is_category], "error"), codes)

    def known(self, numbers: np.ndarray, codes: np.ndarray | None) -> np.ndarray:
        """Return which values are not left out: (m, q) with NaN, (m, p - q) codes -> (m, p) bool."""
        known = np.empty((len(numbers), len(self.is_category)), dtype=bool)
        known[:, ~self.is_category] = ~np.isnan(numbers)
        if codes is not None:
            known[:, self.is_category] = codes != self.domain.sizes + 1
        return known

    def table(self, numbers: np.ndarray, codes: np.ndarray | None) -> MixedTable:
        """Return objects in the units: (m, q) with NaN, (m, p - q) codes -> MixedTable."""
        present = self.known(numbers, codes)
        known = present[:, ~self.is_category]
        blank = ~present.any(axis=1)
        expect(not blank.any(), "at least one value in each row of X", f"none in row {int(blank.argmax())}")
        weights = self.weights
        rescaled = np.ones(len(numbers))
        factors, table = None, None
        if not present.all():
            rescaled = weights.sum() / (present @ weights)
            factors = known * rescaled[:, None]
        if codes is not None:
            of_categories = None if self.attribute_weights is None else weights[self.is_category]
            table = CodedTable(codes, self.weight * rescaled, self.domain, None, of_categories)
        return MixedTable(self.inside(np.where(known, numbers, self.medians)), factors, table)

    def inside(self, numbers: np.ndarray) -> np.ndarray:
        """Return numbers (m, q) of the data in the units, about the origin."""
        if not numbers.size:
            return numbers
        inside = (numbers - self.zero) / self.units - self.origin
        return inside if self.attribute_weights is None else inside * self._roots

    def outside(self, numbers: np.ndarray) -> np.ndarray:
        """Invert `inside`."""
        inside = numbers if self.attribute_weights is None else numbers / self._roots
        return (inside + self.origin) * self.units + self.zero

    @property
    def _roots(self) -> np.ndarray:
        """What multiplies the numbers: (q,)."""
        return np.sqrt(self.weights[~self.is_category])

    def prototypes(self, rows: Rows) -> tuple[np.ndarray, np.ndarray | None]:
        """Return objects as prototypes: (c, q) points and (n_rows, c) stacked weights, or None."""
        weights = None if rows.codes is None else self.domain.stack_objects(rows.codes)
        return self.inside(rows.numbers), weights

    def complete(self, numbers: np.ndarray, codes: np.ndarray | None) -> Rows:
        """Fill gaps by the median or the commonest value: (n, q) with NaN, (n, p - q) codes -> Rows."""
        if codes is not None:
            lost = codes > self.domain.sizes
            commonest = [np.bincount(x[x <= size]).argmax() for x, size in zip(codes.T, self.domain.sizes)]
            codes = np.where(lost, np.array(commonest, dtype=codes.dtype), codes)
        return Rows(np.where(np.isnan(numbers), self.medians, numbers), codes)

    def frame(self, names: Sequence, numbers: np.ndarray, categories: Sequence) -> pd.DataFrame:
        """Return a readable table of clusters, with the columns in the order of the data."""
        import pandas as pd

        points, words = iter(numbers.T), iter(categories)
        columns = [pd.Series(next(words) if here else next(points)) for here in self.is_category]
        table = pd.concat(columns, axis=1)
        table.columns = pd.Index(names, tupleize_cols=False)
        return table.rename_axis(index="cluster")


def space_of(
    frame: pd.DataFrame, is_category: np.ndarray, missing: str, standardize: bool, weight: str | float
) -> tuple[MixedSpace, np.ndarray, np.ndarray | None]:
    """Read the objects of a fit and return their `MixedSpace`, numbers (n, q) with NaN, and codes.

    Raises a ValueError for missing values under ``missing="error"``, infinite numbers, or an attribute
    without a value.
    """
    numbers, codes, domain = read_numbers(frame.loc[:, ~is_category], missing), None, None
    if is_category.any():
        codes, domain = read_table(frame.loc[:, is_category], missing, blank_rows=True)
    empty = np.isnan(numbers).all(axis=0)
    expect(not empty.any(), "at least one value in each column of X", "none in a column of numbers")
    medians = np.nanmedian(numbers, axis=0) if numbers.size else np.zeros(0)
    filled = np.where(np.isnan(numbers), medians, numbers)
    inside, zero = filled, np.zeros(len(medians))
    if numbers.size:
        expect_scale(filled)
        inside, zero = near_zero(filled)
    variances = trimmed_variances(np.where(np.isnan(numbers), np.nan, inside))
    units = np.ones(len(medians))
    if standardize:
        units = np.sqrt(np.where(variances > 0, variances, 1.0))
        variances = variances / units**2
    _, origin, spread = centred_with_spread(inside / units)
    if standardize:
        spread = float(np.sqrt(variances.sum()))
    diversities = np.zeros(0) if codes is None else gini_indices(codes, domain)
    if weight == "auto":
        both = variances.any() and diversities.any()
        weight = float(variances.mean() / diversities.mean()) if both else 1.0
    scatter = np.empty(len(is_category))
    scatter[~is_category], scatter[is_category] = variances, weight * diversities
    space = MixedSpace(is_category, missing, domain, medians, zero, units, origin, spread, weight, scatter)
    return space, numbers, codes


def read_numbers(frame: pd.DataFrame, missing: str) -> np.ndarray:
    """Return columns of numbers: (n, q) floats, NaN where missing.

    Raises a ValueError that names a column with values that are not numbers, with infinite numbers, or, under
    ``missing="error"``, with NaN.
    """
    numbers = np.empty(frame.shape)
    for l, label in enumerate(frame.columns):
        try:
            numbers[:, l] = frame.iloc[:, l].to_numpy(dtype=float, na_value=np.nan)
        except (TypeError, ValueError) as error:
            raise ValueError(f"expected numbers in column {label!r}: {error}") from error
        largest = float(np.nanmax(np.abs(numbers[:, l]), initial=0.0))
        expect(largest <= LARGEST, f"finite numbers up to {LARGEST:g} in column {label!r}", largest)
    if missing == "error" and frame.shape[1] and np.isnan(numbers).any():
        as_attributes(type(frame)(numbers, frame.index, frame.columns))  # names row and column
    return numbers


def trimmed_variances(X: np.ndarray) -> np.ndarray:
    """Compute variances of attributes, values beyond `trimmed_limits` moved onto these: (n, q) -> (q,)."""
    return np.nanvar(np.clip(X, *trimmed_limits(X)), axis=0)


def gini_indices(codes: np.ndarray, domain: Domain) -> np.ndarray:
    """Compute 1 - sum of squared shares of the values of each attribute: (n, p) codes -> (p,)."""
    counts = [np.bincount(column, minlength=size)[:size] for column, size in zip(codes.T, domain.sizes)]
    return np.array([1.0 - np.sum((count / count.sum()) ** 2) for count in counts])


def distant_objects(
    data: MixedTable, space: MixedSpace, rows: Rows, n_clusters: int, limit: float, rng: np.random.RandomState
) -> Rows:
    """Draw objects far from each other, as k-means++ does with some candidates for each.

    Squared distances above `limit` count as `limit`, so outliers are not more likely than objects of other
    clusters.
    """
    n, trials = len(data.numbers), 2 + int(np.log(n_clusters))
    chosen = [rng.randint(n)]
    nearest = _squared(data, space, rows, chosen, limit)[:, 0]
    for _ in range(1, n_clusters):
        total = nearest.sum()
        shares = nearest / total if total > 0 else None
        candidates = rng.choice(n, trials, p=shares)
        distances = np.minimum(_squared(data, space, rows, candidates, limit), nearest[:, None])
        best = int(distances.sum(axis=0).argmin())
        chosen.append(int(candidates[best]))
        nearest = distances[:, best]
    return rows.take(chosen)


def _squared(data: MixedTable, space: MixedSpace, rows: Rows, places: Sequence[int], limit: float):
    """Return the squared distances of all objects to some of them, `limit` at most: (n, m)."""
    return np.minimum(prototype_distances(data, *space.prototypes(rows.take(places))), limit)

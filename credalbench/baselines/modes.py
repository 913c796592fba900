"""What k-modes and fuzzy k-modes share: tables of categories, starts, modes, predictions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from credalbench.core.arguments import Choice, Table, expect_count
from credalbench.core.categories import Domain, as_table, mismatches, read_table
from credalbench.core.distances import DistancesToPrototypes
from credalbench.core.progress import track

if TYPE_CHECKING:
    import pandas as pd

Init = Annotated[str | npt.ArrayLike, Choice("random") | Table()]


class ModesClusterer(DistancesToPrototypes, ClusterMixin, BaseEstimator):
    """Base of the clusterers of tables of categories with ``prototypes_``. It has no loop of its own."""

    def _mismatches(self, X: npt.ArrayLike | pd.DataFrame):
        """Count mismatches of other objects and prototypes, (n', p) -> (n', c); warn of unseen values."""
        check_is_fitted(self)
        X = as_table(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        return mismatches(self._domain.encode_new(X), self._weights, self._domain)

    def _distances(self, X: npt.ArrayLike | pd.DataFrame):
        return np.asarray(self._mismatches(X), dtype=np.float64)

    def _read(self, X: npt.ArrayLike | pd.DataFrame) -> np.ndarray:
        """Check `X` and what depends on it, and keep its domain: codes (n, p)."""
        X = as_table(X)
        validate_data(self, X, skip_check_array=True)
        expect_count("n_clusters", self.n_clusters, 1, len(X), "n_samples")
        codes, self._domain = read_table(X, self.missing)
        self.categories_ = list(self._domain.categories)
        return codes

    def _starts(self, codes: np.ndarray, rng: np.random.RandomState) -> Iterator[np.ndarray]:
        """Yield stacked starting prototypes (n_rows, c): different objects, `n_init` times, or given ones."""
        domain = self._domain
        if isinstance(self.init, str):
            for _ in track(range(self.n_init), "start"):
                yield domain.stack_objects(different_objects(codes, self.n_clusters, rng))
        else:
            yield domain.stack_objects(domain.encode_prototypes(self.init, self.n_clusters))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


def different_objects(codes: np.ndarray, n_clusters: int, rng: np.random.RandomState) -> np.ndarray:
    """Return objects drawn at random, (c, p), none like an earlier one unless there is no other."""
    free, chosen = np.ones(len(codes), dtype=bool), []
    for _ in range(n_clusters):
        left = np.flatnonzero(free)
        chosen.append(rng.choice(left) if left.size else rng.randint(len(codes)))
        free &= (codes[chosen[-1]] != codes).any(axis=1)
    return codes[chosen]


def modes(frequencies: np.ndarray, domain: Domain) -> np.ndarray:
    """Return the most frequent values of each cluster, the first of equals: (n_rows, c) -> codes (c, p)."""
    spans = zip(domain.starts, domain.starts + domain.sizes)
    return np.stack([frequencies[first:end].argmax(axis=0) for first, end in spans], axis=1)


def mode_table(weights: np.ndarray, domain: Domain) -> pd.DataFrame:
    """Return each attribute's value of largest weight, the first of equals; None where none has weight.

    Stacked (n_rows, c) -> (c, p) table.
    """
    blocks = zip(domain.categories, domain.unstack(weights), modes(weights, domain).T)
    return domain.frame([np.where(block.any(axis=1), known[z], None) for known, block, z in blocks])

"""Choose the pairs of objects that EVCLUS compares, and the dissimilarity d0 of conflict."""

import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import squareform
from sklearn.base import BaseEstimator

from credalbench.cluster.conflict.pair_sampling import (
    expect_single_precision,
    pair_dissimilarities,
    sample_partners,
)
from credalbench.cluster.conflict.stress import AllPairs, SampledPairs, Stress
from credalbench.cluster.conflict.tile_dissimilarities import filler, transformed_tiles
from credalbench.cluster.conflict.tile_graph import draw_tiles
from credalbench.cluster.conflict.tile_pairs import TilePairs
from credalbench.cluster.conflict.transformation import d0_from_quantile, transformed
from credalbench.cluster.inputs.dissimilarities import TiledDissimilarities, dissimilarity_matrix
from credalbench.core.arguments import LARGEST, Array, expect, expect_count, expect_partners
from credalbench.core.checks import near_zero

REACH = 1e15  # largest d0, as a multiple of the largest dissimilarity; single precision loses more


@dataclass(frozen=True)
class ComparedPairs:
    """Parameters of `EVCLUS` by their names, and the (n, k) `partners` if they are given."""

    metric: str | Callable
    symmetrize: bool
    solver: str
    n_clusters: int
    n_pairs: int | None
    pair_sampling: str
    pair_updates: str
    pair_precision: str
    pair_folder: str | os.PathLike | None
    d0: float | None
    alpha: float
    partners: npt.ArrayLike | None

    @classmethod
    def of(cls, estimator: BaseEstimator, partners: npt.ArrayLike | None) -> Self:
        """Read the parameters of an EVCLUS."""
        names = [field.name for field in fields(cls)[:-1]]
        return cls(*(getattr(estimator, name) for name in names), partners)

    @property
    def given(self) -> bool:
        """Whether dissimilarities are given, not attributes."""
        return isinstance(self.metric, str) and self.metric == "precomputed"

    def are_all(self, n: int) -> bool:
        """Return whether all pairs are compared: k is None or n - 1, or the tiles would contain all."""
        if self.partners is not None:
            return False
        in_tiles = self.pair_sampling == "tiles"
        return self.n_pairs in (None, n - 1) or (in_tiles and 2 * self.n_pairs >= n - 1)

    def validate(self, X: np.ndarray | TiledDissimilarities) -> None:
        """Raise an error for settings that do not fit each other, or partners that do not fit `X`."""
        is_folder = self.pair_folder is None or os.path.isdir(self.pair_folder)
        expect(is_folder, "pair_folder to be a folder", self.pair_folder)
        if isinstance(X, TiledDissimilarities):
            expect(self.given, 'metric="precomputed" for dissimilarities', self.metric)
            in_tiles = self.n_pairs is not None and self.pair_sampling == "tiles" and self.partners is None
            expect(in_tiles, 'n_pairs and pair_sampling="tiles" for tiled dissimilarities', self.n_pairs)
        if self.n_pairs is not None:
            expect_count("n_pairs", self.n_pairs, 1, len(X) - 1, "n_samples - 1")
        if self.partners is None and self.n_pairs is not None and self.pair_sampling == "tiles":
            expected = 'pair_sampling="independent" for one-sided updates'
            expect(self.pair_updates == "two-sided", expected, self.pair_sampling)
        if self.partners is not None:
            self._validate_partners(X, np.asarray(Array().read("partners", self.partners)))

    def _validate_partners(self, X: np.ndarray, partners: np.ndarray) -> None:
        n = len(X)
        expect(self.n_pairs is None, "n_pairs=None when the partners are given", self.n_pairs)
        expect_partners(partners, n)
        k = partners.shape[1]
        expect(k < n, f"at most {n - 1} partners of {n} objects", k)
        twice = (np.diff(np.sort(partners, axis=1), axis=1) == 0).any(axis=1)
        expect(not twice.any(), "distinct partners", f"repeated ones of object {twice.argmax()}")
        if self.given:
            expect(X.shape == partners.shape, f"dissimilarities of shape {partners.shape}", X.shape)
            expect((X >= 0).all(), "non-negative dissimilarities", float(X.min()))

    def stress(
        self, X: np.ndarray | TiledDissimilarities, rng: np.random.RandomState, quantile: float | None
    ) -> tuple[Stress, float]:
        """Return the stress over all, given or sampled pairs, and the d0 of their dissimilarities."""
        n = len(X)
        if self.metric == "euclidean":
            X, _ = near_zero(X)
        if self.are_all(n):
            D = X if self.given else dissimilarity_matrix(X, self.metric, self.symmetrize)
            d0 = self._resolve_d0(squareform(D, checks=False), quantile, condensed=True)
            return AllPairs(transformed(D, d0, self.alpha, out=None if self.given else D)), d0
        if self.given and isinstance(X, np.ndarray):
            expect_single_precision(float(X.max()))
        elif self.metric == "euclidean":
            expect_single_precision(float(np.ptp(X, axis=0).max()))
        if self.partners is None and self.pair_sampling == "tiles":
            graph = draw_tiles(n, self.n_pairs, rng)
            fill = filler(X, self.metric, graph)
            delta, d0 = transformed_tiles(
                graph, fill, lambda d: self._resolve_d0(d, quantile), self.alpha,
                precision=self.pair_precision, folder=self.pair_folder, in_threads=self.metric == "euclidean",
            )  # fmt: skip
            return TilePairs(graph, delta), d0
        if self.partners is None:
            partners = sample_partners(n, self.n_pairs, rng)
            d = pair_dissimilarities(X, partners, self.metric)
        else:
            partners = np.array(self.partners, np.int32)
            d = np.array(X, np.float32) if self.given else pair_dissimilarities(X, partners, self.metric)
        d0 = self._resolve_d0(d, quantile)
        delta = transformed(d, d0, self.alpha, out=d)
        return SampledPairs(partners, delta, self.pair_updates == "two-sided"), d0

    def _resolve_d0(self, d: np.ndarray, quantile: float | None, condensed: bool = False) -> float:
        """Return the d0 of dissimilarities `d`."""
        if self.d0 is None:
            return d0_from_quantile(d, quantile, condensed=condensed)
        largest, d0 = float(d.max()), float(self.d0)
        expect(largest > 0, "some positive dissimilarity", "zeros only: no compared objects differ")
        expected = f"d0 between {1 / LARGEST:g} and {REACH:g} times the largest dissimilarity"
        expect(largest / LARGEST < d0 < largest * REACH, f"{expected}, {largest:.3g}", self.d0)
        return d0

"""Memory and time of a fit of EVCLUS, estimated before it starts."""

from dataclasses import dataclass

from credalbench.cluster.conflict.block_dissimilarities import PRECISIONS
from credalbench.cluster.conflict.preliminary import bytes_of_short_fit
from credalbench.cluster.inputs.dissimilarities import expect_matrices
from credalbench.cluster.inputs.focal_sets import FEWER_SETS
from credalbench.core.resources import expect_memory, size_text, warn_if_slow

# (n, f) arrays at a time: those of a run, measured, and the start that is kept
MASS_ARRAYS = {"irqp": 6, "gradient": 15, "lbfgs": 46}
BYTES_PER_PAIR = 28  # of independent pairs: partner and dissimilarity, both once more from either end, a copy
ROW_PASSES = 8  # what a row programme costs, in products of an (f, f) matrix with a vector, measured
ENOUGH = 100  # partners of an object, advised where there are too many pairs


@dataclass(frozen=True)
class Needs:
    """What a fit to n objects with p attributes (0: dissimilarities) takes, for c clusters and f focal sets.

    `pairs` is "all", "blocks" or "independent", with k partners of each object; `precision` that of blocks.
    """

    n: int
    p: int
    c: int
    f: int
    k: int | None
    pairs: str
    solver: str
    precision: str = "single"

    @property
    def bytes_of_masses(self) -> float:
        """Masses and other arrays with a row for each object; attributes."""
        return 8 * (MASS_ARRAYS[self.solver] * self.n * self.f + 6 * self.f**2 + self.n * self.p)

    @property
    def _bytes(self) -> int:
        return PRECISIONS[self.precision].itemsize

    def bytes_of_pairs(self, in_file: bool = False) -> float:
        """All of a fit to sampled pairs."""
        of_pair = (0 if in_file else self._bytes) if self.pairs == "blocks" else BYTES_PER_PAIR
        need = of_pair * self.n * self.k + self.bytes_of_masses + 8 * self.n * self.p
        return max(need, bytes_of_short_fit(self.n, self.c))

    def check(self, *, given: bool, in_file: bool = False) -> None:
        """Refuse what does not fit into memory, warn of what takes long.

        Raises
        ------
        NotEnoughMemory
        """
        n, k, f, pairs = self.n, self.k, self.f, self.pairs
        if pairs == "all":
            sampled = Needs(n, self.p, self.c, f, ENOUGH, "blocks", self.solver)
            advice = f"n_pairs={ENOUGH}, which compares each object with {ENOUGH} others only"
            if n - 1 > 2 * ENOUGH:
                advice += f" and needs about {size_text(sampled.bytes_of_pairs())}"
            more = max(self.bytes_of_masses, bytes_of_short_fit(n, self.c))
            expect_matrices(1 if given else 2, n, advice, more=more)
        else:
            fewer = f"fewer n_pairs, or {FEWER_SETS}"
            if pairs == "blocks" and not in_file:
                fewer = f"pair_folder, which keeps {size_text(self._bytes * n * k)} of it in a file, {fewer}"
            what = f"{k} pairs of each of {n} objects, with masses on {f} focal sets"
            expect_memory(self.bytes_of_pairs(in_file), what, fewer)
        operations = {"all": n - 1, "blocks": 2 * (k or 0), "independent": (k or 0) * f}[pairs]
        warn_if_slow(
            n * (operations * f + ROW_PASSES * f**2),
            f"a sweep over {n} objects and {f} focal sets",
            FEWER_SETS if pairs == "all" else f"fewer n_pairs, or {FEWER_SETS}",
        )

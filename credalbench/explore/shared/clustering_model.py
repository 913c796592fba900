"""Models of explorers that look for a number of clusters from random starts."""

from __future__ import annotations

import traitlets as t

from credalbench.explore.shared.parameter import parameter
from credalbench.explore.shared.refitting_model import RefittingModel


class ClusteringModel(RefittingModel):
    """A `RefittingModel` of objects in clusters.

    The number of clusters becomes the number of known classes when the data change; `restart` takes the next
    seed.
    """

    n_clusters = parameter(t.Int(2), "clusters c", "Number of clusters", low=2, slider=(2, 10, 1))
    seed = parameter(t.Int(0), tooltip="Random start", low=0)

    def restart(self) -> None:
        """Fit again from new random starts."""
        self.seed += 1

    def _adapt(self, changed: set[str]) -> None:
        if "data" in changed and "n_clusters" not in changed:
            self.n_clusters = max(2, self.subject.n_classes)

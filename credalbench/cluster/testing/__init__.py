"""Checks of what every clusterer promises, for those of credalbench and for others'."""

from credalbench.cluster.testing.suite import Check, check_clusterer, clusterer_checks

__all__ = ["Check", "check_clusterer", "clusterer_checks"]

"""Checks of what every clusterer promises, for the clusterers of credalbench and for your own."""

from credalbench.cluster.testing.suite import Check, check_clusterer, clusterer_checks

__all__ = ["Check", "check_clusterer", "clusterer_checks"]

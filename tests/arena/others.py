"""A package of others with clusterers, as it is when it is installed: a folder with metadata."""

from pathlib import Path
from textwrap import dedent

SOURCE = '''
"""Clusterers of another package."""

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin


class Halves(ClusterMixin, BaseEstimator):
    """Cuts the first attribute into parts of equal numbers of objects."""

    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def fit(self, X, y=None):
        ranks = np.argsort(np.argsort(np.asarray(X)[:, 0]))
        self.labels_ = ranks * self.n_clusters // len(ranks)
        return self


class Broken(Halves):
    """Cannot do it."""

    def fit(self, X, y=None):
        raise RuntimeError("three | is <too> many")
'''


def install(folder: Path) -> Path:
    """Write the package ``outsider`` and its metadata, with an entry point for its first class."""
    package, metadata = folder / "outsider", folder / "outsider-1.0.dist-info"
    package.mkdir(parents=True)
    metadata.mkdir()
    (package / "__init__.py").write_text(SOURCE)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: outsider\nVersion: 1.0\n")
    points = """\
        [credalbench.clusterers]
        Halves = outsider:Halves
        """
    (metadata / "entry_points.txt").write_text(dedent(points))
    return folder

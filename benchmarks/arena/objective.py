"""The arena: clusterers on data sets with known classes, as a benchmark of benchopt.

It needs the extra `benchmarks` (`pip install '.[benchmarks]'` in a clone). Then, in this folder::

    benchopt run . -s "clusterer[method=[ECM,k-means]]" -d "papers[data=[iris,wine]]" -r 3 --no-plot
    benchopt run . -r 20 -j 2 --no-plot --output ./outputs/all.csv
    python page.py outputs/all.csv

The first line is a trial; the other two are all methods and data sets, and the page docs/arena.md. benchopt
keeps what it has computed: the same command continues a run that was stopped, and `-f clusterer` computes
again, which a changed method needs.

A clusterer of yours takes part by its class, ``-s "clusterer[method='mypackage.module:MyClusterer']"``, or by
a file in `solvers/` with a solver of its own; a data set by a file in `datasets/`.
"""

import numpy as np
from benchmark_utils import certainty, error_after_rejection, outlier_shares, with_outliers
from benchopt import BaseObjective
from scipy.spatial.distance import cdist

from credalbench.belief import CredalPartition
from credalbench.metrics import adjusted_credal_rand, adjusted_rand
from credalbench.select import select_by_silhouette
from credalbench.tables.gower import gower_dissimilarities

MAX_OBJECTS = 150  # of larger data sets so many are drawn, anew in each run
MOST_CLUSTERS = 20  # that are looked for
FAILED = {"ari": 0.0, "credal": 0.0, "error": 1.0, "kept_error": 1.0}  # what a failed fit counts as


class Objective(BaseObjective):
    """Agreement of a partition with classes that no method sees.

    Tasks: *known*, the number of clusters is that of the classes; *tuned*, the same with the best of some
    settings; *unknown*, the method finds the number, or `select_by_silhouette` does; *outliers*, some are
    planted, and called outliers or not.
    """

    name = "arena"
    min_benchopt_version = "1.9"
    sampling_strategy = "run_once"
    parameters = {"task": ["known", "tuned", "unknown", "outliers"]}  # noqa: RUF012
    test_dataset_name = "generated"

    def skip(self, kind, draw, about="", **more):
        if draw is None:
            return True, about  # why the data cannot be had
        if self.task == "outliers" and kind != "attributes":
            return True, "outliers are planted in tables of numbers"
        return False, None

    def set_data(self, kind, draw, origin="", about="", units=False):
        """Take a data set: `draw` is a function of a random generator that returns objects and classes."""
        self.kind, self.draw, self.units = kind, draw, units
        self.about = {"kind": kind, "origin": origin, "about": about, "scaled": units}
        self.drawn = {}  # by seed, for all methods

    def get_objective(self):
        seed = self.get_seed(use_dataset=True, use_repetition=True)  # the same for all methods and tasks
        if seed not in self.drawn:
            self.drawn[seed] = self._objects(np.random.default_rng(seed))
        found = dict(self.drawn[seed])
        self.y = found.pop("y")
        return found | {"kind": self.kind, "task": self.task}

    def _objects(self, rng):
        X, y = self.draw(rng)
        if len(y) > MAX_OBJECTS:
            rows = np.sort(rng.choice(len(y), MAX_OBJECTS, replace=False))
            y = y[rows]
            if self.kind == "dissimilarities":
                X = X[np.ix_(rows, rows)]
            else:
                X = X[rows] if isinstance(X, np.ndarray) else X.iloc[rows].reset_index(drop=True)
        if self.kind == "attributes":
            X = np.asarray(X, float)
            X = X[:, np.ptp(X, axis=0) > 0]
            X = (X - X.mean(axis=0)) / X.std(axis=0) if self.units else X
        if self.task == "outliers":
            X = with_outliers(X, rng)
        D = np.asarray(X)
        if self.kind != "dissimilarities":
            D = cdist(X, X) if self.kind == "attributes" else gower_dissimilarities(X)
        n_clusters = len(np.unique(y))
        if self.task == "unknown":
            most = min(MOST_CLUSTERS, max(12, int(len(D) ** 0.5)), len(D) // 3)
            once = {"n_references": 1, "n_resamples": 1}  # say how sure the choice is, and do not change it
            seed, numbers = int(rng.integers(2**31)), range(2, most + 1)
            choice = select_by_silhouette(D, numbers, metric="precomputed", random_state=seed, **once)
            n_clusters = choice.best
        return {"X": X, "D": D, "y": np.unique(y, return_inverse=True)[1], "n_clusters": n_clusters}

    def evaluate_result(self, labels=None, partition=None, failure="", answer="hard", **about):
        """Compare labels, −1 an outlier, and a credal partition if there is one, with the classes."""
        row = self.about | about | {"failure": failure, "answer": answer, "value": 0.0}
        if labels is None:
            return row | ({} if self.task == "outliers" else FAILED)
        if self.task == "outliers":
            return row | outlier_shares(partition if answer == "credal" else None, labels, len(self.y))
        if partition is None:
            partition = CredalPartition.from_labels(np.unique(labels, return_inverse=True)[1])
        ari, sure = adjusted_rand(self.y, labels), certainty(partition)
        row |= {"value": ari, "ari": ari, "credal": adjusted_credal_rand(self.y, partition)}
        row["error"] = error_after_rejection(self.y, labels, sure, 0.0)
        row["kept_error"] = error_after_rejection(self.y, labels, sure)
        return row | {"n_clusters": len(np.unique(labels[labels >= 0]))}

    def get_one_result(self):
        return {"labels": np.zeros(len(self.y), int)}

"""Any clusterer: a name of `credalbench.select.methods`, or ``package.module:Class`` as of scikit-learn."""

import pkgutil
import time
import warnings

import numpy as np
from benchmark_utils import limited, silhouette
from benchopt import BaseSolver
from sklearn.base import clone
from sklearn.utils import get_tags

from credalbench.belief import CredalPartition
from credalbench.core.arguments import arguments_of
from credalbench.core.kernels import compile_kernels
from credalbench.select.criteria import is_pairwise
from credalbench.select.methods import METHODS
from credalbench.select.selection import NAMES
from credalbench.select.stability import partition_of

#: Values that are tried besides the defaults, one at a time, where a method has the parameter.
GRID = {
    "metric": ("euclidean", "mahalanobis"),
    "covariance_type": ("spherical", "diag", "tied", "full"),
    "m": (1.5, 2.0, 3.0),
    "d0_quantile": ("auto", 0.5, 0.9),
    "q": (0.5, 0.9),
    "focal_sets": ("simple", "pairs"),
}
FAILURES = {TimeoutError: "time limit", MemoryError: "memory limit", Exception: "error"}


class Solver(BaseSolver):
    """One fit with default settings, or with those of `GRID` that have the best silhouette."""

    name = "clusterer"
    parameters = {"method": list(METHODS)}  # noqa: RUF012

    def skip(self, kind, **objective):
        takes = self.takes(kind) is not None
        return not takes, None if takes else f"{self.method} does not take {kind}"

    @property
    def estimator(self):
        known = METHODS.get(self.method)
        return known.estimator if known else pkgutil.resolve_name(self.method)()

    def takes(self, kind):
        """Return what it is fitted to, "X" or "D", and the settings for it; None: it takes no such data."""
        tags, names = get_tags(self.estimator).input_tags, self.estimator.get_params(deep=False)
        if tags.categorical:
            mixed = "categorical" in names and kind != "dissimilarities"
            return ("X", {}) if mixed or kind == "categories" else None
        if tags.pairwise:
            return "D", {}
        if kind == "attributes":
            return ("X", {}) if tags.two_d_array else None
        given = {"metric": "precomputed"}
        pairs = "metric" in names and is_pairwise(clone(self.estimator).set_params(**given))
        return ("D", given) if pairs else None

    def set_objective(self, kind, task, X, D, n_clusters):
        source, given = self.takes(kind)
        self.X, self.D = (D if source == "D" else X), D
        self.model = clone(self.estimator).set_params(**given)
        names = self.model.get_params(deep=False)
        own = type(self.model).__module__.startswith("credalbench.")
        arguments = arguments_of(type(self.model)) if own else {}
        number = next((name for name in NAMES if name in names), None)
        self.finds_number = number is None or names[number] is None
        self.finds_number |= own and arguments[number].accepts(None)
        if number is not None:
            found = task == "unknown" and self.finds_number
            self.model.set_params(**{number: None if found else n_clusters})
        self.seed = self.get_seed(use_dataset=True, use_repetition=True) % 2**31
        if "random_state" in names:
            self.model.set_params(random_state=self.seed)
        free = [(name, value) for name in GRID if name in names and name not in given for value in GRID[name]]
        self.tried = [{}] + [
            {name: value}
            for name, value in (free if task == "tuned" else [])
            if value != names[name] and (not own or arguments[name].accepts(value))
        ]

    def warm_up(self):
        compile_kernels()

    def run(self, _):
        self.result = max(map(self.fit, self.tried), key=lambda one: one["silhouette"])  # the first of equals

    def fit(self, setting):
        """Fit within limits; what goes wrong is an answer, too."""
        words = ", ".join(f"{name}={value}" for name, value in setting.items()) or "defaults"
        about = {"setting": words, "finds_number": self.finds_number, "silhouette": -2.0}
        np.random.seed(self.seed)  # noqa: NPY002  (others' estimators may use it)
        try:
            with warnings.catch_warnings(action="ignore"), limited():
                start = time.process_time()
                model = clone(self.model).set_params(**setting).fit(self.X)
                about["seconds"] = time.process_time() - start
            labels = np.asarray(model.labels_ if hasattr(model, "labels_") else model.predict(self.X))
            if labels.shape != (len(self.X),) or labels.dtype.kind not in "iu":
                raise ValueError(f"expected labels that are {len(self.X)} integers")
            found = partition_of(model, self.X)
            if not hasattr(model, "partition_") and hasattr(model, "predict_proba"):
                found = CredalPartition.from_fuzzy(model.predict_proba(self.X))
        except Exception as error:
            failure = next(word for kind, word in FAILURES.items() if isinstance(error, kind))
            return about | {"failure": failure, "message": f"{type(error).__name__}: {error}"[:400]}
        about |= {"silhouette": silhouette(self.D, labels), "labels": labels}
        if not isinstance(found, CredalPartition):
            return about | {"answer": "hard"}
        return about | {"partition": found, "answer": "credal" if hasattr(model, "partition_") else "fuzzy"}

    def get_result(self):
        return self.result

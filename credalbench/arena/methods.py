"""Who takes part: the clusterers of credalbench, references of scikit-learn, and estimators of others.

Everything about a method is read from its class: from its scikit-learn tags and its constructor the kinds of
data that it takes, from its parameters whether it finds the number of clusters. So a new estimator of
`credalbench.cluster` or `credalbench.baselines` takes part without being listed here. An estimator of another
package takes part by an entry point of the group `credalbench.clusterers`::

    [project.entry-points."credalbench.clusterers"]
    mine = "mypackage.module:MyClusterer"
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import inspect
import pkgutil
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.utils import get_tags

import credalbench.baselines
import credalbench.cluster
from credalbench.core.arguments import arguments_of, expect
from credalbench.core.examples import Examples

GROUP = "credalbench.clusterers"
REFERENCES = {"k-means": "sklearn.cluster:KMeans", "Gaussian mixture": "sklearn.mixture:GaussianMixture"}
NUMBER = ("n_clusters", "n_components")  # names of the parameter that is the number of clusters
OURS, OF_SKLEARN = "credalbench", "sklearn"


@dataclass(frozen=True)
class Entrant:
    """A method of the arena.

    Parameters
    ----------
    name : str
        Its name in tables.
    path : str
        Where its class is: ``"package.module:Class"``.
    """

    name: str
    path: str

    @cached_property
    def estimator(self) -> BaseEstimator:
        """The estimator with its default settings.

        Raises
        ------
        ValueError
            There is no such class, it is no scikit-learn estimator, or it cannot be made without arguments.
        """
        try:
            made = pkgutil.resolve_name(self.path)()
        except Exception as error:
            raise ValueError(
                f"{self.path}: expected package.module:Class, a class that can be called without arguments; "
                f"got {type(error).__name__}: {error}"
            ) from error
        usable = isinstance(made, BaseEstimator) and hasattr(made, "fit")
        expect(usable, f"{self.path} to be a scikit-learn estimator", made)
        return made

    @property
    def package(self) -> str:
        """Name of the top-level package of its class."""
        return self.path.partition(":")[0].partition(".")[0]

    @property
    def is_of_others(self) -> bool:
        """Whether its class is of another package than credalbench and scikit-learn."""
        return self.package not in (OURS, OF_SKLEARN)

    @property
    def version(self) -> str:
        """Digest of the Python files of another package, so that its changes are new results; else empty."""
        if not self.is_of_others:
            return ""
        file = Path(inspect.getsourcefile(pkgutil.resolve_name(self.package)))
        files = sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else [file]
        return hashlib.sha256(b"\0".join(one.read_bytes() for one in files)).hexdigest()[:16]

    @cached_property
    def kinds(self) -> dict[str, dict[str, object]]:
        """The kinds of data that it takes, each with the parameters that it needs for them; perhaps none."""
        tags, names = get_tags(self.estimator).input_tags, self.estimator.get_params(deep=False)
        if tags.categorical:
            mixed = ("attributes", "mixed") if "categorical" in names else ()
            return {kind: {} for kind in ("categories", *mixed)}
        if tags.pairwise:
            return {"dissimilarities": {}}
        if not tags.two_d_array:
            return {}
        found: dict[str, dict[str, object]] = {"attributes": {}}
        given = {"metric": "precomputed"}
        if "metric" in names and get_tags(clone(self.estimator).set_params(**given)).input_tags.pairwise:
            found["dissimilarities"] = given
        return found

    def takes(self, kind: str) -> str | None:
        """Return the kind as which objects of a `kind` are given to it; None if it cannot take them."""
        return next((one for one in (kind, "dissimilarities") if one in self.kinds), None)

    @property
    def number(self) -> str | None:
        """Name of the parameter that is the number of clusters."""
        return next((name for name in NUMBER if name in self.estimator.get_params(deep=False)), None)

    @property
    def finds_number(self) -> bool:
        """Whether it finds the number of clusters itself, where it is None."""
        if self.number is None or self.estimator.get_params(deep=False)[self.number] is None:
            return True
        return self.accepts(self.number, None) and self.package == OURS

    @property
    def is_random(self) -> bool:
        """Whether its result depends on a seed."""
        return "random_state" in self.estimator.get_params(deep=False)

    def accepts(self, parameter: str, value: object) -> bool:
        """Whether a parameter takes a value, as far as its class declares that."""
        if parameter not in self.estimator.get_params(deep=False):
            return False
        try:
            kind = arguments_of(type(self.estimator))[parameter]
        except (TypeError, NameError):
            return True  # nothing is declared: the fit shows it
        return kind.accepts(value)

    def quick(self) -> BaseEstimator:
        """Return the estimator for two clusters, with the quick parameters that it declares."""
        quick = dict(getattr(self.estimator, "examples", Examples()).quick)
        number = {self.number: 2} if self.number else {}
        return clone(self.estimator).set_params(**quick | number)


def entrants(more: tuple[str, ...] = ()) -> list[Entrant]:
    """Return all methods: of credalbench, of scikit-learn, of entry points, and those given by their path.

    Parameters
    ----------
    more : tuple of str, default=()
        Further classes, ``"package.module:Class"``.

    Returns
    -------
    list of Entrant
        With names that are unique.

    Raises
    ------
    ValueError
        Two methods have one name.
    """
    found = [
        Entrant(name, f"{package.__name__}:{name}")
        for package in (credalbench.cluster, credalbench.baselines)
        for name in package.__all__
        if inspect.isclass(one := getattr(package, name)) and issubclass(one, ClusterMixin)
    ]
    found += [Entrant(name, path) for name, path in REFERENCES.items()]
    found += [Entrant(point.name, point.value) for point in importlib.metadata.entry_points(group=GROUP)]
    found += [Entrant(path.rpartition(":")[2], path) for path in more]
    found = list(dict.fromkeys(found))
    names = [one.name for one in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        paths = ", ".join(one.path for one in found if one.name in twice)
        raise ValueError(f"expected one method of each name, got {', '.join(twice)} twice: {paths}")
    return found

"""Random calls: an estimator, its parameters, data, what `fit` takes beside them, what follows."""

import inspect
import re
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn.base import BaseEstimator
from sklearn.utils.validation import has_fit_parameter

from credalbench import baselines, cluster
from credalbench.belief import CredalPartition
from credalbench.core.arguments import Count, Either, Flag, Number, arguments_of

from .sources import CONTAINERS, DISSIMILARITIES, IMPORTS, KINDS, NEW, ODD, SENSIBLE, TABLES, three_groups

SEEDS = ("0", "1")  # fits from these are the same again
ALWAYS = ("n_clusters", "n_bootstrap", "n_estimators", "random_state")  # chosen in each call
MOST_FOLLOW_UPS = 3


def exported(kind):
    """The classes of a `kind` that the library offers."""
    offered = [getattr(package, name) for package in (cluster, baselines) for name in package.__all__]
    return [thing for thing in offered if isinstance(thing, type) and issubclass(thing, kind)]


ESTIMATORS = {cls.__name__: cls for cls in exported(BaseEstimator)}


@dataclass(frozen=True)
class Call:
    """A fit and what follows it, as source text about the numbers `A`."""

    cls: type
    A: np.ndarray
    X: str = "A"
    parameters: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)  # what fit takes beside X
    after: tuple[str, ...] = ()

    @property
    def name(self):
        """What is called, for a report."""
        return self.cls.__name__

    @property
    def fit_arguments(self):
        """What stands in the parentheses of fit."""
        return ", ".join(["X", *(f"{name}={value}" for name, value in self.links.items())])

    @property
    def fitting(self):
        """The statement that fits."""
        given = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"fit = {self.cls.__name__}({given}).fit({self.fit_arguments})"

    @property
    def text(self):
        """A script that can be run."""
        empty = "" if self.A.size else f".reshape{self.A.shape}"
        body = [f"A = np.array({self.A.tolist()}){empty}", f"X = {self.X}", self.fitting, *self.after]
        used = [line for name, line in IMPORTS.items() if re.search(rf"\b{name}\b", "\n".join(body))]
        return "\n".join([*used, f"from {self.cls.__module__} import {self.cls.__name__}", "", *body])


def draw(seed, names=ESTIMATORS):
    """The call of a seed, of one of the estimators named."""
    rng = np.random.default_rng(seed)
    cls = ESTIMATORS[pick(rng, sorted(names))]
    parameters = drawn(rng, cls, inspect.signature(cls).parameters)
    containers = CONTAINERS
    if "symmetrize" in inspect.signature(cls).parameters and rng.random() < 0.4:
        parameters["metric"] = "'precomputed'"
        containers += "squareform(A,checks=False)"
        D = squareform(np.round(pdist(three_groups(rng, rng.integers(2, 40), 2)), 2))
        A = DISSIMILARITIES[pick(rng, DISSIMILARITIES)](rng, D)
    else:
        n, p = int(rng.integers(13) ** 1.65), rng.integers(1, 7)  # up to 60, small ones often
        A = TABLES[pick(rng, TABLES)](rng, three_groups(rng, n, p))
    X = pick(rng, containers) if rng.random() < 0.2 else "A"
    accepted = [name for name in inspect.signature(cls.fit).parameters if name not in ("self", "X", "y")]
    call = Call(cls, A, X, parameters, drawn(rng, cls, accepted))
    n_after = rng.integers(MOST_FOLLOW_UPS + 1)
    return replace(call, after=tuple(pick(rng, follow_ups(call, rng)) for _ in range(n_after)))


def pick(rng, words):
    """One of several sources, or of a text of them."""
    words = words.split() if isinstance(words, str) else list(words)
    return words[rng.integers(len(words))]


def drawn(rng, cls, names):
    """Values for some of the named arguments: sensible ones for every third, odd ones for few."""
    chosen = {}
    for name in names:
        luck = rng.random()
        c = chosen.get("n_clusters", "2")
        if luck < 0.02:
            chosen[name] = pick(rng, ODD)
        elif luck < 0.35 or name in ALWAYS:
            chosen[name] = pick(rng, sensible(cls, name)).replace("{c}", c if c.isdigit() else "2")
    return chosen


def sensible(cls, name):
    """Sources for a parameter: the choices that its docstring lists and kinds that it names, or ours."""
    entry = re.search(rf"^{name} : (.*)$", inspect.cleandoc(cls.__doc__), flags=re.MULTILINE)
    described = entry[1] if entry else ""
    choices = "".join(re.findall(r"\{.*\}", described)).replace('"', "'")
    kinds = " ".join(sources for kind, sources in KINDS.items() if kind in described)
    offered = f"{choices.strip('{}').replace(',', ' ')} {kinds}".strip()
    known = SENSIBLE.get(f"{cls.__name__} {name}") or SENSIBLE.get(name)
    return offered or known or values_of(arguments_of(cls)[name])


def values_of(kind):
    """Sources of values that a kind accepts."""
    if isinstance(kind, Either):
        return " ".join(map(values_of, kind.kinds))
    values = {Flag: [True, False], Count: [1, 2, 5, 20], Number: [0.1, 0.5, 1.0, 2.0, 10.0]}.get(
        type(kind), []
    )
    return " ".join(repr(value) for value in values if not refuses(kind, value)) or "None"


def refuses(kind, value):
    """Whether a value is not of a kind, or out of its range."""
    try:
        kind.read("value", value)
    except ValueError:
        return True
    return False


def follow_ups(call, rng):
    """Expressions about a fit whose values must be finite; laws, with ``==``, must hold."""
    found = ["repr(fit)", f"fit.fit({call.fit_arguments})"]
    if call.parameters.get("random_state", SEEDS[0]) in SEEDS:
        result = "objective_" if "objective_" in call.cls.__doc__ else "labels_"
        found.append(f"clone(fit).fit({call.fit_arguments}).{result} == fit.{result}")
    for name in ("predict", "predict_partition", "predict_membership", "score", "transform"):
        if hasattr(call.cls, name):
            found.append(f"fit.{name}({pick(rng, NEW)})")
            found.append(f"pickle.loads(pickle.dumps(fit)).{name}(X[:5]) == fit.{name}(X[:5])")
    if call.cls.__name__ in cluster.__all__:
        found += [f"fit.partition_ and fit.partition_.{name}" for name in operations()]
        found.append("add_pairs(fit.partition_, 1)")
    parameters = inspect.signature(call.cls).parameters
    if hasattr(call.cls, "predict_partition") and "delta" in parameters and "symmetrize" not in parameters:
        found.append("delta_for_rejection_rate(clone(fit), X, 0.1, max_fits=5).delta")
        if has_fit_parameter(call.cls, "must_link"):
            found.append("ActiveLearner(clone(fit), X).run(np.arange(len(A)) % 2, 2)[-1].labels")
    return found


def operations():
    """What a credal partition answers without an argument: ``"contour"``, ``"labels()"``, ..."""
    for name, member in inspect.getmembers(CredalPartition):
        if name.startswith("_") or name == "plot" or inspect.ismethod(member):  # a picture has no number
            continue
        if not callable(member):
            yield name
        elif all(p.default is not p.empty for p in list(inspect.signature(member).parameters.values())[1:]):
            yield f"{name}()"

"""The CECM explorer without its widgets: constraints between chosen objects, and the fit that heeds them.

The model knows no widget. A view links to its traits; a test calls its actions and reads `fitted`::

    model = CECMModel("two_class:400:2", metric="mahalanobis")
    model.choose(3, 210)
    model.link("cannot-link")
    model.fitted.rand
"""

import warnings
from time import perf_counter

import traitlets as t

from credalbench.cluster import CECM, ECM
from credalbench.cluster.constrained.pair_proposals import propose_pair
from credalbench.constraints import PairwiseConstraints
from credalbench.datasets import make_two_class_cecm
from credalbench.explore.cecm_fit import Fitted, describe
from credalbench.explore.refitting_model import RefittingModel, as_sentence
from credalbench.explore.subject import subject_from_dataset, subject_from_name

METRICS = ("euclidean", "mahalanobis")
FOCAL_FAMILIES = ("simple", "pairs", "full")
STARTS = ("k-means++", "k-means", "random")
KINDS = ("must-link", "cannot-link")
#: What a second chosen object does: nothing yet, or a constraint at once.
SECOND_CHOICES = ("wait", *KINDS, "truth")
#: A fit must end while somebody waits for the picture.
MAX_FOCAL_SETS = 64
#: Distances to the empty set of Section 5.2, by the beginning of the name of the data.
PUBLISHED_DELTA = {"two_class": 10.0, "iris": 31.6}


class CECMModel(RefittingModel):
    """Data, parameters, constraints and fit of the CECM explorer.

    Without constraints the fit is ECM's; with them CECM's, where the weighting exponent is 2 whatever `beta`
    says. Objects are named by their rows in the data, from 0.

    Attributes
    ----------
    data : str
        Name of a data set with attributes, ``two_class:400:2`` for draw number 2 of 400 objects of the
        two-class recipe, or path of an own table.
    n_clusters : int
        c; set to the number of known classes when the data change.
    alpha, beta, delta, xi : float
        As in `CECM` and `ECM`. `delta` follows the data when they change.
    metric, focal_sets, init : str
        One of `METRICS`, `FOCAL_FAMILIES`, `STARTS`.
    n_init : int
        Starts; the fit of lowest objective is shown.
    seed : int
        Random start; `restart` takes the next one.
    links : tuple of (int, int, str)
        The constraints in the order in which they came; the third is one of `KINDS`. They belong to the data:
        other data have their own, and the old ones are there again when one returns.
    chosen_objects : tuple of at most two int
    second_choice : str
        One of `SECOND_CHOICES`.
    fitted : Fitted or None
    """

    PARAMETERS = (
        *RefittingModel.PARAMETERS,
        "n_clusters",
        "alpha",
        "beta",
        "delta",
        "xi",
        "metric",
        "focal_sets",
        "init",
        "n_init",
        "seed",
        "links",
    )
    STEM = "cecm"

    n_clusters = t.Int(2)
    alpha = t.Float(1.0)
    beta = t.Float(2.0)
    delta = t.Float(10.0)
    xi = t.Float(0.5)
    metric = t.Unicode("euclidean")
    focal_sets = t.Unicode("full")
    init = t.Unicode("k-means++")
    n_init = t.Int(3)
    seed = t.Int(0)
    links = t.Tuple()

    chosen_objects = t.Tuple()
    second_choice = t.Enum(SECOND_CHOICES, default_value="wait")
    fitted = t.Instance(Fitted, allow_none=True)

    def __init__(self, data="two_class:400:2", **parameters):
        self._history = []  # links before each change, for undo
        self._good_links = ()
        self._links_by_data = {}
        self._slipped = False  # whether the message is about an action, which the next one makes stale
        super().__init__(data, **parameters)

    def _guarded(self, action):
        if self._slipped:
            self.report(self.subject.note if self.subject is not None else "")
        before = self.message
        super()._guarded(action)
        self._slipped = self.is_error and self.message != before

    # -- constraints ------------------------------------------------------------------------------------

    def choose(self, *objects):
        """Choose exactly these objects, at most two."""

        def check():
            n = self.subject.n_objects if self.subject else 0
            for i in objects:
                if not 0 <= i < n:
                    raise ValueError(f"expected objects 0 to {n - 1}; got {i}")
            if len(objects) > 2 or len(set(objects)) < len(objects):
                raise ValueError(f"expected at most two different objects; got {list(objects)}")
            self.chosen_objects = tuple(int(i) for i in objects)

        self._guarded(check)

    def click(self, i):
        """Choose object `i` as well, or drop it if it is chosen; a third one begins a new pair.

        A second object makes a constraint at once where `second_choice` says so.
        """
        chosen = self.chosen_objects
        if i in chosen:
            self.choose(*(j for j in chosen if j != i))
            return
        self.choose(*(chosen if len(chosen) < 2 else ()), i)
        if len(self.chosen_objects) == 2 and self.second_choice != "wait":
            self.link(self.second_choice)

    def link(self, kind):
        """Constrain the two chosen objects: "must-link", "cannot-link", or "truth" for what classes say.

        What is refused, and why, becomes `message`; nothing else changes then.
        """
        self._guarded(lambda: self._link(kind))

    def _link(self, kind):
        if kind not in (*KINDS, "truth"):
            raise ValueError(f"expected one of {', '.join((*KINDS, 'truth'))}; got {kind!r}")
        if len(self.chosen_objects) < 2:
            raise ValueError("choose two objects first")
        i, j = sorted(self.chosen_objects)
        if kind == "truth":
            if self.subject.y is None:
                raise ValueError(f"the classes of {self.subject.name} are unknown: say it yourself")
            kind = KINDS[int(self.subject.y[i] != self.subject.y[j])]
        if (i, j, kind) in self.links:
            raise ValueError(f"there is a {kind} between {i} and {j} already")
        self.links = (*self.links, (i, j, kind))
        if not self.is_error:
            self.chosen_objects = ()
            self.report(f"{kind.capitalize()} between {i} and {j}. {self.message}".strip())

    def undo(self):
        """Take back the last change of the constraints, clearing included."""

        def step_back():
            if not self._history:
                raise ValueError("there is nothing to undo")
            self.links = self._history.pop()
            self._history.pop()  # the undoing is no step of its own

        self._guarded(step_back)

    @property
    def can_undo(self):
        """Whether `undo` has something to take back."""
        return bool(self._history)

    def clear(self):
        """Drop all constraints; `undo` brings them back."""
        if self.links:
            self.links = ()

    def suggest(self):
        """Choose the pair that active learning would ask about next, and say so."""

        def propose():
            fitted = self.fitted
            if fitted is None:
                raise ValueError("there is no fit to learn from yet")
            pair = propose_pair(
                fitted.subject.attributes,
                fitted.partition,
                fitted.centers,
                fitted.norm_matrices,
                fitted.constraints,
            )
            self.choose(*pair)
            self.report(f"Active learning asks: do {pair[0]} and {pair[1]} belong together?")

        self._guarded(propose)

    def constraints(self, links=None):
        """Return `links` as `PairwiseConstraints`; ValueError, with the chain, where they contradict."""
        links = self.links if links is None else links
        pairs = {kind: [(i, j) for i, j, k in links if k == kind] for kind in KINDS}
        return PairwiseConstraints(self.subject.n_objects, *(pairs[kind] for kind in KINDS))

    # -- data -------------------------------------------------------------------------------------------

    def _named_subject(self, name):
        if not name.startswith("two_class"):
            return subject_from_name(name)
        numbers = name.split(":")[1:] or ["400"]
        if len(numbers) > 2 or not all(number.isdigit() for number in numbers):
            raise ValueError(f"expected objects and draw after colons, as in 'two_class:400:2'; got {name!r}")
        n, draw = int(numbers[0]), int(numbers[1]) if len(numbers) == 2 else 0
        return subject_from_dataset(make_two_class_cecm(n, random_state=draw), f"two classes, draw {draw}")

    def _subject_of(self, name):
        return _with_attributes(super()._subject_of(name))

    def _show_own(self, subject, text=None):
        _with_attributes(subject)  # before anything changes
        self._links_by_data.pop(subject.name, None)  # other rows, other constraints
        super()._show_own(subject, text)

    def _adapt(self, changed):
        self.chosen_objects = ()
        if "data" in changed:
            self._history = []
            if "n_clusters" not in changed:
                self.n_clusters = max(2, self.subject.n_classes)
            if "links" not in changed:
                self.links = self._good_links = self._links_by_data.get(self.data, ())
        if "delta" not in changed:
            self.delta = self._usual_delta()

    def _usual_delta(self):
        """The value of the paper where it has one, else 1.1 times the largest distance."""
        if not self.standardize:
            for name, delta in PUBLISHED_DELTA.items():
                if self.data.startswith(name):
                    return delta
        return float(f"{1.1 * self.subject.sorted_distances[-1]:.3g}")

    # -- fit --------------------------------------------------------------------------------------------

    def _refit(self, changed):
        start = perf_counter()
        constraints = self._accept_links(changed)
        self._check_size()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            estimator = self._estimator(constraints).fit(
                self.subject.attributes, **self._fit_arguments(constraints)
            )
        self.fitted = describe(estimator, self.subject, self.links, constraints, self.xi, self.fitted, start)
        self._warnings = " ".join(as_sentence(w.message) for w in caught)

    def _apply(self, changed):
        self._warnings = ""
        super()._apply(changed)
        if self._warnings and not self.is_error:
            self.report(f"{self.message} {self._warnings}".strip())

    def _accept_links(self, changed):
        """Return the constraints; those that are refused leave the last good ones in `links`."""
        try:
            links = tuple((int(i), int(j), str(kind)) for i, j, kind in self.links)
            unknown = [kind for *_, kind in links if kind not in KINDS]
            if unknown:
                raise ValueError(f"expected links of kind {' or '.join(KINDS)}; got {unknown[0]!r}")
            constraints = self.constraints(links)
        except Exception:
            with self._own_changes():
                self.links = self._good_links
            raise
        if links != self._good_links:
            self._history.append(self._good_links)
        with self._own_changes():
            self.links = self._good_links = links
        self._links_by_data[self.data] = links
        return constraints

    def _estimator(self, constraints):
        shared = {
            "alpha": self.alpha,
            "delta": self.delta,
            "metric": self.metric,
            "focal_sets": self.focal_sets,
            "init": self.init,
            "n_init": self.n_init,
            "random_state": self.seed,
        }
        if len(constraints):
            return CECM(self.n_clusters, xi=self.xi, **shared)
        return ECM(self.n_clusters, beta=self.beta, **shared)

    @staticmethod
    def _fit_arguments(constraints):
        if not len(constraints):
            return {}
        return {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}

    def _check_size(self):
        for value, known in (
            (self.focal_sets, FOCAL_FAMILIES),
            (self.metric, METRICS),
            (self.init, STARTS),
        ):
            if value not in known:
                raise ValueError(f"expected one of {', '.join(known)}; got {value!r}")
        if self.focal_sets == "full" and 2 ** max(self.n_clusters, 0) > MAX_FOCAL_SETS:
            raise ValueError(
                f"expected at most {MAX_FOCAL_SETS} focal sets, because an explorer refits while you wait; "
                f"'full' with {self.n_clusters} clusters has {2**self.n_clusters}"
            )

    def restart(self):
        """Fit again from new random starts."""
        self.seed += 1


def _with_attributes(subject):
    if subject.attributes is None:
        raise ValueError(f"{subject.name} is a matrix of dissimilarities: CECM needs attributes")
    return subject

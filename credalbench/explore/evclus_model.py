"""The EVCLUS explorer without its widgets: parameters that refit when they change, and the last good fit.

The model knows no widget. A view links to its traits; a test sets a trait and reads `fitted`::

    model = EVCLUSModel(data="butterfly")
    model.d0_quantile = 0.7
    model.fitted.stress
"""

import json
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from time import perf_counter

import numpy as np
import traitlets as t
from scipy.optimize import linear_sum_assignment

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import EVCLUS
from credalbench.cluster.transformation import phi
from credalbench.explore.own_data import subject_from_csv
from credalbench.explore.subject import (
    Subject,
    standardized,
    subject_from_arrays,
    subject_from_dataset,
    subject_from_name,
)
from credalbench.metrics.external import adjusted_rand

FOCAL_FAMILIES = ("simple", "pairs", "full")
SOLVERS = ("irqp", "gradient", "lbfgs")
#: A fit must end while somebody waits for the picture.
MAX_FOCAL_SETS = 130
#: The parameters of a fit; `state()` holds these.
PARAMETERS = (
    "data",
    "standardize",
    "n_clusters",
    "d0_quantile",
    "d0",
    "alpha",
    "n_pairs",
    "focal_sets",
    "pair_neighbors",
    "solver",
    "seed",
)
#: While only these change, the previous masses are the start, so that clusters keep their place and colour.
WARM_PARAMETERS = {"d0", "d0_quantile", "alpha", "n_pairs"}
#: Random starts after any other change.
FRESH_STARTS = 3


@dataclass(frozen=True, eq=False)
class Fitted:
    """One fit and all that the panels and read-outs show of it.

    `delta` and `kappa` (m,) belong to the subject's shown pairs; `ari` is None where classes are unknown.
    """

    subject: Subject
    partition: CredalPartition
    d0: float
    gamma: float
    stress: float
    stress_trace: np.ndarray
    time_trace: np.ndarray
    n_iter: int
    converged: bool
    warm: bool
    fit_ms: float
    delta: np.ndarray
    kappa: np.ndarray
    ari: float | None
    nonspecificity: float
    n_outliers: int


class EVCLUSModel(t.HasTraits):
    """Data, parameters and fit of the EVCLUS explorer.

    Every change of a parameter refits; several changes inside ``with model.batch():`` refit once. What goes
    wrong becomes `message` (and `is_error`), and `fitted` stays the last good fit.

    Attributes
    ----------
    data : str
        Name of a data set, ``t4:n``, or path of an own table (see `credalbench.explore.own_data`).
    standardize : bool
        Scale attributes to standard deviation 1; without effect on dissimilarities.
    n_clusters : int
        c; set to the number of known classes when the data change.
    d0_quantile, d0 : float
        Scale of the dissimilarities as a quantile in (0, 1] and in their own unit; linked both ways.
    alpha : float
        In (0, 1): phi(d0) = 1 - alpha.
    n_pairs : int or None
        Partners k drawn for each object; None takes all pairs.
    pair_neighbors : int
        K of the two-step procedure, which adds pairs of clusters that are mutual K nearest neighbours; 0 for
        none.
    focal_sets, solver : str
        One of `FOCAL_FAMILIES`; one of `SOLVERS`.
    seed : int
        Random start; `restart` takes the next one.
    fitted : Fitted or None
    message : str
    is_error : bool
    """

    data = t.Unicode("butterfly")
    standardize = t.Bool(False)
    n_clusters = t.Int(2)
    d0_quantile = t.Float(0.9)
    d0 = t.Float(1.0)
    alpha = t.Float(0.05)
    n_pairs = t.Int(None, allow_none=True)
    focal_sets = t.Unicode("simple")
    pair_neighbors = t.Int(0, min=0)
    solver = t.Unicode("irqp")
    seed = t.Int(0)

    subject = t.Instance(Subject, allow_none=True)
    fitted = t.Instance(Fitted, allow_none=True)
    message = t.Unicode("")
    is_error = t.Bool(False)

    def __init__(self, data="butterfly", **parameters):
        """Load `data` (a name, a path, a Dataset, or an array of attributes) and fit once."""
        super().__init__()
        self._changed = set()
        self._depth = 0
        self._linking = False
        self._own = {}  # name -> (Subject, text of its file or None)
        with self.batch():
            self._changed.add("data")
            self._set_known(parameters)
            self.set_data(data)
            if self.is_error:  # there is nothing to fit, and the message says why
                self._changed.clear()
                with self._own_changes():
                    self.data = ""

    # -- changes ----------------------------------------------------------------------------------------

    @contextmanager
    def batch(self):
        """Collect changes of several parameters; leaving the outermost block refits once."""
        self._depth += 1
        try:
            yield self
        finally:
            self._depth -= 1
            if self._depth == 0 and self._changed:
                changed, self._changed = self._changed, set()
                self._apply(changed)

    @t.observe(*PARAMETERS)
    def _note_change(self, change):
        if self._linking:
            return
        with self.batch():
            self._changed.add(change["name"])

    @contextmanager
    def _own_changes(self):
        """Changes made by the model itself: the other side of a link, not a wish of the user."""
        self._linking = True
        try:
            yield
        finally:
            self._linking = False

    def _apply(self, changed):
        try:
            if changed & {"data", "standardize"}:
                self._load(changed)
            self._link_scales(changed)
            self._refit(changed)
        except Exception as error:  # whatever goes wrong, the person at the slider must read it
            self.report(_sentence(error), error=True)
        else:
            self.report(self.subject.note, error=False)

    def report(self, text, *, error):
        """Set `message` and `is_error` together."""
        with self.hold_trait_notifications():
            self.is_error = error
            self.message = text

    # -- data -------------------------------------------------------------------------------------------

    def set_data(self, data):
        """Show other data: a name or path, a `Dataset`, or an array (n, p) of attributes."""
        if isinstance(data, str | Path):
            self.data = str(data)
        elif isinstance(data, Subject):
            self._show_own(data)
        elif hasattr(data, "n_objects"):
            self._guarded(lambda: self._show_own(subject_from_dataset(data)))
        else:
            self._guarded(lambda: self._show_own(subject_from_arrays("own data", X=data)))

    def load_csv(self, source, name=None):
        """Show an own table, given by its path or by the bytes of the file; errors become `message`."""

        def read():
            subject = subject_from_csv(source, name)
            text = source if isinstance(source, bytes | bytearray | memoryview) else Path(source).read_bytes()
            self._show_own(subject, bytes(text).decode("utf-8-sig"))

        self._guarded(read)

    def _guarded(self, action):
        try:
            action()
        except Exception as error:  # as in _apply
            self.report(_sentence(error), error=True)

    def _show_own(self, subject, text=None):
        self._own = {subject.name: (subject, text)}
        with self.batch():
            self._changed.add("data")  # a file read again may have the name of the last one
            self.data = subject.name

    @property
    def own_names(self):
        """Names of the own data that `data` can go back to."""
        return tuple(self._own)

    def _load(self, changed):
        """Make `subject` what `data` names; on failure `data` names the last good subject again."""
        try:
            if self.data in self._own:
                subject = self._own[self.data][0]
            elif Path(self.data).suffix.lower() in (".csv", ".tsv", ".txt"):
                path = Path(self.data)
                subject = subject_from_csv(path)
                self._own = {self.data: (subject, path.read_text("utf-8-sig"))}
            else:
                subject = subject_from_name(self.data)
        except Exception:
            if self.subject is not None:
                with self._own_changes():
                    self.data = self._loaded
            raise
        self._loaded = self.data
        self.subject = (
            standardized(subject) if self.standardize and subject.attributes is not None else subject
        )
        with self._own_changes():
            if "data" in changed and "n_clusters" not in changed:
                self.n_clusters = max(2, subject.n_classes)
            if self.n_pairs is not None and self.n_pairs > subject.n_objects - 1 and "n_pairs" not in changed:
                self.n_pairs = None

    def _link_scales(self, changed):
        """Let d0 follow its quantile, or the quantile follow d0, whichever was not asked for."""
        if self.subject is None:
            raise ValueError("there are no data to fit")
        with self._own_changes():
            if "d0" in changed:
                if not self.d0 > 0:
                    raise ValueError(f"expected d0 above 0; got {self.d0:g}")
                if (
                    self.subject.distance_at(self.d0_quantile) != self.d0
                ):  # else it fits already; ties are many
                    self.d0_quantile = self.subject.quantile_of(self.d0)
            elif changed & {"data", "standardize", "d0_quantile"}:
                self.d0 = self.subject.distance_at(self.d0_quantile)

    # -- fit --------------------------------------------------------------------------------------------

    def _refit(self, changed):
        start = perf_counter()
        self._check_size()
        previous = self.fitted if self.fitted and self.fitted.subject is self.subject else None
        one_step = (
            self.solver == "irqp" and not self.pair_neighbors
        )  # two steps start from the first's family
        warm = previous is not None and one_step and changed <= WARM_PARAMETERS
        estimator = EVCLUS(
            self.n_clusters,
            solver=self.solver,
            n_pairs=self.n_pairs,
            d0=self.d0,
            alpha=self.alpha,
            focal_sets=self.focal_sets,
            pair_neighbors=self.pair_neighbors or None,
            metric="precomputed",
            n_init=FRESH_STARTS,
            random_state=self.seed,
        )
        if warm and len(previous.partition.focal_sets) == self._n_focal_sets():
            estimator.set_params(init=previous.partition.masses)
        estimator.fit(self.subject.D)
        partition = estimator.partition_
        if previous is not None and not warm:
            partition = keep_numbers(partition, previous.partition)
        self.fitted = self._describe(estimator, partition, warm, start)

    def _n_focal_sets(self):
        c = self.n_clusters
        return {"simple": c + 2, "pairs": 2 + c + (c * (c - 1) // 2 if c > 2 else 0), "full": 2**c}[
            self.focal_sets
        ]

    def _check_size(self):
        for value, known in ((self.focal_sets, FOCAL_FAMILIES), (self.solver, SOLVERS)):
            if value not in known:
                raise ValueError(f"expected one of {', '.join(known)}; got {value!r}")
        n = self.subject.n_objects
        if not self.n_clusters <= n:
            raise ValueError(f"expected at most as many clusters as objects, {n}; got {self.n_clusters}")
        if self._n_focal_sets() > MAX_FOCAL_SETS:
            raise ValueError(
                f"expected at most {MAX_FOCAL_SETS} focal sets, because an explorer refits while you wait; "
                f"{self.focal_sets!r} with {self.n_clusters} clusters has {self._n_focal_sets()}"
            )

    def _describe(self, estimator, partition, warm, start):
        subject = self.subject
        M = partition.masses
        i, j = subject.shown_pairs
        kappa = np.einsum("mf,mf->m", (M @ partition.focal_sets.conflict)[i], M[j])
        ari = None if subject.y is None else float(adjusted_rand(subject.y, partition.labels()))
        return Fitted(
            subject=subject,
            partition=partition,
            d0=float(estimator.d0_),
            gamma=float(estimator.gamma_),
            stress=float(estimator.objective_),
            stress_trace=np.asarray(estimator.objective_trace_),
            time_trace=np.asarray(estimator.time_trace_),
            n_iter=int(estimator.n_iter_),
            converged=bool(estimator.converged_),
            warm=warm,
            delta=phi(subject.shown_distances, estimator.gamma_),
            kappa=kappa,
            ari=ari,
            nonspecificity=float(partition.nonspecificity()),
            n_outliers=int(partition.outliers().sum()),
            fit_ms=1e3 * (perf_counter() - start),
        )

    def restart(self):
        """Fit again from new random starts."""
        self.seed += 1

    # -- state ------------------------------------------------------------------------------------------

    def state(self):
        """Return the exploration as a dictionary of plain values (JSON), own tables included."""
        values = {name: getattr(self, name) for name in PARAMETERS}
        if (text := self._own.get(self.data, (None, None))[1]) is not None:
            values["csv"] = text
        return values

    def set_state(self, state):
        """Return to an exploration that `state()` described; what cannot be restored becomes `message`."""
        state = dict(state)
        text, name = state.pop("csv", None), state.pop("data", None)

        def restore():
            own = (
                None if text is None else subject_from_csv(text.encode(), name)
            )  # fails before anything changes
            with self.batch():
                self._set_known(state)
                if own is not None:
                    self._show_own(own, text)
                elif name is not None:
                    self.data = name

        self._guarded(restore)

    def _set_known(self, parameters):
        for name in parameters:
            if name not in PARAMETERS:
                close = get_close_matches(name, PARAMETERS, n=1)
                hint = f"; did you mean {close[0]!r}?" if close else f"; expected one of {PARAMETERS}"
                raise ValueError(f"got an unknown parameter {name!r}{hint}")
        for name, value in parameters.items():
            setattr(self, name, value)
            self._changed.add(name)  # asked for, even where it is the default

    def export(self, folder="."):
        """Save the partition and the state to files in `folder`; return their paths."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        stem = "evclus-" + "".join(ch if ch.isalnum() else "-" for ch in Path(self.data).stem)
        state_path = folder / f"{stem}-state.json"
        state_path.write_text(json.dumps(self.state(), indent=2), encoding="utf-8")
        return Path(self.fitted.partition.save(folder / f"{stem}-partition.npz")), state_path


def keep_numbers(partition, reference):
    """Renumber clusters so that they agree as well as possible with those of another partition.

    Parameters
    ----------
    partition, reference : CredalPartition
        Of the same n objects; the numbers of clusters may differ.

    Returns
    -------
    CredalPartition
        `partition` with its c clusters renumbered. The overlap of two clusters is the sum over the objects of
        the products of their plausibilities; the assignment maximises the sum of overlaps. O(n c c' + c^3).
    """
    c = partition.n_clusters
    overlap = np.zeros((c, c))
    shared = min(c, reference.n_clusters)
    overlap[:, :shared] = (partition.contour.T @ reference.contour)[:, :shared]
    number = linear_sum_assignment(overlap, maximize=True)[1]
    renamed = [sorted(int(number[k]) for k in members) for members in partition.focal_sets.sets]
    order = sorted(range(len(renamed)), key=lambda k: (len(renamed[k]), renamed[k]))  # as in the families
    focal_sets = FocalSets.from_sets(c, [renamed[k] for k in order])
    return CredalPartition(partition.masses[:, order], focal_sets)


def _sentence(error):
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    text = text or type(error).__name__
    if text.split()[0].isalpha():  # and no name of a file, which stays as it is
        text = text[0].upper() + text[1:]
    return text + ("" if text.endswith((".", "!", "?")) else ".")

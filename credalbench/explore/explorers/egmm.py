"""The EGMM explorer: mixtures with components for sets of clusters, and the number of clusters.

A program uses the model alone::

    model = EGMMModel("mixture", overlap=0.1)
    model.n_clusters = 4
    model.complete_curve()
    model.best_n_clusters
"""

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from html import escape
from time import perf_counter
from typing import NamedTuple

import numpy as np
import traitlets as t
from scipy.special import ndtri
from sklearn.exceptions import ConvergenceWarning

from credalbench.cluster import EGMM
from credalbench.cluster.mixture.bootstrap import component_covariances
from credalbench.core.axes import orient_axes
from credalbench.core.threads import one_thread
from credalbench.explore import parameter as shared
from credalbench.explore import stepping
from credalbench.explore.declaration import NOTE, RESTART, Button, FitExplorer
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import MAX_SEED, parameter
from credalbench.explore.program import Program
from credalbench.explore.scene import credal_map
from credalbench.explore.scene.marks import DASHED, Line, Look, Mark, Stroke, Text
from credalbench.explore.scene.scene import (
    Axis,
    Entry,
    Panel,
    Place,
    Scene,
    scene_of,
    set_colours,
    unnumbered,
)
from credalbench.explore.sources import MAX_OBJECTS
from credalbench.explore.sources.table_source import TableSource
from credalbench.explore.sources.tables import Table, table_from_arrays
from credalbench.explore.stepping import Fitted, ResultCache, Run, page_text
from credalbench.plots.mixtures import ellipses
from credalbench.plots.style import INK, MUTED

COMPONENTS = {"simple": "{k}, Ω", "pairs": "{k}, {k,l}, Ω", "full": "all subsets except ∅"}
COVARIANCES = {
    "tied": "one for all components",
    "spherical": "a round one for each",
    "diag": "one along the axes for each",
    "full": "one for each component",
}
#: Name of the generated data.
MIXTURE = "mixture"
#: Numbers of clusters of the EBIC curve.
CURVE = tuple(range(1, 7))
#: Limit that keeps fits fast enough for an explorer.
MAX_ITER = 500
#: Number of combinations of data and settings whose fits are cached.
CACHED = 8
#: Ratio of the longer to the shorter axis of a cluster.
ELONGATION = 1.8
#: Distance between classes at which the orientation of the data is determined.
USUAL = 2.5
#: Probability mass of a component inside its ellipse.
SHARE = 0.5
#: Largest number of components listed with their weights; smallest number of rows.
LISTED, ROOM = 8, 5
#: Half the height of a bar; rows are 1 apart.
HALF = 0.33
KNOWN, SHOWN = Look("circle", 7.0, INK), Look("circle", 15.0, "none", INK, 2.0)
BEST, REFUSED = Look("star", 15.0, "#D55E00"), Look("thin cross", 9.0, "none", "#B3123F", 2.2)


# -- fits over the number of clusters --------------------------------------------------------------------


class Attempt(NamedTuple):
    """A fit, or the error that refused it, and its warnings."""

    estimator: EGMM | None
    error: Exception | None
    warned: tuple[str, ...]


class Point(NamedTuple):
    """EBIC at a number of clusters, or None with the reason if the fit was refused."""

    n_clusters: int
    ebic: float | None
    reason: str


def best_point(curve: tuple[Point, ...]) -> Point | None:
    """Return the point of highest EBIC, ties broken by fewer clusters; None if there is none."""
    found = [point for point in curve if point.ebic is not None]
    return max(found, key=lambda point: (point.ebic, -point.n_clusters), default=None)


@dataclass(frozen=True, eq=False)
class FittedEGMM(Fitted):
    """An iteration of a run. The objective is the log-likelihood.

    `curve` holds the values of EBIC, at convergence, known so far for the numbers of clusters `requested`.
    """

    curve: tuple[Point, ...]
    requested: tuple[int, ...]

    @property
    def _components(self) -> list[int]:
        """The estimator's number of the component of each focal set."""
        sets = self.estimator.partition_.focal_sets
        return [sets.index(self.old_numbers[k] for k in one) for one in self.partition.focal_sets.sets]

    @property
    def ebic(self) -> float:
        """EBIC after the iteration."""
        return float(self.estimator.ebic_)

    @property
    def means_on_map(self) -> np.ndarray:
        """The means of the components, (f, 2)."""
        return self.subject.on_the_map(self.estimator.means_[self._components])

    @property
    def covariances_on_map(self) -> np.ndarray:
        """Their covariances, (f, 2, 2)."""
        return on_the_map(self.subject, component_covariances(self.estimator)[self._components])

    @property
    def weights(self) -> np.ndarray:
        """Their weights, (f,)."""
        return self.estimator.weights_[self._components]

    @property
    def n_imprecise(self) -> int:
        """Number of objects whose largest mass is on a set of several clusters."""
        return int((self.partition.focal_sets.cardinality[self.partition.hard_credal()] > 1).sum())

    @property
    def is_complete(self) -> bool:
        """Whether every requested number of clusters has been fitted or refused."""
        return {point.n_clusters for point in self.curve} >= set(self.requested)


def on_the_map(subject: Table, matrices: np.ndarray) -> np.ndarray:
    """Return covariances (f, p, p) of attributes, projected on the map, (f, 2, 2)."""
    p = matrices.shape[1]
    origin, *steps = subject.on_the_map(np.vstack([np.zeros(p), np.eye(p)]))
    projection = np.array(steps) - origin
    return projection.T @ matrices @ projection


# -- the model -------------------------------------------------------------------------------------------


class MixtureSource(TableSource):
    """A source of tables of attributes, and of the generated mixture."""

    def names(self) -> Mapping[str, str]:
        return {MIXTURE: "generated mixture"} | dict(super().names())

    def named(self, name: str) -> Table:
        return self.model.mixture() if name == MIXTURE else super().named(name)

    def write_named(self, program: Program, name: str) -> None:
        model = self.model
        if model.data != MIXTURE:
            super().write_named(program, name)
            return
        program.use(__name__, "overlapping_mixture")
        drawn = f"{model.n_objects}, {model.n_classes}, {model.overlap!r}, {model.draw}"
        program.add(f"X = overlapping_mixture({drawn}).attributes")


class EGMMModel(ExplorerModel):
    """Data, parameters and iterations of the EGMM explorer, and the curve of EBIC.

    The data ``mixture`` are generated: `n_objects` Gaussian objects in `n_classes` classes, of which
    neighbours share `overlap`. The curve starts with a point at `n_clusters`; `extend_curve` adds the others
    one at a time. They are kept until a parameter other than `n_clusters` changes.
    """

    STEM, DATA, ESTIMATOR, FITTED = "egmm", MIXTURE, EGMM, FittedEGMM
    GENERATING = ("overlap", "n_classes", "n_objects", "draw")
    PREPARING = ExplorerModel.PREPARING | frozenset(GENERATING)
    STARTING = ExplorerModel.STARTING | frozenset(GENERATING)

    overlap = parameter(
        t.Float(0.15),
        "overlap",
        "Overlap of the generated mixture: the area shared by the densities of neighbouring classes",
        above=0,
        high=1,
        slider=(0.01, 0.9, 0.01),
    )
    n_classes = parameter(
        t.Int(3), "classes", "Number of classes of the generated mixture", low=1, high=8, slider=(1, 6, 1)
    )
    n_objects = parameter(
        t.Int(400),
        "objects n",
        "Number of objects of the generated mixture",
        low=10,
        high=MAX_OBJECTS,
        slider=(50, 600, 50),
    )
    draw = parameter(
        t.Int(0), "draw", "Seed of the generated mixture", low=0, most=MAX_SEED, slider=(0, 20, 1)
    )
    n_clusters = shared.n_clusters_parameter(6, default=3, low=1)
    focal_sets = parameter(
        t.Unicode("full"), "components", "Sets of clusters with a component", choices=COMPONENTS
    )
    covariance_type = parameter(
        t.Unicode("tied"), "covariance", "Which components share a covariance", choices=COVARIANCES
    )
    reg_covar = parameter(
        t.Float(0.0),
        "ridge",
        "Added to the variances of all attributes, in squared units; 0.01 in the paper's program",
        low=0,
        slider=(-6, 1, 0.1),
        logarithmic=True,
    )
    standardize = shared.standardize_parameter()
    map_view = shared.map_view_parameter()
    seed = parameter(t.Int(0), "start", "Seed of the random start", low=0, most=MAX_SEED, slider=(0, 20, 1))

    def __init__(self, data: object = None, **parameters: object) -> None:
        self._attempts: ResultCache[dict[int, Attempt]] = ResultCache(CACHED)
        super().__init__(data, **parameters)

    def _make_source(self) -> MixtureSource:
        return MixtureSource(self, attributes_for="EGMM")

    def mixture(self) -> Table:
        """Draw the generated mixture.

        Returns
        -------
        Table
            The objects with their true classes.
        """
        self._check(self.GENERATING)
        return overlapping_mixture(self.n_objects, self.n_classes, self.overlap, self.draw)

    # -- fit --------------------------------------------------------------------------------------------

    def _arguments(self) -> dict[str, object]:
        return {"noise": False, "init": "k-means", "max_iter": MAX_ITER}

    def _run(self, changed: set[str]) -> Run:
        began = perf_counter()
        estimator, error, warned = self._attempt(self.n_clusters)
        if error is not None:
            raise error
        for text in warned:
            warnings.warn(text, stacklevel=2)
        numbers, X = self._numbers(estimator), self.subject.attributes
        took_ms = 1e3 * (perf_counter() - began)
        return Run(self.subject, estimator, numbers, lambda stopped: stopped.fit(X), took_ms)

    def _describe(self, run: Run, iteration: int) -> FittedEGMM:
        requested = tuple(sorted({*CURVE, self.n_clusters}))
        return FittedEGMM(run, iteration, run.after(iteration), self.settings(), self._curve(), requested)

    def _attempt(self, c: int) -> Attempt:
        """Return the attempt to fit c clusters, computing it if it is missing."""
        attempts = self._known()
        if c not in attempts:
            estimator, error = None, None
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", UserWarning)
                warnings.simplefilter("ignore", ConvergenceWarning)  # the page shows whether a run converged
                try:
                    self._expect_few_sets(c)
                    estimator = self._estimator(n_clusters=c).fit(self.subject.attributes)
                except ValueError as refusal:  # too many sets, too few objects, or an unbounded likelihood
                    error = refusal
            warned = tuple(page_text(warning.message) for warning in caught)
            attempts[c] = Attempt(estimator, error, warned)
        return attempts[c]

    def _known(self) -> dict[int, Attempt]:
        """Return the attempts with the present data and settings, by number of clusters."""
        left_out = {"n_clusters", *self.SHOWING}
        settings = (getattr(self, name) for name in self.parameters() if name not in left_out)
        return self._attempts.get((self.source.own.get(self.data), *settings), dict)  # data may share a name

    def _curve(self) -> tuple[Point, ...]:
        """Return the known points, by increasing number of clusters."""
        return tuple(
            Point(c, None if estimator is None else float(estimator.ebic_), str(error or ""))
            for c, (estimator, error, _) in sorted(self._known().items())
        )

    def _expect_few_sets(self, c: int) -> None:
        f = n_components(self.focal_sets, c)
        if f > self.MAX_FOCAL_SETS:
            raise ValueError(
                f"expected at most {self.MAX_FOCAL_SETS} components, because an explorer refits while you "
                f"wait; {self.focal_sets!r} with {c} clusters has {f}"
            )

    # -- how many clusters ------------------------------------------------------------------------------

    def extend_curve(self) -> bool:
        """Fit one more number of clusters for the EBIC curve.

        Returns
        -------
        bool
            Whether any number of clusters is still missing.
        """
        with self.turn, one_thread():
            if self.fitted is None or self.is_error or self.is_out_of_date or self.fitted.is_complete:
                return False
            known = self._known()
            self._attempt(next(c for c in self.fitted.requested if c not in known))
            self.fitted = replace(self.fitted, curve=self._curve())
            return not self.fitted.is_complete

    def complete_curve(self) -> None:
        """Fit every number of clusters that is still missing."""
        self.wait()
        while self.extend_curve():
            pass

    @property
    def best_n_clusters(self) -> int | None:
        """The number of clusters with the highest EBIC, once all are known; None if all fits failed."""
        if self.fitted is None or not self.fitted.is_complete:
            return None
        best = best_point(self.fitted.curve)
        return None if best is None else best.n_clusters

    def take_best(self) -> None:
        """Use the number of clusters with the highest EBIC, after completing the curve."""
        self.complete_curve()
        if self.best_n_clusters is not None:
            self.n_clusters = self.best_n_clusters


def n_components(focal_sets: str, c: int) -> int:
    """Return the number of non-empty focal sets over c clusters."""
    whole = c > {"simple": 1, "pairs": 2}.get(focal_sets, c)  # whether Ω is a set of its own
    return {"simple": c, "pairs": c + c * (c - 1) // 2, "full": 2**c - 1}[focal_sets] + whole


# -- generated mixtures of given overlap -----------------------------------------------------------------


def overlapping_mixture(n: int, n_classes: int, overlap: float, draw: int) -> Table:
    r"""Draw Gaussian classes of equal size and covariance, with a given overlap of nearest neighbours.

    The overlap of two classes is the area below both densities, :math:`2 \Phi(-\Delta/2)` for means that
    are :math:`\Delta` Mahalanobis units apart. Every class overlaps its nearest neighbour by that area,
    and no other class by more. Shape and orientation come from the draw; the total spread of the objects is
    always the same, and its main axis is approximately horizontal.

    Parameters
    ----------
    n, n_classes : int
        Object i is of class i modulo n_classes, so that adding objects does not move the others.
    overlap : float
        In (0, 1].
    draw : int
        Non-negative seed. The noise is the same at every overlap, so that objects move smoothly with it.

    Returns
    -------
    Table
    """
    distance = max(-2 * ndtri(overlap / 2), 0.0)
    layout, noise = (np.random.default_rng([draw, stream]) for stream in (0, 1))
    places = _places(n_classes, layout)
    y = np.arange(n) % n_classes
    X = (distance * places[y] + noise.standard_normal((n, 2))) @ _map(places)
    note = f"Neighbouring classes are {distance:.1f} standard deviations apart."
    if n_classes == 1:
        note = "There is only one Gaussian class, so there is no overlap."
    spread = np.trace(_map(places).T @ _covariance(places, distance) @ _map(places)) / 2
    return table_from_arrays(
        "generated mixture",
        X=X / np.sqrt(spread),
        y=y,
        class_names=tuple(f"class {k + 1}" for k in range(n_classes)),
        feature_names=("x1", "x2"),
        n_classes=n_classes,
        note=note,
    )


def _places(c: int, rng: np.random.Generator) -> np.ndarray:
    """Return random points (c, 2) around 0, each at distance 1 from its nearest neighbour."""
    places = [np.zeros(2)]
    for _ in range(200 * c):  # there is room around each mean that is not enclosed by others
        if len(places) == c:
            break
        angle = rng.uniform(0, 2 * np.pi)
        new = places[rng.integers(len(places))] + [np.cos(angle), np.sin(angle)]
        if min(np.linalg.norm(new - place) for place in places) > 1 - 1e-9:  # rounding
            places.append(new)
    return np.array(places) - np.mean(places, axis=0)


def _map(places: np.ndarray) -> np.ndarray:
    """Return the linear map (2, 2) that stretches and rotates round classes; overlaps stay the same.

    Classes are stretched along the first axis; then the data are rotated until the main axis of data with
    classes `USUAL` units apart is horizontal.
    """
    stretch = np.diag([ELONGATION, 1.0])
    variances, axes = np.linalg.eigh(stretch @ _covariance(places, USUAL) @ stretch)
    return stretch @ orient_axes((axes * variances)[:, ::-1], 2) / variances[::-1]


def _covariance(places: np.ndarray, distance: float) -> np.ndarray:
    """Return the total covariance (2, 2) of round classes at a given distance of nearest means."""
    return np.eye(2) + distance**2 * places.T @ places / len(places)


# -- what is drawn ---------------------------------------------------------------------------------------


def egmm_scene(fitted: FittedEGMM) -> Scene:
    """Return the scene of a fit of the EGMM model."""
    subject, partition = fitted.subject, fitted.partition
    prototypes = credal_map.numbered_prototypes(subject.on_the_map(fitted.prototypes))
    entries = [
        credal_map.prototype_entry("mean of a cluster"),
        Entry("component of a cluster", Stroke(INK, 2.8)),
        Entry("component of a set", Stroke(INK, 2.4, DASHED)),
    ]
    marks = [*_components(fitted), *prototypes]
    shown, legend = credal_map.main_panel(fitted, (0.0, 0.0, 0.6, 1.0), marks, entries)
    classes = credal_map.true_classes(subject, (0.61, 0.72, 0.2, 0.28), partition)
    left = 0.82 if classes else 0.61
    panels = [
        shown,
        _curve_panel(fitted, (0.61, 0.0, 0.39, 0.33)),
        _weights_panel(fitted, (0.61, 0.34, 0.39, 0.37)),
        *classes,
        unnumbered(credal_map.objective_panel(fitted, (left, 0.72, 1.0 - left, 0.28), "log L")),
    ]
    return scene_of(fitted, panels, legend)


def _components(fitted: FittedEGMM) -> list[Mark]:
    """Return an ellipse for each component whose weight is at least one object, single clusters on top.

    Ellipses of sets of several clusters are dashed and have a dark edge, like the signs of their objects.
    """
    focal_sets, colours = fitted.partition.focal_sets, set_colours(fitted.partition.focal_sets)
    rings = ellipses(fitted.means_on_map, fitted.covariances_on_map, SHARE)
    shown = np.flatnonzero(fitted.weights * len(fitted.subject.positions) >= 1)
    several = focal_sets.cardinality[shown] > 1
    marks: list[Mark] = []
    for j in shown[several].tolist():
        edge, inside = Stroke(INK, 3.2, DASHED, halo=True), Stroke(colours[j], 1.8, DASHED)
        marks += [Line(rings[j], edge), Line(rings[j], inside)]
    return marks + [Line(rings[j], Stroke(colours[j], 2.8, halo=True)) for j in shown[~several].tolist()]


# -- weights ---------------------------------------------------------------------------------------------


def _weights_panel(fitted: FittedEGMM, place: Place) -> Panel:
    """Return the panel of the largest mixing probabilities."""
    focal_sets = fitted.partition.focal_sets
    heaviest = np.sort(np.argsort(-fitted.weights, kind="stable")[:LISTED])
    weights, rows = fitted.weights[heaviest], -np.arange(len(heaviest), dtype=float)
    boxes = np.column_stack([np.zeros(len(rows)), rows - HALF, weights, rows + HALF])
    marks: list[Mark] = []
    for j, box in zip(heaviest.tolist(), boxes):
        marks += credal_map.bands(focal_sets, j, box)
    marks += [Text(f"{weight:.2f}", (weight + 0.02, row)) for weight, row in zip(weights.tolist(), rows)]
    left_out = len(focal_sets) - LISTED
    if left_out > 0:
        marks.append(Text(f"and {left_out} smaller ones", (0.0, float(-LISTED))))
    names = [(float(row), focal_sets.labels[j]) for row, j in zip(rows, heaviest)]
    y = Axis(0.5 - max(len(rows) + (left_out > 0), ROOM), 0.5, ticks=names)
    return Panel("weights", place, Axis(0.0, 1.1, scale="none"), y, marks, "Mixing probabilities")


# -- how many clusters -----------------------------------------------------------------------------------


def _curve_panel(fitted: FittedEGMM, place: Place) -> Panel:
    """Return the EBIC curve; a cross at the bottom marks a refused fit, a ring the present c."""
    known = {point.n_clusters: point.ebic for point in fitted.curve if point.ebic is not None}
    refused = [point.n_clusters for point in fitted.curve if point.ebic is None]
    low, high = min(known.values()), max(known.values())
    margin = max(0.15 * (high - low), 1.0)
    numbers, c = range(min(fitted.requested), max(fitted.requested) + 1), fitted.partition.n_clusters
    path = np.array([(k, known.get(k, np.nan)) for k in numbers], dtype=float)
    marks: list[Mark] = [
        Line(path, Stroke(MUTED, 1.7)),
        credal_map.alike(np.array([*known.items()]), KNOWN),
        credal_map.alike(np.array([(c, known[c])]), SHOWN),
    ]
    if fitted.is_complete:
        best = best_point(fitted.curve)
        marks.append(credal_map.alike(np.array([(best.n_clusters, best.ebic)]), BEST))
    marks.append(
        credal_map.alike(np.array([(k, low - 0.5 * margin) for k in refused]).reshape(-1, 2), REFUSED)
    )
    x = Axis(numbers[0] - 0.5, numbers[-1] + 0.5, "clusters c", whole=True)
    y = Axis(low - margin, high + margin)
    return Panel("ebic", place, x, y, marks, "EBIC: higher is better", grid=True)


# -- the page --------------------------------------------------------------------------------------------


def tiles(fitted: FittedEGMM) -> Iterable[stepping.Tile]:
    """Return the read-outs."""
    ari, nonspecificity = stepping.measures(fitted)
    p, imprecise = fitted.estimator.n_parameters_, f"{fitted.n_imprecise} of {fitted.subject.n_objects}"
    ebic = f"Log-likelihood minus half of {p} parameters times log n"
    return (
        ari,
        ("log-likelihood", f"{fitted.objective:.1f}", "Log-likelihood of all objects under the mixture"),
        ("EBIC", f"{fitted.ebic:.1f}", ebic),
        nonspecificity,
        ("imprecise", imprecise, "Objects with most mass on several clusters"),
        stepping.iteration_tile(fitted, "Iterations of the EM algorithm"),
    )


def advice(fitted: FittedEGMM) -> str:
    """Return the status of the EBIC curve as HTML: its best point, how much is known, refused fits."""
    if fitted.is_complete:
        text = f"EBIC is highest at <b>c = {best_point(fitted.curve).n_clusters}</b> (star)."
    else:
        text = f"EBIC is known for {len(fitted.curve)} of {len(fitted.requested)} numbers of clusters."
    if refused := [point for point in fitted.curve if point.ebic is None]:
        numbers = ", ".join(str(point.n_clusters) for point in refused)
        text += f" Crosses: no fit at c = {numbers}: {escape(refused[0].reason)}"
    return text


def picture_text(fitted: FittedEGMM) -> str:
    """Return the description of the picture for screen readers."""
    return (
        f"{fitted.words('EGMM')}, {fitted.n_imprecise} objects between clusters, with {len(fitted.weights)} "
        f"components; EBIC {fitted.ebic:.1f}, known for {len(fitted.curve)} numbers of clusters."
    )


EXPLORER = FitExplorer(
    model=EGMMModel,
    title="EGMM explorer",
    scene=egmm_scene,
    text=picture_text,
    tiles=tiles,
    generated=EGMMModel.GENERATING,
    controls=(
        *("n_clusters", "focal_sets", "covariance_type", "reg_covar", "seed", "map_view", NOTE),
        ("best", "restart", "export"),
    ),
    buttons=[
        Button(
            "best",
            "Best c",
            "star",
            "Use the number of clusters with the highest EBIC",
            action="take_best",
            flex="1",
        ),
        RESTART,
    ],
    texts={NOTE: lambda model: advice(model.fitted)},
    off=lambda model: {} if model.data == MIXTURE else dict.fromkeys(EGMMModel.GENERATING),
    idle="extend_curve",
    words=("``mixture``, name of a data set with attributes, path of a table, or attributes."),
    returns="``.model.complete_curve()`` computes the whole EBIC curve, which the page does while idle.",
    example="""
        >>> explorer = explore_egmm("mixture", overlap=0.05)
        >>> explorer.model.complete_curve()
        >>> explorer.model.best_n_clusters
        3
    """,
)

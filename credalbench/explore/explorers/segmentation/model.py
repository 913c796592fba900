"""The model of the segmentation explorer: an image, painted regions, fits with and without them.

The model has no widgets. A view links to its traits; a test paints and reads `fitted`::

    model = SegmentationModel("phantom")
    model.add(rectangle_stroke(1, 40, 30, 70, 55))
    model.add(rectangle_stroke(2, 60, 65, 115, 110))
    model.fitted.share_omega
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from time import perf_counter
from warnings import warn

import numpy as np
import traitlets as t
from matplotlib.colors import to_hex
from sklearn.cluster import KMeans

from credalbench.belief import CredalPartition
from credalbench.cluster import CECM, ECM
from credalbench.cluster.constrained.masses import compile_mass_sweeps
from credalbench.datasets.image_prototypes import ImagePrototypes, image_prototypes
from credalbench.datasets.image_regions import RegionConstraints, region_constraints
from credalbench.explore.explorers.segmentation.drawn_regions import (
    Stroke,
    brush_stroke,
    checked_strokes,
    paint,
    rectangle_stroke,
)
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import parameter
from credalbench.explore.program import Program, literal
from credalbench.explore.scene.scene import Objects
from credalbench.explore.sources.images import MAX_SIDE, ImageSource
from credalbench.explore.sources.tables import nearest_objects
from credalbench.explore.stepping import Run, Stepped

METRICS = {"euclidean": "Euclidean", "mahalanobis": "adaptive"}
#: Grey levels run from 0 to this.
FULL_SCALE = 255
#: Largest number of constraints, by number of clusters; more are sampled, because the user waits for the
#: fit.
MAX_PAIRS = {2: 4000, 3: 1500, 4: 1000}
#: What is said while one region is painted.
ONE_REGION = (
    "only one region is painted: its pixels must be together, but nothing separates other pixels from them; "
    "paint the other region as well"
)


@dataclass(frozen=True, eq=False)
class PaintedRun(Run):
    """A run of CECM with painted regions, and a run of ECM from the same start."""

    unconstrained: Run
    found: ImagePrototypes
    objects: Objects
    marked: RegionConstraints
    regions: np.ndarray

    def before(self, iteration: int) -> CredalPartition:
        """Return the partition without constraints after some iterations, or at its end."""
        n_iter = self.unconstrained.n_iter
        ended = iteration == self.n_iter
        return self.unconstrained.after(n_iter if ended else min(iteration, n_iter)).partition_


@dataclass(frozen=True, eq=False)
class Segmented(Stepped):
    """The partitions of the prototypes without and with constraints, with their read-outs."""

    run: PaintedRun
    before: CredalPartition
    partition: CredalPartition
    constraint_cost: float
    outcomes: np.ndarray

    @property
    def share_omega_before(self) -> float:
        """Share of the pixels whose largest mass is on Ω, without constraints."""
        return self._share_omega(self.before)

    @property
    def share_omega(self) -> float:
        """Share of the pixels whose largest mass is on Ω, with constraints."""
        return self._share_omega(self.partition)

    @property
    def share_constrained(self) -> float:
        """Share of the pixels whose prototype is in a constraint."""
        return float(self.run.marked.constraints.constrained[self.run.found.nearest].mean())

    def _share_omega(self, partition: CredalPartition) -> float:
        chosen = partition.hard_credal()[self.run.found.nearest]
        return float(np.mean(chosen == len(partition.focal_sets) - 1))

    def error(self, partition: CredalPartition) -> float | None:
        """Return the share of pixels that the brightest cluster misclassifies; None if truth is unknown."""
        if self.subject.lesion is None:
            return None
        labels = partition.labels("pignistic")[self.run.found.nearest]
        return float(np.mean((labels == 0) != self.subject.lesion))


class SegmentationModel(ExplorerModel):
    """Image, painted regions, parameters and fits of the segmentation explorer.

    The iterations are those of CECM; ECM runs in parallel from the same start. Every stroke and every change
    of a parameter refits. Clusters are numbered by brightness, the brightest first. The objects are the
    prototypes; changing the image or their number clears the selection. ``drawn_regions.py`` defines
    strokes.

    Parameters
    ----------
    data : str, path, Dataset or array_like of shape (rows, columns) or (rows, columns, 3), default "phantom"
        The image: the name of a data set, the path of a file, or pixels.
    **parameters
        Initial values of the parameters, which are listed among the attributes.

    Attributes
    ----------
    fitted : Segmented or None
    """

    STEM = "segmentation"
    DRAWABLE = False
    PREPARING = frozenset({"data"})
    STARTING = frozenset({"data", "colour", "n_prototypes", "n_clusters"})

    data = parameter(t.Unicode("phantom"), "image", "Image to segment")
    colour = parameter(
        t.Bool(False), "cluster colours, not grey levels", "Red, green and blue as three attributes"
    )
    n_prototypes = parameter(
        t.Int(400),
        "prototypes",
        "Number of grey levels or colours that represent the pixels",
        low=2,
        most=MAX_SIDE**2,
        slider=(10, 400, 10),
        live=False,
    )
    n_clusters = parameter(t.Int(2), "clusters c", "Number of clusters", low=2, high=4, slider=(2, 4, 1))
    xi = parameter(
        t.Float(0.5),
        "weight ξ",
        "Weight of the constraints relative to the image; 0 gives ECM",
        low=0,
        below=1,
        slider=(0, 0.95, 0.01),
    )
    alpha = parameter(
        t.Float(2.0),
        "exponent α",
        "Larger values leave fewer pixels undecided",
        low=-100,
        most=100,
        slider=(0, 4, 0.1),
    )
    delta = parameter(
        t.Float(sqrt(10)), "distance δ", "Distance of every prototype to the empty set", above=0
    )
    metric = parameter(
        t.Unicode("mahalanobis"), "metric", "With grey levels both give the same result", choices=METRICS
    )
    strokes = parameter(t.List(), tooltip="Strokes, in the order in which they were painted")

    fitted = t.Instance(Segmented, allow_none=True)

    def __init__(self, data: object = "phantom", **parameters: object) -> None:
        self._cache = {}  # quantised images, starts and fits without constraints, by their arguments
        self._painted = ((), None)  # strokes and the resulting regions
        self._good_strokes = []
        compile_mass_sweeps()  # now, and not at the first stroke
        super().__init__(data, **parameters)

    # -- painting ---------------------------------------------------------------------------------------

    def add(self, stroke: Stroke) -> None:
        """Paint a stroke; if it is not valid, `message` gives the reason.

        Parameters
        ----------
        stroke : dict
            A brush stroke or a rectangle, as in ``drawn_regions.py``.
        """
        self._paint(lambda: checked_strokes([stroke])[0])

    def brush(self, tool: int, radius: float, path: Sequence[Sequence[float]]) -> None:
        """Paint with a round brush along a path.

        Parameters
        ----------
        tool : {0, 1, 2}
            1 and 2 paint a region, 0 erases.
        radius : float
            Radius of the brush, in pixels.
        path : sequence of (row, column)
            The points of the path, in pixels.
        """
        self._paint(lambda: brush_stroke(tool, radius, path))

    def rectangle(self, tool: int, top: int, left: int, bottom: int, right: int) -> None:
        """Paint a rectangle: rows `top` to ``bottom - 1``, columns `left` to ``right - 1``.

        Parameters
        ----------
        tool : {0, 1, 2}
            1 and 2 paint a region, 0 erases.
        top : int
            First row.
        left : int
            First column.
        bottom : int
            Row after the last one.
        right : int
            Column after the last one.
        """
        self._paint(lambda: rectangle_stroke(tool, top, left, bottom, right))

    def _paint(self, stroke: Callable[[], Stroke]) -> None:
        def paint_it() -> None:
            self.strokes = [*self.strokes, stroke()]

        self.guarded(paint_it)

    def undo(self) -> None:
        """Undo the last stroke."""
        self.strokes = self.strokes[:-1]

    def clear(self) -> None:
        """Remove all strokes."""
        self.strokes = []

    def regions(self) -> np.ndarray:
        """Return the region of each pixel.

        Returns
        -------
        ndarray of int, shape (rows, columns)
            1 or 2; 0 for pixels in no region.
        """
        strokes, shape = tuple(map(repr, self.strokes)), self.subject.shape
        known, painted = self._painted
        if painted is None or painted.shape != shape or strokes[: len(known)] != known:
            known, painted = (), np.zeros(shape, dtype=np.uint8)
        for stroke in self.strokes[len(known) :]:
            painted = paint(painted, stroke)
        self._painted = (strokes, painted)
        return painted

    # -- data -------------------------------------------------------------------------------------------

    def _make_source(self) -> ImageSource:
        return ImageSource(self)

    @t.observe("subject")
    def _forget_image(self, _: object) -> None:
        self._cache = {}

    def _adapt(self, changed: set[str]) -> None:
        self._good_strokes = []  # the others were painted on another image
        if "strokes" not in changed:
            self.strokes = []

    def _settle(self, changed: set[str]) -> None:
        super()._settle(changed)
        try:
            self._good_strokes = checked_strokes(self.strokes)
        finally:  # invalid strokes leave the last valid ones
            self.strokes = self._good_strokes

    # -- objects ----------------------------------------------------------------------------------------

    def _n_selectable(self) -> int:
        return len(self.fitted.run.found.prototypes) if self.fitted else 0

    @t.observe("fitted")
    def _drop_selection(self, change: Mapping[str, object]) -> None:
        old, new = change["old"], change["new"]
        if not (old and new and old.run.found is new.run.found):
            self.selected = None

    # -- fit --------------------------------------------------------------------------------------------

    def _run(self, changed: set[str]) -> PaintedRun:
        began = perf_counter()
        found, regions = self._prototypes(), self.regions()
        max_pairs = MAX_PAIRS.get(self.n_clusters)
        marked = region_constraints(found.nearest, regions == 1, regions == 2, max_pairs=max_pairs)
        links = {"must_link": marked.constraints.must_link, "cannot_link": marked.constraints.cannot_link}
        options, numbers = self._options() | {"init": self._start(found)}, np.arange(self.n_clusters)
        unconstrained = self._cached(
            ("ECM", self.colour, self.n_prototypes, self.n_clusters, self.alpha, self.delta, self.metric),
            lambda: Run.of(
                self.subject,
                ECM(self.n_clusters, beta=2.0, focal_sets="full", **options),
                lambda estimator: estimator.fit(found.prototypes),
                lambda _: numbers,
            ),
        )

        def fit(estimator: CECM) -> CECM:
            return estimator.fit(found.prototypes, **links)

        estimator = fit(CECM(self.n_clusters, xi=self.xi, focal_sets="full", **options))
        took_ms, details = 1e3 * (perf_counter() - began), (self._objects(found), marked, regions)
        return PaintedRun(self.subject, estimator, numbers, fit, took_ms, unconstrained, found, *details)

    def _describe(self, run: PaintedRun, iteration: int) -> Segmented:
        estimator = run.after(iteration)
        if (run.regions == 1).any() != (run.regions == 2).any():
            warn(ONE_REGION, stacklevel=2)
        return Segmented(
            run=run,
            iteration=iteration,
            before=run.before(iteration),
            partition=estimator.partition_,
            constraint_cost=estimator.constraint_cost_,
            outcomes=estimator.constraint_report()["outcome"].to_numpy(str),
        )

    def _options(self) -> dict[str, object]:
        """Return the arguments that ECM and CECM share, except the start."""
        return {"alpha": self.alpha, "delta": self.delta, "metric": self.metric}

    def _write_fit(self, program: Program, data: str) -> None:
        program.use("import numpy as np")
        program.use("sklearn.cluster", "KMeans")
        program.use("credalbench.datasets.image_prototypes", "image_prototypes")
        program.use("credalbench.datasets.image_regions", "region_constraints")
        program.add(f"found = image_prototypes({data}.pixels({self.colour}), {self.n_prototypes})")
        program.add(f"regions = np.zeros({data}.shape, np.uint8)  # 0: none")
        if self.strokes:
            program.use("credalbench.explore.explorers.segmentation.drawn_regions", "paint")
            program.add("strokes = [", *(f"    {literal(stroke)}," for stroke in self.strokes), "]")
            program.add("for stroke in strokes:", "    regions = paint(regions, stroke)")
        marked = ["found.nearest", "regions == 1", "regions == 2"]
        if self.n_clusters in MAX_PAIRS:
            marked.append(f"max_pairs={MAX_PAIRS[self.n_clusters]}")
        program.add_call("links = region_constraints(", marked, ").constraints")
        program.add("# The start: centres of k-means, the brightest first.")
        means = f"KMeans({self.n_clusters}, n_init=3, random_state=0).fit(found.prototypes)"
        program.add(f"means = {means}.cluster_centers_", "start = means[np.argsort(-means.mean(axis=1))]")
        given = ["found.prototypes", "must_link=links.must_link", "cannot_link=links.cannot_link"]
        estimator = CECM(self.n_clusters, xi=self.xi, focal_sets="full", **self._options())
        program.add_fit(estimator, given, init="start")
        program.add_iteration(self.fitted.run, self.fitted.iteration, given)
        program.add("partition = model.partition_  # of found.prototypes; each pixel uses its nearest")

    def _cached(self, key: tuple, make: Callable[[], object]) -> object:
        """Return the result of `make`, computed once per key and image."""
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]

    def _prototypes(self) -> ImagePrototypes:
        return self._cached(
            (self.colour, self.n_prototypes),
            lambda: image_prototypes(self.subject.pixels(self.colour), self.n_prototypes),
        )

    def _objects(self, found: ImagePrototypes) -> Objects:
        key = ("objects", self.colour, self.n_prototypes)
        return self._cached(key, lambda: prototype_objects(found))

    def _start(self, found: ImagePrototypes) -> np.ndarray:
        """Return the centres of k-means, brightest first, so that painting does not renumber clusters."""

        def centres() -> np.ndarray:
            means = KMeans(self.n_clusters, n_init=3, random_state=0).fit(found.prototypes).cluster_centers_
            return means[np.argsort(-means.mean(axis=1))]

        return self._cached(("start", self.colour, self.n_prototypes, self.n_clusters), centres)


def prototype_objects(found: ImagePrototypes) -> Objects:
    """Return names, nearest neighbours and pixels of the prototypes of an image."""
    prototypes = found.prototypes
    return Objects([_name(prototype) for prototype in prototypes], nearest_objects(prototypes), found.nearest)


def _name(prototype: np.ndarray) -> str:
    if len(prototype) == 1:
        return f"grey level {FULL_SCALE * prototype[0]:.4g}"
    return f"colour {to_hex(prototype)}"

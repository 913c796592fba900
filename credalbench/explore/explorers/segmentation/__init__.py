"""The segmentation explorer: regions of an image, constrained by painting them.

A program uses the model alone::

    model = SegmentationModel("phantom")
    model.add(rectangle_stroke(1, 40, 30, 70, 55))
    model.add(rectangle_stroke(2, 60, 65, 115, 110))
    model.fitted.share_omega
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import isfinite, sqrt
from time import perf_counter
from warnings import warn

import numpy as np
import traitlets as t
from matplotlib.colors import to_hex
from scipy.ndimage import distance_transform_edt
from sklearn.cluster import KMeans

from credalbench.belief import CredalPartition
from credalbench.cluster import CECM, ECM
from credalbench.cluster.constrained.masses import compile_mass_sweeps
from credalbench.datasets.image_prototypes import ImagePrototypes, image_prototypes
from credalbench.datasets.image_regions import RegionConstraints, region_constraints
from credalbench.explore.declaration import Button, FitExplorer
from credalbench.explore.explorers.segmentation import scene
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import alpha_parameter, parameter
from credalbench.explore.program import Program, literal
from credalbench.explore.scene.scene import Objects
from credalbench.explore.sources.images import MAX_SIDE, ImageSource
from credalbench.explore.sources.tables import nearest_objects
from credalbench.explore.stepping import Fitted, ResultCache, Run

# -- strokes -------------------------------------------------------------------------------------------


#: A stroke, as above.
Stroke = dict[str, object]
TOOLS = {0: "eraser", 1: "region 1", 2: "region 2"}
LARGEST_RADIUS = 60.0
MOST_POINTS = 5000  # of one stroke
SPACING = 0.5  # of the points along a stroke, in pixels


def brush_stroke(tool: int, radius: float, path: Sequence[Sequence[float]]) -> Stroke:
    """Return a valid stroke of a round brush: all pixels within `radius` of the path.

    Parameters
    ----------
    tool : {0, 1, 2}
    radius : float
        In pixels; 0 marks the pixels of the path alone.
    path : sequence of (row, column)
        At least one point; points off the image are allowed.

    Raises
    ------
    ValueError
    """
    _check_tool(tool)
    if not (isinstance(radius, int | float) and 0 <= radius <= LARGEST_RADIUS):
        raise ValueError(f"expected a radius of 0 to {LARGEST_RADIUS:g} pixels; got {radius!r}")
    if not isinstance(path, list | tuple) or not 1 <= len(path) <= MOST_POINTS:
        got = f"{len(path)} points" if hasattr(path, "__len__") else repr(path)
        raise ValueError(f"expected a path of 1 to {MOST_POINTS} points; got {got}")
    for point in path:
        if not (isinstance(point, list | tuple) and len(point) == 2 and all(_is_place(v) for v in point)):
            raise ValueError(f"expected points as (row, column); got {point!r}")
    points = [[float(row), float(column)] for row, column in path]
    return {"tool": int(tool), "radius": float(radius), "path": points}


def rectangle_stroke(tool: int, top: int, left: int, bottom: int, right: int) -> Stroke:
    """Return a valid rectangle of rows top..bottom - 1 and columns left..right - 1.

    Raises
    ------
    ValueError
    """
    _check_tool(tool)
    sides = (top, left, bottom, right)
    if not all(isinstance(side, int) for side in sides) or not (0 <= top < bottom and 0 <= left < right):
        raise ValueError(f"expected integers 0 <= top < bottom and 0 <= left < right; got {sides}")
    return {"tool": int(tool), "rectangle": list(sides)}


def checked_strokes(strokes: Iterable[object]) -> list[Stroke]:
    """Return strokes of an untrusted source after checking them; raise ValueError if one is invalid."""
    checked = []
    for stroke in strokes:
        if not isinstance(stroke, dict) or "tool" not in stroke:
            raise ValueError(f"expected strokes as dictionaries with a tool; got {stroke!r}")
        if "rectangle" in stroke:
            checked.append(rectangle_stroke(stroke["tool"], *stroke["rectangle"]))
        else:
            checked.append(brush_stroke(stroke["tool"], stroke.get("radius"), stroke.get("path")))
    return checked


def paint(regions: np.ndarray, stroke: Stroke) -> np.ndarray:
    """Return the regions (rows, columns) of 0, 1 and 2 after one more stroke; the array is not modified."""
    painted = regions.copy()
    if "rectangle" in stroke:
        top, left, bottom, right = stroke["rectangle"]
        painted[top:bottom, left:right] = stroke["tool"]
        return painted
    places, radius = _points_along(np.array(stroke["path"])), stroke["radius"]
    reach = int(np.ceil(radius)) + 1
    low = np.maximum(places.min(axis=0) - reach, 0)
    high = np.minimum(places.max(axis=0) + reach + 1, regions.shape)
    free = np.ones(np.maximum(high - low, 0) + 2 * reach, dtype=bool)  # brushes reach in from outside
    places = places - low + reach
    inside = places[((places >= 0) & (places < free.shape)).all(axis=1)]
    if len(inside) and (low < high).all():
        free[tuple(inside.T)] = False
        near = distance_transform_edt(free)[reach:-reach, reach:-reach] <= radius
        painted[low[0] : high[0], low[1] : high[1]][near] = stroke["tool"]
    return painted


def _points_along(path: np.ndarray) -> np.ndarray:
    """Return the pixels on the lines between the points of a path (m, 2): (k, 2) int, rounded."""
    pieces = [path[:1]]
    for start, end in pairwise(path):
        n_steps = max(1, int(np.ceil(np.linalg.norm(end - start) / SPACING)))
        pieces.append(start + (end - start) * np.arange(1, n_steps + 1)[:, None] / n_steps)
    return np.round(np.vstack(pieces)).astype(int)


def _check_tool(tool: object) -> None:
    if isinstance(tool, bool) or tool not in TOOLS:
        raise ValueError(f"expected a tool among {list(TOOLS)}; got {tool!r}")


def _is_place(value: object) -> bool:
    return isinstance(value, int | float) and isfinite(value) and abs(value) < 1e5


# -- the model -----------------------------------------------------------------------------------------


METRICS = {"euclidean": "Euclidean", "mahalanobis": "adaptive"}
#: Largest number of constraints, by number of clusters; more are sampled, because the user waits for the
#: fit.
MAX_PAIRS = {2: 4000, 3: 1500, 4: 1000}
#: Number of cached results: images as prototypes, starts, and fits without constraints.
CACHED = 50
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
class Segmented(Fitted):
    """The partitions of the prototypes without and with constraints, with their read-outs."""

    before: CredalPartition

    @cached_property
    def outcomes(self) -> np.ndarray:
        """The outcome of each constraint, (q,)."""
        return self.estimator.constraint_report()["outcome"].to_numpy(str)

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
    prototypes; changing the image or their number clears the selection. `checked_strokes`
    defines strokes.
    """

    STEM, DATA = "segmentation", "phantom"
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
    alpha = alpha_parameter(2.0, "Larger values leave fewer pixels undecided", slider=(0, 4, 0.1))
    delta = parameter(
        t.Float(sqrt(10)), "distance δ", "Distance of every prototype to the empty set", above=0
    )
    metric = parameter(
        t.Unicode("mahalanobis"), "metric", "With grey levels both give the same result", choices=METRICS
    )
    strokes = parameter(t.List(), tooltip="Strokes, in the order in which they were painted")

    def __init__(self, data: object = None, **parameters: object) -> None:
        self._cache = ResultCache(CACHED)
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
            A brush stroke or a rectangle, as in `checked_strokes`.
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
        subject, c, regions = self.subject, self.n_clusters, self.regions()
        image, cached = (subject, self.colour, self.n_prototypes), self._cache.get
        found = cached(image, lambda: image_prototypes(subject.pixels(self.colour), self.n_prototypes))
        objects = cached((*image, "objects"), lambda: prototype_objects(found))
        start = cached((*image, c), lambda: brightest_first(found.prototypes, c))
        options, numbers = self._options(), np.arange(c)
        unconstrained = cached(
            (*image, c, *options.values()),
            lambda: Run.of(
                subject,
                ECM(c, beta=2.0, init=start, **options),
                lambda estimator: estimator.fit(found.prototypes),
                lambda _: numbers,
            ),
        )
        marked = region_constraints(found.nearest, regions == 1, regions == 2, max_pairs=MAX_PAIRS.get(c))
        links = {"must_link": marked.constraints.must_link, "cannot_link": marked.constraints.cannot_link}

        def fit(estimator: CECM) -> CECM:
            return estimator.fit(found.prototypes, **links)

        estimator = fit(CECM(c, xi=self.xi, init=start, **options))
        took_ms = 1e3 * (perf_counter() - began)
        return PaintedRun(
            subject, estimator, numbers, fit, took_ms, unconstrained, found, objects, marked, regions
        )

    def _describe(self, run: PaintedRun, iteration: int) -> Segmented:
        if (run.regions == 1).any() != (run.regions == 2).any():
            warn(ONE_REGION, stacklevel=2)
        return Segmented(run, iteration, run.after(iteration), self.settings(), run.before(iteration))

    def _options(self) -> dict[str, object]:
        """Return the arguments that ECM and CECM share, except the start."""
        return {"focal_sets": "full", "alpha": self.alpha, "delta": self.delta, "metric": self.metric}

    def _write_fit(self, program: Program, data: str) -> None:
        program.use("import numpy as np")
        program.use("sklearn.cluster", "KMeans")
        program.use("credalbench.datasets.image_prototypes", "image_prototypes")
        program.use("credalbench.datasets.image_regions", "region_constraints")
        program.add(f"found = image_prototypes({data}.pixels({self.colour}), {self.n_prototypes})")
        program.add(f"regions = np.zeros({data}.shape, np.uint8)  # 0: none")
        if self.strokes:
            program.use("credalbench.explore.explorers.segmentation", "paint")
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
        estimator = CECM(self.n_clusters, xi=self.xi, **self._options())
        program.add_fit(estimator, given, init="start")
        program.add_iteration(self.fitted.run, self.fitted.iteration, given)
        program.add("partition = model.partition_  # of found.prototypes; each pixel uses its nearest")


def brightest_first(prototypes: np.ndarray, c: int) -> np.ndarray:
    """Return the centres of k-means (c, p), brightest first, so that painting does not renumber clusters."""
    means = KMeans(c, n_init=3, random_state=0).fit(prototypes).cluster_centers_
    return means[np.argsort(-means.mean(axis=1))]


def prototype_objects(found: ImagePrototypes) -> Objects:
    """Return names, nearest neighbours and pixels of the prototypes of an image."""
    prototypes = found.prototypes
    if prototypes.shape[1] == 1:
        names = [f"grey level {scene.FULL_SCALE * level:.4g}" for (level,) in prototypes]
    else:
        names = [f"colour {to_hex(colour)}" for colour in prototypes]
    return Objects(names, nearest_objects(prototypes), found.nearest)


EXPLORER = FitExplorer(
    model=SegmentationModel,
    title="Segmentation explorer",
    hint="",
    view="credalbench.explore.explorers.segmentation.view:SegmentationExplorer",
    scene=scene.segmentation_scene,
    text=scene.picture_text,
    tiles=scene.tiles,
    controls=(),
    buttons=[
        Button("undo", "Undo", "", "Undo the last stroke", flex="1"),
        Button("clear", "Clear", "", "Remove all strokes", flex="1"),
    ],
    words=(
        "``phantom`` (``phantom:3`` for another draw), ``brain_mr``, the path of an image, or an array of "
        "shape (rows, columns) or (rows, columns, 3)."
    ),
    returns="``.model.fitted.run.found.nearest`` is the prototype, an object, of each pixel.",
    example="""
        >>> explorer = explore_segmentation("phantom")
        >>> explorer.model.rectangle(1, 45, 30, 70, 55)  # rows 45 to 69, columns 30 to 54
        >>> explorer.model.rectangle(2, 62, 63, 117, 113)
        >>> bool(explorer.model.fitted.share_omega < explorer.model.fitted.share_omega_before)
        True
    """,
)

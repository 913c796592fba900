"""The segmentation explorer without its widgets: an image, painted regions, fits with and without them.

The model knows no widget. A view links to its traits; a test paints and reads `fitted`::

    model = SegmentationModel("phantom")
    model.add(rectangle_stroke(1, 40, 30, 70, 55))
    model.add(rectangle_stroke(2, 60, 65, 115, 110))
    model.fitted.share_omega
"""

import warnings
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import traitlets as t
from sklearn.cluster import KMeans

from credalbench.belief import CredalPartition
from credalbench.cluster import CECM, ECM
from credalbench.datasets.image_prototypes import ImagePrototypes, image_prototypes
from credalbench.datasets.image_regions import RegionConstraints, region_constraints
from credalbench.explore.drawn_regions import brush_stroke, checked_strokes, paint, rectangle_stroke
from credalbench.explore.refitting_model import RefittingModel, as_sentence
from credalbench.explore.scene import (
    Scene,
    from_text,
    scene_from_dataset,
    scene_from_name,
    scene_from_picture,
    to_text,
)

METRICS = ("euclidean", "mahalanobis")
MOST_CLUSTERS = 4
#: Of the pairs that large regions imply, so many random ones are kept, by the number of clusters: somebody is
#: waiting.
MAX_PAIRS = {2: 4000, 3: 1500, 4: 1000}


@dataclass(frozen=True, eq=False)
class Segmented:
    """The partitions of the prototypes without and with constraints, and what the read-outs show of them."""

    scene: Scene
    found: ImagePrototypes
    marked: RegionConstraints
    regions: np.ndarray
    before: CredalPartition
    partition: CredalPartition
    objective: float
    constraint_cost: float
    n_violated: int
    n_iter: int
    warning: str
    fit_ms: float

    @property
    def share_omega_before(self):
        """Share of the pixels whose largest mass is on Ω, without constraints."""
        return self._share_omega(self.before)

    @property
    def share_omega(self):
        """The same with constraints."""
        return self._share_omega(self.partition)

    @property
    def share_constrained(self):
        """Share of the pixels whose prototype stands in some constraint."""
        return float(self.marked.constraints.constrained[self.found.nearest].mean())

    def _share_omega(self, partition):
        chosen = partition.hard_credal()[self.found.nearest]
        return float(np.mean(chosen == len(partition.focal_sets) - 1))

    def error(self, partition):
        """Share of pixels that the brightest cluster takes or leaves wrongly; None where truth is unknown."""
        if self.scene.lesion is None:
            return None
        return float(np.mean((partition.labels("pignistic")[self.found.nearest] == 0) != self.scene.lesion))


class SegmentationModel(RefittingModel):
    """Image, painted regions and parameters of the segmentation explorer, with the fits.

    Every stroke and every change of a parameter refits. What goes wrong becomes `message` (and `is_error`),
    and `fitted` stays the last good fit. Clusters are numbered by brightness, the brightest first.

    Attributes
    ----------
    data : str
        A name of `scene.NAMES`, ``phantom:n``, or the path of an image.
    colour : bool
        Cluster red, green and blue; otherwise the grey level alone.
    n_prototypes, n_clusters : int
    xi, alpha, delta : float
        Of CECM; delta is the distance to the empty set, rho of the paper.
    metric : str
        One of `METRICS`, for both fits. With grey levels alone both are the same.
    strokes : list of dict
        What was painted, in order; see ``drawn_regions.py``.
    fitted : Segmented or None
    """

    PARAMETERS = (
        "data", "colour", "n_prototypes", "n_clusters", "xi", "alpha", "delta", "metric", "strokes"
    )  # fmt: skip
    STEM = "segmentation"

    data = t.Unicode("phantom")
    colour = t.Bool(False)
    n_prototypes = t.Int(400)
    n_clusters = t.Int(2)
    xi = t.Float(0.5)
    alpha = t.Float(2.0)
    delta = t.Float(float(np.sqrt(10)))
    metric = t.Unicode("mahalanobis")
    strokes = t.List()

    subject = t.Instance(Scene, allow_none=True)
    fitted = t.Instance(Segmented, allow_none=True)

    def __init__(self, data="phantom", **parameters):
        """Load `data` (a name, a path, a Dataset of pixels, or an array) and fit once."""
        self._kept = {}  # quantised images, starts and fits without constraints, by what they depend on
        self._painted = ((), None)  # strokes and the regions they left
        super().__init__(data, **parameters)

    # -- painting ---------------------------------------------------------------------------------------

    def add(self, stroke):
        """Paint one more stroke."""
        self._guarded(lambda: self._set_strokes([*self.strokes, *checked_strokes([stroke])]))

    def brush(self, tool, radius, path):
        """Paint along a path; what is wrong with it becomes `message`."""
        self._guarded(lambda: self._set_strokes([*self.strokes, brush_stroke(tool, radius, path)]))

    def rectangle(self, tool, top, left, bottom, right):
        """Paint a rectangle; what is wrong with it becomes `message`."""
        sides = (top, left, bottom, right)
        self._guarded(lambda: self._set_strokes([*self.strokes, rectangle_stroke(tool, *sides)]))

    def undo(self):
        """Take the last stroke back."""
        self._set_strokes(self.strokes[:-1])

    def clear(self):
        """Take all strokes back."""
        self._set_strokes([])

    def _set_strokes(self, strokes):
        self.strokes = strokes

    def regions(self):
        """Which region each pixel is in, 0 for none: (rows, columns)."""
        strokes, shape = tuple(map(repr, self.strokes)), self.subject.shape
        known, painted = self._painted
        if painted is None or painted.shape != shape or strokes[: len(known)] != known:
            known, painted = (), np.zeros(shape, dtype=np.uint8)
        for stroke in self.strokes[len(known) :]:
            painted = paint(painted, stroke)
        self._painted = (strokes, painted)
        return painted

    # -- data -------------------------------------------------------------------------------------------

    def set_data(self, data):
        """Show another image: a name or path, a `Dataset` of pixels, or an array."""
        if isinstance(data, str | Path):
            self.data = str(data)
        else:
            make = scene_from_dataset if hasattr(data, "n_objects") else scene_from_picture
            self._guarded(lambda: self._show_own(make(data)))

    def load_picture(self, content, name):
        """Show an own image, given by the bytes of its file; errors become `message`."""
        self._guarded(lambda: self._show_own(scene_from_picture(bytes(content), name)))

    def _subject_of(self, name):
        if name in self._own:
            return self._own[name][0]
        return scene_from_name(name)

    def _prepared(self, scene):
        self._kept = {}
        return scene

    def _adapt(self, changed):
        if "strokes" not in changed:  # they were painted on another image
            self.strokes = []

    # -- fit --------------------------------------------------------------------------------------------

    def _apply(self, changed):
        super()._apply(changed)
        if not self.is_error and self.fitted.warning:
            self.report(
                f"{self.subject.note} {as_sentence(Warning(self.fitted.warning))}".strip(), error=False
            )

    def _refit(self, changed):
        start = perf_counter()
        self._check()
        found = self._prototypes()
        regions = self.regions()
        max_pairs = MAX_PAIRS.get(self.n_clusters)
        marked = region_constraints(found.nearest, regions == 1, regions == 2, max_pairs=max_pairs)
        options = {
            "alpha": self.alpha,
            "delta": self.delta,
            "metric": self.metric,
            "init": self._start(found),
        }
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always", UserWarning)
            before = self._keep(
                ("ECM", self.colour, self.n_prototypes, self.n_clusters, self.alpha, self.delta, self.metric),
                lambda: ECM(self.n_clusters, **options).fit(found.prototypes).partition_,
            )
            links = {"must_link": marked.constraints.must_link, "cannot_link": marked.constraints.cannot_link}
            fit = CECM(self.n_clusters, xi=self.xi, **options).fit(found.prototypes, **links)
        self.fitted = Segmented(
            scene=self.subject,
            found=found,
            marked=marked,
            regions=regions,
            before=before,
            partition=fit.partition_,
            objective=fit.objective_,
            constraint_cost=fit.constraint_cost_,
            n_violated=len(fit.violated_),
            n_iter=fit.n_iter_,
            warning=str(warned[-1].message) if warned else "",
            fit_ms=1e3 * (perf_counter() - start),
        )

    def _check(self):
        if self.n_clusters > MOST_CLUSTERS:
            raise ValueError(
                f"expected at most {MOST_CLUSTERS} clusters in this explorer; got {self.n_clusters}"
            )
        if self.metric not in METRICS:
            raise ValueError(f"expected one of {', '.join(METRICS)}; got {self.metric!r}")
        with self._own_changes():
            self.strokes = checked_strokes(self.strokes)

    def _keep(self, key, make):
        """What `make` gives, made once for each key while the image stays."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def _prototypes(self):
        return self._keep(
            (self.colour, self.n_prototypes),
            lambda: image_prototypes(self.subject.pixels(self.colour), self.n_prototypes),
        )

    def _start(self, found):
        """Centres of k-means, the brightest first: clusters keep their numbers whatever is painted."""

        def centres():
            means = KMeans(self.n_clusters, n_init=3, random_state=0).fit(found.prototypes).cluster_centers_
            return means[np.argsort(-means.mean(axis=1))]

        return self._keep(("start", self.colour, self.n_prototypes, self.n_clusters), centres)

    # -- state ------------------------------------------------------------------------------------------

    def state(self):
        """Return the exploration as a dictionary of plain values (JSON), an own image included."""
        values = {name: getattr(self, name) for name in self.PARAMETERS}
        values["strokes"] = [dict(stroke) for stroke in self.strokes]
        if self.data in self._own:
            values["picture"] = to_text(self._own[self.data][0])
        return values

    def set_state(self, state):
        """Return to an exploration that `state()` described; what cannot be restored becomes `message`."""
        state = dict(state)
        text, name = state.pop("picture", None), state.pop("data", None)

        def restore():
            own = None if text is None else from_text(text, name)  # fails before anything changes
            state["strokes"] = checked_strokes(state.get("strokes", []))
            with self.batch():
                self._set_known(state)
                if own is not None:
                    self._show_own(own)
                elif name is not None:
                    self.data = name

        self._guarded(restore)

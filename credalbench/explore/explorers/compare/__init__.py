"""The comparing explorer: two methods, settings or starts side by side, on the same objects.

A program uses the model alone::

    model = CompareModel("t4:200", left_method="k_means")
    model.fitted.differences.counts
    model.comparing = "starts"
    model.fitted.left.run.objective, model.fitted.right.run.objective
"""

from collections.abc import Mapping
from time import perf_counter

import numpy as np
import traitlets as t

from credalbench.belief import CredalPartition, match_clusters, renumber_clusters
from credalbench.core.progress import track
from credalbench.explore import parameter as shared
from credalbench.explore.declaration import RULE, FitExplorer
from credalbench.explore.explorers.compare import methods, scene
from credalbench.explore.explorers.compare.methods import METHODS, Fit, Fitted, Request, Runs, Settings, Start
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import parameter
from credalbench.explore.program import Program
from credalbench.explore.sources.table_source import TableSource
from credalbench.explore.stepping import ResultCache

COMPARED = {"methods": "two methods or settings", "starts": "worst and best start"}
#: Number of random starts; the worst and the best are shown.
N_STARTS = 12
#: Number of cached runs, so that a change on one side does not repeat the other.
CACHED = 4 * N_STARTS
#: Steps of the distance slider. About 1 / c of all pairs are within clusters: the default of δ.
STEPS = 20


def _method_parameter(side: str, default: str) -> t.Unicode:
    choices = {name: method.name for name, method in METHODS.items()}
    words = f"Method on the {side}: k-means gives labels, fuzzy c-means memberships, and the others masses"
    return parameter(t.Unicode(default), side, words, choices=choices)


def _exponent_parameter(side: str) -> t.Float:
    words = f"Exponent on the {side}, of memberships (m) or masses (β): near 1 they become hard"
    return parameter(t.Float(2.0), f"{side} m, β", words, above=1, high=100, slider=(1.1, 5, 0.1))


def _focal_sets_parameter(side: str) -> t.Unicode:
    words = f"Sets of clusters that may receive mass on the {side}; EGMM excludes ∅"
    return parameter(t.Unicode("pairs"), f"{side} sets", words, choices=shared.FOCAL_SETS)


def _far_parameter(side: str) -> t.Float:
    words = f"Distance on the {side}, as a quantile of all dissimilarities: δ of ECM, d₀ of EVCLUS"
    return parameter(t.Float(0.25), f"{side} δ, d₀", words, above=0, high=1, slider=(1 / STEPS, 1, 1 / STEPS))


class CompareModel(ExplorerModel):
    """Data, settings and runs of two sides.

    Either two methods or settings run from the same k-means++ start (EVCLUS: random masses from the same
    seed), or the method of the left runs from `N_STARTS` random starts, and the worst is compared with the
    best. `restart` draws new starts. Both sides show the same iteration.
    """

    STEM, DATA = "compare", "t4:200"

    n_clusters = shared.n_clusters_parameter(6)
    comparing = parameter(
        t.Unicode("methods"),
        "compare",
        f"Two methods or settings from one start, or the worst and best of {N_STARTS} starts of one method",
        choices=COMPARED,
    )
    left_method = _method_parameter("left", "fuzzy_c_means")
    left_exponent = _exponent_parameter("left")
    left_focal_sets = _focal_sets_parameter("left")
    left_far = _far_parameter("left")
    right_method = _method_parameter("right", "ecm")
    right_exponent = _exponent_parameter("right")
    right_focal_sets = _focal_sets_parameter("right")
    right_far = _far_parameter("right")
    standardize = shared.standardize_parameter()
    seed = shared.seed_parameter()

    def __init__(self, data: object = None, **parameters: object) -> None:
        self._ends: ResultCache[Fit] = ResultCache(CACHED)
        super().__init__(data, **parameters)

    def _make_source(self) -> TableSource:
        return TableSource(self, attributes_for="this comparison")

    def settings_of(self, side: str) -> Settings:
        """Return the settings of one side.

        Parameters
        ----------
        side : {"left", "right"}
            The side.

        Returns
        -------
        Settings
            Method, exponent, focal sets and distance quantile of that side.
        """
        names = ("method", "exponent", "focal_sets", "far")
        return Settings(*(getattr(self, f"{side}_{name}") for name in names))

    def _settle(self, changed: set[str]) -> None:
        """Reset the distance quantile for other data or another method: δ and d0 differ in size."""
        super()._settle(changed)
        for side in scene.SIDES:
            if {"data", f"{side}_method"} & changed and f"{side}_far" not in changed:
                usual = methods.FAR.get(getattr(self, f"{side}_method"))
                setattr(self, f"{side}_far", usual or round(STEPS / self.n_clusters) / STEPS)

    # -- fit --------------------------------------------------------------------------------------------

    def _run(self, changed: set[str]) -> Runs:
        began = perf_counter()
        if self.comparing == "methods":
            start, traces = Start("k-means++", self.seed * N_STARTS), ()
            requested = [(self.settings_of(side), start) for side in scene.SIDES]
        else:
            requested, traces = self._extreme_starts(self.settings_of("left"))
        ends = [self._end(*one) for one in requested]
        left, right = (end.partition for end in ends)  # numbered as the classes, the last fit and each other
        numbers = self._numbers_of(left)
        numbers = numbers, match_clusters(right, [renumber_clusters(left, numbers)])
        took = 1e3 * (perf_counter() - began)
        return Runs(self.subject, tuple(requested), tuple(ends), numbers, traces, took)

    def _extreme_starts(self, settings: Settings) -> tuple[list[Request], tuple[np.ndarray, ...]]:
        """Return the worst and the best random start of this seed, and the objectives of all."""
        seeds = range(self.seed * N_STARTS, (self.seed + 1) * N_STARTS)
        starts = [Start("random", seed) for seed in seeds]
        ends = [self._end(settings, start) for start in track(starts, "start")]
        loss = np.array([end.objective for end in ends]) * (-1 if settings.method in methods.MAXIMISED else 1)
        extremes = [(settings, starts[k]) for k in (int(loss.argmax()), int(loss.argmin()))]
        return extremes, tuple(end.objective_trace for end in ends)

    def _end(self, settings: Settings, start: Start) -> Fit:
        """Return the end of the run from a start, cached."""
        method, c = METHODS[settings.method], self.n_clusters
        if method.has("focal_sets"):
            shared.expect_few_focal_sets(settings.focal_sets, c, self.MAX_FOCAL_SETS)
        read = tuple(getattr(settings, name) for name in methods.settings_read(method))
        key = (self.subject, c, settings.method, read, start)
        return self._ends.get(key, lambda: methods.fit(method, self.subject, c, settings, start))

    # -- sides ------------------------------------------------------------------------------------------

    def _describe(self, run: Runs, iteration: int) -> Fitted:
        return methods.described(run, iteration)

    def partitions(self) -> Mapping[str, CredalPartition]:
        return {f"{side}-partition": one for side, one in zip(scene.SIDES, self.fitted.partitions)}

    def _write_fit(self, program: Program, data: str) -> None:
        """Write the fits of both sides, and once what both need."""
        fitted, written = self.fitted, set()
        for name, side, (settings, start) in zip(
            scene.SIDES, (fitted.left, fitted.right), fitted.run.requested
        ):
            iteration = None if side.iteration == side.run.n_iter else side.iteration
            estimator = methods.estimator_of(
                side.method, fitted.subject, self.n_clusters, settings, start, iteration
            )
            init = methods.start_of(estimator)
            if init is None:
                program.add_fit(estimator, [data])
            else:
                array = "start" if init.ndim == 2 else "medoids"
                if (array, start) not in written:
                    program.add_array(array, init)
                written.add((array, start))
                program.add_fit(estimator, [data], init=array)
            if side.method.kind != "credal":
                program.use("credalbench.belief", "CredalPartition")
            program.add_partition(side.numbers, methods.FOUND[side.method.kind], name)


EXPLORER = FitExplorer(
    model=CompareModel,
    title="Comparison",
    hint="Click an object on either map to compare its masses. Rings: objects that only one side separates.",
    scene=scene.compare_scene,
    text=scene.picture_text,
    tiles=scene.tiles,
    controls=(
        *("comparing", "n_clusters"),
        *(
            name
            for side in scene.SIDES
            for name in (RULE, *(f"{side}_{setting}" for setting in scene.SETTINGS))
        ),
        ("restart", "export"),
    ),
    texts={"above": scene.sentences_html},
    chosen=scene.separated,
    off=scene.off,
    returns="``.model.fitted.partitions`` are those of the left and of the right side.",
    example="""
        >>> explorer = explore_compare("t4:200", left_method="k_means")
        >>> explorer.model.fitted.left.partition.nonspecificity()
        0.0
    """,
)

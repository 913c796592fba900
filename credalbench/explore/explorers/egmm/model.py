"""The model of the EGMM explorer: runs of EM, and EBIC over the number of clusters.

The model has no widgets. A view links to its traits; a test sets a trait and reads `fitted`::

    model = EGMMModel("mixture", overlap=0.1)
    model.n_clusters = 4
    model.complete_curve()
    model.best_n_clusters
"""

import warnings
from collections.abc import Hashable, Mapping
from dataclasses import replace
from time import perf_counter

import traitlets as t

from credalbench.cluster import EGMM
from credalbench.core.threads import one_thread
from credalbench.explore.explorers.egmm.fit import FitsOverClusters, Fitted, best_point, describe
from credalbench.explore.explorers.egmm.overlapping_mixture import overlapping_mixture
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import (
    MAX_SEED,
    map_view_parameter,
    n_clusters_parameter,
    parameter,
    standardize_parameter,
)
from credalbench.explore.program import Program
from credalbench.explore.sources.source import MAX_OBJECTS
from credalbench.explore.sources.table_source import TableSource
from credalbench.explore.sources.tables import Table
from credalbench.explore.stepping import Run, steady_numbers

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
#: Limits that keep fits fast enough for an explorer.
MAX_FOCAL_SETS, MAX_ITER = 64, 500


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
        program.use("credalbench.explore.explorers.egmm.overlapping_mixture", "overlapping_mixture")
        drawn = f"{model.n_objects}, {model.n_classes}, {model.overlap!r}, {model.draw}"
        program.add(f"X = overlapping_mixture({drawn}).attributes")


class EGMMModel(ExplorerModel):
    """Data, parameters and iterations of the EGMM explorer, and the curve of EBIC.

    The data ``mixture`` are generated: `n_objects` Gaussian objects in `n_classes` classes, of which
    neighbours share `overlap`. The curve starts with a point at `n_clusters`; `extend_curve` adds the others
    one at a time. They are kept until a parameter other than `n_clusters` changes.

    Parameters
    ----------
    data : str, path, Dataset, UserTable, DataFrame or array_like of shape (n, p), default "mixture"
        The data: the name of a data set, the path of a table, a table or attributes.
    **parameters
        Initial values of the parameters, which are listed among the attributes.

    Attributes
    ----------
    fitted : Fitted or None
    """

    STEM = "egmm"
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
    n_clusters = n_clusters_parameter(6, default=3, low=1)
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
    standardize = standardize_parameter()
    map_view = map_view_parameter()
    seed = parameter(t.Int(0), "start", "Seed of the random start", low=0, most=MAX_SEED, slider=(0, 20, 1))

    fitted = t.Instance(Fitted, allow_none=True)

    def __init__(self, data: object = MIXTURE, **parameters: object) -> None:
        self._fits = FitsOverClusters()
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

    def _run(self, changed: set[str]) -> Run:
        began, X = perf_counter(), self.subject.attributes
        attempt = self._fits.attempt(self._settings(), self.n_clusters, self._fit)
        if attempt.error is not None:
            raise attempt.error
        for text in attempt.warned:
            warnings.warn(text, stacklevel=2)
        numbers = steady_numbers(attempt.estimator.partition_, self.subject, self.last_run)
        took_ms = 1e3 * (perf_counter() - began)
        return Run(self.subject, attempt.estimator, numbers, lambda estimator: estimator.fit(X), took_ms)

    def _describe(self, run: Run, iteration: int) -> Fitted:
        curve = self._fits.curve(self._settings())
        return describe(run, iteration, curve, tuple(sorted({*CURVE, self.n_clusters})))

    def _settings(self) -> Hashable:
        """Return what a run depends on, except the number of clusters; user tables may share a name."""
        left_out = {"n_clusters", *self.SHOWING}
        values = (getattr(self, name) for name in self.parameters() if name not in left_out)
        return self.source.own.get(self.data), *values

    def _fit(self, c: int) -> EGMM:
        f = n_components(self.focal_sets, c)
        if f > MAX_FOCAL_SETS:
            raise ValueError(
                f"expected at most {MAX_FOCAL_SETS} components, because an explorer refits while you wait; "
                f"{self.focal_sets!r} with {c} clusters has {f}"
            )
        return self._estimator(c).fit(self.subject.attributes)

    def _estimator(self, c: int) -> EGMM:
        return EGMM(
            c,
            focal_sets=self.focal_sets,
            noise=False,
            covariance_type=self.covariance_type,
            reg_covar=self.reg_covar,
            init="k-means",
            max_iter=MAX_ITER,
            random_state=self.seed,
        )

    def _write_fit(self, program: Program, data: str) -> None:
        program.add_fit(self._estimator(self.n_clusters), [data])
        program.add_iteration(self.fitted.run, self.fitted.iteration, [data])
        program.add_partition(self.fitted.run.numbers)

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
            known = self._fits.known(self._settings())
            missing = next(c for c in self.fitted.requested if c not in known)
            self._fits.attempt(self._settings(), missing, self._fit)
            self.fitted = replace(self.fitted, curve=self._fits.curve(self._settings()))
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

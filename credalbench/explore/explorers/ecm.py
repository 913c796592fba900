"""The ECM explorer: prototypes to drag, and the iterations that follow.

A program uses the model alone::

    model = ECMModel("t4:400")
    model.move(0, (5.0, 5.0))
    model.step()
    model.fitted.objective
"""

from collections.abc import Iterable, Sequence

import numpy as np
import traitlets as t
from sklearn.utils import check_random_state

from credalbench.cluster import ECM
from credalbench.cluster.prototypes.prototype_step import prototype_starts
from credalbench.core.arguments import expect
from credalbench.explore import parameter as shared
from credalbench.explore import stepping
from credalbench.explore.declaration import RULE, Button, FitExplorer
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import LAST, parameter
from credalbench.explore.program import Program
from credalbench.explore.scene.credal_map import fit_scene, prototype_entries, prototype_marks
from credalbench.explore.scene.scene import Handles, Scene
from credalbench.explore.stepping import Fitted, Run


class FittedECM(Fitted):
    """The iteration that is shown."""

    @property
    def prototypes(self) -> np.ndarray:
        """The prototypes after the iteration, (c, p)."""
        # exact before the first iteration
        return self.estimator.cluster_centers_ if self.iteration else self.start

    @property
    def start(self) -> np.ndarray:
        """The prototypes before the first iteration, (c, p)."""
        return self.run.estimator.start_


class ECMModel(ExplorerModel):
    """Data, parameters, start and iterations of the ECM explorer.

    A run leads from the starting prototypes to convergence; cluster k has prototype k throughout. Changing
    the data, the number of clusters or the seed draws new prototypes; changing other parameters restarts
    the run from the same ones.
    """

    STEM, DATA, ESTIMATOR, FITTED = "ecm", "t4:400", ECM, FittedECM
    APART = ("seed",)

    n_clusters = shared.n_clusters_parameter(6)
    focal_sets = shared.focal_sets_parameter("pairs")
    metric = shared.metric_parameter()
    alpha = shared.alpha_parameter()
    beta = shared.beta_parameter()
    delta = shared.delta_parameter(shared.usual_delta)
    standardize = shared.standardize_parameter()
    map_view = shared.map_view_parameter()
    seed = shared.seed_parameter()
    start = parameter(t.Tuple(), tooltip="Coordinates of each starting prototype; drawn at random if empty")

    # -- actions ----------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Draw a new start, and stay there."""
        self.set_parameters({"seed": self.seed + 1, "iteration": 0})

    def move(self, k: int, place: Sequence[float] | np.ndarray) -> None:
        """Move one prototype on the map; the run restarts from the present prototypes.

        Parameters
        ----------
        k : int
            Index of the prototype, from 0.
        place : array_like of shape (2,)
            Its new place, in the units of the axes of the map.
        """

        def put(fitted: FittedECM) -> None:
            prototypes = fitted.prototypes.copy()
            prototypes[k] = self.subject.moved_to(prototypes[k], place)
            self.set_parameters({"start": _rows(prototypes), "iteration": 0})

        self._with_fit(put)

    def dragged(self, k: int, x: float, y: float) -> None:
        self.move(k, (x, y))

    # -- fit --------------------------------------------------------------------------------------------

    def _settle(self, changed: set[str]) -> None:
        if changed & self.STARTING and "start" not in changed:
            self.start = ()
        super()._settle(changed)

    def _arguments(self) -> dict[str, object]:
        return {"max_iter": LAST}

    def _run_of(self, estimator: ECM) -> Run:
        return super()._run_of(estimator.set_params(init=self._accepted_start()))

    def _numbers(self, estimator: ECM) -> np.ndarray:
        return np.arange(self.n_clusters)  # numbered by the start

    def _write_fit(self, program: Program, data: str) -> None:
        fitted = self.fitted
        program.add_array("start", self.start)
        max_iter = LAST if fitted.ended else fitted.iteration
        program.add_fit(self._estimator(init=fitted.start, max_iter=max_iter), [data], init="start")
        program.add_partition(fitted.run.numbers)

    def _accepted_start(self) -> np.ndarray:
        """Return the starting prototypes (c, p), drawn if there are none; an invalid start is discarded."""
        requested = self.n_clusters, self.subject.attributes.shape[1]
        try:
            start = np.array(self.start, dtype=float) if self.start else self._drawn_start()
            expect(start.shape == requested, f"a start of shape {requested}", start.shape)
            expect(np.isfinite(start).all(), "finite numbers in start", self.start)
        except Exception:
            with self._own_changes():
                self.start = ()
            raise
        with self._own_changes():
            self.start = _rows(start)
        return start

    def _drawn_start(self) -> np.ndarray:
        """Return prototypes (c, p) by k-means++, numbered so that clusters keep their colours."""
        X = self.subject.attributes
        (start,) = prototype_starts(X, self.n_clusters, "k-means++", 1, check_random_state(self.seed))
        fit = self._estimator(init=start).fit(X)
        return start[np.argsort(self._numbers_of(fit.partition_))]


def _rows(points: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, points.tolist()))


# -- what is drawn ---------------------------------------------------------------------------------------


def ecm_scene(fitted: FittedECM) -> Scene:
    """Return the scene of a fit of the ECM model."""
    subject, on_map = fitted.subject, fitted.on_map
    prototypes = subject.on_the_map(fitted.prototypes)
    start = subject.on_the_map(fitted.start) if fitted.iteration else None
    marks = prototype_marks(prototypes, fitted.partition.focal_sets, start)
    handles = Handles("prototype", "map", prototypes) if on_map else None
    return fit_scene(fitted, marks, prototype_entries(), handles)


def tiles(fitted: FittedECM) -> Iterable[stepping.Tile]:
    """Return the read-outs."""
    moving = stepping.iteration_tile(fitted, "Iterations done, and until the prototypes stop moving")
    return (
        moving,
        stepping.objective_tile(fitted),
        *stepping.measures(fitted),
        stepping.outlier_tile(fitted),
    )


def picture_text(fitted: FittedECM) -> str:
    """Return the description of the picture for screen readers."""
    places = fitted.subject.on_the_map(fitted.prototypes)
    where = "; ".join(f"{k + 1} at {x:.3g}, {y:.3g}" for k, (x, y) in enumerate(places))
    return f"{fitted.words('ECM')}, with {stepping.outliers(fitted.n_outliers)}. Prototypes: {where}."


EXPLORER = FitExplorer(
    model=ECMModel,
    title="ECM explorer",
    hint="Drag a prototype (or use page keys, then arrow keys); then step, or play all iterations.",
    scene=ecm_scene,
    text=picture_text,
    tiles=tiles,
    controls=(
        *("n_clusters", "focal_sets", "metric", "alpha", "beta", "delta", "map_view"),
        RULE,
        *("prototype", ("place_x", "place_y"), ("export",)),
    ),
    buttons=[
        Button("restart", "New start (n)", "refresh", "Draw new prototypes, and stay at the start", "n")
    ],
    play=("restart",),
    parts=("prototypes",),
    example="""
        >>> explorer = explore_ecm("butterfly", delta=4.5)
        >>> explorer.model.restart()
        >>> explorer.model.step()
        >>> explorer.model.fitted.iteration
        1
    """,
)

"""The view of the ECM explorer: controls, and prototypes to drag in a picture.

Number fields do everything that dragging does.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import ipywidgets as w
import numpy as np

from credalbench.explore.explorers.ecm.model import ECMModel, Fitted
from credalbench.explore.explorers.ecm.scene import ecm_scene
from credalbench.explore.view.controls import button, choice, number
from credalbench.explore.view.explorer_view import ExplorerView, column, panel, side_by_side
from credalbench.explore.view.read_outs import RULE, Tile, share
from credalbench.explore.view.time_bar import iteration_tile

PLACES = ("place_x", "place_y")


class EcmExplorer(ExplorerView):
    """Controls, read-outs and picture of an `ECMModel`.

    Parameters
    ----------
    model : ECMModel
        The model to show.
    """

    HINT = "Drag a prototype (or use page keys, then arrow keys); then step, or play all iterations."

    def __init__(self, model: ECMModel) -> None:
        super().__init__(model, ecm_scene, picture_text, prototype_controls(), letters={"n": "restart"})

    def _arrange(self) -> w.Box:
        c = self.controls
        left = panel(
            "ECM explorer",
            *self.data.widgets(),
            *(c[name] for name in ("n_clusters", "focal_sets", "metric", "alpha", "beta")),
            w.HBox([c["delta_slider"], c["delta"]]),
            c["map_view"],
            w.HTML(RULE),
            w.HBox([c[name] for name in ("prototype", *PLACES)]),
            w.HBox([c["export"]]),
        )
        bar = self.time.row(c["restart"])
        return side_by_side(left, column(self.readouts, bar, self.message, self.image))

    # -- linking ----------------------------------------------------------------------------------------

    def _actions(self) -> dict[str, Callable[[], None]]:
        return {"restart": self.model.restart}

    def _link(self) -> None:
        super()._link()
        controls = self.controls
        controls["prototype"].observe(lambda _: self._show_place(), "value")
        for axis, name in enumerate(PLACES):
            controls[name].observe(partial(self._move_by_number, axis), "value")
        self.image.on_drag(lambda k, x, y: self.model.move(k, (x, y)))

    def _move_by_number(self, axis: int, change: Mapping[str, object]) -> None:
        """Move a prototype along one axis; its other coordinate stays exact."""
        with self.model.turn:
            fitted, k = self.model.fitted, self.controls["prototype"].value
            if not self.is_quiet and fitted is not None:
                place = self._places(fitted)[k]
                place[axis] = change["new"]
                self.model.move(k, place)

    # -- showing ----------------------------------------------------------------------------------------

    def _draw(self, fitted: Fitted) -> None:
        super()._draw(fitted)
        with self.silently():
            options = [(str(k + 1), k) for k in range(fitted.partition.n_clusters)]
            if options != list(self.controls["prototype"].options):
                self.controls["prototype"].options = options
        self._show_place()

    @staticmethod
    def _places(fitted: Fitted) -> np.ndarray:
        """Return the positions of the prototypes on the map, (c, 2)."""
        return fitted.subject.on_the_map(fitted.prototypes)

    def _show_place(self) -> None:
        fitted, k = self.model.fitted, self.controls["prototype"].value
        if fitted is not None and k is not None:
            with self.silently():
                for name, value in zip(PLACES, self._places(fitted)[k]):
                    self.controls[name].value = float(f"{value:.3g}")

    def _read_outs(self, fitted: Fitted) -> Iterable[Tile]:
        return (
            iteration_tile(fitted, "Iterations done, and until the prototypes stop moving"),
            ("objective J", f"{fitted.objective:.4g}", "After the current iteration"),
            ("ARI", share(fitted.ari), "Adjusted Rand index against the true classes"),
            ("nonspecificity", share(fitted.nonspecificity), "Imprecision of the masses, 0 to 1"),
            ("outliers", fitted.n_outliers, "Objects whose largest mass is on the empty set"),
            self._times(fitted, "Time to fit and to build the scene"),
        )


def picture_text(fitted: Fitted) -> str:
    """Return the description of the picture for screen readers."""
    subject, c = fitted.subject, fitted.partition.n_clusters
    places = subject.on_the_map(fitted.prototypes)
    where = "; ".join(f"{k + 1} at {x:.3g}, {y:.3g}" for k, (x, y) in enumerate(places))
    return (
        f"Map of {subject.n_objects} objects of {subject.name} in {c} clusters by ECM after "
        f"{fitted.iteration} of {fitted.n_iter} iterations, with {fitted.n_outliers} outliers; objective "
        f"{fitted.objective:.4g}. Prototypes: {where}."
    )


def explore_ecm(data: object = "t4:400", **parameters: object) -> EcmExplorer:
    """Explore ECM on a data set: put this in the last line of a notebook cell.

    Parameters
    ----------
    data : str, path, Dataset or array_like of shape (n, p), default "t4:400"
        Name of a data set with attributes, ``two_class:n:draw`` or ``t4:n`` for a draw of a recipe, path of
        a table, or attributes.
    **parameters
        Parameters of `ECMModel`.

    Returns
    -------
    EcmExplorer
        Displays itself; ``.model`` is the explorer's state, ``.model.fitted.partition`` the credal partition.

    Examples
    --------
    >>> explorer = explore_ecm("butterfly", delta=4.5)
    >>> explorer.model.restart()
    >>> explorer.model.step()
    >>> explorer.model.fitted.iteration
    1
    """
    return EcmExplorer(ECMModel(data, **parameters))


def prototype_controls() -> dict[str, w.Widget]:
    """Return the controls of the prototypes, by name: a new start, and moves without a mouse."""
    label = {"style": {"description_width": "initial"}}
    which = "Prototype that the two number fields move; it can also be dragged in the picture"
    places = {
        "place_x": number("at x", "Horizontal position on the map", layout=w.Layout(width="84px"), **label),
        "place_y": number("y", "Vertical position on the map", layout=w.Layout(width="72px"), **label),
    }
    new = button("New start (n)", "refresh", "Draw new prototypes, and stay at the start", flex="0 1 auto")
    return {
        "restart": new,
        "prototype": choice("prototype", which, {0: "1"}, layout=w.Layout(width="114px"), **label),
        **places,
    }

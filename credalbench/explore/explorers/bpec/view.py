"""The view of the BPEC explorer: controls, and a graph in which prototypes are chosen.

Fields, buttons and keys do everything that clicks and drags do.
"""

from collections.abc import Callable, Iterable

import ipywidgets as w

from credalbench.explore.explorers.bpec.model import BPECModel, Fitted
from credalbench.explore.explorers.bpec.scene import bpec_scene
from credalbench.explore.view.controls import button
from credalbench.explore.view.explorer_view import ExplorerView, column, panel, side_by_side
from credalbench.explore.view.read_outs import RULE, Tile, share
from credalbench.explore.view.time_bar import iteration_tile

#: Keyboard shortcuts in the picture, by letter.
LETTERS = {"n": "next", "t": "toggle", "a": "automatic"}


class BpecExplorer(ExplorerView):
    """Controls, read-outs and picture of a `BPECModel`.

    Parameters
    ----------
    model : BPECModel
        The model to show.
    """

    HINT = "Click a peak in the graph, or drag the corner. Keys: n for the next peak, t adds or removes it."

    def __init__(self, model: BPECModel) -> None:
        words = {
            "next": ("Next peak (n)", "arrow-right", "Select the object of next lower prominence"),
            "toggle": ("Add or remove (t)", "check", "Make the selected object a prototype, or remove it"),
            "automatic": ("Automatic (a)", "magic", "Let the rule choose the prototypes again"),
        }
        controls = {name: button(*texts, flex="0 1 auto") for name, texts in words.items()}
        super().__init__(model, bpec_scene, picture_text, controls, letters=LETTERS)

    def _arrange(self) -> w.Box:
        c = self.controls
        for name, width in (("least_delta", "158px"), ("least_belief", "118px")):
            c[name].layout.width = width
        c["least_belief"].style.description_width = "initial"
        left = panel(
            "BPEC explorer",
            *self.data.widgets(),
            c["by"],
            c["n_clusters"],
            w.HBox([c["least_delta"], c["least_belief"]]),
            *(c[name] for name in ("n_neighbors", "q")),
            w.HTML(RULE),
            *(c[name] for name in ("focal_sets", "metric", "alpha", "beta")),
            w.HBox([c["delta_slider"], c["delta"]]),
            c["map_view"],
            w.HBox([c["export"]]),
        )
        choosing = w.Box([c[name] for name in LETTERS.values()], layout=w.Layout(flex_flow="row wrap"))
        bars = choosing, self.time.row()
        return side_by_side(left, column(self.readouts, *bars, self.message, self.image))

    # -- linking ----------------------------------------------------------------------------------------

    def _actions(self) -> dict[str, Callable[[], None]]:
        model = self.model
        acts = model.next_peak, model.toggle_selected, model.choose_by_rule
        return dict(zip(LETTERS.values(), acts))

    def _link(self) -> None:
        super()._link()
        self.image.on_click(self._click)
        self.image.on_drag(lambda _, x, y: self.model.move_corner(x, y))

    def _click(self, i: int | None, panel_name: str, x: float, y: float) -> None:
        """Add or remove an object that is clicked in the graph; on the map a click only selects."""
        if panel_name == "graph":
            self.model.toggle(i)

    # -- showing ----------------------------------------------------------------------------------------

    def _show_subject(self) -> None:
        if self.model.subject is not None:
            with self.silently():
                self.controls["n_neighbors"].max = max(
                    self.model.n_neighbors, self.model.subject.n_objects - 1
                )
        super()._show_subject()

    def _read_outs(self, fitted: Fitted) -> Iterable[Tile]:
        c = fitted.partition.n_clusters
        drop = "Share by which the prominence drops after the last prototype"
        return (
            ("prototypes", c, "Chosen belief peaks, one for each cluster"),
            ("drop", share(fitted.graph.drop(c)), drop),
            ("ARI", share(fitted.ari), "Adjusted Rand index against the true classes"),
            ("nonspecificity", share(fitted.nonspecificity), "Imprecision of the masses, 0 to 1"),
            ("outliers", fitted.n_outliers, "Objects whose largest mass is on the empty set"),
            ("objective J", f"{fitted.objective:.4g}", "Objective of ECM at these prototypes"),
            iteration_tile(fitted, "Iterations done, and until the shapes of the clusters no longer change"),
            self._times(fitted, "Time to fit and to build the scene"),
        )


def picture_text(fitted: Fitted) -> str:
    """Return the description of the picture for screen readers."""
    subject, c = fitted.subject, fitted.partition.n_clusters
    names = subject.object_names
    called = ", ".join(str(names[i]) if names else f"object {i}" for i in fitted.peaks.tolist())
    return (
        f"Map of {subject.n_objects} objects of {subject.name} in {c} clusters by BPEC, with "
        f"{fitted.n_outliers} outliers; graph with the prototypes {called} and a corner at distance "
        f"{fitted.corner[0]:.4g} and belief {fitted.corner[1]:.4g}; objective {fitted.objective:.4g} after "
        f"{fitted.iteration} of {fitted.n_iter} iterations."
    )


def explore_bpec(data: object = "t4:400", **parameters: object) -> BpecExplorer:
    """Explore BPEC on a data set: put this in the last line of a notebook cell.

    Parameters
    ----------
    data : str, path, Dataset or array_like of shape (n, p), default "t4:400"
        Name of a data set with attributes, ``two_class:n:draw`` or ``t4:n`` for a draw of a recipe, path of
        a table, or attributes.
    **parameters
        Parameters of `BPECModel`.

    Returns
    -------
    BpecExplorer
        Displays itself; ``.model`` is the explorer's state, ``.model.fitted.partition`` the credal partition.

    Examples
    --------
    >>> explorer = explore_bpec("t4:24", n_clusters=3)
    >>> explorer.model.toggle(14)
    >>> explorer.model.by, explorer.model.n_clusters
    ('hand', 4)
    """
    return BpecExplorer(BPECModel(data, **parameters))

"""The view of the CECM explorer: controls, and a picture to click on.

Number fields and buttons do everything that clicks do.
"""

from collections.abc import Callable, Iterable

import ipywidgets as w

from credalbench.explore.explorers.cecm.fit import Fitted
from credalbench.explore.explorers.cecm.model import CECMModel
from credalbench.explore.explorers.cecm.scene import cecm_scene
from credalbench.explore.view.controls import button, restart_button
from credalbench.explore.view.explorer_view import ExplorerView, column, panel, side_by_side
from credalbench.explore.view.link_panel import LETTERS, LinkPanel, outcome_text, outcome_tiles
from credalbench.explore.view.read_outs import RULE, Tile, share
from credalbench.explore.view.time_bar import iteration_tile


class CecmExplorer(ExplorerView):
    """Controls, read-outs and picture of a `CECMModel`.

    Parameters
    ----------
    model : CECMModel
        The model to show.
    """

    HINT = "Click two objects, or type their numbers; then add a must-link or a cannot-link."
    FAILED = ""  # most errors here do not come from a fit

    def __init__(self, model: CECMModel) -> None:
        self.note = w.HTML()
        self.links = LinkPanel(model.linking)
        words = "Suggest a pair (p)", "question", "Select the next pair by active learning"
        controls = {"restart": restart_button(), "suggest": button(*words, flex="0 1 auto")}
        letters = LETTERS | {"p": "suggest"}
        super().__init__(model, cecm_scene, picture_text, controls | self.links.controls, letters=letters)
        self.message.layout.min_height = "42px"  # two lines: the picture should not jump

    def _arrange(self) -> w.Box:
        c = self.controls
        left = panel(
            "CECM explorer",
            *self.data.widgets(),
            *(c[name] for name in ("n_clusters", "focal_sets", "metric", "alpha", "beta")),
            w.HBox([c["delta_slider"], c["delta"]]),
            c["xi"],
            self.note,
            w.HTML(RULE),
            c["init"],
            c["n_init"],
            c["map_view"],
            w.HBox([c["restart"], c["export"]]),
        )
        bars = self.links.rows(c["suggest"])
        return side_by_side(left, column(self.readouts, *bars, self.time.row(), self.message, self.image))

    # -- linking ----------------------------------------------------------------------------------------

    def _actions(self) -> dict[str, Callable[[], None]]:
        own = {name: getattr(self.model, name) for name in ("suggest", "restart")}
        return self.links.actions() | own

    def _link(self) -> None:
        super()._link()
        self.links.link(self)

    def _shown(self, trait: str, name: str) -> object:
        # While beta is off, its slider shows the 2 of CECM.
        off = name == "beta" and self.controls[name].disabled
        return 2.0 if off else super()._shown(trait, name)

    # -- showing ----------------------------------------------------------------------------------------

    def _draw(self, fitted: Fitted) -> None:
        super()._draw(fitted)
        self._show_method(fitted)

    def _show_method(self, fitted: Fitted) -> None:
        """Show which method is used; enable beta only without and xi only with constraints."""
        q = len(fitted.links)
        self.controls["beta"].disabled, self.controls["xi"].disabled = q > 0, q == 0
        self.follow("beta", "beta")
        self.links.show()
        text = (
            f"{q} constraint{'s' * (q > 1)}: <b>CECM</b>, where β is 2."
            if q
            else "No constraints: <b>ECM</b>; the weight ξ has no effect."
        )
        self.note.value = f'<div style="font-size:12px;line-height:18px;padding-left:8px">{text}</div>'

    def _read_outs(self, fitted: Fitted) -> Iterable[Tile]:
        q = len(fitted.links)
        unconstrained = share(fitted.ari_unconstrained)
        plausibility = share(fitted.constraint_cost if q else None)
        parts = "(1 - ξ) times the data part plus ξ times the constraint part"
        return (
            ("ARI", share(fitted.ari), "Adjusted Rand index against the true classes"),
            ("ARI of the rest", unconstrained, "Adjusted Rand index of the objects without constraints"),
            ("objective J", f"{fitted.objective:.4g}", parts),
            ("data part", f"{fitted.data_cost:.4g}", "The objective of ECM"),
            ("constraint part", plausibility, "Mean plausibility of a violation"),
            *outcome_tiles(fitted.outcomes),
            iteration_tile(fitted, "Iterations done, and until the end of the best start"),
            self._times(fitted, "Time to fit all starts and to build the scene"),
        )


def picture_text(fitted: Fitted) -> str:
    """Return the description of the picture for screen readers."""
    subject, c = fitted.subject, fitted.partition.n_clusters
    return (
        f"Map of {subject.n_objects} objects of {subject.name} in {c} clusters by {fitted.method} "
        f"{outcome_text(fitted.outcomes)}, and {fitted.n_outliers} outliers; objective "
        f"{fitted.objective:.4g} after {fitted.iteration} of {fitted.n_iter} iterations."
    )


def explore_cecm(data: object = "two_class:400:2", **parameters: object) -> CecmExplorer:
    """Explore ECM and CECM on a data set: put this in the last line of a notebook cell.

    Parameters
    ----------
    data : str, path, Dataset or array_like of shape (n, p), default "two_class:400:2"
        Name of a data set with attributes, ``two_class:n:draw`` for n objects of the recipe of
        `credalbench.datasets.make_two_class_cecm`, path of a table, or attributes.
    **parameters
        Parameters of `CECMModel`.

    Returns
    -------
    CecmExplorer
        Displays itself; ``.model`` is the explorer's state, ``.model.fitted.partition`` the credal partition,
        ``.model.links`` the constraints.

    Examples
    --------
    >>> explorer = explore_cecm("butterfly", delta=4.5)
    >>> explorer.model.choice.choose(0, 10)
    >>> explorer.model.linking.link("cannot-link")
    >>> explorer.model.fitted.method
    'CECM'
    """
    return CecmExplorer(CECMModel(data, **parameters))

"""The view of the ensemble explorer."""

from collections.abc import Callable, Iterable
from html import escape

import ipywidgets as w

from credalbench.belief.relations.t_norms import PARAMETER_RANGES
from credalbench.explore.background import WhenIdle
from credalbench.explore.explorers.ensemble.fit import Fitted
from credalbench.explore.explorers.ensemble.model import EnsembleModel
from credalbench.explore.explorers.ensemble.scene import ensemble_scene, pair_at
from credalbench.explore.explorers.ensemble.sentences import about_pair, picture_text
from credalbench.explore.view.controls import button
from credalbench.explore.view.explorer_view import ExplorerView, column, panel, side_by_side
from credalbench.explore.view.link_panel import PairPanel
from credalbench.explore.view.read_outs import RULE, Tile, share
from credalbench.explore.view.time_bar import iteration_tile

#: Keyboard shortcuts in the picture, by letter, in addition to those of the time bar.
SHORTCUTS = {"t": "suggest", "n": "restart"}
#: Panels in which a position is a pair.
RELATIONS = ("relation", "closed")
_SMALL = "font-size:12.5px;line-height:18px;padding:0 8px;white-space:normal;min-height:36px"


class EnsembleExplorer(ExplorerView):
    """Controls, read-outs and picture of an `EnsembleModel`.

    Parameters
    ----------
    model : EnsembleModel
        The model to show.
    """

    HINT = (
        "Click an object to see its masses; click two, or a pair in a relation, for the evidence about them."
    )

    def __init__(self, model: EnsembleModel) -> None:
        self.about_pair, self.pair = w.HTML(), PairPanel(model.choice)
        self._ahead = WhenIdle(lambda: model.busy or model.prepare())
        fine = "Select the pair that the closure changed most, or else the pair with the largest ignorance"
        controls = self.pair.controls | {
            "suggest": button("Most informative pair (t)", "question", fine, flex="0 1 auto"),
            "restart": button("New bases (n)", "refresh", "Draw new base partitions"),
        }
        super().__init__(model, ensemble_scene, picture_text, controls, SHORTCUTS, joined=False)
        self._show_chosen()

    def _arrange(self) -> w.Box:
        c = self.controls
        left = panel(
            "Ensemble explorer",
            *self.data.widgets(),
            *(c[name] for name in ("n_estimators", "base_from", "base_to")),
            w.HTML(RULE),
            *(c[name] for name in ("rule", "t_norm")),
            w.HBox([c["t_norm_parameter_slider"], c["t_norm_parameter"]]),
            w.HTML(RULE),
            *(c[name] for name in ("n_clusters", "focal_sets", "pair_neighbors")),
            w.HBox([c["restart"], c["export"]]),
        )
        row = self.time.row(*(c[name] for name in ("first", "second", "suggest")))
        return side_by_side(left, column(self.readouts, row, self.message, self.image, self.about_pair))

    # -- linking ----------------------------------------------------------------------------------------

    def _actions(self) -> dict[str, Callable[[], None]]:
        return {"suggest": self.model.suggest, "restart": self.model.restart}

    def _link(self) -> None:
        super()._link()
        self.pair.link(self, self._show_chosen)
        self.image.on_click(self._click)
        self.model.observe(lambda _: self._ahead.restart(), list(self.model.parameters()))
        self._ahead.restart()

    def _click(self, i: int | None, panel: str, x: float, y: float) -> None:
        """Choose an object of a map or a pair of a relation; clear the choice elsewhere."""
        fitted = self.model.fitted
        pair = pair_at(fitted, x, y) if panel in RELATIONS and fitted is not None else None
        if pair is None:
            self.model.choice.click(i)
        else:
            self.model.choice.choose(*pair)

    # -- showing ----------------------------------------------------------------------------------------

    def _draw(self, fitted: Fitted) -> None:
        super()._draw(fitted)
        for name in ("t_norm_parameter", "t_norm_parameter_slider"):
            self.controls[name].disabled = self.model.t_norm not in PARAMETER_RANGES
        self._show_chosen()

    def _show_chosen(self) -> None:
        self.pair.show()
        if self.model.fitted is not None:
            text = escape(about_pair(self.model.fitted, self.model.choice.objects))
            self.about_pair.value = f'<div role="status" style="{_SMALL}">{text}</div>'

    def _read_outs(self, fitted: Fitted) -> Iterable[Tile]:
        agreement = "Credal Rand index of the consensus and the relation it was fitted to"
        distance = "Sum of squared differences between the pairwise masses of consensus and relation"
        return (
            ("ARI", share(fitted.ari), "Adjusted Rand index of the consensus against the true classes"),
            ("credal Rand", share(fitted.credal_rand), agreement),
            ("stress", f"{fitted.objective:.4g}", distance),
            ("nonspecificity", share(fitted.nonspecificity), "Imprecision of the masses, 0 to 1"),
            ("outliers", fitted.n_outliers, "Objects whose largest mass is on the empty set"),
            iteration_tile(fitted, "Sweeps of all searches"),
            self._times(fitted, "Time to compute what changed and to build the scene"),
        )


def explore_ensemble(data: object = "half_rings:300", **parameters: object) -> EnsembleExplorer:
    """Explore evidential clustering ensembles on a data set: put this in the last line of a notebook cell.

    Parameters
    ----------
    data : str, path, Dataset or array_like of shape (n, p), default "half_rings:300"
        Name of a data set with attributes, ``half_rings:n:draw`` for n objects on two interlocked arcs, path
        of a table, or attributes.
    **parameters
        Parameters of `EnsembleModel`.

    Returns
    -------
    EnsembleExplorer
        Displays itself; ``.model`` is the explorer's state, ``.model.fitted.partition`` the consensus,
        ``.model.fitted.run.relation`` and ``.closed`` the masses of all pairs.

    Examples
    --------
    >>> explorer = explore_ensemble("half_rings:60", n_estimators=10)
    >>> explorer.model.suggest()
    >>> len(explorer.model.fitted.pair.evidence.same)
    10
    """
    return EnsembleExplorer(EnsembleModel(data, **parameters))

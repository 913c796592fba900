"""The view of the EGMM explorer."""

from collections.abc import Callable, Iterable
from html import escape

import ipywidgets as w

from credalbench.explore.background import WhenIdle
from credalbench.explore.explorers.egmm.fit import Fitted, best_point
from credalbench.explore.explorers.egmm.model import MIXTURE, EGMMModel
from credalbench.explore.explorers.egmm.scene import egmm_scene
from credalbench.explore.view.controls import button, restart_button
from credalbench.explore.view.explorer_view import ExplorerView, column, panel, side_by_side
from credalbench.explore.view.read_outs import Tile, share
from credalbench.explore.view.time_bar import iteration_tile

_SMALL = "font-size:12px;line-height:18px;padding-left:8px;white-space:normal"


class EgmmExplorer(ExplorerView):
    """Controls, read-outs and picture of an `EGMMModel`.

    Parameters
    ----------
    model : EGMMModel
        The model to show.
    """

    HINT = "Click an object to see its masses and the reason for its assignment."

    def __init__(self, model: EGMMModel) -> None:
        self.advice = w.HTML()
        self._curve = WhenIdle(lambda: model.busy or model.extend_curve())
        words = "Use the number of clusters with the highest EBIC"
        controls = {"best": button("Best c", "star", words), "restart": restart_button()}
        super().__init__(model, egmm_scene, picture_text, controls)

    def _arrange(self) -> w.Box:
        c, (data, *prepared) = self.controls, self.data.widgets()
        left = panel(
            "EGMM explorer",
            data,
            *(c[name] for name in EGMMModel.GENERATING),
            *prepared,
            *(c[name] for name in ("n_clusters", "focal_sets", "covariance_type")),
            w.HBox([c["reg_covar_slider"], c["reg_covar"]]),
            c["seed"],
            c["map_view"],
            self.advice,
            w.HBox([c["best"], c["restart"], c["export"]]),
        )
        return side_by_side(left, column(self.readouts, self.time.row(), self.message, self.image))

    # -- linking ----------------------------------------------------------------------------------------

    def _actions(self) -> dict[str, Callable[[], None]]:
        return {"best": self.model.take_best, "restart": self.model.restart}

    def _link(self) -> None:
        super()._link()
        # drawing points changes the subject, but no parameter
        self.model.observe(lambda _: self._curve.restart(), [*self.model.parameters(), "subject"])
        self._curve.restart()

    # -- showing ----------------------------------------------------------------------------------------

    def _show_subject(self) -> None:
        for name in EGMMModel.GENERATING:
            self.controls[name].disabled = self.model.data != MIXTURE
        super()._show_subject()

    def _draw(self, fitted: Fitted) -> None:
        super()._draw(fitted)
        self.advice.value = f'<div style="{_SMALL}">{advice(fitted)}</div>'

    def _read_outs(self, fitted: Fitted) -> Iterable[Tile]:
        n = fitted.subject.n_objects
        parameters = f"Log-likelihood minus half of {fitted.n_parameters} parameters times log n"
        return (
            ("ARI", share(fitted.ari), "Adjusted Rand index against the true classes"),
            ("log-likelihood", f"{fitted.objective:.1f}", "Log-likelihood of all objects under the mixture"),
            ("EBIC", f"{fitted.ebic:.1f}", parameters),
            ("nonspecificity", share(fitted.nonspecificity), "Imprecision of the masses, 0 to 1"),
            ("imprecise", f"{fitted.n_imprecise} of {n}", "Objects with most mass on several clusters"),
            iteration_tile(fitted, "Iterations of the EM algorithm"),
            self._times(fitted, "Time to fit and to build the scene"),
        )


def advice(fitted: Fitted) -> str:
    """Return the status of the EBIC curve as HTML: its best point, how much is known, refused fits."""
    if fitted.is_complete:
        text = f"EBIC is highest at <b>c = {best_point(fitted.curve).n_clusters}</b> (star)."
    else:
        text = f"EBIC is known for {len(fitted.curve)} of {len(fitted.requested)} numbers of clusters."
    if refused := [point for point in fitted.curve if point.ebic is None]:
        numbers = ", ".join(str(point.n_clusters) for point in refused)
        text += f" Crosses: no fit at c = {numbers}: {escape(refused[0].reason)}"
    return text


def picture_text(fitted: Fitted) -> str:
    """Return the description of the picture for screen readers."""
    subject, c = fitted.subject, fitted.partition.n_clusters
    return (
        f"Map of {subject.n_objects} objects of {subject.name} in {c} clusters by EGMM after "
        f"{fitted.iteration} of {fitted.n_iter} iterations, {fitted.n_imprecise} objects between clusters, "
        f"with {len(fitted.weights)} components; EBIC {fitted.ebic:.1f}, known for {len(fitted.curve)} "
        "numbers of clusters."
    )


def explore_egmm(data: object = MIXTURE, **parameters: object) -> EgmmExplorer:
    """Explore EGMM on a data set: put this in the last line of a notebook cell.

    Parameters
    ----------
    data : str, path, Dataset or array_like of shape (n, p), default "mixture"
        Name of a data set with attributes, ``mixture`` for Gaussian classes of adjustable overlap, path of a
        table, or attributes.
    **parameters
        Parameters of `EGMMModel`.

    Returns
    -------
    EgmmExplorer
        Displays itself; ``.model`` is the explorer's state, ``.model.fitted.partition`` the credal partition.
        ``.model.complete_curve()`` computes the whole EBIC curve, which the page does while idle.

    Examples
    --------
    >>> explorer = explore_egmm("mixture", overlap=0.05)
    >>> explorer.model.complete_curve()
    >>> explorer.model.best_n_clusters
    3
    """
    return EgmmExplorer(EGMMModel(data, **parameters))

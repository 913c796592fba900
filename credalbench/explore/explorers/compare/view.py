"""The view of the comparing explorer: controls, two maps and read-outs."""

from collections.abc import Callable, Iterable
from html import escape

import ipywidgets as w

from credalbench.explore.explorers.compare.methods import METHODS, settings_read
from credalbench.explore.explorers.compare.model import CompareModel
from credalbench.explore.explorers.compare.scene import compare_scene
from credalbench.explore.explorers.compare.sentences import comparison_text, picture_text
from credalbench.explore.explorers.compare.sides import Fitted
from credalbench.explore.view.controls import restart_button
from credalbench.explore.view.explorer_view import ExplorerView, column, panel, side_by_side
from credalbench.explore.view.fit_status import RESULT
from credalbench.explore.view.read_outs import RULE, Tile, iterations, share

SETTINGS = ("method", "exponent", "focal_sets", "far")
_SENTENCES = '<div style="font-size:14px;line-height:1.4;padding:2px 4px 4px;white-space:normal">{}</div>'


class CompareExplorer(ExplorerView):
    """Controls, read-outs and picture of a `CompareModel`.

    Parameters
    ----------
    model : CompareModel
        The model to show.
    """

    HINT = "Click an object on either map to compare its masses. Rings: objects that only one side separates."

    def __init__(self, model: CompareModel) -> None:
        self.comparison_text = w.HTML()
        self.comparison_text.add_class(RESULT)
        super().__init__(model, compare_scene, picture_text, {"restart": restart_button()}, joined=False)

    def _arrange(self) -> w.Box:
        c = self.controls
        sides = [[c[f"{side}_{name}"] for name in SETTINGS] for side in ("left", "right")]
        left = panel(
            "Compare",
            *self.data.widgets(),
            *(c[name] for name in ("comparing", "n_clusters")),
            w.HTML(RULE),
            *sides[0],
            w.HTML(RULE),
            *sides[1],
            w.HBox([c["restart"], c["export"]]),
        )
        return side_by_side(
            left, column(self.readouts, self.time.row(), self.message, self.comparison_text, self.image)
        )

    def _actions(self) -> dict[str, Callable[[], None]]:
        return {"restart": self.model.restart}

    # -- showing ----------------------------------------------------------------------------------------

    def _draw(self, fitted: Fitted) -> None:
        super()._draw(fitted)
        self.comparison_text.value = _SENTENCES.format(escape(comparison_text(fitted)))
        pair = fitted.differences.separated_by_right or fitted.differences.separated_by_left
        shown = pair is not None and not fitted.traces
        self.image.chosen = [pair.first, pair.second] if shown else []
        self._enable_what_is_read(starts=bool(fitted.traces))

    def _enable_what_is_read(self, starts: bool) -> None:
        """Disable settings that the method of a side does not have, and the right side for starts."""
        for side in ("left", "right"):
            read = ("method", *settings_read(METHODS[getattr(self.model, f"{side}_method")]))
            for name in SETTINGS:
                idle = name not in read or (starts and side == "right")
                self.controls[f"{side}_{name}"].disabled = idle

    def _read_outs(self, fitted: Fitted) -> Iterable[Tile]:
        sides = (fitted.left, fitted.right)

        def both(values: Iterable[object]) -> str:
            return " · ".join(map(str, values))

        same, n = int(fitted.differences.counts[0]), fitted.subject.n_objects
        parts = [side.partition for side in sides]
        runs = [f"{s.iteration} of {iterations(s.run.n_iter, s.run.converged)}" for s in sides]
        index = "Adjusted Rand index against the true classes, left and right"
        return (
            ("same set", f"{same} of {n}", "Objects whose largest mass is on the same set on both sides"),
            ("agreement", share(fitted.agreement), "Adjusted Rand index of the clusters of both sides"),
            ("ARI", both(share(side.ari) for side in sides), index),
            ("nonspecificity", both(share(p.nonspecificity()) for p in parts), "Imprecision, left and right"),
            ("outliers", both(int(p.outliers().sum()) for p in parts), "Left and right"),
            ("iteration", both(runs), "Iterations done, and until the end of the run, left and right"),
            self._times(fitted, "Time to fit both sides and to build the scene"),
        )


def explore_compare(data: object = "t4:200", **parameters: object) -> CompareExplorer:
    """Compare two methods, settings or starts on a data set: put this in the last line of a notebook cell.

    Parameters
    ----------
    data : str, path, Dataset or array_like of shape (n, p), default "t4:200"
        Name of a data set with attributes, ``two_class:n:draw`` or ``t4:n`` for a draw of a recipe, path of
        a table, or attributes.
    **parameters
        Parameters of `CompareModel`.

    Returns
    -------
    CompareExplorer
        Displays itself; ``.model`` is the explorer's state, ``.model.fitted.left.partition`` and
        ``.right.partition`` the credal partitions.

    Examples
    --------
    >>> explorer = explore_compare("t4:200", left_method="k_means")
    >>> explorer.model.fitted.left.partition.nonspecificity()
    0.0
    """
    return CompareExplorer(CompareModel(data, **parameters))

"""The view of the cat-ECM explorer: controls, picture and table of prototypes."""

from collections.abc import Callable, Iterable
from html import escape

import ipywidgets as w
import pandas as pd

from credalbench.explore.explorers.catecm.fit import Fitted
from credalbench.explore.explorers.catecm.model import CatECMModel
from credalbench.explore.explorers.catecm.scene import catecm_scene
from credalbench.explore.view.controls import button, restart_button
from credalbench.explore.view.explorer_view import ExplorerView, column, panel, side_by_side
from credalbench.explore.view.read_outs import RULE, Tile, share
from credalbench.explore.view.time_bar import iteration_tile
from credalbench.plots.style import colour

#: Signs that look like the markers of the clusters on the map, in their order.
SIGNS = "●■▲◆▼✚✖⬟"
_TABLE = "border-collapse:collapse;font-size:12px;line-height:17px;font-variant-numeric:tabular-nums"
_FRAME = "max-height:min(190px,20vh);overflow:auto;margin:2px 8px;white-space:normal"
_HEAD = "position:sticky;top:0;background:var(--jp-layout-color0,white);text-align:left;padding:0 14px 2px 0"
_REST = "font-size:12px;opacity:.75"
_CELL = "text-align:left;padding:0 14px 0 0;font-weight:normal"


class CatecmExplorer(ExplorerView):
    """Controls, read-outs, picture and table of a `CatECMModel`.

    Parameters
    ----------
    model : CatECMModel
        The model to show.
    """

    HINT = "Click objects to compare their masses; click elsewhere or press Escape to clear the selection."

    def __init__(self, model: CatECMModel) -> None:
        self.prototypes = w.HTML()
        words = "Show the masses of the objects of highest nonspecificity; clears the selection"
        controls = {"ambiguous": button("Most ambiguous", "question", words), "restart": restart_button()}
        super().__init__(model, catecm_scene, picture_text, controls, joined=False)

    def _arrange(self) -> w.Box:
        c = self.controls
        left = panel(
            "cat-ECM explorer",
            *self.data.widgets(),
            *(c[name] for name in ("n_clusters", "focal_sets", "alpha", "beta")),
            w.HBox([c["delta_slider"], c["delta"]]),
            c["normalize"],
            w.HTML(RULE),
            *(c[name] for name in ("seed", "n_init")),
            w.HBox([c["ambiguous"]]),
            w.HBox([c["restart"], c["export"]]),
        )
        right = column(self.readouts, self.time.row(), self.message, self.image, self.prototypes)
        return side_by_side(left, right)

    # -- linking ----------------------------------------------------------------------------------------

    def _actions(self) -> dict[str, Callable[[], None]]:
        return {"ambiguous": self.model.choice.choose, "restart": self.model.restart}

    def _link(self) -> None:
        super()._link()
        self.image.on_click(self._click)

    def _click(self, i: int | None, panel: str, x: float, y: float) -> None:
        """Toggle an object of the map in the choice; a row of the masses only selects it."""
        if panel != "masses":
            self.model.choice.click(i)
        elif i is None and (row := round(-y)) in range(len(self.model.fitted.listed)):
            self.model.selected = self.model.fitted.listed[row]

    # -- showing ----------------------------------------------------------------------------------------

    def _draw(self, fitted: Fitted) -> None:
        with self.image.hold_sync():
            super()._draw(fitted)
            self.image.chosen = list(self.model.choice.objects)
        self.prototypes.value = prototypes_html(fitted.prototypes)

    def _read_outs(self, fitted: Fitted) -> Iterable[Tile]:
        return (
            ("ARI", share(fitted.ari), "Adjusted Rand index against the true classes"),
            ("accuracy", share(fitted.accuracy), "Share of objects in the cluster matched to their class"),
            ("nonspecificity", share(fitted.nonspecificity), "Imprecision of the masses, 0 to 1"),
            ("objective J", f"{fitted.objective:.4g}", "After the current iteration"),
            ("outliers", fitted.n_outliers, "Objects whose largest mass is on the empty set"),
            iteration_tile(fitted, "Iterations of the best start"),
            self._times(fitted, "Time to fit all starts and to build the scene"),
        )


def picture_text(fitted: Fitted) -> str:
    """Return the description of the picture for screen readers."""
    subject, c = fitted.subject, fitted.partition.n_clusters
    return (
        f"Map of {subject.n_objects} objects of {subject.name} in {c} clusters by cat-ECM after "
        f"{fitted.iteration} of {fitted.n_iter} iterations, with {fitted.n_outliers} outliers; masses of "
        f"{len(fitted.listed)} objects ({fitted.choice}); objective {fitted.objective:.4g}."
    )


def explore_catecm(data: object = "cat_diamond", **parameters: object) -> CatecmExplorer:
    """Explore cat-ECM on a table of categories: put this in the last line of a notebook cell.

    Parameters
    ----------
    data : str, path, Dataset or array_like of shape (n, p), default "cat_diamond"
        Name of a data set with categorical attributes, path of a table, or values.
    **parameters
        Parameters of `CatECMModel`.

    Returns
    -------
    CatecmExplorer
        Displays itself; ``.model`` is the explorer's state, ``.model.fitted.partition`` the credal partition,
        ``.model.fitted.prototypes`` the table of prototypes.

    Examples
    --------
    >>> explorer = explore_catecm("cat_diamond")
    >>> explorer.model.fitted.n_outliers
    2
    """
    return CatecmExplorer(CatECMModel(data, **parameters))


def prototypes_html(prototypes: pd.DataFrame) -> str:
    """Return an HTML table of prototypes (c, p); attributes that agree in all clusters share one line.

    Tuples of values, which share the weight, are joined by "or".
    """
    words = {str(name): [_words(value) for value in prototypes[name]] for name in prototypes}
    kinds = {name: len(set(values)) for name, values in words.items()}
    differing = sorted((name for name in words if kinds[name] > 1), key=lambda name: -kinds[name])
    same = [f"{escape(name)} = {escape(words[name][0])}" for name in words if kinds[name] == 1]
    head = "".join(
        f'<th scope="col" style="{_HEAD}"><span style="color:{colour(k)}">{SIGNS[k % len(SIGNS)]}</span> '
        f"{{{k + 1}}}</th>"
        for k in range(len(prototypes))
    )
    rows = "".join(_row(name, words[name]) for name in differing)
    rest = f'<div style="{_REST}">The same in all: {", ".join(same)}.</div>' if same else ""
    return (
        f'<div tabindex="0" role="region" aria-label="Prototypes" style="{_FRAME}"><table style="{_TABLE}">'
        f'<thead><tr><th scope="col" style="{_HEAD}">prototypes</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table>{rest}</div>"
    )


def _row(name: str, values: list[str]) -> str:
    cells = "".join(f'<td style="{_CELL}">{escape(value)}</td>' for value in values)
    head = f'<th scope="row" style="{_CELL}">{escape(name)}</th>'
    return f'<tr style="background:transparent">{head}{cells}</tr>'


def _words(value: object) -> str:
    return " or ".join(map(str, value)) if isinstance(value, tuple) else str(value)

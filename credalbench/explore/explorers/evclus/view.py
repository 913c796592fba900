"""The view of the EVCLUS explorer."""

from collections.abc import Callable, Iterable, Mapping

import ipywidgets as w

from credalbench.explore.explorers.evclus.model import EVCLUSModel, Fitted
from credalbench.explore.explorers.evclus.scene import evclus_scene
from credalbench.explore.view.controls import restart_button, tick
from credalbench.explore.view.explorer_view import ExplorerView, column, panel, side_by_side
from credalbench.explore.view.link_panel import LETTERS, LinkPanel, outcome_text, outcome_tiles
from credalbench.explore.view.read_outs import RULE, Tile, share
from credalbench.explore.view.time_bar import iteration_tile


class EvclusExplorer(ExplorerView):
    """Controls, read-outs and picture of an `EVCLUSModel`.

    Parameters
    ----------
    model : EVCLUSModel
        The model to show.
    """

    HINT = "Click an object to see its masses and the reason for its place; click a second one to link both."

    def __init__(self, model: EVCLUSModel) -> None:
        every = "EVCLUS; otherwise k-EVCLUS with k partners for each object"
        controls = {"all_pairs": tick("all pairs of objects", every), "restart": restart_button()}
        self.links = LinkPanel(model.linking)
        controls |= self.links.controls
        super().__init__(model, evclus_scene, picture_text, controls, letters=LETTERS)

    def _arrange(self) -> w.Box:
        c = self.controls
        left = panel(
            "EVCLUS explorer",
            *self.data.widgets(),
            *(
                c[name]
                for name in ("n_clusters", "focal_sets", "pair_neighbors", "d0_quantile", "d0", "alpha")
            ),
            w.HTML(RULE),
            *(c[name] for name in ("all_pairs", "n_pairs", "solver", "xi", "map_view")),
            w.HBox([c["restart"], c["export"]]),
        )
        bars = *self.links.rows(), self.time.row()
        return side_by_side(left, column(self.readouts, *bars, self.message, self.image))

    def _actions(self) -> dict[str, Callable[[], None]]:
        return self.links.actions() | {"restart": self.model.restart}

    def _link(self) -> None:
        super()._link()
        self.links.link(self)
        self.controls["all_pairs"].observe(self._choose_pairs, "value")

    def follow(self, trait: str, name: str) -> None:
        if trait == "n_pairs":
            sampled = self.model.n_pairs is not None
            with self.silently():
                self.controls["all_pairs"].value = not sampled
                self.controls["n_pairs"].disabled = not sampled
            if not sampled:
                return
        super().follow(trait, name)

    def _choose_pairs(self, change: Mapping[str, object]) -> None:
        if not self.is_quiet:
            self.model.n_pairs = None if change["new"] else self.controls["n_pairs"].value

    def _show_subject(self) -> None:
        n = self.model.subject.n_objects if self.model.subject is not None else 3
        partners = self.controls["n_pairs"]
        with self.silently():
            chosen = min(self.model.n_pairs or min(100, n // 2), n - 1)
            partners.max = n - 1
            partners.value = chosen
        super()._show_subject()

    def _draw(self, fitted: Fitted) -> None:
        super()._draw(fitted)
        self.links.show()
        self.controls["xi"].disabled = not fitted.links

    def _read_outs(self, fitted: Fitted) -> Iterable[Tile]:
        return (
            ("ARI", share(fitted.ari), "Adjusted Rand index against the true classes"),
            ("nonspecificity", share(fitted.nonspecificity), "Imprecision of the masses, 0 to 1"),
            (
                "stress",
                f"{fitted.objective:.4g}",
                "Normalised squared error of the conflict; with constraints also their cost",
            ),
            ("outliers", fitted.n_outliers, "Objects whose largest mass is on the empty set"),
            *outcome_tiles(fitted.outcomes),
            iteration_tile(fitted, "Sweeps or iterations done, and until the end of the run"),
            ("fit", f"{fitted.fit_ms:.0f} ms", "Time to fit"),
            ("scene", f"{self.picture.draw_ms:.0f} ms", "Time to build the scene"),
        )


def picture_text(fitted: Fitted) -> str:
    """Return the description of the picture for screen readers."""
    subject, c = fitted.subject, fitted.partition.n_clusters
    return (
        f"Map of {subject.n_objects} objects of {subject.name} in {c} clusters with lower and upper "
        f"approximations and {fitted.n_outliers} outliers, {outcome_text(fitted.outcomes)}; Shepard "
        f"diagram; "
        f"transformation with d0 = {fitted.d0:.4g}; stress {fitted.objective:.4g} after {fitted.iteration} "
        f"of {fitted.n_iter} iterations."
    )


def explore_evclus(data: object = "butterfly", **parameters: object) -> EvclusExplorer:
    """Explore EVCLUS on a data set: put this in the last line of a notebook cell.

    Parameters
    ----------
    data : str, path, Dataset or array_like of shape (n, p), default "butterfly"
        Name of a data set (see `credalbench.datasets.list_datasets`), ``t4:400`` for 400 objects drawn from
        four t distributions, path of a table of attributes or dissimilarities, or attributes.
    **parameters
        Parameters of `EVCLUSModel`.

    Returns
    -------
    EvclusExplorer
        Displays itself; ``.model`` is the explorer's state, ``.model.fitted.partition`` the credal partition.

    Examples
    --------
    >>> explorer = explore_evclus("butterfly", n_clusters=2, d0=11)
    >>> explorer.model.fitted.n_outliers
    1
    """
    return EvclusExplorer(EVCLUSModel(data, **parameters))

"""Views whose picture is drawn in the browser, from a scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter

import ipywidgets as w
import traitlets as t

from credalbench.explore.shared.fitting_model import Fit
from credalbench.explore.shared.linked_view import LinkedView
from credalbench.explore.shared.read_outs import message_html, read_outs_html, without_times
from credalbench.explore.shared.refitting_model import RefittingModel
from credalbench.explore.shared.scene.scene import Scene
from credalbench.explore.shared.widgets.evidence_canvas import EvidenceCanvas

#: What legends add where something can be dragged, which needs a kernel.
DRAG = ": drag it"


class SceneMaker:
    """Makes scenes of fits, and keeps the time.

    Attributes
    ----------
    draw_ms : float
        Time of the last scene; drawing is the browser's.
    """

    def __init__(self, make: Callable[[Fit], Scene]) -> None:
        self._make = make
        self.draw_ms = float("nan")

    def scene(self, fitted: Fit) -> Scene:
        """Return the scene of a fit."""
        start = perf_counter()
        scene = self._make(fitted)
        self.draw_ms = 1e3 * (perf_counter() - start)
        return scene


class SceneView(LinkedView):
    """A `LinkedView` with an `EvidenceCanvas`.

    The object that is selected in the browser is `model.selected`, and the other way round.
    """

    def __init__(
        self,
        model: RefittingModel,
        make_scene: Callable[[Fit], Scene],
        controls: Mapping[str, w.Widget],
        **traits: object,
    ) -> None:
        """Show scenes that `make_scene` makes; `traits` are those of the canvas."""
        super().__init__(model, SceneMaker(make_scene), EvidenceCanvas(**traits), controls)

    def held(self) -> dict[str, object]:
        """Return what a page without a kernel holds of the fit that is shown.

        The values of the canvas for the ``held`` of its script, in which nothing can be dragged; ``tiles``
        and ``message`` in HTML.
        """
        image, (tiles, words) = self.image, self._read_outs(self.model.fitted)
        legend = [entry | {"label": entry["label"].removesuffix(DRAG)} for entry in image.scene["legend"]]
        return {
            "scene": image.scene | {"legend": legend, "handles": None},
            "objects": image.objects,
            "description": image.description,
            "stem": image.stem,
            "chosen": [*image.chosen],
            "joined": image.joined,
            "tiles": read_outs_html(without_times(tiles), words),
            "message": message_html(self.model.message, self.model.is_error),
        }

    def _link(self) -> None:
        super()._link()
        self.image.observe(self._select, "selected")
        self.model.observe(lambda _: self._show_selected(), "selected")

    def _select(self, change: Mapping[str, object]) -> None:
        """Select what the browser says; of objects that are gone nothing."""
        with self.model.turn:
            try:
                self.model.selected = change["new"]
            except t.TraitError:
                self.model.selected = None
            self._show_selected()

    def _show_selected(self) -> None:
        self.image.selected = self.model.selected

    def _draw(self, fitted: Fit) -> None:
        scene = self.picture.scene(fitted)
        self.image.stem = f"{self.model.STEM}-{fitted.subject.name}"
        self.image.show(scene, self._words(fitted))

    def _download(self, name: str, contents: str) -> None:
        self.image.download(name, contents)

    def _words(self, fitted: Fit) -> str:
        """Return the picture in words."""
        raise NotImplementedError

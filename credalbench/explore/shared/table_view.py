"""What the views of explorers that look at a table share: the controls of the data, and what fits them."""

from __future__ import annotations

import ipywidgets as w

from credalbench.explore.shared.drawing_model import DrawingModel
from credalbench.explore.shared.drawing_panel import DrawingPanel
from credalbench.explore.shared.import_panel import ImportPanel
from credalbench.explore.shared.read_outs import RULE
from credalbench.explore.shared.scene_view import SceneView


class TableView(SceneView):
    """A `SceneView` of a `TableModel`: no more clusters than objects, no scales without attributes."""

    def _data_controls(self) -> tuple[w.Widget, ...]:
        """The controls that choose, prepare and draw data, and what was read of own ones; a rule below."""
        c, self.imported = self.controls, ImportPanel(self.model)
        shown = [c["data"], w.HBox([c["upload"]]), self.imported.widget, c["standardize"]]
        if isinstance(self.model, DrawingModel):
            self.drawing = DrawingPanel(self.model, self.image)
            shown.append(self.drawing.widget)
        return *shown, w.HTML(RULE)

    def _show_subject(self) -> None:
        subject = self.model.subject
        if subject is not None:
            usual = self.model.parameters()["n_clusters"].slider[1]
            with self._silently():
                most = min(max(usual, self.model.n_clusters), subject.n_objects)
                self.controls["n_clusters"].max = most
                self.controls["standardize"].disabled = subject.attributes is None
        super()._show_subject()

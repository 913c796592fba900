"""The panel of the data: selection, reading of user tables, and drawing."""

from collections.abc import Mapping

import ipywidgets as w

from credalbench.explore.canvas.evidence_canvas import EvidenceCanvas
from credalbench.explore.model import ExplorerModel
from credalbench.explore.sources.user_table_source import UserTableSource
from credalbench.explore.view.drawing_panel import DrawingPanel
from credalbench.explore.view.import_panel import ImportPanel
from credalbench.explore.view.read_outs import RULE


class DataPanel:
    """The controls that choose, prepare and draw data.

    Attributes
    ----------
    imported : ImportPanel or None
        None if the source reads no user tables.
    drawing : DrawingPanel or None
        None if data cannot be drawn.
    """

    def __init__(
        self, model: ExplorerModel, canvas: EvidenceCanvas, controls: Mapping[str, w.Widget]
    ) -> None:
        self.model, self.controls = model, controls
        reads_tables = isinstance(model.source, UserTableSource)
        self.imported = ImportPanel(model.source.user_table) if reads_tables else None
        self.drawing = None if model.drawing is None else DrawingPanel(model, canvas)

    def widgets(self) -> tuple[w.Widget, ...]:
        """Return the controls of a table, with a rule below."""
        c = self.controls
        shown = [c["data"], w.HBox([c["upload"]]), self.imported.widget]
        shown += [c["standardize"]] if "standardize" in c else []
        shown += [self.drawing.widget] if self.drawing is not None else []
        return *shown, w.HTML(RULE)

    def show_subject(self) -> None:
        """Limit clusters to the number of objects, and enable scaling for attributes only."""
        subject, declared = self.model.subject, self.model.parameters()["n_clusters"]
        if subject is None or not declared.grows:
            return
        self.controls["n_clusters"].max = min(
            max(declared.slider[1], self.model.n_clusters), subject.n_objects
        )
        if "standardize" in self.controls:
            self.controls["standardize"].disabled = subject.attributes is None

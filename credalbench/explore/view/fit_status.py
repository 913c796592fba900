"""The status of the fit, shown while the picture is out of date, with a stop button."""

from html import escape

import ipywidgets as w

from credalbench.explore.fitting import FittingModel
from credalbench.explore.parameter import Parameter
from credalbench.explore.view.controls import button

#: CSS classes of the box, the status, the read-outs and an outdated box.
AROUND, SIGN, RESULT = "credalbench-explorer", "credalbench-sign", "credalbench-result"
OUT_OF_DATE = "credalbench-out-of-date"
_STYLE = f"""<style>
.{SIGN} {{position: fixed; top: 6px; right: 24px; z-index: 9; max-width: min(560px, 90%);
  align-items: center; padding: 3px 10px; background: #fff; color: #1a1a1a; border: 2px solid #0072B2;
  border-radius: 4px; box-shadow: 0 2px 8px rgba(0, 0, 0, .3)}}
.{SIGN} .widget-html-content {{white-space: normal; line-height: 1.35; font-size: 14px; color: #1a1a1a}}
.{OUT_OF_DATE} :is(.{RESULT}, .credalbench-evidence) {{opacity: .4}}
</style>"""


class FitStatus(w.HBox):
    """Status of a running fit: its progress, and which result is shown; hidden otherwise.

    It stays visible when the page is scrolled. The picture and read-outs of its box fade while they are out
    of date.

    Parameters
    ----------
    model : FittingModel

    Attributes
    ----------
    stop : ipywidgets.Button
    """

    def __init__(self, model: FittingModel) -> None:
        self._model, self._box = model, None
        self._words, self._progress = w.HTML(), w.HTML(layout=w.Layout(min_width="36px"))
        self.stop = button("Stop", "stop", "Stop the fit, and go back to the settings of the picture", "none")
        super().__init__([w.HTML(_STYLE), self._words, self._progress, self.stop])
        self.add_class(SIGN)
        model.observe(lambda _: self.renew(), ["busy", "message", "is_error"])
        model.observe(lambda change: self._show_progress(change["new"]), "progress")

    def attach(self, box: w.Box) -> None:
        """Put the status over a box, and show it when the state of the fit changes."""
        self._box = box
        box.children += (self,)
        box.add_class(AROUND)
        self.renew()

    def renew(self) -> None:
        """Show or hide the status."""
        model, words = self._model, status_text(self._model)
        self._words.value = f'<span role="status">{escape(words)}</span>' if words else ""
        self.stop.layout.display = None if model.busy else "none"
        self.layout.display = "flex" if words else "none"
        if not model.busy:
            self._show_progress("")
        if self._box is not None:
            (self._box.add_class if words else self._box.remove_class)(OUT_OF_DATE)

    def _show_progress(self, progress: str) -> None:
        self._progress.value = escape(progress)


def status_text(model: FittingModel) -> str:
    """Return which result is shown if it does not belong to the present settings, or ""."""
    if model.fitted is None or not (model.busy or model.is_out_of_date):
        return ""
    declared, old = model.parameters(), dict(model.unshown())
    if "iteration" in old:  # as in the read-out: the end of a run is stored as a larger number
        old["iteration"] = model.fitted.iteration
    old = [_setting(declared[name], value) for name, value in old.items() if declared[name].label]
    which = f" ({', '.join(old)})" if old else ""
    return f"{'Computing … ' if model.busy else ''}Shown: the last result{which}."


def _setting(declared: Parameter, value: object) -> str:
    if isinstance(value, bool):
        return declared.label if value else f"not: {declared.label}"
    if isinstance(value, float):
        value = f"{value:.4g}"
    return f"{declared.label} = {(declared.choices or {}).get(value, value)}"

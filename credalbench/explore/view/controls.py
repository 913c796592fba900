"""Controls of the explorers: widgets with a label and a tooltip, all accessible by keyboard."""

from collections.abc import Mapping

import ipywidgets as w
import traitlets as t

from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import Parameter
from credalbench.explore.view.hints import hint

#: Suffix of the name of a slider that is combined with a field.
SLIDER = "_slider"
SLIDERS = (w.IntSlider, w.FloatSlider, w.FloatLogSlider)
RULE_HTML = '<hr style="margin:4px 0;border:none;border-top:1px solid var(--cb-faint,#dadada)">'


def _look(description: str, tooltip: str, options: dict[str, object]) -> dict[str, object]:
    """Return properties of a control as wide as its column, unless `options` override them."""
    wide = {"layout": w.Layout(width="auto"), "style": {"description_width": "84px"}}
    return {"description": description, "tooltip": hint(description, tooltip)} | wide | options


def slider(
    description: str, tooltip: str, low: float, high: float, step: float = 1, **options: object
) -> w.IntSlider | w.FloatSlider:
    """Return a slider over whole numbers, or over numbers where `step` is not whole."""
    kind = w.IntSlider if isinstance(step, int) else w.FloatSlider
    return kind(min=low, max=high, step=step, **_look(description, tooltip, options))


def number(description: str, tooltip: str, **options: object) -> w.FloatText:
    """Return a field for a number; Enter applies."""
    return w.FloatText(step=None, **_look(description, f"{tooltip}; Enter applies", options))


def choice(description: str, tooltip: str, labels: Mapping[str, str], **options: object) -> w.Dropdown:
    """Return a list to choose from, with the label of each value."""
    pairs = [(label, value) for value, label in labels.items()]
    return w.Dropdown(options=pairs, **_look(description, tooltip, options))


def tick(description: str, tooltip: str) -> w.Checkbox:
    """Return a checkbox."""
    words = hint(description, tooltip)
    return w.Checkbox(description=description, tooltip=words, indent=False, layout=w.Layout(width="auto"))


def button(description: str, icon: str, tooltip: str, flex: str = "1") -> w.Button:
    """Return a button that shares its row with others; `flex` "0 1 auto" makes it as wide as its text."""
    layout = w.Layout(width="auto", flex=flex)
    return w.Button(description=description, icon=icon, tooltip=hint(description, tooltip), layout=layout)


def upload_button(description: str, tooltip: str, accept: str) -> w.FileUpload:
    """Return a button that opens a file of the types in `accept`."""
    layout = w.Layout(width="auto", flex="1")
    return w.FileUpload(accept=accept, description=description, tooltip=tooltip, layout=layout)


def parameter_controls(model: type[ExplorerModel]) -> dict[str, w.Widget]:
    """Return the controls of the parameters of a model class, by name.

    A parameter with a logarithmic slider has two: a field ``<name>`` and a slider ``<name>_slider``.
    """
    controls = {}
    for name, declared in model.parameters().items():
        if not declared.label:
            continue
        if declared.logarithmic:
            controls[name + SLIDER] = _log_slider(declared)
            controls[name] = number("", declared.tooltip, layout=w.Layout(width="76px"))
            controls[name].tooltip = hint(declared.label, f"{declared.tooltip}; Enter applies")
        else:
            controls[name] = _control(declared, getattr(model, name))
        if declared.unless:
            box, *words = declared.unless
            controls[box] = tick(*words)
    return controls


def _control(declared: Parameter, trait: t.TraitType) -> w.Widget:
    words = declared.label, declared.tooltip
    if isinstance(trait, t.Bool):
        return tick(*words)
    if declared.slider:
        return slider(*words, *declared.slider, continuous_update=declared.live)
    if isinstance(trait, t.Float):
        narrow = {"layout": w.Layout(width=declared.width), "style": {"description_width": "initial"}}
        return number(*words, **(narrow if declared.width else {}))
    return choice(*words, declared.choices or {})


def _log_slider(declared: Parameter) -> w.FloatLogSlider:
    low, high, step = declared.slider
    look = _look(declared.label, declared.tooltip, {"layout": w.Layout(width="auto", flex="1")})
    return w.FloatLogSlider(min=low, max=high, step=step, readout=False, **look)

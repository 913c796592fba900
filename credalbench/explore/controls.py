"""Controls of the explorers: core widgets with a label and a tooltip, each within reach of the keyboard."""

from math import log10

import ipywidgets as w

FOCAL_LABELS = {"simple": "∅, {k}, Ω", "pairs": "∅, {k}, {k,l}, Ω", "full": "all subsets"}
_SLIDERS = (w.IntSlider, w.FloatSlider, w.FloatLogSlider)


def _look(description, tooltip, options):
    """Properties of a control as wide as its column, unless `options` say otherwise."""
    wide = {"layout": w.Layout(width="auto"), "style": {"description_width": "84px"}}
    return {"description": description, "tooltip": tooltip} | wide | options


def slider(description, tooltip, low, high, step=1, **options):
    """A slider over whole numbers, or over numbers where `step` is none."""
    kind = w.IntSlider if isinstance(step, int) else w.FloatSlider
    return kind(min=low, max=high, step=step, **_look(description, tooltip, options))


def number(description, tooltip, **options):
    """A field for a number; Enter applies."""
    return w.FloatText(step=None, **_look(description, f"{tooltip}; Enter applies", options))


def choice(description, tooltip, labels=(), **options):
    """A list to choose from; `labels` is a dict from value to label."""
    pairs = [(label, value) for value, label in dict(labels).items()]
    return w.Dropdown(options=pairs, **_look(description, tooltip, options))


def tick(description, tooltip):
    """A box to tick."""
    return w.Checkbox(description=description, tooltip=tooltip, indent=False, layout=w.Layout(width="auto"))


def button(description, icon, tooltip, flex="1"):
    """A button that shares its row with others; with `flex` "0 1 auto" no wider than its text."""
    layout = w.Layout(width="auto", flex=flex)
    return w.Button(description=description, icon=icon, tooltip=tooltip, layout=layout)


def upload_button(description, tooltip, accept):
    """A button that reads an own file of the types in `accept`."""
    layout = w.Layout(width="auto", flex="1")
    return w.FileUpload(accept=accept, description=description, tooltip=tooltip, layout=layout)


def save_button():
    """The button that saves."""
    return button("Save", "save", "Write the partition and the settings to two files beside the notebook")


def restart_button():
    """The button that fits again."""
    return button("Restart", "refresh", "Fit again from new random starts")


def table_controls():
    """Return the controls that choose a table of data, by name."""
    kinds = "Numeric columns and perhaps a class column, or a square matrix of dissimilarities"
    return {
        "data": choice("data", "Data set"),
        "upload": upload_button("own table", kinds, ".csv,.tsv,.txt"),
        "standardize": tick("standardise attributes", "Scale each attribute to standard deviation 1"),
    }


def cluster_controls(most, families):
    """Return the controls of the number of clusters, up to `most`, and of the focal sets, by name."""
    labels = {name: FOCAL_LABELS[name] for name in families}
    return {
        "n_clusters": slider("clusters c", "Number of clusters", 2, most),
        "focal_sets": choice("focal sets", "Sets of clusters that may receive mass", labels),
    }


def shown_value(control, value):
    """Return what a control shows of a value: a slider its nearest step, a number field eight digits.

    A slider in the browser would move to a step by itself, and report that as if somebody had moved it.
    """
    if isinstance(control, w.FloatText):
        return float(f"{value:.8g}")
    if value is None or not isinstance(control, _SLIDERS):
        return value
    logarithmic = isinstance(control, w.FloatLogSlider)
    place = (log10(value) if value > 0 else control.min) if logarithmic else value
    steps = max(round((place - control.min) / control.step), 0)
    place = min(round(control.min + control.step * steps, 6), control.max)
    return control.base**place if logarithmic else place

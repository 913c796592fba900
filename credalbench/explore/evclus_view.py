"""The EVCLUS explorer on the screen: core widgets linked to the model, and the picture.

Every control is a core widget that the keyboard reaches: Tab moves between them, arrow keys move a slider,
Enter ends a number. The view computes nothing; it hands traits to the model and shows what the model has.
"""

from contextlib import contextmanager
from html import escape

import ipywidgets as w

from credalbench.datasets import list_datasets
from credalbench.explore.evclus_model import FOCAL_FAMILIES, SOLVERS, EVCLUSModel
from credalbench.explore.evclus_picture import WIDTH, EvclusPicture
from credalbench.explore.subject import MAX_OBJECTS

#: Slower than this, a slider refits when it is let go and not while it moves.
LIVE_UP_TO_MS = 400
GENERATED = ("t4:200", "t4:400", "t4:1000")
FOCAL_LABELS = {"simple": "∅, {k}, Ω", "pairs": "∅, {k}, {k,l}, Ω", "full": "all subsets"}
SOLVER_LABELS = {"irqp": "IRQP", "gradient": "gradient", "lbfgs": "L-BFGS"}

_WIDE = {"layout": w.Layout(width="auto"), "style": {"description_width": "84px"}}
_UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap"
_TILE = (
    '<div title="{hint}" style="padding:2px 14px 4px 0">'
    '<div style="font-size:11px;line-height:14px;opacity:.7">{name}</div>'
    '<div style="font-size:17px;line-height:22px;font-variant-numeric:tabular-nums">{value}</div></div>'
)


class EvclusExplorer:
    """Controls, read-outs and picture of an `EVCLUSModel`.

    Attributes
    ----------
    model : EVCLUSModel
    widget : ipywidgets.Box
        What a notebook displays.
    controls : dict of str -> ipywidgets.Widget
        The controls by the name of the trait (or action) that they stand for.
    image : ipywidgets.Image
    """

    def __init__(self, model):
        self.model = model
        self.picture = EvclusPicture()
        self.image = w.Image(format="png", layout=w.Layout(width="100%", max_width=f"{int(100 * WIDTH)}px"))
        self.readouts = w.HTML()
        self.message = w.HTML()
        self._quiet = False
        self.controls = data_controls() | method_controls() | solver_controls()
        self.widget = self._arrange()
        self._link()
        self._show_subject()
        self._show_fit()
        self._show_message()

    def _repr_mimebundle_(self, **kwargs):
        return self.widget._repr_mimebundle_(**kwargs)

    # -- building ---------------------------------------------------------------------------------------

    def _arrange(self):
        c = self.controls
        heading = w.HTML('<div style="font-size:17px;font-weight:600;line-height:26px">EVCLUS explorer</div>')
        left = w.VBox(
            [
                heading,
                c["data"],
                w.HBox([c["upload"]]),
                c["standardize"],
                _rule(),
                *(
                    c[name]
                    for name in ("n_clusters", "focal_sets", "pair_neighbors", "d0_quantile", "d0", "alpha")
                ),
                _rule(),
                *(c[name] for name in ("all_pairs", "n_pairs", "solver")),
                w.HBox([c["restart"], c["export"]]),
                self.message,
            ],
            layout=w.Layout(width="330px", flex="0 0 auto", padding="4px 16px 4px 4px"),
        )
        right = w.VBox(
            [self.readouts, self.image], layout=w.Layout(flex="1 1 520px", min_width="0", padding="4px")
        )
        return w.Box([left, right], layout=w.Layout(display="flex", flex_flow="row wrap", width="100%"))

    # -- linking ----------------------------------------------------------------------------------------

    def _link(self):
        model, controls = self.model, self.controls
        for name in (
            "standardize",
            "n_clusters",
            "d0_quantile",
            "d0",
            "alpha",
            "n_pairs",
            "focal_sets",
            "pair_neighbors",
            "solver",
        ):
            self._follow(name)
            model.observe(lambda change: self._follow(change["name"]), name)
            controls[name].observe(lambda change, name=name: self._wish(name, change["new"]), "value")
        controls["data"].observe(lambda change: self._wish("data", change["new"]), "value")
        controls["all_pairs"].observe(self._choose_pairs, "value")
        controls["upload"].observe(self._read_upload, "value")
        controls["restart"].on_click(lambda _: model.restart())
        controls["export"].on_click(self._export)
        model.observe(lambda _: self._show_subject(), "subject")
        model.observe(lambda _: self._follow_data(), "data")
        model.observe(lambda _: self._show_fit(), "fitted")
        model.observe(lambda _: self._show_message(), ["message", "is_error"])

    @contextmanager
    def _silently(self):
        """Move controls without telling the model, which knows already."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def _wish(self, name, value):
        if not self._quiet and value is not None:
            setattr(self.model, name, value)

    def _follow(self, name):
        """Let a control show the model's value; a slider whose range is too short for it grows."""
        value, control = getattr(self.model, name), self.controls[name]
        with self._silently():
            if name == "n_pairs":
                self.controls["all_pairs"].value = value is None
                control.disabled = value is None
                if value is None:
                    return
            if name in ("focal_sets", "solver") and value not in [key for _, key in control.options]:
                return  # the message says so
            if hasattr(control, "max") and control.min <= value:
                control.max = max(control.max, value)
            control.value = round(value, 6) if name == "d0" else value

    def _choose_pairs(self, change):
        if not self._quiet:
            self.model.n_pairs = None if change["new"] else self.controls["n_pairs"].value

    def _read_upload(self, change):
        if change["new"]:
            file = change["new"][-1]
            self.model.load_csv(bytes(file["content"]), file["name"])
            # Forget the file, so that choosing the same one again, corrected, is a change.
            self.controls["upload"].value = ()

    def _export(self, _):
        if self.model.fitted is None:
            self.model.report("There is nothing to save yet.", error=True)
            return
        try:
            paths = self.model.export()
        except OSError as error:
            self.model.report(f"Nothing was saved: {error}.", error=True)
        else:
            self.model.report(f"Saved {' and '.join(path.name for path in paths)}.", error=False)

    # -- showing ----------------------------------------------------------------------------------------

    def _show_subject(self):
        n = self.model.subject.n_objects if self.model.subject is not None else 3
        slider = self.controls["n_pairs"]
        with self._silently():
            chosen = min(self.model.n_pairs or min(100, n // 2), n - 1)
            slider.max = n - 1
            slider.value = chosen
            self.controls["n_clusters"].max = min(max(10, self.model.n_clusters), n)
            attributes = self.model.subject is None or self.model.subject.attributes is not None
            self.controls["standardize"].disabled = not attributes
        self._follow_data()

    def _follow_data(self):
        options = dict(data_options())
        for name in (*self.model.own_names, self.model.data):
            options.setdefault(name, name or "(none)")
        with self._silently():
            self.controls["data"].options = [(label, name) for name, label in options.items()]
            self.controls["data"].value = self.model.data

    def _show_fit(self):
        fitted = self.model.fitted
        if fitted is None:
            return
        png = self.picture.png(fitted)
        with self.widget.hold_sync():
            self.image.value = png
            self.readouts.value = readouts_html(fitted, self.picture.draw_ms)
        live = fitted.fit_ms + self.picture.draw_ms < LIVE_UP_TO_MS
        for name in ("n_clusters", "pair_neighbors", "d0_quantile", "alpha", "n_pairs"):
            self.controls[name].continuous_update = live

    def _show_message(self):
        text, wrong = self.model.message, self.model.is_error
        colour = "#D55E00" if wrong else "#009E73"
        hint = (
            " The picture shows the last fit that worked." if wrong and self.model.fitted is not None else ""
        )
        self.message.value = (
            f'<div role="status" style="border-left:3px solid {colour};padding:2px 8px;margin-top:6px;'
            f'line-height:1.35;font-size:12px;white-space:normal">{escape(text)}{hint}</div>'
            if text
            else ""
        )


def data_controls():
    """Return the controls that choose the data, by name."""
    return {
        "data": w.Dropdown(description="data", tooltip="Data set", **_WIDE),
        "upload": w.FileUpload(
            accept=".csv,.tsv,.txt",
            description="own table",
            tooltip="Numeric columns and perhaps a class column, or a square matrix of dissimilarities",
            layout=w.Layout(width="auto", flex="1"),
        ),
        "standardize": w.Checkbox(
            description="standardise attributes",
            tooltip="Scale each attribute to standard deviation 1",
            indent=False,
            layout=w.Layout(width="auto"),
        ),
    }


def method_controls():
    """Return the controls of the number of clusters, the focal sets and the scale, by name."""
    live = {"continuous_update": True, **_WIDE}
    return {
        "n_clusters": w.IntSlider(
            min=2, max=10, description="clusters c", tooltip="Number of clusters", **live
        ),
        "focal_sets": w.Dropdown(
            options=[(FOCAL_LABELS[name], name) for name in FOCAL_FAMILIES],
            description="focal sets",
            tooltip="Sets of clusters that may receive mass",
            **_WIDE,
        ),
        "pair_neighbors": w.IntSlider(
            min=0,
            max=3,
            description="add pairs, K",
            tooltip="Second step: pairs of mutual K nearest clusters become focal sets; 0: none",
            **live,
        ),
        "d0_quantile": w.FloatSlider(
            min=0.01,
            max=1,
            step=0.01,
            description="d₀, quantile",
            tooltip="d0 as a quantile of all dissimilarities",
            **live,
        ),
        "d0": w.FloatText(
            description="d₀, absolute",
            tooltip="Objects at least this far apart are plausibly in different clusters; Enter applies",
            step=None,
            **_WIDE,
        ),
        "alpha": w.FloatSlider(
            min=0.01,
            max=0.99,
            step=0.01,
            description="α",
            tooltip="Transformed dissimilarity at d0 is 1 minus alpha",
            **live,
        ),
    }


def solver_controls():
    """Return the controls of the pairs, the solver and the actions, by name."""
    live = {"continuous_update": True, **_WIDE}
    return {
        "all_pairs": w.Checkbox(
            description="all pairs of objects",
            tooltip="EVCLUS; otherwise k-EVCLUS with k partners for each object",
            indent=False,
            layout=w.Layout(width="auto"),
        ),
        "n_pairs": w.IntSlider(
            min=1, max=100, description="partners k", tooltip="Partners drawn for each object", **live
        ),
        "solver": w.Dropdown(
            options=[(SOLVER_LABELS[name], name) for name in SOLVERS],
            description="solver",
            tooltip="Optimisation algorithm",
            **_WIDE,
        ),
        "restart": w.Button(
            description="Restart",
            icon="refresh",
            tooltip="Fit again from new random starts",
            layout=w.Layout(width="auto", flex="1"),
        ),
        "export": w.Button(
            description="Save",
            icon="save",
            tooltip="Write the partition and the settings to two files beside the notebook",
            layout=w.Layout(width="auto", flex="1"),
        ),
    }


def data_options():
    """Return pairs (name, label) of the data sets that an explorer takes; a label tells of a download."""
    table = list_datasets()
    fitting = table[
        table["data_type"].isin(["attributes", "dissimilarities"])
        & (table["n"] <= MAX_OBJECTS)
        & (table["kind"] != "generator")
    ]
    options = [(name, f"four t distributions, n = {name[3:]}") for name in GENERATED]
    for name, kind, available in zip(fitting["name"], fitting["kind"], fitting["available"]):
        here = kind != "file" or bool(available)
        options.append((name, name if here else f"{name} (download)"))
    return options


def readouts_html(fitted, draw_ms):
    """Return the read-outs of a fit as a row of numbers with their names."""
    tiles = [
        (
            "ARI",
            "–" if fitted.ari is None else f"{fitted.ari:.3f}",
            "Adjusted Rand index against the true classes",
        ),
        ("nonspecificity", f"{fitted.nonspecificity:.3f}", "Imprecision of the masses, 0 to 1"),
        (
            "stress",
            f"{fitted.stress:.4g}",
            "Normalised sum of squares of conflict minus dissimilarity",
        ),
        ("outliers", str(fitted.n_outliers), "Objects whose largest mass is on the empty set"),
        (
            "sweeps",
            f"{fitted.n_iter}{'' if fitted.converged else ' (cap)'}",
            "Sweeps or iterations done",
        ),
        ("fit", f"{fitted.fit_ms:.0f} ms", "Time of the fit"),
        ("drawing", f"{draw_ms:.0f} ms", "Time of the picture"),
    ]
    cells = "".join(_TILE.format(name=name, value=value, hint=hint) for name, value, hint in tiles)
    # Core image widgets have no alternative text (and fail in the browser when given a tooltip).
    words = f'<span role="status" style="{_UNSEEN}">{escape(describe(fitted))}</span>'
    return f'<div style="display:flex;flex-wrap:wrap;position:relative">{cells}{words}</div>'


def describe(fitted):
    """Return the picture in words, for those who hear it."""
    subject, c = fitted.subject, fitted.partition.n_clusters
    return (
        f"Map of {subject.n_objects} objects of {subject.name} in {c} clusters with lower and upper "
        f"approximations and {fitted.n_outliers} outliers; Shepard diagram; "
        f"transformation with d0 = {fitted.d0:.4g}; stress {fitted.stress:.4g}."
    )


def _rule():
    return w.HTML('<hr style="margin:4px 0;border:none;border-top:1px solid #d0d0d0">')


def explore_evclus(data="butterfly", **parameters):
    """Explore EVCLUS on a data set: put this in the last line of a notebook cell.

    Parameters
    ----------
    data : str, path, Dataset or array_like of shape (n, p), default "butterfly"
        Name of a data set (see `credalbench.datasets.list_datasets`), ``t4:400`` for 400 objects drawn from
        four t distributions, path of an own table of attributes or dissimilarities, or attributes.
    **parameters
        Traits of `EVCLUSModel`: n_clusters, standardize, d0_quantile or d0, alpha, n_pairs, focal_sets,
        solver, seed.

    Returns
    -------
    EvclusExplorer
        Shows itself; ``.model`` is the explorer's state, ``.model.fitted.partition`` the credal partition.

    Examples
    --------
    >>> explorer = explore_evclus("butterfly", n_clusters=2, d0=11)
    >>> explorer.model.fitted.n_outliers
    1
    """
    return EvclusExplorer(EVCLUSModel(data, **parameters))

"""Figure 4 and Table 3 of [jiao2022_egmm], from the study's tables."""

import numpy as np

from credalbench.belief import CredalPartition, FocalSets
from credalbench.plots import component_ellipses, hard_credal_scatter, new_figure
from credalbench.plots.style import colour, dress, marker

from ..shared.pictures import ebic_picture
from ..shared.plane import FAMILIES
from .claims import BEST, CLASSES, NAMES, PRINTED, of

FULL = FocalSets.full(CLASSES)
SINGLE = FocalSets.up_to(CLASSES, 1, empty=False, omega=False)


def draw(params, tables):
    printed = {c: PRINTED[f"ebic_{c}"].value for c in range(2, 7)}
    title = f"Two-class (stand-in): EBIC of {params.n_draws} draws, lines through the medians"
    return {
        "egmm-fig-4": draw_partitions(tables),
        "egmm-tab-03": ebic_picture(tables["index"], FAMILIES, printed, title, "median"),
    }


def draw_partitions(tables):
    """Data with contours of the classes, then the three hard evidential partitions."""
    figure = new_figure(10.6, 8.2)
    axes = figure.subplots(2, 2).ravel()
    objects = tables["objects"]
    draw_classes(axes[0], objects[objects["method"] == "egmm"], tables["classes"])
    for letter, ax, (method, name) in zip("bcd", axes[1:], NAMES.items()):
        inside = objects[objects["method"] == method]
        places = tables["centres"].query("method == @method")
        found = of(tables, BEST if method == "egmm" else method).loc[0]
        hard_credal_scatter(
            ax,
            inside[["x", "y"]].to_numpy(),
            CredalPartition(inside[list(FULL.labels)].to_numpy(), FULL),
            places[["x", "y"]],
            allow_empty=False,
            legend=letter == "b",
            size=3.6,
            title=f"({letter}) {name}: accuracy {found.accuracy:.2f}, {found.n_ambiguous:.0f} on both",
            xlabel="attribute 1",
            ylabel="attribute 2",
        )
    return figure


def draw_classes(ax, objects, classes):
    """The objects by class, and contours of a Gaussian with the mean and the covariance of each class."""
    for k in range(CLASSES):
        inside = objects["class"] == k
        look = {"ls": "none", "marker": marker(k), "ms": 3.6, "mec": "white", "mew": 0.4}
        ax.plot(objects.loc[inside, "x"], objects.loc[inside, "y"], color=colour(k), **look)
    covariances = classes[["xx", "xy", "xy", "yy"]].to_numpy().reshape(-1, 2, 2)
    for share in (0.5, 0.95):
        component_ellipses(ax, classes[["x", "y"]].to_numpy(), np.array(covariances), SINGLE, share=share)
    title = f"(a) Two-class (stand-in), n = {len(objects)}"
    dress(ax, title=title, xlabel="attribute 1", ylabel="attribute 2", grid=None)
    ax.set_aspect("equal", adjustable="datalim")

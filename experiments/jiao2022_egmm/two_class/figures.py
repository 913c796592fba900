"""Figure 4 and Table 3 of [jiao2022_egmm], from the study's tables."""

from credalbench.belief import CredalPartition, FocalSets
from credalbench.plots import hard_credal_scatter, new_figure

from ..shared.pictures import classes_picture
from .claims import BEST, CLASSES, NAMES, TABLE, of

FULL = FocalSets.full(CLASSES)


def draw(params, tables):
    return {"egmm-fig-4": draw_partitions(tables), "egmm-tab-03": TABLE.draw(params, tables)}


def draw_partitions(tables):
    """Draw data with contours of the classes, then the three hard evidential partitions."""
    figure = new_figure(10.6, 8.2)
    axes = figure.subplots(2, 2).ravel()
    objects = tables["objects"]
    inside = objects[objects["method"] == "egmm"]
    classes_picture(axes[0], inside, tables["classes"], "Two-class")
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

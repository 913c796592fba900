"""Figures 1 to 5 of [antoine2012_cecm], from the study's tables."""

from credalbench.belief import CredalPartition, FocalSets
from credalbench.plots import constraint_lines, hard_credal_scatter, new_figure
from credalbench.plots.style import colour, legend_outside, marker, style_axes

FOCAL_SETS = FocalSets.full(2)
NAMES = {
    "ecm_euclidean": "ECM, Euclidean",
    "ecm_mahalanobis": "ECM, adaptive",
    "cecm_mahalanobis": "CECM, adaptive",
}

#: Method -> kind of boundary that the paper's figure shows; of the diagonals it does not say which.
SHOWN = {"ecm_mahalanobis": "horizontal", "cecm_mahalanobis": "vertical"}


def partition_of(objects):
    return CredalPartition(objects[list(FOCAL_SETS.labels)].to_numpy(), FOCAL_SETS)


def broken(pairs, labels, together):
    """Return those of the pairs whose labels are equal (`together`) or differ."""
    return pairs[(labels[pairs[:, 0]] == labels[pairs[:, 1]]) == together]


def draw_lines(ax, X, constraints, partition, legend):
    """Draw the constraints of a panel; violated ones are marked."""
    must, cannot = (
        constraints.loc[constraints["kind"] == kind, ["i", "j"]].to_numpy(dtype=int) - 1
        for kind in ("must-link", "cannot-link")
    )
    labels = partition.labels("pignistic")
    violated = {
        "violated_must_link": broken(must, labels, together=False),
        "violated_cannot_link": broken(cannot, labels, together=True),
    }
    constraint_lines(ax, X, must, cannot, legend=legend, **violated)


def draw_classes(objects):
    """Draw Figure 1: the classes; any view has the objects."""
    first = objects[objects["method"] == objects["method"].iloc[0]].drop_duplicates("object")
    figure = new_figure(6.0, 4.4)
    ax = figure.subplots()
    for k in (0, 1):
        inside = first["class"] == k
        look = {"ls": "none", "marker": marker(k), "ms": 4.3, "mec": "white", "mew": 0.4}
        ax.plot(
            first.loc[inside, "x"], first.loc[inside, "y"], color=colour(k), label=f"class {k + 1}", **look
        )
    title = f"Two-class data, n = {len(first)}"
    style_axes(ax, title=title, xlabel="attribute 1", ylabel="attribute 2", grid=None)
    ax.set_aspect("equal", adjustable="datalim")
    legend_outside(ax)
    return figure


def draw_views(tables, method):
    """Draw Figures 3 to 5: a panel for each kind of boundary that a method finds on draw 0."""
    objects, centres = (tables[name][tables[name]["method"] == method] for name in ("objects", "prototypes"))
    kinds = sorted(objects["kind"].unique())
    figure = new_figure(4.3 * len(kinds) + 1.4, 4.3)
    for ax, kind in zip(figure.subplots(1, len(kinds), squeeze=False)[0], kinds):
        inside = objects[objects["kind"] == kind].sort_values("object")
        places = centres[centres["kind"] == kind]
        last = kind == kinds[-1]
        X, partition = inside[["x", "y"]].to_numpy(), partition_of(inside)
        found = places.iloc[0]
        title = f"{NAMES[method]}: {kind} boundary\n{of_the_paper(method, kind)}"
        title += f"; RI {found.ri:.2f}, J {found.objective:.3f}"
        hard_credal_scatter(
            ax, X, partition, places[["x", "y"]], allow_empty=False, legend=last, title=title,
            xlabel="attribute 1", ylabel="attribute 2", size=4.3,
        )  # fmt: skip
        if method.startswith("cecm"):
            draw_lines(ax, X, tables["constraints"], partition, last)
    return figure


def of_the_paper(method, kind):
    """Return whether the figure of the paper shows a boundary of this kind."""
    if method not in SHOWN:
        return "the paper shows one of the two"
    return "as in the paper" if kind == SHOWN[method] else "not shown in the paper"


def draw_sketch(tables):
    """Draw Figure 2: three panels."""
    figure = new_figure(11.2, 2.9)
    panels = tables["sketch"]
    for ax, row in zip(figure.subplots(1, len(panels)), panels.itertuples()):
        objects, links = (
            table[table["panel"] == row.panel]
            for table in (tables["sketch_objects"], tables["sketch_constraints"])
        )
        last = row.Index == panels.index[-1]
        X, partition = objects[["x", "y"]].to_numpy(), partition_of(objects)
        title = f"{row.panel.capitalize()}: RI {row.ri:.2f}"
        hard_credal_scatter(ax, X, partition, allow_empty=False, legend=last, title=title, size=4.6)
        draw_lines(ax, X, links, partition, last)
        ax.set(xticks=[], yticks=[])
    return figure

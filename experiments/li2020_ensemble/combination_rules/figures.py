"""Figure 1 of [li2020_ensemble], from the study's tables."""

from credalbench.plots import new_figure
from credalbench.plots.style import LABEL_SIZE

from ..shared.pictures import first_panels, panel, partition_panel, signs
from .claims import FIG, RULES, of

#: The panels of the paper, then the other reading of the rule of Dubois and Prade.
PANELS = ("average", "dempster", "disjunctive", "dubois_prade_sequential", "dubois_prade")


def draw(params, tables):
    """Draw data, a base, and the partitions under four rules, of the first ensemble."""
    figure = new_figure(10.6, 16.4)
    axes = figure.subplots(4, 2).ravel()
    data, objects = tables["data"], tables["objects"]
    X, y = first_panels(axes, data, objects, "Fourclass", params.base_n_clusters)
    for letter, ax, rule in zip("cdefg", axes[2:], PANELS):
        found = of(tables, rule).loc[0, "ari"]
        name = RULES[rule][0].upper() + RULES[rule][1:]
        title = f"({letter}) {name}: ARI {found:.2f}"
        partition_panel(ax, X, y, panel(objects, rule), params.n_clusters, title)
    axes[-1].axis("off")
    axes[-1].legend(handles=signs(y), loc="center", frameon=False, fontsize=LABEL_SIZE)
    return {FIG: figure}

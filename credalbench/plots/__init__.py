"""Figures: functions take axes and arrays, a credal partition or a tidy table, and return the axes.

Only the function for several panels, `criterion_panels`, takes and returns a figure.

No function here fits, loads or shows anything, and none uses pyplot. Make a figure with `new_figure`::

    figure = new_figure(6, 4)
    credal_scatter(figure.subplots(), X, partition, y)
"""

from credalbench.core.extras import require

require("matplotlib", extra="plots", purpose="credalbench.plots")

from credalbench.plots.constraints import constraint_lines, focal_hulls, hard_credal_scatter
from credalbench.plots.credal_map import credal_scatter
from credalbench.plots.critical_difference import critical_difference
from credalbench.plots.curves import box_plot, criterion_panels, curve_with_errors, stress_traces
from credalbench.plots.dissimilarity import shepard_diagram, transformation_curve
from credalbench.plots.mass_maps import mass_corners, mass_pies, mass_plane
from credalbench.plots.masses import mass_bars, mass_curves, mass_rows
from credalbench.plots.mixtures import component_ellipses
from credalbench.plots.overview import overview
from credalbench.plots.partition_maps import partition_maps
from credalbench.plots.peaks import delta_bel
from credalbench.plots.profiles import profile_lines, share_bars
from credalbench.plots.prototypes import prototype_marks
from credalbench.plots.segmentation import focal_set_image, plain_image, region_image
from credalbench.plots.style import MARKERS, PALETTE, new_figure, to_png

__all__ = [
    "MARKERS",
    "PALETTE",
    "box_plot",
    "component_ellipses",
    "constraint_lines",
    "credal_scatter",
    "criterion_panels",
    "critical_difference",
    "curve_with_errors",
    "delta_bel",
    "focal_hulls",
    "focal_set_image",
    "hard_credal_scatter",
    "mass_bars",
    "mass_corners",
    "mass_curves",
    "mass_pies",
    "mass_plane",
    "mass_rows",
    "new_figure",
    "overview",
    "partition_maps",
    "plain_image",
    "profile_lines",
    "prototype_marks",
    "region_image",
    "share_bars",
    "shepard_diagram",
    "stress_traces",
    "to_png",
    "transformation_curve",
]

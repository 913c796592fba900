"""Explorers: widgets that refit and redraw while a slider moves.

Each is a model of traits that knows no widget, a picture, and a view of core widgets linked to the model::

    from credalbench.explore import explore_evclus

    explore_evclus("butterfly")
"""

from credalbench.explore.cecm_model import CECMModel
from credalbench.explore.cecm_view import CecmExplorer, explore_cecm
from credalbench.explore.evclus_model import EVCLUSModel
from credalbench.explore.evclus_view import EvclusExplorer, explore_evclus
from credalbench.explore.segmentation_model import SegmentationModel
from credalbench.explore.segmentation_view import SegmentationExplorer, explore_segmentation

__all__ = [
    "CECMModel",
    "CecmExplorer",
    "EVCLUSModel",
    "EvclusExplorer",
    "SegmentationExplorer",
    "SegmentationModel",
    "explore_cecm",
    "explore_evclus",
    "explore_segmentation",
]

"""Explorers: widgets that refit and redraw while a slider moves.

Each is a model of traits that knows no widget, a picture, and a view of core widgets linked to the model::

    from credalbench.explore import explore_evclus

    explore_evclus("butterfly")
"""

from credalbench.explore.evclus_model import EVCLUSModel
from credalbench.explore.evclus_view import EvclusExplorer, explore_evclus

__all__ = ["EVCLUSModel", "EvclusExplorer", "explore_evclus"]

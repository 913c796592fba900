"""credalbench: a workbench for evidential clustering.

Import what you need from the layer that owns it::

    from credalbench.belief import FocalSets, CredalPartition
    from credalbench.cluster import EVCLUS
    from credalbench.datasets import load

This module stays light on purpose: it loads neither matplotlib nor the widgets.
"""

__version__ = "0.1.0"

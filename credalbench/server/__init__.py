"""One page that leads to every explorer, lesson and study: Voila behind it, JupyterLab on request.

:mod:`.catalogue` finds the notebooks, :mod:`.own_copies` keeps the tracked ones out of reach,
:mod:`.settings` says how the one Jupyter server runs, for one person or for a class (:mod:`.classroom`), and
:mod:`.serving` runs it. Within the server, :mod:`.extension` answers for the page.
"""

from credalbench.server.catalogue import Shelf, Tile, named, names, papers, tiles

__all__ = ["Shelf", "Tile", "named", "names", "papers", "tiles"]

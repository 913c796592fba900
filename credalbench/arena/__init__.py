"""The arena: every clusterer on every data set with classes, by one protocol, and what may be concluded.

The command ``credalbench arena`` runs it; its page is written by ``page.py``.
"""

from .methods import entrants

__all__ = ["entrants"]

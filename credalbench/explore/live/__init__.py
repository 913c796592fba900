"""Explorers that compute in the browser: one HTML file each, without Python and without a network.

The scripts repeat the computations of ECM and of all that is read from masses; tests compare these with
Python.
"""

from .writing import PAGES, write_live_page

__all__ = ["PAGES", "write_live_page"]

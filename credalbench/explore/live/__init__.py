"""Explorers that compute in the browser: one HTML file each, without Python and without a network.

The scripts repeat the iteration of ECM and what is read from masses; tests compare them with the estimator.
"""

from .writing import PAGES, write_live_page

__all__ = ["PAGES", "write_live_page"]

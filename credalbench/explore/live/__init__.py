"""Explorers that compute in the browser: one HTML file each, without Python and without a network.

The scripts are a library of modules, which repeats the computations of EVCLUS, ECM and CECM and what is read
from masses, and a page for each subject. Tests compare the library with the estimators.
"""

from .writing import PAGES, write_live_page

__all__ = ["PAGES", "write_live_page"]

"""Offline site of stored results: verdicts, figures, executed notebooks, API reference and guides.

:mod:`.pages` writes pages as text, :mod:`.build` runs Sphinx on them. Nothing is computed, and no page loads
anything from the network.
"""

from credalbench.core.extras import require

require(
    *("sphinx", "myst_nb", "numpydoc", "pydata_sphinx_theme", "sphinx_design", "math_core"),
    extra="site",
    purpose="credalbench site",
)

from .build import SiteError, write_site

__all__ = ["SiteError", "write_site"]

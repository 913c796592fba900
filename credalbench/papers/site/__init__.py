"""Build an offline site from stored results: verdicts, figures, executed notebooks, API reference and guides.

:mod:`.pages` writes the pages as text, and :mod:`.build` runs Sphinx on them. No results are computed, and no
page loads anything from the network.
"""

from credalbench.core.extras import require

require(
    *("sphinx", "myst_nb", "numpydoc", "pydata_sphinx_theme", "sphinx_design", "math_core"),
    extra="site",
    purpose="credalbench site",
)

from .build import SiteError, write_site

__all__ = ["SiteError", "write_site"]

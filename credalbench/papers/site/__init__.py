"""Build the site: live pages and lessons, guides and API reference, and stored results with their verdicts.

:mod:`.pages` writes the pages as text; :mod:`.build` runs Sphinx on them, and adds live pages and lessons. No
study is run, and no page loads anything from the network.
"""

from credalbench.core.extras import require

require(
    *("sphinx", "myst_nb", "numpydoc", "pydata_sphinx_theme", "sphinx_design", "math_core"),
    extra="site",
    purpose="credalbench site",
)

from .build import SiteError, write_site
from .pages import LessonPage

__all__ = ["LessonPage", "SiteError", "write_site"]

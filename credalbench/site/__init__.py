"""One offline site from stored results: verdicts, figures, executed notebooks, API reference, guides.

:mod:`.pages` writes the pages as text into a folder, Sphinx makes HTML of them (:mod:`.build`). Nothing is
computed or executed, and no page asks the network for anything.
"""

from credalbench.extras import require

require("sphinx", "myst_nb", "math_core", extra="site", purpose="credalbench site")

from .build import SiteError, write_site

__all__ = ["SiteError", "write_site"]

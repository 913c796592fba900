"""The server of `credalbench explore`: a start page, explorers and lessons shown by Voila, and JupyterLab.

:mod:`.catalogue` finds the notebooks and copies them into a folder of the user. :mod:`.serving` runs the
Jupyter server, for one person or for a class. :mod:`.extension` adds the start page, the glossary and the
polls (:mod:`.polls`). :mod:`.page_kernels` ends the kernel of a page with the page, and limits what a class
can use. Kernels are forked where possible (:mod:`.forking`, :mod:`.warm_process`).
"""

from credalbench.core.extras import require

require("voila", "jupyterlab", "ipywidgets", extra="explore", purpose="credalbench explore")

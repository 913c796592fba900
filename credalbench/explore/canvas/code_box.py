"""A widget that shows a program and copies it to the clipboard."""

import anywidget
import traitlets as t

from credalbench.explore.canvas import script


class CodeBox(anywidget.AnyWidget):
    """A box with source code and a button that copies it; Tab reaches both.

    Attributes
    ----------
    code : str
    """

    _esm = script("code_box.js")

    code = t.Unicode("").tag(sync=True)

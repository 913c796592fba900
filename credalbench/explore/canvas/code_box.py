"""A program to read, select and copy: a widget with a script of its own, which knows the clipboard."""

from __future__ import annotations

import anywidget
import traitlets as t

from credalbench.explore.canvas import script


class CodeBox(anywidget.AnyWidget):
    """Source in a box with a button that copies it; by keyboard Tab enters both.

    Attributes
    ----------
    code : str
    """

    _esm = script("code_box.js")

    code = t.Unicode("").tag(sync=True)

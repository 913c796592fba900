"""A lesson as one HTML file: sliders over precomputed frames and selectable objects, without a kernel.

The cells of the lesson are run and their outputs kept; a block of ``toml frames`` declares the slider of an
explorer. The file loads nothing from the network.
"""

from .writing import list_lessons, write_handout

__all__ = ["list_lessons", "write_handout"]

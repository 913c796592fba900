"""A lesson as one HTML file: sliders over precomputed frames and selectable objects, without a kernel.

`write_handout` runs the cells of the lesson and keeps their outputs; a block of ``toml frames`` declares the
values of the slider of a task. The file loads nothing from the network.
"""

from .writing import list_lessons, write_handout

__all__ = ["list_lessons", "write_handout"]

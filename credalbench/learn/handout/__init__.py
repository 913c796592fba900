"""A lesson as one file of HTML: sliders over frames computed beforehand, objects to click, no kernel.

The lesson's source is the only one: its cells are run, what they show is kept, and a block of ``toml frames``
says which slider an explorer has on the page. Nothing is asked from anywhere, so that the file can be opened
from a disk, sent by mail or put on a course page.
"""

from .writing import listed, write_handout

__all__ = ["listed", "write_handout"]

"""What one does in one explorer alone, by mouse and keys: a module for each, whose `GESTURES` are acts.

A gesture begins with the explorer as it opens, and takes what an act takes.
"""

from importlib import import_module
from importlib.util import find_spec


def gestures_of(name):
    """The gestures of an explorer."""
    module = f"{__name__}.{name}"
    return import_module(module).GESTURES if find_spec(module) else ()

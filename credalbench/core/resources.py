"""Checks of the memory and time of work that grows with pairs of objects or with all subsets."""

import os
import sys
import warnings

import psutil

SMALL = 2**25  # bytes; less is not checked
SPEED = 1e9  # approximate number of multiplications, each with an addition, per second and core in loops
MATRIX_GAIN = 16  # approximate speed-up of a product of matrices
LONG = 30.0  # seconds; longer work gives a warning
PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep
SPLITS = "sklearn.model_selection._validation"  # fits to the objects of a split are called there


class NotEnoughMemory(MemoryError, ValueError):
    """Error for too little memory; also a ValueError, since other parameters may need less memory."""


def expect_memory(need: float, what: str, advice: str) -> None:
    """Raise NotEnoughMemory if work needs more additional bytes than are available without swapping.

    The message gives the need and the limit, `what` needs the memory, with its sizes, and, as `advice`, a
    setting that needs less.
    """
    left = available_memory() if need >= SMALL else need
    if need > left:
        raise NotEnoughMemory(
            f"expected to need at most {size_text(left)} of memory, which is what the machine has left; "
            f"got about {size_text(need)} for {what}. Use {advice}"
        )


def available_memory() -> int:
    """Return the number of bytes that are available without swapping."""
    return psutil.virtual_memory().available


def warn_if_slow(operations: float, what: str, advice: str) -> None:
    """Warn if work of so many `operations` (multiplications) takes more than `LONG` seconds on one core.

    The message describes the work as `what`, with its sizes, and gives a faster setting as `advice`.
    """
    seconds = operations / SPEED
    if seconds > LONG:
        text = f"{what} takes about {seconds:.0f} s. It is faster with {advice}"
        warnings.warn(text, UserWarning, stacklevel=user_stacklevel())


def user_stacklevel() -> int:
    """Return the `stacklevel` for `warnings.warn` in the caller: the first frame outside the package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    return level


def within_cross_validation() -> bool:
    """Return whether scikit-learn's model selection has called, with some of the objects of its data."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") != SPLITS:
        frame = frame.f_back
    return frame is not None


def size_text(count: float) -> str:
    """Return a number of bytes in MiB or GiB."""
    return f"{count / 2**30:.1f} GiB" if count >= 2**30 else f"{count / 2**20:.0f} MiB"

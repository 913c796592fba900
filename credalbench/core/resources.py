"""Memory of work that grows with pairs of objects or with all subsets: refused if it is not there."""

import os
import sys
import warnings

import psutil

SMALL = 2**25  # bytes; less is not checked
SPEED = 1e9  # multiplications with an addition per second and core in these loops, about
MATRIX_GAIN = 16  # how many times faster they are in a product of matrices, about
LONG = 30.0  # seconds; longer work gives a warning
PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep


class NotEnoughMemory(MemoryError, ValueError):
    """Work needs more memory than there is; also a ValueError, since other parameters may need less."""


def expect_memory(need: float, what: str, advice: str) -> None:
    """Refuse work that needs more memory than the machine can give without swapping.

    Parameters
    ----------
    need : float
        Bytes, besides those in use.
    what : str
        What they are for, with its sizes.
    advice : str
        The setting that needs less.

    Raises
    ------
    NotEnoughMemory
        The message has need, limit and advice.
    """
    left = available_memory() if need >= SMALL else need
    if need > left:
        raise NotEnoughMemory(
            f"expected to need at most {size_text(left)} of memory, which is what the machine has left; "
            f"got about {size_text(need)} for {what}. Instead: {advice}"
        )


def available_memory() -> int:
    """Return the bytes that the machine can give without swapping."""
    return psutil.virtual_memory().available


def warn_if_slow(operations: float, what: str, advice: str) -> None:
    """Warn of work that takes long on one core.

    Parameters
    ----------
    operations : float
        Number of multiplications.
    what : str
        The work, with its sizes.
    advice : str
        The setting that is faster.

    Warns
    -----
    UserWarning
        If it takes more than `LONG` seconds.
    """
    seconds = operations / SPEED
    if seconds > LONG:
        text = f"{what} takes about {seconds:.0f} s. Quicker: {advice}"
        warnings.warn(text, UserWarning, stacklevel=user_stacklevel())


def user_stacklevel() -> int:
    """Return the `stacklevel` of the first frame outside this package, whose line should change.

    Returns
    -------
    int
        For `warnings.warn` in the caller.
    """
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    return level


def size_text(count: float) -> str:
    """Return a number of bytes in MiB or GiB."""
    return f"{count / 2**30:.1f} GiB" if count >= 2**30 else f"{count / 2**20:.0f} MiB"

"""Memory and time of a fit, estimated at its start: too much memory is refused, long work gives a warning.

Available memory is the least of three: the free memory of the machine, the rest of the control groups of this
process and of all groups around them, and the rest of its address space (``ulimit -v``). A limit that the
system does not report is ignored. Swap does not count: a fit that swaps does not end.

The needs are measured peaks of a fit besides its input, as functions of the sizes n, p, c, f and k. They are
stated by the estimators, at the start of `fit`.
"""

import math
import os
import sys
import warnings
from contextlib import suppress
from pathlib import Path

PROCESSES, GROUPS = Path("/proc"), Path("/sys/fs/cgroup")  # where Linux reports both
#: Limit, use, and within the use what can be freed at once: control groups of versions 2 and 1.
VERSION_2 = ("memory.max", "memory.current", "inactive_file")
VERSION_1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
SMALL = 2**25  # bytes; less is not checked
SPEED = 1e9  # multiplications with an addition per second and core in these loops, about
MATRIX_GAIN = 16  # how many times faster they are in a product of matrices, about
LONG = 30.0  # seconds; a longer iteration gives a warning
PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep


class NotEnoughMemory(MemoryError, ValueError):
    """A fit needs more memory than there is; also a ValueError, since other parameters may need less."""


def expect_memory(need: float, what: str, advice: str) -> None:
    """Refuse work that needs more memory than this process can have.

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
    if need < SMALL:
        return
    left, limit = available_memory()
    if need > left:
        raise NotEnoughMemory(
            f"expected to need at most {size_text(left)} of memory, which is what {limit} left; "
            f"got about {size_text(need)} for {what}. Instead: {advice}"
        )


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


def available_memory() -> tuple[float, str]:
    """Return the memory that this process may still use.

    Returns
    -------
    available : float
        Bytes, infinite if unknown.
    limit : str
        What sets the limit, for a message.
    """
    left, limit = min(
        (_free_memory(), "the machine has"),
        (_left_to_groups(), "the control group of this process has"),
        (_left_of_address_space(), "the limit on the address space (ulimit -v) has"),
    )
    return max(left, 0.0), limit


def _free_memory() -> float:
    """Return the bytes that the machine can give without swapping, or else all of its memory."""
    fields = _fields(PROCESSES / "meminfo")
    if "MemAvailable" in fields:
        return 1024.0 * fields["MemAvailable"]
    with suppress(AttributeError, OSError, ValueError):  # no such function, or no such name
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return math.inf


def _left_to_groups() -> float:
    """Return the least rest of the control groups of this process and of those around them."""
    left = [math.inf]
    for line in _text(PROCESSES / "self" / "cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        root, names = (GROUPS / "memory", VERSION_1) if controllers else (GROUPS, VERSION_2)
        own = root / path.strip("/")  # a container may see its own group as the root
        left += [_left_to_group(group, *names) for group in (own, *own.parents) if group.is_relative_to(root)]
    return min(left)


def _left_to_group(group: Path, limit: str, usage: str, cache: str) -> float:
    most, used = _text(group / limit).strip(), _text(group / usage).strip()
    if not (most.isdigit() and used.isdigit()):  # "max", or no such group
        return math.inf
    return float(int(most) - int(used) + _fields(group / "memory.stat").get(cache, 0))


def _left_of_address_space() -> float:
    try:
        import resource  # not on every system
    except ImportError:
        return math.inf
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY:
        return math.inf
    pages = _text(PROCESSES / "self" / "statm").split()[:1] or ["0"]
    return float(most - int(pages[0]) * resource.getpagesize())


def _fields(path: Path) -> dict[str, int]:
    """Return entries "name: number unit" or "name number" of a system file."""
    rows = (line.replace(":", " ").split() for line in _text(path).splitlines())
    return {row[0]: int(row[1]) for row in rows if len(row) > 1 and row[1].isdigit()}


def _text(path: Path) -> str:
    """Return the contents of a system file; nothing if it does not exist."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def size_text(count: float) -> str:
    """Return a number of bytes in MiB or GiB."""
    return f"{count / 2**30:.1f} GiB" if count >= 2**30 else f"{count / 2**20:.0f} MiB"

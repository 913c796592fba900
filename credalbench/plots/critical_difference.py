"""Critical-difference diagrams: mean ranks of methods on a line, joined where they differ only by chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from credalbench.plots.style import INK, LABEL_SIZE, MUTED, TICK_SIZE

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def groups_within(ranks: Mapping[str, float], critical: float) -> list[tuple[str, ...]]:
    """Return the largest groups of several methods whose ranks differ by at most the critical difference.

    >>> groups_within({"a": 1.0, "b": 1.5, "c": 2.2, "d": 4.0}, 1.0)
    [('a', 'b'), ('b', 'c')]
    """
    names, found = sorted(ranks, key=lambda name: ranks[name]), []
    for i, first in enumerate(names):
        group = tuple(name for name in names[i:] if ranks[name] - ranks[first] <= critical)
        if len(group) > 1 and not (found and set(group) <= set(found[-1])):
            found.append(group)
    return found


def critical_difference(ax: Axes, ranks: Mapping[str, float], critical: float) -> Axes:
    """Draw a critical-difference diagram [demsar2006], with the best rank at the left.

    Parameters
    ----------
    ax : Axes
        Axes to draw on; the function removes their frame.
    ranks : mapping of str to float
        Mean ranks of methods.
    critical : float
        The critical difference; a bar joins methods that differ by less.

    Returns
    -------
    Axes
        The same axes.

    References
    ----------
    [demsar2006]
    """
    names = sorted(ranks, key=lambda name: ranks[name])
    low, high = 1, len(names)  # ranks are means of these
    groups, left = groups_within(ranks, critical), (len(names) + 1) // 2
    first_row = len(groups) * 0.45 + 1.0
    rows = max(left, len(names) - left)
    margin = 0.03 * (high - low)
    ax.plot([low, high], [0, 0], color=INK, linewidth=1.2)
    for tick in range(low, high + 1):
        ax.plot([tick, tick], [0, -0.18], color=INK, linewidth=1)
        if high <= 12 or tick % 2:
            ax.text(tick, -0.3, str(tick), ha="center", va="bottom", fontsize=TICK_SIZE, color=INK)
    for place, name in enumerate(names):
        at_left = place < left
        row = first_row + (place if at_left else len(names) - 1 - place)
        end = low - margin if at_left else high + margin
        ax.plot([ranks[name], ranks[name], end], [0, row, row], color=MUTED, linewidth=0.8)
        words = f"{name}  {ranks[name]:.1f}" if at_left else f"{ranks[name]:.1f}  {name}"
        ax.text(end, row, f" {words} ", ha="right" if at_left else "left", va="center", fontsize=TICK_SIZE)
    for k, group in enumerate(groups):
        ends = [ranks[group[0]] - margin / 3, ranks[group[-1]] + margin / 3]
        ax.plot(ends, [0.45 * (k + 1)] * 2, color=INK, linewidth=3, solid_capstyle="butt")
    ax.plot([low, low + critical], [-1.3, -1.3], color=INK, linewidth=3, solid_capstyle="butt")
    ax.text(low + critical, -1.3, f"  critical difference {critical:.1f}", va="center", fontsize=TICK_SIZE)
    ax.set_title("mean rank; 1 is the best", fontsize=LABEL_SIZE, color=INK, loc="left")
    ax.set(xlim=(low - 0.45 * (high - low), high + 0.45 * (high - low)), ylim=(first_row + rows, -1.8))
    ax.set_axis_off()
    return ax

"""The picture of the CECM explorer: map with constraints, true classes, violations, objective."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from credalbench.constraints import PairwiseConstraints
from credalbench.explore.cecm.fit import Fitted
from credalbench.explore.shared.hard_credal_map import (
    drawn_by_label,
    in_columns,
    set_handles,
    sets_key,
    swatch,
    true_classes,
)
from credalbench.explore.shared.kept_background import KeptBackground, fill_axes
from credalbench.plots.constraints import DASHES, VIOLATED, constraint_lines, hard_credal_scatter
from credalbench.plots.credal import approximation_hulls
from credalbench.plots.style import INK, LABEL_SIZE, MUTED, dress

WIDTH, HEIGHT, DPI = 9.6, 6.7, 100  # inches, inches, dots per inch
UPPER = (0, (1, 1.2))  # dotted, since dashed lines are cannot-links
_CONSTRAINTS = "constraint (■ must-link, ○ cannot-link)"


class CecmPicture(KeptBackground):
    """Draws a `Fitted` of the CECM model into PNG bytes."""

    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, DPI)
        self.map = self.figure.add_axes((0.07, 0.2, 0.56, 0.755))
        self.classes = self.figure.add_axes((0.705, 0.62, 0.2833, 0.335))
        self.violations = self.figure.add_axes((0.725, 0.365, 0.2633, 0.15))
        self.trace = self.figure.add_axes((0.725, 0.08, 0.2633, 0.15))
        self.steady = (self.map, self.violations)
        for ax in (self.map, self.trace):
            ax.yaxis.set_major_locator(MaxNLocator(3 if ax is self.trace else 6, steps=(1, 2, 5, 10)))
        for ax in (self.violations, self.trace):
            ax.xaxis.set_major_locator(MaxNLocator(6, steps=(1, 2, 5, 10), integer=True))
        dress(self.violations, title="Plausibility of a violation", xlabel=_CONSTRAINTS)
        dress(self.trace, title="Objective J of this fit", xlabel="iteration", grid="both")
        self.violations.set(ylim=(-0.1, 1.1), yticks=(0, 0.5, 1))

    def _draw(self, fitted: Fitted) -> None:
        self._draw_map(fitted)
        self._draw_violations(fitted)
        self._draw_trace(fitted.objective_trace, fitted.n_iter)

    def _draw_map(self, fitted: Fitted) -> None:
        positions = fitted.subject.positions
        rule = "maximum_mass"  # the hard credal partition, as the markers
        approximation_hulls(self.map, positions, fitted.partition, rule, upper_line=UPPER, upper_width=1.6)
        hard_credal_scatter(self.map, positions, fitted.partition, fitted.centers_on_map, legend=False)
        constraint_lines(
            self.map,
            positions,
            fitted.constraints.must_link,
            fitted.constraints.cannot_link,
            violated_must_link=fitted.violated.must_link,
            violated_cannot_link=fitted.violated.cannot_link,
        )
        fill_axes(self.map, positions)

    def _draw_violations(self, fitted: Fitted) -> None:
        """How plausible it is that each constraint is violated, in the order in which they came."""
        ax, values = self.violations, fitted.violations
        q = len(values)
        broken = {tuple(pair) for pairs in _links_of(fitted.violated) for pair in pairs.tolist()}
        colours = [VIOLATED if (i, j) in broken else INK for i, j, _ in fitted.links]
        must = np.array([kind == "must-link" for *_, kind in fitted.links], dtype=bool)
        at = np.arange(1, q + 1)
        if q:
            ax.vlines(at, 0, values, colors=colours, linewidth=1.2)
        for kind, marker, face in ((must, "s", None), (~must, "o", "white")):
            shown = [c for c, chosen in zip(colours, kind) if chosen]
            ax.scatter(
                at[kind], values[kind], s=22, marker=marker, c=face or shown, edgecolors=shown, zorder=3
            )
        room = 10 * max(-(-q // 10), 1)  # in tens, so that the background often stays
        ax.set_xlim(0.3, room + 0.7)
        if not q:
            ax.text(5.5, 0.5, "no constraints", color=MUTED, fontsize=LABEL_SIZE, ha="center", va="center")

    def _write_axes(self, fitted: Fitted) -> None:
        subject = fitted.subject
        xlabel, ylabel = subject.axis_labels
        title = f"{subject.name} (n = {subject.n_objects}): hard credal partition"
        dress(self.map, title=title, xlabel=xlabel, ylabel=ylabel, grid=None)
        true_classes(self.classes, subject)

    def _legend_key(self, fitted: Fitted) -> Hashable:
        return sets_key(self.map, fitted.partition)

    def _make_legend(self, fitted: Fitted) -> Legend:
        columns = in_columns(set_handles(self.map, fitted.partition)) + in_columns(self._signs(), 3)
        return self._legend_below(columns, (-0.07, -0.115), handlelength=1.9, columnspacing=1.5)

    def _signs(self) -> list[Line2D]:
        """Handles of what is drawn beside the objects."""
        line = {"color": INK, "lw": 1.4}
        return [
            swatch(drawn_by_label(self.map)["prototype"], ms=9, mew=2.2),
            Line2D([], [], label="lower approximation", **line),
            Line2D([], [], ls=UPPER, label="upper approximation", **line),
            Line2D([], [], label="must-link", marker="o", ms=3.5, **line),
            Line2D([], [], ls=DASHES, label="cannot-link", marker="o", ms=3.5, **line),
            Line2D([], [], color=VIOLATED, marker="x", ms=7, mew=1.6, lw=1.4, label="violated constraint"),
        ]


def _links_of(constraints: PairwiseConstraints) -> tuple[np.ndarray, np.ndarray]:
    return constraints.must_link, constraints.cannot_link

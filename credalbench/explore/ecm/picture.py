"""The picture of the ECM explorer: map with prototypes, true classes, mass by cardinality, objective."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from credalbench.explore.ecm.model import Fitted
from credalbench.explore.shared.hard_credal_map import in_columns, set_handles, sets_key, true_classes
from credalbench.explore.shared.kept_background import KeptBackground, fill_axes
from credalbench.plots import hard_credal_scatter, prototype_marks
from credalbench.plots.style import INK, MUTED, OMEGA, dress

WIDTH, HEIGHT, DPI = 9.6, 5.6, 100  # inches, inches, dots per inch


class EcmPicture(KeptBackground):
    """Draws a `Fitted` of the ECM model into PNG bytes."""

    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, DPI)
        self.map = self.figure.add_axes((0.06, 0.215, 0.58, 0.735))
        self.classes = self.figure.add_axes((0.7, 0.6, 0.29, 0.35))
        self.cardinalities = self.figure.add_axes((0.725, 0.335, 0.265, 0.145))
        self.trace = self.figure.add_axes((0.725, 0.075, 0.265, 0.145))
        self.steady = (self.map, self.cardinalities)
        for ax in (self.map, self.trace):
            ax.yaxis.set_major_locator(MaxNLocator(3 if ax is self.trace else 6, steps=(1, 2, 5, 10)))
        for ax in (self.cardinalities, self.trace):
            ax.xaxis.set_major_locator(MaxNLocator(6, steps=(1, 2, 5, 10), integer=True))
        self.cardinalities.set(ylim=(0, 1), yticks=(0, 0.5, 1))

    def _draw(self, fitted: Fitted) -> None:
        self._draw_map(fitted)
        self._draw_cardinalities(fitted)
        self._draw_iterations(fitted)

    def _draw_map(self, fitted: Fitted) -> None:
        subject = fitted.subject
        hard_credal_scatter(self.map, subject.positions, fitted.partition, legend=False)
        start = subject.on_the_map(fitted.start) if fitted.iteration else None
        family = fitted.partition.focal_sets
        prototype_marks(self.map, subject.on_the_map(fitted.prototypes), family, start)
        fill_axes(self.map, subject.positions)

    def _draw_cardinalities(self, fitted: Fitted) -> None:
        """How much of all mass is on sets of no cluster, of one, of two, ..."""
        partition = fitted.partition
        counts = np.arange(partition.n_clusters + 1)
        cardinality, means = partition.focal_sets.cardinality, partition.masses.mean(axis=0)
        shares = np.bincount(cardinality, means, minlength=len(counts))
        self.cardinalities.bar(counts, shares, width=0.7, color=MUTED)
        self.cardinalities.set_xlim(-0.6, partition.n_clusters + 0.6)

    def _draw_iterations(self, fitted: Fitted) -> None:
        """The objective of the whole run, what is still to come faint, and a dot where one is."""
        ax, done = self.trace, slice(fitted.iteration + 1)
        self._draw_trace(fitted.objective_trace, fitted.n_iter)
        line, dot = ax.lines
        line.set(alpha=0.3)
        dot.set_data([fitted.iteration], [fitted.objective])
        ax.plot(
            np.arange(fitted.n_iter + 1)[done], fitted.objective_trace[done], color=line.get_color(), lw=1.5
        )

    def _write_axes(self, fitted: Fitted) -> None:
        subject = fitted.subject
        xlabel, ylabel = subject.axis_labels
        title = f"{subject.name} (n = {subject.n_objects}): set of largest mass"
        dress(self.map, title=title, xlabel=xlabel, ylabel=ylabel, grid=None)
        dress(self.cardinalities, title="Mass by size of the set")
        dress(self.trace, title="Objective J by iteration", grid="both")
        true_classes(self.classes, subject)

    def _legend_key(self, fitted: Fitted) -> Hashable:
        return sets_key(self.map, fitted.partition)

    def _make_legend(self, fitted: Fitted) -> Legend:
        columns = in_columns(set_handles(self.map, fitted.partition), 3) + [_signs()]
        return self._legend_below(columns, (-0.06, -0.125), handlelength=1.9, columnspacing=1.5)


def _signs() -> list[Line2D]:
    """Handles of what is drawn beside the objects."""
    edge = {"ls": "none", "mec": INK}
    return [
        Line2D([], [], label="prototype: drag it", marker="o", ms=8, mfc="white", mew=2.0, **edge),
        Line2D([], [], label="barycentre of a set", marker="D", ms=7, mfc=OMEGA, mew=1.4, **edge),
        Line2D([], [], label="start", marker="o", ms=4.5, mfc="white", mew=1.2, **edge),
    ]

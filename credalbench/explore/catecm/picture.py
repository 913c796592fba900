"""The picture of the cat-ECM explorer: a map of the objects, and the masses of some of them."""

from __future__ import annotations

from collections.abc import Hashable

from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, ScalarFormatter

from credalbench.explore.catecm.fit import Fitted
from credalbench.explore.shared.hard_credal_map import in_columns, set_handles, sets_key
from credalbench.explore.shared.kept_background import KeptBackground, fill_axes
from credalbench.explore.shared.subjects.category_tables import CategoryTable
from credalbench.plots import hard_credal_scatter, mass_rows
from credalbench.plots.mass_rows import LEAST
from credalbench.plots.style import INK, dress

WIDTH, HEIGHT, DPI = 9.6, 4.7, 100  # inches, inches, dots per inch
LONGEST = 22  # characters of a name beside a row
MOST_TICKS = 12  # values that stand at an axis of two attributes
_TITLES = {"chosen": "chosen objects", "all": "all objects", "most doubtful": "the most doubtful"}


class CatecmPicture(KeptBackground):
    """Draws a `Fitted` of the cat-ECM model into PNG bytes."""

    TRACE_SCALES = ("y",)  # names of objects; masses stay between 0 and 1

    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, DPI)
        self.map = self.figure.add_axes((0.075, 0.265, 0.495, 0.665))
        self.trace = self.figure.add_axes((0.73, 0.11, 0.255, 0.82))
        self.steady = (self.map,)
        self.trace.set_xticks((0, 0.5, 1))
        dress(self.trace, xlabel=f"mass; pale: sets below {LEAST} each", grid=None)

    def _draw(self, fitted: Fitted) -> None:
        positions = fitted.subject.positions
        hard_credal_scatter(self.map, positions, fitted.partition, fitted.prototypes_on_map, legend=False)
        fill_axes(self.map, positions)
        names = [row_name(fitted.subject, i) for i in fitted.listed]
        title = f"Masses of {_TITLES[fitted.choice]}"
        mass_rows(self.trace, fitted.partition.take(list(fitted.listed)), names, title=title)

    def _write_axes(self, fitted: Fitted) -> None:
        subject = fitted.subject
        xlabel, ylabel = subject.axis_labels
        title = f"{subject.name} (n = {subject.n_objects}): largest mass"
        xlabel += "; equal objects lie side by side"
        for axis, words in zip((self.map.xaxis, self.map.yaxis), subject.ticks or ((), ())):
            axis.set_major_locator(MaxNLocator(5, steps=(1, 2, 5, 10)))
            axis.set_major_formatter(ScalarFormatter())
            if 0 < len(words) <= MOST_TICKS:
                axis.set_ticks(range(len(words)), [shortened(word, 8) for word in words])
        dress(self.map, title=title, xlabel=xlabel, ylabel=ylabel, grid=None)

    def _axes_key(self, fitted: Fitted) -> object:
        return fitted.subject, fitted.choice  # which stands in the title of the masses

    def _legend_key(self, fitted: Fitted) -> Hashable:
        return sets_key(self.map, fitted.partition)

    def _make_legend(self, fitted: Fitted) -> Legend:
        cross = Line2D([], [], ls="none", marker="+", ms=9, mec=INK, mew=2.2, label="prototype")
        columns = in_columns([*set_handles(self.map, fitted.partition), cross], 3)
        return self._legend_below(columns, (-0.09, -0.175), handlelength=1.6, columnspacing=1.5)


def row_name(subject: CategoryTable, i: int) -> str:
    """Return the name of an object, and of its class where that is known, cut where it is long."""
    name = subject.object_names[i]
    if subject.y is not None and subject.class_names:
        name += f" ({subject.class_names[subject.y[i]]})"
    return shortened(name, LONGEST)


def shortened(text: str, length: int) -> str:
    """Return a text, cut where it is longer than `length` characters."""
    return text if len(text) <= length else f"{text[: length - 1]}…"

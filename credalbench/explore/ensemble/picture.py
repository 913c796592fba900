"""The picture of the ensemble explorer: consensus, relation before and after its closure, bases, one pair."""

from __future__ import annotations

from collections.abc import Hashable
from math import ceil

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator

from credalbench.belief.relational import RelationalMasses
from credalbench.explore.ensemble.fit import Fitted
from credalbench.explore.ensemble.words import CLOSED, RULES
from credalbench.explore.shared.hard_credal_map import in_columns, set_handles, sets_key
from credalbench.explore.shared.kept_background import KeptBackground, Layer, fill_axes
from credalbench.plots import hard_credal_scatter, opinion_rows, partition_maps, relation_image
from credalbench.plots.partition_maps import cells_on, map_frames, mark_on_maps
from credalbench.plots.relations import opinion_handles
from credalbench.plots.style import INK, LABEL_SIZE, MUTED, TICK_SIZE, TITLE_SIZE, dress

WIDTH, HEIGHT, DPI = 9.6, 7.2, 100  # inches, inches, dots per inch
#: Base partitions that are shown, the first ones.
SHOWN = 24
#: Opinions that are named at most; of more, every second one, third one, ...
NAMED = 12
#: Rows between the opinions and the rules, and between these and the closure.
GAP = 0.7
TITLE = {"fontsize": TITLE_SIZE, "fontweight": "bold", "color": INK, "va": "bottom"}
BESIDE_ROWS = {"fontsize": TICK_SIZE, "color": INK, "ha": "right", "va": "center_baseline"}
HALO = [withStroke(linewidth=4.0, foreground="white")]


class EnsemblePicture(KeptBackground):
    """Draws a `Fitted` of the ensemble model into PNG bytes."""

    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, DPI)
        self.map = self._axes(58, 28, 430, 330)
        self.bases = self._axes(14, 474, 474, 236)
        self.marks = self._axes(14, 474, 474, 236)  # over the bases
        self.relation = self._axes(536, 28, 200, 200)
        self.closed = self.trace = self._axes(750, 28, 200, 200)
        self.opinions = self._axes(672, 292, 278, 398)
        self.steady = (self.map, self.marks, self.relation, self.opinions)
        self.marks.set_facecolor("none")
        self.opinions.set_yticks([])
        self.opinions.set_xticks((0, 0.5, 1))
        for axis in (self.map.xaxis, self.map.yaxis):
            axis.set_major_locator(MaxNLocator(6, steps=(1, 2, 5, 10)))
        dress(self.relation, title="Relation of all pairs", grid=None)
        dress(self.closed, title="After its closure", grid=None)
        look = {"loc": "upper left", "bbox_to_anchor": (-0.02, -0.02), "ncols": 3, "frameon": False}
        look |= {"handlelength": 1.2, "columnspacing": 1.6, "borderaxespad": 0.0}
        self.relation.legend(handles=opinion_handles(), fontsize=TICK_SIZE, **look)

    def _axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Axes at a place in pixels from the upper left corner."""
        across, down = self.size
        return self.figure.add_axes((left / across, 1 - (top + height) / down, width / across, height / down))

    def pair_at(self, fitted: Fitted, x: float, y: float) -> tuple[int, int] | None:
        """Return the pair of objects at a place on the last picture, if it is in one of the two relations."""
        for ax in (self.relation, self.closed):
            place = ax.transData.inverted().transform((x, self.size[1] - y))
            column, row = np.floor(place).astype(int)
            if 0 <= column < len(fitted.order) and 0 <= row < len(fitted.order):
                i, j = fitted.order[[row, column]]
                return None if i == j else (int(i), int(j))
        return None

    # -- drawing ----------------------------------------------------------------------------------------

    def _draw(self, fitted: Fitted) -> None:
        subject, pair = fitted.subject, fitted.pair
        objects = () if pair is None else pair.objects
        hard_credal_scatter(self.map, subject.positions, fitted.partition, legend=False)
        if pair is not None and pair.path is not None:
            self._draw_path(subject.positions[list(pair.path)])
        fill_axes(self.map, subject.positions)
        for ax, relation in ((self.relation, fitted.relation), (self.closed, fitted.closed)):
            relation_image(ax, relation, fitted.order, boundaries=fitted.boundaries)
            self._mark(ax, fitted.order, objects)
        shown = _n_shown(fitted)
        mark_on_maps(self.marks, cells_on(self.marks, subject.positions, shown), shown, objects)
        self._draw_pair(fitted)

    def _draw_path(self, places: np.ndarray) -> None:
        """The objects by which the closure joined a pair, in one line."""
        self.map.plot(*places.T, "-", color=INK, lw=1.7, zorder=6, path_effects=HALO)
        self.map.plot(*places.T, "o", ms=3.2, mfc=INK, mec="white", mew=0.5, zorder=7)

    def _mark(self, ax: Axes, order: np.ndarray, objects: tuple[int, ...]) -> None:
        """A ring around either place of the pair in a relation."""
        if objects:
            i, j = np.argsort(order)[list(objects)] + 0.5
            for edge, width in (("white", 3.4), (INK, 1.4)):
                ax.plot([i, j], [j, i], "o", ms=8, mfc="none", mec=edge, mew=width, zorder=5)

    def _draw_pair(self, fitted: Fitted) -> None:
        """What is known of the pair: by each base partition, by each rule, after the closure."""
        ax, pair = self.opinions, fitted.pair
        names, places = rows_of(fitted)
        all_rows = places[-1] + 0.5, -0.5
        ax.set_ylim(all_rows)
        if pair is None:
            text = {"ha": "center", "va": "center", "fontsize": LABEL_SIZE, "color": MUTED}
            ax.text(0.5, 0.5, "Click two objects,\nor a pair in a relation", transform=ax.transAxes, **text)
            return
        masses = [RelationalMasses(*(part[b] for part in pair.opinions)) for b in range(_n_shown(fitted))]
        masses += [*pair.by_rule.values(), pair.closed]
        known = [k for k, one in enumerate(masses) if one is not None]
        rows = RelationalMasses(*(np.array(part, float) for part in zip(*(masses[k] for k in known))))
        opinion_rows(ax, rows, places=places[known])
        ax.set_ylim(all_rows)  # with those that are empty
        text = {"fontsize": TICK_SIZE, "color": MUTED, "va": "center_baseline"}
        for k in set(range(len(masses))).difference(known):
            ax.text(0.02, places[k], "no closure" if names[k] == CLOSED else "total conflict", **text)
        low, high = places[names.index(RULES[fitted.rule])] + np.array([-0.5, 0.5])
        ax.plot([0, 1, 1, 0, 0], [low, low, high, high, low], color=INK, lw=1.6, zorder=4, clip_on=False)
        words = "Objects {} and {}: one cluster?".format(*pair.objects)
        ax.text(0, 1.012, words, transform=ax.transAxes, **TITLE)

    # -- background -------------------------------------------------------------------------------------

    def _write_axes(self, fitted: Fitted) -> None:
        subject = fitted.subject
        xlabel, ylabel = subject.axis_labels
        title = f"{subject.name} (n = {subject.n_objects}): consensus"
        dress(self.map, title=title, xlabel=xlabel, ylabel=ylabel, grid=None)
        self.bases.clear()
        self.bases.set_axis_off()

    def _layers(self, fitted: Fitted) -> list[Layer]:
        return [(len(fitted.bases), self._names), (fitted.bases, self._base_maps)]

    def _names(self, fitted: Fitted) -> list[Artist]:
        """The frames of the base partitions with their numbers, and the names of the opinions."""
        shown, ax = _n_shown(fitted), self.bases
        ax.clear()
        map_frames(ax, cells_on(ax, fitted.subject.positions, shown), [str(b + 1) for b in range(shown)])
        of_all = "" if shown == len(fitted.bases) else f", {shown} of {len(fitted.bases)}"
        ax.text(0, 1.02, f"Base partitions{of_all}", transform=ax.transAxes, **TITLE)
        rows = [*zip(*rows_of(fitted))]
        named = [*rows[: shown : ceil(shown / NAMED)], *rows[shown:]]
        names = [self.opinions.text(-0.02, place, name, **BESIDE_ROWS) for name, place in named]
        return [*ax.collections, *ax.texts, *names]

    def _base_maps(self, fitted: Fitted) -> list[Artist]:
        """The objects on the maps of the base partitions."""
        for artist in [*self.bases.lines]:
            artist.remove()
        return [*partition_maps(self.bases, fitted.subject.positions, fitted.bases[:SHOWN]).lines]

    def _legend_key(self, fitted: Fitted) -> Hashable:
        return sets_key(self.map, fitted.partition)

    def _make_legend(self, fitted: Fitted) -> Legend:
        path = Line2D([], [], color=INK, lw=1.7, marker="o", ms=3.2, label="path of the closure")
        columns = [*in_columns(set_handles(self.map, fitted.partition), 2), [path]]
        return self._legend_below(columns, (-0.09, -0.145), handlelength=1.9, columnspacing=1.5)


def rows_of(fitted: Fitted) -> tuple[list[str], np.ndarray]:
    """Names and places of the rows that tell what is known of a pair."""
    n_shown = _n_shown(fitted)
    names = [f"partition {b + 1}" for b in range(n_shown)] + [*RULES.values(), CLOSED]
    gaps = GAP * np.repeat([0, 1, 2], [n_shown, len(RULES), 1])
    return names, np.arange(len(names)) + gaps


def _n_shown(fitted: Fitted) -> int:
    return min(len(fitted.bases), SHOWN)

"""The picture of the segmentation explorer: the image segmented without constraints, and with them.

Frames, titles and legend change rarely and cost most of the time. They are drawn once into a background;
after that a new fit costs only the two images.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from credalbench.belief import CredalPartition, FocalSets
from credalbench.explore.segmentation.model import Segmented
from credalbench.explore.shared.kept_background import encoded
from credalbench.plots.segmentation import set_handles, shaded
from credalbench.plots.style import INK, MUTED, TICK_SIZE, TITLE_SIZE, new_figure

WIDTH, HEIGHT, DPI = 6.0, 3.9, 100  # inches, inches, dots per inch
TITLES = ("ECM: without constraints", "CECM: with the regions")
DECISIONS = {"credal": "largest mass (Ω: unsure)", "pignistic": "pignistic cluster"}
LEGEND_COLUMNS = 8


def chosen_sets(partition: CredalPartition, decision: str) -> np.ndarray:
    """For each prototype the index of its focal set: that of largest mass, or its pignistic cluster's."""
    if decision == "credal":
        return partition.hard_credal()
    return partition.focal_sets.singletons[partition.labels("pignistic")]


class SegmentationPicture:
    """Draws a `Segmented` into PNG bytes; keeps its figure from one drawing to the next.

    Attributes
    ----------
    draw_ms : float
        Time of the last drawing, encoding included.
    """

    def __init__(self) -> None:
        self.figure, self._axes, self._images = None, (), ()
        self._shown, self._background = None, None
        self.draw_ms = float("nan")

    def png(self, fitted: Segmented, decision: str = "credal") -> bytes:
        """Return the picture of a fit as PNG bytes; `decision` is one of `DECISIONS`."""
        start = perf_counter()
        focal_sets = fitted.partition.focal_sets
        if self._shown != (fitted.subject.shape, focal_sets):
            self._set_up(fitted.subject.shape, focal_sets)
        canvas = self.figure.canvas
        canvas.restore_region(self._background)
        for ax, image, partition in zip(self._axes, self._images, (fitted.before, fitted.partition)):
            chosen = fitted.found.spread(chosen_sets(partition, decision))
            image.set_data(shaded(chosen, focal_sets))
            ax.draw_artist(image)
        data = encoded(canvas)
        self.draw_ms = 1e3 * (perf_counter() - start)
        return data

    def _set_up(self, shape: tuple[int, int], focal_sets: FocalSets) -> None:
        """Make figure, frames, titles and legend for images of that shape."""
        self.figure = new_figure(WIDTH, HEIGHT, dpi=DPI, layout=None)
        self._axes = tuple(self.figure.add_axes((left, 0.12, 0.485, 0.8)) for left in (0.005, 0.51))
        self._images = tuple(
            ax.imshow(np.ones((*shape, 3)), interpolation="nearest", animated=True) for ax in self._axes
        )
        for ax, title in zip(self._axes, TITLES):
            ax.set(xticks=[], yticks=[])
            ax.spines[:].set_color(MUTED)
            ax.set_title(title, fontsize=TITLE_SIZE, loc="left", color=INK, fontweight="bold")
        handles = set_handles(focal_sets, range(len(focal_sets)))
        self.figure.legend(
            handles=handles,
            ncols=min(len(handles), LEGEND_COLUMNS),
            loc="lower center",
            frameon=False,
            fontsize=TICK_SIZE,
            handlelength=1.5,
            columnspacing=1.2,
        )
        self.figure.canvas.draw()
        self._background = self.figure.canvas.copy_from_bbox(self.figure.bbox)
        self._shown = (shape, focal_sets)

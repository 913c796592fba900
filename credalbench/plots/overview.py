"""The default figure of a credal partition: a map of its objects, or their masses as bars."""

from __future__ import annotations

import sys
from base64 import b64encode
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from credalbench.belief import CredalPartition
from credalbench.belief.explanation import read_numbers
from credalbench.core.arguments import expect
from credalbench.plots import style
from credalbench.plots.credal_map import credal_scatter
from credalbench.plots.masses import mass_bars, mass_rows
from credalbench.plots.object_maps import map_of_attributes

if TYPE_CHECKING:
    import pandas as pd

ROWS = 40  # at most this many objects have a row each, with their names
NAMED = 40  # at most this many objects have their names on the map
ROW_HEIGHT = 0.24  # inches


class ShownFigure(Figure):
    """A figure that displays itself in any notebook; plain figures do so only once pyplot is imported."""

    alt = ""  # text for readers who cannot see it

    def _repr_png_(self) -> bytes:
        return style.to_png(self)

    def _repr_html_(self) -> str:  # notebooks prefer it; a PNG alone would have no such text
        address = f"data:image/png;base64,{b64encode(self._repr_png_()).decode()}"
        return f'<img src="{address}" alt="{escape(self.alt)}">'

    def show(self) -> None:
        """Show the figure below the cell of a notebook, or else in a window until you close it.

        On a machine without a display Matplotlib shows nothing; write a file with `savefig`.
        """
        shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
        if hasattr(shell, "kernel"):
            import_module("IPython.display").display(self)
            return
        pyplot = import_module("matplotlib.pyplot")  # imported only here: it chooses what opens windows
        drawn_on, window = self.canvas, pyplot.figure(figsize=self.get_size_inches())
        window.canvas.figure = self
        self.set_canvas(window.canvas)
        try:
            pyplot.show(block=True)
        finally:
            self.set_canvas(drawn_on)
            pyplot.close(window.number)


def overview(partition: CredalPartition, X: ArrayLike | pd.DataFrame | None = None) -> ShownFigure:
    """Draw a credal partition: a map of its objects or, without `X`, their masses as bars.

    On the map, markers show the clusters of highest pignistic probability, and rings show outliers. Solid
    lines go around the objects of the lower approximations, dashed lines around those of the upper
    approximations. Up to 40 objects have their names.

    Parameters
    ----------
    partition : credalbench.belief.CredalPartition
        Partition of n objects.
    X : (n, p) array_like or DataFrame, optional
        Attributes, or positions in the plane. If there are more than two attributes, the first two principal
        components are shown, with their shares of the variance.

    Returns
    -------
    matplotlib.figure.Figure
        A figure that displays itself in a notebook.

    Raises
    ------
    ValueError
        If X does not have finite numbers for each object, or holds dissimilarities.

    Notes
    -----
    O(n p min(n, p)) besides the drawing. Nothing is fitted, and no attribute is scaled. Both axes have one
    scale, unless the range of one is more than three times that of the other.
    """
    n = partition.n_objects
    kind = "Masses" if X is None else "Map"
    alt = f"{kind} of {n} objects in {partition.n_clusters} clusters; outliers: {partition.outliers().sum()}"
    if X is None:
        figure = shown_figure(alt, 7.0, max(2.6, ROW_HEIGHT * n + 0.6) if n <= ROWS else 3.6)
        if n <= ROWS:
            mass_rows(figure.subplots(), partition, _names(partition))
        else:
            certainty = partition.contour.max(axis=1)
            clusters = partition.labels(noise=-1) % (partition.n_clusters + 1)  # outliers last
            mass_bars(figure.subplots(), partition, order=np.lexsort((-certainty, clusters)))
        return figure
    positions, labels = _positions(X, n)
    figure = shown_figure(alt, 7.0, 4.6)
    look = {"object_labels": _names(partition) if n <= NAMED else None, "convex": False}
    x, y = labels
    credal_scatter(figure.subplots(), positions, partition, **look, xlabel=x, ylabel=y)
    return figure


def shown_figure(alt: str, width: float, height: float) -> ShownFigure:
    """Make an empty figure that displays itself, with its text for readers who cannot see it."""
    figure = ShownFigure(figsize=(width, height), dpi=100, layout="constrained", facecolor="white")
    figure.alt = alt
    FigureCanvasAgg(figure)
    return figure


def _names(partition: CredalPartition) -> list[str]:
    """Return the names of the objects, or their numbers from 0, with dollar signs that start no formula."""
    return [str(one.name).replace("$", r"\$") for one in partition]


def _positions(X: ArrayLike | pd.DataFrame, n: int) -> tuple[np.ndarray, tuple[str, str]]:
    """Return positions (n, 2) of the objects, and the labels of the two axes."""
    columns = [str(name).replace("$", r"\$") for name in getattr(X, "columns", ())]
    X = read_numbers("X", X)
    right = X.ndim == 2 and len(X) == n and X.shape[1] >= 1 and bool(np.isfinite(X).all())
    expect(right, f"finite attributes X of shape ({n}, p)", X.shape)
    square = X.shape[1] == n > 2 and not np.diag(X).any() and np.array_equal(X, X.T)
    expect(not square, "attributes or positions X", "dissimilarities; ClassicalMDS finds positions")
    return map_of_attributes(X, columns)

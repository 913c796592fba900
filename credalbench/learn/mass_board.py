"""A board for one mass function: a slider for each set, and what follows from the masses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import ipywidgets as w
import numpy as np

from credalbench.arguments import expect
from credalbench.belief import CredalPartition, FocalSets, MassFunction
from credalbench.belief.decision import TIE_TOLERANCE
from credalbench.belief.display import CLUSTER_COLOURS
from credalbench.belief.focal import set_label
from credalbench.belief.transforms import singleton_belief

STEP = 0.05
WIDTH = 150  # of an interval from 0 to 1, in pixels
DIGITS = 6  # sliders add up to 1 but for rounding


def mass_function(masses: Mapping[str, float], n_clusters: int, name: str = "answer") -> MassFunction:
    """Return a mass function on the full family, given by the labels of its sets.

    Parameters
    ----------
    masses : mapping of str -> float
        Labels as printed: ``∅``, ``{1}``, ``{1,2}``, ``Ω``; what is missing has none.
    n_clusters : int
    name : str, default "answer"

    Raises
    ------
    TypeError
        No mapping.
    ValueError
        A label that is none, or masses that are negative or do not add up to 1.

    Examples
    --------
    >>> mass_function({"{1,2}": 0.7, "Ω": 0.3}, 3)
    MassFunction('answer': {1,2} 0.70, Ω 0.30)
    """
    if not isinstance(masses, Mapping):
        raise TypeError(f"expected a table of masses such as {{'{{1,2}}': 0.7, 'Ω': 0.3}}, got {masses!r}")
    family = FocalSets.full(n_clusters)
    for label in masses:
        expect(label in family.labels, f"sets out of {' '.join(family.labels)}", label)
    values = np.array([masses.get(label, 0.0) for label in family.labels], dtype=float)
    expect(bool(np.isfinite(values).all() and values.min() >= 0), "masses of at least 0", values.min())
    total = float(values.sum())
    expect(abs(total - 1) < 1e-6, "masses that add up to 1", round(total, DIGITS))
    return MassFunction(values, family, name)


class MassBoard:
    """Sliders for the masses of one object on all sets of clusters; Ω keeps what they leave.

    Beside them: belief and plausibility of each cluster as an interval, its pignistic probability, and what
    the rules of decision choose. Put it in the last line of a notebook cell.

    Parameters
    ----------
    n_clusters : int, default 3
    names : sequence of c str, optional
        What the clusters stand for.
    masses : mapping of str -> float, optional
        To begin with, by the labels of the sets; all on Ω by default.

    Attributes
    ----------
    widget : ipywidgets.Box
    controls : dict of str -> ipywidgets.FloatSlider
        By the label of the set.

    Examples
    --------
    >>> board = MassBoard(3, masses={"{1,2}": 0.7, "Ω": 0.3})
    >>> board.controls["{1}"].value = 0.2
    >>> board.mass_function
    MassFunction('board': {1,2} 0.70, {1} 0.20, Ω 0.10)
    """

    def __init__(
        self, n_clusters: int = 3, names: Sequence[str] = (), masses: Mapping[str, float] | None = None
    ) -> None:
        self.family = FocalSets.full(n_clusters)
        self.names = [*names] or [f"cluster {k + 1}" for k in range(n_clusters)]
        expect(len(self.names) == n_clusters, f"{n_clusters} names", names)
        given = dict(zip(self.family.labels, mass_function(masses or {"Ω": 1.0}, n_clusters).masses))
        self.controls = {label: self._slider(label, given[label]) for label in self.family.labels[:-1]}
        self.rest, self.readings = w.HTML(), w.HTML()
        for label in self.controls:
            self.controls[label].observe(lambda change, label=label: self._moved(label), "value")
        column = w.VBox([*self.controls.values(), self.rest], layout=w.Layout(width="330px"))
        wrap = w.Layout(display="flex", flex_flow="row wrap", align_items="flex-start")
        self.widget = w.Box([column, self.readings], layout=wrap)
        self._show()

    @property
    def mass_function(self) -> MassFunction:
        """The masses on the board."""
        given = {label: round(slider.value, DIGITS) for label, slider in self.controls.items()}
        omega = max(0.0, round(1 - sum(given.values()), DIGITS))
        return mass_function(given | {self.family.labels[-1]: omega}, self.family.n_clusters, "board")

    def _slider(self, label: str, mass: float) -> w.FloatSlider:
        words = f"Mass on {label}" if label != "∅" else "Mass on the empty set: none of them"
        style, layout = {"description_width": "56px"}, w.Layout(width="310px")
        return w.FloatSlider(
            mass, min=0, max=1, step=STEP, description=label, tooltip=words, style=style, layout=layout
        )

    def _moved(self, label: str) -> None:
        """Stop a slider where nothing is left to give."""
        left = round(1 - sum(s.value for name, s in self.controls.items() if name != label), DIGITS)
        if self.controls[label].value > left:
            self.controls[label].value = left  # which shows the board
        else:
            self._show()

    def _show(self) -> None:
        one = self.mass_function
        self.rest.value = f"<b>Ω</b> keeps the rest: <b>{one.masses[-1]:.2f}</b>"
        self.readings.value = readings_html(one, self.names)

    def _repr_mimebundle_(self, **kwargs: object) -> dict:
        return self.widget._repr_mimebundle_(**kwargs)


def readings_html(one: MassFunction, names: Sequence[str]) -> str:
    """What follows from a mass function, as HTML: a row for each cluster, then the decisions."""
    partition = CredalPartition(one.masses[None], one.focal_sets)
    rows = "".join(_row(k, names[k], one, partition.pignistic[0, k]) for k in range(len(names)))
    cell = 'style="text-align:left;padding:2px 12px 2px 0"'
    heads = ("", "", "belief to plausibility", "belief", "plausibility", "pignistic probability")
    head = "".join(f'<th scope="col" {cell}>{text}</th>' for text in heads)
    return (
        f'<table style="border-collapse:collapse" aria-label="Belief and plausibility"><tr>{head}</tr>'
        f'{rows}</table><div role="status" style="line-height:1.5">{decisions(partition)}</div>'
    )


def _row(k: int, name: str, one: MassFunction, pignistic: float) -> str:
    low, high = one.belief({k}), one.plausibility({k})
    colour, height = CLUSTER_COLOURS[k % len(CLUSTER_COLOURS)], 14
    bar = (
        f'<svg width="{WIDTH + 2}" height="{height}" role="img" aria-label="from {low:.2f} to {high:.2f}">'
        f'<rect x="1" y="6" width="{WIDTH}" height="2" fill="currentColor" opacity="0.25"/>'
        f'<rect x="{1 + low * WIDTH:.1f}" y="1" width="{max(high - low, 0) * WIDTH + 1:.1f}" height="12" '
        f'fill="{colour}" opacity="0.45"/>'
        f'<rect x="1" y="1" width="{low * WIDTH:.1f}" height="12" fill="{colour}"/></svg>'
    )
    cells = (f"{{{k + 1}}}", escape(name), bar, *(f"{value:.2f}" for value in (low, high, pignistic)))
    return "<tr>" + "".join(f'<td style="padding:2px 12px 2px 0">{text}</td>' for text in cells) + "</tr>"


def decisions(partition: CredalPartition) -> str:
    """What the rules choose for the first object, in a line each, as HTML; ties are named."""
    c = partition.n_clusters
    if partition.outliers()[0]:
        return "highest mass on ∅: an outlier, none of them"
    belief = singleton_belief(partition.masses, partition.focal_sets).max()
    undominated = set_label(np.flatnonzero(partition.contour[0] >= belief - TIE_TOLERANCE), c)
    singles = [f"{{{k + 1}}}" for k in range(c)]
    lines = (
        f"most plausible: {_largest(partition.contour[0], singles)}",
        f"of highest pignistic probability: {_largest(partition.pignistic[0], singles)}",
        f"not ruled out: {undominated}",
        f"set of highest mass: {_largest(partition.masses[0], partition.focal_sets.labels)}",
    )
    return "<br>".join(lines)


def _largest(values: np.ndarray, labels: Sequence[str]) -> str:
    """The labels of the largest values, in words."""
    tied = np.flatnonzero(values >= values.max() - TIE_TOLERANCE)
    return " and ".join(labels[k] for k in tied) + (", equally" if len(tied) > 1 else "")

"""A board for one mass function: a slider for each set, with belief, plausibility and decisions."""

from collections.abc import Mapping, Sequence
from html import escape

import ipywidgets as w
import numpy as np

from credalbench.belief import CredalPartition, FocalSets, MassFunction
from credalbench.belief.decision import TIE_TOLERANCE
from credalbench.belief.display import CLUSTER_COLOURS
from credalbench.belief.focal import set_label
from credalbench.belief.transforms import singleton_belief
from credalbench.core.arguments import expect

STEP = 0.05
WIDTH = 150  # pixels of the interval [0, 1]
DIGITS = 6  # decimal digits of the masses of sliders


def mass_function(masses: Mapping[str, float], n_clusters: int, name: str = "answer") -> MassFunction:
    """Return a mass function given by the labels of its focal sets.

    Parameters
    ----------
    masses : mapping of str to float
        Masses by labels such as ``∅``, ``{1}``, ``{1,2}``, ``Ω``; sets that are missing have mass 0.
    n_clusters : int
        Number of clusters.
    name : str, default="answer"
        Name of the object.

    Raises
    ------
    TypeError
        If `masses` is not a mapping.
    ValueError
        If a label is unknown, or if masses are negative or do not sum to 1.

    Examples
    --------
    >>> mass_function({"{1,2}": 0.7, "Ω": 0.3}, 3)
    MassFunction('answer': {1,2} 0.70, Ω 0.30)
    """
    if not isinstance(masses, Mapping):
        raise TypeError(f"expected a table of masses such as {{'{{1,2}}': 0.7, 'Ω': 0.3}}, got {masses!r}")
    focal_sets = FocalSets.full(n_clusters)
    for label in masses:
        expect(label in focal_sets.labels, f"one of the sets {' '.join(focal_sets.labels)}", label)
    values = np.array([masses.get(label, 0.0) for label in focal_sets.labels], dtype=float)
    expect(bool(np.isfinite(values).all() and values.min() >= 0), "masses of at least 0", values.min())
    total = float(values.sum())
    expect(abs(total - 1) < 1e-6, "masses that add up to 1", round(total, DIGITS))
    return MassFunction(values, focal_sets, name)


class MassBoard:
    """Board with sliders for the masses of one object on all sets of clusters; Ω has the rest.

    It shows belief, plausibility and pignistic probability of each cluster, and the results of several
    decision rules. A notebook shows the board if it is the last line of a cell.

    Parameters
    ----------
    n_clusters : int, default=3
        Number c of clusters.
    names : sequence of c str, default=()
        Names of the clusters; "cluster 1" and so on by default.
    masses : mapping of str to float, optional
        Initial masses by the labels of the sets; all on Ω by default.

    Attributes
    ----------
    widget : ipywidgets.Box
        The board.
    controls : dict of str to ipywidgets.FloatSlider
        Sliders by the labels of the sets.
    focal_sets : FocalSets
        All sets of clusters.

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
        self.focal_sets = FocalSets.full(n_clusters)
        self.names = [*names] or [f"cluster {k + 1}" for k in range(n_clusters)]
        expect(len(self.names) == n_clusters, f"{n_clusters} names", names)
        given = dict(zip(self.focal_sets.labels, mass_function(masses or {"Ω": 1.0}, n_clusters).masses))
        self.controls = {label: self._slider(label, given[label]) for label in self.focal_sets.labels[:-1]}
        self.rest, self.readings = w.HTML(), w.HTML()
        for label in self.controls:
            self.controls[label].observe(lambda change, label=label: self._moved(label), "value")
        column = w.VBox([*self.controls.values(), self.rest], layout=w.Layout(width="330px"))
        wrap = w.Layout(display="flex", flex_flow="row wrap", align_items="flex-start")
        self.widget = w.Box([column, self.readings], layout=wrap).add_class("credalbench-board")
        self._show()

    @property
    def mass_function(self) -> MassFunction:
        """Masses on the board."""
        given = {label: round(slider.value, DIGITS) for label, slider in self.controls.items()}
        omega = max(0.0, round(1 - sum(given.values()), DIGITS))
        return mass_function(given | {self.focal_sets.labels[-1]: omega}, self.focal_sets.n_clusters, "board")

    def _slider(self, label: str, mass: float) -> w.FloatSlider:
        words = f"Mass on {label}" if label != "∅" else "Mass on the empty set: none of the clusters"
        style, layout = {"description_width": "56px"}, w.Layout(width="310px")
        return w.FloatSlider(
            mass, min=0, max=1, step=STEP, description=label, tooltip=words, style=style, layout=layout
        )

    def _moved(self, label: str) -> None:
        """Limit a slider to the mass that the other sliders leave."""
        left = round(1 - sum(s.value for name, s in self.controls.items() if name != label), DIGITS)
        if self.controls[label].value > left:
            self.controls[label].value = left  # this shows the board
            self.rest.value += f"<br>{label} can have at most {left:.2f}. Lower another mass first."
        else:
            self._show()

    def _show(self) -> None:
        one = self.mass_function
        self.rest.value = f"The rest is on <b>Ω</b>: <b>{one.masses[-1]:.2f}</b>"
        self.readings.value = readings_html(one, self.names)

    def _repr_mimebundle_(self, **kwargs: object) -> dict:
        return self.widget._repr_mimebundle_(**kwargs)


def readings_html(one: MassFunction, names: Sequence[str]) -> str:
    """Return belief, plausibility and decisions of a mass function as HTML, with a row for each cluster."""
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
    """Return the result of each decision rule for the first object as HTML, with ties."""
    c = partition.n_clusters
    if partition.outliers()[0]:
        return "highest mass on ∅: none of them, an outlier"
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
    """Return the labels of the largest values, in words."""
    tied = np.flatnonzero(values >= values.max() - TIE_TOLERANCE)
    return " and ".join(labels[k] for k in tied) + (", equally" if len(tied) > 1 else "")

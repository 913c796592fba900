"""The evidence about one pair of objects as bars: of base partitions, of rules, after the closure."""

from itertools import pairwise
from math import ceil

import numpy as np

from credalbench.belief.relational import RelationalMasses
from credalbench.explore.explorers.ensemble.fit import Fitted, Pair
from credalbench.explore.explorers.ensemble.sentences import CLOSED, RULES, objects_in_words
from credalbench.explore.scene.marks import Bars, Line, Mark, Stroke, Text
from credalbench.explore.scene.scene import UNIT, Axis, Panel, Place
from credalbench.plots.relations import DIFFERENT, HEIGHT, IGNORANCE, SAME
from credalbench.plots.style import INK, MUTED

#: Number of base partitions that are shown.
SHOWN = 24
#: Largest number of labelled partitions, and their largest total height in rows.
NAMED = 6
#: Gap between partitions and rules, and between rules and closure, in rows.
GAP = 0.7


def evidence_panel(place: Place, fitted: Fitted) -> Panel:
    """Return the panel of the chosen pair, or instructions if there is none."""
    names, places = rows_of(fitted)
    step = ceil(n_shown(fitted) / NAMED)
    named = [k for k in range(len(names)) if k >= n_shown(fitted) or k % step == 0]
    x = Axis(0.0, 1.0, ticks=UNIT)
    y = Axis(places[-1] - 0.5, _height(fitted) / 2, ticks=[(float(places[k]), names[k]) for k in named])
    if fitted.pair is None:
        return Panel("evidence", place, x, y, _how_to_choose(), "A pair of objects")
    objects = objects_in_words(fitted, fitted.pair.objects)
    return Panel("evidence", place, x, y, _bars(fitted, fitted.pair), objects)


def rows_of(fitted: Fitted) -> tuple[list[str], np.ndarray]:
    """Return names and positions of the rows, from the top, which is 0."""
    shown, height = n_shown(fitted), _height(fitted)
    names = [f"partition {b + 1}" for b in range(shown)] + [*RULES.values(), CLOSED]
    below = height * (shown - 1) + (height + 1) / 2 + GAP + np.arange(len(RULES))
    return names, -np.concatenate([height * np.arange(shown), below, below[-1:] + 1 + GAP])


def n_shown(fitted: Fitted) -> int:
    """Return the number of base partitions that are shown."""
    return min(len(fitted.run.bases), SHOWN)


def _height(fitted: Fitted) -> float:
    """Return the height of the row of a partition; that of a rule is 1."""
    return min(NAMED / n_shown(fitted), 1.0)


def _how_to_choose() -> list[Mark]:
    words = ("Click two objects,", "or a pair in a relation")
    return [
        Text(line, (0.5, height), MUTED, "centre", on_axes=True) for line, height in zip(words, (0.54, 0.46))
    ]


def _bars(fitted: Fitted, pair: Pair) -> list[Mark]:
    names, places = rows_of(fitted)
    shown = n_shown(fitted)
    masses = [RelationalMasses(*(part[b] for part in pair.evidence)) for b in range(shown)]
    masses += [*pair.by_rule.values(), pair.closed]
    half = 0.5 * HEIGHT * np.where(np.arange(len(names)) < shown, _height(fitted), 1.0)
    known = [k for k, one in enumerate(masses) if one is not None]
    low, high = (places - half)[known], (places + half)[known]
    same = np.array([masses[k].same for k in known])
    apart = np.array([1 - masses[k].different for k in known])
    ends = np.array([np.zeros(len(known)), same, apart, np.ones(len(known))])
    parts = [np.column_stack([left, low, right, high]) for left, right in pairwise(ends)]
    colour_of = np.repeat(np.arange(3, dtype=np.int32), len(known))
    whole = np.column_stack([ends[0], low, ends[-1], high])
    return [
        Bars(np.concatenate(parts), [SAME, IGNORANCE, DIFFERENT], colour_of),
        Bars(whole, ["none"], np.zeros(len(known), np.int32), MUTED),
        *(
            Text("no closure" if name == CLOSED else "total conflict", (0.02, float(place)), MUTED, size=0.9)
            for k, (name, place) in enumerate(zip(names, places))
            if k not in known
        ),
        _frame(places[names.index(RULES[fitted.run.rule])]),
    ]


def _frame(place: float) -> Line:
    """Return the frame around the row of the rule in use."""
    low, high = place - 0.5, place + 0.5
    return Line(np.array([(0, low), (1, low), (1, high), (0, high), (0, low)]), Stroke(INK, 1.8))

"""Draw the small pictures of the start page: what one does in each explorer, drawn for the size of a tile.

Usage::

    python -P tools/tiles.py

They are sketches as SVG, most of them from fits of small data sets. Lines and text have the colour of the
page's text, in both themes.
"""

import sys
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from credalbench.belief.display import CLUSTER_COLOURS  # noqa: E402
from credalbench.cluster import ECM, EVCLUS, RECM  # noqa: E402
from credalbench.datasets import load, make_half_rings, make_t4, make_two_class_cecm  # noqa: E402
from credalbench.learn.server.catalogue import PICTURES  # noqa: E402

WIDTH, HEIGHT, MARGIN = 320, 180, 16
INK, BLUE = "currentColor", "#0072b2"
GREY = "#8a939c"

Points = np.ndarray


def placed(X: Points, left: float = 0, right: float = WIDTH, bottom: float = HEIGHT) -> Points:
    """Return positions (n, 2) in a part of the picture, with equal scales."""
    low, high = X.min(axis=0), X.max(axis=0)
    size = np.array([right - left, bottom]) - 2 * MARGIN
    scale = (size / (high - low)).min()
    middle = np.array([(left + right) / 2, bottom / 2])
    return middle + scale * (X - (low + high) / 2) * [1, -1]


def dot(x: float, y: float, fill: str, r: float = 4.5, more: str = "") -> str:
    """Return a disc."""
    return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r:g}" fill="{fill}" {more}/>'


def line(ends: Iterable[float], colour: str = INK, width: float = 2, more: str = "") -> str:
    """Return a line between two points."""
    x1, y1, x2, y2 = ends
    place = f'x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"'
    return f'<line {place} stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round" {more}/>'


def box(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    """Return a rectangle."""
    size = f'width="{width:.1f}" height="{height:.1f}"'
    return f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{fill}" {more}/>'


def sign(members: frozenset, c: int, x: float, y: float, r: float = 4.5) -> str:
    """Return an object by its set of largest mass: a disc, a divided disc, or a ring for the empty set."""
    colours = [CLUSTER_COLOURS[k] for k in sorted(members)]
    if len(colours) == 1:
        return dot(x, y, colours[0], r)
    if not colours:
        return dot(x, y, "none", r, f'stroke="{INK}" stroke-width="2"')
    if len(colours) == c:
        return dot(x, y, GREY, r, f'stroke="{INK}"')
    half = f'<path d="M{x:.0f} {y - r:.1f}a{r} {r} 0 0 0 0 {2 * r}z" fill="{colours[0]}"/>'
    return dot(x, y, colours[1], r, f'stroke="{INK}"') + half


def objects(fit: object, places: Points) -> str:
    """Return the objects of a fit."""
    partition = fit.partition_
    sets, c = partition.focal_sets.sets, partition.n_clusters
    return "".join(sign(sets[j], c, *place) for j, place in zip(partition.hard_credal(), places))


def slider(share: float, y: float = HEIGHT - 16, left: float = 70, right: float = WIDTH - 70) -> str:
    """Return a slider."""
    x = left + share * (right - left)
    knob = dot(x, y, BLUE, 8)
    return line((left, y, right, y), GREY, 4) + line((left, y, x, y), BLUE, 4) + knob


def prototype(k: int, x: float, y: float) -> str:
    """Return a prototype with its number."""
    ring = dot(x, y, "#fff", 10, f'stroke="{CLUSTER_COLOURS[k]}" stroke-width="4"')
    return f'{ring}<text x="{x:.0f}" y="{y + 4:.0f}" class="n">{k + 1}</text>'


def ellipse(x: float, y: float, rx: float, ry: float, colour: str, turn: float = 0, dash: str = "") -> str:
    """Return an ellipse."""
    at = f'cx="{x:g}" cy="{y:g}" rx="{rx:g}" ry="{ry:g}" transform="rotate({turn:g} {x:g} {y:g})"'
    look = f'fill="none" stroke-dasharray="{dash}"' if dash else f'fill="{colour}" fill-opacity=".18"'
    return f'<ellipse {at} {look} stroke="{colour}" stroke-width="2.5"/>'


def matrix(values: np.ndarray, left: float, top: float, side: float) -> str:
    """Return a square matrix of numbers from 0 to 1, in five shades."""
    parts = []
    for level in range(1, 6):
        cells = np.argwhere(np.ceil(5 * values) == level)
        path = "".join(f"M{left + side * j:g} {top + side * i:g}h{side}v{side}h-{side}z" for i, j in cells)
        parts.append(f'<path d="{path}" fill="{INK}" opacity="{level / 6:.2f}"/>')
    return "".join(parts)


def ecm() -> str:
    """Drag a prototype."""
    X = make_t4(90, random_state=1).X
    fit = ECM(4, delta=20, n_init=3, random_state=0).fit(X)
    places = placed(np.vstack([X, fit.cluster_centers_]))
    centres = places[len(X) :]
    x, y = centres[0]
    start = np.array([x + (60 if x < WIDTH / 2 else -60), y])
    way = line((*start, x, y), INK, 2.5, 'stroke-dasharray="1 6"') + dot(*start, "none", 9, f'stroke="{INK}"')
    return objects(fit, places) + way + "".join(prototype(k, *one) for k, one in enumerate(centres))


def evclus() -> str:
    """Move a slider."""
    X = load("butterfly").X
    fit = EVCLUS(2, d0=11.0, n_init=5, random_state=0).fit(X)
    places = placed(X, bottom=HEIGHT - 24)
    sets = fit.partition_.focal_sets.sets
    drawn = [sign(sets[j], 2, *one, 8) for j, one in zip(fit.partition_.hard_credal(), places)]
    return "".join(drawn) + slider(0.7)


def cecm() -> str:
    """Link objects."""
    data = make_two_class_cecm(80, random_state=0)
    places = placed(data.X)
    drawn = "".join(dot(*one, CLUSTER_COLOURS[k]) for one, k in zip(places, data.y))
    first, second = places[data.y == 0], places[data.y == 1]
    high, low = first[first[:, 1].argmin()], first[first[:, 1].argmax()]
    other = second[second[:, 1].argmax()]
    links = line((*high, *low), INK, 3) + line((*low, *other), INK, 3, 'stroke-dasharray="7 6"')
    rings = "".join(dot(*one, "none", 9, f'stroke="{BLUE}" stroke-width="3"') for one in (high, low, other))
    return drawn + links + rings


def catecm() -> str:
    """Read a table of categories."""
    words = ["abac", "abab", "ccac", "ccbc", "abcc"]
    shades = {"a": CLUSTER_COLOURS[0], "b": CLUSTER_COLOURS[1], "c": CLUSTER_COLOURS[2]}
    parts = []
    for row, word in enumerate(words):
        for column, letter in enumerate(word):
            x, y = 34 + 46 * column, 16 + 30 * row
            parts.append(box(x, y, 40, 24, shades[letter], 'rx="4" opacity=".75"'))
            parts.append(f'<text x="{x + 20}" y="{y + 17}" class="n">{letter}</text>')
    marks = ({0}, {0}, {1}, {1}, {0, 1})
    parts += [sign(frozenset(one), 3, 250, 28 + 30 * row, 9) for row, one in enumerate(marks)]
    return "".join(parts)


def egmm() -> str:
    """Let clusters overlap."""
    first, second, third = CLUSTER_COLOURS[:3]
    shapes = [ellipse(105, 72, 66, 40, first, -18), ellipse(215, 72, 66, 40, second, 18)]
    shapes += [ellipse(160, 112, 56, 34, third), ellipse(160, 72, 34, 26, INK, 0, "6 6")]
    return "".join(shapes) + slider(0.45)


def ensemble() -> str:
    """Combine partitions to a relation."""
    data = make_half_rings(90, random_state=0)
    places = placed(data.X, right=170)
    drawn = "".join(dot(*one, CLUSTER_COLOURS[k], 4) for one, k in zip(places, data.y))
    pieces = np.array([0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4])
    ring = np.array([0] * 6 + [1] * 6)
    same = np.equal.outer(ring, ring)
    relation = np.where(np.equal.outer(pieces, pieces), 1.0, np.where(same, 0.5, 0.1))
    return drawn + matrix(relation, 178, 24, 11)


def bpec() -> str:
    """Choose peaks in a graph."""
    rng = np.random.default_rng(3)
    low = np.column_stack([rng.gamma(1.4, 16, 70), rng.uniform(20, 140, 70)])
    parts = [dot(44 + x, 166 - y, GREY, 4) for x, y in low if x < 110]
    peaks = ((228, 44), (256, 62), (238, 86), (284, 40))
    for k, (x, y) in enumerate(peaks):
        parts.append(dot(x, y, CLUSTER_COLOURS[k], 8))
    corner = line((196, 14, 196, 112), BLUE, 2.5) + line((196, 112, 312, 112), BLUE, 2.5)
    axes = line((30, 168, 312, 168), INK, 1.5) + line((30, 12, 30, 168), INK, 1.5)
    return axes + "".join(parts) + corner + dot(196, 112, BLUE, 7)


def compare() -> str:
    """Compare two methods."""
    X = make_t4(60, random_state=2).X
    fit = ECM(4, delta=20, n_init=3, random_state=0).fit(X)
    hard = fit.partition_.to_hard()
    left = "".join(dot(*one, CLUSTER_COLOURS[k], 4) for one, k in zip(placed(X, right=155), hard))
    right = objects(fit, placed(X, left=165)).replace('r="4.5"', 'r="4"')
    return left + line((160, 20, 160, 160), GREY, 2) + right


def recm() -> str:
    """Cluster dissimilarities."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(m, 0.5, (5, 2)) for m in ((0, 0), (3, 2), (6, 0))] + [[[3.0, 9.0]]])
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    fit = RECM(3, delta=5.0, n_init=5, random_state=0).fit(D)
    sets = fit.partition_.focal_sets.sets
    places = placed(X, left=186)
    drawn = [sign(sets[j], 3, *one, 7) for j, one in zip(fit.partition_.hard_credal(), places)]
    return matrix(np.minimum(D / 9, 1), 16, 10, 10) + "".join(drawn)


def segmentation() -> str:
    """Paint regions."""
    ground = box(60, 10, 200, 160, CLUSTER_COLOURS[1], 'rx="10" opacity=".35"')
    blob = "M120 70c10-40 70-44 84-10s-4 74-44 70-48-30-40-60z"
    part = f'<path d="{blob}" fill="{CLUSTER_COLOURS[0]}" opacity=".7"/>'
    way = 'fill="none" stroke-width="13" stroke-linecap="round"'
    strokes = f'<path d="M140 84q20-22 40-6" {way} stroke="{CLUSTER_COLOURS[0]}"/>'
    strokes += f'<path d="M80 150q40 12 80 4" {way} stroke="{CLUSTER_COLOURS[1]}"/>'
    return ground + part + strokes + dot(180, 78, "none", 11, f'stroke="{INK}" stroke-width="2"')


def board() -> str:
    """Divide one belief among sets."""
    rows, parts = ((0.2, 1.0), (0.0, 0.8), (0.0, 0.3)), []
    for k, (low, high) in enumerate(rows):
        y, colour, wide = 22 + 40 * k, CLUSTER_COLOURS[k], 230
        parts.append(f'<text x="22" y="{y + 16}" class="w">{{{k + 1}}}</text>')
        parts.append(box(72, y, wide, 22, GREY, 'rx="4" opacity=".2"'))
        parts.append(box(72, y, wide * high, 22, colour, 'rx="4" opacity=".4"'))
        parts.append(box(72, y, wide * low, 22, colour, 'rx="4"'))
    return "".join(parts) + slider(0.35)


def clusters() -> str:
    """Read the number of clusters from a curve."""
    X, numbers = make_t4(90, random_state=1).X, range(2, 8)
    fits = [ECM(c, alpha=2, delta=20, n_init=3, random_state=0).fit(X) for c in numbers]
    values = [[c, fit.partition_.nonspecificity()] for c, fit in zip(numbers, fits)]
    low, high = np.min(values, axis=0), np.max(values, axis=0)
    places = [46, 146] + (np.array(values) - low) / (high - low) * [248, -112]
    lines = "".join(line((*a, *b), BLUE, 3) for a, b in pairwise(places))
    ticks = "".join(f'<text x="{x:.0f}" y="176" class="n">{c}</text>' for c, (x, _) in zip(numbers, places))
    axes = line((26, 158, 312, 158), INK, 1.5) + line((26, 12, 26, 158), INK, 1.5)
    return axes + lines + "".join(dot(*place, BLUE, 6) for place in places) + ticks


DRAWN: dict[str, Callable[[], str]] = {
    one.__name__: one
    for one in (ecm, evclus, cecm, catecm, egmm, ensemble, bpec, compare, recm, segmentation, board, clusters)
}


def main() -> None:
    """Write all pictures."""
    for name, draw in DRAWN.items():
        path = PICTURES / f"{name}.svg"
        start = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">'
        path.write_text(f"{start}{draw()}</svg>\n", encoding="utf-8")
        print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()

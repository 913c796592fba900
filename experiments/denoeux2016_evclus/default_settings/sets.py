"""Data sets of the study: those on which the default was chosen, and others, unseen while it was chosen.

The list of the unseen ones was fixed before any rule was tried on them. It has every table of the catalogue
with classes and at least 20 objects that was not used for choosing (of two versions of one table, one), the
digits of scikit-learn, and generated sets with shapes, dimensions and dissimilarities that the others lack.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_breast_cancer, make_moons

from credalbench.datasets import load
from credalbench.papers import case_random_state

N_BLOBS = 500
#: Tables whose columns have different units, here and in studies of the papers.
STANDARDISED = ("wine", "cancer", "glass_types", "vehicle")
HAMMING = ("soybean_small", "zoo")
FILES_OF_TUNING = ("seeds", "r15", "aggregation", "flame", "jain", "compound", "fourclass", "protein")
FILES_UNSEEN = (
    "s2",
    "letters_ijl",
    "glass_types",
    "soybean_small",
    "zoo",
    "user_knowledge",
    "vehicle",
    "spiral",
    "ecoli",
    "breast_cancer_wisconsin",
    "mfeat_pix",
    "libras",
)
CORNERS = np.array([(0.0, 0.0), (6.0, 0.0), (0.0, 6.0), (6.0, 6.0), (20.0, 20.0)])


class Classified(NamedTuple):
    """Attributes (n, p) or dissimilarities (n, n), classes (n,), and the metric between rows."""

    X: np.ndarray
    y: np.ndarray
    metric: str = "euclidean"


# ---------------------------------------------------------------- blobs


def centres_apart(c: int, p: int, gap: float, rng: np.random.Generator) -> np.ndarray:
    """Draw c centres (c, p) at least `gap` apart, in a box that grows until there is room."""
    side = gap * c ** (1 / p) * 1.2
    while True:
        found: list[np.ndarray] = []
        for _ in range(2000):
            x = rng.uniform(0, side, p)
            if all(np.linalg.norm(x - y) >= gap for y in found):
                found.append(x)
            if len(found) == c:
                return np.array(found)
        side *= 1.15


def classes_of(n: int, shares: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw n classes, of each at least five objects."""
    c = len(shares)
    return np.r_[np.repeat(np.arange(c), 5)[:n], rng.choice(c, n, p=shares)][:n]


def blobs(
    c: int, seed: int | np.random.Generator, n: int = N_BLOBS, p: int = 2, gap: float = 6.0, balanced=True
) -> Classified:
    """Draw unit Gaussians at least `gap` apart, with equal shares or those of a Dirichlet(2)."""
    rng = np.random.default_rng(seed)
    centres = centres_apart(c, p, gap, rng)
    shares = np.full(c, 1 / c) if balanced else np.maximum(rng.dirichlet(np.full(c, 2.0)), 0.01)
    y = classes_of(n, shares / shares.sum(), rng)
    return Classified(centres[y] + rng.normal(size=(n, p)), y)


def five_groups(rng: np.random.Generator) -> Classified:
    """Draw 1000 points of five Gaussians, one of them far from the others: those that an early default lost.

    With d0 at the 0.9-quantile and random starts, EVCLUS had an ARI of 0.22 on such data.
    """
    y = np.repeat(np.arange(5), 200)
    return Classified(CORNERS[y] + rng.normal(size=(1000, 2)), y)


# ---------------------------------------------------------------- other shapes, in two to six dimensions


def students(rng: np.random.Generator) -> Classified:
    y = classes_of(400, np.full(6, 1 / 6), rng)
    return Classified(centres_apart(6, 2, 10.0, rng)[y] + rng.standard_t(3, size=(400, 2)), y)


def elongated(rng: np.random.Generator) -> Classified:
    centres, y = centres_apart(5, 3, 12.0, rng), classes_of(400, np.full(5, 0.2), rng)
    axes = np.linalg.qr(rng.normal(size=(5, 3, 3)))[0] * np.array([3.0, 1.0, 0.5])
    return Classified(centres[y] + np.einsum("ipq,iq->ip", axes[y], rng.normal(size=(400, 3))), y)


def spreads(rng: np.random.Generator) -> Classified:
    centres, y = centres_apart(6, 2, 10.0, rng), classes_of(400, np.full(6, 1 / 6), rng)
    return Classified(centres[y] + rng.uniform(0.4, 2.0, 6)[y, None] * rng.normal(size=(400, 2)), y)


def discs(rng: np.random.Generator) -> Classified:
    centres, y = centres_apart(5, 2, 7.0, rng), classes_of(400, np.full(5, 0.2), rng)
    radii = rng.uniform(1.0, 3.0, 5)[y] * np.sqrt(rng.random(400))
    angles = rng.uniform(0, 2 * np.pi, 400)
    return Classified(centres[y] + radii[:, None] * np.column_stack([np.cos(angles), np.sin(angles)]), y)


def nested(rng: np.random.Generator) -> Classified:
    """Three groups, far apart, of three clusters each."""
    inner = 30 * np.repeat(np.array([(0, 0), (1, 0), (0.5, 0.9)]), 3, axis=0)
    inner += np.tile(6 * np.array([(0, 0), (1, 0), (0.5, 0.9)]), (3, 1))
    y = classes_of(360, np.full(9, 1 / 9), rng)
    return Classified(inner[y] + rng.normal(size=(360, 2)), y)


def lattice(side: int, p: int, n: int, rng: np.random.Generator) -> Classified:
    centres = 6.0 * np.stack(np.meshgrid(*[np.arange(side)] * p), axis=-1).reshape(-1, p)
    y = classes_of(n, np.full(len(centres), 1 / len(centres)), rng)
    return Classified(centres[y] + rng.normal(size=(n, p)), y)


def rare(rng: np.random.Generator) -> Classified:
    centres, y = centres_apart(4, 3, 7.0, rng), classes_of(400, np.array([0.7, 0.2, 0.07, 0.03]), rng)
    return Classified(centres[y] + rng.normal(size=(400, 3)), y)


def moons(rng: np.random.Generator) -> Classified:
    return Classified(*make_moons(300, noise=0.08, random_state=int(rng.integers(2**31))))


# ---------------------------------------------------------------- other dissimilarities


def city_blocks(rng: np.random.Generator) -> Classified:
    centres, y = centres_apart(5, 4, 9.0, rng), classes_of(350, np.full(5, 0.2), rng)
    return Classified(centres[y] + rng.laplace(size=(350, 4)), y, "cityblock")


def words(rng: np.random.Generator) -> Classified:
    """Fifteen categorical attributes with five values each, three in ten of them drawn at random."""
    y = classes_of(300, np.full(5, 0.2), rng)
    values = rng.integers(5, size=(5, 15))[y]
    return Classified(
        np.where(rng.random((300, 15)) < 0.3, rng.integers(5, size=(300, 15)), values), y, "hamming"
    )


def noisy_dissimilarities(rng: np.random.Generator) -> Classified:
    """Squared distances, each times a lognormal number: no metric."""
    X, y, _ = blobs(6, rng, n=300, p=3)
    d = pdist(X, "sqeuclidean")
    return Classified(squareform(d * rng.lognormal(sigma=0.3, size=d.shape)), y, "precomputed")


# ---------------------------------------------------------------- the two halves, and the bars

GENERATED: dict[str, Callable[[np.random.Generator], Classified]] = {
    "5 dimensions": lambda rng: blobs(7, rng, n=400, p=5, balanced=False),
    "10 dimensions": lambda rng: blobs(4, rng, n=300, p=10),
    "20 dimensions": lambda rng: blobs(9, rng, n=400, p=20),
    "4 sd apart": lambda rng: blobs(5, rng, n=400, gap=4.0),
    "40 objects": lambda rng: blobs(4, rng, n=40),
    "Student": students,
    "elongated": elongated,
    "spreads": spreads,
    "discs": discs,
    "nested": nested,
    "lattice 4 x 4": partial(lattice, 4, 2, 480),
    "cube": partial(lattice, 2, 3, 400),
    "rare": rare,
    "moons": moons,
    "city blocks": city_blocks,
    "words": words,
    "noisy": noisy_dissimilarities,
}
TUNING = (
    *(f"blobs {c}" for c in (2, 3, 4, 5, 6, 8, 10, 12)),
    *(f"unequal blobs {c}" for c in (5, 8)),
    "iris",
    "wine",
    "cancer",
    *FILES_OF_TUNING,
)
UNSEEN = (*GENERATED, "digits", *FILES_UNSEEN)
BARS = ("five groups", *(f"{kind} {c}" for kind in ("equal", "unequal") for c in (2, 3, 5, 7, 9, 12)))
PARTS = {"tuning": TUNING, "unseen": UNSEEN, "bars": BARS}


def is_generated(part: str, name: str) -> bool:
    """Whether a set is drawn, not loaded."""
    return part == "bars" or name in GENERATED or "blobs" in name


def classified(part: str, name: str, seed: int, repetition: int, max_objects: int) -> Classified:
    """Return a data set: tuning sets as they were when the default was chosen, others drawn anew."""
    rng = np.random.default_rng(case_random_state(seed, part, name, repetition))
    if part == "bars":
        kind, _, c = name.partition(" ")
        return five_groups(rng) if name == "five groups" else blobs(int(c), rng, balanced=kind == "equal")
    if part == "unseen":
        found = GENERATED[name](rng) if name in GENERATED else real(name)
        return sample_of(found, max_objects, rng)
    if "blobs" in name:
        c, balanced = int(name.split()[-1]), not name.startswith("unequal")
        return blobs(c, c if balanced else 100 + c, balanced=balanced)
    return real(name)


def real(name: str) -> Classified:
    """Load a data set; where its columns have different units, standardised."""
    if name == "cancer":
        found = load_breast_cancer()
        X, y = found.data, found.target
    else:
        data = load(name)
        if data.X is None:
            return Classified(data.D, data.y, "precomputed")
        X, y = data.X, data.y
    if name in HAMMING:
        codes = [np.unique(column, return_inverse=True)[1] for column in np.asarray(X).T]
        return Classified(np.column_stack(codes), y, "hamming")
    X = np.asarray(X, float)
    return Classified((X - X.mean(axis=0)) / X.std(axis=0) if name in STANDARDISED else X, y)


def sample_of(data: Classified, size: int, rng: np.random.Generator) -> Classified:
    """Draw `size` objects of a larger data set."""
    if len(data.y) <= size:
        return data
    rows = np.sort(rng.choice(len(data.y), size, replace=False))
    return Classified(data.X[rows], data.y[rows], data.metric)


def with_far_objects(X: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Add objects in all directions from the middle, 1.2 to 3 diameters of the data away: (n + m, p)."""
    n, p = X.shape
    middle = (X.min(axis=0) + X.max(axis=0)) / 2
    diameter = 2 * np.linalg.norm(X - middle, axis=1).max()
    directions = rng.normal(size=(max(3, round(share * n)), p))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return np.r_[X, middle + diameter * rng.uniform(1.2, 3, size=(len(directions), 1)) * directions]

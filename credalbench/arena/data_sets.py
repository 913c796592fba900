"""Data sets of the arena: tables, dissimilarities, categories and mixed tables with known classes.

The tables of the papers are read by `credalbench.datasets`, others are shipped by scikit-learn or drawn here.
Preparation is the same for all methods and looks at no class:

- Of more than `max_objects` objects, so many are drawn at random, anew in each run.
- Attributes that are the same for all these objects are left out.
- Attributes with units of their own are scaled to mean 0 and standard deviation 1 (`units`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.datasets import load_breast_cancer, make_circles, make_moons

from credalbench.datasets import (
    load,
    make_egmm_four_class,
    make_egmm_two_class,
    make_half_rings,
    make_t4,
    make_two_class_cecm,
)
from credalbench.papers import case_rng
from credalbench.tables.gower import gower_dissimilarities

KINDS = ("attributes", "categories", "mixed", "dissimilarities")
PAPER, SHIPPED, GENERATED = "of a paper", "shipped", "generated"
N_DRAWN = 200  # objects of most generated sets
SHARE_FAR, FEWEST_FAR = 0.05, 5  # planted outliers
ISOLATED = 2.0  # times the largest distance of an object to its nearest neighbour
N_TRIES = 2000

Rows = tuple["np.ndarray | pd.DataFrame", np.ndarray]


@dataclass(frozen=True)
class Objects:
    """Objects as methods get them: attributes or a table `X`, or dissimilarities alone; their classes `y`."""

    kind: str
    X: np.ndarray | pd.DataFrame
    y: np.ndarray

    @property
    def n_classes(self) -> int:
        return len(np.unique(self.y))

    @cached_property
    def D(self) -> np.ndarray:
        """Dissimilarities (n, n): Euclidean; shares of attributes that differ; Gower's; or the given ones."""
        if self.kind == "attributes":
            return cdist(self.X, self.X)
        if self.kind == "dissimilarities":
            return np.asarray(self.X)
        return gower_dissimilarities(self.X)


@dataclass(frozen=True)
class DataSet:
    """A data set of the arena.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    origin : str
        `PAPER`, `SHIPPED` or `GENERATED`.
    make : callable
        Function of a random generator that returns the objects and their classes.
    about : str
        What it is, in a few words.
    units : bool, default=False
        Whether the attributes have units of their own.
    """

    kind: str
    origin: str
    make: Callable[[np.random.Generator], Rows]
    about: str
    units: bool = False

    def draw(self, rng: np.random.Generator, max_objects: int) -> Objects:
        """Return at most so many objects, prepared by the rule of the module."""
        X, y = self.make(rng)
        if len(y) > max_objects:
            rows = np.sort(rng.choice(len(y), max_objects, replace=False))
            y = y[rows]
            if self.kind == "dissimilarities":
                X = X[np.ix_(rows, rows)]
            else:
                X = X[rows] if isinstance(X, np.ndarray) else X.iloc[rows].reset_index(drop=True)
        if self.kind == "attributes":
            X = np.asarray(X, float)
            X = X[:, np.ptp(X, axis=0) > 0]
            X = (X - X.mean(axis=0)) / X.std(axis=0) if self.units else X
        return Objects(self.kind, X, np.unique(y, return_inverse=True)[1])

    def is_fixed(self, max_objects: int) -> bool:
        """Whether every run has the same objects."""
        return self.origin != GENERATED and len(self.make(np.random.default_rng(0))[1]) <= max_objects


def objects_of(name: str, seed: int, run: int, max_objects: int) -> Objects:
    """Return the objects of one run; they depend on nothing else."""
    return DATA_SETS[name].draw(case_rng(seed, name, run), max_objects)


def with_outliers(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Append planted outliers, (n + m, p): uniform in a box, isolated from all objects and from each other.

    The box has twice the sides of the data's own, and grows until there is room. An object is isolated if its
    nearest neighbour is twice as far away as any object's nearest neighbour is in the data.
    """
    n_far = max(FEWEST_FAR, round(SHARE_FAR * len(X)))
    D = cdist(X, X)
    np.fill_diagonal(D, np.inf)
    gap = ISOLATED * D.min(axis=1).max()
    middle, half = (X.max(axis=0) + X.min(axis=0)) / 2, np.ptp(X, axis=0) / 2
    found, tries, stretch = X, 0, 2.0
    while len(found) < len(X) + n_far:
        x = middle + stretch * half * rng.uniform(-1, 1, X.shape[1])
        if cdist(x[None], found).min() > gap:
            found = np.vstack([found, x])
        tries += 1
        stretch *= 1.2 if tries % N_TRIES == 0 else 1.0
    return found


# ---------------------------------------------------------------- reading


@lru_cache(maxsize=4)
def _read(name: str) -> Rows:
    data = load(name)
    if data.X is None:
        return data.D, data.y
    if data.data_type == "categorical":
        return pd.DataFrame(data.X.astype(int).astype(str), columns=data.feature_names), data.y
    return data.X, data.y


def _paper(name: str, about: str, kind: str = "attributes", units: bool = False) -> DataSet:
    return DataSet(kind, PAPER, lambda rng: _read(name), about, units)


def _cancer(rng: np.random.Generator) -> Rows:
    return load_breast_cancer(return_X_y=True)


# ---------------------------------------------------------------- drawing


def _from(maker: Callable, n: int = N_DRAWN) -> Callable[[np.random.Generator], Rows]:
    def make(rng: np.random.Generator) -> Rows:
        data = maker(n, random_state=int(rng.integers(2**31)))
        return (data.X, data.y) if hasattr(data, "X") else data

    return make


def _gaussians(
    c: int,
    p: int,
    rng: np.random.Generator,
    gap: float = 6.0,
    shares: tuple[float, ...] = (),
    n: int = N_DRAWN,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw classes, their centres at least `gap` apart, and unit Gaussians around them."""
    y = rng.choice(c, n, p=shares or None)
    while True:
        centres = rng.uniform(0, gap * (1.5 * c) ** (1 / p), (c, p))
        if pdist(centres).min() >= gap:
            return centres[y], y, rng.normal(size=(n, p))


def _ten_dimensions(rng: np.random.Generator) -> Rows:
    centres, y, noise = _gaussians(4, 10, rng)
    return centres + noise, y


def _rare(rng: np.random.Generator) -> Rows:
    centres, y, noise = _gaussians(4, 3, rng, shares=(0.6, 0.25, 0.1, 0.05))
    return centres + noise, y


def _overlap(rng: np.random.Generator) -> Rows:
    centres, y, noise = _gaussians(3, 2, rng, gap=3.0)
    return centres + noise, y


def _heavy_tails(rng: np.random.Generator) -> Rows:
    centres, y, _ = _gaussians(4, 2, rng, gap=8.0)
    return centres + rng.standard_t(3, size=centres.shape), y


def _elongated(rng: np.random.Generator) -> Rows:
    centres, y, noise = _gaussians(3, 2, rng, gap=8.0)
    axes = np.linalg.qr(rng.normal(size=(3, 2, 2)))[0] * np.array([3.0, 0.5])
    return centres + np.einsum("ipq,iq->ip", axes[y], noise), y


def _noise_columns(rng: np.random.Generator) -> Rows:
    centres, y, noise = _gaussians(3, 2, rng)
    return np.hstack([centres + noise, rng.normal(scale=3.0, size=(len(y), 4))]), y


def _categories(y: np.ndarray, p: int, rng: np.random.Generator) -> np.ndarray:
    """Draw p categorical attributes with five values; four in ten values tell nothing of the class."""
    values = rng.integers(5, size=(y.max() + 1, p))[y]
    return np.where(rng.random(values.shape) < 0.4, rng.integers(5, size=values.shape), values).astype(str)


def _survey(rng: np.random.Generator) -> Rows:
    y = rng.choice(4, N_DRAWN)
    return pd.DataFrame(_categories(y, 12, rng)).add_prefix("question "), y


def _mixed(rng: np.random.Generator) -> Rows:
    centres, y, noise = _gaussians(3, 2, rng, gap=3.0)
    numbers = pd.DataFrame(centres + noise).add_prefix("number ")
    return numbers.join(pd.DataFrame(_categories(y, 4, rng)).add_prefix("category ")), y


def _noisy_dissimilarities(rng: np.random.Generator) -> Rows:
    centres, y, noise = _gaussians(5, 3, rng)
    d = pdist(centres + noise, "sqeuclidean")
    return squareform(d * rng.lognormal(sigma=0.3, size=d.shape)), y


#: All data sets by name, in the order of the pages. The first four need no file.
DATA_SETS = {
    "iris": _paper("iris", "flowers of three species, four lengths"),
    "wine": _paper("wine", "chemical analyses of three wines", units=True),
    "digits": _paper("digits", "images of handwritten digits"),
    "t4": DataSet("attributes", GENERATED, _from(make_t4), "four groups with heavy tails, of a paper"),
    "fourclass": _paper("fourclass", "four groups with heavy tails"),
    "s2": _paper("s2", "fifteen overlapping Gaussians"),
    "letters": _paper("letters_ijl", "printed letters I, J and L, measured"),
    "glass": _paper("glass", "chemical analyses of glass", units=True),
    "seeds": _paper("seeds", "grains of three sorts of wheat", units=True),
    "user knowledge": _paper("user_knowledge", "learners of four levels"),
    "vehicle": _paper("vehicle", "silhouettes of four vehicles", units=True),
    "aggregation": _paper("aggregation", "seven groups that touch"),
    "compound": _paper("compound", "six groups, within and around each other"),
    "flame": _paper("flame", "a disc in a bowl"),
    "spiral": _paper("spiral", "three spirals"),
    "r15": _paper("r15", "fifteen small groups, seven of them close"),
    "jain": _paper("jain", "two crescents of unequal density"),
    "ecoli": _paper("ecoli", "proteins by their place in the cell"),
    "breast cancer (cells)": _paper("breast_cancer_wisconsin", "cells under the microscope"),
    "digits (pixels)": _paper("mfeat_pix", "images of handwritten numerals"),
    "sign language": _paper("libras", "movements of hands, fifteen signs"),
    "two classes (CECM)": DataSet("attributes", GENERATED, _from(make_two_class_cecm), "of a paper"),
    "half rings": DataSet("attributes", GENERATED, _from(make_half_rings), "of a paper, rebuilt"),
    "two classes (EGMM)": DataSet("attributes", GENERATED, _from(make_egmm_two_class), "of a paper, rebuilt"),
    "four classes (EGMM)": DataSet(
        "attributes", GENERATED, _from(make_egmm_four_class), "of a paper, rebuilt"
    ),
    "breast cancer (images)": DataSet(
        "attributes", SHIPPED, _cancer, "thirty measures of cell nuclei", units=True
    ),
    "ten dimensions": DataSet("attributes", GENERATED, _ten_dimensions, "four separated Gaussians"),
    "rare": DataSet("attributes", GENERATED, _rare, "four Gaussians, the smallest with one object in twenty"),
    "overlap": DataSet("attributes", GENERATED, _overlap, "three Gaussians three deviations apart"),
    "heavy tails": DataSet("attributes", GENERATED, _heavy_tails, "four Student distributions"),
    "elongated": DataSet("attributes", GENERATED, _elongated, "three long Gaussians"),
    "noise columns": DataSet(
        "attributes", GENERATED, _noise_columns, "three Gaussians, four columns of noise"
    ),
    "moons": DataSet(
        "attributes",
        GENERATED,
        lambda rng: make_moons(N_DRAWN, noise=0.08, random_state=int(rng.integers(2**31))),
        "two crescents",
    ),
    "rings": DataSet(
        "attributes",
        GENERATED,
        lambda rng: make_circles(N_DRAWN, noise=0.05, factor=0.4, random_state=int(rng.integers(2**31))),
        "a ring in a ring",
    ),
    "soybean": _paper("soybean_small", "diseases of plants", "categories"),
    "zoo": _paper("zoo", "animals of seven classes", "categories"),
    "survey": DataSet("categories", GENERATED, _survey, "twelve answers of four groups"),
    "mixed": DataSet("mixed", GENERATED, _mixed, "two numbers and four categories"),
    "protein": _paper("protein", "proteins of four families", "dissimilarities"),
    "sign language (warped)": _paper(
        "libras_warping", "the same movements, compared as curves", "dissimilarities"
    ),
    "noisy": DataSet("dissimilarities", GENERATED, _noisy_dissimilarities, "no metric, five groups"),
}

"""Data sets that are drawn anew in each run, of papers and of our own."""

import numpy as np
import pandas as pd
from benchopt import BaseDataset
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import make_circles, make_moons

from credalbench import datasets

N_DRAWN = 200  # objects of most sets


def by(maker, **options):
    def draw(rng):
        data = maker(N_DRAWN, random_state=int(rng.integers(2**31)), **options)
        return (data.X, data.y) if hasattr(data, "X") else data

    return draw


def gaussians(c, p, rng, gap=6.0, shares=None):
    """Draw classes, their centres at least `gap` apart, and unit Gaussians around them."""
    y = rng.choice(c, N_DRAWN, p=shares)
    while True:
        centres = rng.uniform(0, gap * (1.5 * c) ** (1 / p), (c, p))
        if pdist(centres).min() >= gap:
            return centres[y], y, rng.normal(size=(N_DRAWN, p))


def plain(c, p, **options):
    def draw(rng):
        centres, y, noise = gaussians(c, p, rng, **options)
        return centres + noise, y

    return draw


def heavy_tails(rng):
    centres, y, _ = gaussians(4, 2, rng, gap=8.0)
    return centres + rng.standard_t(3, size=centres.shape), y


def elongated(rng):
    centres, y, noise = gaussians(3, 2, rng, gap=8.0)
    axes = np.linalg.qr(rng.normal(size=(3, 2, 2)))[0] * np.array([3.0, 0.5])
    return centres + np.einsum("ipq,iq->ip", axes[y], noise), y


def noise_columns(rng):
    X, y = plain(3, 2)(rng)
    return np.hstack([X, rng.normal(scale=3.0, size=(len(y), 4))]), y


def categories(y, p, rng):
    """Draw p categorical attributes with five values; four in ten values tell nothing of the class."""
    values = rng.integers(5, size=(y.max() + 1, p))[y]
    return np.where(rng.random(values.shape) < 0.4, rng.integers(5, size=values.shape), values).astype(str)


def survey(rng):
    y = rng.choice(4, N_DRAWN)
    return pd.DataFrame(categories(y, 12, rng)).add_prefix("question "), y


def mixed(rng):
    X, y = plain(3, 2, gap=3.0)(rng)
    numbers = pd.DataFrame(X).add_prefix("number ")
    return numbers.join(pd.DataFrame(categories(y, 4, rng)).add_prefix("category ")), y


def noisy(rng):
    X, y = plain(5, 3)(rng)
    d = pdist(X, "sqeuclidean")
    return squareform(d * rng.lognormal(sigma=0.3, size=d.shape)), y


SETS = {
    "t4": (by(datasets.make_t4), "four groups with heavy tails, of a paper"),
    "two classes (CECM)": (by(datasets.make_two_class_cecm), "of a paper"),
    "half rings": (by(datasets.make_half_rings), "of a paper, rebuilt"),
    "two classes (EGMM)": (by(datasets.make_egmm_two_class), "of a paper, rebuilt"),
    "four classes (EGMM)": (by(datasets.make_egmm_four_class), "of a paper, rebuilt"),
    "ten dimensions": (plain(4, 10), "four separated Gaussians"),
    "rare": (
        plain(4, 3, shares=(0.6, 0.25, 0.1, 0.05)),
        "four Gaussians, one object in twenty in the smallest",
    ),
    "overlap": (plain(3, 2, gap=3.0), "three Gaussians three deviations apart"),
    "heavy tails": (heavy_tails, "four Student distributions"),
    "elongated": (elongated, "three long Gaussians"),
    "noise columns": (noise_columns, "three Gaussians, four columns of noise"),
    "moons": (by(make_moons, noise=0.08), "two crescents"),
    "rings": (by(make_circles, noise=0.05, factor=0.4), "a ring in a ring"),
    "survey": (survey, "twelve answers of four groups"),
    "mixed": (mixed, "two numbers and four categories"),
    "noisy": (noisy, "no metric, five groups"),
}
KINDS = {"survey": "categories", "mixed": "mixed", "noisy": "dissimilarities"}  # others: attributes


class Dataset(BaseDataset):
    """A generated data set."""

    name = "generated"
    parameters = {"data": list(SETS)}  # noqa: RUF012
    test_parameters = {"data": ["overlap"]}  # noqa: RUF012

    def get_data(self):
        (draw, about), kind = SETS[self.data], KINDS.get(self.data, "attributes")
        return {"kind": kind, "draw": draw, "origin": "generated", "about": about}

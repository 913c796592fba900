"""The three data sets of [djiberou2019_catecm] as tables of categories, in the readings that its text allows.

- *Cat-diamond* is rebuilt from the text and what is left of Figure 1. According to the text, objects 12 and
  13 are "far from all other objects"; their places are lost. Here they share no value with another object; in
  the second reading object 13 stands above object 6, in column d, as its number does in the remains of the
  figure. Other places only rename the categories, which changes nothing.
- *Soybean* (small) has 35 attributes, of which 14 have one value only.
- *Zoo* has 16 attributes beside the name and the class of each animal; Table I prints 17. So one of those two
  may have been taken for an attribute: two more readings.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from credalbench.belief import FocalSets
from credalbench.datasets import load

#: Name in the studies -> name of the file.
FILES = {"cat_diamond": "cat_diamond", "soybean": "soybean_small", "zoo": "zoo"}
TITLES = {"cat_diamond": "Cat-diamond", "soybean": "Soybean", "zoo": "Zoo"}
PLACES = ("apart", "13 above 6")
#: Objects of Cat-diamond by their numbers in Figure 1: of two clusters, between them, far; on the prototypes.
LEFT, RIGHT, BETWEEN, FAR = (2, 3, 4), (8, 9, 10), (1, 5, 6, 7, 11), (12, 13)
FIRST, SECOND = 2, 8
ATTRIBUTES = ("16", "16 and the class", "16 and the name")


class Problem(NamedTuple):
    """A table (n, p) of categories, the classes y (n,) or None, their names, and the names of the objects."""

    table: pd.DataFrame
    y: np.ndarray | None
    class_names: tuple[str, ...]
    object_names: tuple[str, ...]


@cache
def problem(name: str) -> Problem:
    """Return a data set by its name in the studies."""
    data = load(FILES[name])
    return Problem(data.to_frame().reset_index(drop=True), data.y, data.class_names, data.object_names)


def diamond(place: str) -> pd.DataFrame:
    """Return cat-diamond with object 13 at `place`, one of `PLACES`; rows are objects 1 to 13."""
    table = problem("cat_diamond").table.copy()
    if place == PLACES[1]:
        table.iloc[12, 0] = table.iloc[5, 0]
    return table


def renamed(table: pd.DataFrame) -> pd.DataFrame:
    """Return the same table with the values of each attribute in the reverse order."""
    turned = {column: sorted(table[column].unique()) for column in table}
    return table.apply(lambda values: values.map(dict(zip(turned[values.name], turned[values.name][::-1]))))


def zoo(attributes: str) -> pd.DataFrame:
    """Return Zoo with the attributes of one reading, one of `ATTRIBUTES`."""
    found = problem("zoo")
    if attributes == ATTRIBUTES[1]:
        return found.table.assign(type=np.array(found.class_names)[found.y])
    if attributes == ATTRIBUTES[2]:
        return found.table.assign(animal_name=list(found.object_names))
    return found.table


def at_most_pairs(n_clusters: int) -> FocalSets:
    """Return the empty set and all sets of one or two clusters, as for Table II (Section IV-C)."""
    return FocalSets.up_to(n_clusters, min(n_clusters, 2), omega=n_clusters <= 2)

"""Sets of clusters, as bit masks and as readable names; read-only arrays."""

from collections.abc import Iterable
from operator import index as as_integer
from typing import SupportsIndex

import numpy as np

MAX_CLUSTERS = 62  # a set of clusters is one signed 64-bit integer


def set_label(A: Iterable[int], c: int) -> str:
    """Return the readable name of a set of clusters: ∅, {1,2}, Ω."""
    members = sorted(A)
    if not members:
        return "∅"
    return "Ω" if len(members) == c and c > 1 else "{" + ",".join(str(k + 1) for k in members) + "}"


def check_n_clusters(c: SupportsIndex) -> int:
    """Return c as an int; raise an error unless it lies in 1..62."""
    try:
        value = as_integer(c)
    except TypeError:
        raise TypeError(f"expected the number of clusters as an integer, got {type(c).__name__}") from None
    if not 1 <= value <= MAX_CLUSTERS:
        raise ValueError(f"expected between 1 and {MAX_CLUSTERS} clusters, got {value}")
    return value


def read_set(A: Iterable[int], c: int) -> set[int]:
    """Return the members of a subset of 0..c-1, given as numbers or as a bool array of shape (c,)."""
    if isinstance(A, np.ndarray) and A.dtype == bool:
        if A.shape != (c,):
            raise ValueError(f"expected a bool array of shape ({c},), got shape {A.shape}")
        return set(np.flatnonzero(A).tolist())
    try:
        members = {as_integer(k) for k in A}
    except TypeError:
        raise TypeError(f"expected a set of cluster numbers from 0, got {A!r}") from None
    outside = [k for k in members if not 0 <= k < c]
    if outside:
        raise ValueError(f"expected cluster numbers in 0..{c - 1}, got {outside[0]}")
    return members


def mask_of_members(members: Iterable[int]) -> int:
    """Return the bit mask of a set of cluster numbers from 0."""
    return sum(1 << k for k in members)


def members_of(mask: int) -> list[int]:
    """Return the cluster numbers of a bit mask, in increasing order."""
    return [k for k in range(mask.bit_length()) if mask >> k & 1]


def read_only(array: np.ndarray) -> np.ndarray:
    """Return an array after making it read-only."""
    array.setflags(write=False)
    return array

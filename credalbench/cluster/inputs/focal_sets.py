"""The constructor argument `focal_sets`, which the clusterers share."""

from typing import Annotated

from credalbench.belief import FocalSets
from credalbench.core.arguments import Choice, Instance, expect
from credalbench.core.resources import expect_memory

FEWER_SETS = 'fewer focal sets, as focal_sets="pairs" or "simple"'  # the way out where they are too many
NAMED_SETS = {"simple": FocalSets.simple, "full": FocalSets.full, "pairs": FocalSets.pairs}
FOCAL_SETS = Instance(FocalSets) | Choice(*NAMED_SETS)
FocalSetsLike = Annotated[str | FocalSets, FOCAL_SETS]
FocalSetsOrAuto = Annotated[str | FocalSets, FOCAL_SETS | Choice("auto")]
MASS_ARRAYS = 3  # (n, f) arrays at a time in a fit, at least
ALL_SETS_UP_TO = 3  # clusters; of more, barycentres of sets often lie where other clusters are


def resolve_focal_sets(
    focal_sets: str | FocalSets, n_clusters: int, *, empty: bool = True, n_objects: int = 0
) -> FocalSets:
    """Return the focal sets that a constructor argument stands for.

    Parameters
    ----------
    focal_sets : {"simple", "full", "pairs", "auto"} or FocalSets
        "auto": full up to three clusters, else simple.
    n_clusters : int
        c, the size of their frame.
    empty : bool, default True
        Whether named sets include the empty set, and given sets may.
    n_objects : int, default 0
        Objects whose masses will be in memory at a time.

    Raises
    ------
    ValueError
        No such name; a frame of another size; a cluster that belongs to no focal set; the empty set where
        it may not be.
    NotEnoughMemory
        Masses of so many objects on all 2^c sets do not fit into memory.
    """
    if are_chosen(focal_sets):
        focal_sets = "full" if n_clusters <= ALL_SETS_UP_TO else "simple"
    focal_sets = FOCAL_SETS.read("focal_sets", focal_sets)
    if focal_sets == "full":
        need = 8.0 * MASS_ARRAYS * n_objects * 2.0**n_clusters
        expect_memory(need, f"masses of {n_objects} objects on 2^{n_clusters} focal sets", FEWER_SETS)
    if isinstance(focal_sets, str):
        return NAMED_SETS[focal_sets](n_clusters, empty=empty)
    expect(
        focal_sets.n_clusters == n_clusters, f"focal sets over {n_clusters} clusters", focal_sets.n_clusters
    )
    everywhere = focal_sets.membership.any(axis=0)
    expect(everywhere.all(), "every cluster in some focal set", focal_sets)
    expect(empty or not focal_sets.has_empty, "focal sets without the empty set", focal_sets)
    return focal_sets


def are_chosen(focal_sets: str | FocalSets) -> bool:
    """Return whether focal sets are left to the rule for the number of clusters."""
    return isinstance(focal_sets, str) and focal_sets == "auto"

"""The explorers: a module or a package of this folder declares one as its `EXPLORER`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from credalbench.explore.declaration import FitExplorer


class Listed(NamedTuple):
    """The class of an explorer's model, and what the explorer is for."""

    model: str
    about: str


#: The explorers, by name; they are imported when they are used.
EXPLORERS = {
    "bpec": Listed(
        "BPECModel", "choose belief peaks as prototypes in a graph, and see the masses around them"
    ),
    "catecm": Listed("CatECMModel", "cluster a table of categories with cat-ECM, and read its prototypes"),
    "cecm": Listed("CECMModel", "constrain pairs of objects by clicking on them, and see ECM become CECM"),
    "compare": Listed(
        "CompareModel", "compare two methods, settings or starts side by side, and see where they differ"
    ),
    "ecm": Listed("ECMModel", "drag prototypes, and see ECM continue from there, step by step"),
    "egmm": Listed(
        "EGMMModel", "let clusters overlap, and see EGMM's components and how many clusters EBIC chooses"
    ),
    "ensemble": Listed(
        "EnsembleModel", "combine partitions, close their relation by a t-norm, and see the consensus change"
    ),
    "evclus": Listed("EVCLUSModel", "move sliders, and see EVCLUS refit the dissimilarities"),
    "recm": Listed("RECMModel", "cluster dissimilarities with RECM, and see outliers appear and disappear"),
    "segmentation": Listed("SegmentationModel", "paint regions on an image, and see CECM segment it"),
}


def declaration(name: str) -> FitExplorer:
    """Return the declaration of an explorer."""
    return import_module(f"{__name__}.{name}").EXPLORER


def public_names() -> list[str]:
    """Return the public names of the explorers: the class of each model, and the function that opens it."""
    return [*(listed.model for listed in EXPLORERS.values()), *(f"explore_{name}" for name in EXPLORERS)]


@cache
def public_object(name: str) -> object:
    """Return the public object of this name."""
    for explorer, listed in EXPLORERS.items():
        if name == listed.model:
            return declaration(explorer).model
    from credalbench.explore.view.explorer_view import explore_function

    return explore_function(declaration(name.removeprefix("explore_")))

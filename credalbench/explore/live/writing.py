"""Write pages that compute in the browser: EVCLUS, ECM, CECM, the number of clusters, and the mass board."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.display import CLUSTER_COLOURS
from credalbench.belief.focal import resolve_focal_sets
from credalbench.core.arguments import Choice
from credalbench.explore import reading
from credalbench.explore.canvas import script
from credalbench.explore.canvas.evidence_canvas import SCRIPTS
from credalbench.explore.explorers.cecm import CECMModel
from credalbench.explore.explorers.ecm import ECMModel
from credalbench.explore.explorers.evclus import shepard_panel, transformation_panel
from credalbench.explore.live.scripts import HERE, joined
from credalbench.explore.parameter import FOCAL_SETS
from credalbench.explore.scene.credal_map import (
    DASHES,
    LISTED,
    OUTCOME_LOOKS,
    entries_of,
    link_entries,
    prototype_entries,
    prototype_marks,
    set_look,
    shown_barycentres,
    small_map,
)
from credalbench.explore.scene.scene import as_json, evidence_of, trace_panel
from credalbench.plots.style import MUTED, PALETTE

#: Data sets of the pages, with the calls that make them. For EVCLUS they are smaller: objects may be added.
DATA = {
    "t4:200": "make_t4(200, random_state=0)",
    "two_class:200:2": "make_two_class_cecm(200, random_state=2)",
    "egmm_four_class:200": "make_egmm_four_class(200, random_state=0)",
    "half_rings:200": "make_half_rings(200, random_state=0)",
}
DATA_OF_EVCLUS = {
    "egmm_four_class:150": "make_egmm_four_class(150, random_state=0)",
    "butterfly": "load('butterfly')",
    "t4:150": "make_t4(150, random_state=0)",
    "two_class:150:2": "make_two_class_cecm(150, random_state=2)",
    "half_rings:150": "make_half_rings(150, random_state=0)",
}
#: Numbers of clusters that the page of the number of clusters compares.
COUNTS = range(2, 9)
#: Ends and step of each slider; those of delta are exponents of ten.
SLIDERS = {
    "c": (2, 6, 1),
    "alpha": (-2, 5, 0.1),
    "beta": (1.1, 5, 0.1),
    "delta": (-1, 3, 0.01),
    "xi": (0, 0.99, 0.01),
    "d0": (0.01, 1, 0.01),
    "tail": (0.01, 0.99, 0.01),
}
_TABLE = (
    "Paste or drop at most 2000 rows of numbers, with or without a header and names in the first column. "
    "Columns are standardised. The table stays in this tab of the browser."
)


class Page(NamedTuple):
    """A page: its title, what to do there, its data, its first settings, and how its clusters are drawn."""

    title: str
    hint: str
    data: dict[str, str]
    first: dict[str, object]
    sections: Iterable[str]
    own: str = _TABLE


_PAGES = {
    "evclus": Page(
        "EVCLUS in the browser",
        "Drag an object, or double-click to add one: the degrees of conflict follow the distances. In a good "
        "fit, the points of the Shepard diagram lie near the diagonal.",
        DATA_OF_EVCLUS,
        {"d0": 0.5, "alpha": 0.05, "sets": "simple"},
        ("simple", "pairs"),
        f"{_TABLE} A square matrix of dissimilarities is used as it is.",
    ),
    "ecm": Page(
        "Evidential c-means in the browser",
        "Drag a numbered prototype: the masses of all objects are computed again. Then press Play to run the "
        "iterations. Click an object to read its masses.",
        DATA,
        {"alpha": 1.0, "beta": 2.0, "sets": "pairs"},
        FOCAL_SETS,
    ),
    "cecm": Page(
        "Constraints in the browser: CECM",
        "Click two objects to link them: a must-link says that they are in the same cluster, a cannot-link "
        "says that they are not. Then move the weight ξ.",
        {name: DATA[name] for name in ("two_class:200:2", "half_rings:200", "t4:200", "egmm_four_class:200")},
        {"alpha": 1.0, "xi": 0.5, "sets": "full", "metric": "mahalanobis", "kind": "must"},
        FOCAL_SETS,
    ),
    "clusters": Page(
        "How many clusters?",
        "This page fits ECM with 2 to 8 clusters. The nonspecificity is large if much mass is on large sets. "
        "A dip of its curve suggests a number of clusters. Click a point of the curve to see its clusters.",
        {name: DATA[name] for name in ("egmm_four_class:200", "t4:200", "two_class:200:2", "half_rings:200")},
        {"alpha": 2.0},
        ("pairs",),
    ),
    "board": Page(
        "Belief and plausibility on a board",
        "Assign the masses of one object: mass on {1} supports cluster 1, mass on {1,2} one of these two "
        "clusters, mass on ∅ none of the clusters. Mass that you do not assign stays on Ω, the set of all "
        "clusters.",
        {},
        {},
        (),
        "",
    ),
}
#: The pages by name, with their titles.
PAGES = {name: page.title for name, page in _PAGES.items()}


def write_live_page(name: str, path: str | Path | None = None) -> Path:
    """Write a page that computes in the browser, without Python and without a network.

    Parameters
    ----------
    name : {"evclus", "ecm", "cecm", "clusters", "board"}
        EVCLUS, ECM or CECM, the number of clusters, or the board of one mass function.
    path : str or Path, optional
        File of the page; by default named after it, in the working folder.

    Returns
    -------
    Path
        File of the page.

    Raises
    ------
    ValueError
        If there is no such page.
    OSError
        If the file cannot be written.
    """
    name = Choice(*PAGES).read("name", name)
    path = Path(f"{name}.html" if path is None else path)
    page = _PAGES[name]
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    text = environment.get_template("page.html.j2").render(
        title=page.title,
        hint=page.hint,
        own=page.own,
        program=bool(page.data),
        theme=Markup(reading.theme()),
        data=Markup(as_json(_data(name, page))),
        script=Markup(f"{_canvas()}\n{joined(f'{name}_page')}"),
    )
    path.write_text(text, encoding="utf-8")
    return path


def _canvas() -> str:
    """Return the canvas of explorers as one constant."""
    scripts, _, _ = script(*SCRIPTS).rpartition("export {")
    return f"const Canvas = (() => {{\n{scripts}\nreturn {{ held, mount }};\n}})();"


# -- what Python writes into a page: data, signs of the sets of clusters, settings ----------------------


def _data(name: str, page: Page) -> dict[str, object]:
    if name == "board":
        frames = {c: FocalSets.full(c) for c in (2, 3, 4)}
        sets = {c: {"labels": sets.labels, "sets": _rows(sets)} for c, sets in frames.items()}
        return {"name": name, "frames": sets, "colours": CLUSTER_COLOURS[:4]}
    low, high, _ = SLIDERS["c"]
    counts = COUNTS if name == "clusters" else range(low, high + 1)
    every = CredalPartition.from_labels(np.arange(high))
    shared = {
        "name": name,
        "datasets": {key: _dataset(key, call, name) for key, call in page.data.items()},
        "defaults": page.first | {"data": next(iter(page.data))},
        "sections": {key: FOCAL_SETS[key] for key in page.sections},
        "frames": {
            c: {key: _signs(resolve_focal_sets(key, c)) for key in {*page.sections, "pairs"}} for c in counts
        },
        "classes": small_map("", (0, 0, 1, 1), np.zeros((high, 2)), every).marks[0].looks,
        "sliders": SLIDERS,
    }
    if name == "evclus":
        pairs, diagonal = shepard_panel((0, 0, 1, 1), np.zeros(1000), np.zeros(1000)).marks
        _, curve, edges, end = transformation_panel((0, 0, 1, 1), 1.0, 1.0, np.ones(1)).marks
        shared["shepard"] = {"look": pairs.looks[0], "diagonal": diagonal, "colour": PALETTE[0]}
        shared["transformation"] = {"curve": curve.stroke, "edges": edges.stroke, "end": end.looks[0]}
    if name == "cecm":
        shared["links"] = {"looks": OUTCOME_LOOKS, "dashes": DASHES, "entries": link_entries()}
    if name == "clusters":
        shared["counts"] = list(counts)
    return shared


def _rows(focal_sets: FocalSets) -> list[list[int]]:
    return focal_sets.membership.astype(int).tolist()


def _dataset(key: str, call: str, page: str) -> dict[str, object]:
    """Return the objects of a data set, its name, classes, code, and what a page starts from."""
    model = (CECMModel if page == "cecm" else ECMModel)(key)
    subject = model.subject
    made = {
        "objects": subject.attributes.tolist(),
        "columns": subject.axis_labels,
        "name": subject.name.partition(", draw")[0],
        "y": None if subject.y is None else subject.y.tolist(),
        "c": subject.n_classes if subject.y is not None else model.n_clusters,
        "code": [f"from credalbench.datasets import {call.partition('(')[0]}", f"X = {call}.X"],
    }
    if page in ("ecm", "cecm"):
        made["delta"] = model.delta
    if page == "ecm":
        low, high, _ = SLIDERS["c"]
        made["starts"] = {c: ECMModel(key, n_clusters=c).start for c in range(low, high + 1)}
    return made


def _signs(focal_sets: FocalSets) -> dict[str, object]:
    """Return what the picture of a run needs besides numbers; signs of objects have size 1."""
    c, f = focal_sets.n_clusters, len(focal_sets)
    nowhere = np.zeros((c, 2))
    way, ring, *between, discs, rims = prototype_marks(nowhere, focal_sets, nowhere)[:-c]
    numbers = prototype_marks(nowhere, focal_sets)[-c:]
    faint, strong, dot = trace_panel((0, 0, 1, 1), np.ones(2), "").marks
    evidence = evidence_of(CredalPartition(np.eye(f), focal_sets))
    return {
        "sets": _rows(focal_sets),
        "labels": evidence.sets,
        "colours": evidence.colours,
        "objects": [set_look(focal_sets, j, 1.0) for j in range(f)],
        "entries": [entries_of(focal_sets, [j])[0] for j in range(f)],
        "others": entries_of(focal_sets, [0] * (LISTED + 1))[-1],
        "more": prototype_entries(),
        "prototypes": {
            "way": way.stroke,
            "ring": ring.looks[0],
            "dotted": between[0].stroke if len(between) > 1 else None,
            "shown": shown_barycentres(focal_sets),
            "centre": between[-1].looks[0] if between else None,
            "discs": discs.looks,
            "rims": rims.looks,
            "numbers": numbers,
        },
        "bar": MUTED,
        "trace": {"faint": faint.stroke, "strong": strong.stroke, "dot": dot.looks[0]},
    }

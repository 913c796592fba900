"""Write pages that compute in the browser: ECM with prototypes to drag, and the mass board."""

from pathlib import Path

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.display import CLUSTER_COLOURS
from credalbench.belief.focal import resolve_focal_sets
from credalbench.core.arguments import Choice
from credalbench.explore.canvas import script
from credalbench.explore.canvas.evidence_canvas import SCRIPTS
from credalbench.explore.explorers.ecm import ECMModel
from credalbench.explore.parameter import FOCAL_SETS
from credalbench.explore.scene.credal_map import (
    LISTED,
    entries_of,
    map_panel,
    object_size,
    prototype_entries,
    prototype_marks,
    set_look,
    shown_barycentres,
    small_map,
    true_classes,
)
from credalbench.explore.scene.scene import Objects, as_json, evidence_of, trace_panel
from credalbench.plots.style import MUTED

HERE = Path(__file__).parent
#: The pages by name, with their titles.
PAGES = {"ecm": "Evidential c-means in the browser", "board": "Belief and plausibility on a board"}
#: The scripts of each page; each uses those before it.
PAGE_SCRIPTS = {
    "ecm": ("belief.js", "ecm.js", "ecm_scene.js", "ecm_page.js"),
    "board": ("belief.js", "board.js", "board_page.js"),
}
#: Data sets of the page of ECM, with the call that makes them.
DATA = {
    "t4:200": "make_t4(200, random_state=0)",
    "two_class:200:2": "make_two_class_cecm(200, random_state=2)",
    "egmm_four_class:200": "make_egmm_four_class(200, random_state=0)",
    "half_rings:200": "make_half_rings(200, random_state=0)",
}
CLUSTERS = range(2, 7)
#: Ends and step of each slider; those of delta are exponents of ten.
SLIDERS = {"c": (2, 6, 1), "alpha": (-2, 5, 0.1), "beta": (1.1, 5, 0.1), "delta": (-1, 3, 0.01)}


def write_live_page(name: str, path: str | Path | None = None) -> Path:
    """Write a page that computes in the browser, without Python and without a network.

    Parameters
    ----------
    name : {"ecm", "board"}
        ECM, whose prototypes are dragged, or the board of one mass function.
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
    scripts = [script(*SCRIPTS)] if name == "ecm" else []
    scripts += [(HERE / part).read_text("utf-8") for part in PAGE_SCRIPTS[name]]
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    page = environment.get_template(f"{name}.html.j2").render(
        title=PAGES[name],
        data=Markup(as_json(ecm_data() if name == "ecm" else board_data())),
        datasets={key: ECMModel(key).subject.name for key in DATA} if name == "ecm" else {},
        sections=FOCAL_SETS,
        sliders=SLIDERS,
        script=Markup("\n".join(scripts)),
    )
    path.write_text(page, encoding="utf-8")
    return path


# -- the page of ECM -------------------------------------------------------------------------------------


def ecm_data() -> dict[str, object]:
    """Return the data sets, the signs of all sets of clusters, and the settings of the page of ECM."""
    name = next(iter(DATA))
    first = ECMModel(name)
    every = CredalPartition.from_labels(np.arange(max(CLUSTERS)))
    classes = small_map("", (0, 0, 1, 1), np.zeros((max(CLUSTERS), 2)), every)
    settings = {"data": name, "c": first.subject.n_classes, "sets": first.focal_sets}
    ranges = {name: (low, high) for name, (low, high, _) in SLIDERS.items()}
    return {
        "datasets": {name: _dataset(name, call) for name, call in DATA.items()},
        "classes": classes.marks[0].looks,
        "frames": {c: {name: _signs(resolve_focal_sets(name, c)) for name in FOCAL_SETS} for c in CLUSTERS},
        "defaults": settings | {"alpha": first.alpha, "beta": first.beta, "delta": first.delta},
        "ranges": ranges | {"delta": [10.0**end for end in ranges["delta"]]},
    }


def _dataset(name: str, call: str) -> dict[str, object]:
    """Return objects, panels that do not change, starts for each number of clusters, and code."""
    model = ECMModel(name)
    subject, X = model.subject, model.subject.attributes
    return {
        "objects": X.tolist(),
        "shown": Objects(subject.object_names, subject.nearest),
        "map": map_panel(subject, (0.0, 0.0, 0.66, 1.0), [], "largest mass"),
        "classes": true_classes(subject, (0.67, 0.0, 0.33, 0.41), model.fitted.partition)[0],
        "size": object_size(len(X)),
        "starts": {c: ECMModel(name, n_clusters=c).start for c in CLUSTERS},
        "y": subject.y.tolist(),
        "c": subject.n_classes,
        "delta": model.delta,
        "code": [f"from credalbench.datasets import {call.partition('(')[0]}", f"X = {call}.X"],
    }


def _signs(focal_sets: FocalSets) -> dict[str, object]:
    """Return what the picture of a run needs besides numbers; signs of objects have size 1."""
    c, f = focal_sets.n_clusters, len(focal_sets)
    nowhere = np.zeros((c, 2))
    way, ring, *between, discs, rims = prototype_marks(nowhere, focal_sets, nowhere)[:-c]
    numbers = prototype_marks(nowhere, focal_sets)[-c:]
    faint, strong, dot = trace_panel((0, 0, 1, 1), np.ones(2), "").marks
    evidence = evidence_of(CredalPartition(np.eye(f), focal_sets))
    return {
        "sets": focal_sets.membership.astype(int).tolist(),
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
            "centre": between[-1].looks[0],
            "discs": discs.looks,
            "rims": rims.looks,
            "numbers": numbers,
        },
        "bar": MUTED,
        "trace": {"faint": faint.stroke, "strong": strong.stroke, "dot": dot.looks[0]},
    }


# -- the board -------------------------------------------------------------------------------------------


def board_data() -> dict[str, object]:
    """Return the sets of clusters of the board and their labels, for two to four clusters."""
    frames = {c: FocalSets.full(c) for c in (2, 3, 4)}
    return {
        "frames": {
            c: {"labels": sets.labels, "sets": sets.membership.astype(int).tolist()}
            for c, sets in frames.items()
        },
        "colours": CLUSTER_COLOURS[:4],
    }

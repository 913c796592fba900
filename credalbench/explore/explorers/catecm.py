"""The cat-ECM explorer: tables of categories, their prototypes, and ambiguous objects.

A program uses the model alone::

    model = CatECMModel("cat_diamond")
    model.normalize = True
    model.fitted.prototypes
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape

import numpy as np
import pandas as pd
import traitlets as t

from credalbench.belief import CredalPartition
from credalbench.cluster import CatECM
from credalbench.explore import parameter as shared
from credalbench.explore import stepping
from credalbench.explore.declaration import RESTART, RULE, Button, FitExplorer
from credalbench.explore.linking import ObjectChoice
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import MAX_SEED, parameter
from credalbench.explore.scene import credal_map
from credalbench.explore.scene.marks import Bars, Look, Mark, Text
from credalbench.explore.scene.scene import UNIT, Axis, Entry, Panel, Place, Scene, scene_of, set_colours
from credalbench.explore.sources import called
from credalbench.explore.sources.category_tables import CategorySource, CategoryTable
from credalbench.explore.stepping import Fitted
from credalbench.metrics import accuracy
from credalbench.plots.masses import LEAST, parts_of_rows
from credalbench.plots.style import FAINT, colour

#: Settings of the paper. Figure 2 shows sums over the attributes, which ten starts seldom find.
PUBLISHED = {"cat_diamond": {"delta": 1.05, "normalize": False, "n_init": 100}}
USUAL = {"delta": 10.0, "normalize": True, "n_init": 10}
#: Number of objects whose masses are shown at a time.
LISTED = 13
#: Largest number of characters of a row name, and of a value at an axis.
LONGEST, VALUE = 18, 8
#: Largest number of values shown at an axis.
MOST_TICKS = 12
#: Smallest number of rows in the panel; half the height of a bar; x of the sign of the object.
ROOM, HALF, SIGN = 8, 0.37, -0.07
#: Width of a character of the label of a set, as a share of the row.
CHARACTER = 0.065
#: Legend entry of the end of a bar.
PALE = Entry(f"sets with mass below {LEAST} each", Look("square", 13.0, FAINT, FAINT))
TITLES = {"chosen": "chosen objects", "all": "all objects", "most ambiguous": "the most ambiguous"}
#: Signs that look like the markers of the clusters on the map, in their order.
SIGNS = "●■▲◆▼✚✖⬟"
_TABLE = "border-collapse:collapse;font-size:12px;line-height:17px;font-variant-numeric:tabular-nums"
_FRAME = "max-height:min(190px,20vh);overflow:auto;margin:2px 8px;white-space:normal"
_HEAD = "position:sticky;top:0;background:var(--jp-layout-color0,white);text-align:left;padding:0 14px 2px 0"
_REST = "font-size:12px;opacity:.75"
_CELL = "text-align:left;padding:0 14px 0 0;font-weight:normal"


@dataclass(frozen=True, eq=False)
class FittedCatECM(Fitted):
    """An iteration of a run, and the chosen objects, whose masses are shown."""

    chosen: tuple[int, ...] = ()

    @cached_property
    def prototypes(self) -> pd.DataFrame:
        """For each attribute the value with all the weight, or a tuple of those that share it."""
        return self.estimator.prototypes_.iloc[self.old_numbers].reset_index(drop=True)

    @property
    def prototypes_on_map(self) -> np.ndarray:
        """Their positions, (c, 2)."""
        return self.subject.on_the_map([block[self.old_numbers] for block in self.estimator.weights_])

    @property
    def accuracy(self) -> float | None:
        """Share of the objects in the cluster matched to their class; None if classes are unknown."""
        return None if self.subject.y is None else float(accuracy(self.subject.y, self.labels))

    @cached_property
    def listed(self) -> tuple[int, ...]:
        """The objects whose masses are shown."""
        return listed_objects(self.partition, self.chosen)[0]

    @property
    def choice(self) -> str:
        """How they were selected."""
        return listed_objects(self.partition, self.chosen)[1]


def listed_objects(partition: CredalPartition, chosen: tuple[int, ...]) -> tuple[tuple[int, ...], str]:
    """Return the objects whose masses are shown, and how they were selected.

    They are the `chosen` ones, else all objects of a small data set, or the most ambiguous of a large one.
    """
    n = partition.n_objects
    if chosen:
        return chosen, "chosen"
    if n <= LISTED:
        return tuple(range(n)), "all"
    most = np.argsort(-ambiguity(partition), kind="stable")[:LISTED]
    return tuple(most.tolist()), "most ambiguous"


def ambiguity(partition: CredalPartition) -> np.ndarray:
    """Return the nonspecificity of each object, in [0, 1], where the empty set counts as Ω: (n,)."""
    focal_sets = partition.focal_sets
    sizes = np.where(focal_sets.cardinality == 0, focal_sets.n_clusters, focal_sets.cardinality)
    return partition.masses @ np.log2(sizes) / np.log2(focal_sets.n_clusters)


class CatECMModel(ExplorerModel):
    """Data, parameters and iterations of the cat-ECM explorer.

    The iterations are those of the best start. `delta`, `normalize` and `n_init` are adapted to new data.
    Objects are identified by their rows, from 0. `choice` holds the objects whose masses are shown; if there
    are none, the masses of the most ambiguous are.
    """

    STEM, DATA, ESTIMATOR, FITTED = "catecm", "cat_diamond", CatECM, FittedCatECM
    DRAWABLE, MAX_FOCAL_SETS = False, 256

    n_clusters = shared.n_clusters_parameter(8)
    focal_sets = shared.focal_sets_parameter("full")
    alpha = shared.alpha_parameter(
        -0.05,
        "Exponent of the cardinality: larger values give less mass to sets of several clusters; "
        "-1 to 1 in the paper",
        slider=(-2, 2, 0.05),
    )
    beta = shared.beta_parameter(
        1.1, "Exponent of the masses: near 1 they become hard; 2 is a large value", slider=(1.05, 3, 0.05)
    )
    delta = parameter(
        t.Float(1.05),
        "distance δ",
        "Distance to the empty set: smaller values give more outliers",
        above=0,
        slider=(-1, 2, 0.02),
        logarithmic=True,
    )
    normalize = parameter(
        t.Bool(False),
        "mean over the attributes",
        "Average distances over the attributes, as printed in the paper, instead of summing them",
    )
    seed = parameter(
        t.Int(0), "start", "Seed of the first random start", low=0, most=MAX_SEED, slider=(0, 20, 1)
    )
    n_init = shared.n_init_parameter(100, 100)

    def __init__(self, data: object = None, **parameters: object) -> None:
        self.choice = ObjectChoice(self, LISTED, starts_anew=False, then=self._list_objects)
        super().__init__(data, **parameters)

    def _make_source(self) -> CategorySource:
        return CategorySource(self)

    def _adapt(self, changed: set[str]) -> None:
        super()._adapt(changed)
        self.choice.objects = ()
        for name, value in PUBLISHED.get(self.data, USUAL).items():
            if name not in changed:
                setattr(self, name, value)

    def _arguments(self) -> dict[str, object]:
        return {"init": "random"}

    # -- objects ----------------------------------------------------------------------------------------

    def _list_objects(self) -> None:
        if self.fitted is not None:
            self.fitted = replace(self.fitted, chosen=self.choice.objects)

    def _take(self, fitted: FittedCatECM, changed: set[str]) -> None:
        self.fitted = replace(fitted, chosen=self.choice.objects)

    def list_ambiguous(self) -> None:
        """Show the masses of the most ambiguous objects."""
        self.choice.choose()

    def clicked(self, i: int | None, panel: str, x: float, y: float) -> None:
        if panel != "masses":  # whose rows are only selected
            self.choice.click(i)
        elif i is None and (row := round(-y)) in range(len(self.fitted.listed)):
            self.selected = self.fitted.listed[row]


# -- what is drawn ---------------------------------------------------------------------------------------


def catecm_scene(fitted: FittedCatECM) -> Scene:
    """Return the scene of a fit of the cat-ECM model."""
    subject, partition = fitted.subject, fitted.partition
    prototypes = credal_map.numbered_prototypes(fitted.prototypes_on_map)
    entries = [credal_map.prototype_entry(), PALE]
    shown, legend = credal_map.main_panel(fitted, (0.0, 0.0, 0.58, 1.0), prototypes, entries)
    classes = credal_map.true_classes(subject, (0.59, 0.73, 0.19, 0.27), partition)
    left = 0.79 if classes else 0.59
    panels = [
        _in_words(shown, subject),
        _masses_panel(fitted, (0.59, 0.0, 0.41, 0.72)),
        *classes,
        credal_map.objective_panel(fitted, (left, 0.73, 1.0 - left, 0.27), "Objective J"),
    ]
    return scene_of(fitted, panels, legend)


def _in_words(panel: Panel, subject: CategoryTable) -> Panel:
    """Label the axes of the map with the values of two attributes, unless there are many."""
    few = [words if len(words) <= MOST_TICKS else () for words in subject.ticks or ((), ())]
    x, y = (
        replace(axis, ticks=[(float(k), shortened(word, VALUE)) for k, word in enumerate(words)])
        for axis, words in zip((panel.x, panel.y), few)
    )
    return replace(panel, x=replace(x, label=f"{x.label}, equal objects side by side"), y=y)


# -- masses ----------------------------------------------------------------------------------------------


def _masses_panel(fitted: FittedCatECM, place: Place) -> Panel:
    """Return the panel of the masses of the listed objects, one row per object."""
    subject, listed = fitted.subject, list(fitted.listed)
    names = [(-float(row), row_name(subject, i)) for row, i in enumerate(listed)]
    y = Axis(0.5 - max(len(listed), ROOM), 0.5, ticks=names)
    x = Axis(2 * SIGN, 1.0, "mass", ticks=UNIT)
    partition = fitted.partition.take(listed)
    places = np.column_stack([np.full(len(listed), SIGN), -np.arange(len(listed), dtype=float)])
    rows, sets = np.array(listed, dtype=np.int32), partition.hard_credal()  # can be selected, as on the map
    signs = credal_map.points_by_set(places, partition.focal_sets, sets, credal_map.SIGN_SIZE, rows)
    title = f"Masses of {TITLES[fitted.choice]}"
    return Panel("masses", place, x, y, [*_bars(partition), signs], title)


def _bars(partition: CredalPartition) -> list[Mark]:
    """Return a bar for each mass of the objects, one row per object, with the names of sets that fit."""
    focal_sets = partition.focal_sets
    rows, sets, left, right = parts_of_rows(partition.masses)
    lengths = np.array([*map(len, focal_sets.labels), 0])
    boxes = np.column_stack([left, -rows - HALF, right, -rows + HALF])
    bars = Bars(boxes, [*set_colours(focal_sets), FAINT], sets.astype(np.int32), "#ffffff")
    named = np.flatnonzero((sets < len(focal_sets)) & (right - left >= CHARACTER * lengths[sets]))
    middles = (left + right) / 2
    labels = [Text(focal_sets.labels[sets[k]], (middles[k], -float(rows[k])), align="centre") for k in named]
    return [bars, *labels]


def row_name(subject: CategoryTable, i: int) -> str:
    """Return the name of an object, with its class if known, shortened to fit."""
    name = called(subject.object_names, i).removeprefix("object ")
    if subject.y is not None and subject.class_names:
        name += f" ({subject.class_names[subject.y[i]]})"
    return shortened(name, LONGEST)


def shortened(text: str, length: int) -> str:
    """Return a text, truncated to `length` characters."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


# -- the page --------------------------------------------------------------------------------------------


def tiles(fitted: FittedCatECM) -> Iterable[stepping.Tile]:
    """Return the read-outs."""
    ari, nonspecificity = stepping.measures(fitted)
    meaning = "Share of objects in the cluster matched to their class"
    return (
        ari,
        ("accuracy", stepping.share(fitted.accuracy), meaning),
        nonspecificity,
        stepping.objective_tile(fitted),
        stepping.outlier_tile(fitted),
        stepping.iteration_tile(fitted, "Iterations of the best start"),
    )


def picture_text(fitted: FittedCatECM) -> str:
    """Return the description of the picture for screen readers."""
    return (
        f"{fitted.words('cat-ECM')}, with {stepping.outliers(fitted.n_outliers)}; masses of "
        f"{len(fitted.listed)} objects ({fitted.choice})."
    )


def prototypes_html(prototypes: pd.DataFrame) -> str:
    """Return an HTML table of prototypes (c, p); attributes that agree in all clusters share one line.

    Tuples of values, which share the weight, are joined by "or".
    """
    words = {str(name): [_words(value) for value in prototypes[name]] for name in prototypes}
    kinds = {name: len(set(values)) for name, values in words.items()}
    differing = sorted((name for name in words if kinds[name] > 1), key=lambda name: -kinds[name])
    same = [f"{escape(name)} = {escape(words[name][0])}" for name in words if kinds[name] == 1]
    head = "".join(
        f'<th scope="col" style="{_HEAD}"><span style="color:{colour(k)}">{SIGNS[k % len(SIGNS)]}</span> '
        f"{{{k + 1}}}</th>"
        for k in range(len(prototypes))
    )
    rows = "".join(_row(name, words[name]) for name in differing)
    rest = f'<div style="{_REST}">The same value in all prototypes: {", ".join(same)}.</div>' if same else ""
    return (
        f'<div tabindex="0" role="region" aria-label="Prototypes" style="{_FRAME}"><table style="{_TABLE}">'
        f'<thead><tr><th scope="col" style="{_HEAD}">prototypes</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table>{rest}</div>"
    )


def _row(name: str, values: list[str]) -> str:
    cells = "".join(f'<td style="{_CELL}">{escape(value)}</td>' for value in values)
    head = f'<th scope="row" style="{_CELL}">{escape(name)}</th>'
    return f'<tr style="background:transparent">{head}{cells}</tr>'


def _words(value: object) -> str:
    return " or ".join(map(str, value)) if isinstance(value, tuple) else str(value)


EXPLORER = FitExplorer(
    model=CatECMModel,
    title="cat-ECM explorer",
    hint="Click objects to compare their masses; click elsewhere or press Escape to clear the selection.",
    scene=catecm_scene,
    text=picture_text,
    tiles=tiles,
    controls=(
        *("n_clusters", "focal_sets", "alpha", "beta", "delta", "normalize"),
        RULE,
        *("seed", "n_init"),
        ("ambiguous",),
        ("restart", "export"),
    ),
    buttons=[
        Button(
            "ambiguous",
            "Most ambiguous",
            "question",
            "Show the masses of the objects of highest nonspecificity; clears the selection",
            action="list_ambiguous",
            flex="1",
        ),
        RESTART,
    ],
    texts={"below": lambda model: prototypes_html(model.fitted.prototypes)},
    chosen=lambda fitted: fitted.chosen,
    words="Name of a data set with categorical attributes, path of a table, or values.",
    returns="``.model.fitted.prototypes`` is the table of prototypes.",
    example="""
        >>> explorer = explore_catecm("cat_diamond")
        >>> explorer.model.fitted.n_outliers
        2
    """,
)

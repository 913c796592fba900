"""The scenes of the segmentation explorer: the image that is painted on, and the segmented image.

The segmented image is shown without and with constraints, with grey levels and objective. Its pixels can be
selected: a pixel stands for its prototype, to which the masses belong.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from credalbench.belief import CredalPartition
from credalbench.datasets.image_prototypes import ImagePrototypes
from credalbench.explore.linking import outcome_tiles
from credalbench.explore.scene.credal_map import entries_of, objective_panel, points_by_set
from credalbench.explore.scene.marks import DASHED, Image, Line, Look, Mark, Raster, Stroke, Text
from credalbench.explore.scene.scene import UNIT, Axis, Entry, Panel, Place, Scene, evidence_of, histogram
from credalbench.explore.sources.images import ImageSubject
from credalbench.explore.stepping import Tile, iteration_tile
from credalbench.plots.style import FAINT, INK

if TYPE_CHECKING:
    from credalbench.explore.explorers.segmentation import Segmented

#: Grey levels run from 0 to this.
FULL_SCALE = 255

DECISIONS = {"credal": "largest mass (Ω: undecided)", "pignistic": "pignistic cluster"}
#: Heights of the images and positions of the panels below, as shares of the picture.
HEIGHT = 0.62
BELOW = (0.0, HEIGHT + 0.01, 0.7, 0.99 - HEIGHT)
RIGHT = (0.71, HEIGHT + 0.01, 0.29, 0.99 - HEIGHT)
#: Colours of the painted regions, which clusters do not have.
PAINT = {1: (170, 50, 200), 2: (86, 180, 233)}
#: Shares of the colour of a region in its pixels and on its hatching, and distance of the hatches in pixels.
TINT, HATCH, APART = 0.38, 0.95, 5
#: Diameter of a prototype, in pixels.
SIZE = 6.0
LEVELS = Axis(-3.0, FULL_SCALE + 3.0, "grey level", ticks=[(v, str(v)) for v in (0, 50, 100, 150, 200, 255)])


def segmentation_scene(fitted: Segmented, decision: str = "credal") -> Scene:
    """Return the scene of a fit of the segmentation model; `decision` is one of `DECISIONS`."""
    marked, focal_sets = fitted.run.marked, fitted.partition.focal_sets
    painted = {1: marked.first, 2: marked.second}
    remarks = {i: f"painted as region {k}" for k, rows in painted.items() for i in rows.tolist()}
    evidence = evidence_of(fitted.partition, remarks=remarks)
    before, after = (_chosen(partition, decision) for partition in (fitted.before, fitted.partition))
    shown = np.union1d(before, after).tolist()
    found = fitted.run.found
    colours = np.array([[*bytes.fromhex(hue[1:]), 255] for hue in evidence.colours], dtype=np.uint8)
    panels = [
        _image("before", (0.0, 0.0, 0.5, HEIGHT), "Without regions (ECM)", found, colours[before]),
        _image("after", (0.5, 0.0, 0.5, HEIGHT), "With regions (CECM)", found, colours[after]),
        _levels(fitted, after, shown, evidence.colours),
        objective_panel(fitted, RIGHT, "Objective of CECM"),
    ]
    entries = [*entries_of(focal_sets, shown), Entry("number of pixels", Look("square", 10.0, FAINT, FAINT))]
    if _is_grey(found):
        entries.append(Entry("without constraints", _stroke(INK, before=True)))
        entries.append(Entry("with the regions", _stroke(INK)))
    return Scene(panels, fitted.run.objects, evidence, entries)


def painting_scene(image: ImageSubject, regions: np.ndarray) -> Scene:
    """Return the scene of an image with its painted regions (rows, columns) of 0, 1 and 2.

    Regions differ in colour, hatching and number.
    """
    numbers = [_number(regions, region) for region in PAINT if (regions == region).any()]
    axes, box = _frame(image.shape)
    marks = [Raster(painted_pixels(image.levels, regions), box), *numbers]
    return Scene([Panel("painted", (0.0, 0.0, 1.0, 1.0), *axes, marks, equal=True)])


def painted_pixels(levels: np.ndarray, regions: np.ndarray) -> np.ndarray:
    """Return pixels (rows, columns, 4) with regions tinted and hatched, each in its own direction."""
    row, column = np.indices(regions.shape)
    pixels = np.full((*regions.shape, 4), 255, dtype=np.uint8)
    pixels[..., :3] = levels
    for region, hatches in ((1, row + column), (2, row - column)):
        share = np.where(hatches % APART == 0, HATCH, TINT)[..., None]
        inside = regions == region
        pixels[inside, :3] = ((1 - share) * levels + share * np.array(PAINT[region]))[inside].round()
    return pixels


def _number(regions: np.ndarray, region: int) -> Text:
    """Return the number of a region, on its pixel nearest to its centre."""
    places = np.argwhere(regions == region)
    row, column = places[((places - places.mean(axis=0)) ** 2).sum(axis=1).argmin()]
    return Text(str(region), (column + 0.5, len(regions) - row - 0.5), align="centre", bold=True)


def _chosen(partition: CredalPartition, decision: str) -> np.ndarray:
    """Return the focal set of each prototype: that of largest mass, or of its pignistic cluster."""
    if decision == "credal":
        return partition.hard_credal()
    return partition.focal_sets.singletons[partition.labels("pignistic")]


def _image(name: str, place: Place, title: str, found: ImagePrototypes, colours: np.ndarray) -> Panel:
    """Return the panel of the image, each pixel in the colour (k, 4) of its prototype."""
    axes, box = _frame(found.shape)
    return Panel(name, place, *axes, [Image(colours, box)], title, equal=True)


def _frame(shape: tuple[int, int]) -> tuple[list[Axis], tuple[float, float, float, float]]:
    """Return the axes of an image of this shape (rows, columns), and its box."""
    rows, columns = map(float, shape)
    return [Axis(0.0, length, scale="none") for length in (columns, rows)], (0.0, 0.0, columns, rows)


def _levels(fitted: Segmented, chosen: np.ndarray, shown: list[int], colours: list[str]) -> Panel:
    """Return the panel of prototypes by grey level and mass, above a histogram of the pixels.

    Masses of grey levels are curves; colours are placed by their brightness.
    """
    found, partition = fitted.run.found, fitted.partition
    levels = FULL_SCALE * found.prototypes.mean(axis=1)
    marks: list[Mark] = [histogram(found.to_pixels(levels))]
    if _is_grey(found):
        for j in shown:
            strokes = _stroke(colours[j], before=True), _stroke(colours[j])
            for masses, stroke in zip((fitted.before.masses, partition.masses), strokes):
                marks.append(Line(np.column_stack([levels, masses[:, j]]), stroke))
    objects = np.arange(len(levels), dtype=np.int32)
    places = np.column_stack([levels, partition.masses[objects, chosen]])
    marks.append(points_by_set(places, partition.focal_sets, chosen, SIZE, objects))
    x = LEVELS if _is_grey(found) else Axis(LEVELS.low, LEVELS.high, "brightness", ticks=LEVELS.ticks)
    title = "Masses by grey level" if _is_grey(found) else "Masses by brightness"
    return Panel("levels", BELOW, x, Axis(0.0, 1.06, "mass", ticks=UNIT), marks, title, grid=True)


def _stroke(colour: str, *, before: bool = False) -> Stroke:
    return Stroke(colour, 1.4, DASHED) if before else Stroke(colour, 2.2)


def _is_grey(found: ImagePrototypes) -> bool:
    return found.prototypes.shape[1] == 1


# -- the page --------------------------------------------------------------------------------------------


def tiles(fitted: Segmented) -> Iterable[Tile]:
    """Return the read-outs."""
    marked, errors = fitted.run.marked, [fitted.error(fitted.before), fitted.error(fitted.partition)]
    q, all_pairs = len(marked.constraints), marked.n_pairs
    before, after = _percent(fitted.share_omega_before), _percent(fitted.share_omega)
    tiles = [
        ("Ω before", before, "Pixels whose largest mass is on Ω, by ECM"),
        ("Ω after", after, "Pixels whose largest mass is on Ω, by CECM"),
        ("constrained", _percent(fitted.share_constrained), "Pixels whose prototype is in a constraint"),
        (
            "constraints",
            f"{q} of {all_pairs}" if all_pairs > q else q,
            "Pairs of prototypes; a random sample if there are very many",
        ),
        *outcome_tiles(fitted.outcomes),
        ("contested", len(marked.contested), "Prototypes that occur in both regions and get no constraint"),
        ("objective", f"{fitted.objective:.3g}", "Objective of CECM"),
        iteration_tile(fitted, "Iterations of CECM; ECM runs the same number, unless it ends earlier"),
    ]
    if None not in errors:
        wrong = "Pixels misclassified against the known lesion (pignistic), before and after"
        tiles.insert(2, ("wrong", " → ".join(map(_percent, errors)), wrong))
    return tiles


def picture_text(fitted: Segmented) -> str:
    """Return the description of the picture for screen readers."""
    areas = [int((fitted.run.regions == region).sum()) for region in (1, 2)]
    before, after = _percent(fitted.share_omega_before), _percent(fitted.share_omega)
    return (
        f"Two images of {fitted.subject.name} in {fitted.partition.n_clusters} clusters after "
        f"{fitted.iteration} of {fitted.n_iter} iterations: without constraints {before} of the pixels are "
        f"on Ω, with regions of {areas[0]} and {areas[1]} pixels {after}."
    )


def painting_text(image: ImageSubject, regions: np.ndarray) -> str:
    """Return the description of the image to paint on."""
    rows, columns = image.shape
    painted = [f"region {region}" for region in (1, 2) if (regions == region).any()]
    shown = f"; painted: {', '.join(painted)}" if painted else ""
    return f"Image {image.name}, {rows} rows and {columns} columns, to paint regions on{shown}."


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"

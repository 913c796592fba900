"""Table I and Figure 1: the three data sets, their sizes and what the text says of their objects.

Cat-diamond is rebuilt (see ``shared/tables.py``). Table I counts 12 objects in it, but Figure 1 and the text
have 13. It counts 17 attributes of Zoo; the public file has 16 beside the name and the class of each animal.

"Equivalent distances" of the tortoise (Section IV-D) has no margin in the paper. Here, two mean numbers of
attributes in which it differs from other animals are equivalent if they differ by at most one attribute.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from credalbench.papers import Choice, Finding, declare, knob, printed_values
from credalbench.papers.claims import above, all_of, claim, within
from credalbench.plots import PALETTE, new_figure
from credalbench.plots.style import INK, LABEL_SIZE, MUTED, TICK_SIZE, style_axes

from .shared.tables import BETWEEN, FAR, FIRST, LEFT, PLACES, RIGHT, SECOND, TITLES, diamond, problem

PRINTED = printed_values(__file__)
SIZES = {"n": "objects", "p": "attributes", "c": "classes"}
REBUILT = Choice(
    "the data are rebuilt from this sentence and the remains of the figure",
    among="values of two attributes for 13 objects",
    evidence="Figure 1, and what the text says of its objects",
)
FAR_OBJECTS = Choice(
    "the places of 12 and 13 are chosen so",
    among="places where at most one value is shared",
    evidence="Section IV-B: objects 12 and 13 are far from all others",
)


@dataclass(frozen=True)
class Parameters:
    """Which data sets."""

    datasets: tuple[str, ...] = knob(tuple(TITLES), "names of the data sets (Table I)")


def cases(params):
    return [{"dataset": name} for name in params.datasets]


def compute(params, case):
    name = case["dataset"]
    found = problem(name)
    n_clusters = int(PRINTED[f"{name}_c"].value) if found.y is None else len(found.class_names)
    row = {
        "n": len(found.table),
        "p": found.table.shape[1],
        "c": n_clusters,
        "n_constant": int((found.table.nunique() == 1).sum()),
        "n_values": int(found.table.nunique().sum()),
        "n_distinct": len(found.table.drop_duplicates()),
    }
    tables = {"sizes": pd.DataFrame([row])}
    if name == "cat_diamond":
        tables["diamond"] = pd.concat([placed(place) for place in PLACES], ignore_index=True)
    if name == "zoo":
        tables["animals"] = animals(found)
    return tables


def placed(place):
    """Return both attributes of the 13 objects, with 12 and 13 at `place`."""
    table = diamond(place).set_axis(["first", "second"], axis=1)
    numbers = pd.DataFrame({"convention": place, "object": np.arange(1, len(table) + 1)})
    return numbers.join(table)


def animals(zoo):
    """Return the facts that the text uses: whether animals are predators, fly or swim, and distances.

    Distances are numbers of attributes that differ, as means over the objects of a class; an animal itself
    is left out.
    """
    table = zoo.table
    codes = table.to_numpy()
    apart = (codes[:, None, :] != codes[None, :, :]).sum(axis=2).astype(float)
    np.fill_diagonal(apart, np.nan)
    rows = {
        "animal": list(zoo.object_names),
        "class": np.array(zoo.class_names)[zoo.y],
        "predator": table["predator"],
        "airborne": table["airborne"],
        "aquatic": table["aquatic"],
    }
    means = {f"to_{c}": np.nanmean(apart[:, zoo.y == k], axis=1) for k, c in enumerate(zoo.class_names)}
    birds = (rows["class"] == "bird") & (table["predator"] == "no").to_numpy()
    return pd.DataFrame(rows | means | {"to_herbivorous_birds": np.nanmean(apart[:, birds], axis=1)})


def draw(params, tables):
    return {"catecm-fig-01": draw_diamond(tables["diamond"])} if "diamond" in tables else {}


def draw_diamond(diamond):
    """Draw the grid of both attributes with the numbers of the objects; grey where places are lost."""
    figure = new_figure(6.4, 4.2)
    ax = figure.subplots()
    columns, rows = (sorted(diamond[attribute].unique()) for attribute in ("first", "second"))
    for row in diamond.drop_duplicates(["object", "first", "second"]).itertuples():
        other, lost = row.convention != PLACES[0], row.object in FAR
        place = (columns.index(row.first), rows.index(row.second))
        edge = MUTED if lost else PALETTE[0]
        look = {"ms": 21, "mfc": "white" if other else PALETTE[0] + ("22" if not lost else "11"), "mec": edge}
        ax.plot(*place, "s", ls="none", zorder=2, **look)
        text = f"{row.object}?" if lost else str(row.object)
        ax.text(*place, text, ha="center", va="center", fontsize=LABEL_SIZE, color=MUTED if other else INK)
    title = "Cat-diamond: one order of its categories, of many"
    style_axes(ax, title=title, xlabel="attribute 1", ylabel="attribute 2", grid="both")
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.set(xlim=(-0.6, len(columns) - 0.4), ylim=(-0.6, len(rows) - 0.4))
    note = "?: place lost\nwhite: 13 as in the\nremains of the figure"
    corner = {"transform": ax.transAxes, "ha": "right", "va": "bottom"}
    ax.text(0.99, 0.03, note, fontsize=TICK_SIZE, color=MUTED, **corner)
    return figure


# ------------------------------------------------------------------------------------------ Table I

EXPLANATIONS = {
    "cat_diamond": "erratum E12: Figure 1 and the text number 13 objects",
    "soybean": "",
    "zoo": "erratum E13: the public file has 16 attributes beside name and class of each animal: 17 counts "
    "one of the two",
}


@claim(
    "catecm-tab-01",
    "{title} has as many objects, attributes and classes as Table I says",
    sentence="{sentence}",
    published="{published}",
    explanation="{explanation}",
    each=[
        {
            "name": name,
            "title": TITLES[name],
            "sentence": sentence,
            "published": ", ".join(f"{PRINTED[f'{name}_{s}'].value:g} {what}" for s, what in SIZES.items()),
            "explanation": EXPLANATIONS[name],
        }
        for name, sentence in zip(TITLES, ("S17", "S18", "S19"))
    ],
)
def sizes_as_printed(params, tables, name):
    sizes = tables["sizes"].set_index("dataset")
    printed = {size: PRINTED[f"{name}_{size}"].value for size in SIZES}
    parts = [within(v, v, {SIZES[size]: sizes.loc[name, size]}, "g") for size, v in printed.items()]
    constant = sizes.loc[name, "n_constant"]
    note = f"{constant} attributes have one value only" if constant else ""
    return all_of(*parts, Finding(True, "", note))


# ------------------------------------------------------------------------------------------ Figure 1


def shared_values(diamond, attribute, numbers):
    """Return whether objects share their value of an attribute, in both readings of the figure."""
    chosen = diamond[diamond["object"].isin(numbers)]
    return bool((chosen.groupby("convention")[attribute].nunique() == 1).all())


@claim(
    "catecm-fig-01",
    "objects 2, 3 and 4 share a value of attribute 1, objects 8, 9 and 10 another, and both sets of objects "
    "have the same values of attribute 2: only attribute 1 tells them apart",
    sentence="S23",
    fitted=REBUILT,
)
def first_attribute_discriminates(params, tables):
    diamond = tables["diamond"]
    left, right = (diamond[diamond["object"].isin(numbers)] for numbers in (LEFT, RIGHT))
    alike = set(left["second"]) == set(right["second"])
    apart = set(left["first"]).isdisjoint(right["first"])
    together = all(shared_values(diamond, "first", numbers) for numbers in (LEFT, RIGHT))
    words = ", ".join(f"{'/'.join(sorted(set(part['first'])))}" for part in (left, right))
    return Finding(alike and apart and together, f"values of attribute 1: {words}")


@claim(
    "catecm-fig-01",
    "objects 1, 5, 6, 7 and 11 share the value of attribute 2 with objects 2 and 8, and of attribute 1 with "
    "neither",
    sentence="S26",
    fitted=REBUILT,
)
def between_share_the_second(params, tables):
    diamond = tables["diamond"]
    same = shared_values(diamond, "second", (FIRST, SECOND, *BETWEEN))
    of_centres = set(diamond.loc[diamond["object"].isin((FIRST, SECOND)), "first"])
    free = of_centres.isdisjoint(diamond.loc[diamond["object"].isin(BETWEEN), "first"])
    return Finding(same and free, f"one value of attribute 2: {same}; others of attribute 1: {free}")


@claim(
    "catecm-fig-01",
    "objects 12 and 13 share at most one value with any other object, and none with objects 2 and 8",
    sentence="S29",
    fitted=FAR_OBJECTS,
)
def last_two_are_far(params, tables):
    most, near = {}, []
    for place, rows in tables["diamond"].groupby("convention", sort=False):
        values = rows.set_index("object")[["first", "second"]]
        for number in FAR:
            shared = (values.drop(number) == values.loc[number]).sum(axis=1)
            most[f"{number}, {place}"] = shared.max()
            near.append(shared[[FIRST, SECOND]].max())
    return all_of(within(0, 1, most, "g"), within(0, 0, {"with 2 and 8": max(near)}, "g"))


# ------------------------------------------------------------------------------------------ Zoo

TORTOISE, FLIGHTLESS, SNAKE = "tortoise", ("rhea", "kiwi"), "seasnake"


@claim(
    "catecm-tab-01",
    "the tortoise is the only herbivorous reptile of Zoo, and from the other reptiles it differs in as many "
    "attributes as from the herbivorous birds, within one attribute",
    sentence="S41",
)
def tortoise(params, tables):
    rows = tables["animals"]
    herbivorous = rows[(rows["class"] == "reptile") & (rows["predator"] == "no")]["animal"]
    row = rows[rows["animal"] == TORTOISE].iloc[0]
    gap = row["to_reptile"] - row["to_herbivorous_birds"]
    note = f"mean number of attributes: {row['to_reptile']:.2f} and {row['to_herbivorous_birds']:.2f}"
    alone = Finding(list(herbivorous) == [TORTOISE], f"herbivorous: {', '.join(herbivorous)}")
    return all_of(alone, within(-1, 1, {"reptiles minus birds": gap}, "+.2f", note))


@claim(
    "catecm-tab-01",
    "rhea and kiwi do not fly, and of the classes other than birds none is nearer to them than reptiles",
    sentence="S42",
)
def flightless_birds(params, tables):
    rows = tables["animals"]
    chosen = rows[rows["animal"].isin(FLIGHTLESS)].set_index("animal")
    distances = chosen.filter(regex="^to_").drop(columns=["to_bird", "to_herbivorous_birds"])
    nearest = distances.drop(columns="to_reptile").min(axis=1) - distances["to_reptile"]
    others = rows[(rows["class"] == "bird") & (rows["airborne"] == "no") & ~rows["animal"].isin(FLIGHTLESS)]
    grounded = Finding(
        (chosen["airborne"] == "no").all(),
        f"{', '.join(chosen.index)}: on the ground",
        f"so are {' and '.join(others['animal'])}, which the text does not name",
    )
    return all_of(grounded, within(0, np.inf, nearest.to_dict(), "+.2f", "next class minus reptiles"))


@claim(
    "catecm-tab-01",
    "the sea snake is a reptile, lives in water, and is nearer to the fishes or amphibians than to its class",
    sentence="S44",
)
def sea_snake(params, tables):
    row = tables["animals"].set_index("animal").loc[SNAKE]
    gap = row["to_reptile"] - min(row["to_fish"], row["to_amphibian"])
    note = ", ".join(f"{c} {row[f'to_{c}']:.2f}" for c in ("reptile", "fish", "amphibian"))
    swims = Finding(row["class"] == "reptile" and row["aquatic"] == "yes", f"{row['class']}, in water")
    return all_of(swims, above(0, {"reptiles minus the nearer": gap}, "+.2f", note))


experiment = declare(
    __name__,
    title="The three categorical data sets",
    artefacts={"catecm-tab-01": "Characteristics of the data sets", "catecm-fig-01": "Cat-diamond"},
    data=("soybean_small", "zoo"),
)

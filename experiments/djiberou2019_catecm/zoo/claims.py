"""What the text says of Figures 3 and 4, judged on sets of at most two clusters and 16 attributes."""

import pandas as pd

from credalbench.core.intervals import Estimate, bootstrap, difference, mean, proportion
from credalbench.papers import NotCheckable, printed_values
from credalbench.papers.claims import above, agrees, below, claim
from credalbench.papers.reasons import OPEN_SETTING

from ..shared.restarts import DRAWN, best_of_each, excess_kept, shares_of_lowest
from ..shared.tables import ATTRIBUTES

CURVE, MAP = "catecm-fig-03", "catecm-fig-04"
PRINTED = printed_values(__file__)
FEW, ALL = SETS = ("at most two", "all")
CLASSES = int(PRINTED["optimal_c"].value)
#: The set of clusters, by their classes, and the animals that the text finds there.
IMPRECISE = {"bird + reptile": ("kiwi", "rhea", "tortoise"), "amphibian + fish": ("seasnake",)}
NAMED = tuple(animal for animals in IMPRECISE.values() for animal in animals)
#: Reading (sets, attributes) -> how it is called; the first is judged, the others are shown, too.
READINGS = {
    (FEW, ATTRIBUTES[0]): "sets of at most two clusters, 16 attributes",
    (ALL, ATTRIBUTES[0]): "all sets, 16 attributes",
    (FEW, ATTRIBUTES[1]): "sets of at most two clusters, with the class as an attribute",
    (FEW, ATTRIBUTES[2]): "sets of at most two clusters, with the name as an attribute",
}
FIRST, *OTHERS = READINGS


# ---------------------------------------------------------------- reading the runs


def of(tables: dict, name: str, reading: tuple[str, str]) -> pd.DataFrame:
    """Return the rows of one reading."""
    sets, attributes = reading
    table = tables[name] if name in tables else pd.DataFrame(columns=["focal_sets", "convention"])
    rows = table[(table["focal_sets"] == sets) & (table["convention"] == attributes)]
    if rows.empty:
        raise NotCheckable(f"{READINGS[reading]}: not in this run")
    return rows


def is_there(tables: dict, reading: tuple[str, str]) -> bool:
    """Return whether this run has seven clusters in one reading."""
    runs, (sets, attributes) = tables["runs"], reading
    chosen = (runs["focal_sets"] == sets) & (runs["convention"] == attributes) & (runs["c"] == CLASSES)
    return bool(chosen.any())


def kept(tables: dict, reading: tuple[str, str]) -> pd.DataFrame:
    """Return what each experiment keeps of its ten starts, by number of clusters."""
    return best_of_each(of(tables, "runs", reading), "c")


def with_all_classes(tables: dict, reading: tuple[str, str]) -> pd.DataFrame:
    """Return what each experiment keeps with as many clusters as there are classes."""
    rows = kept(tables, reading)
    rows = rows[rows["c"] == CLASSES]
    if rows.empty:
        raise NotCheckable(f"c = {CLASSES} is not among the numbers of clusters of this run")
    return rows


def curve(tables: dict, reading: tuple[str, str]) -> pd.DataFrame:
    """Return the nonspecificity: a row for each number of clusters, a column for each experiment."""
    return kept(tables, reading).pivot(index="c", columns="repetition", values="nonspecificity")


def best_number(curve: pd.DataFrame) -> Estimate:
    """Return the number of clusters of least mean nonspecificity."""
    places = curve.index.to_numpy(dtype=float)
    return bootstrap(lambda values: places[values.mean(axis=-1).argmin(axis=-1)], curve.to_numpy())


# ---------------------------------------------------------------- summaries


def other_readings(params, tables) -> pd.DataFrame:
    """Return the results of each reading: the best c, and the means with seven clusters."""
    rows = {}
    for reading, name in READINGS.items():
        if not is_there(tables, reading):
            continue
        best, values = with_all_classes(tables, reading), curve(tables, reading)
        shares = shares_of_lowest(of(tables, "runs", reading).query("c == @CLASSES"))
        rows[name] = {
            "c of least nonspecificity": f"{best_number(values):.0f}",
            "nonspecificity": f"{best['nonspecificity'].mean():.3f}",
            "accuracy": f"{best['accuracy'].mean():.3f}",
            "accuracy by majority": f"{best['majority'].mean():.3f}",
            "seven classes found": f"{(best['n_classes'] == CLASSES).mean():.0%}",
            "animals on several clusters": f"{best['n_imprecise'].mean():.1f}",
            "experiments that reach the lowest": f"{shares['of the experiments'].value:.0%}",
        }
    return pd.DataFrame(rows).T


def other_starts(params, tables) -> pd.DataFrame:
    """Return the results of seven clusters from starting weights drawn in other ways, by sets and way."""
    rows = {}
    for (sets, drawn), runs in by_start(tables).items():
        best = best_of_each(runs)
        rows[sets, drawn] = {
            "lowest objective": f"{runs['objective'].min():.4f}",
            "kept, median": f"{best['objective'].median():.4f}",
            "accuracy": f"{best['accuracy'].mean():.3f}",
            "nonspecificity": f"{best['nonspecificity'].mean():.3f}",
            "starts with seven classes": f"{(runs['n_classes'] == CLASSES).mean():.1%}",
            "experiments that keep one": f"{(best['n_classes'] == CLASSES).mean():.0%}",
        }
    return pd.DataFrame(rows).T.rename_axis(["focal_sets", "starting weights"])


def by_start(tables) -> dict[tuple[str, str], pd.DataFrame]:
    """Return the runs with seven clusters on 16 attributes, by sets and way of drawing."""
    runs = pd.concat([tables["runs"], tables["drawn"]], ignore_index=True)
    runs = runs[(runs["c"] == CLASSES) & (runs["convention"] == ATTRIBUTES[0])]
    return {
        (sets, drawn): rows
        for sets in SETS
        for drawn in DRAWN
        if len(rows := runs[(runs["focal_sets"] == sets) & (runs["drawn"] == drawn)])
    }


def between_clusters(params, tables) -> pd.DataFrame:
    """Tabulate animals on sets of several clusters in the solution of lowest objective, by reading."""
    animals = tables.get("animals", pd.DataFrame(columns=["focal_sets", "convention", "set", "animal"]))
    chosen = animals[animals["set"].str.contains("+", regex=False)]
    groups = chosen.groupby(["focal_sets", "convention", "set"], sort=False)["animal"]
    return groups.agg(n="size", animals=", ".join).reset_index()


def from_the_classes(params, tables) -> pd.DataFrame:
    """Tabulate the start that knows the classes and random ones, with seven clusters, by reading."""
    rows = {}
    for reading, name in READINGS.items():
        if not is_there(tables, reading):
            continue
        informed = of(tables, "from_classes", reading).iloc[0]
        objectives = of(tables, "runs", reading).query("c == @CLASSES")["objective"]
        rows[name] = {
            "objective": round(informed["objective"], 4),
            "lowest of the random starts": round(objectives.min(), 4),
            "random starts below it": f"{(objectives < informed['objective'] - 1e-6).mean():.1%}",
            "accuracy": round(informed["accuracy"], 3),
            "classes with a cluster": informed["n_classes"],
            "nonspecificity": round(informed["nonspecificity"], 4),
            "between clusters": informed["between"],
        }
    return pd.DataFrame(rows).T


# ---------------------------------------------------------------- Figure 3

FLAT = "from c = 3 on the curve is flat: it changes by less than experiments of ten starts differ by"


@claim(
    CURVE,
    "of c = 2 to 8 the mean nonspecificity is least at the printed number of clusters",
    sentence="S38",
    published=f"c = {CLASSES}, the real number of classes",
    explanation=FLAT,
)
def least_at_seven(params, tables):
    values, runs = curve(tables, FIRST), of(tables, "runs", FIRST)
    lowest = runs.loc[runs.groupby("c")["objective"].idxmin()].set_index("c")["nonspecificity"]
    means = ", ".join(f"{c}: {row.mean():.4f}" for c, row in values.iterrows())
    alone = proportion(values.idxmin() == CLASSES)
    note = (
        f"means by c: {means}; of single experiments {alone:.0%} have it at {CLASSES}; in the solutions of "
        f"lowest objective it is at {lowest.idxmin()}"
    )
    return agrees(PRINTED["optimal_c"], best_number(values), ".0f", note)


@claim(
    CURVE,
    "the nonspecificity with seven clusters is below that with any other number, from 2 to 8",
    sentence="S38",
    explanation=FLAT,
)
def seven_below_the_others(params, tables):
    values = curve(tables, FIRST)
    if CLASSES not in values.index:
        raise NotCheckable(f"c = {CLASSES} is not among the numbers of clusters of this run")
    others = values.drop(CLASSES)
    gaps = {f"beside c = {c}": difference(values.loc[CLASSES], row) for c, row in others.iterrows()}
    return below(0, gaps, "+.4f")


@claim(
    CURVE,
    "most experiments of ten starts reach the lowest objective of all starts, for each number of clusters",
    sentence="S21",
    explanation="erratum E14: up to c = 4 ten starts do; from there on the objective has many resting points",
)
def ten_starts_suffice(params, tables):
    groups = of(tables, "runs", FIRST).groupby("c")
    shares = {c: shares_of_lowest(rows) for c, rows in groups}
    excess = ", ".join(f"{c}: {excess_kept(rows):.1%}" for c, rows in groups)
    note = f"median excess of the objective that is kept: {excess}"
    return above(0.5, {f"c = {c}": s["of the experiments"] for c, s in shares.items()}, ".0%", note)


# ---------------------------------------------------------------- Figure 4


SPLIT = (
    "the starts are not printed. Lower solutions than that of Figure 4 split the mammals, 41 of the 101 "
    "animals, and leave a small class without a cluster, mostly reptiles or amphibians; the seven classes "
    "are a resting point, too (erratum E14), but many random starts end lower"
)


@claim(
    MAP,
    "the accuracy with seven clusters is the printed one, with clusters and classes matched one to one or by "
    "majority",
    published=PRINTED["accuracy"],
    cause=OPEN_SETTING,
    explanation=SPLIT,
)
def accuracy_as_printed(params, tables):
    """Allow for the scatter of one experiment, because one experiment is printed."""
    best, runs = with_all_classes(tables, FIRST), of(tables, "runs", FIRST).query("c == @CLASSES")
    note = "; ".join(
        f"{READINGS[r]}: {with_all_classes(tables, r)['accuracy'].mean():.3f}"
        for r in OTHERS
        if is_there(tables, r)
    )
    return agrees(
        {"one to one": PRINTED["accuracy"], "by majority": PRINTED["accuracy"]},
        {"one to one": mean(best["accuracy"]), "by majority": mean(best["majority"])},
        ".3f",
        f"one to one: {mean(best['accuracy']):.3f}, highest of all starts {runs['accuracy'].max():.3f}; by "
        f"majority: {mean(best['majority']):.3f}; one to one in other readings: {note}",
    )


@claim(
    MAP,
    "the seven clusters stand for the seven classes: in most experiments each class is that of most animals "
    "of one cluster",
    sentence="S39",
    cause=OPEN_SETTING,
    explanation=SPLIT,
)
def clusters_are_classes(params, tables):
    best = with_all_classes(tables, FIRST)
    found = {"share of the experiments": proportion(best["n_classes"] == CLASSES)}
    note = f"without a cluster: {most_often(best['without_cluster'])}; with several: " + most_often(
        best["with_several"]
    )
    return above(0.5, found, ".0%", note)


def most_often(values: pd.Series) -> str:
    """Return the classes in texts such as "fish, mammal", with the share of the texts that name each."""
    shares = values.str.split(", ").explode().value_counts() / len(values)
    return ", ".join(f"{name} {share:.0%}" for name, share in shares.items())


@claim(
    MAP,
    "in most experiments of ten starts the animals on the set {words} are {animals}, and no others",
    sentence="{sentence}",
    published="{animals}",
    cause=OPEN_SETTING,
    explanation=SPLIT,
    each=[
        {"place": place, "words": f"({place})", "animals": ", ".join(animals), "sentence": sentence}
        for (place, animals), sentence in zip(IMPRECISE.items(), ("S40", "S43"))
    ],
)
def animals_between(params, tables, place):
    rows, named = of(tables, "animals", FIRST), of(tables, "named", FIRST)
    expected = IMPRECISE[place]
    there = named[named["set"] == place].groupby("repetition")["animal"].apply(set)
    experiments = best_of_each(of(tables, "runs", FIRST).query("c == @CLASSES"))["repetition"]
    kept = proportion([there.get(number) == set(expected) for number in experiments])
    lowest = ", ".join(sorted(rows.loc[rows["set"] == place, "animal"])) or "none"
    often = named[named["set"] == place].groupby("animal").size() / len(experiments)
    shares = ", ".join(f"{animal} {often.get(animal, 0):.0%}" for animal in expected)
    note = f"in the solution of lowest objective: {lowest}; in this share of the experiments: {shares}"
    return above(0.5, {"share of the experiments": kept}, ".0%", note)

"""What the text says of Figure 2, judged with each distance on both places of objects 12 and 13.

A sentence holds if the global minimum of the objective is as the sentence says, on both places. The notes
also say how often an experiment of ten starts ends in such a solution.
"""

from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd

from credalbench.belief import CredalPartition, FocalSets
from credalbench.core.intervals import Estimate, proportion
from credalbench.papers import Finding, NotCheckable, printed_values
from credalbench.papers.claims import above, below, claim

from ..shared.restarts import shares_that_reach
from ..shared.tables import BETWEEN, FAR, FIRST, LEFT, PLACES, RIGHT, SECOND

ARTEFACT = "catecm-fig-02"
PRINTED = printed_values(__file__)
FOCAL_SETS = FocalSets.full(2)
EMPTY, OMEGA = FOCAL_SETS.labels[0], FOCAL_SETS.labels[-1]
CERTAIN = 1 - PRINTED["mass_2"].precision
#: Way -> how its distance is called.
WAYS = {
    "printed": "with equation (10) as printed",
    "without 1/p": "without the factor 1/p of equation (10)",
    "smaller delta": "with equation (10) and a smaller delta",
}


# ---------------------------------------------------------------- reading the runs


def of(tables: dict, name: str, way: str, place: str) -> pd.DataFrame:
    """Return the rows of one way and place."""
    table = tables[name]
    return table[(table["way"] == way) & (table["convention"] == place)]


def solution(tables: dict, way: str, place: str) -> pd.DataFrame:
    """Return the 13 objects at the global minimum of the objective, one row each, by object number."""
    return of(tables, "minimum", way, place).set_index("object")


def in_order(solution: pd.DataFrame) -> pd.DataFrame:
    """Put object 2 into the first cluster, as in the paper's figure: the numbers of clusters are chance."""
    first, second = solution["{1}"], solution["{2}"]
    swapped = first.loc[FIRST] < second.loc[FIRST]
    return solution.assign(**{"{1}": second, "{2}": first}) if swapped else solution


def partition_of(solution: pd.DataFrame) -> CredalPartition:
    return CredalPartition(solution[FOCAL_SETS.labels].to_numpy(), FOCAL_SETS)


def sets_of(solution: pd.DataFrame) -> pd.Series:
    """Return the set of the largest mass of each object, in words."""
    chosen = partition_of(solution).hard_credal()
    return pd.Series([FOCAL_SETS.labels[j] for j in chosen], index=solution.index)


# ---------------------------------------------------------------- the sentences


def two_clusters(solution: pd.DataFrame) -> bool:
    sets = sets_of(solution)
    first, second = (set(sets[list(numbers)]) for numbers in (LEFT, RIGHT))
    return len(first) == len(second) == 1 and first | second == set(FOCAL_SETS.labels[1:3])


def certain(solution: pd.DataFrame) -> bool:
    """Return whether objects 2 and 8 have all their mass on one cluster each, as far as a picture shows."""
    masses = solution.loc[[FIRST, SECOND], FOCAL_SETS.labels[1:3]].to_numpy()
    return bool((masses.max(axis=1) >= CERTAIN).all() and np.ptp(masses.argmax(axis=1)) == 1)


def between(solution: pd.DataFrame) -> bool:
    return set(sets_of(solution)[list(BETWEEN)]) == {OMEGA}


def outlying(solution: pd.DataFrame) -> bool:
    found = partition_of(solution).outliers()
    return bool(found[[solution.index.get_loc(number) for number in FAR]].all())


#: Sentence -> its text and its check on one solution.
SENTENCES: dict[str, tuple[str, Callable]] = {
    "S22": ("objects 2, 3 and 4 are grouped in one cluster, objects 8, 9 and 10 in the other", two_clusters),
    "S24": ("objects 2 and 8 are allocated to their clusters with full certainty", certain),
    "S27": ("objects 1, 5, 6, 7 and 11 have their largest mass on Omega", between),
    "S28": ("objects 12 and 13 have their largest mass on the empty set", outlying),
}


def shares_of_minimum(tables: dict, way: str, place: str) -> dict[str, Estimate]:
    """Return how often a start, and how often the best start of an experiment, reaches the global minimum."""
    return shares_that_reach(
        of(tables, "runs", way, place), solution(tables, way, place)["objective"].iloc[0]
    )


def share_kept(tables: dict, way: str, place: str, names: Iterable[str]) -> Estimate:
    """Return the share of the experiments of ten starts whose solution is as all the named sentences say."""
    groups = of(tables, "objects", way, place).groupby("repetition")
    each = [rows.set_index("object") for _, rows in groups]
    return proportion([all(SENTENCES[name][1](rows) for name in names) for rows in each])


# ---------------------------------------------------------------- summaries


def sentences_by_way(params, tables) -> pd.DataFrame:
    """Return which sentences about Figure 2 hold at the global minimum of the objective, by way and place."""
    rows = {
        (name, text): {
            (way, place): "yes" if check(solution(tables, way, place)) else "NO"
            for way in WAYS
            for place in PLACES
        }
        for name, (text, check) in SENTENCES.items()
    }
    return pd.DataFrame(rows).T.rename_axis(["sentence", "text"])


def kept_of_ten_starts(params, tables) -> pd.DataFrame:
    """Return shares of starts and experiments at the global minimum, and of those true to all sentences."""
    rows = {}
    for way in WAYS:
        for place in PLACES:
            shares = shares_of_minimum(tables, way, place)
            true = share_kept(tables, way, place, SENTENCES)
            rows[way, place] = {
                "starts that reach the minimum": f"{shares['of the starts']:.1%}",
                "experiments that do": f"{shares['of the experiments']:.1%}",
                "experiments true to all sentences": f"{true:.1%}",
            }
    return pd.DataFrame(rows).T.rename_axis(["way", "convention"])


def solutions(params, tables) -> pd.DataFrame:
    """Return the five lowest results of each way: objects on prototypes, and how many starts end there."""
    runs = tables["runs"][tables["runs"]["convention"] == PLACES[0]]
    runs = runs.assign(objective=runs["objective"].round(4))
    found = runs.groupby(["way", "objective", "centres"], sort=False).size().rename("n_starts").reset_index()
    found["share"] = (found["n_starts"] / found.groupby("way")["n_starts"].transform("sum")).round(3)
    return found.sort_values(["way", "objective"]).groupby("way").head(5).reset_index(drop=True)


# ---------------------------------------------------------------- claims of the paper

NO_OUTLIER = (
    "erratum E10: with the factor 1/p every distance is at most 1 and delta = 1.05: an object that is "
    "equally far from both clusters always has more mass on Omega, and more on each cluster, than on the "
    "empty set. Without the factor, or with a smaller delta, the sentence holds: the figure seems to be made "
    "with one of these"
)


@claim(
    ARTEFACT,
    f"{WAYS['printed']}: in most experiments of ten starts {{text}}",
    sentence="{name}",
    explanation="{explanation}",
    each=[
        {"name": name, "text": text, "explanation": NO_OUTLIER if name == "S28" else ""}
        for name, (text, _) in SENTENCES.items()
    ],
)
def sentence_holds(params, tables, name):
    """Judge whether the sentence is true of what most experiments of ten starts keep, in both places."""
    words = []
    for place in PLACES:
        found = solution(tables, "printed", place)
        true = "so it is" if SENTENCES[name][1](found) else "not so"
        words.append(f"{place}, at the global minimum: {true}, {in_words(name, found)}")
    shares = {place: share_kept(tables, "printed", place, [name]) for place in PLACES}
    return above(0.5, shares, ".0%", "; ".join(words))


def in_words(name: str, solution: pd.DataFrame) -> str:
    """Return the masses that a sentence is about."""
    if name in ("S22", "S24"):
        numbers, labels = ((3, 9) if name == "S22" else (FIRST, SECOND)), FOCAL_SETS.labels[1:3]
        return ", ".join(f"m_{k} = {solution.loc[k, labels].max():.3f}" for k in numbers)
    number, label = (1, OMEGA) if name == "S27" else (12, EMPTY)
    other = OMEGA if name == "S28" else FOCAL_SETS.labels[1]
    masses = solution.loc[number]
    return f"m_{number}({label}) = {masses[label]:.3f}, m_{number}({other}) = {masses[other]:.3f}"


@claim(
    ARTEFACT,
    "the masses of objects 2 and 8 on their clusters are the printed full certainty",
    published=", ".join(f"m_{k} = {PRINTED[f'mass_{k}'].value:g}" for k in (FIRST, SECOND)),
)
def certain_masses(params, tables):
    raise NotCheckable(
        "true by construction: an object on a prototype has all its mass there. What can fail is that the "
        "prototypes lie on objects 2 and 8, sentence S25",
        [PRINTED[f"mass_{number}"] for number in (FIRST, SECOND)],
    )


@claim(
    ARTEFACT,
    f"{WAYS['printed']}: at the global minimum both prototypes lie on objects 2 and 8",
    sentence="S25",
)
def centres_on_objects(params, tables):
    """Judge on which objects the prototypes lie at the global minimum, in both places."""
    found = {place: solution(tables, "printed", place).iloc[0] for place in PLACES}
    words = "; ".join(f"{place}: on {row['centres']}" for place, row in found.items())
    alone = all(row["n_minima"] == 1 for row in found.values())
    pairs = found[PLACES[0]]["n_pairs"]
    note = f"of {pairs} pairs of crisp prototypes" + ("" if alone else ", several are as low")
    true = all(set(row["centres"].split(", ")) == {str(FIRST), str(SECOND)} for row in found.values())
    return Finding(true and alone, words, note)


@claim(
    ARTEFACT,
    f"{WAYS['printed']}: most experiments of ten starts reach the global minimum of the objective",
    sentence="S21",
)
def ten_starts_suffice(params, tables):
    """Judge whether most experiments reach the global minimum, in both places."""
    shares = {place: shares_of_minimum(tables, "printed", place) for place in PLACES}
    note = "; ".join(
        f"{place}: {share['of the starts']:.1%} of the starts" for place, share in shares.items()
    )
    return above(0.5, {place: share["of the experiments"] for place, share in shares.items()}, ".0%", note)


@claim(
    ARTEFACT,
    "with the categories of both attributes in the reverse order cat-ECM finds the same masses",
    sentence="S20",
)
def order_means_nothing(params, tables):
    ours, other = (
        in_order(rows)[FOCAL_SETS.labels].to_numpy()
        for rows in (solution(tables, "printed", PLACES[0]), tables["renamed"].set_index("object"))
    )
    return below(1e-9, {"largest difference of a mass": np.abs(ours - other).max()}, ".1e")

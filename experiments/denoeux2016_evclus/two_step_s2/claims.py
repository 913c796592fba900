"""Sentences of the paper on the two-step procedure on S2, checked on the study's tables.

The paper shows one run. Ours are those that end in the lowest minimum; their differences show how far one run
may be from another.
"""

import numpy as np

from credalbench.core.intervals import difference, mean, median
from credalbench.papers import Choice, Finding, NotCheckable
from credalbench.papers.claims import above, agrees, all_of, below, claim, within
from credalbench.papers.reasons import TIMES

from .pairs import (
    PRINTED,
    PRINTED_PAIRS,
    added_pairs,
    neighbours_at,
    numbered_as_printed,
    shown,
    similarity_matrix,
)

NEAR = 0.05  # a start "has arrived" within 5 % of the lowest stress; sampled pairs move it by about 1 %
ROUNDING = 1e-9  # of sums over half a million squares
NULL = 5e-4  # a mass that is written as 0.000
ONE_RUN = "the paper shows one run; its sampled pairs, start, row updates and scaling are not printed"
NUMBERS = Choice(
    "our clusters are given the paper's numbers by the printed pairs and similarities",
    among="the 15! numberings of the clusters",
    evidence="Example 6: the printed pairs, and the similarities of clusters 1 and 4",
)
VALUE = {name: f"{printed.value:g}" for name, printed in PRINTED.items()}


# ---------------------------------------------------------------- pairs that are offered all at once


def offered(params, tables):
    """Tabulate all pairs as focal sets with the paper's numbers of the clusters, and their adjacency."""
    rows = tables["pairs"].query("updates == 'one-sided' and start == @params.all_pairs_start")
    numbers, same = numbered_as_printed(rows, params.n_clusters)
    if not same or "all_pairs" not in tables:
        raise NotCheckable("the clusters of the run with all pairs have no numbers of the paper")
    table = tables["all_pairs"].merge(rows[["cluster", "other", "adjacent"]], on=["cluster", "other"])
    ends = np.sort(numbers[table[["cluster", "other"]].to_numpy() - 1], axis=1)
    return table.assign(pair=[tuple(map(int, pair)) for pair in ends]).set_index("pair")


@claim(
    "evclus-ex-05",
    "with all pairs as focal sets, clusters 1 and 7 do not touch and no object has a mass on them (0.000)",
    sentence="S71",
    explanation=ONE_RUN,
    fitted=NUMBERS,
)
def nothing_on_distant_clusters(params, tables):
    row = offered(params, tables).loc[[(1, 7)]].iloc[0]
    touch = Finding(not row["adjacent"], "they touch" if row["adjacent"] else "they do not touch")
    return all_of(touch, below(NULL, {"largest mass": row["largest_mass"]}, ".1e"))


@claim(
    "evclus-ex-05",
    "with all pairs as focal sets, clusters 1 and 4 touch, and they have a mass of more than one object",
    sentence="S72",
    explanation=ONE_RUN,
    fitted=NUMBERS,
)
def mass_on_neighbours(params, tables):
    row = offered(params, tables).loc[[(1, 4)]].iloc[0]
    touch = Finding(row["adjacent"], "they touch" if row["adjacent"] else "they do not touch")
    note = f"its largest mass is {row['largest_mass']:.3f}"
    return all_of(touch, above(1, {"mass over all objects": row["mass"]}, ".1f", note))


@claim(
    "evclus-ex-05",
    "with all pairs as focal sets, most of them have less mass, over all objects, than one object has",
    sentence="S70",
    explanation=ONE_RUN,
)
def few_pairs_are_used(params, tables):
    if "all_pairs" not in tables:
        raise NotCheckable("no run has all pairs as focal sets")
    mass, ruled = tables["all_pairs"]["mass"], tables["all_pairs"]["n_ruled"] > 0
    note = (
        f"{(mass > 1).sum()} of {len(mass)} have more, {ruled.sum()} are the first choice of an object, and "
        f"{(mass > 0).sum()} have any mass at all"
    )
    return below(0.5, {"share of the pairs that have more": (mass > 1).mean()}, ".2f", note)


# ---------------------------------------------------------------- the pairs of clusters


def arrived(tables, updates="one-sided"):
    """Return the starts whose first step came within 5 % of the lowest stress."""
    first = tables["runs"].query("K == 0 and updates == @updates")
    return first.loc[first["stress"] <= (1 + NEAR) * first["stress"].min(), "start"].tolist()


def over_arrived(tables, column, K):
    """Return a column of the runs of one step, for the starts that arrived."""
    rows = tables["runs"].query("K == @K and updates == 'one-sided'").set_index("start")
    return rows.loc[arrived(tables), column]


def of_arrived(tables):
    """Start -> its table of pairs of clusters, for the starts that arrived."""
    table = tables["pairs"].query("updates == 'one-sided'")
    return {start: table[table["start"] == start] for start in arrived(tables)}


def as_in_the_paper(params, printed):
    if params.n_clusters != 15:
        raise NotCheckable("printed for 15 clusters", printed)


@claim(
    "evclus-ex-06",
    "the numbers of pairs of mutual nearest neighbours are as printed, for K = 1 and 2",
    sentence="S73 S74",
    published=f"{VALUE['n_pairs_1']} and {VALUE['n_pairs_2']} of {VALUE['pairs_total']} pairs",
    explanation=ONE_RUN,
)
def number_of_pairs(params, tables):
    printed = {f"K = {K}": PRINTED[f"n_pairs_{K}"] for K in (1, 2)}
    as_in_the_paper(params, printed.values())
    ours = {
        f"K = {K}": mean([len(added_pairs(pairs, K)) for pairs in of_arrived(tables).values()])
        for K in (1, 2)
    }
    counts = "; ".join(f"K = {K}: {pairs_per_start(tables, K)} of all starts" for K in (1, 2))
    return agrees(printed, ours, ".1f", f"over the {len(arrived(tables))} starts of lowest stress; {counts}")


def pairs_per_start(tables, K):
    """Return how often each number of pairs came up, in words: "4 in 18, 5 in 2"."""
    table = tables["pairs"].query("updates == 'one-sided'")
    numbers = table["mutual_from_K"].between(1, K).groupby(table["start"]).sum()
    return ", ".join(f"{value} in {times}" for value, times in numbers.value_counts().sort_index().items())


@claim(
    "evclus-ex-06",
    "each printed pair becomes one of mutual nearest neighbours at the printed K, up to the numbering of the "
    "clusters",
    sentence="S73 S74",
    published="; ".join(" ".join(f"{{{j},{l}}}" for j, l in pairs) for pairs in PRINTED_PAIRS.values()),
    explanation="a third neighbour may be nearly as similar as the second, and a local minimum has others: "
    + ONE_RUN,
    fitted=NUMBERS,
)
def same_network(params, tables):
    listed = [pair for pairs in PRINTED_PAIRS.values() for pair in pairs]
    printed = {f"{{{j},{l}}}": PRINTED[f"pair_{j}_{l}"] for j, l in listed}
    as_in_the_paper(params, printed.values())
    pairs = shown(params, tables, "pairs")
    numbers, same = numbered_as_printed(pairs, params.n_clusters)
    since = {
        tuple(sorted((int(numbers[j - 1]), int(numbers[l - 1])))): K
        for K in range(1, params.n_clusters)
        for j, l in neighbours_at(pairs, K)
    }
    starts = of_arrived(tables).values()
    n_same = sum(numbered_as_printed(one, params.n_clusters)[1] for one in starts)
    note = (
        f"{'the same' if same else 'another'} network; the same in {n_same} of {len(starts)} starts of "
        f"lowest stress"
    )
    return agrees(printed, {f"{{{j},{l}}}": since.get((j, l), 0) for j, l in listed}, ".0f", note)


@claim(
    "evclus-ex-06",
    "the similarities of clusters 1 and 4 with all 15 are as printed",
    published="S(1, l) and S(4, l), l = 1 to 15",
    explanation=ONE_RUN,
    fitted=NUMBERS,
)
def similarities_as_printed(params, tables):
    printed = {f"S({j},{l})": PRINTED[f"s_{j}_{l}"] for j in (1, 4) for l in range(1, 16)}
    as_in_the_paper(params, printed.values())
    found = []
    for pairs in of_arrived(tables).values():
        numbers, same = numbered_as_printed(pairs, params.n_clusters)
        if same:
            order = np.argsort(numbers)
            found.append(similarity_matrix(pairs, params.n_clusters)[np.ix_(order, order)][[0, 3]].ravel())
    if not found:
        raise NotCheckable("no start of lowest stress has the printed network", printed.values())
    ours = {label: mean(values) for label, values in zip(printed, np.transpose(found))}
    return agrees(printed, ours, ".1f", f"means over {len(found)} starts that have the printed network")


# ---------------------------------------------------------------- ambiguous objects


def in_words(counts):
    return f"{counts.min():.0f} to {counts.max():.0f} over {len(counts)} starts of lowest stress"


@claim(
    "evclus-fig-27",
    "the number of ambiguous objects after the first step is as printed",
    sentence="S75",
    published=f"{VALUE['ambiguous_first']} of {VALUE['n_objects']}",
    explanation=ONE_RUN,
)
def few_are_ambiguous(params, tables):
    counts = over_arrived(tables, "n_ambiguous", 0)
    return agrees(PRINTED["ambiguous_first"], {"mean": mean(counts)}, ".1f", in_words(counts))


@claim(
    "evclus-fig-27",
    "after the first step, fewer objects are ambiguous than are assigned to the cluster of another class",
    sentence="S75",
)
def fewer_than_in_truth(params, tables):
    counts, wrong = (over_arrived(tables, name, 0) for name in ("n_ambiguous", "n_misclassified"))
    note = f"means: {counts.mean():.1f} ambiguous, {wrong.mean():.1f} in the cluster of another class"
    return below(0, {"difference": difference(counts, wrong)}, "+.1f", note)


@claim(
    "evclus-fig-28",
    "the number of ambiguous objects after the second step with K = 1 is as printed",
    sentence="S76",
    published=f"{VALUE['ambiguous_second']} of {VALUE['n_objects']}",
    explanation=ONE_RUN,
)
def pairs_make_ambiguous(params, tables):
    if 1 not in params.n_neighbors:
        raise NotCheckable("K = 1 is not run", [PRINTED["ambiguous_second"]])
    counts = over_arrived(tables, "n_ambiguous", 1)
    return agrees(PRINTED["ambiguous_second"], {"mean": mean(counts)}, ".1f", in_words(counts))


@claim(
    "evclus-fig-28",
    "clusters between which objects are ambiguous touch, two by two, after the first step and after the "
    "second",
    sentence="S76",
    explanation=ONE_RUN,
)
def ambiguous_at_borders_only(params, tables):
    pairs, objects = (shown(params, tables, name) for name in ("pairs", "objects"))
    apart = pairs[(pairs["cluster"] != pairs["other"]) & ~pairs["adjacent"]]
    counts = {}
    for K in (0, params.n_neighbors[0]):
        masks = objects[f"undominated_{K}"].to_numpy()
        outlier = objects[f"outlier_{K}"].to_numpy()
        both = [(masks >> (j - 1)) & (masks >> (l - 1)) & 1 for j, l in zip(apart["cluster"], apart["other"])]
        across = np.any(both, axis=0) & ~outlier if both else np.zeros(len(masks), bool)
        counts[f"K = {K}" if K else "first step"] = int(across.sum())
    note = f"ambiguous objects between clusters of which two do not touch; {len(apart)} pairs are apart"
    return within(0, 0, counts, ".0f", note)


@claim(
    "evclus-fig-28",
    "the second step makes more objects ambiguous, and more of those that are in the cluster of another "
    "class",
    sentence="S03",
)
def more_informative(params, tables):
    K, gains, means = params.n_neighbors[0], {}, []
    for name, column in (
        ("ambiguous", "n_ambiguous"),
        ("ambiguous and of another class", "n_misclassified_ambiguous"),
    ):
        before, after = (over_arrived(tables, column, step) for step in (0, K))
        gains[name] = difference(after, before)
        means.append(f"{name} {before.mean():.1f} before, {after.mean():.1f} after")
    wrong = over_arrived(tables, "n_misclassified", K).mean()
    return above(0, gains, "+.1f", f"means: {'; '.join(means)}, of {wrong:.1f}")


# ---------------------------------------------------------------- time and stress

FIRST, SECOND = (PRINTED[f"time_{step}_s"] for step in ("first", "second"))


@claim("evclus-fig-28", "the seconds of both steps are as printed")
def seconds_as_printed(params, tables):
    raise NotCheckable("the machine and the program of the authors are not at hand", [FIRST, SECOND])


@claim(
    "evclus-fig-28",
    f"the second step takes at most {SECOND.value / FIRST.value:.2f} times as long as the first, the printed "
    f"ratio",
    sentence="S03 S80",
    published=f"{FIRST.value:g} s and {SECOND.value:g} s: a moderate increase",
    caveat=TIMES,
)
def second_step_is_as_fast(params, tables):
    K = params.n_neighbors[0]
    runs = tables["runs"].query("updates == 'one-sided'").pivot(index="start", columns="K", values="time_s")
    note = f"median over {len(runs)} starts, processor seconds of the fits"
    return below(SECOND.value / FIRST.value, {"ratio": median(runs[K] / runs[0])}, ".2f", note)

"""What Section 4.1.1 says of the rules, the data and the bases, checked on our ensembles."""

from functools import partial

import pandas as pd

from credalbench.core.intervals import Estimate, difference, exact, mean, proportion
from credalbench.papers.claims import above, all_of, below, claim, within
from credalbench.papers.reasons import OPEN_SETTING

FIG = "ensemble-fig-1"
#: Rule -> how pictures and tables call it.
RULES = {
    "average": "average",
    "dempster": "Dempster",
    "disjunctive": "disjunctive",
    "dubois_prade": "Dubois-Prade, all at once",
    "dubois_prade_sequential": "Dubois-Prade, one after another",
}
#: The two readings of the rule of Dubois and Prade.
READINGS = ("dubois_prade", "dubois_prade_sequential")
ACCEPTABLE = 0.7  # adjusted Rand index from which a partition is acceptable, our reading
PLANE = 2 * (2 + 2)  # mean of the fourth power of the distance to the mean, of a Gaussian in the plane
ONE_FIGURE = "the paper shows one run, without a number"
stated = partial(claim, FIG)


def of(tables, rule: str) -> pd.DataFrame:
    """Return the rows of one rule, by ensemble."""
    rows = tables["rules"]
    return rows[rows["rule"] == rule].set_index("repetition").sort_index()


def gap(tables, first: str, second: str, column: str = "ari") -> Estimate:
    """Return the first rule less the second, over the ensembles."""
    return difference(of(tables, first)[column], of(tables, second)[column])


def share(tables, rule: str, column: str) -> Estimate:
    """Return a number of objects over that of all, mean over the ensembles."""
    return mean(of(tables, rule)[column] / len(tables["data"]))


def by_rule(params, tables) -> pd.DataFrame:
    """Return the results of each rule on Fourclass: means over the ensembles."""
    columns = ["ari", "n_lower", "n_all", "ignorance", "nonspecificity", "credal_rand", "stress"]
    found = tables["rules"].groupby("rule", sort=False)[columns].mean().round(3)
    deviation = tables["rules"].groupby("rule", sort=False)["ari"].std(ddof=1).round(3)
    found.insert(1, "sd of ari", deviation)
    return found.rename(index=RULES)


# ---------------------------------------------------------------- the data


@stated(
    "the classes overlap: some objects are nearer to the mean of another class than to that of their own",
    sentence="S33",
)
def classes_overlap(params, tables):
    return above(0, {"objects": exact((tables["data"]["behind"] > 0).sum())}, "g")


@stated(
    "there is an outlier: the farthest object is more than 1.2 times as far from the mean of its class as "
    "any other from its own (in units of the class's covariance)",
    sentence="S33",
)
def there_is_an_outlier(params, tables):
    first, second = tables["data"]["distance"].nlargest(2)
    return above(1.2, {"farthest over next": exact(first / second)}, ".2f", f"farthest: {first:.1f}")


@stated(
    "the classes are Gaussian: the mean fourth power of the distances within classes is 8, within what 400 "
    "Gaussian objects scatter",
    sentence="S34",
    explanation="erratum E20: the authors' R package describes its data set of this name as Student's, with "
    "5 degrees of freedom, and so heavier tails",
)
def classes_are_gaussian(params, tables):
    """Compute Mardia's kurtosis; its standard deviation is the root of 8 p (p + 2) / n."""
    fourth = tables["data"]["distance"] ** 4
    reach = 1.96 * (8 * PLANE / len(fourth)) ** 0.5
    return within(PLANE - reach, PLANE + reach, {"mean fourth power": exact(fourth.mean())}, ".1f")


# ---------------------------------------------------------------- the bases


@stated("with K = 2 a base of 15 clusters has at most 15 pairs, of the 105 that there are", sentence="S35")
def pairs_are_few(params, tables):
    many = bases(params, tables, params.base_n_clusters)
    bound = params.pair_neighbors * params.base_n_clusters / 2
    return within(0, bound, {"pairs of a base, at most": exact(many["n_pairs"].max())}, "g")


def bases(params, tables, n_clusters: int) -> pd.DataFrame:
    """Return the bases with this number of clusters, by ensemble."""
    rows = tables["bases"]
    return rows[rows["n_clusters"] == n_clusters].set_index("repetition").sort_index()


@stated(
    "many clusters and random starts make the bases differ: with 15 clusters they agree less with each other "
    "than bases with as many clusters as classes do, and below 1",
    sentence="S36",
)
def many_clusters_differ(params, tables):
    many, few = (bases(params, tables, c)["agreement"] for c in (params.base_n_clusters, params.n_clusters))
    note = f"mean adjusted Rand index of two bases: {many.mean():.3f}, with few clusters {few.mean():.3f}"
    return all_of(
        below(1, {"agreement of two bases": mean(many)}, ".3f"),
        above(0, {"gained with few clusters": difference(few, many)}, "+.3f", note),
    )


@stated(
    "bases with too many clusters are not reliable: of the pairs in one class they believe most to be apart; "
    "nor are they independent: the beliefs of two bases are correlated",
    sentence="S38",
)
def bases_are_unreliable(params, tables):
    many = bases(params, tables, params.base_n_clusters)
    return all_of(
        above(0.5, {"share of the pairs in one class": mean(many["apart"])}, ".2f"),
        above(0, {"correlation of two bases": mean(many["correlation"])}, ".2f"),
    )


# ---------------------------------------------------------------- the rules


@stated(
    "{name}: the partition is {word} (mean adjusted Rand index {side} " + f"{ACCEPTABLE}, our reading)",
    sentence="{sentence}",
    explanation="taken one after another, as the printed rule (5) combines two mass functions, the bases "
    "give the picture of the paper; taken all at once they keep the structure",
    cause=OPEN_SETTING,
    each=[
        {"rule": rule, "name": RULES[rule], "word": word, "side": side, "sentence": sentence}
        for rule, word, side, sentence in (
            ("average", "acceptable", "above", "S41"),
            ("disjunctive", "acceptable", "above", "S41"),
            ("dempster", "not acceptable", "below", "S37"),
            (READINGS[1], "not acceptable", "below", "S40"),  # as the printed rule (5) combines two
        )
    ],
)
def acceptable(params, tables, rule, side):
    found = of(tables, rule)["ari"]
    note = f"{found.min():.2f} to {found.max():.2f} over the ensembles"
    return {"above": above, "below": below}[side](ACCEPTABLE, {"mean": mean(found)}, ".3f", note)


@stated(
    "{name} does better than Dempster's rule, by the adjusted Rand index",
    sentence="S39",
    explanation=ONE_FIGURE,
    each=[{"rule": rule, "name": RULES[rule]} for rule in READINGS],
)
def better_than_dempster(params, tables, rule):
    return above(0, {"gained": gap(tables, rule, "dempster")}, "+.3f")


@stated(
    "of the rules that find the structure, the average leaves the fewest objects outside all lower "
    "approximations",
    sentence="S44",
)
def average_is_precise(params, tables):
    others = ("disjunctive", READINGS[0])
    gaps = {f"over {RULES[rule]}": gap(tables, "average", rule, "n_lower") for rule in others}
    return above(0, gaps, "+.0f", "objects in a lower approximation")


@stated(
    "the disjunctive rule is too imprecise: on most ensembles the upper approximations have one hull, and "
    "fewer objects are in a lower approximation than with the average",
    sentence="S42",
)
def disjunctive_is_imprecise(params, tables):
    everywhere = share(tables, "disjunctive", "n_all").value
    note = f"possibly in every cluster: a share of {everywhere:.2f}, not each object"
    return all_of(
        above(0.5, {"one hull": proportion(of(tables, "disjunctive")["one_hull"])}, ".0%"),
        above(0, {"more with the average": gap(tables, "average", "disjunctive", "n_lower")}, "+.0f", note),
    )


@stated(
    "the average tells the objects clustered with confidence from those where clusters overlap: both kinds "
    "exist, and for the latter the second nearest class is less far behind the nearest",
    sentence="S43",
)
def average_shows_overlap(params, tables):
    """Compare the distance to the second nearest class mean with that to the nearest."""
    found = of(tables, "average")
    return all_of(
        above(0, {"share in a lower approximation": share(tables, "average", "n_lower")}, ".2f"),
        above(0, {"share possibly in several": share(tables, "average", "n_upper")}, ".2f"),
        above(
            0,
            {"margin, sure less doubtful": difference(found["margin_lower"], found["margin_upper"])},
            "+.2f",
        ),
    )


@stated(
    "the rule of Dubois and Prade is a trade-off: it leaves more to ignorance than Dempster's, the "
    "normalised conjunctive rule, and less than the disjunctive one",
    sentence="S05",
)
def dubois_prade_is_between(params, tables):
    """Compare the mean mass of the combined relation on ignorance."""
    pairs = {"over Dempster": (READINGS[0], "dempster"), "disjunctive over it": ("disjunctive", READINGS[0])}
    return above(0, {name: gap(tables, *both, "ignorance") for name, both in pairs.items()}, ".3f")


@stated("the object farthest from all classes has more mass on the empty set than any other", sentence="S17")
def outlier_has_most(params, tables):
    found = of(tables, "average")["outlier_rank"]
    return within(0, 0, {"objects with more": exact(found.max())}, "g")

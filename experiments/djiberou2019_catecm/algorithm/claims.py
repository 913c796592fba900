"""What the text says of Algorithm 1 and its formulas, checked on the tables of the study."""

from credalbench.core.intervals import difference, mean
from credalbench.papers import NotCheckable
from credalbench.papers.claims import above, all_of, below, claim, within

from ..shared.tables import TITLES
from .measures import ROUNDING

ARTEFACT = "catecm-alg-01"
BETA = 1.1  # of the experiments of the paper (Section IV-C)
CLUSTERS = {"cat_diamond": 2, "soybean": 4, "zoo": 7}


def by_dataset(table, statistic):
    """Return the statistic of the rows of each data set."""
    return {TITLES[name]: statistic(rows) for name, rows in table.groupby("dataset", sort=False)}


@claim(ARTEFACT, "every run ends with prototypes that no longer change", sentence="S16")
def every_run_ends(params, tables):
    runs = tables["runs"]
    note = f"{len(runs)} runs, of {runs['n_iter'].max()} iterations at most"
    return within(1, 1, {"share of the runs": runs["converged"].mean()}, ".1%", note)


@claim(ARTEFACT, "different starts end in different local minima on each data set", sentence="S03")
def local_minima(params, tables):
    runs = tables["runs"].assign(objective=lambda t: t["objective"].map("{:.6g}".format))
    counts = by_dataset(runs, lambda rows: rows.groupby(["alpha", "beta"])["objective"].nunique().max())
    return above(1, counts, ".0f", f"different objectives of {params.n_runs} starts, at the alpha of most")


@claim(
    ARTEFACT,
    "the masses are those of (12) and (13), and the objective is (6) with the dissimilarity (10)",
    sentence="S11",
    by_definition=True,
)
def masses_are_those_of_ecm(params, tables):
    gaps = {
        "largest difference of a mass": tables["runs"]["mass_gap"].max(),
        "of the objective, relative": tables["runs"]["objective_gap"].max(),
    }
    return below(ROUNDING, gaps, ".1e")


@claim(ARTEFACT, "the weights lie on the most frequent values of (15), as (14) says", sentence="S12")
def weights_are_most_frequent(params, tables):
    missed = tables["runs"]["off_the_most_frequent"].max()
    return below(ROUNDING, {"largest share of the frequency that is missed": missed}, ".1e")


@claim(
    ARTEFACT, "the averaged weights of sets of several clusters sum to one for each attribute", sentence="S09"
)
def averaged_weights_sum_to_one(params, tables):
    return below(1e-12, {"largest distance from 1": tables["runs"]["weight_sum_gap"].max()}, ".1e")


@claim(ARTEFACT, "the squared dissimilarity is between 0 and 1", sentence="S10")
def dissimilarity_is_normalised(params, tables):
    runs = tables["runs"]
    ends = {"least": runs["least_d2"].min(), "largest": runs["largest_d2"].max()}
    return within(0, 1, ends, ".3f")


@claim(
    ARTEFACT,
    "most weights of the prototypes of clusters are crisp: one value of the attribute has all the weight",
    sentence="S13",
)
def clusters_are_crisp(params, tables):
    return above(0.5, by_dataset(tables["runs"], lambda rows: mean(rows["crisp_singles"])), ".3f")


@claim(ARTEFACT, "fewer weights are crisp in the prototypes of sets of several clusters", sentence="S14")
def sets_are_fuzzier(params, tables):
    gaps = by_dataset(tables["runs"], lambda rows: difference(rows["crisp_singles"], rows["crisp_several"]))
    return above(0, gaps, "+.3f", "difference of the shares")


@claim(
    ARTEFACT,
    "an alpha below 1 does not do: some run with one does not end, or raises the objective",
    sentence="S15",
    explanation="erratum E11: the derivation nowhere needs it, and the paper itself uses -1, -0.05 and 0",
)
def alpha_of_at_least_1(params, tables):
    runs = tables["runs"].query("alpha < 1")
    if runs.empty:
        raise NotCheckable("no alpha of this run is below 1")
    bad = ~runs["converged"] | (runs["trace_rise"] > 1e-12)
    return above(0, {f"of {len(runs)} runs": int(bad.sum())}, ".0f")


@claim(
    ARTEFACT,
    "most pairs of an object and a set of several clusters have the set farther than the nearest of its "
    "clusters",
    sentence="S36",
    explanation="an object that is equally far from all clusters of a set is as far from the set, as 7 of "
    "the 13 objects of Cat-diamond are",
)
def sets_are_farther(params, tables):
    """Compare at the exponent of the experiments; with larger ones many prototypes coincide."""
    runs = tables["runs"].query("beta == @BETA")
    if runs.empty:
        raise NotCheckable(f"beta = {BETA:g} is not among the values of this run")
    note = (
        "no set is ever nearer, and none is farther than the mean: the dissimilarity of a set is the mean of "
        f"those of its clusters, to {runs['identity_gap'].max():.0e}"
    )
    return above(0.5, by_dataset(runs, lambda rows: mean(rows["nearest_lead"])), ".3f", note)


@claim(
    ARTEFACT,
    "crisp, fuzzy and possibilistic partitions, written as masses on single clusters and on nested sets, "
    "come back unchanged",
    sentence="S02",
    by_definition=True,
)
def other_partitions_are_credal(params, tables):
    gaps = {name: tables["kinds"][f"{name}_gap"].max() for name in ("crisp", "fuzzy", "possibilistic")}
    return below(1e-12, gaps, ".1e", "largest differences")


@claim(
    ARTEFACT,
    "N* is 0 where all is certain, 1 where nothing is known, and lies between for the partitions found",
    sentence="S06",
)
def nonspecificity_measures(params, tables):
    kinds = tables["kinds"]
    return all_of(
        within(0, 0, {"certain": kinds["certain"].max()}, "g"),
        within(1, 1, {"vacuous": kinds["vacuous"].min()}, "g"),
        above(0, {"least found": kinds["between"].min()}, ".1e"),
        below(1, {"largest found": kinds["between"].max()}, ".3f"),
    )

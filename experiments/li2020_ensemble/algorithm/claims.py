"""Statements of Sections 1 to 3 on relations, closures, partitions and the search, for small ensembles."""

from functools import partial

import pandas as pd

from credalbench.papers.claims import above, all_of, below, claim, within

from ..shared.ensembles import TITLES

ALG = "ensemble-alg-1"
#: Data set -> its file; None is drawn.
DATASETS = {"Fourclass": "fourclass", "Half-rings (stand-in)": None, "Iris": "iris_uci"}
ROUNDING = 1e-10  # of sums over thousands of pairs of numbers below 1
STOPPED = 1e-6  # of the stress, relatively: what a run that has stopped may leave
SURROGATE = (
    "erratum E16: a sum of squared distances weighs large ones more than a sum of distances: its minimum is "
    "another one, and the search minimises a surrogate of the index"
)
#: Solvers of scipy: column -> method.
SOLVERS = {"sequential programmes": "SLSQP", "interior points": "trust-constr"}
SOLVED = 1e-5
#: What the partners of an object may be like.
CONFIGURATIONS = ("at random", "all vacuous", "all surely in one cluster", "two clusters without mass")
stated = partial(claim, ALG)


def largest(tables, column: str) -> dict[str, float]:
    """Return the largest value of a column of the identities, by data set."""
    return tables["identities"].groupby("dataset", sort=False)[column].max().to_dict()


def smallest(tables, column: str) -> dict[str, float]:
    """Return the smallest value of a column of the identities, by data set."""
    return tables["identities"].groupby("dataset", sort=False)[column].min().to_dict()


def ends(params, tables) -> pd.DataFrame:
    """Return where the runs from random masses end: stress and credal Rand index, by relation."""
    by = tables["runs"].groupby(["dataset", "closure"], sort=False)
    table = by["stress"].agg(["count", "min", "max"])
    return table.assign(
        different_ends=by["stress"].agg(lambda values: (values / values.min()).round(4).nunique()),
        highest_rand=by["credal_rand"].max(),
        rand_at_lowest_stress=by.apply(
            lambda runs: runs.loc[runs["stress"].idxmin(), "credal_rand"], include_groups=False
        ),
        sweeps=by["n_iter"].median(),
    ).reset_index()


def lowest(tables) -> pd.DataFrame:
    """Return the run of lowest stress on each relation."""
    runs = tables["runs"].reset_index(drop=True)
    return runs.loc[runs.groupby(["dataset", "closure"], sort=False)["stress"].idxmin()]


def by_configuration(tables) -> dict[str, float]:
    """Return the smallest eigenvalue over the largest, by configuration of the partners."""
    return tables["forms"].groupby("configuration", sort=False)["least"].min().to_dict()


# ---------------------------------------------------------------- partitions and pairs


@stated(
    "one algorithm with different starts gives different partitions: the mean adjusted Rand index of two "
    "runs of ECM is below 1",
    sentence="S01",
)
def starts_differ(params, tables):
    return below(1, smallest(tables, "agreement"), ".3f")


@stated(
    "pl(A) = 1 - bel(complement of A), with belief and plausibility as the paper defines them, for the pairs "
    "of base partitions as they are",
    sentence="S04",
    explanation="erratum E26: both leave out the empty set, so that pl(A) = 1 - m(∅) - bel(complement): the "
    "printed link holds for normalised masses only",
)
def belief_and_plausibility_are_linked(params, tables):
    return below(ROUNDING, largest(tables, "linked_off"), ".1e")


@stated(
    "normalisation is what makes 1 less the belief of 'different' the plausibility of 'same': the two differ "
    "before it and agree after it",
    sentence="S16",
)
def analogy_asks_for_normalised_masses(params, tables):
    return all_of(
        above(ROUNDING, {f"{k}, before": v for k, v in largest(tables, "linked_off").items()}, ".1e"),
        below(
            ROUNDING, {f"{k}, after": v for k, v in largest(tables, "linked_off_normalised").items()}, ".0e"
        ),
    )


@stated(
    "maximum plausibility gives one cluster that is never dominated; interval dominance leaves several "
    "clusters to some objects",
    sentence="S06",
)
def decisions(params, tables):
    return all_of(
        within(0, 0, {f"{k}, dominated": v for k, v in largest(tables, "n_dominated").items()}, "g"),
        above(0, {f"{k}, several clusters": v for k, v in smallest(tables, "n_several").items()}, "g"),
    )


@stated(
    "hard, fuzzy and rough partitions are credal partitions: written as masses on single clusters, or as one "
    "set for each object, they are read back without loss",
    sentence="S07",
    by_definition=True,
)
def special_partitions_are_credal(params, tables):
    note = f"read by (7), {max(largest(tables, 'dominance_off').values())} sets of several clusters become Ω"
    return all_of(
        within(0, 0, {"hard, objects that differ": max(largest(tables, "hard_off").values())}, "g"),
        below(ROUNDING, {"fuzzy, off by": max(largest(tables, "fuzzy_off").values())}, ".0e"),
        within(0, 0, {"rough, places that differ": max(largest(tables, "rough_off").values())}, "g", note),
    )


@stated("no pair has mass on the empty set where no object has any", sentence="S08")
def nothing_on_the_empty_set(params, tables):
    return within(0, 0, largest(tables, "empty_of_normalised"), ".0e")


@stated(
    "the credal Rand index of two bases lies from 0 to 1, and that of hard partitions is the Rand index",
    sentence="S09",
)
def credal_rand_generalises(params, tables):
    return all_of(
        within(0, 1, {f"{k}, least": v for k, v in smallest(tables, "rand_least").items()}, ".3f"),
        within(0, 1, {f"{k}, largest": v for k, v in largest(tables, "rand_largest").items()}, ".3f"),
        below(ROUNDING, {"hard, off by": max(largest(tables, "rand_off_hard").values())}, ".0e"),
    )


@stated(
    "the combined relation does not depend on the names of clusters, and the bases differ in their numbers "
    "of clusters",
    sentence="S12",
    by_definition=True,
)
def names_do_not_count(params, tables):
    return all_of(
        below(ROUNDING, {"off by": max(largest(tables, "renamed_off").values())}, ".0e"),
        above(1, {f"{k}, different numbers": v for k, v in smallest(tables, "n_sizes").items()}, "g"),
    )


@stated(
    "two focal sets are enough in the frame of pairs: the mass of the third, either, is the rest",
    sentence="S15",
)
def two_focal_sets(params, tables):
    return below(ROUNDING, largest(tables, "rest_off"), ".0e")


# ---------------------------------------------------------------- evidence accumulation


@stated("with hard bases the averaged masses on 'same cluster' are the co-association matrix", sentence="S18")
def hard_bases_give_co_association(params, tables):
    return below(1e-12, largest(tables, "co_association_off"), ".0e")


@stated(
    "evidence accumulation is a special case: with hard bases the result is its partition, without closure "
    "or after the minimum closure",
    sentence="S19",
    explanation="erratum E19: the relations agree, but not their use: single linkage cuts a tree, the "
    "consensus minimises squared distances to all pairs",
)
def accumulation_is_a_special_case(params, tables):
    one = 1 - ROUNDING
    return all_of(
        above(one, {f"{k}, none": v for k, v in smallest(tables, "eac_agreement").items()}, ".2f"),
        above(one, {f"{k}, minimum": v for k, v in smallest(tables, "eac_agreement_minimum").items()}, ".2f"),
    )


@stated(
    "single linkage uses transitivity implicitly: the heights at which it joins two objects are the minimum "
    "closure of the relation",
    sentence="S21",
)
def single_linkage_is_the_minimum_closure(params, tables):
    rows = tables["closures"].query("t_norm == 'minimum'")
    return below(ROUNDING, {"off by": rows["single_link_off"].max()}, ".0e")


@stated(
    "beliefs and plausibilities can be clustered by a tree, into as many clusters as are asked for; a tree "
    "gives labels, where the consensus has mass on sets of several clusters",
    sentence="S23 S14",
    by_definition=True,
)
def trees_give_no_credal_partition(params, tables):
    found = tables["identities"].set_index("dataset")
    off = {
        f"clusters by {name}, off": found[f"clusters_by_{name}_off"].max()
        for name in ("belief", "plausibility")
    }
    return all_of(
        within(0, 0, off, "g"),
        above(0, {f"{k}, of the consensus": v for k, v in smallest(tables, "nonspecificity").items()}, ".3f"),
    )


# ---------------------------------------------------------------- closures


@stated(
    "the combined relation, which is made reflexive and symmetric, is not transitive (under the minimum)",
    sentence="S22",
    explanation="that an object is in the same cluster as itself is set: (9b) would say so by the sum of its "
    "squared masses only",
)
def combined_is_not_transitive(params, tables):
    rows = tables["closures"]
    violated = rows[rows["t_norm"] == "minimum"].set_index("dataset")["violated_before"]
    worst = rows.groupby("t_norm", sort=False)["violated_before"].max()
    others = ", ".join(f"{TITLES[name]} {value:.3f}" for name, value in worst.items())
    return above(ROUNDING, violated.to_dict(), ".3f", f"largest violation by t-norm: {others}")


@stated(
    "the closure of a reflexive and symmetric relation is its power n - 1, for each t-norm", sentence="S10"
)
def closure_is_a_power(params, tables):
    rows = tables["closures"]
    note = f"reached at the latest by the power {rows['power'].max()}, of {params.n_closed - 1}"
    return below(1e-12, rows.groupby("t_norm", sort=False)["power_off"].max().to_dict(), ".0e", note)


@stated(
    "closing both degrees by themselves makes the relation transitive in the order of intuitionistic fuzzy "
    "values, and leaves masses of at least 0",
    sentence="S11",
)
def both_closures_make_it_transitive(params, tables):
    rows = tables["closures"]
    minimum = rows[rows["t_norm"] == "minimum"]
    return all_of(
        below(1e-12, {"violated, minimum": minimum["lattice_violated"].max()}, ".0e"),
        below(1e-12, {"violated, any t-norm": rows["violated_after"].max()}, ".0e"),
        above(-1e-12, {"least mass on ignorance": rows["least_unknown"].min()}, ".0e"),
    )


# ---------------------------------------------------------------- the search


@stated(
    "to minimise the stress is to maximise the credal Rand index: where the lowest stress is found, no small "
    "move of an object raises the index",
    sentence="S24",
    explanation=SURROGATE,
)
def stress_is_the_index(params, tables):
    found = lowest(tables)
    by = tables["runs"].groupby(["dataset", "closure"], sort=False)
    highest = by["credal_rand"].max().to_numpy() > found["credal_rand"].to_numpy() + ROUNDING
    note = f"another start has a higher index on {highest.sum()} of {len(found)} relations"
    gains = {f"{row.dataset}, {row.closure}": row.rand_gain for row in found.itertuples()}
    return below(ROUNDING, gains, ".1e", note)


@stated(
    "the stress is quadratic in the masses of one object: (27) with the matrices (24), (25) and (28) is the "
    "cost (23)",
    sentence="S25",
)
def rows_are_quadratic(params, tables):
    note = f"{params.n_rows} objects in each of {len(tables['runs'])} runs"
    return below(ROUNDING, {"off by": tables["runs"]["quadratic_off"].max()}, ".0e", note)


@stated("no sweep raises the stress", sentence="S26")
def stress_falls(params, tables):
    return below(ROUNDING, {"largest rise, relative": tables["runs"]["rise"].max()}, ".0e")


@stated(
    "runs end in a local minimum: no small move of one object lowers the stress, beyond what a run that "
    f"stops leaves, {STOPPED:g} of it",
    sentence="S26",
)
def ends_are_minima(params, tables):
    runs = tables["runs"]
    note = f"{len(runs)} runs, {int(runs['converged'].sum())} of them stopped by the rule"
    return above(-STOPPED, {"lowest change, relative": runs["lowest_move"].min()}, ".0e", note)


@stated("the Jaccard matrix is positive definite", sentence="S28")
def jaccard_is_positive(params, tables):
    return above(0, {"smallest eigenvalue": tables["jaccard"]["least"].min()}, ".3f")


@stated(
    "the matrix of the quadratic form of a row is positive definite",
    sentence="S28",
    explanation="erratum E17: it is positive definite for partners at random, and only semi-definite where "
    "they are all vacuous, all in one cluster, or leave two clusters without mass: the stacked matrix (25) "
    "times such partners has a null space",
)
def row_matrix_is_positive(params, tables):
    return above(ROUNDING, by_configuration(tables), ".0e")


@stated(
    f"any solver serves for the programme of a row: those by {' and '.join(SOLVERS)} end at the minimum, "
    f"within {SOLVED:g} of its constant term, for partners of every kind",
    sentence="S27",
)
def any_solver_serves(params, tables):
    gaps = tables["forms"].groupby("configuration", sort=False)[[*SOLVERS]].max()
    return below(SOLVED, gaps.max(axis=1).to_dict(), ".0e", "the largest bound on the gap to the minimum")

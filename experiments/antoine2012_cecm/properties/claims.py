"""What Sections 1 to 5 of [antoine2012_cecm] say of the model, checked on the tables of the study."""

from functools import partial

import numpy as np
import pandas as pd

from credalbench.core.intervals import Estimate, difference, mean, ratio
from credalbench.papers import Finding, NotCheckable
from credalbench.papers.claims import above, all_of, below, claim, within
from credalbench.papers.reasons import OURS, UNEXPLAINED

from ..shared.choices import choices_of_trials
from ..shared.protocol import NAMES, PRINTED_DELTA2

ARTEFACT = "cecm-txt-01"
ROUNDING = 1e-12  # relative, of sums over some thousand terms
SUITABLE = {"wine": "euclidean"}  # the metric of the paper's Tables 5 and 6; on the others the adaptive one
CHOICES = choices_of_trials(*NAMES)
FEW_CLUSTERS = 10
FEW_OBJECTS = 1000  # more than "a few hundred"
stated = partial(claim, ARTEFACT)


def by_dataset(table: pd.DataFrame, statistic) -> dict[str, Estimate | float]:
    """Return the statistic of the rows of each data set."""
    return {name: statistic(rows) for name, rows in table.groupby("dataset", sort=False)}


def drawn(tables, metric: str) -> pd.DataFrame:
    """Return fits with constraints in one metric, one row for each draw."""
    return tables["fits"][tables["fits"]["metric"] == metric]


def gain(rows: pd.DataFrame) -> Estimate:
    """Return what constraints add to the Rand index."""
    return mean(rows["ri"] - rows["ri_ecm"])


# ---------------------------------------------------------------- constraints and metrics


@stated(
    "constraints raise the Rand index: with the adaptive metric on every data set, and on Wine with the "
    "Euclidean one, too",
    sentence="S01 S56",
    fitted=CHOICES,
)
def constraints_improve(params, tables):
    gains = by_dataset(drawn(tables, "mahalanobis"), gain)
    others = by_dataset(drawn(tables, "euclidean"), gain)
    suited = {f"{name}, {metric}": others[name] for name, metric in SUITABLE.items() if name in others}
    return above(0, gains | suited, "+.3f")


@stated(
    "constraints are less plausibly violated with the adaptive metric than with the Euclidean one",
    sentence="S03",
    fitted=CHOICES,
)
def adaptive_metric_satisfies(params, tables):
    costs = tables["fits"].pivot(index=["dataset", "repetition"], columns="metric", values="constraint_cost")
    gaps = by_dataset(costs.reset_index(), lambda rows: difference(rows["euclidean"], rows["mahalanobis"]))
    return above(0, gaps, ".4f", "Euclidean minus adaptive")


@stated(
    "where constraints contradict round clusters, as on the two-class data, the adaptive metric gives the "
    "higher Rand index",
    sentence="S12",
    fitted=choices_of_trials("two_class"),
)
def adaptive_metric_fits_classes(params, tables):
    fits = tables["fits"].query("dataset == 'two_class'").groupby("metric")["ri"]
    if not fits.ngroups:
        raise NotCheckable("the two-class data are not among the data sets")
    return above(0, difference(fits.get_group("mahalanobis"), fits.get_group("euclidean")), "+.3f")


# ---------------------------------------------------------------- masses


@stated(
    "the mass on the empty set grows as an object leaves the data, and is the largest when it is far",
    sentence="S02",
)
def empty_set_collects(params, tables):
    far = tables["far"]
    least = by_dataset(far, lambda rows: rows["mass_on_empty"].diff().min())
    last = far.groupby("dataset", sort=False).last()
    lead = last["mass_on_empty"] - last["largest_other"]
    furthest = far["distance"].max()
    return all_of(
        above(0, {f"least growth, {name}": value for name, value in least.items()}),
        above(0, {f"lead at {furthest:g} delta, {name}": value for name, value in lead.items()}),
    )


@stated(
    "on single clusters and the empty set, ECM's masses are the memberships of noise clustering, Eq. (9)",
    sentence="S05",
)
def noise_clustering_is_a_case(params, tables):
    return below(ROUNDING, tables["noise"].set_index("dataset")["difference"].to_dict(), ".1e")


@stated("the larger alpha, the less mass on sets of several clusters", sentence="S06", fitted=CHOICES)
def alpha_penalises(params, tables):
    falls = by_dataset(tables["alphas"], lambda rows: -rows["mass_on_several"].diff().max())
    span = ", ".join(f"{alpha:g}" for alpha in params.alphas)
    return above(0, falls, ".3f", f"least fall from one alpha to the next, of {span}")


@stated(
    "with alpha = 1 sets of several clusters hold mass, as in no fuzzy partition",
    sentence="S24",
    fitted=CHOICES,
)
def alpha_1_is_nonspecific(params, tables):
    rows = tables["alphas"].query("alpha == 1").set_index("dataset")
    if rows.empty:
        raise NotCheckable("alpha = 1 is not among the values")
    shares = ", ".join(f"{name} {share:.0%}" for name, share in rows["share_on_several"].items())
    note = f"mean nonspecificity; objects that have their largest mass on such a set: {shares}"
    return above(0, rows["nonspecificity"].to_dict(), ".3f", note)


@stated(
    "objects with their largest mass on two clusters lie between two: they are nearer to being equally far "
    "from both than objects of one cluster",
    sentence="S07",
    fitted=CHOICES,
)
def pairs_lie_between(params, tables):
    found, without = {}, []
    for name, rows in tables["between"].groupby("dataset", sort=False):
        if rows["on_pair"].sum() < 2:
            without.append(name)
            continue
        leads = (rows.loc[rows[kind], "lead"].to_numpy() for kind in ("on_pair", "on_single"))
        found[name] = ratio(*leads, of=np.nanmean)
    note = "lead of the nearest prototype over the second, as a share of that of objects of one cluster"
    return below(1, found, ".2f", f"{note}; no such objects: {', '.join(without)}" if without else note)


@stated(
    "no object is an outlier where delta exceeds the largest distance of two objects, and some smaller delta "
    "gives the share of outliers that is asked for, to one object",
    sentence="S25",
    explanation="the share jumps where prototypes jump, as delta falls",
    cause=UNEXPLAINED,
)
def delta_controls_outliers(params, tables):
    deltas = tables["deltas"]
    beyond, chosen = deltas[deltas["rate"] == 0], deltas[deltas["rate"] > 0]
    off = (chosen["found"] - chosen["rate"]).abs() * chosen["n"]
    named = dict(zip(chosen["dataset"] + chosen["rate"].map(", {:.0%}".format), off))
    return all_of(
        within(0, 0, {"largest share beyond the largest distance": beyond["found"].max()}),
        within(0, 1, named, ".2f", "objects off the share that is asked for"),
    )


@stated(
    "where rho is printed, it exceeds the largest distance of two objects",
    sentence="S25",
    explanation="erratum E24: on Two-class the printed delta is 10, and any sample of its groups reaches "
    "further",
)
def delta_exceeds_distances(params, tables):
    first = tables["deltas"].groupby("dataset", sort=False).first()
    printed = first[first.index.isin(PRINTED_DELTA2)]
    return above(1, (printed["used"] / printed["largest_distance"]).to_dict(), ".2f", "as a multiple of it")


# ---------------------------------------------------------------- programmes


@stated("with beta = 2 the objective is a polynomial of degree two in the masses", sentence="S10")
def programme_is_quadratic(params, tables):
    thirds = by_dataset(tables["fits"], lambda rows: rows["third_difference"].max())
    return below(ROUNDING, thirds, ".1e", "largest third difference along a line, relative")


@stated(
    "the programme of the masses is convex, as it must be for the convergence of the cited method",
    sentence="S11",
    fitted=CHOICES,
    explanation="erratum E21: a product of the masses of two objects curves downwards in some direction, and "
    "where constraints weigh more than distances it outweighs the data; our mass step goes to a local "
    "minimum and never raises the objective",
)
def programme_is_convex(params, tables):
    least = {
        f"{name}, {metric}": rows["least_curvature"].max()
        for (name, metric), rows in tables["fits"].groupby(["dataset", "metric"], sort=False)
    }
    note = "least curvature in units of the data part's own, the largest of the draws"
    return above(0, least, "+.2f", note)


@stated("the prototypes of ECM's step minimise the whole objective, constraints included", sentence="S09")
def prototypes_ignore_constraints(params, tables):
    rises = by_dataset(tables["fits"], lambda rows: rows["least_rise"].min())
    return above(0, rises, ".1e", "least rise of the objective when prototypes are moved, relative")


# ---------------------------------------------------------------- norms


@stated(
    "the matrix of a set of clusters is large along their longest axis, as a covariance is",
    sentence="S13",
    explanation="erratum E23: by Eq. (42) a norm is an inverse covariance: it is smallest where the clusters "
    "are longest",
)
def norm_is_a_covariance(params, tables):
    along = by_dataset(tables["norms"], lambda rows: mean(rows["norm_along_spread"]))
    return above(1, along, ".3f", "along that axis, over the mean of all axes")


@stated("norms move the prototypes of given masses", sentence="S14")
def norms_move_prototypes(params, tables):
    shifts = by_dataset(tables["norms"], lambda rows: rows["shift_by_norms"].min())
    note = "least shift of the draws, in root mean square distances of the objects to their mean"
    return above(ROUNDING, shifts, ".1e", note)


@stated(
    "under an adaptive metric all attributes of the prototypes make one system: one attribute moves the "
    "others; with the Euclidean metric none does",
    sentence="S15",
)
def attributes_are_coupled(params, tables):
    norms = tables["norms"]
    least = by_dataset(norms, lambda rows: rows["coupling"].min())
    return all_of(
        above(ROUNDING, least, ".1e", "least move with the adaptive metric, in standard deviations"),
        below(ROUNDING, {"Euclidean metric, largest move": norms["coupling_euclidean"].max()}, ".1e"),
    )


@stated("smaller norms always lower the objective: without a volume the best are zero", sentence="S16")
def norms_need_a_volume(params, tables):
    changes = by_dataset(tables["norms"], lambda rows: rows["change_with_half_norms"].max())
    return below(0, changes, "+.0%", "change of the data part when norms are halved")


@stated(
    "the evidential covariance is positive definite, whatever the data",
    sentence="S17",
    explanation="erratum E22: a sum of positive semi-definite matrices need not be positive definite: where "
    "one attribute is the sum of two others, or p exceeds n, it is singular; ours then gets a ridge",
)
def covariance_is_definite(params, tables):
    norms = tables["norms"]
    as_is = by_dataset(norms, lambda rows: rows["least_eigenvalue"].min())
    redundant = by_dataset(norms, lambda rows: rows["least_eigenvalue_redundant"].max())
    with_sum = {f"{name} with the sum of two attributes": value for name, value in redundant.items()}
    return above(ROUNDING, as_is | with_sum, ".1e", "least eigenvalue over the largest")


# ---------------------------------------------------------------- sizes


@stated("an object has 2^c masses: exponential in the clusters", sentence="S50")
def masses_are_exponential(params, tables):
    counts = tables["counts"]
    share = counts["full"] / 2.0 ** counts["c"]
    note = f"focal sets over 2^c, up to c = {counts['c'].max()}"
    return within(1, 1, {"least": share.min(), "most": share.max()}, note=note)


@stated(
    "with the whole frame and sets of at most two clusters an object has at most c^2 masses", sentence="S54"
)
def limited_masses_are_square(params, tables):
    counts = tables["counts"]
    share = dict(zip(counts["c"].map("c = {}".format), counts["limited"] / counts["c"] ** 2))
    return within(0, 1, share, ".2f", "focal sets over c^2")


@stated(
    "CECM does not reach beyond 10 classes or a few hundred objects",
    sentence="S51",
    explanation="only the masses of constrained objects need a programme, and ours goes from object to "
    "object; the paper solves one programme in all masses of all objects",
    cause=OURS,
)
def sizes_are_limited(params, tables):
    large = tables["large"]
    beyond = large[(large["c"] >= FEW_CLUSTERS) | (large["n"] >= FEW_OBJECTS)]
    if beyond.empty:
        raise NotCheckable("no fit was made beyond these sizes")
    words = "; ".join(
        f"c = {row.c}, n = {row.n}: {'ended' if row.converged else 'not ended'} after {row.n_iter} iterations"
        for row in beyond.itertuples()
    )
    times = ", ".join(f"{row.time_s:.2g} s" for row in beyond.itertuples())
    note = f"with up to {large['f'].max()} focal sets, in {times}"
    return Finding(not beyond["converged"].any(), words, note)

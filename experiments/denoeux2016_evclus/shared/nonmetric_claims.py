"""The claims of Section 4.2 of [denoeux2016_evclus] on non-metric data, for the original files or stand-ins.

Tables as `nonmetric_runs.py` makes them: ``runs`` (k-EVCLUS), ``others`` (RECM and EK-NNclus), ``facts``.
"""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from credalbench.runner import Claim, Finding

from ..t4_map import mean_with_interval
from .k_curves import faster_than_all_pairs, near_the_largest_k, nonspecificity_in_range
from .paired_runs import OURS


def claims_of(subject, figures, text: str, printed, *, plateau: int, published) -> tuple[Claim, ...]:
    """What the paper says on both data sets, and what we ask beside it.

    Parameters
    ----------
    subject : Subject
        The data at hand; on a stand-in, every claim is marked as one.
    figures, text : three str, str
        Artefacts: ARI, time and nonspecificity against k; the comparison with other methods.
    printed : dict
        Printed values with ``recm_nonspecificity`` and ``eknnclus_clusters``.
    plateau : int
        The k from which the paper calls the results as good as with all pairs.
    published : dict
        What the paper says, in words: of the ``plateau``, the ``time`` and the ``order`` of the methods.
    """
    ari, seconds, nonspecificity = figures
    stand_in = bool(subject.stands_in_for)
    level = {"from_k": plateau, "within": 0.02, "published": published["plateau"], "substitute": stand_in}
    return (
        not_metric(ari, stand_in),
        near_the_largest_k(ari, "ari", **level),
        faster(seconds, plateau, published["time"], stand_in),
        every_run_arrives(seconds, stand_in),
        near_the_largest_k(nonspecificity, "nonspecificity", **level),
        nonspecificity_in_range(nonspecificity, substitute=stand_in),
        in_this_order(text, published["order"], stand_in),
        recm_is_sure(text, printed["recm_nonspecificity"], stand_in),
        clusters_found(text, printed["eknnclus_clusters"], subject.n_clusters, stand_in),
        threshold_does_not_matter(text, stand_in),
        non_euclidean_is_the_reason(text, stand_in),
    )


def values_of(tables, method: str, column: str = "ari") -> pd.Series:
    others = tables["others"]
    return others.loc[others["method"] == method, column]


def in_words(values) -> str:
    """``0.250 (95 % interval 0.220 to 0.280)``: the mean of the runs."""
    mean, low, high = mean_with_interval(values)
    return f"{mean:.3f} (95 % interval {low:.3f} to {high:.3f})"


def not_metric(artefact: str, substitute: bool) -> Claim:
    """The data are not Euclidean distances."""

    def check(params, tables):
        row = tables["facts"].iloc[0]
        ours = (
            f"{row['negative_eigenvalues']:.0f} of {row['n']:.0f} eigenvalues are negative, "
            f"{100 * row['share_of_negative_eigenvalues']:.1f} % of the sum of all absolute values"
        )
        note = f"triangle inequality broken in {100 * row['broken_triangles']:.2g} % of the triples tried"
        return Finding(row["negative_eigenvalues"] > 0, ours, note)

    statement = "The dissimilarities are not Euclidean distances: their Gram matrix has negative eigenvalues"
    published = "non metric, i.e., not Euclidean distances"
    return Claim(artefact, statement, "paper", check, published, substitute=substitute)


def faster(artefact: str, k: int, published: str, substitute: bool) -> Claim:
    """The general claim of ``k_curves`` with a factor of one, in plainer words."""
    claim = faster_than_all_pairs(artefact, k=k, factor=1, published=published, substitute=substitute)
    return replace(claim, statement=f"The median time at k = {k} is below that at the largest k")


def every_run_arrives(artefact: str, substitute: bool) -> Claim:
    """No run of k-EVCLUS meets the cap on sweeps."""

    def check(params, tables):
        runs = tables["runs"]
        capped = runs[~runs["converged"]].groupby("k").size()
        found = ", ".join(f"{count} at k = {k}" for k, count in capped.items()) or "none"
        ours = f"runs that met the cap of {params.max_iter} sweeps: {found}, of {params.n_runs} for each k"
        why = "with few pairs, one-sided row updates circle: they are no descent of the stress J_k"
        return Finding(capped.empty, ours, why if len(capped) and params.pair_updates == "one-sided" else "")

    statement = "Every run of k-EVCLUS meets its threshold before the cap on sweeps"
    return Claim(artefact, statement, OURS, check, substitute=substitute)


def in_this_order(artefact: str, published: str, substitute: bool) -> Claim:
    """RECM < EK-NNclus < k-EVCLUS."""

    def check(params, tables):
        recm, neighbours = values_of(tables, "recm"), values_of(tables, "eknnclus")
        runs = tables["runs"]
        evclus = runs.loc[runs["k"] == runs["k"].max(), "ari"].median()
        ours = f"RECM {in_words(recm)}, EK-NNclus {in_words(neighbours)}, k-EVCLUS {evclus:.3f}"
        return Finding(recm.mean() < neighbours.mean() < evclus, ours, going_on(tables))

    statement = (
        "The mean ARI of RECM is below that of EK-NNclus, and that below the median ARI of k-EVCLUS with all "
        "pairs"
    )
    return Claim(artefact, statement, "paper", check, published, substitute=substitute)


def going_on(tables) -> str:
    return f"RECM with a threshold 1000 times smaller: {in_words(values_of(tables, 'recm_goes_on'))}"


def recm_is_sure(artefact: str, printed, substitute: bool) -> Claim:
    """RECM's nonspecificity is close to 0, though its clusters are wrong."""

    def check(params, tables):
        values = values_of(tables, "recm", "nonspecificity")
        return Finding(abs(values.mean() - printed.value) <= printed.precision, f"{values.mean():.4f}")

    statement = f"The mean nonspecificity of RECM is within {printed.precision:g} of {printed.value:g}"
    return Claim(
        artefact, statement, "paper, tolerance ours", check, f"{printed.value:g}", substitute=substitute
    )


def clusters_found(artefact: str, printed, true_number: int, substitute: bool) -> Claim:
    """EK-NNclus finds about the right number of clusters."""

    def check(params, tables):
        found = values_of(tables, "eknnclus", "clusters_found")
        ours = f"{found.min()} to {found.max()}, mean {found.mean():.1f}, of {true_number}"
        return Finding(abs(found.mean() - true_number) <= printed.precision, ours)

    statement = (
        f"The mean number of clusters that EK-NNclus finds is within {printed.precision:g} of the true number"
    )
    return Claim(artefact, statement, "paper, tolerance ours", check, printed.source, substitute=substitute)


def threshold_does_not_matter(artefact: str, substitute: bool) -> Claim:
    """RECM has arrived when it stops."""

    def check(params, tables):
        early, late = values_of(tables, "recm"), values_of(tables, "recm_goes_on")
        first, last = (values_of(tables, method, "n_iter").median() for method in ("recm", "recm_goes_on"))
        ours = f"{in_words(early)} after {first:g} iterations, {in_words(late)} after {last:g}"
        same = abs(early.mean() - late.mean()) <= 0.05
        why = "the change of the masses is divided by n f: the more objects, the earlier the threshold is met"
        return Finding(same, ours, "" if same else why)

    statement = "RECM with a threshold 1000 times smaller has the same mean ARI, within 0.05"
    return Claim(artefact, statement, OURS, check, substitute=substitute)


def non_euclidean_is_the_reason(artefact: str, substitute: bool) -> Claim:
    """Made Euclidean, the same data are no trouble for RECM."""

    def check(params, tables):
        as_is, shifted = values_of(tables, "recm_goes_on"), values_of(tables, "recm_shifted")
        negative = int(values_of(tables, "recm_goes_on", "negative_distances").sum())
        ours = f"{in_words(as_is)} as they are, {in_words(shifted)} made Euclidean"
        note = (
            f"{negative} negative squared distances in all runs as they are; the shift is so large that all "
            "objects are nearly equally far from each other"
        )
        return Finding(shifted.mean() > as_is.mean(), ours, note)

    statement = (
        "RECM, run to the end, has a higher mean ARI on the dissimilarities made Euclidean by a spectral "
        "shift than on the dissimilarities as they are"
    )
    published = "RECM does not perform well, probably because of the non-metric nature of the dissimilarities"
    return Claim(artefact, statement, OURS, check, published, substitute=substitute)

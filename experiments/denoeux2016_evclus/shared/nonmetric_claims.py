"""The claims of Section 4.2 of [denoeux2016_evclus] on non-metric data, for the original files or stand-ins.

Tables as `nonmetric_runs.py` makes them: ``runs`` (k-EVCLUS), ``others`` (RECM and EK-NNclus), ``facts``.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from credalbench.intervals import bootstrap, difference, mean
from credalbench.runner import (
    EXPECTATION,
    PAPER,
    PROPERTY,
    TOLERANCE_OURS,
    Claim,
    Finding,
    printed_values,
)
from credalbench.runner.claims import above, agrees, all_of, below, claim, claims_of, within

from .k_curves import (
    TIME_OF_ALL_PAIRS,
    faster_than_all_pairs,
    near_the_largest_k,
    nonspecificity_in_range,
)
from .nonmetric_runs import stands_in, subject_of

DIGITS, GESTURES = (printed_values(__file__, study) for study in ("digits", "gestures"))


def subject(printed, artefacts, gain: str, evclus: str) -> dict:
    """What differs between the data sets: artefacts, printed values, k of the plateau, the paper's words."""
    named = dict(zip(("ari", "seconds", "nonspecificity", "text"), artefacts))
    plateau = int(printed["plateau_k"].value)
    return named | {"printed": printed, "plateau": plateau, "gain": gain, "evclus": evclus}


BOTH = [
    subject(
        DIGITS,
        ("evclus-fig-20", "evclus-fig-21", "evclus-fig-22", "evclus-txt-03"),
        gain="drawn only",
        evclus=f"{DIGITS['ari_plateau'].value:g}",
    ),
    subject(
        GESTURES,
        ("evclus-fig-23", "evclus-fig-24", "evclus-fig-25", "evclus-txt-04"),
        gain="a significant reduction in training time, drawn only",
        evclus="drawn",
    ),
]
ON_BOTH = {"substitute": stands_in, "each": BOTH}
WITHIN = "for every k >= {plateau} is within 0.02 of that at the largest k"


def claims_on(artefacts) -> tuple[Claim, ...]:
    """The claims of this module on the artefacts of one data set."""
    return tuple(one for one in claims_of(__name__) if one.artefact in artefacts)


def by_method(tables, column: str = "ari") -> pd.DataFrame:
    """A column with one row per repetition and one column per method; k-EVCLUS takes all pairs."""
    runs, others = tables["runs"], tables["others"]
    wide = others.pivot(index="repetition", columns="method", values=column)
    if column in runs:
        wide["k-EVCLUS"] = runs[runs["k"] == runs["k"].max()].set_index("repetition")[column]
    return wide


# ---------------------------------------------------------------- the data and k-EVCLUS


@claim(
    "{ari}",
    "the dissimilarities are not Euclidean distances: their Gram matrix has negative eigenvalues",
    PAPER,
    published="non metric, i.e., not Euclidean distances",
    **ON_BOTH,
)
def not_euclidean(params, tables):
    row = tables["facts"].iloc[0]
    share, broken = row["share_of_negative_eigenvalues"], row["broken_triangles"]
    return Finding(
        row["negative_eigenvalues"] > 0,
        f"{row['negative_eigenvalues']:.0f} of {row['n']:.0f} eigenvalues are negative, {100 * share:.1f} % "
        "of the sum of all absolute values",
        f"triangle inequality broken in {100 * broken:.2g} % of the triples tried",
    )


@claim(
    "{ari}",
    f"the median adjusted Rand index {WITHIN}",
    TOLERANCE_OURS,
    published="{printed[plateau_k].source}",
    **ON_BOTH,
)
def as_good_as_all_pairs(params, tables, plateau):
    return near_the_largest_k(tables["runs"], "ari", plateau, 0.02)


@claim(
    "{seconds}",
    "the median time at k = {plateau} is below that at the largest k",
    TOLERANCE_OURS,
    published="{gain}",
    explanation=TIME_OF_ALL_PAIRS,
    **ON_BOTH,
)
def faster(params, tables, plateau):
    return faster_than_all_pairs(tables["runs"], plateau, 1)


@claim(
    "{seconds}", "every run of k-EVCLUS meets its threshold before the cap on sweeps", EXPECTATION, **ON_BOTH
)
def every_run_arrives(params, tables):
    runs = tables["runs"]
    capped = runs[~runs["converged"]].groupby("k").size()
    found = ", ".join(f"{count} at k = {k}" for k, count in capped.items()) or "none"
    ours = f"runs that met the cap of {params.max_iter} sweeps: {found}, of {params.n_runs} for each k"
    why = "with few pairs, one-sided row updates circle: they are no descent of the stress J_k"
    return Finding(capped.empty, ours, why if len(capped) and params.pair_updates == "one-sided" else "")


@claim(
    "{nonspecificity}",
    f"the median average nonspecificity {WITHIN}",
    TOLERANCE_OURS,
    published="{printed[plateau_k].source}",
    **ON_BOTH,
)
def as_specific_as_all_pairs(params, tables, plateau):
    return near_the_largest_k(tables["runs"], "nonspecificity", plateau, 0.02)


@claim("{nonspecificity}", "the average nonspecificity is between 0 and 1 in every run", PROPERTY, **ON_BOTH)
def normalised(params, tables):
    return nonspecificity_in_range(tables["runs"])


# ---------------------------------------------------------------- RECM and EK-NNclus


@claim(
    "{text}",
    "the mean ARI of RECM is below that of EK-NNclus, and that below the median ARI of k-EVCLUS with all "
    "pairs",
    PAPER,
    published="RECM {printed[recm_ari_mean].value:g} (at most {printed[recm_ari_max].value:g}), EK-NNclus "
    "{printed[eknnclus_ari_mean].value:g} (at most {printed[eknnclus_ari_max].value:g}), k-EVCLUS {evclus}",
    **ON_BOTH,
)
def in_this_order(params, tables):
    ari = by_method(tables)
    last = bootstrap(
        lambda one, other: np.nanmean(one, axis=-1) - np.nanmedian(other, axis=-1),
        ari["eknnclus"],
        ari["k-EVCLUS"],
    )
    named = {"RECM": "recm", "EK-NNclus": "eknnclus", "RECM to the end": "recm_goes_on"}
    means = ", ".join(f"{name} {mean(ari[method]):.3f}" for name, method in named.items())
    return all_of(
        below(0, {"RECM minus EK-NNclus": difference(ari["recm"], ari["eknnclus"])}, "+.3f"),
        below(0, {"EK-NNclus minus k-EVCLUS": last}, "+.3f", f"means: {means}"),
    )


@claim(
    "{text}",
    "the mean nonspecificity of RECM is within {printed[recm_nonspecificity].precision:g} of "
    "{printed[recm_nonspecificity].value:g}",
    TOLERANCE_OURS,
    published="{printed[recm_nonspecificity]}",
    **ON_BOTH,
)
def recm_is_sure(params, tables, printed):
    return agrees(printed["recm_nonspecificity"], mean(by_method(tables, "nonspecificity")["recm"]), ".4f")


@claim(
    "{text}",
    "the mean number of clusters that EK-NNclus finds is within {printed[eknnclus_clusters].precision:g} of "
    "the true number",
    TOLERANCE_OURS,
    published="{printed[eknnclus_clusters].source}",
    **ON_BOTH,
)
def clusters_found(params, tables, printed):
    found, true = by_method(tables, "n_clusters")["eknnclus"], subject_of(tables).n_clusters
    reach = printed["eknnclus_clusters"].precision
    note = f"{found.min():g} to {found.max():g}, of {true}"
    return within(true - reach, true + reach, {"mean": mean(found)}, ".1f", note)


@claim(
    "{text}",
    "RECM with a threshold 1000 times smaller has the same mean ARI, within 0.05",
    EXPECTATION,
    explanation="the change of the masses is divided by n f: the more objects, the earlier the threshold "
    "is met",
    **ON_BOTH,
)
def threshold_does_not_matter(params, tables):
    ari, n_iter = by_method(tables), by_method(tables, "n_iter").median()
    note = f"after {n_iter['recm_goes_on']:g} iterations instead of {n_iter['recm']:g}"
    return within(-0.05, 0.05, {"difference": difference(ari["recm_goes_on"], ari["recm"])}, "+.3f", note)


@claim(
    "{text}",
    "RECM, run to the end, has a higher mean ARI on the dissimilarities made Euclidean by a spectral shift "
    "than on the dissimilarities as they are",
    EXPECTATION,
    published="RECM does not perform well, probably because of the non-metric nature of the dissimilarities",
    **ON_BOTH,
)
def euclidean_is_easier(params, tables):
    ari = by_method(tables)
    negative = by_method(tables, "negative_distances")["recm_goes_on"].sum()
    note = (
        f"{mean(ari['recm_goes_on']):.3f} as they are, with {negative:.0f} negative squared distances in all "
        "runs; the shift is so large that all objects are nearly equally far from each other"
    )
    return above(0, {"difference": difference(ari["recm_shifted"], ari["recm_goes_on"])}, "+.3f", note)

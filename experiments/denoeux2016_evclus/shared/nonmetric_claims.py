"""The claims of Section 4.2 of [denoeux2016_evclus] on non-metric data, for the original files or stand-ins.

Tables as `nonmetric_runs.py` makes them: ``runs`` (k-EVCLUS), ``others`` (RECM and EK-NNclus), ``facts``.
"""

from functools import partial

import numpy as np
import pandas as pd

from credalbench.core.intervals import bootstrap, difference, mean, ratio
from credalbench.papers import Claim, Finding, NotCheckable, printed_values
from credalbench.papers.claims import above, agrees, below, claim, claims_of
from credalbench.papers.reasons import TIMES

from .k_curves import TIME_OF_ALL_PAIRS, faster_than_all_pairs, near_the_largest_k
from .nonmetric_runs import stands_in, subject_of

DIGITS, GESTURES = (printed_values(__file__, study) for study in ("digits", "gestures"))


def subject(printed, artefacts, gain: str, **sentences: str) -> dict:
    """Return what differs between the data sets: artefacts, printed values, k of the plateau, sentences."""
    named = dict(zip(("ari", "seconds", "nonspecificity", "text"), artefacts))
    return named | {"printed": printed, "plateau": int(printed["plateau_k"].value), "gain": gain} | sentences


BOTH = [
    subject(
        DIGITS,
        ("evclus-fig-20", "evclus-fig-21", "evclus-fig-22", "evclus-txt-03"),
        gain="drawn only",
        curves="S60",
        time="S02",
        recm="S16 S61",
        reason="S61",
        eknnclus="S62 S68",
    ),
    subject(
        GESTURES,
        ("evclus-fig-23", "evclus-fig-24", "evclus-fig-25", "evclus-txt-04"),
        gain="a significant reduction in training time, drawn only",
        curves="S63 S64",
        time="S63 S65",
        recm="S16 S66",
        reason="S16",
        eknnclus="S68",
    ),
]
ON_BOTH = {"stand_in": stands_in, "each": BOTH}
WITHIN = "for every k >= {plateau} is that at the largest k, within the error of the sample"


def claims_on(artefacts) -> tuple[Claim, ...]:
    """Return the claims of this module on the artefacts of one data set."""
    return tuple(one for one in claims_of(__name__) if one.artefact in artefacts)


def by_method(tables, column: str = "ari") -> pd.DataFrame:
    """Return a column with one row per repetition and one column per method; k-EVCLUS takes all pairs."""
    runs, others = tables["runs"], tables["others"]
    wide = others.pivot(index="repetition", columns="method", values=column)
    if column in runs:
        wide["k-EVCLUS"] = runs[runs["k"] == runs["k"].max()].set_index("repetition")[column]
    return wide


highest, fewest = partial(np.nanmax, axis=-1), partial(np.nanmin, axis=-1)


# ---------------------------------------------------------------- the data and k-EVCLUS


@claim(
    "{ari}",
    "the dissimilarities are not Euclidean distances: their Gram matrix has negative eigenvalues",
    sentence="S59",
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
    "most objects that are far from an object are far from its nearest neighbour, too (far: the median "
    "dissimilarity or more)",
    sentence="S37",
    **ON_BOTH,
)
def redundant(params, tables):
    return above(0.5, {"share": tables["facts"]["redundancy"].iloc[0]}, ".3f", "by chance 0.5")


@claim(
    "{ari}",
    f"the median adjusted Rand index {WITHIN}",
    sentence="{curves}",
    published="{printed[plateau_k].source}",
    **ON_BOTH,
)
def as_good_as_all_pairs(params, tables, plateau):
    return near_the_largest_k(tables["runs"], "ari", plateau)


@claim(
    "{seconds}",
    "k-EVCLUS with k = {plateau} takes less time than with all pairs (medians)",
    sentence="{time}",
    published="{gain}",
    explanation=TIME_OF_ALL_PAIRS,
    **ON_BOTH,
    caveat=TIMES,
)
def faster(params, tables, plateau):
    return faster_than_all_pairs(tables["runs"], plateau)


@claim(
    "{nonspecificity}",
    f"the median average nonspecificity {WITHIN}",
    sentence="{curves}",
    published="{printed[plateau_k].source}",
    **ON_BOTH,
)
def as_specific_as_all_pairs(params, tables, plateau):
    return near_the_largest_k(tables["runs"], "nonspecificity", plateau)


# ---------------------------------------------------------------- RECM and EK-NNclus


@claim(
    "{text}",
    "mean and highest index of RECM and EK-NNclus, nonspecificity of RECM and clusters of EK-NNclus are as "
    "printed",
    published="means and extremes over 10 trials",
    explanation="RECM's threshold and focal sets, and the number of labels that EK-NNclus starts from, are "
    "not printed",
    **ON_BOTH,
)
def as_printed(params, tables, printed):
    ari, clusters = by_method(tables), by_method(tables, "n_clusters")["eknnclus"]
    ours = {
        "recm_ari_mean": mean(ari["recm"]),
        "recm_ari_max": bootstrap(highest, ari["recm"]),
        "recm_nonspecificity": mean(by_method(tables, "nonspecificity")["recm"]),
        "eknnclus_ari_mean": mean(ari["eknnclus"]),
        "eknnclus_ari_max": bootstrap(highest, ari["eknnclus"]),
        "eknnclus_clusters": mean(clusters),
        "eknnclus_clusters_min": bootstrap(fewest, clusters),
        "eknnclus_clusters_max": bootstrap(highest, clusters),
    }
    listed = [name for name in ours if name in printed]
    named = {name: name.replace("_", " ").replace("recm", "RECM").replace("eknn", "EK-NN") for name in listed}
    return agrees(
        {label: printed[name] for name, label in named.items()},
        {label: ours[name] for name, label in named.items()},
        note=f"of {subject_of(tables).n_clusters} classes",
    )


@claim("{text}", "the seconds of RECM and EK-NNclus are as printed", **ON_BOTH)
def seconds_as_printed(params, tables, printed):
    values = [printed[name] for name in ("recm_time_s", "eknnclus_time_s")]
    raise NotCheckable("the machine and the programs of the authors are not at hand", values)


@claim(
    "{text}",
    "the mean index of RECM is below that of k-EVCLUS with all pairs",
    sentence="{recm}",
    published="RECM {printed[recm_ari_mean].value:g}, k-EVCLUS drawn",
    **ON_BOTH,
)
def recm_does_poorly(params, tables):
    ari = by_method(tables)
    names = {"RECM": "recm", "k-EVCLUS": "k-EVCLUS", "RECM to the end": "recm_goes_on"}
    means = ", ".join(f"{name} {ari[method].mean():.3f}" for name, method in names.items())
    return below(0, {"RECM - k-EVCLUS": difference(ari["recm"], ari["k-EVCLUS"])}, "+.3f", f"means: {means}")


@claim(
    "{text}",
    "the mean index of EK-NNclus is below that of k-EVCLUS with all pairs, which is given the number of "
    "clusters",
    sentence="{eknnclus}",
    published="EK-NNclus {printed[eknnclus_ari_mean].value:g}, k-EVCLUS drawn",
    **ON_BOTH,
)
def eknnclus_is_less_accurate(params, tables):
    ari = by_method(tables)
    means = f"EK-NNclus {ari['eknnclus'].mean():.3f}, k-EVCLUS {ari['k-EVCLUS'].mean():.3f}"
    gap = difference(ari["eknnclus"], ari["k-EVCLUS"])
    return below(0, {"EK-NNclus - k-EVCLUS": gap}, "+.3f", f"means: {means}")


@claim(
    "{text}",
    "k-EVCLUS with k = {plateau} takes less time than RECM (medians of whole calls)",
    sentence="S67",
    explanation="RECM stops after few iterations here: the cost and the number of iterations depend on the "
    "program and on its threshold",
    **ON_BOTH,
    caveat=TIMES,
)
def faster_than_recm(params, tables, plateau):
    runs, recm = tables["runs"], by_method(tables, "time_s")["recm"]
    k = min((k for k in runs["k"].unique() if k >= plateau), default=runs["k"].max())
    ours = runs[runs["k"] == k].set_index("repetition")["fit_time_s"]
    note = f"median iterations of RECM {by_method(tables, 'n_iter')['recm'].median():g}"
    return above(1, {f"RECM / k-EVCLUS, k = {k}": ratio(recm, ours)}, ".2f", note)


@claim(
    "{text}",
    "RECM, run to the end, has a higher mean ARI on the dissimilarities made Euclidean by a spectral shift "
    "than on the dissimilarities as they are",
    sentence="{reason}",
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

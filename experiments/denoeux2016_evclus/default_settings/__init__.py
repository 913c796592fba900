"""Beyond the paper: d0 and the start of EVCLUS, where nobody chooses them.

The paper leaves d0 to the user, takes the 0.9-quantile of the dissimilarities for most data, and starts at
random; so does the R package. With many clusters this loses clusters that anybody sees: about 1/c of all
pairs are within clusters, and a d0 far above merges neighbours. What should a program do by default, that
knows the dissimilarities and the number of clusters, but no classes? Rules (``rules.py``):

- a fixed quantile, 0.5 or 0.9, or one that falls with the number of clusters, 2/c or 1.5/c;
- 1.5 times the share of pairs that Ward's linkage puts within clusters;
- the quantile, of nine, at which short fits have the best silhouette, or the least nonspecificity;
- the quantile of the least nonspecificity plus share of outliers: the default of ``EVCLUS``;
- starts at random, or at Ward's linkage of the transformed dissimilarities.

Data sets come in two halves (``sets.py``). On the 21 *tuning* sets the default was chosen, so it must do well
there; the 30 *unseen* ones were listed before any rule was tried on them, and judge. Every mean is over
sets, with the interval that these sets leave. ``max_objects`` are drawn of larger unseen sets. Where all
columns are numbers, every rule is also tried after far objects were added: two in a hundred, and at least
three. They should be called outliers, and others not.

The *bars* are what a user may expect at least: Gaussians 6 standard deviations apart, with equal and unequal
shares, and data on which the paper's setting fails. Times are those of fits by the default and by the earlier
default, one after the other; only their ratio is used. They are processor times: other studies run beside.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from credalbench.baselines.base_partitions import no_user_warnings
from credalbench.cluster import EVCLUS
from credalbench.metrics import adjusted_rand
from credalbench.papers import case_random_state, case_rng, declare, knob

from ..shared.clock import fastest, warm_up
from .claims import ARTEFACTS, planted, rules_compared, sets_compared
from .rules import DEFAULT, EARLIER, RULES, look_at, settings_of
from .sets import (
    BARS,
    FILES_OF_TUNING,
    FILES_UNSEEN,
    PARTS,
    TUNING,
    UNSEEN,
    Classified,
    classified,
    with_far_objects,
)


@dataclass(frozen=True)
class Parameters:
    """All ours."""

    tuning: tuple[str, ...] = knob(TUNING, "data sets on which the default was chosen")
    unseen: tuple[str, ...] = knob(UNSEEN, "data sets that judge it")
    bars: tuple[str, ...] = knob(BARS, "separated Gaussians")
    n_repetitions: int = knob(3, "starts and draws of tuning and unseen sets", low=1)
    n_draws: int = knob(10, "draws of each kind of separated Gaussians", low=1)
    max_objects: int = knob(800, "objects of an unseen set at most", low=20)
    far_share: float = knob(0.02, "far objects, as a share of the others", low=0.0, high=0.2)
    n_repeats: int = knob(3, "fits that are timed; the fastest counts", low=1)
    seed: int = knob(0, "seed of draws and starts", low=0)


def cases(params):
    return [
        {"part": part, "dataset": name, "repetition": repetition}
        for part in PARTS
        for name in getattr(params, part)
        for repetition in range(params.n_draws if part == "bars" else params.n_repetitions)
    ]


def compute(params, case):
    """Tables ``runs``, a row for each rule, ``far``, the same with far objects, and ``times``."""
    warm_up()
    axes = case["part"], case["dataset"], case["repetition"]
    data = classified(*axes[:2], params.seed, axes[2], params.max_objects)
    seed = case_random_state(params.seed, *axes)
    if case["part"] == "bars":
        return {"runs": by_rules((DEFAULT, EARLIER), data.X, data, seed)}
    tables = {"runs": by_rules(RULES, data.X, data, seed), "times": times(params, data, seed)}
    if data.metric == "euclidean":
        X = with_far_objects(data.X, params.far_share, case_rng(params.seed, *axes, "far"))
        tables["far"] = by_rules(RULES, X, data, seed)
    return tables


def by_rules(rules, X: np.ndarray, data: Classified, seed: int) -> pd.DataFrame:
    """Fit to `X`, the objects of `data` and perhaps others, by each rule: a row with what is compared."""
    n, c = len(data.y), np.unique(data.y).size
    sample, chosen, rows = look_at(X, data.metric, c, seed), np.nan, []
    for rule in rules:
        model = EVCLUS(c, metric=data.metric, random_state=seed)
        with no_user_warnings():  # of clusters that stay empty: that is what poor rules do
            fit = model.set_params(**settings_of(rule, sample, chosen)).fit(X)
        chosen = fit.d0_quantile_ if rule == DEFAULT else chosen
        outliers = fit.partition_.outliers()
        row = {"rule": rule, "quantile": fit.d0_quantile_, "ari": adjusted_rand(data.y, fit.labels_[:n])}
        row |= {"outliers": outliers[:n].mean(), "found": outliers[n:].mean() if len(X) > n else np.nan}
        rows.append(row)
    return pd.DataFrame(rows).assign(n=n, c=c)


def times(params, data: Classified, seed: int) -> pd.DataFrame:
    """Processor seconds of a fit by the default and by the earlier one."""
    model = EVCLUS(np.unique(data.y).size, metric=data.metric, random_state=seed)
    earlier = {"d0_quantile": 0.9, "init": "random"}
    seconds = partial(fastest, params.n_repeats)
    with no_user_warnings():
        default_s = seconds(model.fit, data.X)
        earlier_s = seconds(model.set_params(**earlier).fit, data.X)
    return pd.DataFrame([{"default_s": default_s, "earlier_s": earlier_s}])


experiment = declare(
    __name__,
    title="EVCLUS with nothing but the number of clusters: rules for d0 and the start",
    artefacts=ARTEFACTS,
    summaries=(rules_compared, planted, sets_compared),
    smoke={
        "tuning": ("blobs 5", "iris", "wine"),
        "unseen": ("10 dimensions", "words", "40 objects"),
        "bars": ("equal 3", "unequal 5"),
        "n_repetitions": 2,
        "n_draws": 3,
        "n_repeats": 1,
    },
    data=(*FILES_OF_TUNING, *FILES_UNSEEN),
)

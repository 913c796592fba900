"""The fits of one method on all data sets: the experiment that the runner runs once for each method.

A case is a data set. Its rows are fits of four kinds (`PARTS`):

``defaults``
    Default settings; the number of clusters is that of the classes.
``tuned``
    The same with the setting of `settings` that has the highest silhouette in the first run.
``unknown``
    Default settings without the number: found by the method, or, where it cannot, chosen once for each data
    set by `credalbench.select.select_by_silhouette`, which looks at no class and knows no method. Of its
    numbers the best one of two and more is taken.
``outliers``
    Default settings on the data with planted outliers.

All methods meet the same objects and seeds: these depend on the data set and the run alone. Runs that must
give the same numbers, of a method without chance on the same objects, are computed once and repeated. Each
fit has limits of processor time and memory. What exceeds them, or raises an error, is a row with this failure
and its message. After a fit that exceeded a limit, the other runs of its part are not tried, and count as
failures, too. Of slow methods fewer runs are made: none is begun after the `budget_s` seconds of a part, but
`least_runs` are made with the defaults, and one in the other parts.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isqrt, nan

import numpy as np
import pandas as pd
from sklearn.base import clone

from credalbench.core.arguments import expect
from credalbench.core.kernels import compile_kernels
from credalbench.papers import Experiment, case_random_state, case_rng, knob
from credalbench.select import select_by_silhouette

from .data_sets import DATA_SETS, Objects, objects_of, with_outliers
from .guarded import Guarded, PeakMemory
from .measures import agreement, answer_of, labels_of, outlier_shares, partition_of, silhouette
from .methods import Entrant
from .settings import in_words, settings_of

DEFAULTS, TUNED, UNKNOWN, OUTLIERS = PARTS = ("defaults", "tuned", "unknown", "outliers")
LIMITS = ("time limit", "memory limit", "died")
NOT_TRIED = "not tried"
MOST_CLUSTERS = 20  # that are looked for
#: What a row holds besides part, run and failure; NaN and empty after a failure.
MEASURES = ("ari", "credal", "error", "kept_error", "found", "false", "n_clusters", "seconds", "mebibytes")


@dataclass(frozen=True)
class Parameters:
    """What the fits of one method depend on."""

    method: str = knob("credalbench.cluster:ECM", "class of the method, package.module:Class")
    version: str = knob("", "digest of the method's package, where that is not part of this one")
    data: tuple[str, ...] = knob(tuple(DATA_SETS), "data sets")
    n_runs: int = knob(20, "runs with seeds of their own", low=1)
    least_runs: int = knob(3, "runs of a slow method at least", low=1)
    max_objects: int = knob(150, "objects of a data set at most", low=20)
    limit_s: float = knob(8.0, "processor seconds of a fit at most", low=0.1)
    limit_mib: float = knob(1024.0, "mebibytes of a fit at most", low=1.0)
    budget_s: tuple[float, float] = knob(
        (2.0, 0.75),
        "processor seconds of the runs with defaults, and of each other part: none is begun after",
    )
    seed: int = knob(0, "seed of draws and starts", low=0)


def method_of(params: Parameters) -> Entrant:
    """Return the method of the parameters."""
    return Entrant(params.method, params.method)


def cases(params: Parameters) -> list[dict]:
    """Return the data sets that the method takes."""
    entrant = method_of(params)
    return [{"dataset": name} for name in params.data if entrant.takes(DATA_SETS[name].kind)]


def compute(params: Parameters, case: Mapping) -> dict[str, pd.DataFrame]:
    """Tables ``fits``, a row for each fit, and ``settings``, a row for each setting that was tried."""
    entrant = method_of(params)
    expect(
        entrant.version == params.version, f"{params.method} as it was when the run began", entrant.version
    )
    compile_kernels()
    return Fits(entrant, params, case["dataset"]).tables()


def code_of(params: Parameters) -> tuple[type, ...]:
    """Return the class whose code the tables depend on; `compute` has only its name."""
    return (type(method_of(params).estimator),)


@dataclass(frozen=True)
class Request:
    """What one fit is asked for; picklable, since the fit runs in another process."""

    part: str
    run: int
    setting: Mapping[str, object]
    n_clusters: int | None


class Fits:
    """The fits of one method on one data set."""

    def __init__(self, entrant: Entrant, params: Parameters, dataset: str) -> None:
        self.entrant, self.params, self.dataset = entrant, params, dataset
        self.objects = lru_cache(None)(self._draw)  # parts meet the same runs
        self.kind = entrant.takes(DATA_SETS[dataset].kind)
        self.objects(0)  # data that cannot be read leave the case out, here
        fixed = DATA_SETS[dataset].is_fixed(params.max_objects) and not entrant.is_random
        self.n_different = 1 if fixed else params.n_runs

    def _draw(self, run: int) -> Objects:
        return objects_of(self.dataset, self.params.seed, run, self.params.max_objects)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Fit in all ways; return the tables."""
        params = self.params
        with Guarded(self.answer, params.limit_s, params.limit_mib) as self.process:
            defaults = self.part(DEFAULTS, {})
            tried = self.tried(defaults[0])
            best = max(tried, key=lambda row: row["silhouette"])  # the first of equal ones
            rows = defaults + self.same_or_part(TUNED, best["values"], defaults, not best["values"])
            own = self.entrant.finds_number
            number = None if own else self.chosen_number()
            known = all(self.objects(run).n_classes == number for run in range(self.n_different))
            rows += self.same_or_part(UNKNOWN, {}, defaults, self.entrant.number is None or known, number)
            if DATA_SETS[self.dataset].kind == "attributes":
                rows += self.part(OUTLIERS, {}, chance=True)
        settings = pd.DataFrame(tried).drop(columns="values")
        return {
            "fits": pd.DataFrame(rows).drop(columns="spent_s"),
            "settings": settings.assign(chosen=best["setting"]),
        }

    def part(
        self, part: str, setting: Mapping, number: int | None = None, *, chance: bool = False
    ) -> list[dict]:
        """Return the rows of all runs of a part; with `chance`, the objects differ between runs."""
        params, rows, used = self.params, [], 0.0
        n_runs = params.n_runs if chance else self.n_different
        least, budget = (
            (params.least_runs, params.budget_s[0]) if part == DEFAULTS else (1, params.budget_s[1])
        )
        for run in range(n_runs):
            if used > budget and run >= least:
                break
            rows.append(self.row(part, run, setting, number))
            used += rows[-1]["spent_s"]
            if rows[-1]["failure"] in LIMITS:
                rest = {"failure": NOT_TRIED, "message": f"after: {rows[-1]['failure']}"}
                rows += [rows[-1] | rest | {"run": later} for later in range(run + 1, n_runs)]
                break
        if n_runs < params.n_runs:
            rows = [rows[0] | {"run": run} for run in range(params.n_runs)]
        return rows

    def same_or_part(
        self, part: str, setting: Mapping, defaults: list[dict], same: bool, number: int | None = None
    ) -> list[dict]:
        """Return the rows of a part, those of the defaults where its fits are the same."""
        return [row | {"part": part} for row in defaults] if same else self.part(part, setting, number)

    def row(self, part: str, run: int, setting: Mapping, number: int | None = None) -> dict:
        """Return the row of one fit."""
        answer = self.process.ask(Request(part, run, setting, number))
        empty = {"failure": "", "message": "", "answer": "", "silhouette": nan} | dict.fromkeys(MEASURES, nan)
        about = {"setting": in_words(setting), "finds_number": self.entrant.finds_number}
        return {"part": part, "run": run, **about, **empty, **answer}

    def tried(self, first: dict) -> list[dict]:
        """Fit each setting to the objects of the first run, as long as the budget lasts."""
        rows, used = [first | {"values": {}}], 0.0
        for setting in settings_of(self.entrant, self.kind)[1:]:
            if used > self.params.budget_s[1]:
                break
            rows.append(self.row("settings", 0, setting) | {"values": setting})
            used += rows[-1]["spent_s"]
        names = ("setting", "values", "silhouette", "failure", "message")
        rows = [{name: row[name] for name in names} for row in rows]
        return [row | {"silhouette": -2.0} if row["failure"] else row for row in rows]

    def chosen_number(self) -> int:
        """Choose a number of clusters for the first run, by no class and for any method."""
        D = self.objects(0).D
        most = min(MOST_CLUSTERS, max(12, isqrt(len(D))), len(D) // 3)
        once = {"n_references": 1, "n_resamples": 1}  # say how sure the choice is, and do not change it
        seed = case_random_state(self.params.seed, self.dataset, "number")
        attributes = DATA_SETS[self.dataset].kind == "attributes"
        data, metric = (self.objects(0).X, "euclidean") if attributes else (D, "precomputed")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return select_by_silhouette(
                data, range(2, most + 1), metric=metric, random_state=seed, **once
            ).best

    # ------------------------------------------------------------ in the guarded process

    def answer(self, request: Request) -> dict:
        """Fit, and measure: the answer to a request."""
        objects, n = self.objects(request.run), len(self.objects(request.run).y)
        axes = self.params.seed, self.dataset, request.run
        if request.part == OUTLIERS:
            objects = replace(objects, X=with_outliers(objects.X, case_rng(*axes, "outliers")))
        X = objects.D if self.kind == "dissimilarities" else objects.X
        model = clone(self.entrant.estimator).set_params(**self.entrant.kinds[self.kind] | request.setting)
        if self.entrant.number:
            given = request.n_clusters if request.part == UNKNOWN else objects.n_classes
            model.set_params(**{self.entrant.number: given})
        if self.entrant.is_random:
            model.set_params(random_state=case_random_state(*axes, "start"))
        np.random.seed(case_random_state(*axes, "global"))  # noqa: NPY002  (others' estimators may use it)
        with warnings.catch_warnings(), PeakMemory() as memory:
            warnings.simplefilter("ignore")
            start = time.process_time()
            fit = model.fit(X)
            seconds = time.process_time() - start
        labels = labels_of(fit, X, len(X))
        used = {"seconds": seconds, "mebibytes": memory.mebibytes, "answer": answer_of(fit)}
        if request.part == OUTLIERS:
            return used | outlier_shares(fit, labels, n)
        found = {"silhouette": silhouette(objects.D, labels)}
        if request.part in PARTS:
            found |= agreement(objects.y, labels, partition_of(fit, X, labels))
        return used | found | {"n_clusters": float(len(np.unique(labels[labels >= 0])))}


experiment = Experiment(
    paper="arena",
    study="fits",
    title="One clusterer on all data sets",
    artefacts=("fits",),
    parameters=Parameters,
    cases=cases,
    compute=compute,
    uses=code_of,
    smoke={
        "data": ("iris", "wine", "overlap", "heavy tails", "moons", "survey", "mixed", "noisy"),
        "n_runs": 3,
        "least_runs": 2,
        "max_objects": 80,
        "limit_s": 4.0,
        "budget_s": (0.5, 0.2),
    },
)

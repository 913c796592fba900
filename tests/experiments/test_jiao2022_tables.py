"""Tables 6 to 11 of [jiao2022_egmm]: the printed numbers themselves satisfy what is claimed of them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.mixture import GaussianMixture

from credalbench.runner import CannotBeChecked
from credalbench.runner.reference import read_values
from credalbench.studies import get_study
from experiments.jiao2022_egmm import real_data, run_time
from experiments.jiao2022_egmm.real_data import cells, claims
from experiments.jiao2022_egmm.shared.tables import (
    DATASETS,
    METHODS,
    printed_cell,
    printed_deviation,
    printed_seconds,
    printed_size,
)

RUNS = 20
PARAMS = real_data.experiment.resolve("paper")


def noise():
    """20 numbers of mean 0 and standard deviation 1."""
    values = np.random.default_rng(0).standard_normal(RUNS)
    return (values - values.mean()) / values.std(ddof=1)


def runs_as_printed(row, dataset, method):
    printed = printed_cell(row, dataset, method)
    return printed.value + printed_deviation(row, dataset, method).value * noise() if printed else None


def fits_as_printed(dataset, method) -> list[dict]:
    """Fits with exactly the printed means and deviations; the chosen numbers stand in rows of their own."""
    rows, base = [], {"dataset": dataset, "method": method, "status": "ok", "reason": ""}
    found = runs_as_printed("c_hat", dataset, method)
    places = {"known": printed_size(dataset, "c")}
    if found is not None:
        places["unknown"] = int(np.floor(found.mean() + 0.5))
        rows += [base | {"repetition": r, "c": c, "chosen": True, "index": 0.0} for r, c in enumerate(found)]
    if places.get("unknown") == places["known"]:
        del places["unknown"]  # the same partitions: printed twice
    for case, c in places.items():
        measures = {m: runs_as_printed(f"{m}_{case}", dataset, method) for m in ("purity", "nmi", "ari")}
        rows += [
            base
            | {"repetition": r, "c": c, "chosen": False, "index": np.nan}
            | {m: np.nan if v is None else v[r] for m, v in measures.items() if v is not None}
            for r in range(RUNS)
        ]
    return rows


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    fits = pd.DataFrame([row for d in DATASETS for m in METHODS for row in fits_as_printed(d, m)])
    sizes = [{"dataset": d} | {s: printed_size(d, s) for s in claims.SIZES} for d in DATASETS]
    return {"fits": fits, "sizes": pd.DataFrame(sizes)}


def test_each_printed_value_is_compared_once_and_none_differs(tables):
    compared = []
    for claim in (*claims.means_agree, *claims.deviations_agree):
        found = claim(PARAMS, tables)
        assert found.holds is not False, (claim.statement, found)
        compared += [c.printed.quantity for c in found.compared]
    values = read_values(Path(real_data.__file__).parents[1] / "reference" / "real_data.csv")
    assert sorted(compared) == sorted(q for q, v in values.items() if v.relation != "setting")


def test_the_sentences_come_out_as_by_arithmetic(tables):
    """Second best on Vehicle with c unknown, best on Vehicle and second best on Wine with c known: not so."""
    outcomes = {
        (place["words"], place["dataset"]): claim(PARAMS, tables).holds
        for claim, place in zip(claims.place_of_egmm, claims.PLACED)
    }
    for case in (("c unknown", "vehicle"), ("c known", "vehicle"), ("c known", "wine")):
        assert outcomes.pop(case) is not True
    assert False not in outcomes.values()
    assert claims.best_at_the_number(PARAMS, tables).holds is not False


def test_the_sentences_need_all_data_sets(tables):
    params = real_data.experiment.resolve("paper", {"datasets": ("iris",)})
    with pytest.raises(CannotBeChecked, match="all five data sets"):
        claims.best_at_the_number(params, tables)
    of_wine = next(c for c in claims.means_agree if "EGMM on Wine" in c.statement)
    with pytest.raises(CannotBeChecked, match="Wine is left out") as reason:
        of_wine(params, tables)
    assert len(reason.value.printed) == 6
    few = real_data.experiment.resolve("paper", {"n_runs": 2})
    for claim in (of_wine, claims.best_at_the_number):
        with pytest.raises(CannotBeChecked, match="fewer than 3 runs"):
            claim(few, tables)


def test_a_run_chooses_the_number_of_its_largest_index(smoke_result):
    fits = smoke_result("jiao2022_egmm/real_data").tables["fits"]
    for _, run in fits[fits["method"].isin(["fcm", "egmm"])].groupby(["dataset", "method", "repetition"]):
        best = run.loc[run["index"].idxmax()]
        assert run.loc[run["chosen"], "c"].tolist() == [best["c"]]
    assert not fits.loc[fits["method"] == "hcm", "chosen"].any()


def test_a_half_is_rounded_upwards(tables):
    fits = tables["fits"].query("dataset == 'knowledge' and method == 'gmm' and chosen").assign(c=[2, 3] * 10)
    assert cells.common_number({"fits": fits}, "knowledge", "gmm") == cells.rounded(2.5) == 3


# ---------------------------------------------------------------- Table 11


@pytest.fixture
def times() -> dict[str, pd.DataFrame]:
    """Five runs with the printed seconds; the mixture of bootGMM takes a tenth of its time."""
    rows, growing = [], []
    for r in range(5):
        for dataset in DATASETS:
            seconds = {m: printed_seconds(dataset, m).value for m in METHODS}
            seconds[run_time.CHOICE] = seconds["bootgmm"] / 10
            rows += [
                {"dataset": dataset, "repetition": r, "method": m, "time_s": t} for m, t in seconds.items()
            ]
        for n in run_time.experiment.resolve("paper").sizes:
            growing += [
                {"repetition": r, "n": n, "method": m, "time_s": (1 + r / 100) * n**power / 1e6}
                for m, power in (("bootgmm", 2), ("egmm", 1))
            ]
    counts = [
        pd.DataFrame(run_time.counts(*(printed_size(d, s) for s in ("n", "p", "c")))).assign(dataset=d)
        for d in DATASETS
    ]
    tables = {"runs": pd.DataFrame(rows), "growing": pd.DataFrame(growing)}
    return tables | {"counts": pd.concat(counts)}


def test_printed_times_obey_every_claim(times):
    params = run_time.experiment.resolve("paper")
    unchecked = 0
    for claim in get_study("jiao2022_egmm/run_time").claims:
        try:
            assert claim(params, times).holds is True, claim.statement
        except CannotBeChecked:
            unchecked += 1
    assert unchecked == 2


def test_parameters_of_the_mixtures_are_those_that_scikit_learn_counts():
    X, c = np.random.default_rng(0).standard_normal((60, 3)), 4
    counted = {row["method"]: row["n_parameters"] for row in run_time.counts(60, 3, c)}
    for method, covariances in (("gmm", "full"), ("gmm_shared", "tied")):
        model = GaussianMixture(c, covariance_type=covariances, random_state=0).fit(X)
        assert counted[method] == model._n_parameters()

"""Tables 6 to 11 of [jiao2022_egmm]: the printed numbers themselves satisfy what is claimed of them."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.mixture import GaussianMixture

from credalbench.papers import NotCheckable
from credalbench.papers.reference import read_values
from credalbench.papers.studies import get_study
from experiments.jiao2022_egmm import real_data, run_time
from experiments.jiao2022_egmm.real_data import cells, claims, sentences
from experiments.jiao2022_egmm.shared.bootclus import bootclus
from experiments.jiao2022_egmm.shared.tables import (
    DATASETS,
    METHODS,
    printed_cell,
    printed_deviation,
    printed_seconds,
    printed_size,
)
from experiments.rscript import ProgramUnavailable

RUNS = 20
PARAMS = real_data.experiment.resolve("paper")


def noise():
    """20 numbers of mean 0 and standard deviation 1."""
    values = np.random.default_rng(0).standard_normal(RUNS)
    return (values - values.mean()) / values.std(ddof=1)


def runs_as_printed(row, dataset, method):
    printed = printed_cell(row, dataset, method)
    return printed.value + printed_deviation(row, dataset, method).value * noise() if printed else None


def number_of_its_cells(dataset, method) -> int:
    """The number of clusters that the printed NMI and ARI belong to: of bootGMM see erratum E2."""
    true_one = {("wine", "bootgmm"): 3, ("knowledge", "bootgmm"): 5}
    return true_one.get((dataset, method), cells.rounded(printed_cell("c_hat", dataset, method).value))


def fits_as_printed(dataset, method) -> list[dict]:
    """Fits with exactly the printed means and deviations; the chosen numbers stand in rows of their own."""
    base = {"dataset": dataset, "method": cells.judged(dataset, method), "status": "ok", "reason": ""}
    rows, found = [], runs_as_printed("c_hat", dataset, method)
    places = {"known": printed_size(dataset, "c")}
    if found is not None:
        places["unknown"] = number_of_its_cells(dataset, method)
        found += places["unknown"] - found.mean() if method == "bootgmm" else 0
        rows += [base | {"repetition": r, "c": c, "chosen": True, "index": 0.0} for r, c in enumerate(found)]
    if places.get("unknown") == places["known"]:
        del places["unknown"]  # the same partitions: printed twice
    for case, c in places.items():
        measures = {m: runs_as_printed(f"{m}_{case}", dataset, method) for m in ("purity", "nmi", "ari")}
        rows += [
            base
            | {"repetition": r, "c": c, "chosen": False, "index": np.nan}
            | {m: np.nan if v is None else v[r] for m, v in measures.items() if v is not None}
            | {"model": "VVV"}
            for r in range(RUNS)
        ]
    return rows


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    fits = pd.DataFrame([row for d in DATASETS for m in METHODS for row in fits_as_printed(d, m)])
    sizes = [{"dataset": d} | {s: printed_size(d, s) for s in claims.SIZES} for d in DATASETS]
    return {"fits": fits, "sizes": pd.DataFrame(sizes)}


def is_wrong(claim) -> bool:
    """Whether the cells are those of erratum E2, whose number the runs of these tables do not have."""
    return "erratum E2" in claim.explanation


def test_each_printed_value_is_compared_once_and_none_differs(tables):
    compared = []
    for claim in claims.cells_agree:
        found = claim(PARAMS, tables)
        assert (found.holds is False) == is_wrong(claim), (claim.statement, found)
        compared += [c.printed.quantity for c in found.compared]
    values = read_values(Path(real_data.__file__).parents[1] / "reference" / "real_data.csv")
    assert sorted(compared) == sorted(q for q, v in values.items() if v.relation != "setting")


def test_the_sentences_come_out_as_by_arithmetic(tables):
    """Second best on Vehicle with c unknown, best on Vehicle and second best on Wine with c known: not so."""
    outcomes = {
        (place["words"], place["dataset"]): claim(PARAMS, tables).holds
        for claim, place in zip(claims.place_of_egmm, sentences.PLACED)
    }
    for case in (("c unknown", "vehicle"), ("c known", "vehicle"), ("c known", "wine")):
        assert outcomes.pop(case) is not True
    assert False not in outcomes.values()
    best = claims.best_at_the_number
    assert best(PARAMS, tables).holds is False  # bootGMM has three clusters on Wine, as its cells have


def test_the_sentences_need_all_data_sets(tables):
    params = real_data.experiment.resolve("paper", {"datasets": ("iris",)})
    with pytest.raises(NotCheckable, match="all five data sets"):
        claims.best_at_the_number(params, tables)
    of_wine = next(c for c in claims.cells_agree if "EGMM on Wine, number" in c.statement)
    with pytest.raises(NotCheckable, match="Wine is left out") as reason:
        of_wine(params, tables)
    assert len(reason.value.printed) == 8
    two_runs = tables | {"fits": tables["fits"].query("repetition < 2")}
    with pytest.raises(NotCheckable, match="fewer than 3 runs"):
        of_wine(PARAMS, two_runs)
    with pytest.raises(NotCheckable, match="fewer than 3 runs"):
        claims.best_at_the_number(real_data.experiment.resolve("paper", {"n_runs": 2}), tables)


def test_without_r_the_stored_runs_are_judged(tables):
    fits = tables["fits"]
    without = tables | {"fits": fits[~fits["method"].isin(cells.R_METHODS)]}
    asked = [c for c in claims.cells_agree if "bootGMM on Iris" in c.statement] + [claims.best_at_the_number]
    for claim in asked:
        found = claim(PARAMS, without)
        assert re.search(r"stored runs of 20\d\d-\d\d-\d\d: R \d", found.note)
        assert found.compared or claim.sentence
    of_egmm = next(c for c in claims.cells_agree if "EGMM on Wine" in c.statement)
    assert of_egmm(PARAMS, without) == of_egmm(PARAMS, tables)


@pytest.mark.long
def test_r_chooses_a_mixture_and_does_not_run_the_same_number_twice():
    X = np.random.default_rng(0).normal(size=(40, 2)) + 8 * (np.arange(40) % 2)[:, None]
    try:
        runs, labels = bootclus(X, [(2, 3), (2, 2), (3, 3)], 3, 1)
    except ProgramUnavailable as reason:
        pytest.skip(str(reason))
    assert runs["c"].tolist() == [2, 2, 3] and (runs["status"] == "ok").all() and labels.shape == (40, 3)
    assert runs.loc[0].equals(runs.loc[1])  # with its time: it was not run again
    assert len({*zip(labels[:, 0], np.arange(40) % 2)}) == 2
    assert runs["version"][0].startswith("R ") and runs["bic"].notna().all()


def test_stored_runs_of_r_have_all_data_sets_and_their_origin():
    stored = cells.stored_runs()
    assert {*stored["dataset"]} == {*DATASETS} and {*stored["method"]} <= {*cells.R_METHODS}
    assert stored["version"].str.fullmatch(r"R [\d.]+, mclust [\d.]+, evclust [\d.]+").all()
    assert (stored["status"] == "ok").all() and stored["date"].nunique() == 1


def test_stored_runs_are_judged_where_r_gives_the_same_here(tables):
    others = tables["fits"][~tables["fits"]["method"].isin(cells.R_METHODS)]
    first = cells.stored_runs().query("repetition == 0")
    same = cells.with_stored(PARAMS, {"fits": pd.concat([others, first])})
    assert len(cells.of(same, "iris", "bootgmm")) == len(
        cells.of({"fits": cells.stored_runs()}, "iris", "bootgmm")
    )
    another = {"fits": pd.concat([others, first.assign(ari=first["ari"] - 0.01)])}
    assert cells.with_stored(PARAMS, another) is another
    best = claims.best_at_the_number
    assert "stored runs" in best(PARAMS, {"fits": others}).note
    repeated = best(PARAMS, {"fits": pd.concat([others, first])})
    assert repeated.holds is not None and "stored runs" not in repeated.note


def test_cells_of_no_choice_are_not_flagged():
    """Plain: the number of FCM and EGMM and what they give at the true one, bootGMM but on Vehicle."""
    plain = {c.statement.split(":")[0] for c in claims.cells_agree if not c.fitted}
    assert "FCM on Iris, number of clusters and c known, all else" in plain
    assert "bootGMM on Seeds, c unknown" in plain
    assert not any(name.startswith(("GMM", "ECM", "HCM")) for name in plain)
    assert not any("c unknown" in name for name in plain if not name.startswith("bootGMM"))
    assert not any("EGMM on Knowledge" in name or "bootGMM on Vehicle" in name for name in plain)


# ---------------------------------------------------------------- the runs


def test_settings_that_are_not_judged_have_few_runs():
    assert real_data.run_numbers(PARAMS, "iris", "egmm", 0) == range(100)
    assert real_data.run_numbers(PARAMS, "iris", "egmm_pairs", 0) == range(PARAMS.n_reading_runs)


def test_runs_in_r_are_cases_of_their_own_where_they_are_short():
    params = real_data.experiment.resolve("paper", {"n_boot_runs": 3})
    found = [c for c in real_data.cases(params) if c["method"] in cells.R_METHODS]
    assert [c["chunk"] for c in found] == 3 * [0, 1, 2]
    assert "vehicle" not in {c["dataset"] for c in found}


def test_a_run_chooses_the_number_of_its_largest_index(smoke_result):
    fits = smoke_result("jiao2022_egmm/real_data").tables["fits"]
    for _, run in fits[fits["method"].isin(["fcm", "egmm"])].groupby(["dataset", "method", "repetition"]):
        best = run.loc[run["index"].idxmax()]
        assert run.loc[run["chosen"], "c"].tolist() == [best["c"]]
    assert not fits.loc[fits["method"] == "hcm", "chosen"].any()


def test_a_half_is_rounded_upwards(tables):
    fits = tables["fits"].query("dataset == 'knowledge' and method == 'gmm' and chosen").assign(c=[2, 3] * 10)
    assert cells.found_number({"fits": fits}, "knowledge", "gmm") == cells.rounded(2.5) == 3


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
        except NotCheckable:
            unchecked += 1
    assert unchecked == 2


def test_parameters_of_the_mixtures_are_those_that_scikit_learn_counts():
    X, c = np.random.default_rng(0).standard_normal((60, 3)), 4
    counted = {row["method"]: row["n_parameters"] for row in run_time.counts(60, 3, c)}
    for method, covariances in (("gmm", "full"), ("gmm_shared", "tied")):
        model = GaussianMixture(c, covariance_type=covariances, random_state=0).fit(X)
        assert counted[method] == model._n_parameters()

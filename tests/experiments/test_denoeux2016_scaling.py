"""The scaling study: does it measure in a process of its own, and does it read its tables right?

No time is asserted; memory is, where a fit must hold its arrays.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import linregress, t

from credalbench.cluster import EVCLUS
from credalbench.datasets import make_t4
from credalbench.papers import NotCheckable, case_random_state, case_seed, run_study
from experiments.denoeux2016_evclus import scaling
from experiments.denoeux2016_evclus.scaling import cases, claims, compute, experiment
from experiments.denoeux2016_evclus.scaling import fit as process
from experiments.denoeux2016_evclus.scaling.claims import MEMORY, QUANTITIES, TIME, curve, power_law
from experiments.denoeux2016_evclus.scaling.fit import Order, fit, measured_fit

PAPER = experiment.resolve("paper")
ORDER = Order(400, 20, 4, "simple", "one-sided", 1e-4, 30, seed=0, repetition=1)
SMALL = {
    "sizes": (300, 600, 1200),
    "sizes_of_all": (100, 200, 400),
    "ks": (10,),
    "cs": (2,),
    "n_for_k": 300,
    "n_for_f": 300,
    "k": 20,
}


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """Eight fits, in this process for speed; k and f do not vary."""
    patch = pytest.MonkeyPatch()
    patch.setattr(scaling, "measured_fit", fit)
    patch.setenv("CREDALBENCH_RESULTS", str(tmp_path_factory.mktemp("results")))
    yield run_study(experiment, profile="smoke", **SMALL)
    patch.undo()


def toy_fits(exponents_of=None, repetitions=2):
    """Fits that follow exact power laws of n, k and f; repetitions a factor of 1.1 apart."""
    powers = {"n": 1.0, "k": 1.0, "f": 1.5, claims.ALL: 2.0} | (exponents_of or {})
    fixed = {"n": 1000, "k": 100, "f": 6}
    rows = []
    varied = {"n": (1000, 2000, 8000), "k": (25, 50, 200), "f": (4, 8, 16, 32), claims.ALL: (100, 200, 400)}
    for against, values in varied.items():
        for value in values:
            for repetition in range(repetitions):
                scale = value ** powers[against] * 1.1**repetition
                row = {"against": against, **(fixed | {against[0]: value}), "c": 4, "repetition": repetition}
                row |= {"time_s": 1e-2 * scale, "sweep_s": 1e-3 * scale, "n_iter": 20, "converged": True}
                row |= {"memory_bytes": 1e3 * scale, "peak_bytes": 1e8, "stress": 0.02, "ari": 0.86}
                rows.append(row)
    return pd.DataFrame(rows)


# ---------------------------------------------------------------- one fit, measured


def test_a_fresh_process_fits_what_this_one_would():
    """Everything but clock and memory is the same to the last bit."""
    theirs, ours = measured_fit(ORDER), fit(ORDER)
    same = ("f", "n_iter", "converged", "stress", "ari")
    assert {name: theirs[name] for name in same} == {name: ours[name] for name in same}
    axes = (0, "t4", 400, 1)
    data = make_t4(400, case_seed(*axes))
    model = EVCLUS(
        4,
        d0_quantile=0.9,
        n_pairs=20,
        pair_sampling="independent",
        pair_updates="one-sided",
        init="random",
        tol=1e-4,
        max_iter=30,
        random_state=case_random_state(*axes, "fit"),
    ).fit(data.X)
    assert (model.objective_, model.n_iter_) == (ours["stress"], ours["n_iter"])
    assert 0 < theirs["sweep_s"] < theirs["time_s"]


def test_data_and_start_depend_on_neither_k_nor_c(monkeypatch):
    seen = []

    class Watched(EVCLUS):
        def fit(self, X):
            seen.append((X.tobytes(), self.random_state))
            return super().fit(X)

    monkeypatch.setattr(process, "EVCLUS", Watched)
    for order in (ORDER, replace(ORDER, k=30), replace(ORDER, c=3, focal_sets="full")):
        fit(order)
    assert len(set(seen)) == 1
    fit(replace(ORDER, repetition=0))
    assert len(set(seen)) == 2


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="no peak of memory to forget here")
def test_peak_is_that_of_the_fit_and_not_of_what_went_before():
    ballast = np.ones(25_000_000)  # 200 MB
    ballast.sum()
    high = process.peak_bytes()
    del ballast
    process.forget_peak()
    assert process.peak_bytes() < high - 100e6
    before = process.resident_bytes()
    again = np.ones(12_500_000)  # 100 MB
    assert process.peak_bytes() - process.resident_bytes() < 50e6
    assert process.peak_bytes() > before + 90e6 and again[0] == 1


def test_memory_of_a_fit_holds_at_least_its_pairs():
    order = replace(ORDER, n=20_000, k=100, max_sweeps=2)
    assert measured_fit(order)["memory_bytes"] > 8 * order.n * order.k


def test_memory_is_measured_without_linux_too(monkeypatch, tmp_path):
    monkeypatch.setattr(process, "OWN", tmp_path / "nothing")
    process.forget_peak()
    assert process.resident_bytes() == process.peak_bytes() > 1e7  # a Python with numpy


def test_failure_of_the_process_is_reported_with_its_last_line():
    with pytest.raises(RuntimeError, match=r"code 1: .*n_pairs"):
        measured_fit(replace(ORDER, k=400))


# ---------------------------------------------------------------- the study


def test_claims_without_three_values_cannot_be_checked(result):
    verdicts = result.verdicts
    unanswered = verdicts["claim"].str.contains("with k|with f|depend on k")
    assert unanswered.sum() == 3
    assert (verdicts.loc[unanswered, "verdict"] == "not checkable").all()
    assert verdicts.loc[unanswered, "explanation"].str.contains("^1 values").all()
    unanswered |= verdicts["claim"].str.contains("100000 objects")
    assert (verdicts.loc[~unanswered, "verdict"] != "not checkable").all()
    assert result.errors == [] and len(result.tables["fits"]) == 8


def test_one_quantity_varies_at_a_time():
    params = experiment.resolve("paper")
    listed = pd.DataFrame(cases(params))
    fixed = {"n": ("k", "c"), "k": ("n", "c"), "f": ("n", "k"), claims.ALL: ("c",)}
    for against, columns in fixed.items():
        part = listed[listed["against"] == against]
        assert all(part[column].nunique() == 1 for column in columns)
    counts = listed[listed["against"] == "n"].groupby("n").size()
    assert counts.to_dict() == {10_000: 3, 40_000: 3, 160_000: 1, 500_000: 1}
    assert set(listed[listed["against"] == claims.ALL].groupby("n").size()) == {3}


def test_a_case_is_fitted_with_its_own_focal_sets(monkeypatch):
    orders = []
    monkeypatch.setattr(scaling, "measured_fit", lambda order: orders.append(order) or {})
    for case in cases(PAPER):
        compute(PAPER, case)
    assert {(o.focal_sets, o.c) for o in orders} == {("simple", 4), *(("full", c) for c in range(2, 7))}
    assert {o.pair_updates for o in orders} == {"one-sided"}
    assert {o.max_sweeps for o in orders if o.focal_sets == "full"} == {PAPER.sweeps_for_f}
    assert [o.n for o in orders if o.k == o.n - 1] == PAPER.n_repeats * list(PAPER.sizes_of_all)


# ---------------------------------------------------------------- reading the tables


def test_power_law_is_found_where_there_is_one():
    x = np.array([1.0, 3.0, 10.0, 40.0])
    exponent, factor = power_law(x, 7 * x**1.3)
    found = (exponent.value, exponent.low, exponent.high, factor)
    np.testing.assert_allclose(found, (1.3, 1.3, 1.3, 7.0), rtol=1e-7)  # rounding, under a square root


def test_interval_is_that_of_linear_regression():
    """Against the standard error that scipy computes."""
    rng = np.random.default_rng(0)
    x, y = np.array([1.0, 2, 5, 9, 20]), rng.lognormal(size=5)
    (exponent, factor), line = power_law(x, y), linregress(np.log(x), np.log(y))
    assert exponent.value == pytest.approx(line.slope, rel=1e-12)
    assert exponent.high - exponent.value == pytest.approx(
        t.ppf(0.975, 3) * line.stderr, rel=1e-9
    )  # rounding
    assert factor == pytest.approx(np.exp(line.intercept), rel=1e-12)


def test_what_does_not_grow_has_the_exponent_0():
    exponent, factor = power_law(np.array([1.0, 3.0, 10.0]), np.full(3, 19.0))
    np.testing.assert_allclose((exponent.low, exponent.high, factor), (0, 0, 19), atol=1e-12)  # rounding


def test_two_points_make_no_law():
    with pytest.raises(NotCheckable, match="2 values where a power law takes 3"):
        power_law(np.array([1.0, 2.0]), np.array([1.0, 2.0]))


def test_fastest_of_the_repetitions_counts_and_the_median_of_what_is_no_time():
    fits = toy_fits(repetitions=3)
    x, y = curve(fits, "k", "sweep_s")
    np.testing.assert_array_equal(x, [25, 50, 200])
    np.testing.assert_allclose(y, 1e-3 * x, rtol=1e-12)  # rounding
    np.testing.assert_allclose(curve(fits, "k", "memory_bytes")[1], 1.1e3 * x, rtol=1e-12)  # the middle one


def test_exponents_are_listed_with_those_between_neighbours():
    table = claims.exponents(PAPER, {"fits": toy_fits()})
    assert set(table.index.unique("quantity")) == {name for name, _ in QUANTITIES.values()}
    row = table.loc["time of a sweep", "f"]
    assert row["exponent (95 % interval)"] == "1.50"
    assert row["between neighbours"] == "1.50, 1.50, 1.50"
    assert len(claims.fitted(PAPER, {"fits": toy_fits()})) == 13


def test_linear_and_quadratic_growth_are_distinguished():
    def verdicts(fits):
        return {claim(PAPER, {"fits": fits}).holds for claim in claims.order_of_growth}

    assert verdicts(toy_fits()) == {True}
    assert verdicts(toy_fits({"n": 2.0, "k": 2.0, "f": -1.0, claims.ALL: 1.0})) == {False}


@pytest.mark.parametrize("column, value", [("converged", False), ("peak_bytes", 1e12)])
def test_many_objects_must_be_clustered_in_little_memory(column, value):
    fits = toy_fits().replace({"n": {8000: 200_000}})
    assert claims.many_objects_are_clustered(PAPER, {"fits": fits}).holds
    fits.loc[fits["n"] == 200_000, column] = value
    assert claims.many_objects_are_clustered(PAPER, {"fits": fits}).holds is False


def test_fits_that_met_the_cap_are_marked_in_the_picture_of_time():
    fits = toy_fits()
    fits.loc[(fits["against"] == "f") & (fits["f"] == 4), "converged"] = False
    figures = experiment.draw(PAPER, {"fits": fits})
    labels = {
        artefact: [text.get_text() for ax in figure.axes for text in ax.get_legend().get_texts()]
        for artefact, figure in figures.items()
    }
    assert sum("cap" in label for label in labels[TIME]) == 1
    assert not any("cap" in label for label in labels[MEMORY])
    assert "a sweep: $f^{1.50}$ (1.50 to 1.50)" in labels[TIME]
    assert sum("8 bytes" in label for label in labels[MEMORY]) == 3

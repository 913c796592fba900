"""The study of one-sided against two-sided row updates: is it paired, and does it read its tables right?"""

import numpy as np
import pandas as pd
import pytest

from credalbench.cluster import EVCLUS
from credalbench.datasets import DataUnavailable, make_t4
from credalbench.papers import CannotBeChecked, run_study
from credalbench.papers.verdicts import judge_claim
from experiments.denoeux2016_evclus import pair_updates
from experiments.denoeux2016_evclus.pair_updates import (
    claims,
    experiment,
    paired_fits,
    problem,
    sweeps_by_running_sums,
)
from experiments.denoeux2016_evclus.pair_updates.claims import UPDATES, behaviour, changes, differences

OTHERS = ("protein", "s2", "digits", "gestures")

# Nothing here touches the network: where the files are not at hand, the simulated data are enough.


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.setenv("CREDALBENCH_RESULTS", str(tmp_path_factory.mktemp("results")))
    yield
    patch.undo()


@pytest.fixture(scope="module")
def result(stored):
    """The smoke profile on the simulated data alone."""
    return run_study(experiment, profile="smoke", data_sets=("t4",))


@pytest.fixture(scope="module")
def params():
    return experiment.resolve("smoke", {"data_sets": ("t4",)})


def toy_tables(stress=(1.0, 0.9), ari=(0.5, 0.6), n_iter=(30, 20), name="t4", **columns) -> dict:
    """Six paired runs with (one-sided, two-sided) values, the same in all but a trifle."""
    rows = [
        {"dataset": name, "k": 10, "repetition": r, "updates": u, "stress": s * (1 + 0.01 * r), "ari": a}
        | {"judged_stress": s, "n_iter": n, "n_rises": 3 * (u == "one-sided"), "largest_rise": 0.1}
        | {"further_fall": 0.2 * (u == "one-sided"), "converged": True, "sweeps_by_running_sums": np.nan}
        for r in range(6)
        for u, s, a, n in zip(UPDATES, stress, ari, n_iter)
    ]
    return {"runs": pd.DataFrame(rows).assign(stand_in=False).assign(**columns)}


# ---------------------------------------------------------------- data that are there, stand in, or are not


def test_claims_on_data_sets_that_were_not_asked_for_cannot_be_checked(result):
    assert result.errors == [] and result.left_out == ""
    verdicts = result.verdicts
    others = verdicts["claim"].str.startswith(OTHERS)
    assert (verdicts.loc[others, "explanation"].str.contains("not among the data sets of this run")).all()
    assert (verdicts.loc[others, "verdict"] == "cannot be checked").all()
    assert (verdicts.loc[~others, "verdict"] != "cannot be checked").all()


@pytest.fixture(scope="module")
def stand_in_result(stored):
    """A few digits alone: this stand-in needs no file."""
    return run_study(
        experiment, profile="smoke", data_sets=("t4", "digits"), n_t4=40, n_runs=2, per_class=4, max_sweeps=10
    )


def test_a_stand_in_is_called_one_everywhere(stand_in_result):
    """Unless the user has the original files, which no test machine does."""
    result, name = stand_in_result, "digits (stand-in)"
    assert result.errors == []
    for table in ("effects", "behaviour"):
        assert list(result.summary(table).index.unique("dataset")) == ["t4", name]
    figure = experiment.draw(result.params, result.tables)["evclus-ours-01"]
    texts = [text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text"))]
    assert f"(b) {name}, k = 10" in texts and f"{name}, k = 10" in texts
    assert not [text for text in texts if "digits" in text and name not in text]


def test_answers_on_stand_ins_are_never_agreement(stand_in_result):
    verdicts = stand_in_result.verdicts
    on_digits = verdicts["claim"].str.startswith("digits or their stand-in: ")
    assert on_digits.sum() == 5 and (verdicts.loc[on_digits, "verdict"] == "substitute").all()
    assert (verdicts.loc[~on_digits, "verdict"] != "substitute").all()


@pytest.mark.parametrize("stand_in, verdict", [(True, "substitute"), (False, "holds")])
def test_the_tables_show_whether_digits_are_the_originals(stand_in, verdict):
    tables, params = toy_tables(name="digits", stand_in=stand_in), experiment.resolve()
    [claim] = [c for c in claims.lower_stress if c.statement.startswith("digits")]
    assert judge_claim(claim, params, tables).verdict == verdict


def test_stand_ins_have_the_thresholds_of_section_4_2_and_the_others_theirs():
    expected = {"t4": 0.9, "protein": 1.0, "s2": 0.2, "digits": 0.3, "gestures": 0.2}
    assert expected == pair_updates.D0_QUANTILE
    assert experiment.resolve("paper").data_sets == tuple(expected)


def test_data_that_cannot_be_had_are_left_out_with_their_reason(stored, monkeypatch):
    def load(name):
        raise DataUnavailable(f"data set {name!r} needs a file:\n  details")

    monkeypatch.setattr(pair_updates, "load", load)
    result = run_study(experiment, profile="smoke", data_sets=("t4", "s2"), n_runs=2, seed=1)
    assert result.errors == [] and "'s2'" in result.left_out
    on_s2 = result.verdicts[result.verdicts["claim"].str.startswith("s2")]
    assert (on_s2["explanation"] == "left out: data set 's2' needs a file").all()
    assert "evclus-ours-01" in result.figures


# ---------------------------------------------------------------- paired runs


def test_both_updates_get_the_same_pairs_and_the_same_start(params):
    one, two = paired_fits(params, make_t4(60, 0), 0.9, 10, random_state=3).values()
    np.testing.assert_array_equal(one.conflict_pairs_.partners, two.conflict_pairs_.partners)
    np.testing.assert_array_equal(one.conflict_pairs_.delta, two.conflict_pairs_.delta)
    assert one.objective_trace_[0] == pytest.approx(two.objective_trace_[0], rel=1e-12)  # rounding of a sum
    assert (one.pair_updates, two.pair_updates) == UPDATES and one.d0_ == two.d0_


def test_pairs_that_differ_stop_the_study(params, monkeypatch):
    def careless(*arguments, random_state, pair_updates, **options):
        seed = 0 if pair_updates == "one-sided" else 1
        return EVCLUS(*arguments, pair_updates=pair_updates, random_state=seed, **options)

    monkeypatch.setattr(pair_updates, "EVCLUS", careless)
    with pytest.raises(RuntimeError, match="same pairs"):
        paired_fits(params, make_t4(60, 0), 0.9, 10, random_state=3)


def test_judged_on_all_pairs_where_they_are_few():
    data, partners, d = problem(experiment.resolve("paper", {"n_t4": 60}), "t4", 0)
    assert partners.shape == d.shape == (60, 59)
    np.testing.assert_array_equal(np.sort(partners[5]), np.delete(np.arange(60), 5))
    expected = np.linalg.norm(data.X[5] - data.X[partners[5, 0]])
    np.testing.assert_allclose(d[5, 0], expected, rtol=1e-6)  # may be stored in single precision


def test_two_sided_sweeps_never_raise_the_stress_and_end_in_a_minimum(result):
    table = behaviour(result.params, result.tables).xs("two-sided", level="updates")
    assert (table["sweeps that raised J_k, mean"] == 0).all()
    runs = result.tables["runs"]
    assert (runs.loc[runs["updates"] == "two-sided", "further_fall"] >= -1e-6).all()  # rounding of a sum


def test_stopping_by_running_sums_follows_the_published_rule():
    fit = EVCLUS(4, n_pairs=10, random_state=0).fit(make_t4(60, 0).X)
    values, error = [fit.objective_trace_[0], *fit.running_sums_], 1.0
    expected = np.nan
    for t in range(1, len(values)):
        error = 0.5 * error + 0.5 * abs(values[t] - values[t - 1]) / values[t - 1]
        if error < 1e-4:
            expected = t
            break
    assert sweeps_by_running_sums(fit, 1e-4) == expected
    assert np.isnan(sweeps_by_running_sums(fit, 0.0))


# ---------------------------------------------------------------- reading the tables


def test_differences_of_stress_are_in_per_cent_of_one_sided():
    runs = toy_tables(stress=(2.0, 1.0), ari=(0.5, 0.8))["runs"]
    np.testing.assert_allclose(differences(runs, "stress")["value"], -50.0, rtol=1e-12)  # rounding
    np.testing.assert_allclose(differences(runs, "ari")["value"], 0.3)


@pytest.mark.parametrize(
    "group, values, holds",
    [
        (claims.lower_stress, {"stress": (1.0, 0.9)}, True),
        (claims.lower_stress, {"stress": (1.0, 1.1)}, False),
        (claims.lower_stress_over_all_pairs, {"stress": (1.0, 1.1)}, False),
        (claims.higher_ari, {"ari": (0.8, 0.82)}, True),
        (claims.higher_ari, {"ari": (0.8, 0.76)}, False),
        (claims.fewer_sweeps, {"n_iter": (30, 20)}, True),
        (claims.fewer_sweeps, {"n_iter": (20, 30)}, False),
        (claims.same_ari, {"ari": (0.8, 0.82)}, True),
        (claims.same_ari, {"ari": (0.8, 0.76)}, False),
    ],
)
def test_claim_is_answered_by_the_side_of_the_interval(params, group, values, holds):
    assert group[0](params, toy_tables(**values)).holds is holds


def test_runs_that_disagree_leave_it_undecided(params):
    tables = toy_tables(ari=(0.5, 0.5))
    tables["runs"].loc[tables["runs"]["repetition"] < 3, "ari"] = [0.4, 0.6] * 3
    assert claims.higher_ari[0](params, tables).holds is None
    assert changes(params, tables, "t4", "ari", differences)["k = 10"].value == pytest.approx(0.1)


def test_a_data_set_that_was_not_asked_for_cannot_be_checked(params):
    with pytest.raises(CannotBeChecked, match="s2 is not among"):
        changes(params, toy_tables(), "s2", "stress", differences)


def test_unknown_data_sets_are_refused():
    with pytest.raises(ValueError, match="iris"):
        pair_updates.cases(experiment.resolve("smoke", {"data_sets": ("iris",)}))

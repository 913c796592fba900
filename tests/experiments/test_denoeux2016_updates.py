"""The study of one-sided against two-sided row updates: is it paired, and does it read its tables right?"""

import os

import numpy as np
import pandas as pd
import pytest
from experiments.denoeux2016_evclus.pair_updates_claims import (
    UPDATES,
    behaviour,
    changes,
    differences,
    effects,
    interval,
    questions,
    same_ari,
    shown,
    unanswered,
)

from credalbench.cluster import EVCLUS
from credalbench.datasets import DataUnavailable, make_t4
from credalbench.datasets.download import FOLDER_VARIABLE
from credalbench.runner import run_study
from experiments.denoeux2016_evclus import pair_updates, pair_updates_claims
from experiments.denoeux2016_evclus.pair_updates import (
    experiment,
    paired_fits,
    problem,
    sweeps_by_running_sums,
)

OTHERS = ("protein", "s2", "digits", "gestures")

# Nothing here touches the network: where the files are not at hand, the simulated data are enough.
HAS_FILES = os.path.isdir(os.environ.get(FOLDER_VARIABLE, ""))
needs_files = pytest.mark.skipif(not HAS_FILES, reason=f"{FOLDER_VARIABLE} names no folder of data files")


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


def toy_runs(stress, ari=(0.5, 0.5), name="t4"):
    """Four paired runs with (one-sided, two-sided) values, the same in all but a trifle."""
    rows = [
        {"dataset": name, "k": 10, "run": r, "updates": u, "stress": s * (1 + 0.01 * r), "ari": a}
        for r in range(4)
        for u, s, a in zip(UPDATES, stress, ari)
    ]
    return pd.DataFrame(rows)


def test_simulated_data_alone_run_without_errors(result):
    assert result.errors == [] and result.left_out == ""
    assert result.figure("evclus-ours-01").png.startswith(b"\x89PNG")
    verdicts = result.verdicts
    assert len(verdicts) == len(experiment.claims)
    others = verdicts["claim"].str.startswith(OTHERS)
    assert (verdicts.loc[others, "verdict"] == "cannot be checked").all()
    assert (verdicts.loc[~others, "verdict"] != "cannot be checked").all()
    assert not verdicts["explanation"].str.contains("unexplained").any()


@needs_files
def test_smoke_profile_runs_on_every_data_set(stored):
    result = run_study(experiment, profile="smoke", n_runs=2, max_sweeps=10, n_judged=50)
    assert result.errors == [] and result.left_out == ""
    assert list(effects(result.tables["runs"]).index) == [
        (shown(name), 10) for name in ("t4", "protein", "s2", "digits", "gestures")
    ]


@pytest.fixture(scope="module")
def stand_in_result(stored):
    """A few digits alone: this stand-in needs no file."""
    return run_study(
        experiment, profile="smoke", data_sets=("t4", "digits"), n_t4=40, n_runs=2, per_class=4, max_sweeps=10
    )


def test_a_stand_in_is_called_one_everywhere(stand_in_result):
    """Unless the user has the original files, which no test machine does."""
    result, name = stand_in_result, "digits (stand-in)"
    assert result.errors == [] and shown("digits") == name and shown("t4") == "t4"
    for table in (effects, behaviour):
        assert list(table(result.tables["runs"]).index.unique("dataset")) == ["t4", name]
    figure = experiment.draw(result.params, result.tables)["evclus-ours-01"]
    texts = [text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text"))]
    assert f"(b) {name}, k = 10" in texts and f"{name}, k = 10" in texts
    assert not [text for text in texts if "digits" in text and name not in text]
    verdicts = result.verdicts.astype(str)
    mentions = verdicts.apply("|".join, axis=1).str.replace("digits_distortion", "")
    assert not mentions.str.replace(name, "").str.contains("digits").any()


def test_answers_on_stand_ins_are_never_agreement(stand_in_result):
    verdicts = stand_in_result.verdicts
    on_digits = verdicts["claim"].str.startswith("digits (stand-in): ")
    assert on_digits.sum() == 5 and (verdicts.loc[on_digits, "verdict"] == "substitute").all()
    assert (verdicts.loc[~on_digits, "verdict"] != "substitute").all()


def test_originals_are_called_by_their_names(monkeypatch):
    monkeypatch.setitem(pair_updates_claims.STAND_INS, "digits", False)
    assert [claim.statement[:8] for claim in questions("digits")] == ["digits: "] * 5
    assert not any(claim.substitute for claim in questions("digits"))


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
    questions = result.verdicts[result.verdicts["claim"].str.startswith("s2")]
    assert (questions["explanation"] == "left out: data set 's2' needs a file").all()
    assert "evclus-ours-01" in result.figures


def test_both_updates_get_the_same_pairs_and_the_same_start(params):
    one, two = paired_fits(params, make_t4(60, 0), 0.9, 10, random_state=3).values()
    np.testing.assert_array_equal(one.conflict_pairs_.partners, two.conflict_pairs_.partners)
    np.testing.assert_array_equal(one.conflict_pairs_.delta, two.conflict_pairs_.delta)
    assert one.objective_trace_[0] == pytest.approx(two.objective_trace_[0], rel=1e-12)  # rounding of a sum
    assert (one.pair_updates, two.pair_updates) == UPDATES and one.d0_ == two.d0_


def test_pairs_that_differ_stop_the_study(params, monkeypatch):
    class Careless(EVCLUS):
        def __init__(self, n_clusters=2, *, random_state=None, pair_updates="two-sided", **options):
            super().__init__(n_clusters, pair_updates=pair_updates, random_state=len(pair_updates), **options)
            self.random_state = 0 if pair_updates == "one-sided" else 1

    monkeypatch.setattr(pair_updates, "EVCLUS", Careless)
    with pytest.raises(RuntimeError, match="same pairs"):
        paired_fits(params, make_t4(60, 0), 0.9, 10, random_state=3)


def test_judged_on_all_pairs_where_they_are_few():
    data, partners, d = problem(experiment.resolve("paper", {"n_t4": 60}), "t4", 0)
    assert partners.shape == d.shape == (60, 59)
    np.testing.assert_array_equal(np.sort(partners[5]), np.delete(np.arange(60), 5))
    expected = np.linalg.norm(data.X[5] - data.X[partners[5, 0]])
    np.testing.assert_allclose(d[5, 0], expected, rtol=1e-6)  # may be stored in single precision


def test_two_sided_sweeps_never_raise_the_stress_and_end_in_a_minimum(result):
    table = behaviour(result.tables["runs"]).xs("two-sided", level="updates")
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


def test_differences_of_stress_are_in_per_cent_of_one_sided():
    table = differences(toy_runs((2.0, 1.0)), "stress")
    np.testing.assert_allclose(table["value"], -50.0, rtol=1e-12)  # rounding
    np.testing.assert_allclose(differences(toy_runs((2.0, 1.0), (0.5, 0.8)), "ari")["value"], 0.3)


def test_interval_contains_the_mean_and_has_no_width_for_equal_values():
    mean, low, high = interval([1.0, 2.0, 4.0, 9.0])
    assert mean == 4.0 and low < mean < high
    assert interval([3.0, 3.0]) == (3.0, 3.0, 3.0)


@pytest.mark.parametrize(
    "two_sided, holds, note", [(0.9, True, ""), (1.0, False, "undecided"), (1.1, False, "other way")]
)
def test_question_is_answered_by_the_side_of_the_interval(params, two_sided, holds, note):
    finding = changes("t4", "stress", -1)(params, {"runs": toy_runs((1.0, two_sided))})
    assert finding.holds is holds and note in finding.note


@pytest.mark.parametrize("ari, holds", [((0.8, 0.82), True), ((0.8, 0.76), False)])
def test_same_ari_within_the_tolerance(params, ari, holds):
    assert same_ari("t4")(params, {"runs": toy_runs((1.0, 1.0), ari)}).holds is holds


def test_question_on_a_data_set_that_was_not_asked_for(params):
    finding = unanswered(params, {"runs": toy_runs((1.0, 1.0))}, "s2")
    assert finding.holds is None and "not among" in finding.note


def test_unknown_data_sets_are_refused():
    with pytest.raises(ValueError, match="iris"):
        pair_updates.cases(experiment.resolve("smoke", {"data_sets": ("iris",)}))

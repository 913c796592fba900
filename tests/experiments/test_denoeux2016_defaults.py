"""The study of EVCLUS' defaults: are the halves apart, the rules what they say, the tables read right?"""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist, pdist, squareform

from credalbench.belief import CredalPartition
from credalbench.cluster import EVCLUS
from credalbench.cluster.conflict.preliminary import QUANTILES, ShortFit, chosen
from credalbench.datasets import DataUnavailable
from credalbench.papers import CannotBeChecked
from experiments.denoeux2016_evclus import default_settings
from experiments.denoeux2016_evclus.default_settings import claims, rules, sets
from experiments.denoeux2016_evclus.default_settings.rules import DEFAULT, EARLIER, RULES, Sample


def drawn(part, name, repetition=0, size=800):
    return sets.classified(part, name, 0, repetition, size)


# ---------------------------------------------------------------- sets


def test_the_halves_have_no_set_in_common_and_are_large_enough():
    assert len(sets.TUNING) == 21 and len(sets.UNSEEN) >= 20
    assert len({*sets.TUNING, *sets.UNSEEN}) == len(sets.TUNING) + len(sets.UNSEEN) >= 40
    assert not any(name in sets.GENERATED for name in sets.TUNING)


@pytest.mark.parametrize("name", sets.GENERATED)
def test_generated_sets_have_every_class_and_differ_by_repetition(name):
    first, again, other = (drawn("unseen", name, repetition) for repetition in (0, 0, 1))
    np.testing.assert_array_equal(first.X, again.X)
    assert not np.array_equal(first.X, other.X)
    assert np.bincount(first.y).min() >= 5 and len(first.X) == len(first.y) <= 800
    if first.metric == "precomputed":
        np.testing.assert_array_equal(first.X, first.X.T)


def test_sets_of_tuning_are_given_and_bars_are_drawn():
    np.testing.assert_array_equal(drawn("tuning", "blobs 5", 0).X, drawn("tuning", "blobs 5", 1).X)
    assert not np.array_equal(drawn("bars", "equal 5", 0).X, drawn("bars", "equal 5", 1).X)
    assert len(drawn("bars", "five groups").X) == 1000


@pytest.mark.parametrize("name", ["blobs 12", "unequal blobs 8"])
def test_centres_of_blobs_are_six_deviations_apart(name):
    X, y, _ = drawn("tuning", name)
    means = np.array([X[y == k].mean(axis=0) for k in np.unique(y)])
    assert pdist(means).min() > 6 - 4 * np.sqrt(2 / np.bincount(y).min())  # of means of few objects


def test_far_objects_are_farther_than_any_others_from_each_other():
    X = drawn("unseen", "20 dimensions").X
    found = sets.with_far_objects(X, 0.02, np.random.default_rng(0))
    assert len(found) == len(X) + round(0.02 * len(X))
    np.testing.assert_array_equal(found[: len(X)], X)
    assert cdist(found[len(X) :], X).min() > 0.65 * pdist(X).max()
    assert len(sets.with_far_objects(X[:20], 0.02, np.random.default_rng(0))) == 23


def test_larger_sets_are_sampled():
    data = drawn("unseen", "digits", size=50)
    assert data.X.shape == (50, 64) and len(data.y) == 50


# ---------------------------------------------------------------- rules


@pytest.fixture(scope="module")
def groups():
    return sets.blobs(4, 3, n=120)


@pytest.fixture(scope="module")
def sample(groups):
    return rules.look_at(groups.X, "euclidean", 4, seed=1)


def test_rules_that_know_only_the_number_of_clusters(sample):
    quantiles = {rule: rules.quantile_of(rule, sample, 0.3) for rule in RULES}
    assert quantiles["2/c"] == 0.5 and quantiles["1.5/c"] == 0.375
    assert quantiles["0.5"] == 0.5 and quantiles["0.9"] == quantiles[EARLIER] == 0.9
    assert quantiles[DEFAULT] == quantiles["default, random start"] == 0.3
    assert rules.quantile_of("2/c", sample._replace(n_clusters=2), 0.3) == QUANTILES[-1]


def test_arguments_of_each_rule(sample):
    settings = {rule: rules.settings_of(rule, sample, 0.3) for rule in RULES}
    assert settings[DEFAULT] == {}
    assert settings[EARLIER] == {"d0_quantile": 0.9, "init": "random"}
    assert {s.get("init", "linkage") for rule, s in settings.items() if "random" not in rule} == {"linkage"}


def test_the_quantile_of_ward_is_that_of_the_pairs_within_clusters(groups, sample):
    sizes = np.bincount(groups.y)
    share = (sizes * (sizes - 1)).sum() / (120 * 119)
    assert rules.ward_quantile(sample) == pytest.approx(1.5 * share, abs=0.02)  # an object or two off


def test_the_silhouette_is_that_of_the_labels_of_a_short_fit(groups):
    labels = [np.arange(120) % 4, groups.y]
    fits = [ShortFit(CredalPartition.from_labels(of), 1.0, q) for q, of in zip((0.2, 0.4), labels)]
    sample = Sample(fits, squareform(pdist(groups.X)), 4)
    assert rules.silhouette_quantile(sample) == 0.4


@pytest.mark.parametrize("name", ["5 dimensions", "words", "noisy"])
def test_the_sample_is_that_of_the_estimator(name):
    data = drawn("unseen", name)
    c = np.unique(data.y).size
    sample = rules.look_at(data.X, data.metric, c, seed=2)
    fit = EVCLUS(c, metric=data.metric, random_state=2).fit(data.X)
    assert chosen(sample.fits).quantile == fit.d0_quantile_


# ---------------------------------------------------------------- claims


def toy_tables(ari=(), n=30, **columns):
    """Every rule at 0.8 on `n` sets of either half, but for those given."""
    rows = [
        {"part": part, "dataset": f"{part} {k}", "repetition": 0, "rule": rule, "quantile": 0.5, "n": 100}
        | {"ari": dict(ari).get(rule, 0.8) + 0.01 * (k % 3), "outliers": 0.01, "found": 1.0, "c": 3}
        for part in claims.HALVES
        for k in range(n)
        for rule in RULES
    ]
    runs = pd.DataFrame(rows).assign(**columns)
    times = runs[["part", "dataset"]].drop_duplicates().assign(default_s=2.0, earlier_s=1.0)
    return {"runs": runs, "far": runs, "times": times}


def params(**given):
    return default_settings.Parameters(**given)


@pytest.mark.parametrize("ari, holds", [(0.8, True), (0.81, True), (0.83, False)])
def test_a_rule_that_is_better_by_more_than_the_margin_makes_the_claim_differ(ari, holds):
    claim = next(c for c in claims.no_worse_on_unseen_sets if "quantile 2/c" in c.statement)
    names = tuple(f"unseen {k}" for k in range(30))
    assert claim(params(unseen=names), toy_tables({"2/c": ari})).holds is holds


def test_sets_without_a_result_are_named():
    claim = claims.no_worse_on_unseen_sets[0]
    found = claim(params(unseen=("unseen 0", "zoo")), toy_tables())
    assert "left out: zoo" in found.note
    with pytest.raises(CannotBeChecked, match="aggregation"):
        claims.mean_of_tuning_sets(params(), toy_tables())
    with pytest.raises(CannotBeChecked, match="five groups"):
        claims.finds_what_was_lost(params(), toy_tables())


def test_false_outliers_and_times_are_compared_with_what_is_asked():
    none_left_out = params(tuning=("tuning 0",), unseen=("unseen 0",))
    real = claims.other_objects_are_not[1]
    assert real(none_left_out, toy_tables()).holds
    assert not real(none_left_out, toy_tables(outliers=0.03)).holds
    assert claims.time_of_a_fit(none_left_out, toy_tables()).holds
    slow = toy_tables()
    slow["times"]["default_s"] = 4.0
    assert not claims.time_of_a_fit(none_left_out, slow).holds


def test_without_a_file_only_its_sets_are_left_out(monkeypatch):
    def unavailable(name):
        raise DataUnavailable(name)

    monkeypatch.setattr(sets, "load", unavailable)
    small = params(tuning=("blobs 2", "seeds", "cancer"), unseen=("40 objects",), bars=("equal 2",))
    with pytest.raises(DataUnavailable):
        default_settings.compute(small, {"part": "tuning", "dataset": "seeds", "repetition": 0})
    tables = default_settings.compute(small, {"part": "unseen", "dataset": "40 objects", "repetition": 0})
    assert list(tables["runs"]["rule"]) == list(RULES) == list(tables["far"]["rule"])
    assert tables["runs"]["found"].isna().all() and tables["far"]["found"].between(0, 1).all()

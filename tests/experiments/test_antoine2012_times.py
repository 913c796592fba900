"""Tables 7 to 9 of [antoine2012_cecm]: the printed numbers themselves satisfy what is claimed of them."""

import numpy as np
import pandas as pd
import pytest

from credalbench.papers import NotCheckable
from credalbench.papers.studies import get_study
from experiments.antoine2012_cecm import times
from experiments.antoine2012_cecm.shared.protocol import prepared
from experiments.antoine2012_cecm.times import claims

STUDY = "antoine2012_cecm/times"


@pytest.fixture
def tables() -> dict[str, pd.DataFrame]:
    """20 runs of each column with exactly the printed means and standard deviations."""
    noise = np.random.default_rng(0).standard_normal(20)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    rows = []
    for (quantity, *place), printed in ((key, p) for key, p in claims.PRINTED.items() if len(key) == 3):
        if quantity != "time":
            continue
        dataset, method = place
        values = {
            column: claims.PRINTED[name, *place].value + claims.PRINTED[f"{name}_sd", *place].value * noise
            for column, name in (("time_s", "time"), ("n_iter", "iter"))
        }
        row = {"dataset": dataset, "method": method, "start": claims.RANDOM, "ri": 0.99}
        rows += [row | {"repetition": k} | {column: v[k] for column, v in values.items()} for k in range(20)]
        assert np.mean(values["time_s"]) == pytest.approx(printed.value)
    steps = [
        {"way": way, "focal_sets": focal_sets, "repetition": k, "time_s": seconds}
        for way in (claims.OURS, claims.INTERIOR)
        for focal_sets, seconds in (("full", 1.0), ("limited", 0.5))
        for k in range(3)
    ]
    classes = pd.DataFrame({"ri": [0.74, 0.74]})
    return {"runs": pd.DataFrame(rows), "steps": pd.DataFrame(steps), "classes": classes}


PARAMS = times.experiment.resolve("paper")


def test_printed_tables_obey_every_claim_and_each_value_is_compared(tables):
    compared = set()
    for claim in get_study(STUDY).claims:
        try:
            found = claim(PARAMS, tables)
        except NotCheckable as reason:
            compared |= {value.quantity for value in reason.printed}
            continue
        assert found.holds is not False, (claim.statement, found)
        compared |= {c.printed.quantity for c in found.compared}
    assert compared == {printed.quantity for printed in claims.PRINTED.values()}


@pytest.mark.parametrize("factor", [0.25, 4])
def test_iterations_of_another_spread_differ(tables, factor):
    runs = tables["runs"].copy()
    mean = runs.groupby(["dataset", "method"])["n_iter"].transform("mean")
    runs["n_iter"] = mean + factor * (runs["n_iter"] - mean)
    for claim in claims.iterations_agree[len(claims.COMPARED_CELLS) :]:
        assert claim(PARAMS, tables | {"runs": runs}).holds is False


def test_truth_of_table_9_is_the_four_gaussians():
    X, y, _, _ = prepared("two_class")
    gaussians = times.gaussians(y)
    means = np.array([X[gaussians == k].mean(axis=0) for k in range(4)])
    assert np.abs(means - [(0, 0), (0, 7), (7, 0), (7, 7)]).max() < 0.5  # standard error 0.14 of a mean
    np.testing.assert_array_equal(gaussians // 2, y)


def test_methods_of_a_draw_share_draw_and_start(smoke_result):
    runs = smoke_result(STUDY).tables["runs"]
    assert set(runs["start"]) == {claims.RANDOM, claims.KMEANS}
    per_draw = runs.groupby(["dataset", "repetition", "start"])["method"].nunique()
    assert (per_draw == 4).all()


def test_draws_after_the_timed_ones_have_iterations_from_random_objects_and_no_times(smoke_result):
    params, runs = times.experiment.resolve("smoke"), smoke_result(STUDY).tables["runs"]
    timed = runs["repetition"] < params.n_timed_trials
    assert params.n_timed_trials < params.n_trials and runs.loc[~timed, "repetition"].nunique() == 1
    assert (runs.loc[timed, "time_s"] > 0).all() and runs.loc[~timed, "time_s"].isna().all()
    assert set(runs.loc[~timed, "start"]) == {claims.RANDOM} and (runs["n_iter"] > 0).all()


def test_a_draw_that_is_not_timed_counts_for_iterations_alone(tables):
    more = tables["runs"].query("repetition < 5").assign(time_s=np.nan)
    more["repetition"] += 20
    both = {**tables, "runs": pd.concat([tables["runs"], more])}
    seconds, counts = (
        [claims.cecm_to_cfcm(t, column) for t in (tables, both)] for column in ("time_s", "n_iter")
    )
    assert seconds[0] == seconds[1] and counts[0] != counts[1]
    assert claims.tractable(PARAMS, both) == claims.tractable(PARAMS, tables)

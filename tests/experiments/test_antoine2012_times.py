"""Tables 7 to 9 of [antoine2012_cecm]: the printed numbers themselves satisfy what is claimed of them."""

import numpy as np
import pandas as pd

from credalbench.runner import ARITHMETIC
from credalbench.studies import get_study
from experiments.antoine2012_cecm import times
from experiments.antoine2012_cecm.shared.protocol import prepared
from experiments.antoine2012_cecm.times import claims

STUDY = "antoine2012_cecm/times"


def test_printed_times_and_iterations_obey_the_orders_claimed():
    """The claims that are arithmetic on Tables 7 to 9, on runs that have exactly the printed means."""
    rows = []
    for key, printed in claims.PRINTED.items():
        if key[0] == "time":
            _, dataset, method = key
            row = {"dataset": dataset, "method": method, "start": claims.RANDOM, "ri": 0.99}
            row |= {"time_s": printed.value, "n_iter": claims.PRINTED["iter", dataset, method].value}
            rows += [row | {"repetition": t} for t in (0, 1)]
    tables, params = {"runs": pd.DataFrame(rows)}, times.experiment.resolve("paper")
    arithmetic = [c for c in get_study(STUDY).claims if c.basis == ARITHMETIC]
    assert len(arithmetic) == 9
    for claim in arithmetic:
        assert claim(params, tables).holds, claim.statement
    assert claims.rand_index_as_printed(params, tables).holds
    assert all(claim(params, tables).holds for claim in claims.iterations_near)


def test_methods_of_a_draw_share_draw_and_start(smoke_result):
    runs = smoke_result(STUDY).tables["runs"]
    assert set(runs["start"]) == {claims.RANDOM, claims.KMEANS}
    per_draw = runs.groupby(["dataset", "repetition", "start"])["method"].nunique()
    assert (per_draw == 4).all() and (runs["time_s"] > 0).all()


def test_tables_for_the_notebook_show_every_column_of_the_paper(smoke_result):
    assert len(smoke_result(STUDY).summary("side_by_side")) == 4 * 4 + 4


def test_truth_of_table_9_is_the_four_gaussians_or_the_two_classes():
    X, y, _, _ = prepared("two_class")
    gaussians = times.truth(times.experiment.resolve("paper"), y)
    means = np.array([X[gaussians == k].mean(axis=0) for k in range(4)])
    assert np.abs(means - [(0, 0), (0, 7), (7, 0), (7, 7)]).max() < 0.5  # standard error 0.14 of a mean
    np.testing.assert_array_equal(gaussians // 2, y)
    np.testing.assert_array_equal(times.truth(times.experiment.resolve("paper", {"truth": "classes"}), y), y)

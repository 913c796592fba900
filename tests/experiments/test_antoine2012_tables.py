"""Tables 5 and 6 of [antoine2012_cecm], Rand indices against xi and C, and the protocol that studies share.

Nothing here touches the network: without the data files, what needs them is skipped.
"""

import os

import numpy as np
import pandas as pd
import pytest

from credalbench.constraints import PairwiseConstraints
from credalbench.datasets.download import FOLDER_VARIABLE
from credalbench.metrics import rand_index
from credalbench.runner import ARITHMETIC, CannotBeChecked, case_rng
from experiments.antoine2012_cecm import rand_tables
from experiments.antoine2012_cecm.rand_tables import claims
from experiments.antoine2012_cecm.shared import protocol
from experiments.antoine2012_cecm.shared.protocol import draw_constraints, prepared, unconstrained_rand_index

HAS_FILES = os.path.isdir(os.environ.get(FOLDER_VARIABLE, ""))
needs_files = pytest.mark.skipif(not HAS_FILES, reason=f"{FOLDER_VARIABLE} names no folder of data files")
SIZES = {
    "iris": (150, 4, 3),
    "wine": (178, 13, 3),
    "glass": (214, 9, 2),
    "letters": (227, 16, 3),
    "two_class": (400, 2, 2),
}  # Table 4


@pytest.fixture
def result(smoke_result):
    return smoke_result("antoine2012_cecm/rand_tables")


# ---------------------------------------------------------------- protocol


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs_files) for name in protocol.FILES] + ["two_class"]
)
def test_prepared_data_have_the_sizes_of_table_4(name):
    X, y, c, delta = prepared(name)
    assert (*X.shape, c) == SIZES[name]
    assert len(y) == len(X) and set(y) == set(range(c)) and delta > 0


@needs_files
def test_only_wine_is_standardised_and_delta_exceeds_every_distance():
    np.testing.assert_allclose(prepared("wine").X.std(axis=0), 1, rtol=1e-12)  # rounding of a sum
    assert prepared("iris").X.max() == 7.9 and prepared("iris").delta ** 2 == pytest.approx(1000)
    for name in protocol.FILES:
        X, _, _, delta = prepared(name)
        assert delta > np.linalg.norm(X[:, None] - X[None], axis=2).max()


def test_unknown_problem_is_refused_by_name():
    with pytest.raises(ValueError, match=r"expected one of iris, .*got 'irises'"):
        prepared("irises")


def test_constraints_are_different_pairs_with_the_truth_about_them():
    y = np.repeat([0, 1, 2], 10)
    constraints = draw_constraints(y, 60, np.random.default_rng(0))
    pairs = np.vstack([constraints.must_link, constraints.cannot_link])
    assert len({tuple(sorted(pair)) for pair in pairs}) == len(constraints) == 60
    assert len(constraints.violated(y)) == 0 and len(constraints.must_link) > 0


def test_rand_index_over_unconstrained_objects_leaves_the_others_out():
    y, labels = np.array([0, 0, 1, 1, 0]), np.array([0, 1, 1, 1, 0])
    constraints = PairwiseConstraints(5, must_link=[(0, 1)])
    assert unconstrained_rand_index(y, labels, constraints) == rand_index(y[2:], labels[2:]) == 1.0
    assert rand_index(y, labels) < 1
    everything = PairwiseConstraints(5, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2)])
    assert np.isnan(unconstrained_rand_index(y, labels, everything))


# ---------------------------------------------------------------- claims can fail


def printed_as_runs(shift=0.0, noise=0.0) -> pd.DataFrame:
    """Runs with the printed means, two draws each that differ by twice the `noise`; `shift` is for Iris."""
    rows = []
    for key, printed in claims.PRINTED.items():
        quantity, dataset, C, xi = key.split("_")
        if quantity == "ri":
            ri = printed.value + shift * (dataset == "iris")
            cell = {"dataset": dataset, "n_constraints": int(C), "xi": float(xi), "ridged": False}
            rows += [
                cell | {"way": way, "repetition": k, "ri": ri + sign * noise, "objective": 1.0}
                for way in ("default", "early", *(["restarts"] if xi == "0.5" else []))
                for k, sign in enumerate((-1, 1))
            ]
    return pd.DataFrame(rows)


def finding(claim, runs):
    return claim(rand_tables.experiment.resolve("paper"), {"runs": runs})


def test_printed_tables_are_complete_and_obey_the_claims_that_are_arithmetic_on_them():
    runs = printed_as_runs()
    assert len(claims.draws(runs)) == 120 and len(claims.PRINTED) == 240 and claims.RANGE == 0.03
    judged = {c: finding(c, runs) for c in rand_tables.experiment.claims if c.basis == ARITHMETIC}
    assert len(judged) == 5
    assert all(f.holds for f in judged.values()), judged


def test_cells_that_differ_are_found_one_by_one():
    claim = claims.cells_agree[0]
    assert claim.statement.startswith("Iris, adaptive metric, C = 20")
    assert finding(claim, printed_as_runs()).holds is True
    assert finding(claim, printed_as_runs(0.019)).holds is True
    differs = finding(claim, printed_as_runs(0.03))
    assert differs.holds is False and differs.ours.startswith("0 of 10")
    assert all(f"C = 20, xi = {xi / 10:g}: " in differs.note for xi in range(10))


def test_a_cell_whose_interval_is_wide_is_undecided_and_not_in_agreement():
    """0.04 off, and the interval of two draws includes the printed mean: noise is no evidence."""
    runs = printed_as_runs(0.04, noise=0.03)
    assert all(finding(claim, runs).holds is None for claim in claims.cells_agree)
    table = claims.compared(claims.draws(runs.query("dataset == 'iris'")))
    assert table[claims.NAMES["iris"], "ours"].str.endswith(" ?").all()


@pytest.mark.parametrize(
    ("family", "where", "shift"),
    [
        (claims.nothing_varies_without_weight, "xi == 0", 0.05),
        (claims.nothing_varies_without_weight, "xi == 0 and repetition == 0", 0.001),
        (claims.weight_matters_little, "xi == 0.4", 0.06),
        ((claims.more_constraints_do_no_harm,), "n_constraints == 100", -0.1),
        ((claims.early_agrees_too,), "way == 'early' and xi == 0.3", 0.05),
    ],
)
def test_claims_about_both_tables_can_fail(family, where, shift):
    runs = printed_as_runs()
    assert all(finding(claim, runs).holds is True for claim in family)
    runs.loc[runs.eval(where), "ri"] += shift
    assert all(finding(claim, runs).holds is False for claim in family)


@pytest.mark.parametrize(("gain", "holds"), [(0.05, True), (-0.05, False)])
def test_restarts_count_only_where_they_find_a_lower_objective(gain, holds):
    runs = printed_as_runs()
    with pytest.raises(CannotBeChecked):
        finding(claims.restarts_gain, runs)
    found = runs.eval("way == 'restarts' and dataset == 'wine'")
    runs.loc[found, "objective"], runs.loc[found, "ri"] = 0.9, runs.loc[found, "ri"] + gain
    restarts = finding(claims.restarts_gain, runs)
    assert restarts.holds is holds and restarts.ours.startswith("Wine, Euclidean: ")


def test_a_grid_without_a_cell_of_the_paper_cannot_be_checked():
    with pytest.raises(CannotBeChecked, match="no such cell"):
        finding(claims.cells_agree[0], printed_as_runs().query("n_constraints == 200"))


# ---------------------------------------------------------------- the study


def test_without_weight_constraints_change_nothing_and_with_weight_they_do(result):
    ri = claims.draws(result.tables["runs"])
    zero = ri.query("xi == 0").stack()
    assert (zero.groupby("dataset").nunique() == 1).all()
    assert (ri.query("xi > 0").nunique(axis=1) > 1).any()


def test_stopping_early_never_ends_lower_and_restarts_never_end_higher(result):
    runs = result.tables["runs"]
    fits = runs.set_index(["dataset", "n_constraints", "repetition", "xi", "way"])
    wide = fits["objective"].unstack("way")
    assert (wide["early"] >= wide["default"] * (1 - 1e-12)).all()  # rounding: the same descent, cut short
    both = wide.dropna()
    assert len(both) and (both["restarts"] <= both["default"]).all()
    wide = fits["n_iter"].unstack("way")
    assert (wide["early"] <= wide["default"]).all()


@needs_files
def test_all_weights_and_ways_of_a_draw_meet_the_same_constraints():
    params = rand_tables.experiment.resolve("smoke")
    y = prepared("wine").y
    one, again = (draw_constraints(y, 20, case_rng(params.seed, "wine", 20, 1)) for _ in range(2))
    np.testing.assert_array_equal(one.must_link, again.must_link)
    rows, stored = (pd.DataFrame(rand_tables.trial_rows(params, "wine", 20, 1)) for _ in range(2))
    pd.testing.assert_frame_equal(rows, stored)
    assert set(rows["way"]) == {"default", "early", "restarts"}


def test_summaries_show_every_cell(result):
    table = result.summary("side_by_side")
    n_cells = len(result.params.n_constraints) * len(result.params.xi)
    assert table.shape == (n_cells, 6) and not table.isna().any(axis=None)
    assert len(result.summary("ways")) == 3 * 3 * len(result.params.n_constraints)

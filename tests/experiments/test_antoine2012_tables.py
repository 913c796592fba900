"""Tables 5 and 6 of [antoine2012_cecm], Rand indices against xi and C, and the protocol of the studies."""

import numpy as np
import pandas as pd
import pytest

from credalbench.core.constraints import PairwiseConstraints
from credalbench.metrics import rand_index
from credalbench.papers import NotCheckable, case_rng
from experiments.antoine2012_cecm import rand_tables
from experiments.antoine2012_cecm.rand_tables import claims
from experiments.antoine2012_cecm.shared import protocol
from experiments.antoine2012_cecm.shared.protocol import draw_constraints, prepared, unconstrained_rand_index


@pytest.fixture
def result(smoke_result):
    return smoke_result("antoine2012_cecm/rand_tables")


# ---------------------------------------------------------------- protocol


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

PARAMS = rand_tables.experiment.resolve("paper")


def printed_as_runs(spread=1.0) -> pd.DataFrame:
    """100 draws for each cell, both ways, of the printed mean and `spread` times the printed deviation."""
    rng, rows = np.random.default_rng(0), []
    noise = rng.standard_normal(100)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    for key, printed in claims.PRINTED.items():
        quantity, dataset, C, xi = key.split("_")
        if quantity == "ri":
            values = printed.value + spread * claims.PRINTED[f"sd{key[2:]}"].value * noise
            cell = {"dataset": dataset, "n_constraints": int(C), "xi": float(xi)}
            for way in (claims.INTERIOR, claims.OURS):
                rows += [cell | {"way": way, "repetition": k, "ri": ri} for k, ri in enumerate(values)]
    return pd.DataFrame(rows)


def finding(claim, runs):
    return claim(PARAMS, {"runs": runs})


def test_printed_tables_are_complete_and_obey_every_claim():
    runs = printed_as_runs()
    assert len(claims.draws(runs)) == 120 and len(claims.PRINTED) == 240
    assert round(claims.NOT_CRITICAL, 12) == 0.04
    judged = {(c.artefact, c.statement): finding(c, runs).holds for c in rand_tables.experiment.claims}
    assert len(judged) == 29 and False not in judged.values(), judged
    compared = [c for claim in rand_tables.experiment.claims for c in finding(claim, runs).compared]
    assert {c.printed.quantity for c in compared} == set(claims.PRINTED)


@pytest.mark.parametrize(("spread", "differs"), [(1.0, False), (0.2, True), (3.0, True)])
def test_a_spread_of_another_size_differs_by_more_than_rounding(spread, differs):
    runs = printed_as_runs(spread)
    compared = [c for claim in claims.deviations_agree for c in finding(claim, runs).compared]
    found = [c.outcome() for c in compared if abs(c.estimate.value - c.printed.value) > 0.01 or not differs]
    assert len(found) > 20 and (set(found) == {False} if differs else False not in found)


def test_a_cell_whose_interval_is_wide_is_open_and_not_in_agreement():
    """0.04 off, and the interval of two draws includes the printed mean: noise is not evidence."""
    runs = printed_as_runs().query("repetition < 2")
    runs["ri"] += 0.04 + np.where(runs["repetition"] == 0, 0.03, -0.03)
    assert all(finding(claim, runs).holds is None for claim in claims.means_agree)
    table = claims.side_by_side(PARAMS, {"runs": runs.query("dataset == 'iris'")})
    for way in (claims.INTERIOR, claims.OURS):
        assert table[claims.NAMES["iris"], way].str.endswith(" ?").all()


def test_the_paper_is_judged_by_interior_point_masses():
    runs = printed_as_runs()
    runs.loc[(runs["way"] == claims.OURS) & (runs["xi"] > 0), "ri"] -= 0.1
    judged = {c: finding(c, runs).holds for c in rand_tables.experiment.claims}
    assert False not in judged.values()
    signs = claims.side_by_side(PARAMS, {"runs": runs})[claims.NAMES["wine"]].query("xi > 0")
    assert signs[claims.OURS].str.endswith(" *").all() and not signs[claims.INTERIOR].str.endswith(" *").any()


def test_a_cell_with_fewer_draws_than_others_is_judged_by_its_own():
    runs = printed_as_runs()
    fewer = runs.query("not (dataset == 'wine' and repetition >= 50)")
    compared = finding(claims.means_agree[1], fewer).compared
    assert claims.COLUMNS[1]["dataset"] == "wine"
    assert {c.estimate.n for c in compared} == {50}


def test_cells_are_compared_on_the_draws_that_all_have():
    runs = printed_as_runs()
    lacking = runs.query("not (dataset == 'iris' and n_constraints == 20 and xi == 0.3 and repetition == 7)")
    assert [*claims.common_draws(lacking).columns] == [k for k in range(100) if k != 7]


def test_a_grid_without_a_cell_of_the_paper_cannot_be_checked():
    with pytest.raises(NotCheckable, match="no such cell"):
        finding(claims.means_agree[0], printed_as_runs().query("n_constraints == 200"))


# ---------------------------------------------------------------- the study


def test_without_weight_constraints_change_nothing_and_with_weight_they_do(result):
    ri = claims.draws(result.tables["runs"])
    zero = ri.query("xi == 0").stack()
    assert (zero.groupby("dataset").nunique() == 1).all()
    assert (ri.query("xi > 0").nunique(axis=1) > 1).any()


def test_one_fit_without_weight_stands_for_all_draws():
    params = rand_tables.experiment.resolve("smoke")
    y = prepared("wine").y
    fits = [
        way(params, "wine", draw_constraints(y, 20, case_rng(params.seed, "wine", 20, k)), 0.0)
        for way in rand_tables.WAYS.values()
        for k in range(2)
    ]
    np.testing.assert_array_equal(fits[0], fits[1])
    np.testing.assert_array_equal(fits[2], fits[3])

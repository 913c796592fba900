"""The comparison of six algorithms: does it read its tables right, and can its claims fail?"""

import numpy as np
import pandas as pd
import pytest

from credalbench.papers import NotCheckable
from experiments.antoine2012_cecm import comparison
from experiments.antoine2012_cecm.comparison import claims
from experiments.antoine2012_cecm.comparison.claims import METHODS

WITH_CECM, WITH_DML = {"CECM-Mah": 0.9}, {"DML-FCM": 0.9}
NOISY = {"CECM-Eucl": [0.4, 0.5, 0.6, 0.5], "CFCM-Eucl": [0.41, 0.51, 0.6, 0.5]}


def toy_tables(ri, dataset="iris", sizes=(20,)):
    """Four repetitions; `ri` maps a method to its values, one or four, 0.5 otherwise."""
    rows = [
        {"dataset": dataset, "n_constraints": C, "method": method, "repetition": k, "ri": value}
        for C in sizes
        for method in METHODS
        for k, value in enumerate(np.broadcast_to(ri.get(method, 0.5), 4))
    ]
    runs = pd.DataFrame(rows)
    return {"runs": runs.assign(status=np.where(runs["ri"].isna(), "failed", "ok"))}


def holds(claim, artefact, ri, **where):
    """What a claim, or the one of a group that belongs to a figure, finds in toy runs."""
    [claim] = [c for c in (claim if isinstance(claim, tuple) else (claim,)) if c.artefact == artefact][:1]
    return claim(None, toy_tables(ri, **where)).holds


def test_differences_are_paired_by_repetition():
    tables = toy_tables({"CECM-Mah": [0.9, 0.7, 0.8, 0.6], "CFCM-Mah": [0.8, 0.6, 0.7, 0.5]})
    gain = claims.gains(claims.trials(tables["runs"], "iris"), "CECM-Mah", "CFCM-Mah")["at 20"]
    assert gain.value == pytest.approx(0.1)
    assert gain.high - gain.low < 1e-9  # every repetition differs by the same


def test_a_trial_that_failed_leaves_the_mean_and_enters_the_failures():
    tables = toy_tables({"COP": [0.9, np.nan, 0.7, np.nan]})
    assert claims.mean_rand_indices(None, tables).loc[("iris", 20), "COP"] == pytest.approx(0.8)
    assert claims.cop_failures(None, tables).loc[20, "iris"] == 0.5


def test_the_best_of_the_others_is_met_where_both_have_a_result():
    tables = toy_tables({"CECM-Mah": [0.9, 0.1, 0.8, 0.1], "COP": [0.8, np.nan, 0.7, np.nan]})
    [(label, gain)] = claims.gains_over_others(claims.trials(tables["runs"], "iris"), ("CECM-Mah",)).items()
    assert label == "CECM-Mah - COP at 20" and gain.n == 2
    assert gain.value == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("claim", "artefact", "so", "otherwise", "where"),
    [
        (claims.best_with_few, "cecm-fig-11", WITH_CECM, WITH_DML, {}),
        (claims.best_overall, "cecm-fig-14", WITH_CECM, WITH_DML, {"dataset": "letters"}),
        (claims.cfcm_with_many, "cecm-fig-11", {"CFCM-Mah": 0.9}, {}, {"sizes": (20, 160)}),
        (claims.similar_on_wine, "cecm-fig-12", NOISY, NOISY | {"CFCM-Eucl": 0.9}, {"dataset": "wine"}),
        (
            claims.euclidean_on_wine,
            "cecm-fig-12",
            {"CECM-Eucl": 0.9, "CFCM-Eucl": 0.9},
            {"CECM-Eucl": 0.4, "CFCM-Eucl": 0.4},
            {"dataset": "wine", "sizes": (0, 20)},
        ),
        (claims.outperforms_on_glass, "cecm-fig-13", WITH_CECM, {}, {"dataset": "glass"}),
    ],
)
def test_a_claim_holds_of_the_runs_it_describes_and_differs_of_others(claim, artefact, so, otherwise, where):
    assert holds(claim, artefact, so, **where) is True
    assert holds(claim, artefact, otherwise, **where) is False


def test_a_difference_within_its_error_is_open():
    noisy = {"CECM-Mah": [0.1, 0.8, 0.2, 0.8]}
    assert holds(claims.cfcm_with_many, "cecm-fig-11", noisy, sizes=(160,)) is None


def everywhere(*parts):
    """Toy runs of (Rand indices, sizes) on all four data sets."""
    runs = [toy_tables(ri, name, sizes)["runs"] for ri, sizes in parts for name in claims.FIGURES]
    return {"runs": pd.concat(runs)}


def test_best_everywhere_fails_at_one_number_and_best_mostly_does_not():
    tables = everywhere((WITH_CECM, (20, 40)), (WITH_DML, (60,)))
    assert claims.best_overall[0](None, tables).holds is False
    assert claims.best_mostly(None, tables).holds is True
    assert claims.best_mostly(None, everywhere((WITH_CECM, (20,)), (WITH_DML, (60,)))).holds is False


def test_especially_with_few_compares_the_shares():
    few, many = (20, 40), (60, 100)
    lead = claims.best_especially_with_few
    assert lead(None, everywhere((WITH_CECM, few), (WITH_DML, many))).holds is True
    assert lead(None, everywhere((WITH_DML, few), (WITH_CECM, many))).holds is False
    assert lead(None, everywhere((WITH_CECM, few), (WITH_CECM, many))).holds is False


def test_harm_is_a_draw_below_the_run_without_constraints():
    ri = {method: [0.5, 0.5, 0.4, 0.5] for method in METHODS}
    assert claims.constraints_may_harm(None, everywhere(({}, (0,)), (ri, (25,)))).holds is True
    assert claims.constraints_may_harm(None, everywhere(({}, (0,)), ({}, (25,)))).holds is False


def test_a_failure_is_named_where_its_means_are_used():
    tables = toy_tables(WITH_CECM | {"COP": [0.4, np.nan, 0.4, np.nan]})
    claim = next(c for c in claims.best_overall if c.artefact == "cecm-fig-11")
    assert "COP-KMEANS has no result in 50% at 20" in claim(None, tables).note
    assert claims.missing(toy_tables({})["runs"], "iris") == ""


def arm_tables(few, many):
    """Runs and arms on Iris: `few` and `many` are CFCM-Mah minus CECM-Mah, at 20 and 200 constraints."""
    tables = toy_tables({}, sizes=(20, 200))
    rows = [
        {"dataset": "iris", "n_constraints": C, "repetition": k, "method": "CFCM-Mah", "way": f"weight {w}",
         "start": start, "ri": 0.5 + gap}
        for C, gap in ((20, few), (200, many)) for k in range(4) for w in (1, 2)
        for start in ("k-means", "random")
    ]  # fmt: skip
    return tables | {"arms": pd.DataFrame(rows)}


def test_orders_are_kept_where_cecm_leads_with_few_and_cfcm_with_many():
    for few, many, kept in ((-0.1, 0.1, True), (0.1, 0.1, False), (-0.1, -0.1, False)):
        assert set(claims.orders_kept(arm_tables(few, many), "iris").values()) == {kept}


def test_numbers_of_constraints_that_were_not_run_cannot_be_checked():
    with pytest.raises(NotCheckable, match="no such number of constraints on iris"):
        claims.cfcm_with_many[0](None, toy_tables({}, sizes=(0,)))


def test_cases_cover_every_draw_and_refuse_unknown_data():
    params = comparison.experiment.resolve("paper", {"n_trials": 30})
    assert len(comparison.cases(params)) == 4 * len(params.sizes) * 2
    with pytest.raises(ValueError, match="expected data_sets among"):
        comparison.cases(comparison.experiment.resolve("paper", {"data_sets": ("zoo",)}))


def test_the_grid_has_every_weight_from_both_starts_and_fits_what_the_runs_have(smoke_result):
    result = smoke_result("antoine2012_cecm/comparison")
    for dataset in result.params.data_sets:
        for size, ri in claims.arms(result.tables, dataset).items():
            assert not ri.isna().any(axis=None) and ri.shape == (3, 4 * 2 + 3)
            ours = claims.trials(result.tables["runs"], dataset, size, size)[size]["CFCM-Mah"]
            assert np.allclose(ri["CFCM-Mah", "weight 1", "k-means"], ours)

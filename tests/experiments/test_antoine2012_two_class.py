"""The two-class data of [antoine2012_cecm]: same draws and starts for every method, checks that can fail."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from experiments.antoine2012_cecm import two_class
from experiments.antoine2012_cecm.two_class import claims

STUDY = "antoine2012_cecm/two_class"


@pytest.mark.parametrize(
    ("degrees", "kind"),
    [(0, "horizontal"), (179.9, "horizontal"), (15, "horizontal"), (44, "rising"), (90, "vertical"),
     (135, "falling"), (150, "falling"), (22.5, "between"), (112, "between")],
)  # fmt: skip
def test_direction_of_a_boundary(degrees, kind):
    assert claims.boundary_kind(degrees) == kind


def test_methods_meet_the_same_data_and_starts():
    """ECM does not depend on the constraints, so with xi = 0 CECM is the same, run by run."""
    params = replace(two_class.Parameters(), n_objects=40, n_draws=1, n_starts=2, xi=0.0)
    case = {"part": "draws", "repetition": 0}
    runs = two_class.compute(params, case)["runs"].set_index(["method", "start"])
    columns = ["ri", "objective", "boundary_deg"]
    ecm, cecm = (runs.loc[method, columns] for method in ("ecm_mahalanobis", "cecm_mahalanobis"))
    pd.testing.assert_frame_equal(ecm, cecm, rtol=1e-7)  # the same sums in another order, to convergence


def test_draws_differ_and_repeat():
    params = replace(two_class.Parameters(), n_objects=40, n_starts=1)
    first, again, other = (
        two_class.compute(params, {"part": "draws", "repetition": number})["runs"] for number in (1, 1, 2)
    )
    pd.testing.assert_frame_equal(first, again)
    assert not np.allclose(first["objective"], other["objective"])


@pytest.mark.parametrize(
    ("claim", "columns"),
    [
        (claims.euclidean_is_diagonal, {"boundary_deg": 90.0}),
        (claims.diagonal_depends_on_start, {"boundary_deg": 45.0}),
        (claims.euclidean_rand, {"ri": 0.9}),
        (claims.adaptive_is_straight, {"boundary_deg": 45.0}),
        (claims.straight_depends_on_start, {"boundary_deg": 90.0}),
        (claims.horizontal_rand, {"ri": 0.7, "boundary_deg": 0.0}),
        (claims.classes_found_from_best_start, {"ri": 0.5}),
        (claims.vertical_is_right, {"boundary_deg": 0.0, "ri": 0.99}),
        (claims.constraints_help, {"ri": 0.99}),
        (claims.violations_do_not_tell, {"ri": 0.5, "n_violated": 3}),
    ],
)
def test_claims_about_the_runs_can_fail(smoke_result, claim, columns):
    result = smoke_result(STUDY)
    tables = result.tables | {"runs": result.tables["runs"].assign(**columns)}
    assert claim(result.params, tables).holds is False


def test_share_of_draws_is_undecided_near_one_half():
    """53 of 100 draws do not decide whether it is half of them; 90 do."""
    for found, holds in ((53, None), (90, True), (10, False)):
        runs = pd.DataFrame({"repetition": range(100), "ri": np.where(np.arange(100) < found, 0.99, 0.5)})
        assert claims.share_found(runs).holds is holds


def test_claim_about_the_sketch_can_fail(smoke_result):
    result = smoke_result(STUDY)
    tables = result.tables | {"sketch": result.tables["sketch"].assign(ri=0.5)}
    assert claims.useless_and_informative(result.params, tables).holds is False


def test_best_start_is_chosen_by_the_objective_alone():
    runs = pd.DataFrame(
        {"repetition": [0, 0, 1, 1], "objective": [2.0, 1.0, 3.0, 4.0], "ri": [0.9, 0.5, 0.5, 0.9]}
    )
    assert claims.best_starts(runs)["ri"].tolist() == [0.5, 0.5]

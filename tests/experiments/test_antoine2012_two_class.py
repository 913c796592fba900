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
     (135, "falling"), (150, "falling"), (22.4, "horizontal"), (22.6, "rising")],
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


@pytest.mark.parametrize(("moved", "holds"), [(30, True), (0, False), (5, None), (-30, False)])
def test_constraints_guide_where_more_runs_find_the_classes_than_chance_moves(moved, holds):
    """Of 100 draws without constraints 50 find them; with constraints `moved` more."""
    found = {"ecm_mahalanobis": np.arange(100) < 50, "cecm_mahalanobis": np.arange(100) % 100 < 50 + moved}
    found["cecm_mahalanobis"] = np.roll(found["cecm_mahalanobis"], 0 if holds is not None else 25)
    runs = pd.concat(
        pd.DataFrame(
            {"method": method, "repetition": range(100), "boundary_deg": np.where(is_found, 90.0, 0.0)}
        )
        for method, is_found in found.items()
    )
    assert claims.constraints_guide(None, {"runs": runs}).holds is holds


def test_one_printed_run_allows_what_one_run_scatters():
    """0.56 is of one sample: a mean of 0.62 differs where single runs scatter by 0.01, not by 0.05."""
    for scatter, holds in ((0.05, None), (0.01, False)):
        ri = 0.62 + scatter * np.random.default_rng(0).standard_normal(100)
        runs = pd.DataFrame({"method": "ecm_euclidean", "start": 0, "ri": ri, "boundary_deg": 45.0})
        assert claims.euclidean_rand(None, {"runs": runs}).holds is holds


def test_draws_differ():
    params = replace(two_class.Parameters(), n_objects=40, n_starts=1)
    first, other = (
        two_class.compute(params, {"part": "draws", "repetition": number})["runs"] for number in (1, 2)
    )
    assert not np.allclose(first["objective"], other["objective"])

"""Open conventions of CECM: do they do what their names say, and are iterations counted right?"""

from itertools import islice

import numpy as np
import pandas as pd
import pytest

from credalbench.baselines import ConstrainedFuzzyCMeans
from credalbench.belief import FocalSets
from credalbench.cluster import CECM
from credalbench.cluster.constrained.masses import constraint_terms
from credalbench.core.constraints import PairwiseConstraints
from experiments.antoine2012_cecm import conventions
from experiments.antoine2012_cecm.conventions import claims, variants
from experiments.antoine2012_cecm.rand_tables.claims import PRINTED
from experiments.antoine2012_cecm.shared.paths import cecm_path, cfcm_path
from experiments.antoine2012_cecm.shared.protocol import Problem
from experiments.antoine2012_cecm.times.claims import PRINTED as PRINTED_TIMES

STUDY = "antoine2012_cecm/conventions"
PARAMS = conventions.experiment.resolve("paper")
MUST, CANNOT = [(0, 1), (2, 3), (20, 21)], [(0, 22)]


@pytest.fixture
def problem() -> Problem:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(20, 2)), rng.normal(5, 1, size=(20, 2))])
    return Problem(X, np.repeat([0, 1], 20), 2, 20.0)


# ---------------------------------------------------------------- paths


@pytest.mark.parametrize("metric", ["euclidean", "mahalanobis"])
def test_paths_are_the_iterations_of_the_estimators(problem, metric):
    constraints, V = PairwiseConstraints(40, MUST, CANNOT), problem.X[[0, 25]]
    links = {"must_link": MUST, "cannot_link": CANNOT}
    options = {"init": V, "metric": metric, "tol": 0, "max_iter": 4}
    fits = CECM(2, delta=problem.delta, **options), ConstrainedFuzzyCMeans(2, **options)
    paths = cecm_path(problem, V, constraints, metric, 0.5), cfcm_path(problem, V, constraints, metric)
    for fit, path in zip(fits, paths):
        *_, (prototypes, _) = islice(path, 4)
        # rounding: the estimator moves the origin
        np.testing.assert_allclose(prototypes, fit.fit(problem.X, **links).cluster_centers_, atol=1e-9)


def test_the_first_change_below_a_threshold_is_counted_and_none_is_reported():
    V = np.zeros((2, 1))
    path = ((np.full((2, 1), 1 - 0.1**k), None) for k in range(1, 10))  # changes 0.9, 0.09, ...
    rows = pd.DataFrame(conventions.counted(V, path, [0.5, 0.05, 1e-9], 4))
    found = rows[rows["criterion"] == "largest coordinate"].set_index("threshold")
    assert found["n_iter"].to_dict() == {0.5: 2, 0.05: 3, 1e-9: 4}
    assert found["converged"].to_dict() == {0.5: True, 0.05: True, 1e-9: False}


# ---------------------------------------------------------------- conventions


def strengths(name: str, xi: float):
    """What a must-link and a cannot-link cost under a convention, over what they do as printed."""
    plain = PairwiseConstraints(40, MUST, CANNOT)
    links, new_xi = variants.weighed(plain, xi, variants.CONVENTIONS[name])
    ratio = constraint_terms(links, FocalSets.full(2), new_xi).strength
    ratio /= constraint_terms(plain, FocalSets.full(2), xi).strength
    return ratio * links.must_link_weights[0], ratio * links.cannot_link_weights[0]


@pytest.mark.parametrize(
    ("name", "must", "cannot"),
    [
        (claims.PROTOCOL, 1, 1),
        ("constraints weigh half", 0.5, 0.5),
        ("constraints weigh twice", 2, 2),
        ("must- and cannot-links averaged apart", 4 / 3, 4),  # 3 and 1 of 4 constraints
    ],
)
@pytest.mark.parametrize("xi", [0.1, 0.9])
def test_weights_are_those_of_the_conventions(name, must, cannot, xi):
    assert strengths(name, xi) == pytest.approx((must, cannot))


def test_scales_are_what_they_are_called():
    X = np.random.default_rng(0).normal(3, 2, size=(30, 4))
    scaled = {name: scale(X) for name, scale in variants.SCALES.items()}
    np.testing.assert_allclose(scaled["standardised"].std(axis=0), 1)
    np.testing.assert_allclose(scaled["sample deviation"].std(axis=0, ddof=1), 1)
    np.testing.assert_allclose((scaled["range"].min(axis=0), scaled["range"].max(axis=0)), [[0] * 4, [1] * 4])
    np.testing.assert_allclose(np.abs(scaled["maximum"]).max(axis=0), 1)
    assert scaled["raw"] is X


# ---------------------------------------------------------------- claims


def cells_of(conventions_that_fit: set[str]) -> pd.DataFrame:
    """The printed means with 200 constraints, and 0.05 more where a convention does not fit."""
    rows = []
    for key, printed in PRINTED.items():
        quantity, dataset, C, xi = key.split("_")
        if quantity == "ri" and C == "200" and float(xi) in PARAMS.xi:
            cell = {"dataset": dataset, "n_constraints": 200, "xi": float(xi)}
            rows += [
                cell | {"convention": name, "repetition": k, "ri": printed.value + off + 1e-4 * (-1) ** k}
                for name in variants.CONVENTIONS
                for off in [0.0 if name in conventions_that_fit else 0.05]
                for k in range(4)
            ]
    return pd.DataFrame(rows)


def test_one_convention_that_fits_all_cells_is_found():
    for claim in claims.one_convention_fits_all:
        assert claim(PARAMS, {"cells": cells_of(set())}).holds is False
        found = claim(PARAMS, {"cells": cells_of({"all data raw"})})
        assert found.holds is True and "0 differ with: all data raw" in found.note


def stops_of(factor: float) -> pd.DataFrame:
    """Table 8 as printed under one criterion and threshold, `factor` times as many for one algorithm."""
    rows = []
    for key, printed in PRINTED_TIMES.items():
        if key[0] == "iter" and key[1] != "two_class":
            n_iter = printed.value * (factor if key[2].startswith("cfcm") else 1)
            row = {"dataset": key[1], "method": key[2], "way": claims.OURS, "start": "k-means"}
            row |= {"criterion": "largest coordinate", "threshold": 1e-3, "converged": True}
            rows += [row | {"repetition": k, "n_iter": n_iter + 0.01 * k} for k in (-1, 0, 1)]
    return pd.DataFrame(rows)


def test_one_threshold_that_gives_table_8_is_found():
    claim = claims.one_threshold_gives_table_8
    assert claim(PARAMS, {"stops": stops_of(1)}).holds is True
    found = claim(PARAMS, {"stops": stops_of(3)})
    assert found.holds is False and "CECM: 0 of 8 differ" in found.note


def test_every_convention_and_way_is_run(smoke_result):
    tables = smoke_result(STUDY).tables
    assert set(tables["cells"]["convention"]) == set(variants.CONVENTIONS)
    assert set(tables["stops"]["way"]) == {claims.OURS, variants.PROGRAM}
    assert set(tables["stops"]["criterion"]) == set(claims.CRITERIA)

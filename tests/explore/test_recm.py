"""The RECM explorer, of which only the estimator and its parameters are declared."""

import numpy as np
import pytest

from credalbench.cluster import RECM
from credalbench.datasets import load
from credalbench.explore import RECMModel, explore_recm


@pytest.mark.parametrize("data", ["protein", "butterfly"])
def test_the_fit_is_that_of_the_estimator(data):
    model, found = RECMModel(data, focal_sets="full"), load(data)
    precomputed = {"metric": "precomputed"} if found.X is None else {}
    X = found.D if found.X is None else found.X
    options = {"delta": model.delta, "focal_sets": "full", "random_state": 0} | precomputed
    alone = RECM(model.n_clusters, **options).fit(X)
    masses = np.sort(model.fitted.partition.masses, axis=1)  # whatever the numbers of the clusters
    np.testing.assert_array_equal(masses, np.sort(alone.partition_.masses, axis=1))


def test_iterations_are_those_of_one_run():
    model = RECMModel("t4:60")
    for k in (0, 1, 4):
        model.iteration = k
        alone = RECM(4, delta=model.delta, focal_sets="pairs", random_state=0, max_iter=k)
        alone.fit(model.subject.attributes)
        assert model.fitted.objective == alone.objective_trace_[-1] == model.fitted.objective_trace[k]


def test_a_large_table_is_refused_with_the_reason():
    model = RECMModel("t4:3000")
    assert "at most 2500 objects, because all pairs are compared" in model.message


# -- the view -------------------------------------------------------------------------------------------


def test_the_page_follows_from_the_declaration():
    explorer = explore_recm("protein")
    names = [panel["name"] for panel in explorer.image.scene["panels"]]
    assert names == ["map", "classes", "cardinalities", "trace"]
    assert "in 4 clusters by RECM after" in explorer.image.description
    explorer.controls["delta"].value = 8.0
    assert explorer.model.fitted.n_outliers > 0
    assert f"with {explorer.model.fitted.n_outliers} outliers" in explorer.image.description


# -- the introduction ------------------------------------------------------------------------------------


def check_outliers():
    model = RECMModel("protein")
    assert model.subject.n_objects == 213 and model.subject.attributes is None
    model.delta = 10.0
    assert model.fitted.n_outliers == 5
    model.delta = 4.0
    assert model.fitted.n_outliers > 213 / 2


#: The sentences of the introduction, by their beginning, with what checks them.
INTRODUCTION = {"The proteins are known": check_outliers, "At δ = 10": check_outliers}

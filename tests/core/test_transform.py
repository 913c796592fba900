"""Distances to prototypes in the units of the data; `check_clusterer` checks what they have in common."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from credalbench.baselines import FuzzyCMeans, GustafsonKessel, KModes
from credalbench.cluster import CECM, ECM, MECM, CatECM, MixedECM

X = np.random.default_rng(0).normal(size=(40, 2)) + 9 * (np.arange(40) // 20)[:, None]
NEW = np.random.default_rng(1).normal(4, 5, size=(9, 2))
TABLE = pd.DataFrame({"colour": list("rrrbbb"), "size": list("ssmlll")})


@pytest.mark.parametrize("unit", [1.0, 1e90])
@pytest.mark.parametrize("cls", [ECM, CECM, FuzzyCMeans, MECM])
def test_distances_to_points_are_euclidean(cls, unit):
    fit = cls(2, random_state=0, **({"delta": 10 * unit} if cls in (ECM, CECM) else {})).fit(X * unit)
    expected = cdist(NEW, fit.cluster_centers_ / unit) * unit
    np.testing.assert_allclose(fit.transform(NEW * unit), expected, rtol=1e-9)  # rounding in another unit


@pytest.mark.parametrize(
    "estimator", [ECM(2, metric="mahalanobis", random_state=0), GustafsonKessel(2, random_state=0)], ids=repr
)
def test_adaptive_metrics_measure_each_cluster_by_its_own(estimator):
    fit = estimator.fit(X)
    h = NEW[:, None] - fit.cluster_centers_
    expected = np.sqrt(np.einsum("icp,cpq,icq->ic", h, fit.norm_matrices_, h))
    np.testing.assert_allclose(fit.transform(NEW), expected, rtol=1e-9)  # square roots of matrices: rounding


def test_given_dissimilarities_to_medoids_are_returned():
    fit = MECM(2, metric="precomputed", random_state=0).fit(cdist(X, X, "cityblock"))
    D = cdist(NEW, X, "cityblock")
    np.testing.assert_allclose(fit.transform(D), D[:, fit.medoid_indices_], rtol=1e-12)  # a unit of their own


@pytest.mark.parametrize("normalize", [True, False])
def test_distances_of_categories_are_those_that_delta_is_compared_with(normalize):
    fit = CatECM(2, normalize=normalize, init=TABLE.iloc[[0, 5]], random_state=0).fit(TABLE)
    shares = fit.transform(TABLE) ** 2 * (2 if normalize else 1)
    modes = KModes(2, init=TABLE.iloc[[0, 5]]).fit(TABLE).transform(TABLE)
    assert modes.tolist() == [[0, 2], [0, 2], [1, 2], [2, 0], [2, 0], [2, 0]]
    np.testing.assert_allclose(shares[[0, 5]], modes[[0, 5]], atol=1e-12)  # square roots


def test_distances_of_both_kinds_add_up():
    table = TABLE.assign(height=[1.0, 1.5, 2.0, 7.0, 8.0, 9.0])
    fit = MixedECM(2, standardize=False, init=table.iloc[[0, 5]], random_state=0).fit(table)
    modes = fit.prototypes_[["colour", "size"]].to_numpy()
    weights = dict(zip(table.columns, fit.attribute_weights_))
    differ = (table[["colour", "size"]].to_numpy()[:, None] != modes) @ [weights["colour"], weights["size"]]
    squares = weights["height"] * cdist(table[["height"]], fit.cluster_centers_) ** 2
    expected = squares + fit.category_weight_ * differ
    np.testing.assert_allclose(fit.transform(table) ** 2, expected, atol=1e-12)


def test_columns_of_a_table_are_named():
    pipeline = make_pipeline(StandardScaler(), ECM(2, random_state=0)).set_output(transform="pandas")
    found = pipeline.fit_transform(pd.DataFrame(X, index=[f"object {i}" for i in range(40)]))
    assert found.columns.tolist() == ["ecm0", "ecm1"]
    assert found.index[3] == "object 3" == pipeline[-1].partition_.index[3]
    assert (found.to_numpy().argmin(axis=1) == pipeline[-1].labels_).all()

"""Names that a fit keeps: of matrices, of given partitions, of a second run, and none that were not given."""

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import CredalPartition
from credalbench.cluster import ECM, EVCLUS, RECM, EKNNclus, EvidentialEnsemble

NAMES = [f"object {i}" for i in range(12)]
X = np.random.default_rng(0).normal(size=(12, 2)) + 9.0 * (np.arange(12)[:, None] // 6)
D = np.linalg.norm(X[:, None] - X, axis=2)


@pytest.mark.parametrize("estimator", [EVCLUS(2), RECM(2), EKNNclus(n_neighbors=3)], ids=repr)
def test_a_matrix_names_its_objects_in_rows_or_columns(estimator):
    estimator.set_params(metric="precomputed", random_state=0)
    plain = estimator.fit(D).partition_
    assert plain.index is None
    for named in ({"index": NAMES}, {"columns": NAMES}, {"index": NAMES, "columns": NAMES}):
        found = estimator.fit(pd.DataFrame(D, **named)).partition_
        assert list(found.index) == NAMES
        np.testing.assert_allclose(found.masses, plain.masses, atol=1e-6)  # rounding, in another memory order
    with pytest.raises(ValueError, match="rows and columns that name the same objects in the same order"):
        estimator.fit(pd.DataFrame(D, index=NAMES, columns=NAMES[::-1]))


def test_columns_of_attributes_name_no_objects():
    square = pd.DataFrame(X[:2], columns=["length", "width"])
    assert ECM(2, random_state=0).fit(square).partition_.index is None


def test_both_partitions_of_two_runs_have_the_names():
    table = pd.DataFrame(X, index=NAMES)
    for model in (ECM(3, focal_sets="simple", pair_neighbors=1), EVCLUS(3, pair_neighbors=1)):
        fit = model.set_params(random_state=0).fit(table)
        assert list(fit.first_partition_.index) == list(fit.partition_.index) == NAMES


def test_a_consensus_has_the_names_of_its_partitions_if_they_agree():
    labels = np.arange(12) // 6
    named, plain = CredalPartition.from_labels(labels).named(NAMES), CredalPartition.from_labels(labels)
    ensemble = EvidentialEnsemble(2, random_state=0)
    assert list(ensemble.fit_from_partitions([plain, named, labels]).partition_.index) == NAMES
    with pytest.raises(ValueError, match="the same objects in the same order"):
        ensemble.fit_from_partitions([named, plain.named(NAMES[::-1])])

"""The butterfly, as it reads in the papers: two wings, object 6 between them, object 12 far away."""

import pytest

from credalbench.belief import FocalSets
from credalbench.cluster import ECM, EVCLUS, RECM
from credalbench.datasets import load

X = load("butterfly").X


@pytest.mark.parametrize(
    "model",
    [
        ECM(2, beta=2.0, delta=20**0.5, n_init=3, random_state=0),
        RECM(2, delta=50**0.5, n_init=5, random_state=0),
        EVCLUS(2, d0=11.0, n_init=10, random_state=0),
    ],
    ids=repr,
)
def test_butterfly_reads_as_in_the_papers(model):
    """Of the paper on EVCLUS it is Example 3."""
    fit = model.fit(X)
    decision = [fit.partition_.focal_sets.labels[j] for j in fit.partition_.hard_credal()]
    assert decision[11] == "∅"
    assert decision[5] == "Ω"
    assert len(set(fit.labels_[:5])) == len(set(fit.labels_[6:11])) == 1
    assert fit.labels_[0] != fit.labels_[10]


@pytest.mark.parametrize("cls", [ECM, RECM])
def test_focal_sets_without_the_empty_set_leave_no_outlier(cls):
    fit = cls(2, focal_sets=FocalSets.full(2, empty=False), random_state=0).fit(X)
    assert not fit.partition_.outliers().any()

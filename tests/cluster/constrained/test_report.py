"""What became of constraints: by hand, on a must-link that cannot be true, by name."""

import warnings

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import CECM
from credalbench.cluster.constrained.report import constraint_report
from credalbench.core.constraints import PairwiseConstraints

MASSES = {  # on ∅, {1}, {2}, {1,2}
    "sure": [0.0, 1.0, 0.0, 0.0],
    "likely": [0.1, 0.8, 0.1, 0.0],
    "other": [0.0, 0.0, 0.9, 0.1],
    "out": [0.6, 0.4, 0.0, 0.0],
}


def test_a_constraint_is_met_violated_or_met_by_an_outlier():
    index = pd.Index(MASSES)
    partition = CredalPartition(list(MASSES.values()), FocalSets.full(2), index)
    must = [("sure", "likely"), ("sure", "other"), ("likely", "out")]
    cannot = [("sure", "other"), ("other", "out"), ("sure", "out")]
    constraints = PairwiseConstraints(
        4, must, cannot, must_link_weights=[0.5] * 3, cannot_link_weights=[0.5] * 3, index=index
    )
    report = constraint_report(constraints, partition, partition.labels("pignistic"))
    found = report.set_index(["constraint", "first", "second"])
    assert found["outcome"].to_dict() == {
        ("must-link", "sure", "likely"): "met",
        ("must-link", "sure", "other"): "violated",
        ("must-link", "likely", "out"): "met by an outlier",
        ("cannot-link", "sure", "other"): "met",
        ("cannot-link", "other", "out"): "met by an outlier",
        ("cannot-link", "sure", "out"): "met by an outlier",
    }
    assert found["outliers"].tolist() == [(), (), ("out",), (), ("out",), ("out",)]
    assert found.loc[("must-link", "likely", "out"), "plausibility"].item() == pytest.approx(0.1 * 0.4)
    assert found.loc[("cannot-link", "sure", "out"), "plausibility"].item() == pytest.approx(0.4)
    assert (report["weight"] == 0.5).all()


def test_no_constraints_make_an_empty_report():
    partition = CredalPartition(list(MASSES.values()), FocalSets.full(2))
    assert constraint_report(PairwiseConstraints(4), partition, partition.labels()).empty


@pytest.fixture
def two_groups():
    """Two groups of ten around 0 and 6, objects named by group and number."""
    rng = np.random.default_rng(0)
    X = rng.normal(scale=0.5, size=(20, 2)) + 6.0 * (np.arange(20)[:, None] // 10)
    return pd.DataFrame(X, index=[f"{group}{i}" for group in "ab" for i in range(10)], columns=["x", "y"])


def test_a_false_must_link_that_makes_an_outlier_shows(two_groups):
    """`delta` is small beside the distance of the groups, so that one object had rather be in neither."""
    model = CECM(2, delta=2.0, xi=0.9, init=[[0.0, 0.0], [6.0, 6.0]])
    with pytest.warns(UserWarning, match=r"1 of 1 must-links are met by outliers only: a0 - b0\. ") as warned:
        fit = model.fit(two_groups, must_link=[("a0", "b0")])
    assert {warning.filename for warning in warned} == {__file__}
    report = fit.constraint_report()
    assert report["outcome"].tolist() == ["met by an outlier"]
    assert set(report["outliers"][0]) == set(fit.partition_.index[fit.partition_.outliers()]) <= {"a0", "b0"}
    assert len(fit.violated_) == 0
    with pytest.warns(UserWarning, match=r"met by outliers only: rows 0 - 10\. "):
        model.fit(two_groups.to_numpy(), must_link=[(0, 10)])


def test_constraints_that_are_met_are_not_warned_of(two_groups):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        links = {"must_link": [("a0", "a1")], "cannot_link": [("a0", "b0")]}
        fit = CECM(2, delta=20.0, random_state=0).fit(two_groups, **links)
    assert fit.constraint_report()["outcome"].tolist() == ["met", "met"]

"""What the introduction of each explorer says holds for what it opens with; no sentence is left out."""

import json
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from credalbench.explore import (
    BPECModel,
    CatECMModel,
    CECMModel,
    CompareModel,
    ECMModel,
    EGMMModel,
    EnsembleModel,
    EVCLUSModel,
    SegmentationModel,
)
from credalbench.metrics import adjusted_rand
from tests.by_day import some_by_day
from tests.explore.declared import NAMES

NOTEBOOKS = Path(__file__).parents[2] / "notebooks" / "explore"
#: A sentence that begins so tells what to do; one with code names an attribute, which doctests use.
DO = (
    "Click",
    "Drag",
    "Select",
    "Move",
    "Paint",
    "By keyboard",
    "Tab to",
    "Or type",
    "`",
    "Squares",
    "Dashed",
)


def introduction(name):
    cell = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))["cells"][0]
    text = " ".join("".join(cell["source"]).split("\n", 1)[1].split())
    return [one for one in re.split(r"(?<=[.?!:]) (?=[A-Z`*])", text) if not one.startswith(DO)]


def of_bpec(**settings):
    """The explorer as its notebook opens it."""
    return BPECModel("t4:400", **settings)


def bpec_graph():
    fitted = of_bpec().fitted
    graph, peaks = fitted.graph, fitted.peaks
    assert len(peaks) == 4 and fitted.by == "rule"
    apart = (graph.delta > 3) & (graph.belief > 0.45)
    assert sorted(np.flatnonzero(apart)) == sorted(peaks)
    assert graph.prominence[fitted.order[4]] < 0.5 * graph.prominence[peaks].min()
    far = np.flatnonzero((graph.delta > 3) & (graph.belief < 0.1))
    assert len(far) == 1 and fitted.partition.outliers()[far].all()


def bpec_left_out():
    model = of_bpec()
    with_all, y = model.fitted.ari, model.subject.y
    for i in model.fitted.peaks.tolist():
        model.toggle(i)
        labels = model.fitted.partition.labels("pignistic")
        assert model.fitted.ari < 0.65 < 0.85 < with_all
        assert np.unique(labels[y == y[i]]).max() < 3
        model.toggle(i)
        assert model.fitted.ari == pytest.approx(with_all)


def bpec_neighbours():
    found = {K: of_bpec(n_neighbors=K).n_clusters for K in (3, *range(5, 101, 5), 200)}
    assert found.pop(3) == found.pop(200) == 1
    assert set(found.values()) == {4}


def bpec_corner():
    model = of_bpec()
    model.least_delta = 1.0
    assert model.n_clusters == 8 and model.by == "corner"
    classes = model.subject.y[model.fitted.peaks]
    assert np.bincount(classes).tolist() == [2, 2, 2, 2]


def catecm():
    model = CatECMModel("cat_diamond")
    assert model.fitted.n_outliers == 2
    model.normalize = True
    assert model.fitted.n_outliers == 0


def with_constraints(metric, seed):
    """ARI of the CECM explorer without constraints, and after ten between random objects."""
    model, rng = CECMModel("two_class:400:2", metric=metric), np.random.default_rng(seed)
    before = model.fitted.ari
    for _ in range(10):
        model.choice.choose(*sorted(rng.choice(400, 2, replace=False).tolist()))
        model.linking.link("truth")
    assert len(model.links) == 10
    return before, model.fitted.ari


def cecm():
    for seed in range(3):
        assert with_constraints("mahalanobis", seed)[0] < 0.2 < 0.9 < with_constraints("mahalanobis", seed)[1]
        assert max(with_constraints("euclidean", seed)) < 0.5


def compare():
    model = CompareModel("t4:200")
    fuzzy, ecm = model.fitted.left.partition, model.fitted.right.partition
    pair = model.fitted.differences.separated_by_right
    two = np.sort(fuzzy.pignistic[[pair.first, pair.second]], axis=1)[:, -2:]
    assert two.min() > 0.35 and np.ptp(two, axis=1).max() < 0.1
    chosen = [ecm.focal_sets.sets[j] for j in ecm.hard_credal()[[pair.first, pair.second]]]
    assert sorted(map(len, chosen)) == [0, 2]


def compare_starts():
    model = CompareModel("t4:200", comparing="starts")
    assert len(model.fitted.traces) == 12
    ends = [trace[-1] for trace in model.fitted.traces]
    assert model.fitted.left.run.objective == max(ends) > min(ends)


def ecm():
    model = ECMModel("t4:400")

    def of_sets():
        partition = model.fitted.partition
        return partition.masses[:, partition.focal_sets.cardinality > 1].sum()

    shares = [of_sets()]
    for model.alpha in (2.0, 4.0):
        shares.append(of_sets())
    assert all(after < before for before, after in pairwise(shares))
    model.alpha = 1.0
    model.beta = 1.1
    assert model.fitted.partition.masses.max(axis=1).mean() > 0.95
    model.beta = 2.0
    before = model.fitted.n_outliers
    model.delta = 2.0
    assert model.fitted.n_outliers > before


def egmm():
    model, counts, best = EGMMModel("mixture", overlap=0.15), [], []
    for model.overlap in (0.05, 0.15, 0.3):
        model.complete_curve()
        counts.append(model.fitted.n_imprecise)
        best.append(model.best_n_clusters)
    assert counts == sorted(counts) and best[0] == best[1] == 3 > best[2]


def ensemble():
    model = EnsembleModel("half_rings:300")
    found, bases, y = {}, model.fitted.run.bases, model.subject.y
    assert len(bases) == 10 and max(adjusted_rand(y, one.labels()) for one in bases) < 0.5
    for model.t_norm in ("none", "lukasiewicz", "product", "minimum"):
        found[model.t_norm] = round(model.fitted.ari, 2)
    assert found["minimum"] == 0.93 and found["product"] == 0.83
    assert max(found["none"], found["lukasiewicz"]) == 0.30


def evclus():
    model = EVCLUSModel("butterfly")
    before = model.fitted
    model.d0_quantile = 0.7
    assert model.fitted is not before and not model.is_error


def evclus_constraints():
    for seed in range(3):
        model, rng = EVCLUSModel("two_class:400:2"), np.random.default_rng(seed)
        before = model.fitted.ari
        for _ in range(20):
            model.choice.choose(*sorted(rng.choice(400, 2, replace=False).tolist()))
            model.linking.link("truth")
        assert len(model.links) == 20 and before < 0.1 < 0.9 < model.fitted.ari


def segmentation():
    model = SegmentationModel("phantom")
    before = model.fitted
    model.strokes = [{"tool": 1, "rectangle": [0, 0, 6, 6]}]
    assert model.fitted is not before and not model.is_error
    assert model.fitted.before.masses.shape == model.fitted.partition.masses.shape


def definition(_=None):
    """A definition, or what the picture shows: the scene of each explorer has its own tests."""


#: The sentences of each introduction, by their beginning, with what checks them.
CLAIMS = {
    "bpec": {
        "In the graph": definition,
        "Four peaks": bpec_graph,
        "An object far right": bpec_graph,
        "Without one of": bpec_left_out,
        "From 5 to 100": bpec_neighbours,
        "With the corner": bpec_corner,
    },
    "catecm": {"cat-ECM clusters": definition, "Cat-diamond reproduces": catecm},
    "cecm": {"Neither metric finds": cecm, "Choose the adaptive": cecm},
    "compare": {
        "Compare two methods": definition,
        "Fuzzy memberships of an object": compare,
        "ECM has masses": compare,
        "Choose k-means": definition,
        "*Compare* → *worst": compare_starts,
    },
    "ecm": {"Raise α": ecm},
    "egmm": {"Increase the overlap": egmm},
    "ensemble": {
        "Ten ECM partitions": ensemble,
        "Their relation is closed": ensemble,
        "By the product": ensemble,
    },
    "evclus": {
        "EVCLUS refits": evclus,
        "Colour and shape": definition,
        "Solid lines": definition,
        "With twenty constraints": evclus_constraints,
    },
    "segmentation": {
        "CECM refits": segmentation,
        "The left image": segmentation,
        "The two images are substitutes": definition,
        "*Your image*": definition,
    },
}


@pytest.mark.parametrize("name", NAMES)
def test_no_sentence_of_an_introduction_is_left_out(name):
    sentences = introduction(name)
    untested = [one for one in sentences if not one.startswith(tuple(CLAIMS[name]))]
    assert untested == []
    assert [key for key in CLAIMS[name] if not any(one.startswith(key) for one in sentences)] == []


CHECKS = {check.__name__: check for checks in CLAIMS.values() for check in checks.values()}


@pytest.mark.parametrize("name", some_by_day(CHECKS))
def test_a_claim_of_an_introduction_holds(name):
    CHECKS[name]()

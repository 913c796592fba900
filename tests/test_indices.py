"""Functions that take numbers of objects, clusters or values refuse wrong ones: compiled loops do not."""

import importlib
import inspect
from functools import partial

import numpy as np
import pytest
from sklearn.utils.validation import has_fit_parameter

from credalbench import baselines, cluster
from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.relations import combine_pairs, evidence_of_pair, strongest_path
from credalbench.cluster import CECM, EVCLUS, ActiveLearner, TiledDissimilarities
from credalbench.core.categories import Domain, frequencies, mismatches
from credalbench.core.constraints import PairwiseConstraints

PACKAGES = ("baselines", "belief", "core.categories", "cluster", "metrics", "belief.relations", "select")
#: Names of arguments that are numbers of objects, clusters or values.
NAMES = ("partners", "pairs", "must_link", "cannot_link", "codes", "i", "j", "rows", "sets", "A")

N = 6
X = np.array([[0.0, 0], [1, 0], [0, 1], [9, 9], [8, 9], [9, 8]])
HARD = [[0, 0, 0, 1, 1, 1]]
PARTITION = CredalPartition.from_labels(HARD[0])
DOMAIN = Domain((0, 1), (np.array(["a", "b"]), np.array([1, 2, 3])), "error")
BAD = {"beyond": N, "negative": -1, "a fraction": 0.5, "NaN": np.nan, "huge": 2**40, "word": "a"}


def _pair(bad):
    return [(0, 1), (bad, 2)]


def _partners(bad):
    return [[1], [2], [3], [4], [5], [bad]]


def _codes(bad):
    return np.array([[0, 0], [1, bad]])


def _constrained():
    """Yield a call for each kind of constraint of each estimator that takes them."""
    for package in (baselines, cluster):
        for cls in (thing for thing in vars(package).values() if hasattr(thing, "fit")):
            for kind in ("must_link", "cannot_link"):
                if has_fit_parameter(cls, kind):
                    model = cls(**{"n_clusters": 2} if "n_clusters" in cls().get_params() else {})
                    yield f"{cls.__name__}.fit {kind}", partial(_fit_linked, model, kind)


def _fit_linked(model, kind, bad):
    model.fit(X, **{kind: _pair(bad)})


def _tiled():
    return TiledDissimilarities(N, lambda rows, columns: np.zeros((len(rows), len(columns))))


#: What takes such numbers, and a call with one of them wrong.
CALLS = {
    "ActiveLearner must_link": lambda bad: ActiveLearner(CECM(2), X, must_link=_pair(bad)),
    "ActiveLearner cannot_link": lambda bad: ActiveLearner(CECM(2), X, cannot_link=_pair(bad)),
    "ActiveLearner.answer pairs": lambda bad: ActiveLearner(CECM(2), X).answer(_pair(bad), [True, False]),
    "ActiveLearner.skip pairs": lambda bad: ActiveLearner(CECM(2), X).skip(_pair(bad)),
    "TiledDissimilarities.between rows": lambda bad: _tiled().between([bad, 1], [0]),
    "CredalPartition.belief A": lambda bad: PARTITION.belief([bad]),
    "CredalPartition.plausibility A": lambda bad: PARTITION.plausibility([bad]),
    "CredalPartition.take rows": lambda bad: PARTITION.take([0, bad]),
    "EVCLUS.fit partners": lambda bad: EVCLUS(2).fit(X, partners=_partners(bad)),
    "FocalSets.from_sets sets": lambda bad: FocalSets.from_sets(2, [[0], [bad]]),
    "FocalSets.index A": lambda bad: FocalSets.simple(2).index([bad]),
    "FocalSets.mask_of A": lambda bad: FocalSets.simple(2).mask_of([bad]),
    "FocalSets.pairs pairs": lambda bad: FocalSets.pairs(3, [(0, bad)]),
    "MassFunction.belief A": lambda bad: PARTITION[0].belief([bad]),
    "MassFunction.mass A": lambda bad: PARTITION[0].mass([bad]),
    "MassFunction.plausibility A": lambda bad: PARTITION[0].plausibility([bad]),
    "PairwiseConstraints.from_labels pairs": lambda bad: PairwiseConstraints.from_labels(HARD[0], _pair(bad)),
    "PairwiseConstraints must_link": lambda bad: PairwiseConstraints(N, must_link=_pair(bad)),
    "PairwiseConstraints cannot_link": lambda bad: PairwiseConstraints(N, cannot_link=_pair(bad)),
    "combine_pairs partners": lambda bad: combine_pairs([PARTITION, *HARD], _partners(bad)),
    "evidence_of_pair i": lambda bad: evidence_of_pair(HARD, bad, 0),
    "evidence_of_pair j": lambda bad: evidence_of_pair(HARD, 0, bad),
    "frequencies codes": lambda bad: frequencies(_codes(bad), np.ones((2, 1)), DOMAIN),
    "mismatches codes": lambda bad: mismatches(_codes(bad), np.ones((DOMAIN.n_rows, 1)), DOMAIN),
    "strongest_path i": lambda bad: strongest_path(np.eye(N), bad, 0),
    "strongest_path j": lambda bad: strongest_path(np.eye(N), 0, bad),
} | dict(_constrained())
#: What takes codes and reaches no compiled loop.
IN_NUMPY = {"Domain.expect_values codes", "Domain.scales codes", "Domain.stack_objects codes"}


def _taken(name, thing):
    """Yield "function argument" for the arguments of a public function, or of a class, that are numbers."""
    if inspect.isclass(thing):
        for method in [one for one in dir(thing) if not one.startswith(("_", "set_"))]:
            yield from _taken(f"{name}.{method}", getattr(thing, method, None))
        thing = thing.__init__
    if inspect.isfunction(thing) or inspect.ismethod(thing):
        yield from (f"{name} {one}" for one in inspect.signature(thing).parameters if one in NAMES)


def test_every_public_argument_of_numbers_is_walked():
    public = {"PairwiseConstraints": PairwiseConstraints}
    for package in PACKAGES:
        module = importlib.import_module(f"credalbench.{package}")
        public |= {name: getattr(module, name) for name in module.__all__}
    assert {one for name, thing in public.items() for one in _taken(name, thing)} == {*CALLS, *IN_NUMPY}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_number_is_refused(name, bad):
    if name == "CredalPartition.take rows" and bad == "negative":
        assert CALLS[name](-1) == PARTITION.take([0, N - 1])  # as everywhere in Python
        return
    with pytest.raises((ValueError, TypeError), match="expected"):
        CALLS[name](BAD[bad])


@pytest.mark.parametrize("shape", [(0,), (N,), (N, 0), (N - 1, 2), (N, 2, 2)])
def test_numbers_in_another_shape_are_refused(shape):
    numbers = np.zeros(shape, dtype=np.uint8)
    with pytest.raises(ValueError, match="partners of shape"):
        combine_pairs(HARD, numbers)
    with pytest.raises(ValueError, match="partners of shape"):
        EVCLUS(2).fit(X, partners=numbers)
    if len(shape) != 2:  # any number of objects has codes
        with pytest.raises(ValueError, match="codes of 2 attributes"):
            mismatches(numbers, np.ones((DOMAIN.n_rows, 1)), DOMAIN)
    with pytest.raises(ValueError, match=r"pairs of shape \(m, 2\)|pairs of different objects|labels"):
        PairwiseConstraints.from_labels(np.zeros(N), numbers if numbers.size else np.zeros((1, 3)))


def test_tables_of_other_sizes_are_refused():
    codes = np.zeros((2, 2), dtype=np.uint8)
    with pytest.raises(ValueError, match=f"weights of {DOMAIN.n_rows} rows"):
        mismatches(codes, np.ones((DOMAIN.n_rows - 1, 1)), DOMAIN)
    with pytest.raises(ValueError, match="shares of 2 objects"):
        frequencies(codes, np.ones((1, 1)), DOMAIN)
    with pytest.raises(ValueError, match="codes of 2 attributes"):
        frequencies(codes[:, :1].copy(), np.ones((2, 1)), DOMAIN)

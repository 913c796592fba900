"""Arguments: values that each kind accepts, and declarations of every estimator, by hints and odd values."""

import inspect
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, get_args, get_type_hints

import numpy as np
import pytest
from sklearn.base import clone

from credalbench.baselines import ConstrainedFuzzyCMeans, GustafsonKessel
from credalbench.belief import FocalSets
from credalbench.cluster import ECM, RECM, ActiveLearner, EKNNclus
from credalbench.cluster.testing.problem import X, fitted, results
from credalbench.core.arguments import (
    SEED,
    Array,
    Choice,
    Count,
    Flag,
    Instance,
    Number,
    PositiveInt,
    arguments_of,
    checked,
    expect,
    shown,
)
from tests.fuzzing.calls import refuses
from tests.test_estimators import CLASSES, ESTIMATORS, every_estimator, quick

# ---------------------------------------------------------------- kinds of values

OPTIONAL = Count() | None
WEIGHT = Choice("balanced") | Number(low=0)


@pytest.mark.parametrize(
    ("kind", "value", "read"),
    [
        (Count(), np.int8(3), 3),
        (Count(0), np.uint64(0), 0),
        (Count(1, 5, "n"), 5, 5),
        (OPTIONAL, None, None),
        (Number(), np.float32(0.5), 0.5),
        (Number(), Fraction(1, 4), 0.25),
        (Number(), 2, 2.0),
        (Number(), 2**70, 2.0**70),
        (Number(low=0, below=1), 0, 0.0),
        (Number(above=0, high=1), np.int64(1), 1.0),
        (Choice("one", "other"), np.str_("other"), "other"),
        (Flag(), np.bool_(True), True),
        (WEIGHT, np.float16(2), 2.0),
        (WEIGHT, "balanced", "balanced"),
        (SEED, 2**32 - 1, 2**32 - 1),
        (SEED, None, None),
    ],
)
def test_values_are_returned_as_python_objects(kind, value, read):
    found = kind.read("name", value)
    assert found == read
    assert type(found) is type(read)


GIVEN = np.zeros((2, 2), dtype=np.float32)


@pytest.mark.parametrize("value", [GIVEN, GIVEN.tolist(), tuple(GIVEN), range(2), []])
def test_arrays_are_returned_unchanged(value):
    assert Array().read("name", value) is value


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (Count(), True, "expected an integer name, got True"),
        (Count(), 2.0, "expected an integer name, got 2.0"),
        (Count(), np.array(2), "expected an integer name"),
        (Count(), 0, "expected 1 <= name, got 0"),
        (Count(), 2**70, "expected 1 <= name <= 2147483647, got 1180591620717411303424"),
        (Count(1, 4, "n_samples - 1"), np.int8(5), "expected 1 <= name <= n_samples - 1 = 4, got np.int8(5)"),
        (OPTIONAL, "two", "expected name to be an integer or None, got 'two'"),
        (OPTIONAL, 0, "expected 1 <= name, got 0"),
        (Number(), False, "expected a finite name, got False"),
        (Number(), 1j, "expected a finite name, got 1j"),
        (Number(), 10**400, "expected a finite name, got 1000"),
        (Number(low=-5), -(10**400), "expected a finite name >= -5, got -1000"),
        (Number(above=1), np.nan, "expected a finite name > 1, got nan"),
        (Number(above=1), 1, "expected a finite name > 1, got 1"),
        (Number(low=0), -1e-300, "expected a finite name >= 0, got -1e-300"),
        (Number(low=0, below=1), 1.0, "expected name < 1, got 1.0"),
        (Number(low=0, high=1), 1.5, "expected name <= 1, got 1.5"),
        (Choice("one", "other"), "two", "expected name to be one of ['one', 'other'], got 'two'"),
        (Choice("one", "other"), ["one"], "expected name to be one of"),
        (Choice("one", "other"), np.array("one"), "expected name to be one of"),
        (WEIGHT, "heavy", "expected name to be 'balanced' or a number, got 'heavy'"),
        (WEIGHT, -1, "expected a finite name >= 0, got -1"),
        (Flag(), 1, "expected name to be True or False, got 1"),
        (Flag(), "True", "expected name to be True or False, got 'True'"),
        (
            Instance(FocalSets) | Choice("full"),
            b"full",
            "expected name to be FocalSets or 'full', got b'full'",
        ),
        (Array(), "01", "expected name to be an array of numbers, got '01'"),
        (Array(), [[1.0], [1.0, 2.0]], "expected name to be an array of numbers, got [[1.0], [1.0, 2.0]]"),
        (Array(), [1j], "expected name to be an array of numbers"),
        (Array(), [True], "expected name to be an array of numbers"),
        (Array(), [2**70, 1], "expected name to be an array of numbers"),
        (SEED, -1, "expected 0 <= name <= 4294967295, got -1"),
        (SEED, 2**32, "expected 0 <= name <= 4294967295"),
        (SEED, True, "expected name to be an integer or RandomState or None, got True"),
    ],
)
def test_errors_name_the_expected_and_the_given_value(kind, value, message):
    with pytest.raises(ValueError) as refused:
        kind.read("name", value)
    assert str(refused.value).startswith(message)


class Secretive:
    def __repr__(self):
        raise RuntimeError("no comment")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a" * 10**6, f"'{'a' * 199}..."),
        (np.eye(2), "array([[1., 0.], [0., 1.]])"),
        (10**10_000, "an instance of int"),
        (Secretive(), "an instance of Secretive"),
    ],
    ids=["long", "array", "integer without digits", "without repr"],
)
def test_given_values_are_shown_on_one_line_and_truncated(value, text):
    assert shown(value) == text
    with pytest.raises(ValueError, match="expected something else, got "):
        expect(False, "something else", value)


# ---------------------------------------------------------------- declarations of estimators


class Untouchable:
    """Data that raise an error when they are used."""

    def __getattr__(self, name):
        raise AssertionError(f"{name} of the data was used first")


PARAMETERS = [
    pytest.param(cls, name, hint, id=f"{cls.__name__}-{name}")
    for cls in CLASSES
    for name, hint in get_type_hints(cls.__init__).items()
    if name != "return"
]
ODD = {
    "None": None,
    "True": True,
    "yes": "yes",
    "bytes": b"x",
    "list": [1],
    "array": np.array([1.0, 2.0, 3.0]),  # of neither the objects nor the columns
    "words": np.array(["euclidean", "random"]),
    "ragged": [[1], [1, 2]],
    "2**70": 2**70,
    "-2**70": -(2**70),
    "nan": np.nan,
    "inf": np.inf,
    "-inf": -np.inf,
    "complex": 1 + 1j,
    "object": object(),
    "dict": {},
    "set": {1, 2},
}


def legal(name: str, hint: object) -> bool:
    """Whether the hint of a parameter allows an odd value."""
    return {
        "None": type(None) in get_args(hint),
        "True": hint is bool,
        "2**70": float in (hint, *get_args(hint)),
        "list": bool({Sequence, Sequence[int]} & set(get_args(hint))),
    }.get(name, False)


@pytest.mark.parametrize("cls", CLASSES)
def test_every_parameter_is_declared_in_order_and_accepts_its_default(cls):
    parameters = inspect.signature(cls).parameters
    assert list(arguments_of(cls)) == list(parameters)
    for name, kind in arguments_of(cls).items():
        default = parameters[name].default
        assert kind.read(name, default) == default


@pytest.mark.parametrize(("cls", "name", "hint"), PARAMETERS)
def test_odd_values_are_refused_by_name(cls, name, hint):
    """The data are not used if the value itself is wrong, only if its shape is."""
    for what, value in ODD.items():
        data = Untouchable() if refuses(arguments_of(cls)[name], value) else X[:6]
        try:
            quick(cls, **{name: value}).fit(data)
        except ValueError as refused:
            assert name in str(refused), what
            assert str(refused).startswith("expected ") or name == "metric", what
        else:
            assert legal(what, hint), what


# ---------------------------------------------------------------- numbers of numpy


def with_numbers(estimator, integer, real):
    """A clone whose numbers are of these types; `max_iter` small enough for the narrowest."""
    model = clone(estimator)
    if "max_iter" in model.get_params():
        model.set_params(max_iter=5)
    types = {int: integer, float: real}
    given = {name: types[type(v)](v) for name, v in model.get_params().items() if type(v) in types}
    return model.set_params(**given)


INTEGERS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)


@every_estimator
def test_numbers_of_numpy_give_the_same_fit(estimator):
    """Also where their own arithmetic would overflow, or round."""
    single = with_numbers(estimator, int, lambda value: float(np.float16(value)))
    expected = results(fitted(single))
    for integer in INTEGERS:
        assert results(fitted(with_numbers(single, integer, np.float16))) == expected, integer


@pytest.mark.parametrize("cls", CLASSES)
def test_a_fit_leaves_the_arguments_as_they_were_given(cls):
    """It does so even if it fails, as scikit-learn requires for `clone`."""
    given = {"max_iter": np.int16(30), "tol": np.float32(0.25)}
    given = {name: value for name, value in given.items() if name in arguments_of(cls)}
    model = quick(cls, **given)
    for data in (X, [["no"], ["numbers"]]):
        try:
            model.fit(data)
        except ValueError:
            assert data is not X
        assert all(getattr(model, name) is value for name, value in given.items())


def test_kinds_are_read_from_hints():
    def argument(hint):
        class Thing:
            def __init__(self, size):
                pass

        Thing.__init__.__annotations__["size"] = hint
        return arguments_of(Thing)["size"]

    assert argument(PositiveInt) == Count()
    assert argument(bool).read("size", np.bool_(True)) is True
    for hint in (PositiveInt | None, Annotated[int | None, Count() | None], "PositiveInt | None"):
        assert [argument(hint).read("size", value) for value in (None, np.int8(3))] == [None, 3]
    for hint in (int, Annotated[int, "many"], PositiveInt | float, "int | None"):
        with pytest.raises(TypeError, match=r"expected an Annotated hint with a kind for Thing\.size"):
            argument(hint)


def test_methods_have_python_numbers_and_keep_their_signature():
    class Thing:
        def __init__(self, size: PositiveInt):
            self.size = size

        @checked
        def double(self, times, *, more=0):
            """Twice."""
            return times * self.size + more

    assert Thing(np.int8(100)).double(2, more=1) == 201
    assert list(inspect.signature(Thing.double).parameters) == ["self", "times", "more"]
    assert Thing.double.__doc__ == "Twice."
    with pytest.raises(ValueError, match="an integer size"):
        Thing("100").double(2)


FLAT = np.c_[X, np.ones(len(X))]
FAR_PAIRS = 10.0 * (np.arange(140)[:, None] // 2) + np.arange(140)[:, None] % 2


@pytest.mark.parametrize(
    ("estimator", "data"),
    [
        (ECM(metric="mahalanobis", random_state=0), FLAT),
        (GustafsonKessel(random_state=0), FLAT),
        (ConstrainedFuzzyCMeans(metric="mahalanobis", random_state=0), FLAT),
        (RECM(metric="manhattan", random_state=0), FLAT),
        (EKNNclus(n_neighbors=1, random_state=0), FAR_PAIRS),
    ],
    ids=lambda value: type(value).__name__,
)
def test_warnings_of_a_fit_name_the_line_that_called_it(estimator, data):
    with pytest.warns(UserWarning) as caught:
        estimator.fit(data)
    assert {remark.filename for remark in caught} == {__file__}


# ---------------------------------------------------------------- ranges, and the active learner


@pytest.mark.parametrize("cls", [ECM, RECM])
@pytest.mark.parametrize("alpha", [-100, 100])
@pytest.mark.parametrize("beta", [1 + 1e-9, 100])
def test_masses_are_finite_at_the_ends_of_the_exponents(cls, alpha, beta):
    for c, subsets in ((3, "full"), (9, "simple")):
        fit = cls(c, alpha=alpha, beta=beta, focal_sets=subsets, delta=3.0, max_iter=20, random_state=0).fit(
            X
        )
        assert np.isfinite(fit.partition_.masses).all()
        assert np.isfinite(fit.objective_trace_).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": None}, "strategy to be one of"),
        ({"second_object": ["any"]}, "second_object to be one of"),
        ({"warm_start": 1}, "warm_start to be True or False, got 1"),
        ({"warm_start": None}, "warm_start to be True or False"),
        ({"random_state": 2.5}, "random_state to be an integer or RandomState or None"),
        ({"random_state": -1}, "0 <= random_state"),
        ({"estimator": None}, "an estimator whose fit takes must_link"),
    ],
)
def test_the_active_learner_checks_arguments_before_it_uses_the_data(options, message):
    given = {"estimator": next(e for e in ESTIMATORS if type(e).__name__ == "CECM"), "X": Untouchable()}
    with pytest.raises(ValueError, match=message):
        ActiveLearner(**{**given, **options})

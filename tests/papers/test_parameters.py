"""Parameters are checked before work starts, wherever they come from."""

import json
from dataclasses import dataclass

import numpy as np
import pytest

from credalbench.papers import knob
from credalbench.papers.parameters import as_dict, coerce, parse, plain, resolve

from .toy_study import Parameters, experiment


def test_defaults_are_the_paper_profile_and_smoke_overrides_them():
    assert experiment.resolve("paper") == Parameters()
    assert experiment.resolve("smoke") == Parameters(n_runs=2, sizes=(4,))
    assert experiment.resolve("smoke", {"n_runs": 3}) == Parameters(n_runs=3, sizes=(4,))


def test_unknown_names_are_refused_with_a_suggestion():
    with pytest.raises(ValueError, match="unknown parameter 'n_run'; did you mean 'n_runs'"):
        experiment.resolve("paper", {"n_run": 3})
    with pytest.raises(ValueError, match="unknown profile 'smok'; did you mean 'smoke'"):
        experiment.resolve("smok")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("n_runs", "3", "expected int, got str '3'"),
        ("n_runs", 3.0, "expected int, got float 3.0"),
        ("n_runs", True, "expected int, got bool True"),
        ("scale", "2", "expected float, got str"),
        ("centre", 1, "expected bool, got int 1"),
        ("sizes", (5, "x"), "expected int, got str 'x'"),
        ("sizes", 5, r"expected tuple\[int, ...\], got int 5"),
    ],
)
def test_wrong_types_are_refused_with_expected_and_got(name, value, expected):
    with pytest.raises(TypeError, match=expected):
        experiment.resolve("paper", {name: value})


def test_values_outside_range_or_choices_are_refused():
    with pytest.raises(ValueError, match=r"'n_runs': expected a value in 1 to inf, got 0"):
        experiment.resolve("paper", {"n_runs": 0})
    with pytest.raises(ValueError, match=r"got 'othr'; did you mean 'other'"):
        experiment.resolve("paper", {"name": "othr"})


def test_numpy_scalars_integers_for_floats_and_lists_for_tuples_are_accepted():
    params = experiment.resolve("paper", {"n_runs": np.int64(4), "scale": 3, "sizes": [np.int32(7)]})
    assert params == Parameters(n_runs=4, scale=3.0, sizes=(7,))
    assert type(params.n_runs) is int and type(params.scale) is float
    json.dumps(as_dict(params))


def test_none_means_as_in_the_profile_unless_the_type_allows_none():
    @dataclass(frozen=True)
    class Optional:
        d0: float | None = knob(1.0, "scale")
        n: int = knob(2, "runs")

    assert resolve(Optional, {"n": 5}, {"n": None, "d0": None}) == Optional(d0=None, n=5)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("n_runs", "4", 4),
        ("scale", "3", 3.0),
        ("centre", "False", False),
        ("centre", "true", True),
        ("name", "other", "other"),
        ("sizes", "5,10", (5, 10)),
        ("sizes", "[5, 10]", (5, 10)),
        ("sizes", "(5,)", (5,)),
        ("fail", "", ()),
    ],
)
def test_typed_texts_of_the_command_line(name, text, value):
    assert parse(name, text, Parameters) == value


def test_unreadable_text_is_refused():
    with pytest.raises(TypeError, match="expected int, got 'many'"):
        parse("n_runs", "many", Parameters)


def test_plain_values_only():
    assert plain({"a": (np.float64(0.5), None, "x")}) == {"a": [0.5, None, "x"]}
    with pytest.raises(TypeError, match="expected a plain value"):
        plain(object())
    assert coerce("x", 1, int | str) == 1

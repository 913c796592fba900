"""Values of a saved state are held to the declarations of the sliders: none of them makes a page hang."""

import json

import numpy as np
import pytest
import traitlets as t

from tests.explore.declared import NAMES, model_class

#: Numbers far outside of every range, and values that are not numbers. JSON has all of them.
ODD = (
    1e308,
    -1e308,
    2**70,
    10**9,
    1e9,
    float("nan"),
    float("inf"),
    "5",
    "x" * 999,
    None,
    [1],
    {"a": 1},
    [[[]]],
)
LISTS = ("x", 5, [[0, 1]], [[1e308, 1e308]], [[10**9, 3, "must-link"]], [None] * 1000, {"a": 1}, [[[[]]]])


def numbers(Model):
    """Return the names and declarations of the parameters that are numbers."""
    return {
        name: one
        for name, one in Model.parameters().items()
        if isinstance(getattr(Model, name), t.Int | t.Float)
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_integer_has_a_largest_value(name):
    Model = model_class(name)
    for parameter_name, declared in numbers(Model).items():
        if isinstance(getattr(Model, parameter_name), t.Int):
            assert np.isfinite(min(declared.high, declared.most, declared.below)), parameter_name


@pytest.mark.parametrize("name", NAMES)
def test_odd_values_of_a_state_are_refused_and_change_nothing(name):
    model = model_class(name)()
    before = model.state()
    for parameter_name, declared in numbers(type(model)).items():
        for value in ODD:
            model.load_state(json.dumps({parameter_name: value}).encode())
            if model.state() == before:
                assert model.is_error or value == before[parameter_name], (parameter_name, value)
            else:
                declared.check(parameter_name, value)  # a large seed or distance, or no number of pairs
                model.load_state(json.dumps(before).encode())
                assert model.state() == before


@pytest.mark.parametrize("name", ["bpec", "cecm", "ecm", "evclus", "segmentation"])
def test_odd_lists_of_a_state_are_refused_and_change_nothing(name):
    model = model_class(name)()
    before = model.state()
    for parameter_name in {"links", "prototypes", "start", "strokes"} & {*model.parameters()}:
        for value in LISTS:
            model.load_state(json.dumps({parameter_name: value}).encode())
            assert model.is_error and model.state() == before, value

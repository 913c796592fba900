"""What a control shows of a value."""

import ipywidgets as w
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from credalbench.explore.view.controls import number, slider
from credalbench.explore.view.explorer_view import shown_value
from tests.explore.declared import open_explorer

SLIDERS = {
    "share": slider("ξ", "", 0, 0.99, 0.01),
    "count": slider("c", "", 2, 10),
    "tens": slider("prototypes", "", 10, 400, 10),
    "exponent": slider("α", "", -2, 5, 0.1),
    "logarithm": w.FloatLogSlider(min=-2, max=4, step=0.02),
}


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("share", 0.333, 0.33),
        ("share", -1.0, 0.0),
        ("share", 0.9999, 0.99),
        ("count", 7, 7),
        ("tens", 104, 100),
        ("tens", 1, 10),
        ("exponent", -0.14, -0.1),
        ("logarithm", 31.6, 10**1.5),
        ("logarithm", 0.0, 0.01),
        ("logarithm", 1e9, 1e4),
    ],
)
def test_slider_shows_the_nearest_step_in_its_range(name, value, shown):
    assert shown_value(SLIDERS[name], value) == pytest.approx(shown, rel=1e-12)  # rounding of a power of ten


@given(value=st.floats(-1e6, 1e6))
@example(value=0.995)
@example(value=2.05)
def test_law_what_a_slider_shows_it_shows_as_it_is(value):
    """So that a report of the shown value is never taken for a wish."""
    for control in SLIDERS.values():
        shown = shown_value(control, round(value) if isinstance(control, w.IntSlider) else value)
        assert shown_value(control, shown) == pytest.approx(shown, rel=1e-12)  # rounding of a power of ten
        control.value = shown
        assert control.value == shown  # within the range, of the right type


def test_number_field_shows_eight_digits_of_any_scale():
    field = number("δ", "Distance")
    assert shown_value(field, 10**1.6) == 39.810717
    assert shown_value(field, 1.23456789012e-9) == 1.2345679e-9


def test_other_controls_show_the_value():
    assert shown_value(w.Dropdown(options=["a"]), "a") == "a"
    assert shown_value(w.IntSlider(), None) is None


def test_a_value_of_a_slider_is_copied_as_the_decimal_that_it_stands_for():
    explorer = open_explorer("cecm", "two_class:24:2")
    explorer.controls["xi"].value = 0.060000000000000005  # as a browser computes it
    assert explorer.model.xi == 0.06
    explorer.controls["alpha"].value = 0.30000000000000004
    code = explorer.model.as_code()
    assert "alpha=0.3," in code and "0000000" not in code

"""T-norms: laws, formulas, limits of the parameters, and wrong arguments."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credalbench.belief.relations import T_NORMS, TNorm, t_norm
from tests.oracles import relations as literal

DEGREES = st.floats(0, 1)
#: Tiny, small, ordinary ones, and as near to 1.
GRID = np.unique(
    [0, 5e-324, 1.1e-308, 1e-300, 1e-100, 1e-16, 1e-8, 1e-3, *np.linspace(0, 1, 8)]
    + [1 - 1e-3, 1 - 1e-8, 1 - 1e-12, 1 - 1e-15, 1 - 2.0**-53]
)
PAIRS = np.meshgrid(GRID, GRID)
PARAMETERS = {
    "hamacher": (0.0, 1e-100, 1e-3, 0.5, 2.0, 1e100),
    "frank": (1e-100, 1e-3, 1 - 1e-12, 1 + 1e-12, 10.0, 1e100),
    "yager": (0.1, 0.5, 2.0, 25.0),
}
ALL = [
    *(TNorm(name) for name in T_NORMS[:3]),
    *(TNorm(name, p) for name, parameters in PARAMETERS.items() for p in parameters),
]
every_t_norm = pytest.mark.parametrize("T", ALL, ids=lambda T: f"{T.name} {T.parameter}")


def is_steep(T):
    """Infinitely steep at 1: there the rounding of a degree is worth more than that of T."""
    return T.name == "yager" and T.parameter < 1


@every_t_norm
def test_laws(T):
    a, b, c = np.meshgrid(GRID, GRID, GRID, indexing="ij")
    together = T(a, b)
    well_conditioned = np.ones(a.shape, dtype=bool)
    if is_steep(T):
        well_conditioned = np.all([(x < 0.9) | (x == 1) for x in (a, b, c)], axis=0)
    assert (T(a, 1.0) == a).all()
    assert (together == T(b, a)).all()
    assert (together >= 0).all()
    assert (together <= np.minimum(a, b)).all()
    assert (np.diff(together, axis=0) >= -1e-12).all()  # rounding
    gap = np.abs(T(together, c) - T(a, T(b, c)))
    assert gap[well_conditioned].max() < 1e-12  # rounding


@pytest.mark.parametrize(
    ("T", "formula"),
    [(TNorm(name), formula) for name, formula in literal.NAMED.items()]
    + [(TNorm("hamacher", 0), literal.hamacher(0.0))],
    ids=[*literal.NAMED, "hamacher"],
)
def test_the_three_of_the_paper_and_hamachers_product_follow_their_formulas(T, formula):
    np.testing.assert_allclose(T(*PAIRS), formula(*PAIRS), rtol=0, atol=1e-15)  # rounding


@given(st.sampled_from([*literal.PARAMETRIC]), DEGREES, DEGREES, st.sampled_from([0.5, 0.9, 1.1, 2.0, 5.0]))
def test_t_norms_with_a_parameter_follow_their_formulas(name, a, b, p):
    expected = literal.PARAMETRIC[name](p)(a, b)
    assert TNorm(name, p)(a, b) == pytest.approx(float(expected), abs=1e-13)  # rounding of the formulas


@pytest.mark.parametrize(
    ("name", "parameter", "limit"),
    [
        ("hamacher", 1, "product"),
        ("frank", 0, "minimum"),
        ("frank", 1.0, "product"),
        ("frank", math.inf, "lukasiewicz"),
        ("yager", 1, "lukasiewicz"),
        ("yager", np.float32(np.inf), "minimum"),
    ],
)
def test_limits_of_the_parameters_are_exact(name, parameter, limit):
    T = TNorm(name, parameter)
    assert (T.name, T.kind) == (name, limit)
    np.testing.assert_array_equal(T(*PAIRS), TNorm(limit)(*PAIRS))


@pytest.mark.parametrize(
    ("name", "near", "limit", "gap"),
    [
        ("hamacher", 1e-100, ("hamacher", 0), 1e-12),
        ("hamacher", 1 + 1e-9, ("product",), 1e-8),
        ("frank", 1e-100, ("minimum",), 0.01),  # log 2 over log p: slow
        ("frank", 1 + 1e-9, ("product",), 1e-8),
        ("frank", 1e100, ("lukasiewicz",), 0.01),
        ("yager", 1 + 1e-9, ("lukasiewicz",), 1e-8),
        ("yager", 25, ("minimum",), 0.03),
    ],
)
def test_limits_of_the_parameters_are_limits(name, near, limit, gap):
    np.testing.assert_allclose(TNorm(name, near)(*PAIRS), TNorm(*limit)(*PAIRS), rtol=0, atol=gap)


@pytest.mark.parametrize("T", ALL[1:], ids=lambda T: f"{T.name} {T.parameter}")  # without the minimum
def test_lengths_lead_back_to_degrees(T):
    lengths = T.lengths(GRID)
    assert (lengths >= 0).all()
    assert (lengths[1:] <= lengths[:-1]).all()
    # (1 - a)^25 vanishes near 1: Yager
    np.testing.assert_allclose(T.degrees(lengths), GRID, rtol=0, atol=1e-12)


def test_a_given_function():
    T = t_norm(np.minimum)
    assert (T.name, T.kind) == ("minimum", "function")
    np.testing.assert_array_equal(T([0.5, 0.2], 0.3), [0.3, 0.2])
    assert t_norm(T) is T
    assert t_norm("frank", 3) == TNorm("frank", 3.0)


def geometric(a, b):
    return np.sqrt(a * b)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (np.maximum, r"T\(a, 1\) = a"),
        (lambda a, b: a * b**2, r"T\(a, b\) = T\(b, a\)"),
        (lambda a, b: np.where((a < 1) & (b < 1), np.abs(a + b - 1) / 2, a * b), "T increasing in a"),
        (lambda a, b: a * b * (1 + (1 - a) * (1 - b)), r"T\(T\(a, b\), c\) = T\(a, T\(b, c\)\)"),
        (lambda a, b: np.full(np.shape(a), np.nan), r"T\(a, 1\) = a"),
        (lambda a, b: 0.5, r"shape \(6, 6, 6\)"),
        (len, "TypeError: len"),
        (geometric, r"T\(a, 1\) = a"),
    ],
)
def test_other_functions_are_refused_by_the_law_that_they_violate(function, message):
    with pytest.raises(ValueError, match="expected .*" + message):
        t_norm(function)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("median",), r"one of the t-norms \['minimum', 'product'.*'median'"),
        ((3,), "one of the t-norms .*got 3"),
        (("product", 0.5), "no parameter for the t-norm 'product', got 0.5"),
        (("frank",), "'frank' from 1e-100 to 1e\\+100, or one of 0, 1, inf, got None"),
        (("frank", -1.0), "'frank' from"),
        (("frank", np.nan), "'frank' from"),
        (("frank", True), "'frank' from"),
        (("hamacher", np.inf), "'hamacher' from 1e-100 to 1e\\+100, or one of 0, 1"),
        (("yager", 0), "'yager' from 0.1 to 25, or one of 1, inf"),
        (("yager", 10**400 * -1), "'yager' from"),
        ((np.minimum, 2.0), "no parameter with a function"),
        ((TNorm("product"), 2.0), "no parameter with a TNorm"),
    ],
)
def test_unknown_names_and_wrong_parameters_are_refused(arguments, message):
    with pytest.raises(ValueError, match=f"expected .*{message}"):
        t_norm(*arguments)

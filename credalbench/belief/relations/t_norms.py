"""Triangular norms: the degree of a path of two links with given degrees.

A t-norm T on [0, 1] is commutative, associative and monotone, with T(a, 1) = a. The module contains the three
t-norms of the ensemble paper and three families with a parameter that connect them. It also accepts any
function of two arrays [klement2000].

==============  =================================================  ======================================
name            T(a, b)                                            parameter p
==============  =================================================  ======================================
"minimum"       min(a, b)                                          none
"product"       a b                                                none
"lukasiewicz"   max(0, a + b - 1)                                  none
"hamacher"      a b / (p + (1 - p)(a + b - a b))                   0 or more; 1: product
"frank"         log_p(1 + (p^a - 1)(p^b - 1) / (p - 1))            0 or more; 0: minimum, 1: product,
                                                                   infinite: Łukasiewicz
"yager"         max(0, 1 - ((1 - a)^p + (1 - b)^p)^(1/p))          above 0; 1: Łukasiewicz,
                                                                   infinite: minimum
==============  =================================================  ======================================

All but the minimum have an additive *generator*: a decreasing f with f(1) = 0 such that T(a, b) = f^{-1}(f(a)
+ f(b)), or 0 if that sum exceeds f(0). It turns a degree into a length, and the strongest path into the
shortest one (``closure.py``). T-norms with a parameter are also computed by their generators, since the
formulas of the table lose all digits near the ends of the parameter range.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from credalbench.core.arguments import Number, as_float, as_floats, expect

T_NORMS = ("minimum", "product", "lukasiewicz", "hamacher", "frank", "yager")
GRID = np.linspace(0.0, 1.0, 6)  # degrees on which the laws of a given function are checked
LAW_TOLERANCE = 1e-9  # of a given function; the rounding of formulas is far smaller


class ParameterRange(NamedTuple):
    """Range of the parameter of a t-norm.

    From `low` to `high` the generator keeps twelve digits; the `limits` outside are exact, and each equals
    the t-norm that it names.
    """

    low: float
    high: float
    limits: dict[float, str]

    def read(self, name: str, parameter: object) -> float:
        """Return the parameter of the t-norm `name` as a float; raise a ValueError if it is out of range."""
        limits = ", ".join(f"{value:g}" for value in self.limits)
        values = f"from {self.low:g} to {self.high:g}, or one of {limits}"
        allowed = f"a parameter of the t-norm {name!r} {values}"
        expect(Number().accepts(parameter), allowed, parameter)
        value = as_float(parameter)
        expect(self.low <= value <= self.high or value in self.limits, allowed, parameter)
        return value


PARAMETER_RANGES = {
    "hamacher": ParameterRange(1e-100, 1e100, {0.0: "hamacher", 1.0: "product"}),
    "frank": ParameterRange(1e-100, 1e100, {0.0: "minimum", 1.0: "product", math.inf: "lukasiewicz"}),
    "yager": ParameterRange(0.1, 25.0, {1.0: "lukasiewicz", math.inf: "minimum"}),
}


@dataclass(frozen=True)
class TNorm:
    """A t-norm: call it with two arrays of degrees in [0, 1].

    Parameters
    ----------
    name : str
        One of `T_NORMS`, or the name of a given function.
    parameter : float, optional
        Parameter of a t-norm that has one.
    function : callable, optional
        The t-norm itself, a function of two arrays that broadcast. The constructor checks its laws on a few
        degrees.

    Raises
    ------
    ValueError
        If there is no such name; if the parameter is missing, out of range or not allowed; or if the function
        violates a law of t-norms.

    References
    ----------
    [klement2000]

    Examples
    --------
    >>> float(TNorm("lukasiewicz")(0.75, 0.5)), float(TNorm("hamacher", 0.0)(0.5, 0.5))
    (0.25, 0.3333333333333333)
    """

    name: str
    parameter: float | None = None
    function: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None

    def __post_init__(self) -> None:
        if self.function is not None:
            expect(self.parameter is None, "no parameter with a function", self.parameter)
            expect_laws(self.function)
            return
        known = isinstance(self.name, str) and self.name in T_NORMS
        expect(known, f"one of the t-norms {list(T_NORMS)}, or a function", self.name)
        if self.name in PARAMETER_RANGES:
            read = PARAMETER_RANGES[self.name].read(self.name, self.parameter)
            object.__setattr__(self, "parameter", read)
        else:
            expect(self.parameter is None, f"no parameter for the t-norm {self.name!r}", self.parameter)

    @property
    def kind(self) -> str:
        """Name of the t-norm, or of the one that it equals at this parameter; "function" for a function."""
        if self.function is not None:
            return "function"
        limits = PARAMETER_RANGES[self.name].limits if self.name in PARAMETER_RANGES else {}
        return limits.get(self.parameter, self.name)

    def __call__(self, a: ArrayLike, b: ArrayLike) -> np.ndarray:
        """Return T(a, b), elementwise, for degrees in [0, 1] of shapes that broadcast."""
        a, b = as_floats("degrees", a), as_floats("degrees", b)
        low, high = np.minimum(a, b), np.maximum(a, b)
        match self.kind:
            case "function":
                return np.asarray(self.function(a, b), dtype=float)
            case "minimum":
                return low
            case "product":
                return a * b
            case "lukasiewicz":
                return np.maximum(low - (1.0 - high), 0.0)  # in this order exactly `low` if `high` is 1
        with np.errstate(over="ignore"):
            together = self.degrees(self.lengths(a) + self.lengths(b))
        return np.where(high == 1.0, low, np.minimum(together, low))

    def lengths(self, degrees: np.ndarray) -> np.ndarray:
        """Compute the generator f of degrees.

        Parameters
        ----------
        degrees : array
            In [0, 1].

        Returns
        -------
        array of the same shape
            0 where the degree is 1; infinite at 0 except for "lukasiewicz" and "yager".
        """
        with np.errstate(divide="ignore", over="ignore"):
            f = GENERATORS[self.kind].forward(degrees, self.parameter)
        return np.where(degrees == 1.0, 0.0, np.maximum(f, 0.0))

    def degrees(self, lengths: np.ndarray) -> np.ndarray:
        """Compute degrees from lengths by the inverse of the generator.

        Parameters
        ----------
        lengths : array
            Lengths, or sums of lengths.

        Returns
        -------
        array of the same shape
            In [0, 1].
        """
        with np.errstate(over="ignore"):
            return np.clip(GENERATORS[self.kind].back(lengths, self.parameter), 0.0, 1.0)


def t_norm(norm: str | TNorm | Callable, parameter: float | None = None) -> TNorm:
    """Return the t-norm for an argument: a name, a function or a t-norm.

    Parameters
    ----------
    norm : str, TNorm or callable
        One of `T_NORMS`, or a function of two arrays of degrees.
    parameter : float, optional
        Parameter of a t-norm that has one; None for all others.

    Returns
    -------
    TNorm
        The argument itself if it is a t-norm.

    Raises
    ------
    ValueError
        As in `TNorm`.

    Examples
    --------
    >>> t_norm("frank", 0.0).kind
    'minimum'
    """
    if isinstance(norm, TNorm):
        expect(parameter is None, "no parameter with a TNorm, which has its own", parameter)
        return norm
    if callable(norm):
        return TNorm(getattr(norm, "__name__", type(norm).__name__), parameter, norm)
    return TNorm(norm, parameter)


def expect_laws(function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
    """Raise a ValueError unless a function satisfies the laws of t-norms on a grid of degrees.

    The message gives the violated law and the size of the violation, or the error of the function.
    """
    a, b, c = np.meshgrid(GRID, GRID, GRID, indexing="ij")
    try:
        T = np.asarray(function(a, b), dtype=float)
        swapped, left, right = (
            np.asarray(function(*pair), dtype=float) for pair in ((b, a), (T, c), (a, function(b, c)))
        )
    except Exception as error:  # any error of the function
        cause = f"{type(error).__name__}: {error}"
        raise ValueError(f"expected a t-norm that takes two arrays of degrees, got {cause}") from error
    shapes = {array.shape for array in (T, swapped, left, right)}
    expect(shapes == {a.shape}, f"a t-norm whose values have the shape {a.shape} of both arguments", shapes)
    laws = {
        "T(a, 1) = a": np.abs(T - a)[:, -1],
        "T(a, b) = T(b, a)": np.abs(T - swapped),
        "T increasing in a": np.maximum(-np.diff(T, axis=0), 0.0),
        "T(T(a, b), c) = T(a, T(b, c))": np.abs(left - right),
    }
    for law, violation in laws.items():
        worst = np.max(violation)
        expect(worst <= LAW_TOLERANCE, f"a t-norm with {law}", f"a difference of {worst:.3g}")


# ---------------------------------------------------------------- generators, of degrees x and parameter p


class Generator(NamedTuple):
    """A decreasing f with f(1) = 0, and its inverse, which accepts sums of values."""

    forward: Callable[[np.ndarray, float | None], np.ndarray]
    back: Callable[[np.ndarray, float | None], np.ndarray]


def _hamacher(x: np.ndarray, p: float) -> np.ndarray:
    odds = (1.0 - x) / x
    return odds if p == 0 else np.log1p(p * odds)


def _hamacher_back(s: np.ndarray, p: float) -> np.ndarray:
    return 1.0 / (1.0 + (s if p == 0 else np.expm1(s) / p))


def _frank(x: np.ndarray, p: float) -> np.ndarray:
    """Compute -log of the share (p^x - 1) / (p - 1), from its difference to 1 if the share is near 1."""
    share = np.expm1(x * np.log(p)) / (p - 1.0)
    missing = p * np.expm1((x - 1.0) * np.log(p)) / (1.0 - p)
    return np.where(share < 0.5, -np.log(share), -np.log1p(-np.minimum(missing, 0.75)))


def _frank_back(s: np.ndarray, p: float) -> np.ndarray:
    if p < 1:
        return 1.0 + np.log1p((p - 1.0) / p * np.expm1(-s)) / np.log(p)
    return np.log1p((p - 1.0) * np.exp(-s)) / np.log(p)


GENERATORS = {
    "product": Generator(lambda x, p: -np.log(x), lambda s, p: np.exp(-s)),
    "lukasiewicz": Generator(lambda x, p: 1.0 - x, lambda s, p: 1.0 - s),
    "hamacher": Generator(_hamacher, _hamacher_back),
    "frank": Generator(_frank, _frank_back),
    "yager": Generator(lambda x, p: (1.0 - x) ** p, lambda s, p: 1.0 - s ** (1.0 / p)),
}

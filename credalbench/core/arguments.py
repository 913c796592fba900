"""Declaration and validation of arguments.

A kind of value (`Count`, `Number`, `Choice`, ...) accepts some values, raises an error that names the
argument for others, and returns Python numbers, since arithmetic on a ``numpy.int8`` overflows. An estimator
declares the kinds in the hints of its constructor, ``tol: Annotated[float, Number(low=0)] = 1e-3``, and
decorates each method that reads its arguments with `checked`. Functions read their arguments one by one.
`expect` checks conditions on several arguments, or on the data.

Booleans are not numbers, and numbers are not booleans. (The parameter constraints of scikit-learn are private
and accept True as an integer.)
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import signature
from numbers import Integral, Real
from typing import Annotated, get_args, get_type_hints

import numpy as np

MOST = 2**31 - 1  # largest count
LARGEST = 1e100  # largest number whose square is summed
SHOWN = 200  # at most this many characters of a value in a message


def expect(condition: bool, what: str, got: object) -> None:
    """Raise a ValueError with the expected and the given value, unless `condition` holds."""
    if not condition:
        raise ValueError(f"expected {what}, got {shown(got)}")


def shown(value: object) -> str:
    """Return the `repr` of a value on one line, truncated if it is long."""
    try:
        text = re.sub(r"\s*\n\s*", " ", repr(value))
    except Exception:  # any error; also, an integer of thousands of digits has no repr
        text = f"an instance of {type(value).__name__}"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def are_blocks(X: object) -> bool:
    """Return whether data of any type are in blocks (see ``blocks.py``), without importing anything."""
    if isinstance(X, np.ndarray):
        return isinstance(X, np.memmap) and X.ndim == 2
    of_dask = type(X).__module__.split(".")[0] in ("dask", "dask_expr") and hasattr(X, "to_delayed")
    return of_dask or (callable(X) and not hasattr(X, "__array__"))


def expect_in_memory(X: object) -> None:
    """Raise an error for data in blocks, except memory maps, which are also arrays.

    Raises
    ------
    ValueError
        The message gives a remedy.
    """
    if are_blocks(X) and not isinstance(X, np.ndarray):
        raise ValueError(
            f"expected X in memory, got data in blocks ({type(X).__name__}), which only ECM, EGMM, CatECM "
            "and predict_partition accept. Fit some of the objects, then call predict_partition on all"
        )


# ---------------------------------------------------------------- kinds of values


class Kind:
    """Kind of an argument; `|` joins alternatives, one of which may be None."""

    noun = "a value"

    def accepts(self, value: object) -> bool:
        """Return whether `value` is of this kind, even if it is out of range."""
        raise NotImplementedError

    def read(self, name: str, value: object) -> object:
        """Return the `value` of the argument `name` as a Python object, or raise a ValueError."""
        expect(self.accepts(value), f"{name} to be {self.noun}", value)
        return value

    def __or__(self, other: Kind | None) -> Either:
        return Either(self, Instance(type(None), noun="None") if other is None else other)


class Either(Kind):
    """Any of several kinds; the first that accepts a value reads it."""

    def __init__(self, *kinds: Kind) -> None:
        self.kinds = kinds
        self.noun = " or ".join(kind.noun for kind in kinds)

    def accepts(self, value: object) -> bool:
        return any(kind.accepts(value) for kind in self.kinds)

    def read(self, name: str, value: object) -> object:
        for kind in self.kinds:
            if kind.accepts(value):
                return kind.read(name, value)
        return super().read(name, value)


@dataclass(frozen=True)
class Count(Kind):
    """An integer in low..high, of any type except bool; `high_name` is the meaning of the upper bound."""

    low: int = 1
    high: int = MOST
    high_name: str = ""
    noun = "an integer"

    def accepts(self, value: object) -> bool:
        return isinstance(value, Integral) and not isinstance(value, bool)

    def read(self, name: str, value: object) -> int:
        expect(self.accepts(value), f"an integer {name}", value)
        number = int(value)
        bound = f"{self.high_name} = {self.high}" if self.high_name else self.high
        most = f" <= {bound}" if self.high != MOST or number > MOST else ""
        expect(self.low <= number <= self.high, f"{self.low} <= {name}{most}", value)
        return number


@dataclass(frozen=True)
class Number(Kind):
    """A finite real number: at least `low`, at most `high`, greater than `above`, less than `below`."""

    low: float = -math.inf
    high: float = math.inf
    above: float = -math.inf
    below: float = math.inf
    noun = "a number"

    def accepts(self, value: object) -> bool:
        return isinstance(value, Real) and not isinstance(value, bool)

    def read(self, name: str, value: object) -> float:
        number = as_float(value) if self.accepts(value) else math.nan
        least = f" >= {self.low}" if self.low > -math.inf else f" > {self.above}" * (self.above > -math.inf)
        large_enough = number >= self.low and number > self.above
        expect(math.isfinite(number) and large_enough, f"a finite {name}{least}", value)
        most = f"< {self.below}" if self.below < math.inf else f"<= {self.high}"
        expect(number <= self.high and number < self.below, f"{name} {most}", value)
        return number


def as_float(value: Real) -> float:
    """Return the nearest float, or infinity beyond the range of floats."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


class Choice(Kind):
    """One of a few words."""

    def __init__(self, *words: str) -> None:
        self.words = words
        self.noun = f"one of {list(words)}" if len(words) > 1 else repr(words[0])

    def accepts(self, value: object) -> bool:
        return isinstance(value, str) and value in self.words

    def read(self, name: str, value: object) -> str:
        return str(super().read(name, value))


class Flag(Kind):
    """True or False, of Python or numpy."""

    noun = "True or False"

    def accepts(self, value: object) -> bool:
        return isinstance(value, bool | np.bool_)

    def read(self, name: str, value: object) -> bool:
        return bool(super().read(name, value))


class Instance(Kind):
    """An object of one of several types."""

    def __init__(self, *types: type, noun: str = "") -> None:
        self.types = types
        self.noun = noun or " or ".join(one.__name__ for one in types)

    def accepts(self, value: object) -> bool:
        return isinstance(value, self.types)


class Table(Kind):
    """Values of any type in an array, or in an object that becomes one; returned unchanged."""

    noun = "a table"

    def accepts(self, value: object) -> bool:
        return hasattr(value, "__array__") or (
            isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)
        )


class Array(Table):
    """Real numbers in an array, or in an object that becomes one; returned unchanged, of any shape."""

    noun = "an array of numbers"

    def read(self, name: str, value: object) -> object:
        value = super().read(name, value)
        try:
            array = np.asarray(value)
        except ValueError:  # rows of different lengths
            array = np.empty(0, dtype=object)
        expect(array.dtype.kind in "iuf", f"{name} to be {self.noun}", value)
        return value


#: Arguments from which scikit-learn makes a generator of random numbers.
SEED = Count(0, 2**32 - 1) | Instance(np.random.RandomState) | None

# Hints of arguments that many constructors have.
PositiveInt = Annotated[int, Count()]
NonNegativeInt = Annotated[int, Count(0)]
PositiveFloat = Annotated[float, Number(above=0)]
LENGTH = Number(above=1 / LARGEST, below=LARGEST)  # in the units of data
PositiveLength = Annotated[float, LENGTH]
NonNegativeFloat = Annotated[float, Number(low=0)]
JobCount = Annotated[int, Count(-MOST, MOST)]
Seed = Annotated[int | np.random.RandomState | None, SEED]


# ---------------------------------------------------------------- arguments of a constructor


@functools.cache
def arguments_of(cls: type) -> dict[str, Kind]:
    """Return the kind of each argument of a constructor, from its hints.

    A hint is ``Annotated[type, kind]``, ``bool``, or one of these ``| None``; others raise a TypeError.
    """
    hints = get_type_hints(cls.__init__, include_extras=True)
    return {name: _kind_of(hints.get(name), f"{cls.__name__}.{name}") for name in signature(cls).parameters}


def _kind_of(hint: object, name: str) -> Kind:
    if hint is bool:
        return Flag()
    kinds = [kind for kind in getattr(hint, "__metadata__", ()) if isinstance(kind, Kind)]
    if kinds:
        return kinds[0]
    alternatives = [other for other in get_args(hint) if other is not type(None)]
    if len(alternatives) != 1:
        raise TypeError(f"expected an Annotated hint with a kind for {name}, got {hint!r}")
    return _kind_of(alternatives[0], name) | None


def checked(method: Callable) -> Callable:
    """Decorate a method: check the arguments of the constructor before it runs.

    While the method runs, the attributes hold the values that were read, as Python numbers. Afterwards they
    hold the given values again, as `clone` and `get_params` of scikit-learn require.
    """

    @functools.wraps(method)
    def with_arguments(estimator: object, *args: object, **kwargs: object) -> object:
        kinds = arguments_of(type(estimator))
        given = {name: getattr(estimator, name) for name in kinds}
        read = {name: kind.read(name, given[name]) for name, kind in kinds.items()}
        vars(estimator).update(read)
        try:
            return method(estimator, *args, **kwargs)
        finally:
            vars(estimator).update(given)

    return with_arguments


# ---------------------------------------------------------------- arguments of functions


def expect_count(name: str, value: object, low: int, high: int = MOST, high_name: str = "") -> int:
    """Return an integer in low..high or raise a ValueError; `high_name` is the meaning of the upper bound."""
    return Count(low, high, high_name).read(name, value)


def expect_instance(name: str, value: object, *types: type) -> None:
    """Raise a ValueError unless `value` has one of the types."""
    Instance(*types).read(name, value)


def as_array(name: str, values: object) -> np.ndarray:
    """Return `values` as an array; raise a ValueError for lists of different lengths."""
    try:
        return np.asarray(values)
    except ValueError:
        raise ValueError(f"expected {name} as an array, got lists of different lengths") from None


def as_floats(name: str, values: object) -> np.ndarray:
    """Return `values` as floats; raise a ValueError for complex ones, since numpy drops imaginary parts."""
    try:
        array = np.asarray(values)
        floats = array if array.dtype.kind == "c" else array.astype(float, copy=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"expected real numbers in {name}, got {shown(values)}") from error
    expect(array.dtype.kind != "c", f"real numbers in {name}", array.dtype)
    return floats


def expect_partners(partners: np.ndarray, n: int) -> None:
    """Raise a ValueError unless `partners` (n, k) holds k >= 1 other objects for each object, as integers."""
    right = partners.ndim == 2 and len(partners) == n and partners.shape[1] >= 1
    expect(right, f"partners of shape ({n}, k) with k >= 1", partners.shape)
    expect(partners.dtype.kind in "iu", "partners to be integers", partners.dtype)
    low, high = int(partners.min()), int(partners.max())
    expect(low >= 0 and high < n, f"partners in 0..{n - 1}", (low, high))
    itself = (partners == np.arange(n)[:, None]).any(axis=1)
    expect(not itself.any(), "partners other than the object itself", f"object {itself.argmax()}")

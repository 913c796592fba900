"""What arguments may be, declared beside a signature and checked before any work starts.

A kind of value (`Count`, `Number`, `Choice`, ...) says what it takes, refuses the rest by name, and hands on
Python's own numbers, whatever their type was: arithmetic on a ``numpy.int8`` overflows. Estimators declare
their constructor's arguments as ``_arguments``, and whatever reads them is `checked`; functions read theirs
one by one. What depends on several arguments, or on the data, is left to `expect`.

Booleans are no numbers here, and numbers no booleans. (scikit-learn's parameter constraints, private ones,
count True as an integer.)
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np

MOST = 2**31 - 1  # of anything that is counted
SHOWN = 200  # characters of what came that are shown


def expect(condition: bool, what: str, got: object) -> None:
    """Raise a ValueError that names what was expected and what came, unless `condition` holds."""
    if not condition:
        raise ValueError(f"expected {what}, got {shown(got)}")


def shown(value: object) -> str:
    """The `repr` of a value on one line, cut where it is long."""
    try:
        text = re.sub(r"\s*\n\s*", " ", repr(value))
    except Exception:  # whatever it raises: an integer of thousands of digits has no repr, either
        text = f"an instance of {type(value).__name__}"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


# ---------------------------------------------------------------- kinds of values


class Kind:
    """What an argument may be; `|` joins alternatives, of which None may be one."""

    noun = "a value"

    def takes(self, value: object) -> bool:
        """Whether `value` is of this kind, in range or not."""
        raise NotImplementedError

    def read(self, name: str, value: object) -> object:
        """The `value` of the argument `name`, as Python's own; a ValueError names what was expected."""
        expect(self.takes(value), f"{name} to be {self.noun}", value)
        return value

    def __or__(self, other: Kind | None) -> Either:
        return Either(self, Instance(type(None), noun="None") if other is None else other)


class Either(Kind):
    """Any of several kinds; the first that takes a value reads it."""

    def __init__(self, *kinds: Kind) -> None:
        self.kinds = kinds
        self.noun = " or ".join(kind.noun for kind in kinds)

    def takes(self, value: object) -> bool:
        return any(kind.takes(value) for kind in self.kinds)

    def read(self, name: str, value: object) -> object:
        for kind in self.kinds:
            if kind.takes(value):
                return kind.read(name, value)
        return super().read(name, value)


@dataclass(frozen=True)
class Count(Kind):
    """An integer in low..high, of any type but bool; `high_name` says what the upper bound stands for."""

    low: int = 1
    high: int = MOST
    high_name: str = ""
    noun = "an integer"

    def takes(self, value: object) -> bool:
        return isinstance(value, Integral) and not isinstance(value, bool)

    def read(self, name: str, value: object) -> int:
        expect(self.takes(value), f"an integer {name}", value)
        number = int(value)
        bound = f"{self.high_name} = {self.high}" if self.high_name else self.high
        most = f" <= {bound}" if self.high != MOST or number > MOST else ""
        expect(self.low <= number <= self.high, f"{self.low} <= {name}{most}", value)
        return number


@dataclass(frozen=True)
class Number(Kind):
    """A finite real number: at least `low`, at most `high`, beyond `above`, short of `below`."""

    low: float = -math.inf
    high: float = math.inf
    above: float = -math.inf
    below: float = math.inf
    noun = "a number"

    def takes(self, value: object) -> bool:
        return isinstance(value, Real) and not isinstance(value, bool)

    def read(self, name: str, value: object) -> float:
        number = as_float(value) if self.takes(value) else math.nan
        least = f" >= {self.low}" if self.low > -math.inf else f" > {self.above}" * (self.above > -math.inf)
        large_enough = number >= self.low and number > self.above
        expect(math.isfinite(number) and large_enough, f"a finite {name}{least}", value)
        most = f"< {self.below}" if self.below < math.inf else f"<= {self.high}"
        expect(number <= self.high and number < self.below, f"{name} {most}", value)
        return number


def as_float(value: Real) -> float:
    """The nearest float; an infinite one for what is beyond the range of floats."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


class Choice(Kind):
    """One of a few words."""

    def __init__(self, *words: str) -> None:
        self.words = words
        self.noun = f"one of {list(words)}" if len(words) > 1 else repr(words[0])

    def takes(self, value: object) -> bool:
        return isinstance(value, str) and value in self.words

    def read(self, name: str, value: object) -> str:
        return str(super().read(name, value))


class Flag(Kind):
    """True or False, Python's or numpy's."""

    noun = "True or False"

    def takes(self, value: object) -> bool:
        return isinstance(value, bool | np.bool_)

    def read(self, name: str, value: object) -> bool:
        return bool(super().read(name, value))


class Instance(Kind):
    """An object of one of several types."""

    def __init__(self, *types: type, noun: str = "") -> None:
        self.types = types
        self.noun = noun or " or ".join(one.__name__ for one in types)

    def takes(self, value: object) -> bool:
        return isinstance(value, self.types)


class Table(Kind):
    """Values of any type in an array, or in what becomes one; handed on as it is."""

    noun = "a table"

    def takes(self, value: object) -> bool:
        return hasattr(value, "__array__") or (
            isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)
        )


class Array(Table):
    """Real numbers in an array, or in what becomes one; its shape is left to `expect`. Handed on as it is."""

    noun = "an array of numbers"

    def read(self, name: str, value: object) -> object:
        value = super().read(name, value)
        try:
            array = np.asarray(value)
        except ValueError:  # rows of different lengths
            array = np.empty(0, dtype=object)
        expect(array.dtype.kind in "iuf", f"{name} to be {self.noun}", value)
        return value


#: What scikit-learn makes a generator of random numbers of.
SEED = Count(0, 2**32 - 1) | Instance(np.random.RandomState) | None


# ---------------------------------------------------------------- arguments of a constructor


def declared(**kinds: Kind) -> dict[str, Kind]:
    """The arguments of an estimator's constructor: a kind for each name."""
    return kinds


def checked(method: Callable) -> Callable:
    """Decorate a method that reads the constructor's arguments, declared as ``_arguments``.

    They are checked before anything else. While the method runs, the attributes hold what was read, Python's
    own numbers; afterwards what was given, as scikit-learn's `clone` and `get_params` ask for.
    """

    @functools.wraps(method)
    def with_arguments(estimator: object, *args: object, **kwargs: object) -> object:
        given = {name: getattr(estimator, name) for name in estimator._arguments}
        read = {name: kind.read(name, given[name]) for name, kind in estimator._arguments.items()}
        vars(estimator).update(read)
        try:
            return method(estimator, *args, **kwargs)
        finally:
            vars(estimator).update(given)

    return with_arguments


# ---------------------------------------------------------------- arguments of functions


def expect_count(name: str, value: object, low: int, high: int = MOST, high_name: str = "") -> int:
    """Refuse a `value` that is no integer in low..high; `high_name` says what the upper bound stands for."""
    return Count(low, high, high_name).read(name, value)

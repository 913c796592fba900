"""Parameters of a study: a frozen dataclass of plain values, checked before any work starts.

The defaults are the paper's values. All overrides (of a notebook, papermill, the command line, a test) pass
through :func:`resolve`, which rejects a misspelt name or a wrong type, with a suggestion.
"""

import dataclasses
import difflib
import json
import math
import numbers
import types
import typing
from collections.abc import Iterable, Mapping
from typing import Any


def knob(
    default: Any,
    help: str,
    *,
    choices: tuple | None = None,
    low: float | None = None,
    high: float | None = None,
) -> Any:
    """Declare a parameter: a dataclass field with its help, and optionally its legal values or its range.

    Parameters
    ----------
    default : object
        The paper's value.
    help : str
        What it is, with the page or equation of the paper.
    choices : tuple, optional
        The legal values.
    low, high : float, optional
        The closed range of legal values.

    Returns
    -------
    dataclasses.Field
        The field of the parameters' class.

    Examples
    --------
    >>> import dataclasses
    >>> from credalbench.papers import knob
    >>> @dataclasses.dataclass(frozen=True)
    ... class Parameters:
    ...     n_runs: int = knob(20, "random starts per optimiser (section 4.1)", low=1)
    """
    return dataclasses.field(
        default=default, metadata={"help": help, "choices": choices, "low": low, "high": high}
    )


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'n_runs'?"``, or an empty string if no known word is similar."""
    near = difflib.get_close_matches(str(word), [str(k) for k in known], n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def field_types(parameters: type) -> dict[str, Any]:
    """Return name -> annotated type of every field of a parameters dataclass."""
    hints = typing.get_type_hints(parameters)
    return {f.name: hints[f.name] for f in dataclasses.fields(parameters)}


def type_name(kind: Any) -> str:
    """Return a type as text: ``int``, ``tuple[int, ...]``, ``float | None``."""
    return kind.__name__ if isinstance(kind, type) and not typing.get_args(kind) else str(kind)


def resolve(parameters: type, *layers: Mapping[str, Any]) -> Any:
    """Build parameters from the defaults and layers of overrides, later layers winning.

    An override of None means "not given", unless the field's type allows None: notebooks use this for
    parameters that follow the profile. An unknown name, or a value outside the choices or the range, raises
    ValueError; a value of a type other than annotated raises TypeError.
    """
    kinds, values = field_types(parameters), {}
    for layer in layers:
        for name, value in layer.items():
            if name not in kinds:
                raise ValueError(
                    f"unknown parameter {name!r}{suggestion(name, kinds)} "
                    f"(expected one of: {', '.join(kinds)})"
                )
            if value is None and types.NoneType not in typing.get_args(kinds[name]):
                continue
            values[name] = coerce(name, value, kinds[name])
    for field in dataclasses.fields(parameters):
        if field.name in values:
            _check_range(field, values[field.name])
    return parameters(**values)


def coerce(name: str, value: Any, kind: Any) -> Any:
    """Return the value as exactly the annotated type.

    An int passes for a float, a list for a tuple, a numpy scalar for a number.
    """
    value = plain(value)
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        for option in args:
            try:
                return coerce(name, value, option)
            except TypeError:
                continue
    elif origin is typing.Literal:
        if value in args:
            return value
        raise ValueError(f"parameter {name!r}: expected one of {', '.join(map(repr, args))}, got {value!r}")
    elif origin is tuple and isinstance(value, list):
        inner = [args[0]] * len(value) if len(args) == 2 and args[1] is Ellipsis else list(args)
        if len(inner) == len(value):
            return tuple(coerce(name, v, k) for v, k in zip(value, inner))
    elif kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    elif kind is tuple and isinstance(value, list):
        return tuple(value)
    elif (kind is types.NoneType and value is None) or (isinstance(kind, type) and type(value) is kind):
        return value
    raise TypeError(f"parameter {name!r}: expected {type_name(kind)}, got {type(value).__name__} {value!r}")


def parse(name: str, text: str, parameters: type) -> Any:
    """Read a value from a command line (``20``, ``true``, ``1,2,3``, ``irqp``) as the field's type."""
    kinds = field_types(parameters)
    if name not in kinds:
        raise ValueError(
            f"unknown parameter {name!r}{suggestion(name, kinds)} (expected one of: {', '.join(kinds)})"
        )
    kind = kinds[name]
    if kind is str:
        return text
    candidates = [text, text.lower(), "null" if text == "None" else text]
    if typing.get_origin(kind) is tuple or kind is tuple:
        items = [item.strip() for item in text.strip("()[] ").split(",") if item.strip()]
        candidates += [f"[{','.join(items)}]", json.dumps(items)]
    values = [_from_json(candidate) for candidate in candidates] + [text]
    for value in values:
        try:
            return coerce(name, value, kind)
        except TypeError:
            continue
    raise TypeError(f"parameter {name!r}: expected {type_name(kind)}, got {text!r}")


def plain(value: Any) -> Any:
    """Return a value as JSON has it: numpy scalars become Python numbers, tuples and arrays become lists."""
    if isinstance(value, (str, bool)) or value is None:
        return value
    if hasattr(value, "tolist"):  # numpy scalars and arrays, without importing numpy here
        return plain(value.tolist())
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    raise TypeError(f"expected a plain value (number, text, list, mapping), got {type(value).__name__}")


def as_dict(params: Any) -> dict[str, Any]:
    """Return the parameters as plain JSON values, in the order of their declaration."""
    return {f.name: plain(getattr(params, f.name)) for f in dataclasses.fields(params)}


def _from_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _check_range(field: dataclasses.Field, value: Any) -> None:
    choices, low, high = (field.metadata.get(k) for k in ("choices", "low", "high"))
    if choices is not None and value not in choices:
        hint = suggestion(value, choices)
        raise ValueError(
            f"parameter {field.name!r}: expected one of {', '.join(map(repr, choices))}, got {value!r}{hint}"
        )
    for single in value if isinstance(value, tuple) else (value,):
        if not isinstance(single, (int, float)):
            continue
        out_of_range = (low is not None and single < low) or (high is not None and single > high)
        if out_of_range or (isinstance(single, float) and math.isnan(single)):
            span = f"{'-inf' if low is None else low} to {'inf' if high is None else high}"
            raise ValueError(f"parameter {field.name!r}: expected a value in {span}, got {single!r}")

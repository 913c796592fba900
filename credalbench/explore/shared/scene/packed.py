"""Scenes as plain values with their arrays as bytes: what widgets send, and what a page can hold."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from json import dumps

import numpy as np

#: Types of arrays that browsers have, by the kind of numpy's; others are sent as they are.
SENT_AS = {"b": np.uint8, "i": np.int32}


def packed(value: object) -> object:
    """Return dictionaries and lists of plain values; an array is its type, its shape and its bytes.

    A dataclass becomes its fields, and `kind`: its name in small letters.
    """
    if is_dataclass(value):
        kept = {field.name: packed(getattr(value, field.name)) for field in fields(value)}
        return {"kind": type(value).__name__.lower()} | kept
    if isinstance(value, np.ndarray):
        value = np.ascontiguousarray(value, SENT_AS.get(value.dtype.kind))
        return {"type": value.dtype.name, "shape": list(value.shape), "data": value.tobytes()}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: packed(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [packed(part) for part in value]
    return value


def as_text(data: bytes) -> str:
    """Return bytes in base 64."""
    return b64encode(data).decode()


def as_json(value: object, written: Callable[[bytes], object] = as_text) -> str:
    """Return packed values as text for a page, bytes as `written`; no text in it ends a script element."""
    text = dumps(packed(value), default=written, ensure_ascii=False)
    return text.replace("</", "<\\/")

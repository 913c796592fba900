"""Small reproductions: a call made smaller as long as its verdict stays."""

import time
from dataclasses import replace

import numpy as np

from .verdicts import judge

SHRINKING_S = 30.0
FEW = 8  # objects or attributes that are left out one by one


def shrunk(call):
    """The smallest call found, in limited time, that has the same verdict."""
    verdict, end = judge(call), time.monotonic() + SHRINKING_S
    better = call
    while better is not None:
        call, better = better, None
        for candidate in smaller(call):
            if time.monotonic() > end:
                return call
            if judge(candidate) == verdict:
                better = candidate
                break
    return call


def smaller(call):
    """Calls that say a little less: fewer objects, attributes, arguments, follow-ups, digits."""
    square = call.A.shape[0] == call.A.shape[1] and call.parameters.get("metric") == "'precomputed'"
    for rows in parts(len(call.A)):
        yield replace(call, A=call.A[np.ix_(rows, rows)] if square else call.A[rows])
    if not square:
        yield from (replace(call, A=call.A[:, columns]) for columns in parts(call.A.shape[1]))
    for name in ("parameters", "links"):
        given = getattr(call, name)
        yield from (replace(call, **{name: {k: v for k, v in given.items() if k != left}}) for left in given)
    yield from (replace(call, after=call.after[:i] + call.after[i + 1 :]) for i in range(len(call.after)))
    if call.X != "A":
        yield replace(call, X="A")
    rounded = np.array([float(f"{value:.0e}") for value in call.A.flat]).reshape(call.A.shape)
    if not np.array_equal(rounded, call.A, equal_nan=True):
        yield replace(call, A=rounded)


def parts(n):
    """Indices of both halves of n things, and of all but one where they are few."""
    if n > 1:
        yield from (np.arange(n // 2), np.arange(n // 2, n))
    if 2 < n <= FEW:
        yield from (np.delete(np.arange(n), i) for i in range(n))

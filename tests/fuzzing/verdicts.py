"""What became of a call: a valid result, a clear error, or a finding."""

import inspect
import pickle
import re
import signal
import traceback
import warnings
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd

from .calls import exported
from .sources import IMPORTS

LIMIT_S = 10.0  # of processor time, for a call
CALL = "<string>"  # where warnings come from that the call itself gives rise to
SIMPLEX = 1e-9  # how far sums of masses may be from 1
RISE = 1e-9  # of an objective, as a share of its first value: rounding
PRECISION = 1e-15  # of distances, as a share of the largest coordinate: their squares are rounding, too
FEWEST_WORDS = 4  # of a clear message

DOCUMENTED = (*exported(Exception), ValueError, TypeError)
VALIDATION = ("validate_data", "check_array", "check_random_state")  # of scikit-learn: about what was given
OUTSIDE = re.compile(r"/(numpy|scipy|numba|pandas|joblib)/")  # what is raised there speaks of inner things
SUM_OF_INFINITIES = "invalid value encountered in reduce"  # scikit-learn, before it refuses inf and -inf
INTERNAL_WORDS = (
    "must not contain infs",
    "zero-size array",
    "did not converge",
    "singular matrix",
    "positive definite",
    "unsupported operand",
    "truth value of",
    "length-1 arrays",
    "not be broadcast",
    "mismatch in its core dimension",
    "out of bounds for axis",
    "object has no attribute",
    "not subscriptable",
    "not supported between",
    "unhashable type",
    "cannot be interpreted as",
    "too large to convert",
)


class TooLong(BaseException):
    """A call has had its time; no ``except Exception`` takes it for something else.

    Where numba notices it on its own way back into Python, it is the cause of a SystemError.
    """


@contextmanager
def limited(seconds):
    """Raise TooLong in the block after so many seconds of this process, or when compiled code gives way."""

    def ring(*_):
        raise TooLong

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def is_fine(verdict):
    """Whether a verdict is not a finding."""
    return verdict == "valid" or verdict.startswith("clear ")


def judge(call):
    """What became of a call: "valid", "clear" and the type of the error, or what is wrong."""
    space = {call.cls.__name__: call.cls, "A": call.A.copy()}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", SUM_OF_INFINITIES)
        exec("\n".join([*IMPORTS.values(), f"X = {call.X}"]), space)
        caught.clear()  # what making X has said
        given = pickle.dumps((space["A"], space["X"]))
        try:
            with limited(LIMIT_S):
                verdict = next(flaws(call, space), "valid")
        except TooLong:
            verdict = f"no end within {LIMIT_S:g} s"
        except Exception as error:
            ended = isinstance(error.__cause__, TooLong)
            verdict = f"no end within {LIMIT_S:g} s" if ended else verdict_on_error(error)
    loud = [w for w in caught if issubclass(w.category, RuntimeWarning) and w.filename != CALL]
    if is_fine(verdict) and loud:
        return f"RuntimeWarning: {loud[0].message} ({Path(loud[0].filename).name}, {loud[0].lineno})"
    if is_fine(verdict) and given != pickle.dumps((space["A"], space["X"])):
        return "changed its input"
    return verdict


def flaws(call, space):
    """Run a call in a name `space`, and yield what is wrong with its results."""
    exec(call.fitting, space)
    if "fit" in space:
        yield from flaws_of_fit(space["fit"], np.asarray(space["X"], float))
    for text in call.after:
        value = eval(text, space)
        if " == " in text and not np.all(value):
            yield f"False: {text}"
        if not is_finite(value):
            yield f"NaN or infinity in {text}"


def flaws_of_fit(fit, X):
    """What is wrong with the attributes of a fit to the objects `X`."""
    public = {name: value for name, value in vars(fit).items() if re.fullmatch(r"[a-z].*_", name)}
    yield from (f"NaN or infinity in {name}" for name, value in public.items() if not is_finite(value))
    labels = public.get("labels_", np.zeros(len(X), int))
    if labels.shape != (len(X),) or labels.dtype.kind not in "iu" or labels.min() < 0:
        yield "labels_ that are none"
    for degrees in (getattr(public.get("partition_"), "masses", None), public.get("membership_")):
        if degrees is not None and (degrees.min() < 0 or np.abs(degrees.sum(axis=1) - 1).max() > SIMPLEX):
            yield "rows off the simplex"
    trace = public.get("objective_trace_", np.zeros(1)) * direction(type(fit))
    capped = np.any(public.get("ridged_", False)) or public.get("n_capped_", 0)
    with np.errstate(over="ignore"):
        unit = np.min(public.get("units_", 1.0), initial=np.inf)
        # As objectives are told; texts, which have no unit, have no coordinates.
        coordinate = np.abs(X).max() / max(unit, 5e-324) if np.isfinite(unit) else 0.0
        rounding = RISE * np.abs(trace[0]) + X.size * (PRECISION * coordinate) ** 2
    if not capped and np.any(np.diff(trace) > rounding):
        yield "an objective that goes the wrong way"


def direction(cls):
    """1 if the docstring says that the objective decreases, -1 if it increases, 0 if it says neither."""
    entry = re.search(r"objective_trace_.*\n((?:    .*\n)+)", inspect.cleandoc(cls.__doc__ or "") + "\n")
    described = " ".join(entry[1].lower().split()) if entry else ""
    if "never decreases" in described:
        return -1
    return int("never increases" in described or "decreases" in described)


def is_finite(value):
    """Whether no number in a result is NaN or infinite."""
    if isinstance(value, tuple | list):
        return all(map(is_finite, value))
    value = getattr(value, "masses", value)
    if not isinstance(value, float | np.ndarray | np.generic | pd.DataFrame):
        return True
    array = np.asarray(value)
    return array.dtype.kind not in "fc" or bool(np.isfinite(array).all())


def verdict_on_error(error):
    """Clear where it was raised on purpose, as documented, with a message that says something."""
    frames, text = traceback.extract_tb(error.__traceback__), str(error)
    raised = (frames[-1].line or "").startswith("raise") and not OUTSIDE.search(frames[-1].filename)
    meant = raised or any(frame.name in VALIDATION for frame in frames)
    is_clear = text.startswith("expected ") or not any(tale in text.lower() for tale in INTERNAL_WORDS)
    is_long_enough = len(text.split()) >= FEWEST_WORDS and is_clear
    if isinstance(error, OSError) and error.filename:
        return f"clear {type(error).__name__}"  # Python's own message names the file
    kind = next((kind.__name__ for kind in DOCUMENTED if isinstance(error, kind)), None)
    if kind and meant and is_long_enough:
        return f"clear {kind}"
    ours = [frame for frame in frames if "credalbench" in frame.filename] or frames
    general = re.sub(r"-?\d[\d.e+-]*", "#", text.split("\n")[0])[:100]
    return f"{type(error).__name__}: {general} ({Path(ours[-1].filename).name}, {ours[-1].name})"

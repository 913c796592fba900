"""Compiled loops: cached, never stale, announced while they are compiled.

A function marked `kernel` becomes machine code when it is first called. numba keeps that code, beside the
source, in ``NUMBA_CACHE_DIR`` or in the user's cache folder, for later processes. Three things differ from
``numba.njit(cache=True)``:

* No cache is looked for and nothing written before the first call: importing a kernel leaves all files alone.
* numba notices a change in a kernel's own file, not in a file whose kernels it calls: after an update of the
  latter alone, yesterday's machine code would run. Here a digest of all sources that go into a kernel is part
  of the names of its files. So versions, and processes that run them, never meet.
* A cache that is damaged, or cannot be written, costs time and never a result.

A module with kernels also says how to make them ready: a function marked `warm_up` that calls them on a toy
problem, with the types of real ones.

Python handles an interrupt between two calls of a kernel, never during one. So a kernel whose work grows with
the data processes a range of it, and its caller iterates over the ranges of `pieces`, which also ends a fit
that has been cancelled (see `credalbench.core.progress`).
"""

import hashlib
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property, partial
from pathlib import Path

from numba import config, njit
from numba.core.base import BaseContext
from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps
from numba.core.typing import Signature

from credalbench.core.progress import check_cancelled, track_step

WARM_UPS: list[Callable[[], None]] = []  # of all modules that have been imported
PIECE = 1e8  # operations: a tenth of a second to one, depending on what waits for memory


def kernel(function: Callable | None = None, **options: bool) -> Callable:
    """Compile a function: use ``@kernel``, or ``@kernel(fastmath=True)`` with options of numba's njit.

    Division by zero gives infinity or NaN, as in numpy, and raises nothing.

    Parameters
    ----------
    function : callable, optional
        The function; None: return a decorator.
    **options : bool
        Options of numba's njit.

    Returns
    -------
    callable
        The compiled function, or a decorator.
    """
    if function is None:
        return lambda function: kernel(function, **options)
    if config.DISABLE_JIT:  # to debug the loops, or to measure what tests run of them
        return function
    dispatcher = njit(error_model="numpy", **options)(function)
    dispatcher._cache = KernelCache(function)
    dispatcher._compile_for_args = partial(_made_ready, dispatcher._compile_for_args)
    return dispatcher


def _made_ready(compile_for_args: Callable[..., Callable], *arguments: object) -> Callable:
    """Load or compile machine code for the types of a call, and report it as a step of the progress."""
    with track_step("compiled loops are made ready"):
        return compile_for_args(*arguments)


def warm_up(call: Callable[[], None]) -> Callable[[], None]:
    """Register a function without arguments that calls kernels; it runs at most once in a process.

    Parameters
    ----------
    call : callable
        Calls kernels with the types of real problems.

    Returns
    -------
    callable
        The function that runs once.
    """
    once = cache(call)
    WARM_UPS.append(once)
    return once


def compile_kernels() -> None:
    """Compile or load the kernels of all imported modules; later calls in a process cost nothing.

    Call it after the imports, before times are measured. The first time on a machine it compiles (some
    seconds, announced on standard error); later processes load the cached code in a fraction of a second.
    """
    for ready in WARM_UPS:
        ready()


def pieces(first: int, end: int, operations: float) -> Iterator[tuple[int, int]]:
    """Yield consecutive ranges (begin, end) of the items first..end-1, each of about `PIECE` operations.

    Raises `credalbench.core.progress.Cancelled` before a range if the fit has been cancelled.

    Parameters
    ----------
    first, end : int
        Range of the items.
    operations : float
        Approximate operations of one item; a range has at least one item.

    Yields
    ------
    begin, end : int
        A range.
    """
    step = max(1, int(PIECE / max(operations, 1.0)))
    for begin in range(first, end, step):
        check_cancelled()
        yield begin, min(begin + step, end)


class KernelFiles(CompileResultCacheImpl):
    """The cached files of a kernel: their names, numba's and a digest of the sources, and their contents.

    Machine code is stored with its own digest: damaged code would not raise an error, but run.
    """

    def __init__(self, digest: str, function: Callable) -> None:
        self._digest = digest
        super().__init__(function)

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return f"{super().get_filename_base(fullname, abiflags)}-{self._digest[:16]}"

    def reduce(self, data: CompileResult) -> tuple[bytes, bytes]:
        code = dumps(super().reduce(data))
        return hashlib.sha256(code).digest(), code

    def rebuild(self, target_context: BaseContext, stored: tuple[bytes, bytes]) -> CompileResult:
        digest, code = stored
        if hashlib.sha256(code).digest() != digest:
            raise ValueError("the cached machine code is damaged")
        return super().rebuild(target_context, pickle.loads(code))


class KernelFileCache(FunctionCache):
    """numba's cache of one function, in `KernelFiles`."""

    def __init__(self, digest: str, function: Callable) -> None:
        self._impl_class = partial(KernelFiles, digest)
        super().__init__(function)


class KernelCache(NullCache):
    """The cache of a kernel, opened at its first call; errors of the cache are ignored."""

    def __init__(self, function: Callable) -> None:
        self.function = function
        # now: when the kernel is first called, its file may hold another version already
        self.source = source_digest(function.__code__.co_filename)

    @cached_property
    def _files(self) -> NullCache | FunctionCache:
        try:
            return KernelFileCache(sources_digest(self), self.function)
        except (OSError, RuntimeError):  # no folder can be written
            return NullCache()

    @property
    def cache_path(self) -> str | None:
        return self._files.cache_path

    def load_overload(self, sig: Signature, target_context: BaseContext) -> CompileResult | None:
        found = None
        try:
            found = self._files.load_overload(sig, target_context)
        except Exception:  # from a damaged file unpickling may raise anything
            with suppress(OSError):
                self._files.flush()
        if found is None:
            announce(cached=self.cache_path is not None)
        return found

    def save_overload(self, sig: Signature, data: CompileResult) -> None:
        with suppress(Exception):  # a full disk; a file damaged by another process
            self._files.save_overload(sig, data)


@cache
def announce(cached: bool) -> None:
    """Announce, once in a process, that kernels are being compiled."""
    how_long = "once" if cached else "again in each process: NUMBA_CACHE_DIR names no writable folder"
    print(f"credalbench: compiling kernels for this machine ({how_long}) ...", file=sys.stderr, flush=True)


def source_digest(file: str) -> bytes:
    """Return the digest of a file; that of nothing if there is no file, for which numba caches nothing."""
    path = Path(file)
    return hashlib.sha256(path.read_bytes() if path.is_file() else b"").digest()


def sources_digest(cache: KernelCache) -> str:
    """Return the digest of the source files of a kernel and of all kernels that it calls, directly or not."""
    seen, waiting = set(), {cache}
    while waiting:
        one = waiting.pop()
        seen.add(one)
        named = (one.function.__globals__.get(name) for name in one.function.__code__.co_names)
        called = {value._cache for value in named if isinstance(value, Dispatcher)}
        waiting |= {callee for callee in called if isinstance(callee, KernelCache)} - seen
    return hashlib.sha256(b"".join(sorted({one.source for one in seen}))).hexdigest()

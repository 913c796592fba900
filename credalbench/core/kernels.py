"""Compiled loops, with a cache that is never stale and a message while they are compiled.

A function marked `kernel` becomes machine code when it is first called. numba keeps that code, beside the
source, in ``NUMBA_CACHE_DIR`` or in the user's cache folder, for later processes. Three things differ from
``numba.njit(cache=True)``:

* Importing a kernel neither reads nor writes files; its first call opens the cache.
* numba notices a change in the file of a kernel, but not in a file whose kernels it calls: after an update of
  the latter, old machine code would run. Here a digest of all sources of a kernel is part of the names of its
  files. Different versions, and the processes that run them, never share files.
* A cache that is damaged or cannot be written costs time, but never changes a result.

A module with kernels also has a function marked `warm_up`, which calls them on a toy problem with the types
of real problems.

Python handles an interrupt between two calls of a kernel, never during a call. A kernel whose work grows with
the data therefore processes a range of it, and its caller iterates over the ranges of `pieces`, which also
ends a fit that has been cancelled (see `credalbench.core.progress`).
"""

import gc
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
from numba.core.types import Type, unliteral
from numba.core.typing import Signature

from credalbench.core.progress import check_cancelled, track_step

WARM_UPS: list[Callable[[], None]] = []  # of all modules that have been imported
PIECE = 1e8  # operations: 0.1 to 1 s, depending on the time spent waiting for memory


def kernel(function: Callable | None = None, **options: bool | str) -> Callable:
    """Compile a function: use ``@kernel``, or ``@kernel(fastmath=True)`` with options of numba's njit.

    Division by zero gives infinity or NaN, as in numpy, and raises nothing.

    Parameters
    ----------
    function : callable, optional
        The function; None: return a decorator.
    **options : bool or str
        Options of numba's njit.

    Returns
    -------
    callable
        The compiled function, or a decorator.
    """
    if function is None:
        return lambda function: kernel(function, **options)
    if config.DISABLE_JIT:  # to debug the loops, or to measure the coverage of tests
        return function
    dispatcher = njit(error_model="numpy", no_cfunc_wrapper=True, **options)(function)
    dispatcher._cache = KernelCache(function)
    compile_for_args = dispatcher._compile_for_args

    def load_or_compile(*arguments: object) -> Callable:
        collects = gc.isenabled()
        gc.disable()  # numba makes very many objects, and looking for cycles takes a sixth of the time
        try:
            with track_step("preparing compiled loops"):
                return compile_for_args(*arguments)
        finally:
            if collects:
                gc.enable()

    dispatcher._compile_for_args = load_or_compile
    template_of = dispatcher.get_call_template

    def template_of_types(args: tuple[Type, ...], kws: dict[str, Type]) -> tuple:
        """Compile nothing for a single value, such as the 0 in ``kernel(0, x)``, beside what its type has."""
        return template_of(
            [unliteral(one) for one in args], {key: unliteral(one) for key, one in kws.items()}
        )

    dispatcher.get_call_template = template_of_types
    return dispatcher


def warm_up(call: Callable[[], None]) -> Callable[[], None]:
    """Register a function that calls kernels with the types of real problems, and run it once per process."""
    once = cache(call)
    WARM_UPS.append(once)
    return once


def compile_kernels() -> None:
    """Compile or load the kernels of all imported modules; later calls in a process cost nothing.

    Call the function after the imports, before you measure times. On its first call on a machine it compiles
    (some seconds, with a message on standard error); later processes load the cached code in a fraction of a
    second.
    """
    for ready in WARM_UPS:
        ready()


def pieces(first: int, end: int, operations: float) -> Iterator[tuple[int, int]]:
    """Yield consecutive ranges (begin, end) of the items first..end-1, each of about `PIECE` operations.

    An item takes approximately `operations`; a range has at least one item. The function raises
    `credalbench.core.progress.Cancelled` before a range if the fit has been cancelled.
    """
    step = max(1, int(PIECE / max(operations, 1.0)))
    for begin in range(first, end, step):
        check_cancelled()
        yield begin, min(begin + step, end)


class KernelFiles(CompileResultCacheImpl):
    """The cached files of a kernel, with a digest of the sources in their names.

    Machine code is stored with a digest, since damaged code would not raise an error but run.
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
        # now: its file may hold another version when the kernel is first called; without a file numba
        # caches nothing
        path = Path(function.__code__.co_filename)
        self.source = hashlib.sha256(path.read_bytes() if path.is_file() else b"").digest()

    @cached_property
    def _files(self) -> NullCache | FunctionCache:
        try:
            return KernelFileCache(sources_digest(self), self.function)
        except (OSError, RuntimeError):  # no folder is writable
            return NullCache()

    @property
    def cache_path(self) -> str | None:
        return self._files.cache_path

    def load_overload(self, sig: Signature, target_context: BaseContext) -> CompileResult | None:
        found = None
        try:
            found = self._files.load_overload(sig, target_context)
        except Exception:  # unpickling a damaged file may raise anything
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

"""Compile the kernels once, never use stale ones, and tell the user what is going on while that takes
time."""

import hashlib
import sys
import threading
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
from numba.core.registry import CPUDispatcher

from credalbench.cluster.compiled import simplex_qp
from credalbench.cluster.conflict import block_sweep, pair_sampling, row_sweeps
from credalbench.cluster.conflict.pair_sampling import pair_dissimilarities, sample_partners
from credalbench.cluster.conflict.stress import AllPairs, SampledPairs
from credalbench.cluster.constrained import mass_sweeps
from credalbench.cluster.neighbours import label_sweeps

KERNEL_MODULES = (
    simplex_qp,
    pair_sampling,
    row_sweeps,
    block_sweep,
    label_sweeps,
    mass_sweeps,
)
PATIENCE = 1.5  # seconds of silence; loading the kernels from numba's cache takes less


def discard_stale_kernels():
    """Delete numba's cached kernels when the source of any of them has changed since they were compiled.

    numba notices a change in a kernel's own file, not in a file whose kernels it calls: after an update of
    ``simplex_qp.py`` alone, yesterday's machine code would run. A digest of all kernel sources beside the
    cache prevents it.
    """
    sources = b"".join(Path(module.__file__).read_bytes() for module in KERNEL_MODULES)
    digest = hashlib.sha256(sources).hexdigest()
    for module in KERNEL_MODULES:
        name = module.__name__.rpartition(".")[2]
        kernel = next(value for value in vars(module).values() if isinstance(value, CPUDispatcher))
        folder = Path(kernel.stats.cache_path)
        stamp = folder / f"{name}.kernels.sha256"
        if stamp.exists() and stamp.read_text() == digest:
            continue
        for cached in folder.glob(f"{name}.*.nb[ic]"):
            cached.unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        stamp.write_text(digest)


@contextmanager
def _notice(message, seconds):
    timer = threading.Timer(seconds, lambda: print(message, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@cache
def compile_kernels():
    """Make the kernels of EVCLUS ready, by calling them on a toy problem; later calls in a process cost
    nothing.

    The first time on a machine this compiles (some seconds, announced on standard error); numba then keeps
    the result beside the package, or in ``NUMBA_CACHE_DIR``, and later processes load it in a fraction of a
    second.
    """
    rng = np.random.default_rng(0)
    C = np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    M = np.full((4, 3), 1 / 3)
    delta = np.ones((4, 4)) - np.eye(4)
    with _notice("credalbench: compiling its kernels for this machine (once, about 10 s) ...", PATIENCE):
        partners = sample_partners(4, 2, rng)
        d = pair_dissimilarities(rng.random((4, 2)), partners)
        for stress in (AllPairs(delta), SampledPairs(partners, d / d.max())):
            stress.sweep(M.copy(), M @ C, C, 1, 0.0)
            stress.value(M, C)

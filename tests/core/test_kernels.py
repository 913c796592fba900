"""Kernels: imports do nothing, machine code is cached and never stale, a bad cache does no harm."""

import os
import subprocess
import sys

import pytest

INNER = """
from credalbench.core.kernels import kernel
@kernel
def inner(x):
    return x + {}
"""
OUTER = """
from credalbench.core.kernels import kernel
from inner import inner
@kernel
def outer(x):
    return inner(x)
"""
RUN = "from outer import outer; print(outer(1))"
#: Prints all events that open a file for writing, or create, move or remove one.
WATCH = """
import os, sys
def hook(event, args):
    if event == "open" and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and args[0] != os.devnull:
        print(event, args)
    elif event in ("os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.truncate", "tempfile.mkstemp"):
        print(event, args)
sys.addaudithook(hook)
import credalbench.cluster, credalbench.baselines
"""


def run(code, folder, **environment):
    """What a new interpreter prints: (output, messages)."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.fixture
def kernels(tmp_path):
    """A folder with two kernels, one of which calls the other, and its cache."""
    (tmp_path / "inner.py").write_text(INNER.format(1))
    (tmp_path / "outer.py").write_text(OUTER)
    return tmp_path, tmp_path / "cache"


def test_import_writes_and_deletes_nothing(tmp_path):
    cache = tmp_path / "cache"
    assert run(WATCH, ".", NUMBA_CACHE_DIR=str(cache)) == ("", "")
    assert not cache.exists()


def test_the_first_call_on_a_machine_announces_compiling_and_the_next_is_silent(kernels):
    folder, cache = kernels
    output, message = run(RUN, folder, NUMBA_CACHE_DIR=str(cache))
    assert output == "2\n"
    assert message == "credalbench: compiling kernels for this machine (once) ...\n"
    assert run(RUN, folder, NUMBA_CACHE_DIR=str(cache)) == ("2\n", "")


@pytest.mark.long
def test_change_of_a_called_kernel_reaches_its_caller_and_back(kernels):
    """numba alone would run the old machine code of the caller; both versions are in the cache."""
    folder, cache = kernels
    run(RUN, folder, NUMBA_CACHE_DIR=str(cache))
    (folder / "inner.py").write_text(INNER.format(7))
    output, message = run(RUN, folder, NUMBA_CACHE_DIR=str(cache))
    assert output == "8\n"
    assert "compiling" in message
    (folder / "inner.py").write_text(INNER.format(1))
    assert run(RUN, folder, NUMBA_CACHE_DIR=str(cache)) == ("2\n", "")


def test_a_change_between_import_and_first_call_does_not_reach_the_cache(kernels):
    folder, cache = kernels
    edit = f"import pathlib; pathlib.Path('inner.py').write_text({INNER.format(7)!r}); print(outer(1))"
    assert run(f"from outer import outer; {edit}", folder, NUMBA_CACHE_DIR=str(cache))[0] == "2\n"
    assert run(RUN, folder, NUMBA_CACHE_DIR=str(cache))[0] == "8\n"


def test_without_compilation_kernels_are_functions_of_python(kernels):
    folder, cache = kernels
    environment = {"NUMBA_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "1"}
    assert run(RUN, folder, **environment) == ("2\n", "")
    assert not cache.exists()


@pytest.mark.long
def test_damaged_cache_is_survived_and_mended(kernels):
    """Machine code that has changed on the disk is not run."""
    folder, cache = kernels
    run(RUN, folder, NUMBA_CACHE_DIR=str(cache))
    for path in cache.rglob("*.nbc"):
        data = path.read_bytes()
        place = len(data) // 2
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
    output, message = run(RUN, folder, NUMBA_CACHE_DIR=str(cache))
    assert output == "2\n"
    assert "compiling" in message
    assert run(RUN, folder, NUMBA_CACHE_DIR=str(cache)) == ("2\n", "")


def test_without_a_writable_folder_kernels_work_and_name_the_setting(kernels):
    folder, _ = kernels
    closed = folder / "closed"
    closed.write_text("a file where folders would have to be")
    (folder / "__pycache__").write_text("another")
    homes = dict.fromkeys(["HOME", "XDG_CACHE_HOME"], str(closed))
    output, message = run(RUN, folder, NUMBA_CACHE_DIR=str(closed), **homes)
    assert output == "2\n"
    assert "NUMBA_CACHE_DIR" in message


DAMAGES = """
import importlib, pathlib, sys
from numba.core.caching import IndexDataCacheFile
import inner, outer

def fresh():
    importlib.reload(inner), importlib.reload(outer)
    return outer.outer(1)

def middle(data):
    half = len(data) // 2
    return data[:half] + data[half : half + 64][::-1] + data[half + 64 :]

def full(self, path):
    raise OSError(28, "No space left on device", path)

fresh()
folder, kind = pathlib.Path(sys.argv[1]), sys.argv[2]
def no_pickle(data):
    return bytes([128, 5]) + b"no pickle"

cut = (lambda data: b"", lambda data: data[:-1], lambda data: data[: len(data) // 2])
for damage in (*cut, middle, no_pickle):
    for path in folder.rglob(f"outer*.{kind}"):
        path.write_bytes(damage(path.read_bytes()))
    print(fresh(), fresh())
for path in folder.rglob("outer*"):
    path.unlink()
IndexDataCacheFile._open_for_write = full
print(fresh())
"""


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_damage_and_a_full_disk_do_not_change_results(kernels, kind):
    folder, cache = kernels
    (folder / "damages.py").write_text(DAMAGES)
    code = f"import sys; sys.argv[1:] = [{str(cache)!r}, {kind!r}]; import damages"
    output, _ = run(code, folder, NUMBA_CACHE_DIR=str(cache))
    assert output == "2 2\n" * 5 + "2\n"


def test_checked_builds_raise_an_error_for_wrong_indices(tmp_path):
    code = """
import numpy as np
from credalbench.belief.relations.pairwise_evidence import pair_products
try:
    pair_products(np.ones((1, 1)), np.ones((1, 1)), np.array([[5]], np.int32), np.empty((1, 1)))
except IndexError:
    print("noticed")
"""
    output, _ = run(code, ".", NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))
    assert output == "noticed\n"

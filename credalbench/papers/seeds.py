"""Random numbers of an experiment, derived from the data set and the repetition, never from the algorithm.

Methods that are compared therefore get the same draws (simulated data, random starts), and a case gives the
same numbers in any process, whatever runs before it or at the same time.
"""

import hashlib

import numpy as np


def case_seed(seed: int, *axes: int | str) -> np.random.SeedSequence:
    """Return the seed sequence of a point on the axes of an experiment: ``case_seed(seed, "protein", 3)``.

    Parameters
    ----------
    seed : int
        The study's seed, >= 0.
    *axes : int or str
        Data set, setting of the data, repetition, ...: what the *draw* depends on. Do not pass the
        algorithm.

    Returns
    -------
    numpy.random.SeedSequence
        The same for the same arguments, on any machine.

    Raises
    ------
    TypeError
        If an axis is neither an integer >= 0 nor text.
    """
    # SeedSequence pads short keys with zeros; the closing count keeps (seed,) and (seed, 0) apart.
    return np.random.SeedSequence([_word(seed), *(_word(axis) for axis in axes), len(axes) + 1])


def case_rng(seed: int, *axes: int | str) -> np.random.Generator:
    """Return a random generator seeded by :func:`case_seed`.

    Parameters
    ----------
    seed : int
        The study's seed, >= 0.
    *axes : int or str
        As for :func:`case_seed`.

    Returns
    -------
    numpy.random.Generator
        A new generator.
    """
    return np.random.default_rng(case_seed(seed, *axes))


def case_random_state(seed: int, *axes: int | str) -> int:
    """Return an integer for ``random_state=``, from :func:`case_seed`.

    Parameters
    ----------
    seed : int
        The study's seed, >= 0.
    *axes : int or str
        As for :func:`case_seed`.

    Returns
    -------
    int
        At least 0 and below 2**32, as scikit-learn requires.
    """
    return int(case_seed(seed, *axes).generate_state(1, np.uint32)[0])


def _word(axis: int | str) -> int:
    if isinstance(axis, str):  # Python's own hash of text changes from process to process
        return int.from_bytes(hashlib.sha256(axis.encode()).digest()[:8], "big")
    if isinstance(axis, (int, np.integer)) and not isinstance(axis, bool) and axis >= 0:
        return int(axis)
    raise TypeError(f"expected an integer >= 0 or text as a seed axis, got {axis!r}")

"""Dissimilarities that a function computes for two blocks of objects at a time."""

from collections.abc import Callable

import numpy as np

from credalbench.cluster.inputs.dissimilarities import non_negative
from credalbench.core.arguments import as_array, expect, expect_count


class BlockwiseDissimilarities:
    """Dissimilarities of n objects that are computed when they are needed, as edit distances of words.

    Stands for an (n, n) matrix in the `fit` of `EVCLUS` with ``metric="precomputed"`` and pairs of blocks,
    and is never asked for all of it.

    Parameters
    ----------
    n_objects : int
        Number of objects n.
    function : callable
        Returns the (a, b) dissimilarities between the objects of two int arrays, of lengths a and b, numbered
        from 0. It has to be symmetric and to be zero between an object and itself; neither is checked.

    Raises
    ------
    ValueError
        If `n_objects` is no number of objects, or `function` cannot be called.

    Examples
    --------
    >>> import numpy as np
    >>> words = np.array(["hat", "cat", "house", "mouse", "horse"])
    >>> def differences_in_length(rows, columns):
    ...     lengths = np.char.str_len(words)
    ...     return np.abs(lengths[rows][:, None] - lengths[columns])
    >>> D = BlockwiseDissimilarities(5, differences_in_length)
    >>> D.between(np.array([0, 1]), np.array([1, 2, 3]))
    array([[0., 2., 2.],
           [0., 2., 2.]])
    """

    def __init__(self, n_objects: int, function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
        self.n_objects = expect_count("n_objects", n_objects, 2, np.iinfo(np.int32).max)
        expect(callable(function), "a function of two arrays of objects", function)
        self.function = function

    @property
    def shape(self) -> tuple[int, int]:
        """Shape (n, n) of the matrix."""
        return self.n_objects, self.n_objects

    def __len__(self) -> int:
        return self.n_objects

    def _objects(self, name: str, numbers: np.ndarray) -> np.ndarray:
        numbers = as_array(name, numbers)
        right = numbers.ndim == 1 and len(numbers) > 0 and numbers.dtype.kind in "iu"
        expect(right, f"{name} to be an array of numbers of objects", numbers)
        low, high = int(numbers.min()), int(numbers.max())
        expect(low >= 0 and high < self.n_objects, f"{name} in 0..{self.n_objects - 1}", (low, high))
        return numbers

    def between(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return the dissimilarities between two blocks of objects.

        Parameters
        ----------
        rows, columns : (a,) and (b,) int arrays
            Numbers of objects.

        Returns
        -------
        (a, b) float array
            In the units of the function.

        Raises
        ------
        ValueError
            If `rows` or `columns` are no numbers of objects; if the function returns another shape, no
            numbers, or something negative, infinite or NaN.
        """
        rows, columns = self._objects("rows", rows), self._objects("columns", columns)
        found = np.asarray(self.function(rows, columns))
        shape = len(rows), len(columns)
        expect(found.shape == shape, f"dissimilarities of shape {shape} from {self.function!r}", found.shape)
        expected = f"numbers from {self.function!r}"
        expect(found.dtype.kind in "iufb", expected, found.dtype)
        return non_negative(found.astype(float))

r"""The original files of two published dissimilarity sets, if you have them.

Zongker digits and Delft gestures (Section 4.2 of [denoeux2016_evclus]) are distributed at prtools.org, as
MATLAB files, without a licence that allows a copy elsewhere. Download the file by hand and put it, unchanged,
into the folder named by CREDALBENCH_DATA, under one of the names in :data:`ORIGINALS`.

No copy of either file was available when this module was written. It makes these assumptions:

- The matrix is the largest square numeric matrix of the file, by itself, in a cell, or in the field ``data``
  of a structure or of a PRTools dataset written as an old-style MATLAB object.
- Classes are in the field ``nlab`` of that structure, or in a vector of the file named nlab, labels, lab or
  y; if there are none, the objects are in blocks of equal size, class after class.
- A matrix with a zero diagonal holds dissimilarities. A matrix within [0, 1] whose diagonal entries are the
  largest of their rows holds similarities s; the dissimilarities are then :math:`\sqrt{1 - s}`, as in public
  code for PRTools. Any other matrix raises an error.
- The directed dissimilarities are then symmetrised as in the paper, :math:`(d_{ij} + d_{ji}) / 2`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from credalbench.core.arguments import expect
from credalbench.datasets.dataset import Dataset
from credalbench.datasets.download import FOLDER_VARIABLE, DataUnavailable, data_folder

LABEL_NAMES = ("nlab", "labels", "lab", "y")
ROUNDING = 1e-9  # a diagonal below this share of the largest value is zero
AS_PLAIN_MATRICES = "In MATLAB with PRTools: D = +d; nlab = getnlab(d); save('file.mat', 'D', 'nlab', '-v7')"


@dataclass(frozen=True)
class Original:
    """A set that only its owners distribute: accepted file names, size, classes, substitute, references."""

    files: tuple[str, ...]
    n: int
    n_clusters: int
    stand_in: str
    title: str
    citation: str
    used_by: str


ORIGINALS = {
    "zongker": Original(
        files=("zongker.mat", "Zongker.mat", "dist_digit_zongker.mat"),
        n=2000,
        n_clusters=10,
        stand_in="digits_distortion",
        title="Zongker digits: dissimilarities of 2000 handwritten digits by deformable templates.",
        citation="Jain A.K., Zongker D. (1997), IEEE TPAMI 19(12):1386-1391",
        used_by="denoeux2016_evclus: Figures 20-22",
    ),
    "delft_gestures": Original(
        files=("delftgestures.mat", "DelftGestures.mat", "delft_gestures.mat"),
        n=1500,
        n_clusters=20,
        stand_in="libras_warping",
        title="Delft gestures: dissimilarities of 75 repetitions of 20 signs by dynamic time warping.",
        citation="Lichtenauer J., Hendriks E.A., Reinders M.J.T. (2008), IEEE TPAMI 30:2040-2046",
        used_by="denoeux2016_evclus: Figures 23-25",
    ),
}


def find_original(name: str) -> Path | None:
    """Return the user's file of an original set, or None, without checking its contents."""
    folder = data_folder()
    paths = [folder / file for file in ORIGINALS[name].files] if folder else []
    return next((path for path in paths if path.is_file()), None)


def load_original(name: str, path: str | Path | None = None) -> Dataset:
    """Load "zongker" or "delft_gestures" from a file, by default in the folder named by CREDALBENCH_DATA.

    The result has D (n, n) and y (n,). The status is "given"; ``description`` states the assumptions about
    the file.

    Raises
    ------
    DataUnavailable
        If there is no such file. The message explains how to get it or how to use the substitute.
    ValueError
        If the file has other contents, or another number of objects or of classes.

    References
    ----------
    [denoeux2016_evclus] Section 4.2, Figures 20 to 25.
    """
    about = ORIGINALS[name]
    path = original_file(name, path)
    matrix, labels = read_matrix(path)
    dissimilarities, conversion = as_dissimilarities(matrix, path.name)
    y, order = _classes(labels, len(matrix), about.n_clusters, path.name)
    sizes = len(y), len(np.unique(y))
    what = f"{about.n} objects of {about.n_clusters} classes in {path.name}"
    expect(sizes == (about.n, about.n_clusters), what, f"{sizes[0]} of {sizes[1]}")
    return Dataset(
        name=name,
        D=(dissimilarities + dissimilarities.T) / 2,
        y=y,
        class_names=tuple(str(k + 1) for k in range(about.n_clusters)),
        data_type="dissimilarities",
        description=f"{about.title} {conversion} {order} Symmetrised by the mean of both directions.",
        licence="see prtools.org; the user's own copy",
        citation=about.citation,
        source=f"{path.name}, the user's own copy of a file of prtools.org, not verified",
        used_by=(about.used_by,),
    )


def original_file(name: str, path: str | Path | None = None) -> Path:
    """Return the file of an original set, or raise DataUnavailable with an explanation of how to get it."""
    found = find_original(name) if path is None else Path(path)
    if found is None or not found.is_file():
        raise DataUnavailable(_advice(name, found))
    return found


def _advice(name: str, path: Path | None) -> str:
    about, folder = ORIGINALS[name], data_folder()
    reason = f"{path} is not a file" if path else f"{FOLDER_VARIABLE}={folder} holds no such file"
    if path is None and folder is None:
        reason = f"{FOLDER_VARIABLE} is not set"
    return (
        f"data set {name!r} needs the file that prtools.org distributes ({reason}).\n"
        f"To get it:\n"
        f"  1. download it by hand and save it as {about.files[0]} in the folder that {FOLDER_VARIABLE} "
        "names;\n"
        f"  2. or use the substitute, which is computed: load({about.stand_in!r})."
    )


# ------------------------------------------------------------------------------------------ reading


def read_matrix(path: str | Path) -> tuple[np.ndarray, np.ndarray | None]:
    """Read the square matrix (n, n) of a file of MATLAB up to version 7, and the class numbers (n,), if any.

    Raises
    ------
    ValueError
        If the file has no readable square matrix or several of the same size, or is a file of MATLAB 7.3.
    """
    from scipy.io import loadmat

    path = Path(path)
    try:
        content = loadmat(path)
    except (NotImplementedError, ValueError, TypeError, OSError) as error:
        raise ValueError(
            f"{path.name} is not a file of MATLAB up to version 7: {error}. {AS_PLAIN_MATRICES}"
        ) from None
    content = {key: value for key, value in content.items() if not key.startswith("__")}
    found = [pair for value in content.values() for pair in _matrices(value) if len(pair[0]) > 1]
    largest = max((len(matrix) for matrix, _ in found), default=0)
    found = [pair for pair in found if len(pair[0]) == largest]
    if len(found) != 1:
        variables = ", ".join(content) or "(none)"
        got = f"got {len(found)} among the variables {variables}. {AS_PLAIN_MATRICES}"
        raise ValueError(f"{path.name}: expected one square matrix, {got}")
    matrix, labels = found[0]
    if labels is None:
        vectors = (_vector(content.get(name), largest) for name in LABEL_NAMES)
        labels = next((vector for vector in vectors if vector is not None), None)
    return matrix, labels


def _matrices(value: object) -> Iterator[tuple[np.ndarray, np.ndarray | None]]:
    """Yield the square numeric matrices in a value as scipy reads it, with their class numbers."""
    if not isinstance(value, np.ndarray):
        return
    if value.dtype.names:  # a structure, or an object of an old-style class such as a PRTools dataset
        for record in value.ravel():
            fields = dict(zip(value.dtype.names, record))
            for matrix, _ in _matrices(fields.get("data")):
                yield matrix, _vector(fields.get("nlab"), len(matrix))
    elif value.dtype == object:  # a cell array
        for item in value.ravel():
            yield from _matrices(item)
    elif value.ndim == 2 and value.shape[0] == value.shape[1] and np.issubdtype(value.dtype, np.number):
        yield value.astype(float), None


def _vector(value: object, n: int) -> np.ndarray | None:
    """Return `value` as n whole numbers, or None if it is something else."""
    if not isinstance(value, np.ndarray) or value.size != n or not np.issubdtype(value.dtype, np.number):
        return None
    numbers = value.ravel()
    return numbers.astype(int) if np.array_equal(numbers, numbers.astype(int)) else None


def as_dissimilarities(matrix: ArrayLike, where: str = "matrix") -> tuple[np.ndarray, str]:
    r"""Return dissimilarities (n, n) from a matrix of dissimilarities or similarities, and what it held.

    Dissimilarities have a zero diagonal. Similarities s are within [0, 1], with the largest value of each row
    on the diagonal, and become :math:`\sqrt{1 - s}`. The result is at least 0, with zero diagonal, and need
    not be symmetric. Messages name the file `where`.

    Raises
    ------
    ValueError
        If there are NaN, infinite or negative values, or the matrix holds neither of the two.
    """
    matrix = np.asarray(matrix, dtype=float)
    expect(np.isfinite(matrix).all() and matrix.min() >= 0, f"finite numbers >= 0 in {where}", "others")
    diagonal = np.diag(matrix)
    if diagonal.max() <= ROUNDING * matrix.max():
        dissimilarities, conversion = matrix.copy(), "Dissimilarities as in the file."
    elif matrix.max() <= 1 and (diagonal >= matrix.max(axis=1)).all():
        dissimilarities = np.sqrt(1 - matrix)
        conversion = "The file holds similarities s; sqrt(1 - s) is used."
    else:
        raise ValueError(
            f"{where}: expected dissimilarities (zero diagonal) or similarities (within [0, 1], largest on "
            f"the diagonal), got a diagonal of {diagonal.min():.3g} to {diagonal.max():.3g} and values up to "
            f"{matrix.max():.3g}"
        )
    np.fill_diagonal(dissimilarities, 0.0)
    return dissimilarities, conversion


def _classes(labels: np.ndarray | None, n: int, n_clusters: int, where: str) -> tuple[np.ndarray, str]:
    """Return classes 0, 1, ... (n,), and a sentence about their origin."""
    if labels is not None:
        return np.unique(labels, return_inverse=True)[1], "Classes as in the file."
    if n % n_clusters:
        blocks = f"{n_clusters} classes of equal size"
        raise ValueError(f"{where}: no classes, and {n} objects do not form {blocks}")
    sentence = f"The file has no classes: blocks of {n // n_clusters} objects are assumed, in order."
    return np.repeat(np.arange(n_clusters), n // n_clusters), sentence

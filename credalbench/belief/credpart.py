"""Credal partitions as text tables that R's package evclust can write and read.

A table has a line for each object and a column for each focal set. The name of a column has a digit for each
cluster: 1 if the cluster belongs to the set, else 0. With three clusters, ``000`` is the empty set, ``101``
is {1, 3} and ``111`` is Omega.
"""

import csv
import os
from array import array
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from credalbench.core.arguments import expect_instance

from .archive import replacing
from .focal import FocalSets
from .partition import CredalPartition

LABELS = "y.pl"  # name of the most plausible clusters in the package
FEW = 5  # at most this many names of columns in a message


def write_credpart(partition: CredalPartition, path: str | os.PathLike) -> Path:
    """Write a credal partition to a CSV file for R's package evclust.

    In R it becomes an object of class "credpart" with ::

        x <- as.matrix(read.csv("partition.csv", check.names = FALSE)[-1])
        sets <- do.call(rbind, lapply(strsplit(colnames(x), ""), as.numeric))
        clus <- extractMass(unname(x), sets, method = "")

    Parameters
    ----------
    partition : CredalPartition
        Partition to write.
    path : str or path
        Target file. The function writes a temporary file and renames it, so that an interrupt does not
        damage an existing file.

    Returns
    -------
    Path
        The file.

    See Also
    --------
    CredalPartition.save : Write the same numbers to a small binary file.

    Notes
    -----
    The first column, ``y.pl``, holds the most plausible cluster of each object, counted from 1; a column for
    each focal set follows. The R package needs the empty set first; if it is missing, the function adds it
    with masses of 0. All other sets keep their order. Masses have as many digits as they need to be read back
    exactly.
    """
    target = Path(path)
    with replacing(target) as part, part.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines, lineterminator="\n").writerows(_rows(partition))
    return target


def read_credpart(path: str | os.PathLike) -> CredalPartition:
    """Read a credal partition from a CSV file written by `write_credpart` or by R.

    In R, write an object ``clus`` of class "credpart" of the package evclust with ::

        sets <- list(NULL, apply(clus$F, 1, paste, collapse = ""))
        masses <- array(sprintf("%.17g", clus$mass), dim(clus$mass), sets)
        write.csv(masses, "partition.csv", quote = FALSE)

    Parameters
    ----------
    path : str or path
        CSV file. The function ignores columns whose names contain characters other than 0 and 1, such as
        numbers of objects or labels. The focal sets keep the order of the file; the empty set, if present,
        must be first.

    Returns
    -------
    CredalPartition
        Without names of objects.

    Raises
    ------
    ValueError
        If the file is not such a table, is damaged, or has rows off the simplex; the message names the file.
    FileNotFoundError
        If there is no such file.
    """
    expect_instance("path", path, str, os.PathLike)
    source = Path(path)
    if source.is_fifo() or source.is_char_device():
        raise ValueError(f"expected a regular file, got {source}, which may have no end")
    try:
        with source.open(encoding="utf-8-sig", newline="") as lines:
            return _partition(lines)
    except (ValueError, csv.Error) as error:
        raise ValueError(
            f"expected a credal partition as a table with a column for each focal set, got {source}: {error}"
        ) from error


def _rows(partition: CredalPartition) -> Iterable[list]:
    focal_sets = partition.focal_sets
    if not focal_sets.has_empty:
        partition = partition.on(FocalSets(focal_sets.n_clusters, (0, *focal_sets.masks)))
    membership = partition.focal_sets.membership.astype(int)
    yield [LABELS, *("".join(map(str, row)) for row in membership)]
    for label, row in zip(partition.labels("plausibility") + 1, partition.masses):
        yield [int(label), *row.tolist()]


def _partition(lines: Iterable[str]) -> CredalPartition:
    reader = csv.reader(lines)
    header = next(reader, [])
    columns = [j for j, name in enumerate(header) if name and set(name) <= {"0", "1"}]
    focal_sets = _focal_sets([header[j] for j in columns], header)
    numbers = array("d")
    for cells in filter(None, reader):  # without blank lines
        if len(cells) != len(header):
            expected = f"{len(header)} cells, as in the header"
            raise ValueError(f"expected {expected}, got {len(cells)} in line {reader.line_num}")
        try:
            numbers.extend(float(cells[j]) for j in columns)
        except ValueError as error:
            raise ValueError(f"{error} in line {reader.line_num}") from None
    masses = np.reshape(numbers, (-1, len(focal_sets)))
    if not len(masses):
        raise ValueError(f"expected masses of shape (n, f) with n >= 1, got shape {masses.shape}")
    return CredalPartition(masses, focal_sets)


def _focal_sets(words: list[str], header: list[str]) -> FocalSets:
    if len({len(word) for word in words}) != 1:
        expected = "columns named after focal sets, with a 0 or 1 for each cluster, such as 000, 100, 010"
        more = ", ..." if len(header) > FEW else ""
        raise ValueError(f"expected {expected}, got {', '.join(header[:FEW]) or 'none'}{more}")
    sets = [[k for k, digit in enumerate(word) if digit == "1"] for word in words]
    return FocalSets.from_sets(len(words[0]), sets)

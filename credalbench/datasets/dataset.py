"""The container of every data set: read-only arrays and their provenance."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from credalbench.core.arguments import expect

if TYPE_CHECKING:
    import pandas as pd

DATA_TYPES = ("attributes", "categorical", "dissimilarities", "image", "labels")


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A data set with its provenance.

    Parameters
    ----------
    name : str
        Name under which the set is loaded or generated.
    X : ndarray of shape (n, p) or None
        Attribute vectors, read-only floats. Categorical attributes are integer codes whose order has no
        meaning. NaN is a missing value; it occurs only after ``load(name, missing="keep")``.
    D : ndarray of shape (n, n) or None
        Dissimilarities, read-only, if the set consists of them instead of attributes.
    y : ndarray of shape (n,) or None
        True classes 0, 1, ... in the order of `class_names`; None if there are none.
    class_names, feature_names, object_names : tuple of str
        Names of classes, attributes and objects; empty if there are none.
    categories : tuple of tuple of str
        Names of the codes 0, 1, ... of each categorical attribute; empty if codes have no names or are
        numbers.
    data_type : str
        One of "attributes", "categorical", "dissimilarities", "image" or "labels".
    image_shape : (int, int) or None
        Rows and columns of the image whose pixels, row by row, are the objects.
    description, licence, citation, source : str
        Content and authors of the set, terms of use, publication to cite, and origin of the numbers.
    status : str
        One of "given" (as published), "rebuilt" (derived from the text and checked), "calibrated substitute"
        (tuned to printed results, not the authors' values), "substitute" or "candidate".
    substitute_for : str or None
        The lost or private data that this set replaces. Results on a substitute never count as agreement with
        a paper.
    n_dropped : int
        Number of objects dropped because of missing values.
    expected_clusters : int or None
        Number of clusters to find if there are no true classes.
    used_by : tuple of str
        One "paper key: figures and tables" for each paper that uses the set.
    """

    name: str
    X: np.ndarray | None = None
    D: np.ndarray | None = None
    y: np.ndarray | None = None
    class_names: tuple[str, ...] = ()
    feature_names: tuple[str, ...] = ()
    object_names: tuple[str, ...] = ()
    categories: tuple[tuple[str, ...], ...] = ()
    data_type: str = "attributes"
    image_shape: tuple[int, int] | None = None
    description: str = ""
    licence: str = ""
    citation: str = ""
    source: str = ""
    status: str = "given"
    substitute_for: str | None = None
    n_dropped: int = 0
    expected_clusters: int | None = None
    used_by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for field, dtype, ndim in (("X", float, 2), ("D", float, 2), ("y", np.intp, 1)):
            value = getattr(self, field)
            if value is None:
                continue
            array = np.array(value, dtype=dtype, order="C")
            array.setflags(write=False)
            expect(array.ndim == ndim, f"{field} of {self.name} with {ndim} dimensions", array.ndim)
            object.__setattr__(self, field, array)
        self._check_shapes()

    def __setstate__(self, state: dict) -> None:
        """Restore a pickled set, as in a parallel worker: pickling forgets that arrays are read-only."""
        self.__dict__.update(state)
        self.__post_init__()

    def _check_shapes(self) -> None:
        arrays = {"X": self.X, "D": self.D, "y": self.y}
        lengths = {field: len(array) for field, array in arrays.items() if array is not None}
        equal = len(set(lengths.values())) == 1
        expect(equal, f"X, D and y of equal length in {self.name}", lengths or "no array at all")
        square = self.D is None or self.D.shape[0] == self.D.shape[1]
        expect(square, f"a square matrix D in {self.name}", np.shape(self.D))
        expect(self.data_type in DATA_TYPES, f"data_type in {DATA_TYPES}", self.data_type)
        if self.y is not None:
            expect(self.y.min() >= 0, f"classes 0, 1, ... in {self.name}", int(self.y.min()))
            named = not self.class_names or self.y.max() < len(self.class_names)
            names = f"{len(self.class_names)} class names"
            expect(named, f"a name for each class of {self.name}", f"class {self.y.max()} and only {names}")

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return next(len(array) for array in (self.X, self.D, self.y) if array is not None)

    @property
    def n_features(self) -> int | None:
        """Number of attributes p; None if there are no attributes."""
        return None if self.X is None else self.X.shape[1]

    @property
    def n_clusters(self) -> int | None:
        """Number of true classes, or of clusters to find if there are no true classes."""
        if self.class_names:
            return len(self.class_names)
        return self.expected_clusters if self.y is None else int(self.y.max()) + 1

    @property
    def class_counts(self) -> dict[str, int]:
        """Number of objects of each class; empty if there are no true classes."""
        if self.y is None:
            return {}
        names = self.class_names or tuple(map(str, range(self.n_clusters)))
        return dict(zip(names, np.bincount(self.y, minlength=len(names)).tolist()))

    def to_frame(self) -> pd.DataFrame:
        """Return the attributes as a readable table.

        Returns
        -------
        pandas.DataFrame of shape (n, p)
            Rows and columns have the names of objects and attributes, if there are any. Categories have their
            names, or are integers.

        Raises
        ------
        ValueError
            If the set has no attributes.

        Examples
        --------
        >>> from credalbench.datasets import load
        >>> load("cat_diamond").to_frame().iloc[0].tolist()
        ['a', 'b']
        """
        import pandas as pd

        if self.X is None:
            raise ValueError(f"{self.name} has no attributes")
        categorical = self.data_type == "categorical" and np.isfinite(self.X).all()
        X = self.X.astype(int) if categorical else self.X
        frame = pd.DataFrame(X, index=self.object_names or None, columns=self.feature_names or None)
        for attribute, names in zip(frame.columns, self.categories):
            if names:
                frame[attribute] = frame[attribute].map(dict(enumerate(names)))
        return frame

    def dissimilarities(self, metric: str = "euclidean") -> np.ndarray:
        """Compute the dissimilarities of all pairs of objects.

        Parameters
        ----------
        metric : str, default "euclidean"
            A metric of :func:`scipy.spatial.distance.pdist` ("cityblock", "hamming", ...). If the set
            consists of dissimilarities, the method returns these and allows no other metric.

        Returns
        -------
        ndarray of shape (n, n)
            Symmetric with zero diagonal, in the units of the attributes. Takes 8 n² bytes and O(n² p) time.

        Raises
        ------
        ValueError
            If the set has neither attributes nor dissimilarities, values are missing, or `metric` is given
            for a set of dissimilarities.

        Examples
        --------
        >>> from credalbench.datasets import load
        >>> float(load("butterfly").dissimilarities()[0, 10])
        10.0
        """
        if self.D is not None:
            if metric not in ("euclidean", "precomputed"):
                raise ValueError(f"{self.name} is given by its dissimilarities: got metric={metric!r}")
            return self.D
        if self.X is None:
            raise ValueError(f"{self.name} has neither attributes nor dissimilarities")
        if np.isnan(self.X).any():
            raise ValueError(f'{self.name} has missing values: load it with missing="drop"')
        from scipy.spatial.distance import pdist, squareform

        return squareform(pdist(self.X, metric))

    def _facts(self) -> dict[str, str]:
        """Return the facts that both representations show."""
        facts = {"objects": str(self.n_objects)}
        if self.n_features is not None:
            facts["attributes"] = str(self.n_features)
        if self.D is not None:
            facts["given by"] = "dissimilarities"
        if self.n_clusters is not None:
            facts["clusters" if self.y is None else "classes"] = str(self.n_clusters)
        if self.n_dropped:
            facts["dropped (missing values)"] = str(self.n_dropped)
        if self.substitute_for:
            facts["substitute for"] = self.substitute_for
        return facts

    def __repr__(self) -> str:
        facts = ", ".join(f"{key}: {value}" for key, value in self._facts().items())
        return f"<Dataset {self.name} ({facts})>"

    def _repr_html_(self) -> str:
        facts = self._facts() | {"status": self.status}
        if self.class_counts:
            facts["class sizes"] = ", ".join(f"{name}: {count}" for name, count in self.class_counts.items())
        facts |= {
            "about": self.description,
            "cite": self.citation,
            "licence": self.licence,
            "source": self.source,
        }
        rows = "".join(
            f'<tr><th style="text-align:left;vertical-align:top">{escape(key)}</th>'
            f'<td style="text-align:left">{escape(value)}</td></tr>'
            for key, value in facts.items()
            if value
        )
        return f"<table><caption><b>{escape(self.name)}</b></caption><tbody>{rows}</tbody></table>"

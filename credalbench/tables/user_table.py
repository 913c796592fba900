"""A table of one's own as it was understood: attributes or dissimilarities, what is left out or asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics.pairwise import nan_euclidean_distances

from credalbench.arguments import expect
from credalbench.resources import expect_memory
from credalbench.tables.cells import first_few
from credalbench.tables.gower import gower_dissimilarities
from credalbench.tables.layout import Layout
from credalbench.tables.roles import Column, Question

#: Columns that are listed one by one.
MAX_COLUMNS = 200
LEFT = "text-align:left;vertical-align:top;padding:1px 10px 1px 0"


@dataclass(frozen=True, eq=False, repr=False)
class UserTable:
    """A table as `read_user_table` understood it.

    Attributes
    ----------
    name : str
        What the data are called.
    kind : {"numbers", "categories", "mixed", "dissimilarities"}
    frame : DataFrame of shape (n, p), or (n, n) of dissimilarities
        Attributes: columns of floats, and of texts for categories. Its index has the names of the objects,
        or their numbers from 0. Values are missing only where that is asked about, or where they are skipped.
    y : ndarray of int, shape (n,), or None
        True classes, in the order of `class_names`; −1 where that is asked about.
    class_names : tuple of str
    columns : tuple of Column
        What each column was taken for; of dissimilarities none.
    questions : tuple of Question
        What only the owner knows, with the arguments that answer it. None are left where all are answered.
    said : tuple of str
        What was done to the data, and what was left out.
    lines : ndarray of int, shape (n,), or None
        Where each object begins in the file, from line 1.
    n_rows : int
        Objects of the source; more than n where some were drawn or left out.
    layout : Layout or None
        Encoding, delimiter and header of a file.
    text : str or None
        The file.
    skips : bool
        Whether missing values are skipped, in dissimilarities.
    source : str, os.PathLike, bytes, DataFrame, array or None
        What was read.
    arguments : dict
        What `read_user_table` was told besides; `read_again` takes others.

    Notes
    -----
    Hand `X` or `D` to an estimator, and its partition knows the names of the objects.
    """

    name: str
    kind: str
    frame: pd.DataFrame
    n_rows: int
    y: np.ndarray | None = None
    class_names: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    questions: tuple[Question, ...] = ()
    said: tuple[str, ...] = ()
    lines: np.ndarray | None = None
    layout: Layout | None = None
    text: str | None = None
    skips: bool = False
    source: object = None
    arguments: Mapping[str, object] = field(default_factory=dict)

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return len(self.frame)

    @property
    def index(self) -> pd.Index:
        """Names of the objects, or their numbers from 0."""
        return self.frame.index

    @property
    def X(self) -> pd.DataFrame:
        """Attributes (n, p), numbers all of them and none missing.

        Raises
        ------
        ValueError
            Dissimilarities, categories, or missing values; a question that has to be answered first.
        """
        self.expect_answers()
        if self.kind == "dissimilarities":
            raise ValueError(f"{self.name} has dissimilarities, which are D, and no attributes")
        if self.kind != "numbers":
            numbers = self.frame.select_dtypes("number").columns
            words = first_few(self.frame.columns.difference(numbers, sort=False))
            raise ValueError(f"{self.name} has categories, {words}: their Gower dissimilarities are D")
        if self.skips:
            raise ValueError(f"{self.name} has missing values, which only the dissimilarities D skip")
        return self.frame

    @property
    def D(self) -> pd.DataFrame:
        """Dissimilarities (n, n): those of the file, Euclidean distances of numbers, or Gower's.

        Where values are missing, distances of numbers are those in the attributes that both objects have,
        times the root of p over their number.

        Raises
        ------
        ValueError
            A question that has to be answered first; two objects that have no attribute in common.
        NotEnoughMemory

        Notes
        -----
        Computed anew each time: O(n² p) time, 8 n² bytes.
        """
        self.expect_answers()
        if self.kind == "dissimilarities":
            return self.frame
        D = self._euclidean() if self.kind == "numbers" else gower_dissimilarities(self.frame)
        return pd.DataFrame(D, index=self.index, columns=self.index)

    def _euclidean(self) -> np.ndarray:
        n, X = self.n_objects, self.frame.to_numpy(float)
        expect_memory(24.0 * n**2, f"{n} x {n} dissimilarities", "max_objects, which draws some objects")
        if not self.skips:
            D = pdist(X)
            expect(
                np.isfinite(D).all(),
                f"numbers in {self.name} whose squares are finite",
                float(np.abs(X).max()),
            )
            return squareform(D)
        D = nan_euclidean_distances(X - np.nanmean(X, axis=0))  # centred: it subtracts squares
        if np.isnan(D).any():
            i, j = np.unravel_index(np.argmax(np.isnan(D)), D.shape)
            pair = f"{self.index[i]!r} and {self.index[j]!r}"
            raise ValueError(
                f"{self.name}: expected an attribute that two objects have both; {pair} have none"
            )
        return np.maximum(D, D.T)

    def expect_answers(self) -> None:
        """Refuse to hand out data before the questions are answered that there is no reading without.

        Raises
        ------
        ValueError
            It names the first of them, and the arguments that answer it.
        """
        for question in self.questions:
            if question.blocking:
                raise ValueError(f"{self.name}: {question}")

    # ---------------------------------------------------------------- telling

    def left_out(self) -> dict[str, str]:
        """Return the columns that are left out, and what they hold."""
        return {column.name: column.holds for column in self.columns if column.role == "left out"}

    def heading(self) -> str:
        """Objects, attributes and classes in a line."""
        if self.kind == "dissimilarities":
            return f"{self.n_objects} objects, a matrix of dissimilarities"
        p = self.frame.shape[1]
        kinds = {"numbers": "number", "categories": "category"}
        what = f"{p} attributes of both kinds" if self.kind == "mixed" else _count(p, kinds[self.kind])
        return f"{self.n_objects} objects, {what}, {self.classes_told()}"

    def classes_told(self) -> str:
        """Return how many classes there are, and where they come from."""
        column = next((column.name for column in self.columns if column.role == "classes"), None)
        if self.y is None or column is None:
            return "no classes"
        return f"{_count(len(self.class_names), 'class')} from column {column!r}"

    def _lines(self) -> Iterator[str]:
        """What is told of the table, a line each."""
        if self.layout is not None:
            yield f"read as {self.layout}"
        names = [column.name for column in self.columns if column.role == "names"]
        if names:
            yield f"names of the objects: column {names[0]!r}"
        for label, holds in self.left_out().items():
            yield f"left out: column {label!r} ({holds})"
        yield from self.said

    def __repr__(self) -> str:
        lines = [f"<UserTable {self.name}: {self.heading()}>", *(f"  {line}" for line in self._lines())]
        return "\n".join([*lines, *(f"  ? {question}" for question in self.questions)])

    def _repr_html_(self) -> str:
        asked = "".join(f"<li><b>?</b> {escape(str(question))}</li>" for question in self.questions)
        return f"<div>{self.summary_html(asked)}</div>"

    def summary_html(self, asked: str = "") -> str:
        """Return what was read as HTML: a line for all, a list, the first `MAX_COLUMNS` columns as a table.

        `asked` are further items of the list, as HTML.
        """
        heads = "".join(
            f'<th style="{LEFT}">{word}</th>' for word in ("column", "holds", "taken for", "missing")
        )
        rows = "".join(
            _row(column.name, column.holds, column.role, str(column.n_missing or ""))
            for column in self.columns[:MAX_COLUMNS]
        )
        more = len(self.columns) - MAX_COLUMNS
        rows += _row(f"and {more} more", "", "", "") if more > 0 else ""
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>" if rows else ""
        told = "".join(f"<li>{escape(line)}</li>" for line in self._lines())
        title = f"<p><b>{escape(self.name)}</b>: {escape(self.heading())}</p>"
        return f"{title}<ul>{told}{asked}</ul>{table}"


def _row(*cells: str) -> str:
    return "<tr>" + "".join(f'<td style="{LEFT}">{escape(cell)}</td>' for cell in cells) + "</tr>"


def _count(number: int, noun: str) -> str:
    plural = {"category": "categories", "class": "classes"}.get(noun, f"{noun}s")
    return f"{number} {noun if number == 1 else plural}"

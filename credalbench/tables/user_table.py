"""A user table after reading: attributes or dissimilarities, what was left out, and open questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics.pairwise import nan_euclidean_distances

from credalbench.core.arguments import LARGEST, Count, expect
from credalbench.core.resources import expect_memory
from credalbench.tables.cells import first_few
from credalbench.tables.gower import gower_dissimilarities
from credalbench.tables.layout import Layout
from credalbench.tables.roles import Column, Question

#: Largest number of columns that are listed.
MAX_COLUMNS = 200
LEFT = "text-align:left;vertical-align:top;padding:1px 10px 1px 0"


@dataclass(frozen=True, eq=False, repr=False)
class UserTable:
    r"""A table as read by `read_user_table`.

    Parameters
    ----------
    name : str
        Name of the data.
    kind : {"numbers", "categories", "mixed", "dissimilarities"}
        What the table holds.
    frame : DataFrame of shape (n, p) or (n, n)
        Attributes, numbers as floats and categories as text; or dissimilarities. The index holds the names of
        the objects, or the numbers of their rows in the source, from 0. Values are missing only if a question
        about them is open or if they are skipped.
    n_rows : int
        Number of objects of the source; more than n if some were left out or a sample was drawn.
    y : ndarray of int, shape (n,), optional
        True classes as positions in `class_names`; −1 if missing.
    class_names : tuple of str, default=()
        Names of the true classes.
    columns : tuple of Column, default=()
        Content and role of each column; empty for dissimilarities.
    questions : tuple of Question, default=()
        Open questions, with the arguments that answer them.
    answered : tuple of Question, default=()
        Questions whose likely answers were taken.
    notes : tuple of str, default=()
        What was done to the data, and what was left out.
    lines : ndarray of int, shape (n,), optional
        Line of the file where each object begins, from 1.
    layout : Layout, optional
        Encoding, delimiter and header of a file.
    text : str, optional
        Text of a file; that of the sample, if one was drawn from a large file.
    skips_missing : bool, default=False
        Whether missing values are skipped in dissimilarities.
    original : DataFrame of shape (n, q), optional
        Attributes before values were scaled or imputed, with the true classes and the columns that were left
        out and can be described; None for dissimilarities.
    source : str, os.PathLike, bytes, DataFrame or array, optional
        The source of the data.
    arguments : dict, default={}
        The other arguments of `read_user_table`.

    See Also
    --------
    read_user_table : Read a user table.
    answer_questions : Read a user table again, with answers to its questions.

    Notes
    -----
    An estimator that is fitted to `X` or `D` returns a partition with the names of the objects.

    Examples
    --------
    >>> from credalbench.tables import read_user_table
    >>> table = read_user_table(b"plant,height,width\nash,1.5,2\nelm,2.5,7\noak,4,3\n")
    >>> table
    <UserTable table: 3 objects, 2 numeric attributes, no classes>
      read as utf-8, columns separated by commas, with a header
      names of the objects: column 'plant'
    >>> table.D.loc["ash", "oak"].round(2)
    np.float64(2.69)
    """

    name: str
    kind: str
    frame: pd.DataFrame
    n_rows: int
    y: np.ndarray | None = None
    class_names: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    questions: tuple[Question, ...] = ()
    answered: tuple[Question, ...] = ()
    notes: tuple[str, ...] = ()
    lines: np.ndarray | None = None
    layout: Layout | None = None
    text: str | None = None
    skips_missing: bool = False
    original: pd.DataFrame | None = None
    source: object = None
    arguments: Mapping[str, object] = field(default_factory=dict)

    @property
    def n_objects(self) -> int:
        """Number n of objects."""
        return len(self.frame)

    @property
    def index(self) -> pd.Index:
        """Names of the objects, or their positions from 0."""
        return self.frame.index

    @property
    def X(self) -> pd.DataFrame:
        """Numeric attributes, without missing values: DataFrame of shape (n, p).

        Raises
        ------
        ValueError
            If the table has dissimilarities, categories or missing values, or if a blocking question is open.
        """
        self.expect_answers()
        if self.kind == "dissimilarities":
            raise ValueError(f"{self.name} has dissimilarities and no attributes; use D instead of X")
        if self.kind != "numbers":
            numbers = self.frame.select_dtypes("number").columns
            words = first_few(self.frame.columns.difference(numbers, sort=False))
            raise ValueError(f"{self.name} has categories in {words}; use D, the Gower dissimilarities")
        if self.skips_missing:
            raise ValueError(f"{self.name} has missing values, which only D can skip; use D instead of X")
        return self.frame

    @property
    def D(self) -> pd.DataFrame:
        """Dissimilarities: DataFrame of shape (n, n).

        These are the dissimilarities of the file, Euclidean distances of numeric attributes, or Gower's
        dissimilarities. If values are missing, a Euclidean distance is computed from the m attributes that
        both objects have, and multiplied by the square root of p / m.

        Raises
        ------
        ValueError
            If a blocking question is open, or if two objects have no attribute in common.
        NotEnoughMemory
            If the matrix does not fit into memory.

        Notes
        -----
        Computed at each access: O(n² p) time, 8 n² bytes.
        """
        self.expect_answers()
        if self.kind == "dissimilarities":
            return self.frame
        D = self._euclidean() if self.kind == "numbers" else gower_dissimilarities(self.frame)
        return pd.DataFrame(D, index=self.index, columns=self.index)

    def _euclidean(self) -> np.ndarray:
        n, X = self.n_objects, self.frame.to_numpy(float)
        expect_memory(24.0 * n**2, f"{n} x {n} dissimilarities", "max_objects to draw a sample")
        largest = float(np.nanmax(np.abs(X)))
        expect(largest <= LARGEST, f"numbers in {self.name} whose squares are finite", largest)
        if not self.skips_missing:
            return squareform(pdist(X))
        D = nan_euclidean_distances(X - np.nanmean(X, axis=0))  # centred, because it subtracts squares
        if np.isnan(D).any():
            i, j = np.unravel_index(np.argmax(np.isnan(D)), D.shape)
            pair = f"{self.index[i]!r} and {self.index[j]!r}"
            raise ValueError(f"{self.name}: expected objects with a common attribute; {pair} have none")
        return np.maximum(D, D.T)

    def expect_answers(self) -> None:
        """Raise an error if a blocking question is open.

        Raises
        ------
        ValueError
            If a blocking question is open; the message states the arguments that answer it.
        """
        for question in self.questions:
            if question.blocking:
                raise ValueError(f"{self.name}: {question}")

    def sample(self, n_objects: int, random_state: int = 0) -> UserTable:
        """Draw some of the objects at random.

        Parameters
        ----------
        n_objects : int
            Size of the sample.
        random_state : int, default=0
            Seed.

        Returns
        -------
        UserTable
            The sample, in the order of the table and with the names of the objects; the table itself if it is
            not larger.

        Raises
        ------
        ValueError
            If `n_objects` is less than 3.
        """
        n_objects, n = Count(3).read("n_objects", n_objects), self.n_objects
        if n <= n_objects:
            return self
        rows = np.sort(np.random.default_rng(random_state).choice(n, n_objects, replace=False))
        note = f"{n_objects} of {n} objects, drawn with seed {random_state}"
        return replace(
            self,
            frame=self.frame.iloc[rows, rows] if self.kind == "dissimilarities" else self.frame.iloc[rows],
            y=None if self.y is None else self.y[rows],
            lines=None if self.lines is None else self.lines[rows],
            original=None if self.original is None else self.original.iloc[rows],
            notes=(*self.notes, note),
        )

    # ---------------------------------------------------------------- summaries

    def left_out(self) -> dict[str, str]:
        """Return the columns that are left out.

        Returns
        -------
        dict of str to str
            Names of the columns and their content.
        """
        return {column.name: column.content for column in self.columns if column.role == "left out"}

    def supplementary(self) -> list[str]:
        """Return the columns of `original` that are not attributes.

        Returns
        -------
        list of str
            Names of the columns.
        """
        return [] if self.original is None else [name for name in self.original if name not in self.frame]

    def heading(self) -> str:
        """Return the numbers of objects, attributes and classes in one line.

        Returns
        -------
        str
            The line, without a full stop.
        """
        if self.kind == "dissimilarities":
            return f"{self.n_objects} objects, a matrix of dissimilarities"
        numeric = self.frame.select_dtypes("number").shape[1]
        counts = {"numeric": numeric, "categorical": self.frame.shape[1] - numeric}
        kinds = " and ".join(f"{count} {kind}" for kind, count in counts.items() if count)
        attributes = "attribute" if self.frame.shape[1] == 1 else "attributes"
        return f"{self.n_objects} objects, {kinds or 'no'} {attributes}, {self.class_summary()}"

    def class_summary(self) -> str:
        """Return the number of true classes and their column.

        Returns
        -------
        str
            Such as "3 classes from column 'species'".
        """
        column = next((column.name for column in self.columns if column.role == "classes"), None)
        if self.y is None or column is None:
            return "no classes"
        c = len(self.class_names)
        return f"{c} {'class' if c == 1 else 'classes'} from column {column!r}"

    def _details(self) -> Iterator[str]:
        """Yield the lines of the summary."""
        if self.layout is not None:
            yield f"read as {self.layout}"
        names = [column.name for column in self.columns if column.role == "names"]
        if names:
            yield f"names of the objects: column {names[0]!r}"
        for label, content in self.left_out().items():
            yield f"left out: column {label!r} ({content})"
        yield from self.notes

    def __repr__(self) -> str:
        lines = [f"<UserTable {self.name}: {self.heading()}>", *(f"  {line}" for line in self._details())]
        return "\n".join([*lines, *(f"  ? {question}" for question in self.questions)])

    def _repr_html_(self) -> str:
        questions = "".join(f"<li><b>?</b> {escape(str(question))}</li>" for question in self.questions)
        return f"<div>{self.summary_html(questions)}</div>"

    def summary_html(self, items: str = "") -> str:
        """Return a summary as HTML: a heading, a list, and a table of the first 200 columns.

        Parameters
        ----------
        items : str, default=""
            Further items of the list, as HTML.

        Returns
        -------
        str
            The HTML, in which text of the table is escaped.
        """
        heads = "".join(
            f'<th style="{LEFT}">{word}</th>' for word in ("column", "content", "read as", "missing")
        )
        rows = "".join(
            _row(column.name, column.content, column.role, str(column.n_missing or ""))
            for column in self.columns[:MAX_COLUMNS]
        )
        more = len(self.columns) - MAX_COLUMNS
        rows += _row(f"and {more} more", "", "", "") if more > 0 else ""
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>" if rows else ""
        details = "".join(f"<li>{escape(line)}</li>" for line in self._details())
        title = f"<p><b>{escape(self.name)}</b>: {escape(self.heading())}</p>"
        return f"{title}<ul>{details}{items}</ul>{table}"


def _row(*cells: str) -> str:
    return "<tr>" + "".join(f'<td style="{LEFT}">{escape(cell)}</td>' for cell in cells) + "</tr>"

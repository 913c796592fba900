"""What stands in the place of a figure or a table whose cases were left out."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from .store import FAILURES, LEFT_OUT

if TYPE_CHECKING:
    import pandas as pd


class LeftOut:
    """Tells why, in a notebook or as text; what is asked of it is left out, too.

    So a notebook runs to its end where data are missing, and says so in each place that wanted them.
    """

    def __init__(self, why: str) -> None:
        self._why = why

    def __getattr__(self, name: str) -> Self:
        if name.startswith("_"):  # what IPython and copy look for is not there
            raise AttributeError(name)
        return self

    def __getitem__(self, key: object) -> Self:
        return self

    def __call__(self, *args: object, **options: object) -> Self:
        return self

    def __repr__(self) -> str:
        return f"left out: {self._why}"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>"


class Tables(dict):
    """Tables by name; where cases were left out, one that is not there is `LeftOut`, not an error."""

    def __init__(self, tables: Mapping[str, pd.DataFrame]) -> None:
        super().__init__(tables)
        self.why = why_left_out(tables)

    def __missing__(self, name: str) -> Any:
        if not self.why:
            raise KeyError(name)
        return LeftOut(self.why)


def why_left_out(tables: Mapping[str, pd.DataFrame]) -> str:
    """Why cases were left out, each reason by the first line of its error, or empty."""
    if FAILURES not in tables:
        return ""
    failures = tables[FAILURES]
    reasons = failures.loc[failures["status"] == LEFT_OUT, "reason"]
    return "; ".join(dict.fromkeys(str(reason).splitlines()[0].rstrip(":") for reason in reasons))

"""Placeholders of figures and tables whose cases were left out, because their data are not available."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from .tables import FAILURES

if TYPE_CHECKING:
    import pandas as pd


LEFT_OUT = "left out"  # status of a case whose error has the attribute ``leaves_out``


class LeftOut:
    """Placeholder that shows the reason; its attributes, items and results are placeholders, too.

    A notebook thus runs to its end even if data are missing, and each place that needs them shows the reason.
    """

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def __getattr__(self, name: str) -> Self:
        if name.startswith("_"):  # protocols of IPython and copy
            raise AttributeError(name)
        return self

    def __getitem__(self, key: object) -> Self:
        return self

    def __call__(self, *args: object, **options: object) -> Self:
        return self

    def __repr__(self) -> str:
        return f"left out: {self._reason}"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>"


class Tables(dict):
    """Tables by name; if cases were left out, a missing table is a `LeftOut`, not an error."""

    def __init__(self, tables: Mapping[str, pd.DataFrame]) -> None:
        super().__init__(tables)
        self.reason = reason_left_out(tables)

    def __missing__(self, name: str) -> Any:
        if not self.reason:
            raise KeyError(name)
        return LeftOut(self.reason)


def reason_left_out(tables: Mapping[str, pd.DataFrame]) -> str:
    """Return why cases were left out, each reason as the first line of its error; empty if none were."""
    if FAILURES not in tables:
        return ""
    failures = tables[FAILURES]
    reasons = failures.loc[failures["status"] == LEFT_OUT, "reason"]
    return "; ".join(dict.fromkeys(str(reason).splitlines()[0].rstrip(":") for reason in reasons))

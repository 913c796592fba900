"""HTML of read-outs, messages and headings, and tooltips: a text and explanations of its terms.

On hover a tooltip is shown as title. The tooltip of the element with keyboard focus is shown for some seconds
in the lower right corner of the window, until keys move its slider.
"""

from collections.abc import Iterable
from functools import lru_cache
from html import escape

import numpy as np

from credalbench.cluster.constrained.report import BY_AN_OUTLIER, VIOLATED
from credalbench.core.glossary import terms_in
from credalbench.explore.linking import counted
from credalbench.explore.stepping import Fitted, Stepped

#: Largest number of explained terms.
MOST_TERMS = 3
READ_OUT = "credalbench-read-out"
#: Style of the tooltip of the focused element.
READ_BY_FOCUS = (
    "position:fixed;right:16px;bottom:32px;max-width:420px;padding:8px 12px;z-index:99;"
    "background:var(--cb-hint,#222);color:#fff;border-radius:4px;font-size:14px;line-height:1.4;text-align:left;"
    "white-space:pre-line;content:attr(title);animation:credalbench-read 15s forwards"
)
#: CSS selectors of focused labels, buttons and read-outs, also in handouts.
HINT_STYLE = (
    "<style>@keyframes credalbench-read{99%{visibility:visible}to{visibility:hidden}}"
    ".jupyter-widgets:not(.credalbench-moved):has(> * :focus-visible) > .widget-label[title]::after,"
    ".jupyter-widgets:has(> :focus-visible) > .widget-label[title]::after,"
    ".moving > label[title]:has(> :focus-visible)::after,"
    f".jupyter-button[title]:focus-visible::after,.{READ_OUT}:focus-visible::after{{{READ_BY_FOCUS}}}"
    "</style>"
)


@lru_cache(maxsize=1024)  # read-outs are written with every picture
def hint(label: str, words: str) -> str:
    """Return the words, followed by explanations of the terms in them and in the label."""
    terms = terms_in(f"{label}\n{words}")[:MOST_TERMS]
    explained = "".join(f"\n\n{term.name}: {term.explanation}" for term in terms)
    return f"{words}{explained}"


#: Name, value and meaning.
Tile = tuple[str, object, str]

_UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap"
_TILE = (
    '<div class="{kind}" tabindex="0" title="{hint}" style="padding:2px 14px 4px 0">'
    '<div style="font-size:11px;line-height:14px;opacity:.7">{name}</div>'
    '<div style="font-size:17px;line-height:22px;font-variant-numeric:tabular-nums">{value}</div></div>'
)
RULE_HTML = '<hr style="margin:4px 0;border:none;border-top:1px solid var(--cb-faint,#dadada)">'


def without_times(tiles: Iterable[Tile]) -> list[Tile]:
    """Return the read-outs that do not depend on the machine."""
    return [tile for tile in tiles if not str(tile[1]).endswith(" ms")]


def read_outs_html(tiles: Iterable[Tile], words: str) -> str:
    """Return a row of read-outs, with the description of the picture for screen readers."""
    cells = "".join(
        _TILE.format(kind=READ_OUT, name=name, value=value, hint=escape(hint(name, meaning)))
        for name, value, meaning in tiles
    )
    # Core image widgets have no alternative text (and fail in the browser when given a tooltip).
    unseen = f'<span role="status" style="{_UNSEEN}">{escape(words)}</span>'
    return f'<div style="display:flex;flex-wrap:wrap;position:relative">{cells}{unseen}</div>'


def message_html(text: str, wrong: bool) -> str:
    """Return a message in a frame coloured by status, or "" for an empty text."""
    if not text:
        return ""
    colour = "#D55E00" if wrong else "#009E73"
    return (
        f'<div role="status" style="border-left:3px solid {colour};padding:1px 8px;margin:4px 2px;'
        f'line-height:1.35;font-size:13px;white-space:normal">{escape(text)}</div>'
    )


def heading_html(text: str) -> str:
    """Return the heading of an explorer."""
    return f'<div style="font-size:17px;font-weight:600;line-height:26px">{escape(text)}</div>'


def iterations(n_iter: int, converged: bool) -> str:
    """Return the number of iterations, and whether the limit was reached."""
    return f"{n_iter}{'' if converged else ' (cap)'}"


def share(value: float | None) -> str:
    """Return a number in [0, 1] with three digits, or a dash if it is unknown."""
    return "–" if value is None else f"{value:.3f}"


def measures(fitted: Fitted) -> list[Tile]:
    """Return the read-outs of agreement and imprecision."""
    return [
        ("ARI", share(fitted.ari), "Adjusted Rand index against the true classes"),
        ("nonspecificity", share(fitted.nonspecificity), "Imprecision of the masses, 0 to 1"),
    ]


def objective_tile(fitted: Fitted) -> Tile:
    """Return the read-out of the objective."""
    return "objective J", f"{fitted.objective:.4g}", "After the current iteration"


def outlier_tile(fitted: Fitted) -> Tile:
    """Return the read-out of the number of outliers."""
    return "outliers", fitted.n_outliers, "Objects whose largest mass is on the empty set"


def iteration_tile(fitted: Stepped, hint: str = "Iterations done, and until the end of the run") -> Tile:
    """Return the read-out of the iteration."""
    return "iteration", f"{fitted.iteration} of {iterations(fitted.n_iter, fitted.converged)}", hint


def fit_tiles(fitted: Fitted) -> list[Tile]:
    """Return the read-outs of any fit."""
    return [*measures(fitted), objective_tile(fitted), outlier_tile(fitted), iteration_tile(fitted)]


def fit_text(fitted: Fitted) -> str:
    """Return the description of any picture for screen readers."""
    return f"{fitted.words(type(fitted.estimator).__name__)}, with {fitted.n_outliers} outliers."


def outcome_tiles(outcomes: np.ndarray) -> list[Tile]:
    """Return the read-outs of the outcomes of constraints (q,)."""
    violated = "Constraints that the clusters of highest pignistic probability violate"
    outlying = "Constraints on an outlier: it is in none of the clusters, so they cost nothing, true or false"
    words = {VIOLATED: violated, BY_AN_OUTLIER: outlying}
    return [(outcome, counted(outcomes, outcome), meaning) for outcome, meaning in words.items()]


def outcome_text(outcomes: np.ndarray) -> str:
    """Return the outcomes of constraints (q,) in words."""
    violated, outlying = (np.count_nonzero(outcomes == outcome) for outcome in (VIOLATED, BY_AN_OUTLIER))
    return f"with {len(outcomes)} constraints, {violated} of them violated and {outlying} met by an outlier"

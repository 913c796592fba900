"""Tooltips: a text and explanations of its terms.

On hover a tooltip is shown as title. The tooltip of the element with keyboard focus is shown for some seconds
in the lower right corner of the window, until keys move its slider.
"""

from functools import lru_cache

from credalbench.core.glossary import terms_in

#: Largest number of explained terms.
MOST_TERMS = 3
#: CSS class of read-outs.
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
    terms = terms_in(label, words)[:MOST_TERMS]
    explained = "".join(f"\n\n{term.name}: {term.explanation}" for term in terms)
    return f"{words}{explained}"

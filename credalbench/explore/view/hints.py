"""What stands over a control or a read-out: its own words, and the terms in them, explained.

A mouse finds it as a title; what has the focus of the keyboard shows it in the lower right corner of the
window, long enough to be read, and then leaves the picture free.
"""

from __future__ import annotations

from functools import lru_cache

from credalbench.glossary import terms_in

#: More would not be read.
MOST_TERMS = 3
READ_OUT = "credalbench-read-out"
#: How the title of what has the focus is shown.
READ_BY_FOCUS = (
    "position:fixed;right:16px;bottom:32px;max-width:420px;padding:8px 12px;z-index:99;"
    "background:#222;color:#fff;border-radius:4px;font-size:14px;line-height:1.4;text-align:left;"
    "white-space:pre-line;content:attr(title);animation:credalbench-read 15s forwards"
)
#: Of the label of a control whose part has the focus, of a button, and of a read-out; in a handout, too.
STYLE = (
    "<style>@keyframes credalbench-read{99%{visibility:visible}to{visibility:hidden}}"
    ".jupyter-widgets:has(> * :focus-visible) > .widget-label[title]::after,"
    ".jupyter-widgets:has(> :focus-visible) > .widget-label[title]::after,"
    ".moving > label[title]:has(> :focus-visible)::after,"
    f".jupyter-button[title]:focus-visible::after,.{READ_OUT}:focus-visible::after{{{READ_BY_FOCUS}}}"
    "</style>"
)


@lru_cache(maxsize=1024)  # read-outs are written with every picture
def hint(label: str, words: str) -> str:
    """Return the words, and below them the terms that they and the label use, explained."""
    terms = terms_in(f"{label}\n{words}")[:MOST_TERMS]
    explained = "".join(f"\n\n{term.name}: {term.explanation}" for term in terms)
    return f"{words}{explained}"

"""The terms of a lesson: links that explain them where they stand, and lead to a list at its end."""

from __future__ import annotations

import re

from credalbench.explore.shared.hints import READ_BY_FOCUS
from credalbench.glossary import Term, collapse_whitespace, sorted_terms, split_at_terms

HEADING = "Words"
ABOUT = "What has dots below it in this lesson, in plain sentences. A mouse or the Tab key shows them there."
#: What is not touched in Markdown: headings, code, links and what is in brackets already.
LEFT_ALONE = re.compile(r"(^#+ .*$|`[^`]*`|\[[^\]]*\](?:\([^)]*\))?)", re.MULTILINE)
_LINK = f'a[href$="#{HEADING}"]'
#: Of the links, wherever Markdown is shown.
STYLE = (
    f"<style>{_LINK}{{color:inherit!important;text-decoration:underline dotted!important;cursor:help}}"
    f"{_LINK}[title]:focus-visible::after{{{READ_BY_FOCUS}}}</style>"
)


class Words:
    """Explains the terms of a lesson, text after text, each where a section first uses it."""

    def __init__(self) -> None:
        self._told: set[str] = set()  # in this section
        self._used: set[str] = set()

    def explained(self, text: str) -> str:
        """Return Markdown whose terms are links with their explanation as title."""
        meant: dict[str, Term] = {}
        parts = LEFT_ALONE.split(text)
        for k in range(0, len(parts), 2):
            if k and parts[k - 1].startswith("#"):
                self._told.clear()
            parts[k] = self._linked(parts[k], meant)
        self._used |= {term.name for term in meant.values()}
        definitions = [f'[{piece}]: #{HEADING} "{term.explanation}"' for piece, term in meant.items()]
        return "\n".join(["".join(parts), *([""] if meant else []), *definitions])

    def _linked(self, text: str, meant: dict[str, Term]) -> str:
        """The text with its terms in brackets; adds what each of them means."""
        linked = []
        for piece, term in split_at_terms(text, self._told):
            linked.append(f"[{piece}]" if term else piece)
            meant |= {collapse_whitespace(piece): term} if term else {}
        return "".join(linked)

    def used(self) -> list[Term]:
        """The terms that were explained so far, by the alphabet."""
        return [term for term in sorted_terms() if term.name in self._used]

    def listed(self) -> str:
        """The list of them, as the last section of a lesson."""
        lines = (f"- **{term.title}**: {term.explanation}" for term in self.used())
        return "\n".join([f"## {HEADING}", "", ABOUT, "", *lines])

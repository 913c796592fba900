"""Explain the terms of a lesson: links at their first use, and a list at the end."""

import re

from credalbench.core.glossary import Term, collapse_whitespace, sorted_terms, split_at_terms
from credalbench.explore.view.hints import READ_BY_FOCUS

HEADING = "Glossary"
ABOUT = "These terms have a dotted underline in the text. Point at one, or press Tab, to see its explanation."
#: Parts of Markdown that stay unchanged: headings, code, links and text in brackets.
PROTECTED = re.compile(r"(^#+ .*$|`[^`]*`|\[[^\]]*\](?:\([^)]*\))?)", re.MULTILINE)
_LINK = f'a[href*="#{HEADING}-"]'
#: Style of the links.
STYLE = (
    f"<style>{_LINK}{{color:inherit!important;text-decoration:underline dotted!important;cursor:help}}"
    f"{_LINK}[title]:focus-visible::after{{{READ_BY_FOCUS}}}</style>"
)


class TermLinks:
    """Links that explain the terms of a lesson, at the first use in each section."""

    def __init__(self) -> None:
        self._explained: set[str] = set()  # in this section
        self._used: set[str] = set()

    def add(self, text: str) -> str:
        """Return Markdown in which terms are links; the title of a link is the explanation."""
        definitions: dict[str, Term] = {}
        parts = PROTECTED.split(text)
        for k in range(0, len(parts), 2):
            if k and parts[k - 1].startswith("#"):
                self._explained.clear()
            parts[k] = self._linked(parts[k], definitions)
        self._used |= {term.name for term in definitions.values()}
        lines = [
            f'[{piece}]: #{HEADING}-{term.anchor} "{term.explanation}"' for piece, term in definitions.items()
        ]
        return "\n".join(["".join(parts), *([""] if lines else []), *lines])

    def _linked(self, text: str, definitions: dict[str, Term]) -> str:
        """Put terms in brackets, and add their definitions."""
        linked = []
        for piece, term in split_at_terms(text, self._explained):
            linked.append(f"[{piece}]" if term else piece)
            definitions |= {collapse_whitespace(piece): term} if term else {}
        return "".join(linked)

    def used(self) -> list[Term]:
        """Return the terms that were explained so far, in alphabetical order."""
        return [term for term in sorted_terms() if term.name in self._used]

    def glossary(self) -> str:
        """Return the list of these terms as Markdown, the last section of a lesson."""
        lines = (
            f'- <span id="{HEADING}-{term.anchor}">**{term.title}**: {term.explanation}</span>'
            for term in self.used()
        )
        return "\n".join([f"## {HEADING}", "", ABOUT, "", *lines])

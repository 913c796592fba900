"""Glossary of the terms of the field, explained without formulas, for explorers, lessons and pages.

The terms are in ``glossary.toml``; docs/NOTATION.md has the symbols and their meaning in the papers.

>>> print(GLOSSARY["belief"].explanation)
The share of the mass that certainly supports a cluster.
>>> [term.name for term in terms_in("The smaller, the more outliers")]
['outlier']
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_suffix(".toml")


class Term(NamedTuple):
    """A term: its name, other forms in texts and on labels, and its explanation."""

    name: str
    forms: tuple[str, ...]
    labels: tuple[str, ...]
    explanation: str

    @property
    def title(self) -> str:
        """The name, followed by the symbol if there is one."""
        return ", ".join([self.name, *(form for form in self.forms if len(form) == 1)])

    @property
    def anchor(self) -> str:
        """Identifier of the term within a page, in ASCII: JupyterLab does not find others."""
        spelled = (
            sign if sign.isascii() else unicodedata.name(sign).split()[-1].lower() for sign in self.name
        )
        return "".join(spelled).replace(" ", "-")


def _read() -> dict[str, Term]:
    entries = tomllib.loads(SOURCE.read_text("utf-8")).items()
    lists = {name: [tuple(entry.get(key, ())) for key in ("forms", "labels")] for name, entry in entries}
    return {name: Term(name, *lists[name], entry["explanation"]) for name, entry in entries}


#: All terms by their names.
GLOSSARY: Mapping[str, Term] = _read()


def sorted_terms() -> list[Term]:
    """Return all terms in alphabetical order."""
    return sorted(GLOSSARY.values(), key=lambda term: term.name.casefold())


@cache
def _forms(on_labels: bool) -> tuple[re.Pattern, dict[str, Term]]:
    """Return a pattern that matches any form of a term, longest first, and the terms by their forms."""
    forms = {}
    for term in GLOSSARY.values():
        known = (term.name, *term.forms, *(term.labels if on_labels else ()))
        forms |= dict.fromkeys(map(str.casefold, known), term)
    longest_first = sorted(map(re.escape, forms), key=len, reverse=True)
    either = "|".join(longest_first).replace(r"\ ", r"\s+")  # forms may contain a line break
    return re.compile(rf"(?<!\w)({either})(?!\w)", re.IGNORECASE), forms


def collapse_whitespace(text: str) -> str:
    """Replace each run of white space by a single blank."""
    return " ".join(text.split())


def terms_in(label: str, text: str = "") -> list[Term]:
    """Return the terms that a label and its text use, in the order of their first use."""
    found: dict[Term, None] = {}
    for words, on_labels in ((label, True), (text, False)):
        pattern, forms = _forms(on_labels)
        matches = map(collapse_whitespace, pattern.findall(words))
        found |= dict.fromkeys(forms[match.casefold()] for match in matches)
    return list(found)


def split_at_terms(text: str, explained: set[str]) -> Iterator[tuple[str, Term | None]]:
    """Split a text at the first use of each term.

    Parameters
    ----------
    text : str
        Text to split.
    explained : set of str
        Names of the terms that are already explained; the function adds those of this text.

    Yields
    ------
    piece : str
        A part of the text.
    term : Term or None
        The term of the piece, if it needs an explanation.
    """
    pattern, forms = _forms(on_labels=False)
    end = 0
    for match in pattern.finditer(text):
        term = forms[collapse_whitespace(match[0]).casefold()]
        if term.name not in explained:
            explained.add(term.name)
            yield text[end : match.start()], None
            yield match[0], term
            end = match.end()
    yield text[end:], None

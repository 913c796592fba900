"""Words of the field in plain sentences, without formulas: one source for explorers, lessons and pages.

``glossary.toml`` beside this file has them. Symbols and their meaning in the papers are in docs/NOTATION.md.

>>> print(GLOSSARY["belief"].says)
How much of the mass speaks for a cluster for certain.
>>> [term.name for term in terms_in("The smaller, the more outliers")]
['outlier']
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_suffix(".toml")


class Term(NamedTuple):
    """A word, other forms of it in texts, what it is called on labels, and what it means."""

    name: str
    also: tuple[str, ...]
    labels: tuple[str, ...]
    says: str

    @property
    def title(self) -> str:
        """Its name, and its sign where it has one."""
        return ", ".join([self.name, *(form for form in self.also if len(form) == 1)])

    @property
    def place(self) -> str:
        """What a page calls the place where the term is explained."""
        return self.name.replace(" ", "-")


def _read() -> dict[str, Term]:
    found = {}
    for name, entry in tomllib.loads(SOURCE.read_text("utf-8")).items():
        forms = (tuple(entry.get(key, ())) for key in ("also", "labels"))
        found[name] = Term(name, *forms, entry["says"])
    return found


#: Terms by their names.
GLOSSARY: Mapping[str, Term] = _read()


def in_order() -> list[Term]:
    """Return all terms, by the alphabet."""
    return sorted(GLOSSARY.values(), key=lambda term: term.name.casefold())


@cache
def _forms(on_labels: bool) -> tuple[re.Pattern, dict[str, Term]]:
    """What finds a form of any term in a text, long ones before their parts; and whose form it is."""
    forms = {}
    for term in GLOSSARY.values():
        known = (term.name, *term.also, *(term.labels if on_labels else ()))
        forms |= dict.fromkeys(map(str.casefold, known), term)
    longest_first = sorted(map(re.escape, forms), key=len, reverse=True)
    either = "|".join(longest_first).replace(r"\ ", r"\s+")  # where a line is broken, too
    return re.compile(rf"(?<!\w)({either})(?!\w)", re.IGNORECASE), forms


def on_one_line(text: str) -> str:
    """Return a text with single spaces in place of all white space."""
    return " ".join(text.split())


def terms_in(text: str) -> list[Term]:
    """Return the terms that a label or a hint uses, each once, in the order of their first use."""
    pattern, forms = _forms(on_labels=True)
    return list(dict.fromkeys(forms[on_one_line(found).casefold()] for found in pattern.findall(text)))


def pieces(text: str, told: set[str]) -> Iterator[tuple[str, Term | None]]:
    """Cut a text where it uses terms for the first time.

    Parameters
    ----------
    text : str
    told : set of str
        Names of terms that are not explained again; those of this text are added.

    Yields
    ------
    piece : str
    term : Term or None
        The term that the piece is, where it is to be explained.
    """
    pattern, forms = _forms(on_labels=False)
    end = 0
    for found in pattern.finditer(text):
        term = forms[on_one_line(found[0]).casefold()]
        if term.name not in told:
            told.add(term.name)
            yield text[end : found.start()], None
            yield found[0], term
            end = found.end()
    yield text[end:], None

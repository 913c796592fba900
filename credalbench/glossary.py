"""Words of the field in plain sentences, without formulas: one source for explorers and the site.

``glossary.toml`` beside this file has them. Symbols and their meaning in the papers are in NOTATION.md.

>>> print(GLOSSARY["belief"].says)
How much of the mass speaks for a cluster for certain.
>>> [term.name for term in terms_in("The smaller, the more outliers")]
['outlier']
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_suffix(".toml")


class Term(NamedTuple):
    """A word, other forms of it, and what it means."""

    name: str
    also: tuple[str, ...]
    says: str


def _read() -> dict[str, Term]:
    terms = tomllib.loads(SOURCE.read_text("utf-8")).items()
    return {name: Term(name, tuple(entry.get("also", ())), entry["says"]) for name, entry in terms}


#: Terms by their names.
GLOSSARY: Mapping[str, Term] = _read()


@cache
def _forms() -> tuple[re.Pattern, dict[str, Term]]:
    """What finds a form of any term in a text, long ones before their parts; and whose form it is."""
    forms = {form.casefold(): term for term in GLOSSARY.values() for form in (term.name, *term.also)}
    longest_first = sorted(forms, key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE), forms


def terms_in(text: str) -> list[Term]:
    """Return the terms that a text uses, each once, in the order of their first use."""
    pattern, forms = _forms()
    return list(dict.fromkeys(forms[found.casefold()] for found in pattern.findall(text)))

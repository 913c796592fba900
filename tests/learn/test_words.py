"""Lessons explain their terms where they stand, and list them at the end."""

import re

import mistune
import nbformat
import pytest

from credalbench.glossary import GLOSSARY
from credalbench.learn import COURSE
from credalbench.learn.source import read_lesson
from credalbench.learn.words import HEADING, Words
from credalbench.learn.writing import notebook_text

LINK = re.compile(rf'<a href="#{HEADING}" title="([^"]+)">([^<]+)</a>')
SAYS = {name: term.explanation for name, term in GLOSSARY.items()}

TEXT = """# Mass functions

A **mass
function** of each object, `mass`, [belief](there) and {1,2}:

| set | belief |
|---|---|
| Ω | Belief |

## Masses

A mass function: objects!"""


def explained(text):
    """Terms of a text with what the page says of them."""
    return [(" ".join(words.split()), says) for says, words in LINK.findall(text)]


def test_terms_are_links_where_a_section_first_uses_them():
    words = Words()
    page = mistune.create_markdown(plugins=["table"])(words.explained(TEXT))
    assert explained(page) == [
        ("mass function", SAYS["mass function"]),
        ("object", SAYS["object"]),
        ("belief", SAYS["belief"]),
        ("Ω", SAYS["set of all clusters"]),
        ("mass function", SAYS["mass function"]),
        ("objects", SAYS["object"]),
    ]
    assert '<a href="there">belief</a>' in page and "<code>mass</code>" in page and "[" not in page
    assert [t.name for t in words.used()] == ["belief", "mass function", "object", "set of all clusters"]


def test_a_text_without_terms_stays_as_it_is():
    assert Words().explained("Next: `mass`, and\n\nso on.\n") == "Next: `mass`, and\n\nso on.\n"


@pytest.mark.parametrize("name", COURSE)
def test_a_notebook_explains_its_terms_and_lists_all_of_them(name):
    *cells, last = nbformat.reads(notebook_text(read_lesson(name)), as_version=4).cells
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    found = [explained(mistune.html(text)) for text in texts]
    for text, links in zip(texts, found):
        assert len(links) == text.count(f"]: #{HEADING} "), text
    listed = re.findall(r"^- \*\*(.+)\*\*: (.+)$", last.source, re.MULTILINE)
    assert last.source.startswith(f"## {HEADING}\n") and len(listed) > 5
    assert {says for links in found for _, says in links} == {says for _, says in listed}
    assert listed == sorted(listed, key=lambda term: term[0].casefold())

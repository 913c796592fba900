"""Lessons explain their terms at the first use, and list them at the end."""

import re

import mistune
import nbformat
import pytest

from credalbench.core.glossary import GLOSSARY
from credalbench.learn import COURSE
from credalbench.learn.source import read_lesson
from credalbench.learn.terms import HEADING, TermLinks
from tests.test_house import tool

LINK = re.compile(rf'<a href="#{HEADING}-[^"]+" title="([^"]+)">([^<]+)</a>')
EXPLANATIONS = {name: term.explanation for name, term in GLOSSARY.items()}

TEXT = """# Mass functions

A **mass
function** of each object, `mass`, [belief](there) and {1,2}:

| set | belief |
|---|---|
| Ω | Belief |

## Masses

A mass function: objects!"""


def explained(text):
    """Return the terms of a text with their explanations."""
    return [(" ".join(words.split()), explanation) for explanation, words in LINK.findall(text)]


def test_terms_are_links_where_a_section_first_uses_them():
    links = TermLinks()
    page = mistune.create_markdown(plugins=["table"])(links.add(TEXT))
    assert explained(page) == [
        ("mass function", EXPLANATIONS["mass function"]),
        ("object", EXPLANATIONS["object"]),
        ("belief", EXPLANATIONS["belief"]),
        ("Ω", EXPLANATIONS["set of all clusters"]),
        ("mass function", EXPLANATIONS["mass function"]),
        ("objects", EXPLANATIONS["object"]),
    ]
    assert '<a href="there">belief</a>' in page and "<code>mass</code>" in page and "[" not in page
    assert [t.name for t in links.used()] == ["belief", "mass function", "object", "set of all clusters"]


def test_a_text_without_terms_is_not_changed():
    assert TermLinks().add("Next: `mass`, and\n\nso on.\n") == "Next: `mass`, and\n\nso on.\n"


@pytest.mark.parametrize("name", COURSE)
def test_a_notebook_explains_its_terms_and_lists_all_of_them(name):
    *cells, last = nbformat.reads(tool("lessons").notebook_text(read_lesson(name)), as_version=4).cells
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    found = [explained(mistune.html(text)) for text in texts]
    for text, links in zip(texts, found):
        assert len(links) == text.count(f"]: #{HEADING}-"), text
    listed = re.findall(r"^- <span id=\"[^\"]+\">\*\*(.+)\*\*: (.+)</span>$", last.source, re.MULTILINE)
    assert last.source.startswith(f"## {HEADING}\n") and len(listed) > 5
    targets = {one for text in texts for one in re.findall(rf"#({HEADING}-\S+)", text)}
    assert targets == set(re.findall(r'id="([^"]+)"', last.source))
    assert {text for links in found for _, text in links} == {text for _, text in listed}
    assert listed == sorted(listed, key=lambda term: term[0].casefold())

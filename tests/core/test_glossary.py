"""The glossary: plain sentences, and terms in texts."""

import re

import pytest

from credalbench.core.glossary import GLOSSARY, split_at_terms, terms_in

FORMULA = re.compile(r"[=^_$\\<>{}]|\d|\b[a-z]\(")
QUOTE = '"'  # would end the title of a link


@pytest.mark.parametrize("term", GLOSSARY.values(), ids=list(GLOSSARY))
def test_terms_are_explained_in_short_plain_sentences(term):
    assert not FORMULA.search(term.explanation) and QUOTE not in term.explanation
    assert term.explanation[0].isupper() and term.explanation.endswith(".")
    assert 5 <= len(term.explanation.split()) <= 40


def test_forms_are_unique():
    forms = [form.casefold() for term in GLOSSARY.values() for form in (term.name, *term.forms, *term.labels)]
    assert len(set(forms)) == len(forms)


def test_anchors_are_plain_and_unique():
    anchors = [term.anchor for term in GLOSSARY.values()]
    assert len(set(anchors)) == len(anchors) and all(re.fullmatch("[A-Za-z0-9-]+", one) for one in anchors)
    assert GLOSSARY["weight ξ"].anchor == "weight-xi"


def test_terms_of_a_text_are_found_whole_and_once():
    found = terms_in("The empty set, base partitions and a set: masses, Mass; amassed.")
    assert [term.name for term in found] == ["empty set", "base partition", "mass"]
    assert terms_in("nothing of the kind") == []


def test_a_text_is_split_at_terms_that_are_not_explained():
    text, explained = "The fit: a rule of\nmass\n functions, Mass Function; and Ω.", {"set of all clusters"}
    cut = [(piece, term and term.name) for piece, term in split_at_terms(text, explained)]
    rest = (", Mass Function; and Ω.", None)
    assert cut == [("The fit: a rule of\n", None), ("mass\n functions", "mass function"), rest]
    assert explained == {"set of all clusters", "mass function"}
    assert [term.name for term in terms_in(text)][:2] == ["time of the fit", "rule of combination"]

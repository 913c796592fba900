"""The glossary: plain sentences, and whoever meets a term finds it explained."""

import re

import pytest

from credalbench.glossary import GLOSSARY, terms_in

FORMULA = re.compile(r"[=^_$\\<>{}]|\d|\b[a-z]\(")


@pytest.mark.parametrize("term", GLOSSARY.values(), ids=list(GLOSSARY))
def test_terms_are_explained_in_short_plain_sentences(term):
    assert not FORMULA.search(term.says)
    assert term.says[0].isupper() and term.says.endswith(".")
    assert 5 <= len(term.says.split()) <= 40


def test_no_form_belongs_to_two_terms():
    forms = [form.casefold() for term in GLOSSARY.values() for form in (term.name, *term.also)]
    assert len(set(forms)) == len(forms)


def test_terms_of_a_text_are_found_whole_and_once():
    found = terms_in("The empty set, base partitions and a set: masses, Mass; amassed.")
    assert [term.name for term in found] == ["empty set", "base partition", "mass"]
    assert terms_in("nothing of the kind") == []

"""Controls and read-outs explain the terms that they use."""

import re
from html import unescape

import pytest

from credalbench.core.glossary import GLOSSARY, terms_in
from credalbench.explore.view.hints import MOST_TERMS, hint
from tests.explore.declared import NAMES, model_class, open_explorer

#: Labels in words that need no explanation.
PLAIN = {"data", "image", "objects n", "to", "cluster colours, not grey levels"}
TILE = re.compile(r'title="([^"]*)"[^>]*>(?:<div[^>]*>)?([^<]+)<')


def test_a_hint_has_its_own_words_and_then_the_terms():
    text = hint("outliers", "Objects whose largest mass is on the empty set")
    assert text.startswith("Objects whose largest mass is on the empty set\n\noutlier: An object")
    assert text.count("\n\n") == MOST_TERMS
    assert hint("Undo", "Undo the last stroke") == "Undo the last stroke"
    assert (
        hint("fit", "") != "" and hint("Undo", "A worse fit from the start") == "A worse fit from the start"
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_and_read_out_is_explained(name):
    explorer = open_explorer(name)
    for parameter, declared in model_class(name).parameters().items():
        if declared.label and declared.label not in PLAIN:
            assert terms_in(f"{declared.label}\n{declared.tooltip}"), parameter
            assert any(term.explanation in explorer.controls[parameter].tooltip for term in GLOSSARY.values())
    tiles = TILE.findall(explorer.readouts.value)
    assert len(tiles) > 4
    for explained, label in tiles:
        assert any(term.explanation in unescape(explained) for term in GLOSSARY.values()), label

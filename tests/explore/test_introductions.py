"""What the introduction of each explorer says holds for what it opens with; no sentence is left out."""

import json
import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.explore.declared import NAMES

NOTEBOOKS = Path(__file__).parents[2] / "notebooks" / "explore"
#: A sentence that begins so tells what to do; one with code names an attribute, which doctests use.
DO = ("Click", "Drag", "Select", "Move", "Paint", "By keyboard", "Or type", "`", "Squares", "Dashed")


def introduction(name):
    cell = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))["cells"][0]
    text = " ".join("".join(cell["source"]).split("\n", 1)[1].split())
    return [one for one in re.split(r"(?<=[.?!:]) (?=[A-Z`*])", text) if not one.startswith(DO)]


#: The sentences of each introduction, by their beginning, with what checks them: `INTRODUCTION` of its tests.
CLAIMS = {name: import_module(f"tests.explore.test_{name}").INTRODUCTION for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_no_sentence_of_an_introduction_is_left_out(name):
    sentences = introduction(name)
    untested = [one for one in sentences if not one.startswith(tuple(CLAIMS[name]))]
    assert untested == []
    assert [key for key in CLAIMS[name] if not any(one.startswith(key) for one in sentences)] == []


CHECKS = {f"{name}: {check.__name__}": check for name in NAMES for check in CLAIMS[name].values()}


@pytest.mark.parametrize("name", CHECKS)
def test_a_claim_of_an_introduction_holds(name):
    CHECKS[name]()

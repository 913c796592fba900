"""docs/errata.md: every block runs and prints what it shows, and studies and entries name each other."""

import re
from pathlib import Path

import pytest

from credalbench.papers.studies import discover
from tools import pictures

ROOT = Path(__file__).resolve().parents[2]
ERRATA = ROOT / "docs" / "errata.md"
LONG = "# long\n"
PARTS = ("Printed", "Right", "How sure", "Would change our mind", "Matters at")


def entries():
    """Return number -> text of each entry."""
    text = ERRATA.read_text("utf-8").partition("\n## Checked, and")[0]
    _, *parts = re.split(r"^### E(\d+): ", text, flags=re.MULTILINE)
    return dict(zip(map(int, parts[::2]), parts[1::2]))


ENTRIES = entries()
BLOCKS = [
    pytest.param(block[0], id=f"E{number}", marks=pytest.mark.long if block[1].startswith(LONG) else ())
    for number, entry in ENTRIES.items()
    for block in pictures.BLOCK.finditer(entry)
]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_prints_what_it_shows(block, tmp_path):
    assert re.search(r"^print\(.*\)  # ", block, flags=re.MULTILINE)
    page = tmp_path / "errata.md"
    page.write_text(block, "utf-8")
    assert list(pictures.run(page)) == []


def test_entries_are_numbered_and_complete():
    assert sorted(ENTRIES) == list(range(1, len(BLOCKS) + 1))
    for number, entry in ENTRIES.items():
        found = re.findall(r"^- \*\*(.+?)\*\*: ", entry, flags=re.MULTILINE)
        assert tuple(found) == PARTS, f"E{number}"


def claims():
    return [c for studies in discover().values() for study in studies.values() for c in study.claims]


def test_artefacts_and_sentences_of_entries_are_judged():
    artefacts = {claim.artefact for claim in claims()}
    for number, entry in ENTRIES.items():
        where = entry.partition("- **Matters at**:")[2].partition("```")[0]
        named = set(re.findall(r"`((?:egmm|catecm|ensemble|cecm|evclus)-[a-z]+-\d+)`", where))
        assert named <= artefacts, f"E{number}"


def test_studies_name_entries_that_exist():
    named = {int(n) for claim in claims() for n in re.findall(r"erratum E(\d+)", claim.explanation)}
    assert named <= set(ENTRIES)
    assert {1, 2, 3} <= named

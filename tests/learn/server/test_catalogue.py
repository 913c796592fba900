"""The notebooks of the start page: found as files, with title and description."""

import json

from credalbench.explore import list_explorers
from credalbench.explore.live import PAGES
from credalbench.learn.server.catalogue import (
    PICTURES,
    find_tile,
    find_tiles,
    notebook_names,
    paper_sections,
    picture,
    question_sections,
)
from credalbench.papers.places import notebooks_folder
from tests.test_house import tool


def write(path, *cells):
    path.parent.mkdir(parents=True, exist_ok=True)
    found = [{"cell_type": kind, "source": text.splitlines(keepends=True)} for kind, text in cells]
    path.write_text(json.dumps({"cells": found}), encoding="utf-8")


def test_every_notebook_has_one_tile():
    folder = notebooks_folder()
    shown = [tile.path for kind in ("explore", "learn") for tile in find_tiles(folder, kind)]
    shown += [tile.path for tiles in paper_sections(folder).values() for tile in tiles]
    notebooks = [path.relative_to(folder).as_posix() for path in folder.rglob("*.ipynb")]
    assert sorted(shown) == sorted(path for path in notebooks if ".ipynb_checkpoints" not in path)
    assert {tile.about for tile in find_tiles(folder, "explore")} == {*list_explorers().values()}


def test_every_explorer_answers_one_question_and_lessons_have_minutes():
    folder = notebooks_folder()
    grouped = [tile.name for tiles in question_sections(folder).values() for tile in tiles]
    assert sorted(grouped) == sorted(list_explorers())
    lessons = find_tiles(folder, "learn")
    assert all(tile.minutes and tile.needs for tile in lessons) and lessons[0].needs == "nothing"


def test_every_explorer_and_live_page_has_a_small_picture_and_every_picture_is_drawn():
    names = {*list_explorers(), *PAGES}
    assert all(500 < len(picture(name)) < 20_000 for name in names)
    assert {path.stem for path in PICTURES.glob("*.svg")} == names == {*tool("tiles").DRAWN}


def test_a_tile_has_the_title_and_the_first_sentence_of_its_notebook(tmp_path):
    text = "# 1. Masses, *belief* and $m(A)$\n\nA [mass] of .62\ntells more. Than what?\n\n[mass]: #Words"
    write(tmp_path / "learn" / "01_masses.ipynb", ("code", "pass"), ("markdown", text))
    write(tmp_path / "learn" / ".ipynb_checkpoints" / "01_masses.ipynb", ("markdown", text))
    write(tmp_path / "learn" / "02_bare.ipynb")
    first, second = find_tiles(tmp_path, "learn")
    assert (first.title, first.about) == ("1. Masses, belief and m(A)", "A mass of .62 tells more.")
    assert (second.title, second.about) == ("02_bare", "")
    assert notebook_names(tmp_path) == ["01_masses", "02_bare"] and find_tile(tmp_path, "01_masses") == first
    assert find_tile(tmp_path, "masses") is None and find_tiles(tmp_path, "explore") == ()


def test_papers_have_titles_instead_of_keys():
    papers = paper_sections(notebooks_folder())
    assert papers and all("_" not in title and tiles for title, tiles in papers.items())

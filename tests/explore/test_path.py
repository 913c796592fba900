"""How far a move of a slider goes, and how many classes stand behind an explorer's model and view."""

import pytest

from benchmarks.explorer_path import ancestors, files_of, path_of_a_move
from tests.explore.declared import NAMES


def test_a_move_of_a_slider_passes_few_files():
    files = files_of(path_of_a_move())
    assert len(files) <= 24, files  # 14 of them are the fit, its masses and its decisions
    assert len([file for file in files if file.startswith("explore")]) <= 10, files


@pytest.mark.parametrize("name", NAMES)
def test_models_and_views_have_few_ancestors(name):
    assert len(ancestors(name, "model")) <= 2
    assert len(ancestors(name, "view")) <= 2

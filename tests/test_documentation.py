"""Examples of docstrings and Python blocks of the Markdown pages run."""

import doctest
from contextlib import chdir
from importlib import import_module
from pathlib import Path

import pytest

import credalbench
from tools import pictures

ROOT = Path(__file__).resolve().parents[1]


def with_examples():
    """Return the names of the modules whose docstrings hold examples."""
    files = sorted(Path(credalbench.__file__).parent.rglob("*.py"))
    names = [
        ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for file in files
        if ">>> " in file.read_text("utf-8")
    ]
    return [name.removesuffix(".__init__") for name in names]


#: Pages with Python blocks; tests/report/test_guide.py runs that of own_data.md, tests/papers/test_errata.py
#: each of errata.md.
PAGES = [page for page in pictures.pages() if page.stem not in ("own_data", "errata")]


@pytest.mark.parametrize("name", with_examples())
def test_examples_of_docstrings_run(name, tmp_path):
    with chdir(tmp_path):
        result = doctest.testmod(
            import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
        )
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_blocks_of_pages_run_and_print_what_their_comments_show(page, tmp_path):
    with chdir(tmp_path):
        shown = dict(pictures.run(page))
    assert [path.name for path in shown if not path.is_file()] == [], "run `make pictures`"


def test_a_page_that_prints_something_else_is_reported(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n```python\nprint(1 + 1)  # 3\n```\n")
    with pytest.raises(AssertionError, match="expected '3', got '2'"):
        list(pictures.run(page))


def test_a_picture_needs_a_figure(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 1\nx\n```\n\n![One](one.png)\n")
    with pytest.raises(AssertionError, match="a figure for one"):
        list(pictures.run(page))


#: What the R package evclust 2.0.3 exports, without what is for objects of its own class.
R_FUNCTIONS = [
    "bananas",
    "bootclus",
    "bpec",
    "cecm",
    "create_fuzzy_credpart",
    "create_hard_credpart",
    "create_MLCL",
    "createD",
    "createPairs",
    "credal_RI",
    "delta_Bel",
    "ecm",
    "EkNNclus",
    "expandlink",
    "extractMass",
    "harris",
    "kcevclus",
    "kevclus",
    "knn_dist",
    "kpcca",
    "makeF",
    "nnevclus",
    "nnevclus_mb",
    "nonspecificity",
    "normalize.credpart",
    "pairwise_mass",
    "pcca",
    "recm",
]


@pytest.mark.parametrize("name", R_FUNCTIONS)
def test_the_page_on_migration_names_every_function_of_r(name):
    assert f"`{name}`" in (ROOT / "docs" / "migration.md").read_text(encoding="utf-8")

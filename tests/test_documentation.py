"""Examples of docstrings and Python blocks of the Markdown pages run."""

import doctest
import re
from contextlib import chdir
from importlib import import_module
from pathlib import Path

import pytest

import credalbench

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


def python_blocks(page):
    """Return the Python blocks of a Markdown page, as one script."""
    return "\n".join(
        re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    )


#: Pages with Python blocks; tests/report/test_guide.py runs that of own_data.md.
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if python_blocks(page) and page.stem != "own_data"
]


@pytest.mark.parametrize("name", with_examples())
def test_examples_of_docstrings_run(name, tmp_path):
    with chdir(tmp_path):
        result = doctest.testmod(
            import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
        )
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_blocks_of_pages_run(page, tmp_path):
    with chdir(tmp_path):
        exec(compile(python_blocks(page), page.name, "exec"), {"__name__": page.stem})

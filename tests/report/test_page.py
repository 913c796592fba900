"""The page of a report: complete, offline, and safe against markup in a table."""

import re

import pytest

from credalbench.report import cluster_report
from credalbench.tables import read_user_table
from tests.site.page import Page, is_elsewhere

from .tables import plants

ODD = "<script>alert(1)</script> & $x$"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page of a table with markup in the names of an object, of a column and of the table."""
    frame = plants().rename(columns={"height": "<b>h</b> $2$"}, index={"far": ODD})
    table = read_user_table(frame, name="<i>own</i>.csv", standardize=False)
    path, partition = cluster_report(table, 2).write(tmp_path_factory.mktemp("page") / "a page.html")
    page = Page(path)
    page.text, page.partition = path.read_text("utf-8"), partition
    return page


def test_the_page_loads_nothing_and_shows_its_pictures(page):
    assert page.loaded and [address for address in page.loaded if is_elsewhere(address)] == []
    assert sum(address.startswith("data:image/png;base64,") for address in page.loaded) == 1
    assert page.policy == "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    assert [file for file, _ in map(page.place, page.links) if not file.exists()] == []
    assert {anchor for _, anchor in map(page.place, page.links) if anchor} <= set(page.ids)
    assert page.partition.name == "a page-partition.csv" and page.partition.exists()


def test_names_are_escaped_on_the_page(page):
    assert "<script" not in page.text and "<b>h" not in page.text and "<i>own" not in page.text
    assert page.text.count("&lt;script&gt;alert(1)&lt;/script&gt; &amp; $x$") >= 3  # object, why, script
    assert "&lt;b&gt;h&lt;/b&gt; $2$" in page.text
    assert not re.search(r"\\[a-z]+\{|\$\\", page.text)  # no raw LaTeX


def test_the_page_states_the_results(page):
    text = re.sub(r"\s+", " ", page.text)
    assert "<h1>&lt;i&gt;own&lt;/i&gt;.csv: 2 clusters</h1>" in text
    assert "ECM: 1 outlier, " in text and "outlier: 0." in text and "between 1 and 2: " in text
    assert "The number of clusters, 2, was given." in text
    assert "adjusted Rand index of" in text and "fits[&#39;ECM&#39;].partition_" in text

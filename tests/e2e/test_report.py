"""The page of a report in a real browser, on a wide and on a narrow screen: what is each cluster?"""

import pytest

from credalbench.report import cluster_report
from tests.e2e.on_the_page import keep_screenshot
from tests.report.tables import table

pytestmark = pytest.mark.e2e

WIDER = "[...document.images].filter(image => image.getBoundingClientRect().right > innerWidth).length"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """The page of a table of numbers and categories."""
    return cluster_report(table("mixed"), 2).write(tmp_path_factory.mktemp("report") / "page.html")[0]


@pytest.mark.parametrize("width", [1280, 420])
def test_clusters_are_described_without_scrolling_sideways(page, path, width, tmp_path):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width and page.evaluate(WIDER) == 0
    described = page.locator("#clusters + p + ul li").all_inner_texts()
    assert [text[:11] for text in described[:2]] == ["● Cluster 1", "■ Cluster 2"]
    assert all(" objects surely, " in text and "It has mostly " in text for text in described[:2])
    assert described[-1].startswith("In no cluster: far")
    assert all(page.locator(".columns > img").nth(i).is_visible() for i in range(2))
    box = page.locator(".profiles tbody tr").last.bounding_box()
    assert box["x"] >= 0 and page.locator(".profiles tbody tr").count() == 3 + 2 + 6
    keep_screenshot(page, tmp_path / f"report-{width}.png")

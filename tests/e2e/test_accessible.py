"""Every kind of page is checked by axe, light and dark: no serious finding; every control has a name."""

from pathlib import Path

import pytest

from credalbench.explore import list_explorers
from credalbench.explore.live import PAGES, write_live_page
from credalbench.learn import COURSE
from credalbench.learn.handout import write_handout
from credalbench.learn.source import read_lesson
from tests.e2e.opened import open_page_of, open_tile

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

pytestmark = pytest.mark.e2e

#: Words and numbers of tables that are broken over two lines.
BROKEN_IN_TABLES = r"""() => [...document.querySelectorAll(':is(td, th)')].flatMap(cell => {
  const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), broken = [];
  for (let node = text.nextNode(); node; node = text.nextNode()) {
    for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}.]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(one => Math.round(one.top))).size > 1) broken.push(word);
    }
  }
  return broken;
})"""

SERIOUS = ("serious", "critical")
#: The rules of the guidelines; others are advice.
RULES = {"resultTypes": ["violations"], "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}


def findings(page):
    """Return each serious finding: the rule, and the element that breaks it."""
    found = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # no colour is on its way
        for rule in axe.Axe().run(page, options=RULES).response["violations"]:
            for node in rule["nodes"]:
                if node["impact"] in SERIOUS:
                    found.append((theme, rule["id"], node["html"][:200], node["failureSummary"]))
    return found


def test_a_finding_is_found(page):
    page.set_content("<html lang=en><title>x</title><button></button><p style='color:#ccc'>faint</p>")
    assert {rule for _, rule, *_ in findings(page)} == {"button-name", "color-contrast"}


@pytest.mark.parametrize("name", list_explorers())
def test_explorers(page, server, name):
    open_page_of(page, server, name)
    assert findings(page) == []


@pytest.mark.parametrize("name", COURSE)
def test_lessons(page, server, name):
    open_tile(page, server, Path(read_lesson(name).file_name).stem)
    page.wait_for_selector(".credalbench-exercise")
    assert findings(page) == []


def test_the_start_page_and_the_glossary(page, server):
    page.goto(server.address)
    assert findings(page) == []
    page.get_by_role("link", name="glossary", exact=True).click()
    assert findings(page) == []


@pytest.mark.parametrize("name", PAGES)
def test_pages_in_the_browser(page, name, tmp_path):
    page.goto(write_live_page(name, tmp_path / "page.html").as_uri())
    page.wait_for_selector("output, #readings tr")
    assert findings(page) == []


@pytest.mark.parametrize("name", COURSE)
def test_handouts(page, name, tmp_path):
    page.goto(write_handout(name, tmp_path / "handout.html").as_uri())
    assert findings(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate(BROKEN_IN_TABLES) == []

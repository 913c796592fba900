"""The site as a browser shows it from a disk: complete, and without a request to anywhere."""

import pytest

from tests.e2e.conftest import find_chromium

pytestmark = [pytest.mark.slow, pytest.mark.e2e]
SHOWN = (
    "index.html",
    "results/index.html",
    "results/denoeux2016_evclus.html",
    "gallery.html",
    "notebooks/denoeux2016_evclus/belief_examples.html",
    "api/generated/credalbench.cluster.CECM.html",
    "EQUATIONS.html",
    "search.html?q=butterfly",
)


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright (extra e2e) is not installed")
    executable = find_chromium()
    if executable is None:
        pytest.skip("Chromium is missing: neither $CREDALBENCH_CHROMIUM nor /usr/bin/chromium is a file")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    """A page that notes what it asks for and what it complains about; the content policy speaks there."""
    page = browser.new_page()
    page.asked, page.complaints = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda message: message.type == "log" or page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    yield page
    page.close()


@pytest.mark.parametrize("address", SHOWN)
def test_every_kind_of_page_shows_itself_whole_and_asks_nobody(site, page, address):
    page.goto(f"{site.folder.as_uri()}/{address}")
    page.wait_for_load_state("networkidle")
    assert page.asked and [url for url in page.asked if not url.startswith(("file:", "data:"))] == []
    assert page.complaints == []
    unseen = (
        "images => images.filter(image => !(image.complete && image.naturalWidth)).map(image => image.src)"
    )
    assert page.eval_on_selector_all("img", unseen) == []


def test_a_search_finds_a_page_without_a_server(site, page):
    page.goto(f"{site.folder.as_uri()}/search.html?q=plausibility")
    page.wait_for_selector("#search-results li a")
    assert page.locator("#search-results li a").count() > 3


def test_colours_follow_the_reader_s_system(site, page):
    seen = set()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{site.folder.as_uri()}/index.html")
        seen.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(seen) == 2


def shown(page) -> list[dict]:
    """What the lines of the list say of themselves that a reader sees, in order."""
    rows = "rows => rows.filter(row => row.checkVisibility()).map(row => ({...row.dataset}))"
    return page.eval_on_selector_all("table.judged tbody tr", rows)


def test_a_reader_filters_and_searches_all_that_is_judged(site, page):
    page.goto(f"{site.folder.as_uri()}/results/index.html")
    everything = shown(page)
    assert everything[0]["outcome"] == "differs"
    page.get_by_label("Paper").select_option("antoine2012_cecm")
    page.get_by_label("Kind").select_option("sentences")
    of_paper = shown(page)
    assert 0 < len(of_paper) < len(everything)
    assert {(line["paper"], line["kind"]) for line in of_paper} == {("antoine2012_cecm", "sentences")}
    page.get_by_label("Words").fill("Fuzzy Partitions")
    assert len(shown(page)) == 1
    said = page.locator("form.filters output").inner_text()
    assert said == "printed results: 0, sentences: 1, our own claims: 0"
    page.get_by_role("button", name="Show all").click()
    page.wait_for_function("() => !document.querySelector('.judged tbody tr[hidden]')")
    assert len(shown(page)) == len(everything)
    page.get_by_label("Verdict").select_option("differs")
    assert {line["outcome"] for line in shown(page)} == {"differs"} and page.complaints == []


def test_a_number_of_the_overview_leads_to_what_it_counts(site, page):
    page.goto(f"{site.folder.as_uri()}/index.html")
    link = page.locator("table.overview a[href*='kind=sentences']").first
    number = int(link.inner_text())
    link.click()
    page.wait_for_selector("form.filters")
    lines = shown(page)
    assert sum(int(line["count"]) for line in lines) == number
    assert len({(line["paper"], line["outcome"], line["kind"]) for line in lines}) == 1


def test_without_its_script_the_whole_list_is_there(site, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.folder.as_uri()}/results/index.html")
    assert not page.locator("form.filters").is_visible()
    assert page.locator("table.judged tbody tr").last.is_visible()
    context.close()

"""The built site: offline, whole, and without a link or an anchor that leads nowhere; in a browser, too.

One file, so that one process builds it.
"""

import re
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from credalbench.core.glossary import GLOSSARY
from credalbench.learn import COURSE
from credalbench.papers.site.pages import public_names, target
from credalbench.papers.verdicts import VERDICTS
from tests.e2e.test_accessible import findings
from tests.papers.site.conftest import REAL
from tests.papers.site.page import Page, css_addresses, is_elsewhere

pytestmark = pytest.mark.long
MOST_BYTES = 60_000_000
SCREEN = {"width": 1280, "height": 800}
#: The search has ended, and each page that was found has an excerpt.
EXCERPTS_SHOWN = """() => {
  const found = [...document.querySelectorAll("#search-results li")];
  return found.length > 3 && found.every((one) => one.querySelector(".context"));
}"""
SETTLED_MS = 500  # after all pictures are there, scripts may ask for more
MOST_SCREENS = 12  # of a paper's page
#: Pages of each kind, as a browser shows them from a disk.
SHOWN = (
    "index.html",
    "learn.html",
    "lessons/01_mass_functions.html",
    "ecm.html",
    "results/index.html",
    "results/denoeux2016_evclus.html",
    "results/denoeux2016_evclus/belief_examples.html",
    "results/claims.html",
    "gallery.html",
    "notebooks/denoeux2016_evclus/belief_examples.html",
    "api/generated/credalbench.cluster.CECM.html",
    "docs/EQUATIONS.html",
    "search.html?q=butterfly",
)


def html_of(site, address: str) -> str:
    return (site.folder / address).read_text("utf-8")


def test_nothing_is_loaded_from_elsewhere(site):
    loaded = {name: page.loaded for name, page in site.pages.items()}
    for sheet in site.folder.rglob("*.css"):
        loaded[str(sheet)] = css_addresses(sheet.read_text("utf-8"))
    assert [f"{name}: {url}" for name, urls in loaded.items() for url in urls if is_elsewhere(url)] == []


def test_the_browser_itself_refuses_every_other_host(site):
    """Scripts could ask, too; the content policy of each page leaves them nobody to ask."""
    for name, page in site.pages.items():
        directives = [part.split() for part in page.policy.split(";")]
        assert ["default-src", "'none'"] in directives, name
        sources = {source for directive in directives for source in directive[1:]}
        assert sources <= {"'none'", "'self'", "'unsafe-inline'", "file:", "data:", "blob:"}, name


def test_every_anchor_is_unique(site):
    twice = [f"{name}#{i}" for name, page in site.pages.items() for i in page.ids if page.ids.count(i) > 1]
    assert twice == []


def test_every_link_is_relative(site):
    """A web host may show the folder at any address."""
    every = {name: page.links + page.loaded for name, page in site.pages.items()}
    rooted = [f"{name}: {url}" for name, urls in every.items() for url in urls if url.startswith("/")]
    assert rooted == [] and not any(url.startswith("file:") for urls in every.values() for url in urls)


def test_the_folder_is_small_and_has_each_picture_once(site):
    files = [path for path in site.folder.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    pictures = [path.read_bytes() for path in files if path.parent.name == "_images"]
    assert len(pictures) == len(set(pictures)) > 10
    assert (site.folder / ".nojekyll").is_file()


def test_every_lesson_is_numbered_and_leads_to_the_next(site):
    names = [f"{k:02d}_{name}" for k, name in enumerate(COURSE, 1)]
    pages = [html_of(site, f"lessons/{name}.html") for name in names]
    for k, text in enumerate(pages, 1):
        assert re.search(rf"<h1[^>]*>{k} · ", text)
        assert re.findall(r'<a rel="next" href="([^"]+)">Next: (\d+)', text) == [
            (f"{name}.html", str(k + 1)) for name in names[k : k + 1]
        ]
        back = re.findall(r'<a rel="prev" href="([^"]+)">Back: (\d+)', text)
        assert back == [(f"{name}.html", str(k - 1)) for name in names[max(k - 2, 0) : k - 1]]
    listed = [url for url in site.pages["learn.html"].links if url.startswith("lessons/")]
    assert listed == [f"lessons/{name}.html" for name in names]


def test_every_internal_address_leads_somewhere(site):
    ids = {page.path.resolve(): set(page.ids) for page in site.pages.values()}
    broken = []
    for name, page in site.pages.items():
        for address in (url for url in page.links + page.loaded if url and not is_elsewhere(url)):
            if address.startswith("data:"):
                continue
            file, anchor = page.place(address)
            of_page = "" if "=" in anchor else anchor  # the state of a live page is not an anchor
            if not file.is_file() or (of_page and of_page not in ids.get(file, ())):
                broken.append(f"{name}: {address}")
    assert broken == []


def test_every_public_name_has_an_entry(site):
    known = {anchor for name, page in site.pages.items() if name.startswith("api/") for anchor in page.ids}
    expected = {f"{package}.{name}" for package, names in public_names().items() for name in names}
    assert len(expected) > 50 and expected - known == set()


def test_every_figure_stands_in_the_gallery_and_leads_to_its_claims(site):
    gallery = html_of(site, "gallery.html")
    shown = [a for paper in site.papers for a in paper.artefacts if a.has_figure]
    assert len({a.experiment.name for a in shown}) == 3
    for artefact in shown:
        assert f'alt="{artefact.label}: {artefact.title}"' in gallery
        anchor = target(artefact).replace("_", "-").replace("--", "-")
        assert f"results/{artefact.experiment.name}.html#{anchor}" in site.pages["gallery.html"].links


def test_the_overview_counts_every_verdict_behind_the_front_page(site):
    text = html_of(site, "results/index.html")
    assert 'class="overview"' in text and all(f" {verdict}</span>" in text for verdict in VERDICTS)
    assert "<table" not in html_of(site, "index.html")


def test_every_printed_table_is_shown_with_our_values(site):
    tables = [a for paper in site.papers for a in paper.artefacts if a.layout]
    assert [a.id for a in tables] == ["toy-fig-02", "cecm-tab-01", "cecm-tab-02", "cecm-tab-03"]
    for artefact in tables:
        text = html_of(site, f"results/{artefact.experiment.name}.html")
        values = [value for _, cells in artefact.table.rows for cell in cells for value in cell]
        assert len(values) == len(artefact.layout.printed) and all(value.ours for value in values)
        assert all(f"<div>{v.printed}<br><em>{v.ours}</em><br>" in text for v in values)


def test_what_is_not_code_holds_no_raw_latex(site):
    code = re.compile(r"<(script|style|pre|code|math)\b.*?</\1>|<[^>]*>", re.DOTALL)
    raw = re.compile(r"\\(?:[a-zA-Z]+\{|alpha|beta|delta|omega|xi\b|sum\b|in\b)|\$[^\s$][^$]*\$")
    found = {name: raw.findall(code.sub(" ", html_of(site, name))) for name in site.pages}
    assert {name: bits for name, bits in found.items() if bits} == {}


def test_notebooks_are_shown_as_executed(site):
    text = html_of(site, "notebooks/toy_paper/toy_study.html")
    assert 'alt="toy-fig-01: Curves of the toy"' in text
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in text and "$x^2$" not in text
    assert "https://example.org/toy" in site.pages["notebooks/toy_paper/toy_study.html"].links
    for paper, study in REAL.items():
        assert f"../../notebooks/{paper}/{study}.html" in site.pages[f"results/{paper}/{study}.html"].links


def test_a_search_needs_no_server(site):
    assert "belief_examples" in html_of(site, "searchindex.js")
    assert "SHOW_SEARCH_SUMMARY: false" in html_of(site, "_static/documentation_options.js")


@pytest.mark.parametrize(
    "body",
    [
        '<script src="https://a.org/x.js"></script>',
        "<script>import('https://a.org/x.js')</script>",
        '<img alt="a" src="//a.org/x.png">',
        '<img alt="a" srcset="x.png 1x, https://a.org/x.png 2x">',
        '<link rel="stylesheet" href="http://a.org/x.css">',
        "<style>@import 'https://a.org/x.css';</style>",
        "<p style=\"background: url('https://a.org/x.png')\">",
        '<iframe src="ftp://a.org/x"></iframe>',
        "<img alt=a src=https://a.org/x.png>",
        "<SCRIPT SRC=\n//a.org/x.js></SCRIPT>",
        "<meta http-equiv=Refresh content='0; URL=https://a.org/'>",
        "<meta http-equiv=refresh content=0;https://a.org/?a=b>",
        "<form action=https://a.org/x><input name=q></form>",
        "<form><button formaction='https://a.org/x'>send</button></form>",
        "<base href=https://a.org/>",
        "<link rel=preload as=image imagesrcset='https://a.org/x.png 2x'>",
        "<svg><image xlink:href=https://a.org/x.png /></svg>",
        "<object data=https://a.org/x></object>",
    ],
)
def test_the_reader_of_pages_sees_what_a_browser_would_load(body, tmp_path):
    (tmp_path / "x.html").write_text(f"<p>{body}<a href='https://b.org'>a click</a>")
    page = Page(tmp_path / "x.html")
    assert any(map(is_elsewhere, page.loaded)) and page.links == ["https://b.org"]


def test_the_glossary_has_every_term_and_its_sentences(site):
    page = unescape(re.sub(r"\s+", " ", html_of(site, "glossary.html")))
    assert [name for name, term in GLOSSARY.items() if name not in page or term.explanation not in page] == []


# ---------------------------------------------------------------- in a browser


@pytest.fixture
def page(browser):
    """A page that notes what it asks for and what it complains about; the content policy speaks there."""
    page = browser.new_page()
    page.requests, page.complaints = [], []
    page.on("request", lambda request: page.requests.append(request.url))
    page.on("console", lambda message: message.type == "log" or page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    yield page
    page.close()


@pytest.mark.e2e
@pytest.mark.parametrize("address", SHOWN)
def test_every_kind_of_page_shows_itself_whole_and_asks_nobody(site, page, address):
    page.goto(f"{site.folder.as_uri()}/{address}")
    page.wait_for_timeout(SETTLED_MS)
    assert page.requests and [url for url in page.requests if not url.startswith(("file:", "data:"))] == []
    assert page.complaints == []
    unseen = (
        "images => images.filter(image => !(image.complete && image.naturalWidth)).map(image => image.src)"
    )
    assert page.eval_on_selector_all("img", unseen) == []


@pytest.mark.e2e
@pytest.mark.parametrize("address", SHOWN)
def test_every_kind_of_page_can_be_read_by_everybody(site, page, address):
    page.goto(f"{site.folder.as_uri()}/{address}")
    page.wait_for_timeout(SETTLED_MS)
    assert findings(page) == []


@pytest.mark.e2e
@pytest.mark.parametrize("address", ["index.html", "learn.html", "results/index.html", "gallery.html"])
def test_tiles_have_pictures_and_names(site, page, address):
    page.goto(f"{site.folder.as_uri()}/{address}")
    tiles = page.locator(".sd-card")
    no_figure = REAL if address == "results/index.html" else ()  # these studies draw none
    assert tiles.count() > 1
    assert tiles.locator("img.sd-card-img-top").count() == tiles.count() - len(no_figure)
    names = tiles.locator("a").evaluate_all("links => links.map(link => link.textContent)")
    titles = tiles.locator(".sd-card-title").all_inner_texts()
    assert len(names) == len(titles) and all(name.startswith(title) for name, title in zip(names, titles))


@pytest.mark.e2e
def test_the_front_page_has_a_slider_and_a_sentence_that_follows_it(site, page):
    page.set_viewport_size(SCREEN)
    page.goto(f"{site.folder.as_uri()}/index.html")
    frame = page.frame_locator("iframe")
    slider, sentence = frame.locator("input[type=range]:visible"), frame.locator("[role=status]").first
    assert slider.count() == 1 and frame.locator("button:visible, select:visible").count() == 0
    before = sentence.inner_text()
    slider.press("End")
    assert sentence.inner_text() != before and "objects" in before
    titles = page.locator(".doors .sd-card-title").all_inner_texts()
    assert titles == ["Learn", "Use", "Reproduce"]
    inner = next(one for one in page.frames if one.parent_frame)
    assert inner.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.e2e
def test_the_page_of_a_paper_is_short(site, page):
    page.set_viewport_size(SCREEN)
    papers = [
        address
        for address in site.pages
        if re.fullmatch(r"(results|docs/reproduction)/\w+_\w+.html", address)
    ]
    assert len(papers) == 2 * len(site.papers)
    for address in papers:
        page.goto(f"{site.folder.as_uri()}/{address}")
        height = page.evaluate("document.documentElement.scrollHeight")
        assert height <= MOST_SCREENS * SCREEN["height"], address


@pytest.mark.e2e
def test_a_plain_web_host_shows_the_site_in_a_subfolder(site, page):
    handler = partial(SimpleHTTPRequestHandler, directory=site.folder.parent)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        root = f"http://127.0.0.1:{server.server_port}/{site.folder.name}"
        failed = []
        page.on("response", lambda response: response.status < 400 or failed.append(response.url))
        for address in SHOWN:
            page.goto(f"{root}/{address}")
            page.wait_for_timeout(SETTLED_MS)
        server.shutdown()
    icon = root.replace(site.folder.name, "favicon.ico")  # what every browser asks for by itself
    assert [url for url in page.requests if not url.startswith((root, "data:", "blob:", icon))] == []
    assert [url for url in failed if url != icon] == []


@pytest.mark.e2e
def test_a_search_finds_a_page_without_a_server(site, page):
    page.goto(f"{site.folder.as_uri()}/search.html?q=plausibilities+of+outliers")
    found = page.locator("#search-results li")
    page.wait_for_function(EXCERPTS_SHOWN)
    excerpts = found.locator(".context").all_inner_texts()
    assert all(40 < len(text) < 400 for text in excerpts)
    marked = page.locator("mark:not(:empty)").all_inner_texts()
    assert {text.lower()[:5] for text in marked} <= {"plaus", "outli"} and len(marked) > len(excerpts) / 2


@pytest.mark.e2e
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


@pytest.mark.e2e
def test_a_reader_filters_and_searches_all_that_is_judged(site, page):
    page.goto(f"{site.folder.as_uri()}/results/claims.html")
    everything = shown(page)
    assert everything[0]["outcome"] == "not reproduced"
    page.get_by_label("Paper").select_option("antoine2012_cecm")
    page.get_by_label("Kind").select_option("sentences")
    of_paper = shown(page)
    assert 0 < len(of_paper) < len(everything)
    assert {(line["paper"], line["kind"]) for line in of_paper} == {("antoine2012_cecm", "sentences")}
    page.get_by_label("Words").fill("Fuzzy Partitions")
    assert len(shown(page)) == 1
    counted = page.locator("form.filters output").inner_text()
    assert counted == "printed results: 0, sentences: 1"
    page.get_by_role("button", name="Show all").click()
    page.wait_for_function("() => !document.querySelector('.judged tbody tr[hidden]')")
    assert len(shown(page)) == len(everything)
    page.get_by_label("Verdict").select_option("not reproduced")
    assert {line["outcome"] for line in shown(page)} == {"not reproduced"} and page.complaints == []


@pytest.mark.e2e
def test_a_number_of_the_overview_leads_to_what_it_counts(site, page):
    page.goto(f"{site.folder.as_uri()}/results/index.html")
    link = page.locator("table.overview a[href*='kind=sentences']").first
    number = int(link.inner_text())
    link.click()
    page.wait_for_selector("form.filters")
    lines = shown(page)
    assert sum(int(line["count"]) for line in lines) == number
    assert len({(line["paper"], line["outcome"], line["kind"]) for line in lines}) == 1


@pytest.mark.e2e
def test_without_its_script_the_whole_list_is_there(site, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.folder.as_uri()}/results/claims.html")
    assert not page.locator("form.filters").is_visible()
    assert page.locator("table.judged tbody tr").last.is_visible()
    context.close()

"""The pages as text, before Sphinx: complete, and with nothing in them that means more than it says."""

import dataclasses
import html
import re
from urllib.parse import parse_qs

import pytest

from credalbench.explore.live import PAGES
from credalbench.papers import run_study
from credalbench.papers.paper_pages import summary
from credalbench.papers.reproduction import DIFFERENCES_FIRST, collect
from credalbench.papers.site import SiteError, build, pages, write_site
from credalbench.papers.site import study_pages as site_studies
from credalbench.papers.site.pages import PROJECT, USER_GUIDE, figure_path, guides, public_names, write_pages
from credalbench.papers.studies import get_study
from credalbench.papers.verdicts import chip, sign
from tests.papers.site.conftest import ROOT, STATED, TOYS
from tests.papers.toy_study import experiment


@pytest.fixture
def written(papers, tmp_path):
    write_pages(papers, "smoke", tmp_path / "pages")
    return tmp_path / "pages"


def test_the_pages_of_studies_show_every_artefact_claim_and_verdict(written, papers):
    pages = {study: (written / "results" / "toy_paper" / f"{study}.md").read_text("utf-8") for study in TOYS}
    for artefact in papers[0].artefacts:
        text = pages[artefact.experiment.study]
        assert f"({artefact.id}--{artefact.experiment.study})=" in text
    text = pages["toy_study"]
    for judgement in (j for a in papers[0].artefacts for j in a.judgements):
        row = next(line for line in text.splitlines() if judgement.claim.statement in line)
        label = f"{sign(judgement.verdict)} {judgement.verdict}"
        assert label in row and judgement.explanation in row
    assert "Stand-in data" in text and "a shortened protocol" in text
    assert "credalbench run toy_paper/other_study --profile smoke" in pages["other_study"]


def test_the_page_of_a_paper_has_its_main_claims_figures_and_studies(written, papers):
    text = (written / "results" / "toy_paper.md").read_text("utf-8")
    claims, figures, studies = re.split("^## (?:Main claims|Figures|Studies)$", text, flags=re.MULTILINE)[1:]
    assert summary(papers[0])[1] in text and [f"{name}: " in claims for name in STATED["toy_paper"]] == [
        True,
        True,
    ]
    assert "Where" not in claims and chip("not reproduced") not in claims
    assert re.findall(":img-top: /(.+)", figures) == ["figures/toy_paper/toy_study/toy-fig-01.png"]
    assert "\ntoy_paper/other_study\ntoy_paper/toy_study\n" in studies
    assert text.count("<table") == 2 and text.rindex("<details>") < text.rindex("<table")


def test_a_printed_table_has_ours_and_the_verdict_in_each_cell(written):
    text = (written / "results" / "toy_paper" / "toy_study.md").read_text("utf-8")
    cell = f"<td><div>5<br><em>2.0</em><br>{chip('not reproduced')}</div></td>"
    assert f'<th scope="row">spread of the draws</th>{cell}' in text
    assert text.index("(toy-fig-02--toy_study)=") < text.index(cell) < text.index("the spread is 5")


def test_what_differs_stands_first_with_its_reason(written):
    everything = (written / "results" / "claims.md").read_text("utf-8")
    first = next(line for line in everything.splitlines() if line.startswith("<tr data"))
    assert chip("not reproduced") in first and "ours is a toy" in first
    assert '<a href="toy_paper/toy_study.html#toy-fig-02-toy-study">Figure 2</a>' in first
    found = re.findall(r'data-outcome="([^"]+)"', everything)
    assert found == sorted(found, key=DIFFERENCES_FIRST.index) and found[0] == "not reproduced" != found[-1]


def test_each_number_of_the_overview_leads_to_as_many_lines_of_the_list(written):
    text = (written / "results" / "index.md").read_text("utf-8")
    text += (written / "results" / "claims.md").read_text("utf-8")
    lines = re.findall(r'data-paper="(.+?)" data-outcome="(.+?)" data-kind="(.+?)" data-count="(.+?)"', text)
    numbers = re.findall(r'<a href="claims\.html\?([^"]+)">(\d+)</a>', text)
    for query, number in numbers:
        filters = {name: value for name, [value] in parse_qs(html.unescape(query)).items()}
        chosen = [
            int(count)
            for paper, outcome, kind, count in lines
            if {"paper": paper, "outcome": outcome, "kind": kind} == filters
        ]
        assert sum(chosen) == int(number) > 0
    assert sum(int(number) for _, number in numbers) == sum(int(line[-1]) for line in lines)


def test_a_study_shows_its_commands_and_its_tables(written, papers):
    study = (written / "results" / "toy_paper" / "toy_study.md").read_text("utf-8")
    assert "\ncredalbench run toy_paper/toy_study --profile smoke\n" in study
    assert "<summary>The mean of each size.</summary>" in study and "<th>mean</th>" in study
    result = papers[0].artefacts[0].result
    assert f"results/toy_paper/toy_study/{result.path.name}" in study and "n_runs = 2" in study
    assert "{download}`curves.csv </tables/toy_paper/toy_study/curves.csv>`: 8 rows" in study
    copied = written / "tables" / "toy_paper" / "toy_study" / "curves.csv"
    assert copied.read_bytes() == (result.path / "tables" / "curves.csv").read_bytes()


def test_large_tables_stay_where_they_are(papers, tmp_path, monkeypatch):
    monkeypatch.setattr(site_studies, "LARGEST", 10)
    write_pages(papers, "smoke", tmp_path / "pages")
    text = (tmp_path / "pages" / "results" / "toy_paper" / "toy_study.md").read_text("utf-8")
    assert "- `curves.csv`, too large for the site: 8 rows" in text
    assert not (tmp_path / "pages" / "tables").exists()


def test_a_study_with_a_notebook_names_its_papermill_command():
    [by_run, by_papermill] = site_studies.commands(get_study("denoeux2016_evclus/butterfly"), "paper")
    assert by_run == "credalbench run denoeux2016_evclus/butterfly"
    notebook = "notebooks/reproduce/denoeux2016_evclus/butterfly.ipynb"
    assert by_papermill == f"papermill {notebook} butterfly.ipynb -p profile paper"
    assert (ROOT / notebook).is_file()


def test_an_artefact_of_two_studies_is_called_after_them(results, tmp_path):
    run_study(experiment, profile="smoke")
    both = TOYS | {"other_study": dataclasses.replace(TOYS["other_study"], artefacts=("toy-fig-01",))}
    write_pages(collect({"toy_paper": both}, "smoke"), "smoke", tmp_path / "pages")
    folder = tmp_path / "pages" / "results" / "toy_paper"
    toy, other = ((folder / f"{study}.md").read_text("utf-8") for study in ("toy_study", "other_study"))
    assert "\n## Figure 1 (toy study): " in toy and "\n## Figure 1 (other study): " in other
    assert "\n## Figure 2: " in toy


def test_a_damaged_result_is_shown_as_such(results, tmp_path):
    (run_study(experiment, profile="smoke").path / "tables" / "manifest.json").write_text("{")
    write_pages(collect({"toy_paper": TOYS}, "smoke"), "smoke", tmp_path / "pages")
    for page in ("index.md", "toy_paper/toy_study.md"):
        text = (tmp_path / "pages" / "results" / page).read_text("utf-8")
        assert "damaged in the store: tables/manifest.json is not a complete manifest" in text
        assert "the means vanish" not in text
        assert "`credalbench run toy_paper/toy_study --profile smoke`" in text


def test_words_are_never_read_as_markup(written):
    text = (written / "results" / "toy_paper.md").read_text("utf-8")
    assert text.startswith(r"# Toy &lt;2000&gt; of \*stars\*")


def test_a_study_without_data_is_shown_with_its_reason(results, tmp_path):
    always = dataclasses.replace(experiment, smoke={"n_runs": 1, "fail": (0,)})
    run_study(always, profile="smoke")
    write_pages(collect({"toy_paper": {"toy_study": always}}, "smoke"), "smoke", tmp_path / "pages")
    paper = (tmp_path / "pages" / "results" / "toy_paper" / "toy_study.md").read_text("utf-8")
    assert "drawing stopped" in paper and chip("not checkable") in paper
    assert "<p>Not computed: KeyError: " in paper
    overview = (tmp_path / "pages" / "results" / "index.md").read_text("utf-8")
    assert "## Errors" in overview and "repetition 0 diverged" in overview


def test_a_study_that_is_left_out_is_named_once_with_its_reason(results, tmp_path, monkeypatch):
    monkeypatch.setenv("TOY_ABSENT", "1")
    partly = dataclasses.replace(experiment, smoke={"n_runs": 2, "fail": (0,)})
    run_study(partly, profile="smoke")
    write_pages(collect({"toy_paper": {"toy_study": partly}}, "smoke"), "smoke", tmp_path / "pages")
    overview = (tmp_path / "pages" / "results" / "index.md").read_text("utf-8")
    assert "## Errors" not in overview and overview.count("## Left out") == 1
    assert overview.count("- `toy_paper/toy_study`: data set 0 needs a file\n") == 1
    paper = (tmp_path / "pages" / "results" / "toy_paper" / "toy_study.md").read_text("utf-8")
    first, second = paper[paper.index("(toy-fig-01--toy_study)=") :].split("(toy-fig-02--toy_study)=")
    notice = "Left out, in whole or in part: data set 0 needs a file\n"
    assert notice in first and notice in second  # a figure, but a claim that cannot be checked; no figure


def test_every_figure_is_drawn_once_and_stands_in_the_gallery(written, papers):
    drawn = {figure_path(a) for a in papers[0].artefacts if a.has_figure}
    assert drawn == {"figures/toy_paper/toy_study/toy-fig-01.png"}
    assert {str(p.relative_to(written)) for p in (written / "figures").rglob("*.png")} == drawn
    vectors = {str(p.relative_to(written)) for p in (written / "figures").rglob("*.pdf")}
    assert vectors == {path.replace(".png", ".pdf") for path in drawn}
    assert set(re.findall(r"^:img-top: /(.+)$", (written / "gallery.md").read_text("utf-8"), re.M)) == drawn


def test_the_guides_of_the_repository_are_there_with_what_they_link_to(written):
    tracked = {path.relative_to(ROOT).with_suffix("").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    tracked = {name for name in tracked if not name.startswith("docs/reproduction/")}  # written from results
    assert tracked | {"README", "CONTRIBUTING", "CHANGELOG"} == {*guides(USER_GUIDE), *guides(PROJECT)}
    for menu, names in {"guide.md": guides(USER_GUIDE), "project.md": guides(PROJECT)}.items():
        text = (written / menu).read_text("utf-8")
        assert all((written / f"{name}.md").is_file() and f"/{name}" in text for name in names)
    assert (written / "docs" / "images" / "guide" / "ecm.png").is_file() and (written / "LICENSE").is_file()
    index = (written / "docs" / "REPRODUCTION.md").read_text("utf-8")
    assert "(reproduction/toy_paper.md)" in index  # of these results, not of the tracked ones
    assert (written / "docs" / "reproduction" / "toy_paper.md").is_file()
    assert "/docs/reproduction/toy_paper" in (written / "project.md").read_text("utf-8")


def test_an_installed_copy_has_no_guides_and_no_menu_of_them(papers, tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "in_checkout", lambda: False)
    write_pages(papers, "smoke", tmp_path / "pages")
    assert not any((tmp_path / "pages" / name).exists() for name in ("README.md", "guide.md", "project.md"))
    assert "guide" not in (tmp_path / "pages" / "index.md").read_text("utf-8").lower()


def test_every_public_package_is_in_the_reference():
    packages = {path.parent.name for path in (ROOT / "credalbench").glob("*/__init__.py")}
    assert {name.removeprefix("credalbench.") for name in public_names()} == packages - {"cli", "core"}
    assert {"ECM", "CECM", "EVCLUS"} <= set(public_names()["credalbench.cluster"])


@pytest.fixture
def without_sphinx(monkeypatch):
    """Sphinx replaced by something that leaves one file behind; yields the list of its warnings."""
    warnings = []

    def leave_a_file(pages, html, doctrees):
        html.mkdir()
        (html / "index.html").write_text("home")
        return "\n".join(warnings)

    monkeypatch.setattr(build, "_sphinx", leave_a_file)
    return warnings


def test_a_new_site_replaces_the_old_one_whole(papers, results, without_sphinx):
    page = write_site(papers, "smoke")
    (page.parent / "stale.html").write_text("old")
    assert write_site(papers, "smoke") == page == results / "site" / "index.html"
    expected = {".nojekyll", "front.html", "index.html", "lessons", *(f"{name}.html" for name in PAGES)}
    assert {p.name for p in page.parent.iterdir()} == expected
    assert sorted(p.name for p in results.iterdir()) == ["site", "toy_paper"]


def test_warnings_are_errors_but_the_site_stands(papers, results, without_sphinx):
    without_sphinx.append("paper.md:3: WARNING: no such place")
    with pytest.raises(SiteError, match="no such place"):
        write_site(papers, "smoke")
    assert (results / "site" / "index.html").is_file()

"""The report and REPRODUCTION.md: complete, offline, and a function of the results."""

import dataclasses
import html
import re

import pytest

from credalbench.runner import run_study
from credalbench.runner.notebooks import execute_notebook
from credalbench.runner.report import offline, write_report
from credalbench.runner.reproduction import reproduction_path, reproduction_text
from credalbench.runner.store import write_json
from credalbench.runner.summary import collect

from .toy_notebook import write_notebook
from .toy_study import experiment

FETCHED = (
    r"""(?:src|srcset|href|data|poster)\s*=\s*["']?\s*(?:https?:)?//|url\(\s*["']?(?:https?:)?//|@import"""
)
OTHER = dataclasses.replace(
    experiment, study="other_study", artefacts=("toy-tab-02", "toy-fig-10"), claims=()
)


@pytest.fixture
def papers():
    run_study(experiment, profile="smoke")
    studies = {"other_study": OTHER, "toy_study": experiment}
    return collect({"toy_paper": studies}, "smoke", {"toy_paper": "Toy <2000>"})


def test_artefacts_come_in_the_order_of_the_paper(papers):
    assert [a.id for a in papers[0].artefacts] == ["toy-fig-01", "toy-fig-02", "toy-fig-10", "toy-tab-02"]
    assert [a.label for a in papers[0].artefacts] == ["Figure 1", "Figure 2", "Figure 10", "Table 2"]


def test_the_report_shows_every_artefact_claim_and_verdict(papers):
    page = write_report(papers, "smoke")
    text = page.read_text("utf-8")
    for artefact in papers[0].artefacts:
        assert f'id="{artefact.id}--{artefact.experiment.study}"' in text
    for claim in experiment.claims:
        assert claim.statement in text
    for words in ("≠ differs", "ours is a toy", "stand-in data", "Toy &lt;2000&gt;", "a shortened protocol"):
        assert words in text
    assert 'alt="Figure 1: Curves of the toy"' in text
    assert "credalbench run toy_paper/other_study --profile smoke" in text


def test_a_study_without_data_is_reported_with_its_reason():
    always = dataclasses.replace(experiment, smoke={"n_runs": 1, "fail": (0,)})
    run_study(always, profile="smoke")
    page = write_report(collect({"toy_paper": {"toy_study": always}}, "smoke"), "smoke").read_text("utf-8")
    assert "repetition 0 diverged" in page and "drawing stopped" in page and "cannot be checked" in page


def test_the_report_asks_nobody_for_anything(papers, tmp_path):
    folder = papers[0].artefacts[0].result.path
    execute_notebook(write_notebook(tmp_path / "n.ipynb"), folder / "notebook.ipynb", {})
    page = write_report(papers, "smoke")
    pages = sorted(page.parent.rglob("*.html"))
    assert [p.name for p in pages] == ["index.html", "toy_paper--toy_study.html"]
    for path in pages:
        text = path.read_text("utf-8")
        assert not re.search(FETCHED, text, re.I)
        assert "<script" not in text
        assert "default-src 'none'; img-src data:;" in html.unescape(text)
        for target in re.findall(r'href="([^"#]+)', text):
            assert (path.parent / target).is_file(), target
    assert "example.org/toy" in pages[1].read_text("utf-8")  # a link stays readable as text
    assert 'alt="toy-fig-01: Curves of the toy"' in pages[1].read_text("utf-8")


@pytest.mark.parametrize(
    "body",
    [
        '<script src="https://a.org/x.js"></script>',
        "<a class='x' href='https://a.org/x'>here</a>",
        '<img alt="a" src="//a.org/x.png">',
        '<link rel="stylesheet" href="http://a.org/x.css">',
        "<style>@import 'https://a.org/x.css';</style>",
    ],
)
def test_what_a_browser_would_fetch_is_taken_out(body):
    assert not re.search(FETCHED + "|<script", offline(body), re.I)


def test_a_new_report_replaces_the_old_one_whole(papers):
    page = write_report(papers, "smoke")
    (page.parent / "stale.html").write_text("old")
    write_report(papers, "smoke")
    assert sorted(p.name for p in page.parent.iterdir()) == ["index.html", "notebooks"]
    assert sorted(p.name for p in page.parents[1].iterdir()) == ["report", "toy_paper"]


def test_reproduction_is_a_function_of_the_results(papers):
    text = reproduction_text(papers, "smoke")
    result = papers[0].artefacts[0].result
    write_json(result.path / "provenance.json", {**result.provenance, "date": "1999-01-01", "seconds": 7})
    assert reproduction_text(papers, "smoke") == text
    assert (
        "| the spread is 5 | paper, tolerance ours | 5 (Table 1) | 2.0 | ≠ differs | ours is a toy |" in text
    )
    assert "Not run with the present code: `credalbench run toy_paper/other_study`" in text
    assert "| Toy <2000> | the paper | 1 | 1 | 1 | 1 | 1 | 1 |" in text
    assert reproduction_path("smoke").parent.name == "report"  # a smoke run never touches the tracked file

"""The page and the list of a paper: a function of the results, short, and nothing left out."""

import csv
import dataclasses
import io
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from credalbench.papers import Finding, paper_pages, run_study, studies
from credalbench.papers.claims import claim
from credalbench.papers.paper_pages import (
    CLAIM,
    RESULT,
    headlines,
    index,
    paper_list,
    paper_page,
    write_reproduction,
)
from credalbench.papers.reasons import OURS
from credalbench.papers.reference import Sentence
from credalbench.papers.reproduction import collect
from credalbench.papers.verdicts import judge_claim
from tools import completeness

from .toy_study import CENTRED, LAYOUT, experiment

DOCS = Path(__file__).parents[2] / "docs"
OTHER = dataclasses.replace(experiment, study="other_study", artefacts=("toy-tab-02",), claims=())
STATED = {
    "S01": Sentence("nothing remains", "Abstract; Section 2, paragraph 3", {0, 2}),
    "S02": Sentence("it is positive", "Section 3, paragraph 1", {3}),
    "S04": Sentence("more", "Section 9", {9}),
}


@pytest.fixture
def papers():
    run_study(experiment, profile="smoke")
    studies = {"other_study": OTHER, "toy_study": experiment}
    layouts = {"toy_paper": {"toy-fig-02": dataclasses.replace(LAYOUT, main=True)}}
    return collect(
        {"toy_paper": studies}, "smoke", {"toy_paper": "Toy <2000>"}, {"toy_paper": STATED}, layouts
    )


def rows_of(paper):
    return list(csv.DictReader(io.StringIO(paper_list(paper))))


def test_a_page_is_a_function_of_the_results(papers):
    [paper] = papers
    before = paper_page(paper, "smoke"), paper_list(paper), index(papers, "smoke")
    result = paper.artefacts[0].result
    other = {**result.provenance, "date": "1999-01-01", "seconds": 7}
    (result.path / "tables" / "provenance.json").write_text(json.dumps(other))
    assert (paper_page(paper, "smoke"), paper_list(paper), index(papers, "smoke")) == before


def test_a_page_has_what_holds_what_does_not_and_why(papers):
    page = paper_page(papers[0], "smoke")
    words = "Of 2 main claims 1 is reproduced with a choice of ours, 1 open."
    assert f"**Reproduced in part.** {words} Of 1 printed results 1 is not reproduced (ours 1)." in page
    assert "- ✓ **reproduced with a choice of ours**: nothing remains (Abstract; Section 2" in page
    assert f"| {OURS} | Figure 2 | the printed value: spread 5, ours 2.0 | ours is a toy |" in page
    assert "| spread of the draws | 5 *2.0* ≠ |" in page
    assert f"| {CENTRED.chosen} | {CENTRED.among} | {CENTRED.evidence} | 1 | 0 |" in page
    assert "No result, not run with the present code: `credalbench run toy_paper/other_study`" in page
    assert page.startswith("# Toy &lt;2000>") and "shortened protocol" in page
    assert "|  | sentences | 2 | 0 | 1 | 0 | 0 | 1 | 0 | 0 |" in index(papers, "smoke")


def main_claims(sentences, by_definition=()):
    paper = dataclasses.replace(paper_pages.Paper("toy", "Toy", ()), sentences=sentences)
    judged = {name: judged_as(name in by_definition) for name in sentences}
    object.__setattr__(paper, "on_sentence", judged.get)
    return headlines(paper)


def judged_as(by_definition):
    declared = claim("toy-fig-01", "so it is", by_definition=by_definition)(lambda p, t: Finding(True, ""))
    return [judge_claim(declared, None, {})]


def test_main_claims_are_those_of_abstract_conclusion_and_introduction():
    def judged(**sections):
        return main_claims({name: Sentence("it is", "there", found) for name, found in sections.items()})

    middle = {f"S{n}": {n} for n in (2, 3, 4)}
    assert judged(S1={0}, **middle, S6={3, 5}) == ["S1", "S6"]
    assert judged(S1={1}, S2={3}, S3={5}) == ["S1", "S3"]
    many = {f"S{n:02}": {0} for n in range(20)}
    assert judged(**many) == sorted(many)[: paper_pages.HEADLINES]
    true_anyway = {name: Sentence("it is", "there", {0}) for name in ("S1", "S2")}
    assert main_claims(true_anyway, {"S2"}) == ["S1"]


#: Read from the papers: the sentences of abstract and conclusion, the abstract first, at most eight, without
#: those that are true by definition.
MAIN = {
    "antoine2012_cecm": "S01 S48 S49 S56 S57 S58 S59 S60",
    "denoeux2016_evclus": "S01 S02 S03 S04 S77 S78 S79 S80",
    "djiberou2019_catecm": "S01 S13",
    "jiao2022_egmm": "S03 S04 S11 S41",
    "li2020_ensemble": "S02 S03 S17 S44 S59 S61 S65 S66",
}


def by_definition(paper):
    """The sentences of which all claims are true by definition."""
    declared = [claim for study in studies.discover()[paper].values() for claim in study.claims]
    others = {name for claim in declared if not claim.by_definition for name in claim.sentences}
    return {name for claim in declared for name in claim.sentences} - others


@pytest.mark.parametrize("paper", MAIN)
def test_main_claims_of_the_papers_are_those_read_from_them(paper):
    assert main_claims(studies.sentences()[paper], by_definition(paper)) == MAIN[paper].split()


@pytest.mark.parametrize("paper", MAIN)
def test_headlines_of_the_papers_count_their_main_claims(paper):
    expected = MAIN[paper].split()
    with (DOCS / "reproduction" / f"{paper}.csv").open(encoding="utf-8") as file:
        verdicts = {row["item"]: row["verdict"] for row in csv.DictReader(file) if row["kind"] == "sentence"}
    count = paper_pages._numbers(Counter(verdicts[name] for name in expected), "main claims")
    assert count in (DOCS / "REPRODUCTION.md").read_text("utf-8")
    page = (DOCS / "reproduction" / f"{paper}.md").read_text("utf-8")
    assert count in page
    assert re.findall(r"\*(S\d+), ours\*", page) == expected


def test_the_list_has_every_sentence_claim_and_printed_value_once(papers):
    [paper] = papers
    rows = rows_of(paper)
    assert Counter(row["kind"] for row in rows) == {"sentence": 3, CLAIM: len(experiment.claims), RESULT: 1}
    [value] = [row for row in rows if row["kind"] == RESULT]
    assert (value["item"], value["printed"], value["ours"]) == ("spread", "5", "2.0")
    assert (value["verdict"], value["cause"]) == ("not reproduced", OURS)
    assert [r["verdict"] for r in rows if r["item"] == "S04"] == ["not judged"]
    assert {CENTRED.chosen} == {row["choices"] for row in rows} - {""}


def test_a_difference_without_a_cause_is_found(papers, tmp_path):
    path = tmp_path / "toy.csv"
    path.write_text(paper_list(papers[0]))
    assert completeness.judged(path).without_cause == []
    path.write_text(paper_list(papers[0]).replace(",ours,", ",,"))
    assert completeness.judged(path).without_cause == ["toy-fig-02: the spread is 5"]


def test_the_tracked_files_are_written_whole_or_not_at_all(papers, tmp_path, monkeypatch):
    monkeypatch.setattr(paper_pages, "repository_root", lambda: tmp_path)
    with pytest.raises(ValueError, match="at the paper profile, got without toy_paper/other_study"):
        write_reproduction(papers, "paper")
    whole = [dataclasses.replace(papers[0], artefacts=papers[0].artefacts[:2])]
    with pytest.raises(ValueError, match="got the smoke profile"):
        write_reproduction(whole, "smoke")
    assert not (tmp_path / "docs").exists()
    old = tmp_path / "docs" / "reproduction" / "images" / "gone.png"
    old.parent.mkdir(parents=True)
    old.write_bytes(b"")
    judging = tmp_path / "docs" / "JUDGING.md"
    judging.write_text(f"before\n\n{paper_pages.PLANTED}\nan old table\n\nafter\n")
    for _ in range(2):
        assert write_reproduction(whole, "paper") == tmp_path / "docs" / "REPRODUCTION.md"
    [table] = re.fullmatch(
        rf"before\n\n{paper_pages.PLANTED}\n(.+)\nafter\n", judging.read_text(), re.S
    ).groups()
    assert table == paper_pages.planted_table(whole)
    names = {path.name for path in (tmp_path / "docs" / "reproduction").rglob("*.*")}
    assert names == {"toy_paper.md", "toy_paper.csv", "toy-fig-01--toy_study.png"}
    page = (tmp_path / "docs" / "reproduction" / "toy_paper.md").read_text("utf-8")
    for link in re.findall(r"\]\(([^)#]+)\)", page):
        exists = (tmp_path / "docs" / "reproduction" / link).is_file()
        assert exists or link == "../JUDGING.md", link

"""``credalbench cluster``: its output, its questions and its errors."""

import io
import re
import shlex
import sys
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from credalbench.cli import main
from credalbench.core.resources import NotEnoughMemory
from credalbench.report.command import OpenQuestions, cluster_table, command_options
from credalbench.tables import cells

from .tables import plants

FEW = "u,v\n1.5,2\n2,5.5\n3,7\n"


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """``cluster("own.csv", ...)`` in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, ["cluster", *words])


def test_questions_exit_with_code_2_and_show_a_command_that_answers_them(cluster):
    frame = plants().assign(site=[1, 2] * 12, weight=lambda frame: 100 * frame["width"] + frame["height"])
    frame.loc["plant 3", "height"] = None
    frame.to_csv("own.csv")
    asked = cluster("own.csv", "-c", "2", "--strict")
    assert asked.exit_code == 2 and not Path("own-clusters.html").exists()
    assert "3 questions are open" in asked.output and "1 missing value (line 5)" in asked.output
    assert "--missing rows\n" in asked.output and "--columns site=classes\n" in asked.output
    shown = asked.output.splitlines()[-1].split(maxsplit=2)
    assert shown[:2] == ["credalbench", "cluster"]
    done = cluster(*shlex.split(shown[2]))
    assert done.exit_code == 0, done.output
    assert (
        "left out for missing values: line 5" in done.output
        and "The number of clusters, 2, was given." in done.output
    )
    assert "columns={&#39;site&#39;: &#39;number&#39;}" in Path("own-clusters.html").read_text("utf-8")
    partition = pd.read_csv("own-clusters-partition.csv", index_col="plant")
    assert partition.index.tolist() == frame.index.drop("plant 3").tolist() and "{1}" in partition


def test_codes_of_missing_values_are_options(cluster):
    frame = plants()
    frame.loc["plant 3", "height"] = -999
    frame.to_csv("own.csv")
    asked = cluster("own.csv", "-c", "2", "--strict")
    assert asked.exit_code == 2 and "--na-values -999" in asked.output
    likely = cluster("own.csv", "-c", "2")
    assert likely.exit_code == 0 and "--na-values -999 is used" in likely.output, likely.output
    assert "--missing rows is used (change it with --missing columns or" in likely.output
    assert "plant 3" not in Path("own-clusters-partition.csv").read_text("utf-8")
    done = cluster("own.csv", "-c", "2", "--na-values", "-999", "--missing", "rows")
    assert done.exit_code == 0, done.output
    assert "plant 3" not in Path("own-clusters-partition.csv").read_text("utf-8")


@pytest.mark.parametrize(
    ("answer", "options"),
    [
        ("missing='rows'", "--missing rows"),
        ("standardize=False", "--no-standardize"),
        ("header=True", "--header"),
        ("decimal=','", "--decimal ,"),
        ("kind='attributes'", "--kind attributes"),
        ("columns={'a b': 'left out', 'k=2': 'names'}", "--columns 'a b=left out' --columns k=2=names"),
        ("n_clusters=3", "--n-clusters 3"),
        ("na_values=(-999, '?')", "--na-values -999 --na-values '?'"),
    ],
)
def test_answers_as_command_line_options(answer, options):
    assert command_options(answer) == options


def words(n: int = 60) -> pd.DataFrame:
    """Twelve columns of words, of three groups that answer alike but for a tenth of the cells."""
    rng = np.random.default_rng(0)
    group = np.arange(n) % 3
    answer = np.where(rng.random((12, n)) < 0.1, rng.integers(3, size=(12, n)), group)
    return pd.DataFrame({f"Q{j + 1}": np.array(["yes", "no", "maybe"])[answer[j]] for j in range(12)})


def test_a_clean_table_of_words_or_of_numbers_and_words_is_clustered(cluster):
    words().to_csv("words.csv", index=False)
    done = cluster("words.csv", "-c", "3")
    assert done.exit_code == 0, done.output
    noted = "columns 'Q1', 'Q2', 'Q3' and 9 more hold words and are read as categories (change it with"
    page = Path("words-clusters.html").read_text("utf-8")
    assert noted in done.output and "--columns Q12=classes)" in done.output
    assert "and 9 more hold words and are read as categories" in page and "--columns Q12=classes)" in page
    labels = pd.read_csv("words-clusters-partition.csv")["cluster"]
    assert pd.crosstab(labels, np.arange(60) % 3).max().eq(20).all()
    size = np.random.default_rng(1).normal(np.arange(60) % 3 * 50.0)
    words().iloc[:, :5].assign(size=size, weight=size / 50).to_csv("mixed.csv", index=False)
    assert cluster("mixed.csv", "-c", "3").exit_code == 0
    assert cluster("words.csv", "-c", "3", "--strict").exit_code == 2
    given = cluster("words.csv", "-c", "3", "--strict", "--columns", "Q*=category")
    assert given.exit_code == 0 and "columns={&#39;Q*&#39;: &#39;category&#39;}" in Path(
        "words-clusters.html"
    ).read_text("utf-8")


def test_without_a_likely_answer_the_command_stops(cluster):
    Path("condensed.csv").write_text("d\n" + "\n".join(f"{i}.5" for i in range(15)) + "\n")
    asked = cluster("condensed.csv", "-c", "2")
    assert asked.exit_code == 2 and "the dissimilarities of 6 objects" in asked.output
    Path("commas.csv").write_text(
        "u;v\n" + "\n".join(f"{i + 1},{100 + i};{i % 5}.5" for i in range(15)) + "\n"
    )
    asked = cluster("commas.csv", "-c", "2")
    assert asked.exit_code == 2 and "1 question is open" in asked.output and "--decimal ," in asked.output


def test_the_code_of_the_page_has_the_answers_that_were_taken(cluster):
    frame = plants().assign(weight=lambda frame: 100 * frame["width"] + frame["height"])
    frame.loc[["plant 3", "plant 4", "plant 5"], "height"] = None
    frame.to_csv("own.csv")
    done = cluster("own.csv", "-c", "2")
    assert done.exit_code == 0 and "--missing impute is used" in done.output, done.output
    code = "read_user_table(&#39;own.csv&#39;, missing=&#39;impute&#39;, standardize=True)"
    assert "--standardize is used" in done.output and code in Path("own-clusters.html").read_text("utf-8")


@pytest.mark.parametrize("kind", ["numbers", "categories", "mixed", "dissimilarities"])
def test_all_rows_are_assigned_to_the_clusters_of_a_sample(cluster, kind):
    n = 90
    centres = np.array([[0.0, 0], [50, 0], [0, 60]])
    numbers = np.random.default_rng(0).normal(centres[np.arange(n) % 3])
    frame = {
        "numbers": pd.DataFrame(numbers, columns=["u", "v"]),
        "categories": words(n),
        "mixed": words(n).assign(u=numbers[:, 0], v=numbers[:, 1]),
        "dissimilarities": pd.DataFrame(np.linalg.norm(numbers[:, None] - numbers, axis=2)),
    }[kind]
    frame.to_csv("own.csv", index=False, header=kind != "dissimilarities")
    done = cluster("own.csv", "-c", "3", "--max-objects", "40", "--random-state", "1", "-o", "page.html")
    assert done.exit_code == 0, done.output
    assert "Clustered a sample of 40 of 90 objects (seed 1)" in done.output
    page = Path("page.html").read_text("utf-8")
    written = pd.read_csv("page-partition.csv", index_col="object")
    assert "40 of 90 objects, drawn with seed 1" in page and "all 90 objects</th>" in page
    assert written.index.tolist() == list(range(n))
    assert pd.crosstab(written["cluster"], np.arange(n) % 3).max().ge(29).all()
    certain = written[written["most_mass"].str.fullmatch(r"\{\d\}")]
    assert (certain["most_mass"] == "{" + certain["cluster"].astype(str) + "}").mean() > 0.9
    script = re.search(r"<pre[^>]*>(.*?)</pre>", page, re.DOTALL)[1]
    exec(re.sub("<.*?>", "", unescape(script)).replace("page-partition", "again"), {})
    pd.testing.assert_frame_equal(pd.read_csv("again.csv", index_col="object"), written)


def test_assigned_rows_keep_their_numbers_after_rows_were_left_out(cluster, monkeypatch):
    monkeypatch.setattr("credalbench.report.assignment.BLOCK", 7)
    frame = pd.DataFrame(np.random.default_rng(0).normal(np.arange(60)[:, None] % 2 * 50.0, size=(60, 2)))
    frame.iloc[[3, 20], 0] = None
    frame.columns = ["u", "v"]
    frame.to_csv("own.csv", index=False)
    done = cluster("own.csv", "-c", "2", "--max-objects", "20")
    assert done.exit_code == 0 and "--missing rows is used" in done.output
    written = pd.read_csv("own-clusters-partition.csv", index_col="object")
    assert written.index.tolist() == [i for i in range(60) if i not in (3, 20)]
    assert pd.crosstab(written["cluster"], written.index % 2).max().tolist() == [29, 29]


def test_a_further_method_is_compared(cluster):
    X = np.random.default_rng(0).normal(np.arange(40)[:, None] % 2 * 9.0, size=(40, 2))
    pd.DataFrame(X, columns=["height", "width"]).to_csv("own.csv", index=False)
    assert cluster("own.csv", "-c", "2", "--also", "ECMdd", "--also", "BPEC").exit_code == 0
    page = Path("own-clusters.html").read_text("utf-8")
    assert "ECMdd" in page and "BPEC" in page and "NN-EVCLUS" not in page


def test_more_clusters_are_tried_where_they_are_asked_for(cluster):
    rng = np.random.default_rng(0)
    centers = np.array([(k % 4, k // 4) for k in range(15)]) * 12.0
    X = np.repeat(centers, 9, axis=0) + rng.normal(size=(135, 2))
    pd.DataFrame(X, columns=["height", "width"]).to_csv("own.csv", index=False)
    done = cluster("own.csv", "--max-clusters", "16")
    assert done.exit_code == 0 and "15 clusters have the largest score" in done.output
    assert "range(2, 17)" in Path("own-clusters.html").read_text("utf-8")
    assert "12 is the largest number that was tried" in cluster("own.csv").output


@pytest.mark.parametrize(
    ("text", "words", "code", "message"),
    [
        (None, [], 2, "'own.csv' does not exist"),
        ("", [], 1, "own.csv: expected a table of at least 3 lines; got 0"),
        ("u,v\n1.5,2\n", [], 1, "expected"),
        (FEW, [], 1, "at least 8 objects in own.csv to choose the number of clusters, got 3"),
        (FEW, ["-c", "4"], 1, "n_clusters"),
        (FEW, ["-c", "2", "--max-clusters", "4"], 1, "n_clusters or max_clusters, not both, got 4"),
        (FEW, ["--max-clusters", "1"], 2, "--max-clusters"),
        (FEW, ["-c", "2", "--also", "ECM"], 2, "--also"),
        (FEW, ["--columns", "u"], 2, "expected NAME=ROLE in --columns, got 'u'"),
        (FEW, ["--columns", "w=number"], 2, "expected names of columns in the argument columns; got 'w'"),
        (FEW, ["--columns", "u=nmber"], 2, "the role of u in --columns"),
        (FEW, ["-o", "none/page.html"], 1, "expected a page in an existing folder"),
        (FEW, ["-o", "own.csv"], 1, "an output that does not replace the table, got 'own.csv'"),
        ("name\nAnn\nBob\nCid\nDan\n", [], 2, "expected at least one numeric or categorical column"),
    ],
)
def test_invalid_tables_and_options_are_rejected(cluster, text, words, code, message):
    if text is not None:
        Path("own.csv").write_text(text)
    refused = cluster("own.csv", *words)
    assert refused.exit_code == code and message in " ".join(refused.output.split()), refused.output
    assert "Traceback" not in refused.output and not list(Path().glob("*.html"))
    assert text is None or Path("own.csv").read_text() == text


def test_of_a_file_that_does_not_fit_into_memory_a_sample_is_read(cluster, monkeypatch):
    rows = [f"{i % 2 * 9 + i % 7 / 10},{i % 5 / 10}" for i in range(4000)]
    Path("own.csv").write_text("\n".join(["u,v", *rows]))

    def refuse_all_rows(need, what, advice):
        if "about 4000 rows" in what:
            raise NotEnoughMemory(f"expected less, got {what}. Use {advice}")

    monkeypatch.setattr(cells, "expect_memory", refuse_all_rows)
    monkeypatch.setattr(cells, "LARGE", 0)
    done = cluster("own.csv", "-c", "2", "--max-objects", "60")
    assert done.exit_code == 0, done.output
    assert "Only a sample is read; the other rows are not assigned" in done.output
    assert len(pd.read_csv("own-clusters-partition.csv")) == 60
    assert "max_objects=60" in Path("own-clusters.html").read_text("utf-8")


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_terminal_shows_how_much_of_a_large_file_is_read(is_terminal, tmp_path, monkeypatch):
    (tmp_path / "own.csv").write_text("u,v\n" + "1.5,200\n2.5,-999\n" * 70_000)
    screen = io.StringIO()
    screen.isatty = lambda: is_terminal
    monkeypatch.setattr(sys, "stderr", screen)
    with pytest.raises(OpenQuestions):
        cluster_table(str(tmp_path / "own.csv"), str(tmp_path / "page.html"), 2, {}, print, strict=True)
    assert ("reading own.csv, part 1 of " in screen.getvalue()) is is_terminal

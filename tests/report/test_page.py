"""The page of a report: complete, offline, and safe against markup in a table."""

import re

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import CredalPartition
from credalbench.report import cluster_report
from credalbench.report.description import profile_table, strongest_rows
from credalbench.tables import read_user_table
from tests.papers.site.page import Page, is_elsewhere

from .tables import plants, table

ODD = "<script>alert(1)</script> & $x$"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page of a table with markup in the names of an object, of a column and of the table."""
    frame = plants().rename(columns={"height": "<b>h</b> $2$"}, index={"far": ODD})
    table = read_user_table(frame, name="<i>own</i>.csv", standardize=False)
    path, partition, profiles = cluster_report(table, 2).write(
        tmp_path_factory.mktemp("page") / "a page.html"
    )
    page = Page(path)
    page.text, page.partition, page.profiles = path.read_text("utf-8"), partition, profiles
    return page


def test_the_page_loads_nothing_and_shows_its_pictures(page):
    assert page.loaded and [address for address in page.loaded if is_elsewhere(address)] == []
    assert sum(address.startswith("data:image/png;base64,") for address in page.loaded) == 2
    assert page.policy == "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    assert [file for file, _ in map(page.place, page.links) if not file.exists()] == []
    assert {anchor for _, anchor in map(page.place, page.links) if anchor} <= set(page.ids)
    assert page.partition.name == "a page-partition.csv" and page.partition.exists()
    assert page.profiles.name == "a page-profiles.csv" and page.profiles.exists()


def test_names_are_escaped_on_the_page(page):
    assert "<script" not in page.text and "<b>h" not in page.text and "<i>own" not in page.text
    assert page.text.count("&lt;script&gt;alert(1)&lt;/script&gt; &amp; $x$") >= 3  # object, why, script
    assert "&lt;b&gt;h&lt;/b&gt; $2$" in page.text
    assert not re.search(r"\\[a-z]+\{|\$\\", page.text)  # no raw LaTeX


def test_the_page_states_the_results(page):
    text = re.sub(r"\s+", " ", page.text)
    assert "<h1>&lt;i&gt;own&lt;/i&gt;.csv: 2 clusters</h1>" in text
    assert "ECM: 1 outlier, " in text and "outlier: 0." in text and "between 1 and 2: " in text
    assert "The number of clusters, 2, was given." in text and "Two readings" not in text
    assert "adjusted Rand index of" in text and "fits[&#39;ECM&#39;].partition_" in text


def test_the_page_describes_its_clusters(page):
    text = re.sub(r"<[^>]+>", "", re.sub(r"\s+", " ", page.text))
    assert "Cluster 1: 11 objects surely, " in text and "high width (mean 6.0, rest 0.3)" in text
    assert "In no cluster: &lt;script&gt;" in text and "Ambiguous: between." in text
    frame = pd.read_csv(page.profiles)
    assert list(frame)[:5] == ["cluster", "sure", "possible", "mean_belief", "attribute"]
    assert frame["attribute"].unique().tolist() == ["<b>h</b> $2$", "width"]


def test_columns_that_were_not_used_are_described_in_the_units_of_the_source(tmp_path):
    frame = plants().assign(site=["hill", "lake"] * 12, soil=["dry"] * 11 + ["wet"] * 11 + ["dry"] * 2)
    roles = {"site": "left out", "soil": "classes"}
    report = cluster_report(read_user_table(frame, columns=roles, standardize=True), 2)
    rows = {row.name: row for row in profile_table(report.profiles)}
    assert {name for name, row in rows.items() if row.supplementary} >= {"site = hill", "soil = wet"}
    assert {cell.sign for cell in rows["soil = wet"].cells} == {"↑", "↓"}
    assert sorted(float(cell.text) for cell in rows["height"].cells) == pytest.approx([0, 6], abs=0.5)
    text = report.write(tmp_path / "page.html")[0].read_text("utf-8")
    assert "soil = wet <span" in text and text.count("data:image/png;base64,") == 3


def test_two_readings_are_shown_where_the_number_is_not_sure(tmp_path):
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.normal(at, 1.0, (20, 2)) for at in ((0, 0), (4.2, 0), (12, 0), (3, 11))])
    report = cluster_report(read_user_table(pd.DataFrame(X, columns=["u", "v"]), name="own"))
    assert report.choice.n_clusters == 4
    assert "This choice is not certain (" in report.choice.explanation
    assert "): also look at 3." in report.choice.explanation
    assert report.other_reading.n_clusters == 3
    text = re.sub(r"\s+", " ", report.write(tmp_path / "page.html")[0].read_text("utf-8"))
    assert "Two readings, by ECM" in text and 'See <a href="#number">both numbers below</a>' in text
    counts = text[text.index("Two readings") : text.index("<h3>Criteria")]
    assert '<th scope="row">4 clusters</th>' in counts and '<th scope="row">3 clusters</th>' in counts
    [merged] = re.findall(r"With fewer clusters, these are merged: (\d) and (\d)\.", counts)
    labels, fewer = report.partition.labels(), report.other_reading.labels()
    rows = np.isin(labels + 1, [int(k) for k in merged])
    assert (labels[:20] == labels[0]).mean() > 0.8 and rows[:40].mean() > 0.9
    assert np.bincount(fewer[rows]).max() > 0.8 * rows.sum()


def test_dissimilarities_have_sizes_and_typical_objects(tmp_path):
    page, _, profiles = cluster_report(table("dissimilarities"), 2).write(tmp_path / "page.html")
    assert pd.read_csv(profiles)["cluster"].tolist() == ["{1}", "{2}"]
    assert pd.read_csv(profiles)["sure"].ge(11).all()
    assert "Typical: plant " in page.read_text("utf-8")


def test_strong_attributes_come_first_and_a_category_shows_a_value_for_each_cluster():
    y = np.repeat(np.arange(4), 10)
    frame = pd.DataFrame(
        {"noise": np.tile([0.0, 1], 20), "odd": [f"w{i}" for i in range(40)], "kind": y.astype(str)}
    )
    rows = strongest_rows(CredalPartition.from_labels(y).profiles(frame))
    assert rows[:4] == [("kind", str(k)) for k in range(4)]
    assert [name for name, _ in rows[4:]] == ["noise", *["odd"] * 4]


def test_the_page_of_a_sample_describes_the_sample(tmp_path):
    report = cluster_report(read_user_table(plants(40), standardize=False), 2, max_objects=20)
    text = report.write(tmp_path / "page.html")[0].read_text("utf-8")
    assert "The descriptions are of the 20 objects of the sample." in text
    assert report.profiles.sizes["sure"].sum() <= 20

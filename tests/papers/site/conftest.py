"""Papers to show, and one site that is built for all tests that look at it."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path

import pytest

from credalbench.cli.pages import lesson_pages
from credalbench.papers import run_study, studies
from credalbench.papers.batch import prepare, run_batch
from credalbench.papers.execute import execute_notebook
from credalbench.papers.reference import Sentence
from credalbench.papers.reproduction import Paper, collect
from credalbench.papers.site import write_site
from tests.papers.site.page import Page
from tests.papers.toy_notebook import write_notebook
from tests.papers.toy_study import LAYOUT, experiment

ROOT = Path(__file__).resolve().parents[3]
NOT_RUN = dataclasses.replace(
    experiment, study="other_study", artefacts=("toy-tab-02", "toy-fig-10"), claims=()
)
TOYS = {"other_study": NOT_RUN, "toy_study": experiment}
STATED = {
    "toy_paper": {
        "S01": Sentence("nothing remains", "p. 1", {1}),
        "S02": Sentence("it is positive", "p. 2", {2}),
    }
}
HEADING = "Toy <2000> of *stars*"  # must not become markup
LAYOUTS = {"toy_paper": {"toy-fig-02": LAYOUT}}
#: The cheapest study of each paper.
REAL = {"denoeux2016_evclus": "belief_examples", "antoine2012_cecm": "constraint_examples"}


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A folder of results of its own."""
    monkeypatch.setenv("CREDALBENCH_RESULTS", str(tmp_path / "results"))
    return tmp_path / "results"


@pytest.fixture
def papers(results) -> list[Paper]:
    """The toy study, and another one that was not run."""
    run_study(experiment, profile="smoke")
    return collect({"toy_paper": TOYS}, "smoke", {"toy_paper": HEADING}, STATED, LAYOUTS)


@dataclass(frozen=True)
class Site:
    """A built site: its folder, its pages by address, and the papers that it shows."""

    folder: Path
    pages: dict[str, Page]
    papers: list[Paper]


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Site:
    """The site of all lessons, of the toy study and of two real ones, with their executed notebooks."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CREDALBENCH_RESULTS", str(folder / "results"))
        patch.setenv("PYTHONPATH", str(ROOT))
        papers = [*run_toy(folder / "toy.ipynb"), *run_real()]
        root = write_site(papers, "smoke", lesson_pages()).parent
    addresses = sorted(str(path.relative_to(root)) for path in root.rglob("*.html"))
    pages = {a: Page(root / a) for a in addresses if not a.startswith("_static")}  # there, the theme's own
    return Site(root, pages, papers)


def run_toy(notebook: Path) -> list[Paper]:
    result = run_study(experiment, profile="smoke")
    execute_notebook(write_notebook(notebook), notebook.with_name("executed.ipynb"), {})
    executed = notebook.with_name("executed.ipynb").read_bytes()
    result.folder.store_shown({"notebook.ipynb": executed}, {"view": "view", "notebook": "of the tests"})
    return collect({"toy_paper": TOYS}, "smoke", {"toy_paper": HEADING}, STATED, LAYOUTS)


def run_real() -> list[Paper]:
    found = studies.discover()
    real = {paper: {study: found[paper][study]} for paper, study in REAL.items()}
    outcomes = run_batch([prepare(found[paper][study], "smoke", {}) for paper, study in REAL.items()])
    assert [outcome.error for outcome in outcomes] == ["", ""]
    return collect(real, "smoke", studies.headings(), studies.sentences(), studies.printed_tables())
